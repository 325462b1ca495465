"""A recorded strong reader, added as a user adds one, and told of sets that no licence has seen.

    python -m benchmarks.readers --data ../shared/data [--write benchmarks/reports/readers.md]

What a language model answered to the token reader's question (`benchmarks.letters`) stands in for
its endpoint; `groundrules readers add` measures it on the answers that ship. By its word alone: no
guard holds back what it finds entailed, as `is_held_back` does. Of a pair that may not be refuted,
but may be open, nothing is told.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from benchmarks.letters import PAIRS, Letters, load, recorded_reader, rows_of, sets
from benchmarks.marks import put_between
from benchmarks.recorded import digest
from groundrules.checks import plan as plans
from groundrules.config import Config
from groundrules.evaluate import licences
from groundrules.evaluate.documents import Checked, DocumentEvaluation, check_row, summarize
from groundrules.evaluate.rows import Row
from groundrules.models.licences import Licence
from groundrules.models.readers import Reader
from groundrules.terms import Outcome

BEGIN, END = "<!-- added: begin -->", "<!-- added: end -->"
TOLD_OF = ("prose/unseen-2", "prose/near", "prose/near-2", "field/dev", *PAIRS)
_HEADS = (
    "set", "sentences", "wrong", "rules alone: true supported", "wrong passed", "true supported",
    "wrong passed", "wrong with an error", "true with an error",
    "by its word alone: true supported", "wrong passed", "not read",
)  # fmt: skip

About = Callable[[Row], None]


class Recorded:
    """The recorded reader, told before each row beside which source its statements stand."""

    def __init__(self) -> None:
        self.client = Letters(load())
        self.reader = recorded_reader(self.client)

    def about(self, row: Row) -> None:
        """Say which source is shown next."""
        self.client.source = digest(row.fields["doc"])


@contextmanager
def reading(reader: Reader, licence: Licence) -> Iterator[Config]:
    """Give a configuration whose checks are read by a licensed reader."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "licence.toml").write_text(licence.dumps(), encoding="utf-8")
        config = Config(readers=("licence.toml",), base=Path(folder))
        with patch.object(plans, "open_named", lambda *_: reader):
            yield config


def checked(rows: Sequence[Row], config: Config, about: About = lambda _: None) -> list[Checked]:
    """Return the checks of some rows."""
    out = []
    for row in rows:
        about(row)
        out.append(check_row(row, config))
    return out


def shares(found: DocumentEvaluation) -> str:
    """Return the shares of a table as its cells."""
    told = (found.true_supported, found.wrong_supported, found.wrong_error, found.true_error)
    return " | ".join("–" if one is None else f"{one:.3f}" for one in told)


def add(recorded: Recorded, folder: Path) -> licences.Measured:
    """Add the reader, which is told beside which source it reads."""
    read_row = licences.read_row

    def read(row: Row, reader: Reader, config: Config) -> licences.OfRow:
        recorded.about(row)
        return read_row(row, reader, config)

    with patch.object(licences, "read_row", read):
        model = "http://127.0.0.1:8000/v1#recorded"
        return licences.add_reader(recorded.reader, model, folder, config=Config())


def line(name: str, rows: Sequence[Row], recorded: Recorded, found: licences.Measured) -> str:
    """Return what is found in a set with the reader in force, and by the rules alone."""
    assert found.path
    told = []
    for row in rows:
        recorded.about(row)
        told += licences.read_row(row, recorded.reader, Config()).told
    config = Config(readers=(found.path.name,), base=found.path.parent)
    with patch.object(plans, "open_named", lambda *_: recorded.reader):
        ends = summarize(checked(rows, config, recorded.about))
    alone = [(one.label, one.outcome) for one in told]
    freed = [(one.label, licences.outcome(replace(one, held=False), found.licence)) for one in told]
    unread = sum(isinstance(one.found, str) for one in told)
    cells = (
        name,
        ends.statements,
        ends.wrong,
        _passed(alone),
        shares(ends),
        _passed(freed),
        unread,
    )
    return f"| {' | '.join(map(str, cells))} |"


def _passed(ends: Sequence[tuple[int, Outcome]]) -> str:
    """Return the shares of the true and of the wrong ones that are supported."""
    own = [[outcome for label, outcome in ends if label == one] for one in (1, 0)]
    return " | ".join(f"{some.count(Outcome.SUPPORTED) / max(1, len(some)):.3f}" for some in own)


def main() -> None:
    """Add the reader, print the table, write it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of the sets that are not here")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    files = sets(arguments.data)
    if arguments.data:
        files |= {name: arguments.data / "cases" / file for name, file in PAIRS.items()}
    recorded = Recorded()
    out = [f"| {' | '.join(_HEADS)} |", "|---|" + "--:|" * (len(_HEADS) - 1)]
    with TemporaryDirectory() as folder:
        found = add(recorded, Path(folder))
        unread = "; ".join(f"{count:,} {why}" for why, count in found.unread.items())
        told = f"{found.licence.told()}. Of the answers that ship, not read: {unread or 'none'}."
        print(told, found.licence.figures, file=sys.stderr, flush=True)
        for name in TOLD_OF:
            if name in files:
                rows = [
                    row for row in rows_of(files[name]) if row.fields.get("want") != "not_refuted"
                ]
                out.append(line(name, rows, recorded, found))
                print(out[-1], file=sys.stderr, flush=True)
    client = recorded.client
    note = (
        f"By `groundrules readers add`: {told} {client.tried:,} controls were asked of the model, "
        f"{client.untried:,} were not; {len(client.missing):,} statements are not on record."
    )
    text = "\n".join([*out, "", note])
    print(text)
    if arguments.write:
        put_between(arguments.write, text, BEGIN, END)


if __name__ == "__main__":
    main()
