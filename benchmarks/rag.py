"""What `guard` does in a loop of question, answer, check and one more answer, as tables.

    python -m benchmarks.rag --data ../shared/data [--all] [--seed N]
                             [--write benchmarks/reports/guard.md]

The generator is recorded: it gives the wrong or the right answer of the data, and where it is
asked again either the other one or the same. Of legal/contract_qa an answer is one statement about
a contract, wrong in one place or right, and the source is what the data gives of the contract. Of
field/dev an answer is a text of a document, without its wrong sentences (right), with all of them
(several wrong), or with one of them (one wrong).

An answer is stopped where `guard` does not say "pass", and passed where it does. The intervals are
95 % bootstrap intervals over documents; where all answers agree, one bound is that of the rule of
three over documents. Nothing here was fitted, and nothing in the package may be fitted on it.
A sample, the same for the same seed, is taken unless `--all` is given.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.marks import put_between
from groundrules import Guarded, Policy, Report, api, guard
from groundrules.claims.documents.document import Document
from groundrules.evaluate.documents import FIGURES

ROOT = Path(__file__).parents[1]
BEGIN = "<!-- rag: written by python -m benchmarks.rag -->"
END = "<!-- end of rag -->"
#: What is measured side by side; the first is what ships.
DEFAULT = "default"
READ_ONLY = '`unread="pass"`'
POLICIES = {
    DEFAULT: Policy(),
    READ_ONLY: Policy(unread="pass"),
    '`unsettled="pass"`': Policy(unsettled="pass"),
    '`doubted="pass"`': Policy(doubted="pass"),
    '`unsupported="retrieve_again"`': Policy(unsupported="retrieve_again"),
    "`fidelity=0.7`": Policy(fidelity=0.7),
}
#: The error of an answer with several.
SEVERAL = "several"
DECISIONS = ("pass", "fix", "retrieve_again", "review")
_RESAMPLES = 1000
_QUESTIONS = 300  # of contract_qa in a sample


@dataclass(frozen=True)
class Question:
    """A source, and a wrong and a right answer to one question about it."""

    part: str
    document: str
    source: str
    text: str
    wrong: str
    right: str
    error: str


@dataclass(frozen=True)
class Ran:
    """What came of a question under a policy, by the answers that were given in turn."""

    question: Question
    wrong: Guarded
    right: Guarded
    mends: Guarded
    worsens: Guarded
    fixed: Guarded


def contracts(path: Path, take: int | None, rng: random.Random) -> list[Question]:
    """Return the pairs of contract_qa, or so many of them."""
    by_id = {row["id"]: row for row in _rows(path)}
    found = []
    for name, wrong in by_id.items():
        if wrong["label"]:
            continue
        right = by_id[name.removesuffix("-f") + "-t"]
        found.append(
            Question("contract_qa", wrong["doc_id"], wrong["doc"], "", wrong["claim"],
                     right["claim"], wrong["error"].replace("_", " "))
        )  # fmt: skip
    return found if take is None else rng.sample(found, min(take, len(found)))


def documents(path: Path, take: int | None, rng: random.Random) -> Iterator[Question]:
    """Yield the questions of field/dev: with all wrong sentences, and with one each.

    `take` is how many answers with one wrong sentence a document gives.
    """
    for row in _rows(path):
        answer = row["answer"]
        wrong = [one for one in answer if not one["label"]]
        right = _joined([one for one in answer if one["label"]])

        def ask(part: str, text: str, error: str, row: Any = row, right: str = right) -> Question:
            return Question(part, row["id"], row["doc"], row["question"], text, right, error)

        yield ask("field/dev, several wrong", _joined(answer), SEVERAL)
        for chosen in wrong if take is None else rng.sample(wrong, min(take, len(wrong))):
            text = _joined([one for one in answer if one["label"] or one is chosen])
            kind = "figures and logic" if chosen["error"] in FIGURES else "others"
            yield ask("field/dev, one wrong", text, kind)


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _joined(sentences: Sequence[dict[str, Any]]) -> str:
    """Return an answer: bullets on lines of their own, other sentences after a blank."""
    text = ""
    for one in sentences:
        text += ("\n" if one["s"].startswith("- ") else " ") + one["s"]
    return text.strip()


class Checks:
    """`api.check`, once for each text and source, and the seconds of each."""

    def __init__(self) -> None:
        self._check = api.check
        self._kept: dict[tuple[str, str, str], Report] = {}
        self.seconds: dict[str, list[float]] = {}
        self.part = ""

    def __call__(self, document: Document, **given: Any) -> Report:
        """Return the report of a text."""
        key = (document.text, given["context"][0], given["question"])
        if key not in self._kept:
            start = time.perf_counter()
            self._kept[key] = self._check(document, **given)
            self.seconds.setdefault(self.part, []).append(time.perf_counter() - start)
        return self._kept[key]


def scripted(*answers: str) -> Callable[[str], str]:
    """Return a generator that gives answers in turn."""
    told = iter(answers)
    return lambda _: next(told)


def run(question: Question, policy: Policy) -> Ran:
    """Return what `guard` makes of each recorded generator."""

    def guarded(policy: Policy, *answers: str) -> Guarded:
        source = question.source
        return guard(
            scripted(*answers), question.text, context=[source], policy=policy,
            question=question.text,
        )  # fmt: skip

    again = replace(policy, on_fail="reask")
    wrong, right = question.wrong, question.right
    return Ran(
        question,
        guarded(policy, wrong),
        guarded(policy, right),
        guarded(again, wrong, right),
        guarded(again, right, wrong),
        guarded(replace(policy, on_fail="fix"), wrong),
    )


def share(ran: Sequence[Ran], holds: Callable[[Ran], bool], seed: int) -> str:
    """Return the share of questions of which something holds, with its interval."""
    by_document: dict[str, list[bool]] = {}
    for one in ran:
        by_document.setdefault(one.question.document, []).append(holds(one))
    groups = list(by_document.values())
    found = sum(map(sum, groups)) / len(ran)
    bound = min(1.0, 3 / len(groups))
    if found in (0, 1):
        low, high = (0.0, bound) if found == 0 else (1 - bound, 1.0)
    else:
        rng, drawn = random.Random(seed), []
        for _ in range(_RESAMPLES):
            some = rng.choices(groups, k=len(groups))
            drawn.append(sum(map(sum, some)) / sum(map(len, some)))
        drawn.sort()
        low, high = drawn[round(0.025 * _RESAMPLES)], drawn[round(0.975 * _RESAMPLES) - 1]
    return f"{found:.3f} ({low:.2f} to {high:.2f})"


def passed(found: Guarded, text: str) -> bool:
    """Return whether a text is what passed."""
    return found.passes and found.text == text


def loop_table(ran: dict[str, list[Ran]], seed: int) -> Iterator[str]:
    """Yield the shares before and after one more answer, by set and policy."""
    yield (
        "| set | questions | policy | wrong answers stopped | right answers passed "
        "| wrong, then right: the right one passed | … the wrong one passed "
        "| right, then wrong: the right one passed | … the wrong one passed |"
    )
    yield "|---|--:|---|" + "--:|" * 6
    parts = dict.fromkeys(one.question.part for one in ran[DEFAULT])
    for part in parts:
        for name, all_ran in ran.items():
            some = [one for one in all_ran if one.question.part == part]
            cells = (
                part if name == DEFAULT else "",
                str(len(some)) if name == DEFAULT else "",
                name,
                share(some, lambda one: not one.wrong.passes, seed),
                share(some, lambda one: one.right.passes, seed),
                share(some, lambda one: passed(one.mends, one.question.right), seed),
                share(some, lambda one: passed(one.mends, one.question.wrong), seed),
                share(some, lambda one: passed(one.worsens, one.question.right), seed),
                share(some, lambda one: passed(one.worsens, one.question.wrong), seed),
            )
            yield f"| {' | '.join(cells)} |"


def decision_table(ran: dict[str, list[Ran]], seconds: dict[str, list[float]]) -> Iterator[str]:
    """Yield what the default policy decides, what of it for unread words alone, and the cost."""
    yield (
        "| set | answers | pass | fix | retrieve_again | review | stopped only as not read "
        "| edited into the right answer | seconds a check, median | 95 % |"
    )
    yield "|---|---|" + "--:|" * 8
    pairs = list(zip(ran[DEFAULT], ran[READ_ONLY], strict=True))
    for part in dict.fromkeys(one.question.part for one, _ in pairs):
        some = [pair for pair in pairs if pair[0].question.part == part]
        once = {(one.question.document, one.question.right): (one, other) for one, other in some}
        edited = sum(
            not one.wrong.passes and _words(one.fixed.text) == _words(one.question.right)
            for one, _ in some
        )
        times = sorted(seconds[part])
        cost = [f"{statistics.median(times):.2f}", f"{times[int(0.95 * len(times))]:.2f}"]
        for side, found, more in (
            ("wrong", [(one.wrong, other.wrong) for one, other in some], [str(edited), *cost]),
            ("right", [(one.right, other.right) for one, other in once.values()], [""] * 3),
        ):
            counts = Counter(str(one.decision) for one, _ in found)
            unread = sum(other.passes and not one.passes for one, other in found)
            cells = (
                part if side == "wrong" else "",
                f"{len(found)} {side}",
                *(str(counts[name]) for name in DECISIONS),
                str(unread),
                *more,
            )
            yield f"| {' | '.join(cells)} |"


def _words(text: str) -> list[str]:
    return text.split()


def error_table(ran: Sequence[Ran], seed: int) -> Iterator[str]:
    """Yield by kind of error how many wrong answers are stopped, by the default policy."""
    yield "| set | error | questions | wrong answers stopped | right answers passed |"
    yield "|---|---|--:|--:|--:|"
    kinds: dict[tuple[str, str], list[Ran]] = {}
    for one in ran:
        kinds.setdefault((one.question.part, one.question.error), []).append(one)
    for (part, error), some in kinds.items():
        if error != SEVERAL:
            stopped = share(some, lambda one: not one.wrong.passes, seed)
            kept = share(some, lambda one: one.right.passes, seed)
            yield f"| {part} | {error} | {len(some)} | {stopped} | {kept} |"


def measure(questions: Sequence[Question]) -> tuple[dict[str, list[Ran]], dict[str, list[float]]]:
    """Return what came of the questions, by policy, and the seconds of the checks by set."""
    ran: dict[str, list[Ran]] = {name: [] for name in POLICIES}
    seconds: dict[str, list[float]] = {}
    guard("The lift is new.", context="The lift is new.")  # what is loaded once
    for question in questions:
        checks = Checks()
        checks.part = question.part
        with patch("groundrules.api.check", checks):
            for name, policy in POLICIES.items():
                ran[name].append(run(question, policy))
        for part, some in checks.seconds.items():
            seconds.setdefault(part, []).extend(some)
    return ran, seconds


def main() -> None:
    """Measure, print the tables, and write them into the page if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--all", action="store_true", help="every question, not a sample")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    options = parser.parse_args()
    os.environ["GROUNDRULES_CACHE"] = "off"  # or the seconds would be those of a second run
    rng = random.Random(options.seed)
    questions = [
        *contracts(
            options.data / "legal/contract_qa.jsonl.gz", None if options.all else _QUESTIONS, rng
        ),
        *documents(options.data / "field/dev.jsonl.gz", None if options.all else 1, rng),
    ]
    ran, seconds = measure(questions)
    default = ran[DEFAULT]
    tables = "\n".join(
        (
            *loop_table(ran, options.seed),
            "",
            "At the default policy:",
            "",
            *decision_table(ran, seconds),
            "",
            *error_table(default, options.seed),
        )
    )
    print(tables)
    if options.write:
        from benchmarks.__main__ import describe_machine

        what = "every question" if options.all else f"a sample, seed {options.seed}"
        said = f"{describe_machine()}; {time.strftime('%Y-%m-%d')}; {what}."
        put_between(options.write, f"{said}\n\n{tables}", BEGIN, END)


if __name__ == "__main__":
    main()
