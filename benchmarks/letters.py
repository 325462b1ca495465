"""What a language model answered to the token reader's question, recorded once and asked again.

    python -m benchmarks.letters --data ../shared/data --ask FOLDER [--only SET …]
    python -m benchmarks.letters --take FOLDER …

The first writes what those who answer see: the instructions of the token reader, and files of
questions, each as the token reader asks it: passages, and statements with the controls among them.
No label and no name of a set stands in it, and no question whose statements are all on record. The
second adds their `answers-NN.jsonl`: for each number of a question the shares of A, B and C in
hundredths. A line of the record has a source, by the beginning of the SHA-256 of its text, and what
was answered of its statements. Controls are made of the passages and of what the rules leave open,
and change with them: one that was never asked is answered rightly, and counted (`untried`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.recorded import StandIn, digest
from groundrules.claims.models.controls import Control
from groundrules.claims.models.token_reader import (
    LETTERS,
    Handful,
    handfuls,
    question,
    token_reader,
    words_of,
)
from groundrules.config import Config
from groundrules.errors import LLMError
from groundrules.evaluate.licences import MEASURED, read_row
from groundrules.evaluate.rows import Row, read_each, read_rows
from groundrules.llm.prompt import Prompt, sum_of, write_messages
from groundrules.models.readers import Asked, Entailment, Reader

_HERE = Path(__file__).parent
RECORDED = _HERE / "readers/letters.jsonl"
#: The sets of the repository, and that of the data beside it.
PROSE = ("tuning", "tuning-2", "unseen", "unseen-2", "near", "near-2")
FIELD = "field/dev"
#: The sets in other languages, of each one that a licence is measured on, and another.
ABROAD = ("german", "german-2", "french", "french-2")
#: Pairs of a source and a statement, by what of the data beside the repository has them.
PAIRS = {"cases/sound": "sound.jsonl.gz", "cases/found": "found.jsonl"}

#: Words of a file of questions, at most on the average.
WORDS = 10_000
_HOW = """\
# What to do

You are a careful reader. Each line of `batch-NN.jsonl` is a JSON object `{{"id", "prompt"}}`. A
prompt is a question of its own: passages, and after them numbered statements. Answer every
statement of every prompt by reading it yourself: no script, no search for words, no rule of thumb
for the lot. Nothing but the prompt counts, not another prompt either.

The question, word for word, which comes before each prompt (MARK stands for twelve signs):

```
{system}
```

One thing is different here. In the place of each letter give how likely you hold each of the three
letters to be the right one, in whole per cent: three numbers [A, B, C] that sum to 100. They are
to be honest: of a hundred statements to which you give 80 to a letter, about eighty should be so.
Use the whole scale, any whole numbers, not a few favourite ones: 99 or 98 only where there is
nothing to doubt, less the more room you see for another reading, and where two letters are possible
say how the chances lie between them. Two statements of which you are not equally sure have
different numbers.

# Where answers go

Write `answers-NN.jsonl` beside `batch-NN.jsonl`, a JSON object a line, for each line of the
questions, in the form that the question asks for, with the three numbers where it has a letter:

`{{"id": "q017", "reply": {{"1": [97, 1, 2], "2": [3, 88, 9], "3": [14, 7, 79]}}}}`

The keys of `reply` are the numbers of all statements of that prompt, none left out, and where the
prompt asks at its end for sums, `"sum 7"` and the like besides, as it says.
"""


class Told(NamedTuple):
    """The shares of the letters in hundredths, and the sum of a figure where one was asked for."""

    shares: tuple[int, ...]
    sum: str | None = None


#: What was answered, by the digest of a source and the words of a statement.
Rows = dict[tuple[str, str], Told]


def sets(data: Path | None) -> dict[str, Path]:
    """Return the files of the sets that are there, by name."""
    found = {f"prose/{name}": _HERE / f"prose/{name}.jsonl" for name in PROSE}
    if data:
        found[FIELD] = data / "field/dev.jsonl.gz"
    return {name: path for name, path in found.items() if path.exists()}


def rows_of(path: Path) -> list[Row]:
    """Return the rows of a set, of a pair its source and its one statement."""
    if path.name not in PAIRS.values():
        return read_rows(path)

    def row(pair: Any, _: int) -> Row:
        label = int("supported" in (pair.get("label"), pair.get("want")))
        said = {"s": pair["statement"], "label": label}
        return Row(pair["id"], label, {**pair, "doc": pair["source"], "answer": [said]})

    return read_each(path, row)


class Letters(StandIn):
    """Recorded letters in the place of a language model, of which nothing else is asked.

    `source` is the digest of the source whose passages are shown, `known` the right answers to the
    controls by their words. `tried` and `untried` count the controls that the model was asked, and
    those that it was not; `missing` are the statements of which nothing is recorded, or no sum.
    """

    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self.rows = rows
        self.source = ""
        self.known: dict[str, str] = {}
        self.tried = self.untried = 0
        self.missing: set[tuple[str, str]] = set()

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[Any | LLMError, ...]:
        """Return the recorded shares by line, a reason in that of a statement without any."""
        return tuple(map(self._answer, prompts))

    def _answer(self, prompt: Prompt) -> dict[str, dict[str, float] | str]:
        lines = re.findall(r"^\[(\d+)\] (.*)$", dict(prompt.texts)["statements"], re.M)
        sums = {sum_of(n): self._sum(lines[n - 1][1]) for n in prompt.sums}
        return {number: self._said(words) for number, words in lines} | sums

    def _sum(self, words: str) -> str:
        found = self.rows.get((self.source, words))
        if found is None or found.sum is None:
            self.missing.add((self.source, words))
            return ""
        return found.sum

    def _said(self, words: str) -> dict[str, float] | str:
        found = self.rows.get((self.source, words))
        control = self.known.get(words)
        if control:
            self.tried += found is not None
            self.untried += found is None
        if found is None and control:
            return {letter: float(kind == control) for letter, kind in LETTERS.items()}
        if found is None:
            self.missing.add((self.source, words))
            return "no answer is recorded"
        return dict(zip(LETTERS, (one / 100 for one in found.shares), strict=True))


def recorded_reader(client: Letters) -> Reader:
    """Return the token reader that asks a record, told beforehand which statements are controls."""
    reader = token_reader(client)

    def read_all(asked: Sequence[Asked]) -> Sequence[Entailment | str]:
        client.known = {
            said(one): one.kind
            for handful in (*handfuls(asked), *handfuls(asked, 1))
            for one in handful.told
            if isinstance(one, Control)
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
            sums = row.get("sums", {})
            for words, shares in row["letters"].items():
                found[row["source"], words] = Told(tuple(shares), sums.get(words))
    return found


def write(rows: Rows, path: Path = RECORDED) -> None:
    """Write what is recorded, a line a source."""
    by_source: dict[str, dict[str, Any]] = {}
    for (source, statement), told in sorted(rows.items()):
        row = by_source.setdefault(source, {"source": source, "letters": {}})
        row["letters"][statement] = told.shares
        if told.sum is not None:
            row.setdefault("sums", {})[statement] = told.sum
    lines = [json.dumps(row, ensure_ascii=False) for row in by_source.values()]
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def questions(row: Row, config: Config) -> list[Handful]:
    """Return what a reader is asked about an answer, of which the rules leave open a part."""
    kept: list[Handful] = []

    def keep(asked: Sequence[Asked]) -> list[Entailment | str]:
        some = [*handfuls(asked)]
        told = {one for handful in some for one in handful.told}
        # a passage of which no controls are made today may have some tomorrow
        alone = [Handful(one.passages, (one,)) for one in asked if one not in told]
        kept.extend(some + alone)
        return [""] * len(asked)

    shape = token_reader(StandIn())
    read_row(row, Reader("asked", keep, {}, "", shape.words, shape.together), config)
    return kept


def ask(files: Mapping[str, Path], folder: Path) -> None:
    """Write the questions in so many files, and which line of which is about what.

    Questions of all sets are mixed, and neither their order nor their names tell of a set or a
    label.
    """
    folder.mkdir(parents=True, exist_ok=True)
    asked: dict[tuple[str, Handful], None] = {}
    known = load()
    for name, path in files.items():
        for row in rows_of(path):
            source = digest(row.fields["doc"])
            asked |= {
                (source, one): None
                for one in questions(row, Config())
                if not all(_is_known(known.get((source, said(o))), o) for o in one.told)
            }
        print(f"{name}: {len(asked)} questions so far", file=sys.stderr, flush=True)
    order = sorted(asked, key=lambda one: hashlib.sha256(repr(one).encode()).hexdigest())
    prompts = [write_messages(question(one), b"")[1]["content"] for _, one in order]
    about = {
        f"q{n:03}": (source, [*map(said, one.told)], question(one).sums)
        for n, (source, one) in enumerate(order, 1)
    }
    words = [len(prompt.split()) for prompt in prompts]
    size = sum(words) / math.ceil(sum(words) / WORDS)
    lines: dict[int, list[str]] = {}
    for n, prompt in enumerate(prompts, 1):
        line = json.dumps({"id": f"q{n:03}", "prompt": prompt}, ensure_ascii=False)
        lines.setdefault(int(sum(words[: n - 1]) / size) + 1, []).append(f"{line}\n")
    for n, own in lines.items():
        (folder / f"batch-{n:02}.jsonl").write_text("".join(own), "utf-8")
    system = write_messages(question(order[0][1]), b"")[0]["content"]
    mark = re.search(r"<<<(\w+) …>>>", system)
    assert mark
    told_how = _HOW.format(system=system.replace(mark[1], "MARK"))
    (folder / "INSTRUCTIONS.md").write_text(told_how, "utf-8")
    # beside the folder, for those who answer see that
    folder.with_suffix(".json").write_text(json.dumps(about, ensure_ascii=False), "utf-8")
    print(f"{len(prompts)} questions, {sum(words):,} words", file=sys.stderr)


def _is_known(told: Told | None, one: Asked | Control) -> bool:
    """Return whether the record has what is asked of a statement; of a control it need not."""
    if isinstance(one, Control):
        return True
    return told is not None and (told.sum is not None or not one.unstated)


def take(folder: Path) -> Rows:
    """Return what is recorded, of the answers to written questions.

    A control may have been asked twice, in two questions about a source: what is less sure stands.
    """
    about: dict[str, tuple[str, list[str], list[int]]]
    about = json.loads(folder.with_suffix(".json").read_text("utf-8"))
    found: Rows = {}
    answered = set()
    for path in sorted(folder.glob("answers-*.jsonl")):
        for line in filter(str.strip, path.read_text("utf-8").split("\n")):
            row = json.loads(line)
            name, reply = row["id"], row["reply"]
            source, told, asked = about.get(name, ("", [], []))
            numbers = [str(n) for n in range(1, len(told) + 1)]
            sums = {n: str(reply.pop(sum_of(n))) for n in asked if sum_of(n) in reply}
            shares = [tuple(map(int, reply[n])) for n in numbers if n in reply]
            whole = len(shares) == len(reply) == len(told) and len(sums) == len(asked)
            whole = whole and all(map(_whole, shares))
            if name in answered or not whole:
                raise SystemExit(f"{path.name}: {name} is no answer, or a second one")
            answered.add(name)
            for n, (words, share) in enumerate(zip(told, shares, strict=True), 1):
                one = Told(share, sums.get(n))
                kept = found.get((source, words), one)
                found[source, words] = min(kept, one, key=lambda told: max(told.shares))
    print(f"{len(answered)} of {len(about)} questions are answered", file=sys.stderr)
    return found


def _whole(shares: tuple[int, ...]) -> bool:
    return len(shares) == len(LETTERS) and sum(shares) == 100 and min(shares) >= 0


def said(one: Asked | Control) -> str:
    """Return the words of a statement or of a control, blanks as they are read."""
    return " ".join(words_of(one).split())


def main() -> None:
    """Write questions, or take their answers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of the sets that are not here")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--ask", type=Path, help="folder to write questions into")
    what.add_argument("--take", type=Path, nargs="+", help="folders of questions that are answered")
    parser.add_argument("--only", nargs="+", help="sets that are asked about, all by default")
    arguments = parser.parse_args()
    if arguments.ask:
        files = sets(arguments.data) | {"measured": MEASURED}
        files |= {f"prose/{name}": _HERE / f"prose/{name}.jsonl" for name in ABROAD}
        if arguments.data:
            files |= {n: arguments.data / "cases" / file for n, file in PAIRS.items()}
        ask({n: files[n] for n in arguments.only or files}, arguments.ask)
    else:
        taken = (take(folder) for folder in arguments.take)
        write(load() | {key: one for some in taken for key, one in some.items()})


if __name__ == "__main__":
    main()
