"""What a language model answered to the token reader's question, recorded once and asked again.

    python -m benchmarks.letters --data ../shared/data --ask FOLDER   # a file a source
    python -m benchmarks.letters --data ../shared/data --ask FOLDER --take   # FOLDER/answers*.txt

A file of questions has the instructions of the token reader, the passages of a source, and beside
them its statements with the controls among them, in an order drawn by their words. No label stands
in it. A line of answers names the question and gives the shares of A, B and C in hundredths:
"p07.12 97 1 2". A line of the record has a source, by the beginning of the SHA-256 of its text, and
what was answered of its statements. Controls are made of the passages and of what the rules leave
open, and change with them: one that was never asked is answered rightly, and counted (`untried`).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.recorded import StandIn, digest
from groundrules.align.weighing import indexed, readings
from groundrules.checks.clock import Clock
from groundrules.checks.documents import compare, read
from groundrules.checks.plan import make_plan
from groundrules.checks.report import left_open
from groundrules.claims.controls import controls
from groundrules.claims.document import from_text
from groundrules.claims.token_reader import LETTERS, question, token_reader
from groundrules.config import Config
from groundrules.errors import LLMError
from groundrules.evaluate.documents import join, read_rows
from groundrules.evaluate.rows import Row
from groundrules.llm.prompt import Prompt, write_messages
from groundrules.models.readers import Asked, Entailment, Reader

_HERE = Path(__file__).parent
RECORDED = _HERE / "readers/letters.jsonl"
#: The sets of the repository, and that of the data beside it.
PROSE = ("tuning", "tuning-2", "unseen", "unseen-2", "near", "near-2")
FIELD = "field/dev"

#: The shares of the letters in hundredths, by the digest of a source and the words of a statement.
Rows = dict[tuple[str, str], tuple[int, ...]]


def sets(data: Path | None) -> dict[str, Path]:
    """Return the files of the sets that are there, by name."""
    found = {f"prose/{name}": _HERE / f"prose/{name}.jsonl" for name in PROSE}
    if data:
        found[FIELD] = data / "field/dev.jsonl.gz"
    return {name: path for name, path in found.items() if path.exists()}


class Letters(StandIn):
    """Recorded letters in the place of a language model, of which nothing else is asked.

    `source` is the digest of the source whose passages are shown; `tried` and `untried` count the
    controls that the model was asked, and those that it was not.
    """

    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self.rows = rows
        self.source = ""
        self.known: dict[str, str] = {}
        self.tried = self.untried = self.missing = 0

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[Any | LLMError, ...]:
        """Return the recorded shares, LLMError for a statement of which none are recorded."""
        return tuple(map(self._said, prompts))

    def _said(self, prompt: Prompt) -> Any | LLMError:
        statement = dict(prompt.texts)["statement"]
        found = self.rows.get((self.source, _plain(statement)))
        control = self.known.get(statement)
        if control:
            self.tried += found is not None
            self.untried += found is None
        if found is None and control:
            return {letter: float(kind == control) for letter, kind in LETTERS.items()}
        if found is None:
            self.missing += 1
            return LLMError("no answer is recorded", "unreachable")
        return dict(zip(LETTERS, (one / 100 for one in found), strict=True))


def recorded_reader(client: Letters) -> Reader:
    """Return the token reader that asks a record, told beforehand which statements are controls."""
    reader = token_reader(client)

    def read_all(asked: Sequence[Asked]) -> Sequence[Entailment | str]:
        beside: dict[tuple[str, ...], list[str]] = {}
        for one in asked:
            beside.setdefault(one.passages, []).append(one.statement)
        client.known = {
            control.text: control.kind
            for passages, said in beside.items()
            for control in controls(passages, said)
        }
        return reader.read(asked)

    return Reader("a recorded language model", read_all, {}, reader.question, reader.words,
                  reader.together)  # fmt: skip


def load(path: Path = RECORDED) -> Rows:
    """Return what is recorded."""
    found: Rows = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            for statement, shares in row["letters"].items():
                found[row["source"], statement] = tuple(shares)
    return found


def write(rows: Rows, path: Path = RECORDED) -> None:
    """Write what is recorded, a line a source."""
    by_source: dict[str, dict[str, tuple[int, ...]]] = {}
    for (source, statement), shares in sorted(rows.items()):
        by_source.setdefault(source, {})[statement] = shares
    lines = [
        json.dumps({"source": source, "letters": letters}, ensure_ascii=False)
        for source, letters in by_source.items()
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def questions(row: Row, config: Config) -> list[Asked]:
    """Return what a reader may be asked about an answer: its statements and the controls."""
    text, _ = join(item["s"] for item in row.fields["answer"])
    document, context = from_text(text, "answer"), from_text(row.fields["doc"], "doc")
    plan = make_plan(document, [context], config, now=datetime.now(UTC))
    statements = compare(read(document, plan, Clock()), plan, Clock()).statements
    open_to = {one.number for one in left_open(document, plan, Clock())}
    kept: list[Asked] = []

    def keep(asked: Sequence[Asked]) -> list[Entailment | str]:
        kept.extend(asked)
        return [""] * len(asked)

    shape = token_reader(StandIn())
    reader = Reader("asked", keep, {}, shape.question, shape.words, shape.together)
    index = indexed((context.text,))
    readings([one for one in statements if one.number in open_to], index, reader)
    beside: dict[tuple[str, ...], list[str]] = {}
    for one in kept:
        beside.setdefault(one.passages, []).append(one.statement)
    made = [Asked(o.text, shown) for shown, said in beside.items() for o in controls(shown, said)]
    readings([one for one in statements if one.number not in open_to], index, reader)
    return list(dict.fromkeys([*kept, *made]))


def ask(data: Path | None, folder: Path, known: Rows) -> None:
    """Write a file of questions for each source, and which question is about what."""
    folder.mkdir(parents=True, exist_ok=True)
    about: dict[str, tuple[str, str]] = {}
    count = 0
    for name, path in sets(data).items():
        for row in read_rows(path):
            source = digest(row.fields["doc"])
            asked = [o for o in questions(row, Config())
                     if (source, _plain(o.statement)) not in known]  # fmt: skip
            by_passages: dict[tuple[str, ...], list[Asked]] = {}
            for one in asked:
                by_passages.setdefault(one.passages, []).append(one)
            for own in by_passages.values():
                count += 1
                random.Random(f"{source} {len(own)}").shuffle(own)
                told = [f"p{count:03}.{n} {_plain(o.statement)}" for n, o in enumerate(own, 1)]
                head, shown = (part["content"] for part in write_messages(question(own[0])))
                shown = shown.partition('"statement">>>')[0].rpartition("<<<")[0]
                text = "\n".join([head, "", shown, "Statements:", *told, ""])
                (folder / f"p{count:03}.txt").write_text(text, "utf-8")
                for n, one in enumerate(own, 1):
                    about[f"p{count:03}.{n}"] = source, _plain(one.statement)
        print(f"{name}: {count} files, {len(about)} questions so far", file=sys.stderr, flush=True)
    (folder / "about.json").write_text(json.dumps(about, ensure_ascii=False), "utf-8")


def take(folder: Path, known: Rows) -> Rows:
    """Return what is recorded, with the answers to written questions."""
    about: Mapping[str, tuple[str, str]] = json.loads((folder / "about.json").read_text("utf-8"))
    found = dict(known)
    answered = set()
    for path in sorted(folder.glob("answers*.txt")):
        for line in path.read_text("utf-8").split("\n"):
            if not line.strip():
                continue
            name, *shares = line.split()
            numbers = tuple(map(int, shares))
            if len(numbers) != len(LETTERS) or sum(numbers) != 100 or name in answered:
                raise SystemExit(f"{path.name}: {line!r} is no answer, or a second one")
            answered.add(name)
            source, statement = about[name]
            found[source, statement] = numbers
    print(f"{len(answered)} of {len(about)} questions are answered", file=sys.stderr)
    return found


def _plain(words: str) -> str:
    return " ".join(words.split())


def main() -> None:
    """Write questions, or take their answers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, help="folder of the sets that are not in the repository"
    )
    parser.add_argument("--ask", type=Path, required=True, help="folder of the questions")
    parser.add_argument("--take", action="store_true", help="add their answers to the record")
    arguments = parser.parse_args()
    if arguments.take:
        write(take(arguments.ask, load()))
    else:
        ask(arguments.data, arguments.ask, load())


if __name__ == "__main__":
    main()
