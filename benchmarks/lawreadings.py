"""What a language model reads of legal texts in the terms of the ontology, and what comes of it.

    python -m benchmarks.lawreadings --data ../shared/data --export FOLDER
    python -m benchmarks.lawreadings --data ../shared/data --replies FOLDER
    python -m benchmarks.lawreadings --data ../shared/data [--show] [--write PAGE]

The first writes the questions of the sets (`recorded.write_questions`). The second keeps their
answers in benchmarks/lawreadings, each under the key of its question. The third checks
the sets with the answers in the place of a model. `cases/legal_faults` and `mixed` were looked at
with their answers; of `free`, in benchmarks/lawfaults, no answer was read and no row but the twelve
of which that module tells.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.lawfaults import Row
from benchmarks.lawfaults import rows as rows_of
from benchmarks.marks import put_between
from benchmarks.recorded import StandIn, packed, read_replies, unpacked, write_questions
from groundrules import api
from groundrules.claims.models.llm_terms import SCHEMA, question_on
from groundrules.config import Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.llm import client as llm
from groundrules.llm.prompt import Prompt, key
from groundrules.ontology.load import load
from groundrules.ontology.read.lexicon import read_lexicon
from groundrules.ontology.termlist import vocabulary
from groundrules.terms import Report, Severity, Violation

#: The ontology in force, and where the answers are kept.
_NAME, KEPT = "legal", Path(__file__).parent / "lawreadings"
SEEN, MIXED, UNSEEN, CONTROLS = "legal_faults", "mixed", "free", "controls"
#: How many digits of a key name an answer.
_KEY = 16
BEGIN, END = "<!-- lawreadings: begin -->", "<!-- lawreadings: end -->"
ALONE, READ = "rules alone", "with the readings"
#: What a note of the report begins with where a control was read amiss.
_DISTRUSTED = "nothing that the language model read"


def sets(data: Path, names: Sequence[str]) -> dict[str, list[Row]]:
    """Return the texts of the named sets."""
    found: dict[str, list[Row]] = {}
    for name in names:
        if name == SEEN:
            with gzip.open(data / "cases/legal_faults.jsonl.gz", "rt", encoding="utf-8") as lines:
                told = [json.loads(line) for line in lines]
            found[name] = [
                Row(r["id"], r["kind"], r["faulty"], r["text"], tuple(r["words"])) for r in told
            ]
        elif name in (MIXED, UNSEEN):
            found[name] = [*rows_of(name)]
        else:
            tests = read_lexicon(load(_NAME)).tests
            texts = [one.text for one in tests if not one.source]
            found[name] = [Row(f"control-{n}", "", False, one, ()) for n, one in enumerate(texts)]
    return found


def questions(rows: Sequence[Row]) -> Iterator[tuple[Row, Prompt]]:
    """Yield the question on each text."""
    terms = vocabulary(load(_NAME)).text()
    for row in rows:
        yield row, question_on(row.text, terms, _NAME)


def asked(data: Path, names: Sequence[str]) -> dict[str, Prompt]:
    """Return the questions of the sets by their keys."""
    every = sets(data, names).values()
    return {key(prompt)[:_KEY]: prompt for rows in every for _, prompt in questions(rows)}


# --- answers ----------------------------------------------------------------------------------


def keep(data: Path, folder: Path, names: Sequence[str]) -> None:
    """Keep the answers of a folder, each by the key of its question."""
    answers = read_replies(folder, asked(data, names))
    for name, rows in sets(data, names).items():
        told = []
        for row, prompt in questions(rows):
            if (own := key(prompt)[:_KEY]) in answers:
                kept = {"id": row.id, "key": own, "answer": packed(answers[own], SCHEMA)}
                told.append(json.dumps(kept, ensure_ascii=False, separators=(",", ":")))
        path = KEPT / f"{name}.jsonl"
        path.write_text("".join(f"{line}\n" for line in sorted(told)), "utf-8")
        print(f"{path}: {len(told)} answers")


class Assertions(StandIn):
    """Assertions that a language model gave once, in its place; nothing else has an answer."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.rows: dict[str, Any] = {}
        self.missing = 0
        for name in names:
            path = KEPT / f"{name}.jsonl"
            for line in path.read_text("utf-8").splitlines() if path.exists() else ():
                row = json.loads(line)
                self.rows[row["key"]] = row["answer"]

    def ask(self, prompt: Prompt) -> Any:
        """Return the recorded answer to a question; LLMError where there is none."""
        row = self.rows.get(key(prompt)[:_KEY])
        if prompt.job != "assertions" or row is None:
            self.missing += 1
            raise LLMError("no answer is recorded", "unreachable")
        return unpacked(row, prompt.schema)


@contextmanager
def answering(client: Assertions) -> Iterator[Config]:
    """Give a configuration whose checks are read by `client` in the place of a language model."""
    with patch.object(llm, "connect", lambda *_: client):
        yield Config(ontology=_NAME, llm=LLMConfig(model="recorded", jobs=("terms",)))


# --- figures ----------------------------------------------------------------------------------


def measured(data: Path, names: Sequence[str], *, show: bool) -> str:
    """Return the table of figures; `show` names the rows looked at that come out wrong."""
    lines = [
        "| texts | read by | faults found | innocents accused | texts lost by a control |",
        "|---|---|--:|--:|--:|",
    ]
    for name, rows in sets(data, names).items():
        if name == CONTROLS:
            continue
        lines.append(_line(name, ALONE, rows, Config(ontology=_NAME), show=False))
        client = Assertions(name, CONTROLS)
        with answering(client) as config:
            lines.append(_line(name, READ, rows, config, show=show and name != UNSEEN))
        print(f"{name}: {client.missing} questions without an answer")
    return "\n".join(lines)


def _line(name: str, by: str, rows: Sequence[Row], config: Config, *, show: bool) -> str:
    count = Counter[str]()
    for row in rows:
        report = api.check(row.text, config=config)
        right, loud = _judged(row, report)
        count["faulty" if row.faulty else "innocent"] += 1
        count["found" if row.faulty else "accused"] += right if row.faulty else not right
        count["lost"] += any(note.startswith(_DISTRUSTED) for note in report.run.notes)
        if show and not right:
            print(row.id, "FAULTY" if row.faulty else "innocent", [v.rule for v in loud], row.text)
    cells = [
        f"{count[a]} of {count[b]} ({count[a] / max(1, count[b]):.3f})"
        for a, b in (("found", "faulty"), ("accused", "innocent"))
    ]
    return f"| {name} | {by} | {' | '.join(cells)} | {count['lost']} |"


def _judged(row: Row, report: Report) -> tuple[bool, list[Violation]]:
    """Return whether a text is judged as it should be, and its errors and warnings."""
    loud = [v for v in report.violations if v.severity in (Severity.ERROR, Severity.WARNING)]
    if not row.faulty:
        return not loud, loud
    spots = [(at := row.text.find(words), at + len(words)) for words in row.words]
    spans = [v.claim.span for v in loud if v.claim is not None]
    return any(s.start < end and start < s.end for s in spans for start, end in spots), loud


def main() -> None:
    """Write the questions of the sets, keep answers, or check the sets with them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lawreadings", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--export", type=Path, help="folder for the questions")
    parser.add_argument(
        "--sets", nargs="+", default=[SEEN, MIXED, UNSEEN, CONTROLS], help="which sets"
    )
    parser.add_argument("--replies", type=Path, help="folder of answers that are to be kept")
    parser.add_argument("--show", action="store_true", help="name the rows that come out wrong")
    parser.add_argument("--write", type=Path, help="page for the figures")
    args = parser.parse_args()
    if args.export:
        write_questions(args.export, asked(args.data, args.sets))
    if args.replies:
        keep(args.data, args.replies, args.sets)
    if not (args.export or args.replies):
        table = measured(args.data, args.sets, show=args.show)
        print(table)
        if args.write:
            put_between(args.write, table, BEGIN, END)


if __name__ == "__main__":
    main()
