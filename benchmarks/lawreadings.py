"""What a language model reads of legal texts in the terms of the ontology, and what comes of it.

    python -m benchmarks.lawreadings --data ../shared/data --export FOLDER
    python -m benchmarks.lawreadings --data ../shared/data --replies FOLDER
    python -m benchmarks.lawreadings --data ../shared/data [--show] [--write docs/llm.md]

The first writes `instructions.md` and the questions of the sets, mixed by a fixed seed, one JSON a
line: {"id", "prompt"}, with a number for an id. Whoever records an answer sees nothing else and
writes {"id", "reply"} into answers-*.jsonl. The second keeps these answers in
benchmarks/lawreadings, each under the key of its question, which its text makes. The third checks
the sets with the answers in the place of a model. `cases/legal_faults` was looked at with its
answers; of `free`, in benchmarks/lawfaults, no answer was read and no row but the twelve of which
that module tells.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.lawfaults import Row
from benchmarks.lawfaults import rows as rows_of
from groundrules.claims.llm_assertions import question_on
from groundrules.llm.prompt import Prompt, write_messages
from groundrules.ontology.load import load
from groundrules.ontology.read.lexicon import read_lexicon
from groundrules.ontology.vocabulary import vocabulary

#: The ontology in force, and where the answers are kept.
_NAME, KEPT = "legal", Path(__file__).parent / "lawreadings"
SEEN, UNSEEN, CONTROLS = "legal_faults", "free", "controls"
#: The marks around texts are drawn from this, so that the questions are the same in each run.
_MARKS, _SEED = b"lawreadings", 34

_HEAD = """\
# A reading task

Below is the system prompt, word for word, with the vocabulary that every prompt shows and that is
left out of the prompts here. Answer each question of questions-K.jsonl by itself, reading it with
care and seeing no other text than it, and write the answers into answers-K.jsonl: one JSON a line,
{{"id": the id of the question, "reply": the JSON object asked for}}. Write them by reading, never by
program.

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
        elif name == UNSEEN:
            found[name] = [*rows_of(UNSEEN)]
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


def export(data: Path, folder: Path, names: Sequence[str], parts: int) -> None:
    """Write the instructions, and the questions of the sets in so many files."""
    asked = [one for rows in sets(data, names).values() for one in questions(rows)]
    random.Random(_SEED).shuffle(asked)
    folder.mkdir(parents=True, exist_ok=True)
    system, user = (m["content"] for m in write_messages(asked[0][1], _MARKS))
    mark = user.partition(" ")[0].removeprefix("<<<")
    terms = asked[0][1].texts[0][1]
    told = _HEAD.format(system=system.replace(mark, "MARK"), terms=terms)
    (folder / "instructions.md").write_text(told, "utf-8")
    lines = []
    for number, (_, prompt) in enumerate(asked):
        shown = f'<<<MARK "text">>>\n{prompt.texts[1][1]}\n<<<end MARK>>>'
        lines.append(json.dumps({"id": f"q{number:03}", "prompt": shown}, ensure_ascii=False))
    for part in range(parts):
        path = folder / f"questions-{part + 1}.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines[part::parts]), "utf-8")
    print(f"{folder}: {len(lines)} questions in {parts} files")


def main() -> None:
    """Write the questions of the sets, keep answers, or check the sets with them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lawreadings", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--export", type=Path, help="folder for the questions")
    parser.add_argument("--sets", nargs="+", default=[SEEN, UNSEEN, CONTROLS], help="which sets")
    parser.add_argument("--parts", type=int, default=4, help="files of questions")
    args = parser.parse_args()
    if args.export:
        export(args.data, args.export, args.sets, args.parts)


if __name__ == "__main__":
    main()
