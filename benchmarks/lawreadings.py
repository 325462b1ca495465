"""What a language model reads of legal texts in the terms of the ontology, and what comes of it.

    python -m benchmarks.lawreadings --data ../shared/data --export FOLDER
    python -m benchmarks.lawreadings --data ../shared/data --replies FOLDER
    python -m benchmarks.lawreadings --data ../shared/data [--show] [--write PAGE]

The first writes `instructions.md` and the questions of the sets, mixed by a fixed seed, one JSON a
line: {"id", "prompt"}, with a number for an id. Whoever records an answer sees nothing else and
writes {"id", "reply"} into answers-*.jsonl. The second keeps these answers in
benchmarks/lawreadings, each under the key of its question, which its text makes. The third checks
the sets with the answers in the place of a model. `cases/legal_faults` and `mixed` were looked at
with their answers; of `free`, in benchmarks/lawfaults, no answer was read and no row but the twelve
of which that module tells.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.lawfaults import Row
from benchmarks.lawfaults import rows as rows_of
from benchmarks.marks import put_between
from benchmarks.recorded import StandIn, packed, unpacked
from groundrules import api
from groundrules.claims.llm_terms import SCHEMA, question_on
from groundrules.config import Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.llm import client as llm
from groundrules.llm.prompt import Prompt, key, write_messages
from groundrules.llm.structured import MalformedError, read_answer, validator
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
#: The marks around texts are drawn from this, so that the questions are the same in each run.
_MARKS, _SEED = b"lawreadings", 34

_HEAD = """\
# A reading task

Below is the system prompt, word for word, with the vocabulary that every prompt shows and that is
left out of the prompts here. Answer each question of questions-K.jsonl by itself, reading it with
care and seeing no other text than it, and write the answers into answers-K.jsonl: one JSON a line,
{{"id": the id of the question, "reply": the JSON object asked for}}. Write them by reading, never
by program.

## System prompt

{system}

## The text "vocabulary" of every prompt

{terms}
"""


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


def _mixed(data: Path, names: Sequence[str]) -> list[tuple[str, Row, Prompt]]:
    """Return the questions of sets in an order that tells nothing."""
    found = sets(data, names)
    asked = [(name, row, prompt) for name in found for row, prompt in questions(found[name])]
    random.Random(_SEED).shuffle(asked)
    return asked


def export(data: Path, folder: Path, names: Sequence[str], parts: int) -> None:
    """Write the instructions, and the questions of the sets in so many files."""
    asked = [prompt for _, _, prompt in _mixed(data, names)]
    folder.mkdir(parents=True, exist_ok=True)
    system, user = (m["content"] for m in write_messages(asked[0], _MARKS))
    mark = user.partition(" ")[0].removeprefix("<<<")
    terms = asked[0].texts[0][1]
    told = _HEAD.format(system=system.replace(mark, "MARK"), terms=terms)
    (folder / "instructions.md").write_text(told, "utf-8")
    lines = []
    for number, prompt in enumerate(asked):
        shown = f'<<<MARK "text">>>\n{prompt.texts[1][1]}\n<<<end MARK>>>'
        lines.append(json.dumps({"id": f"q{number:03}", "prompt": shown}, ensure_ascii=False))
    for part in range(parts):
        path = folder / f"questions-{part + 1}.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines[part::parts]), "utf-8")
    print(f"{folder}: {len(lines)} questions in {parts} files")


# --- answers ----------------------------------------------------------------------------------


def keep(data: Path, folder: Path, names: Sequence[str]) -> None:
    """Keep the answers of a folder, each by the key of its question; what is no answer is named."""
    asked = _mixed(data, names)
    replies: dict[str, Any] = {}
    for path in sorted(folder.glob("answers-*.jsonl")):
        for line in filter(str.strip, path.read_text("utf-8").splitlines()):
            row = json.loads(line)
            replies[row["id"]] = row["reply"]
    lines: dict[str, list[str]] = {name: [] for name in names}
    for number, (name, row, prompt) in enumerate(asked):
        reply = replies.get(f"q{number:03}")
        text = reply if isinstance(reply, str) or reply is None else json.dumps(reply)
        try:
            answer, _ = read_answer(text or "", validator(prompt.schema))
        except MalformedError as error:
            print(f"q{number:03} has no answer: {error}")
            continue
        kept = {"id": row.id, "key": key(prompt)[:_KEY], "answer": packed(answer, SCHEMA)}
        lines[name].append(json.dumps(kept, ensure_ascii=False, separators=(",", ":")))
    KEPT.mkdir(exist_ok=True)
    for name, told in lines.items():
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
    parser.add_argument("--parts", type=int, default=4, help="files of questions")
    parser.add_argument("--replies", type=Path, help="folder of answers that are to be kept")
    parser.add_argument("--show", action="store_true", help="name the rows that come out wrong")
    parser.add_argument("--write", type=Path, help="page for the figures")
    args = parser.parse_args()
    if args.export:
        export(args.data, args.export, args.sets, args.parts)
    if args.replies:
        keep(args.data, args.replies, args.sets)
    if not (args.export or args.replies):
        table = measured(args.data, args.sets, show=args.show)
        print(table)
        if args.write:
            put_between(args.write, table, BEGIN, END)


if __name__ == "__main__":
    main()
