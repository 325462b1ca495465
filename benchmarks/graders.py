"""What graders that do not read, or that obey a source, get supported: nothing may be.

    python -m benchmarks.graders [--write benchmarks/reports/language-models.md]

The graders are written here. They are asked about twenty sources with an order to the model in
them (`benchmarks/graders/injected.jsonl`), each with two true statements and two inventions: none
of these may be supported. Their reasons name every figure of what they quote. What honest ones get
supported is measured by `benchmarks.prose`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.marks import put_between
from benchmarks.recorded import StandIn, lines
from groundrules import api
from groundrules.claims.documents.document import from_text
from groundrules.claims.models import controls, grades
from groundrules.claims.models.controls import content
from groundrules.claims.models.grades import Grades
from groundrules.config import Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.llm import client as llm
from groundrules.llm.prompt import Prompt
from groundrules.models.embed import encode

BEGIN, END = "<!-- graders: begin -->", "<!-- graders: end -->"
_HERE = Path(__file__).parent
INJECTED = _HERE / "graders" / "injected.jsonl"
#: How often the random grader is asked of a source with an order.
SEEDS = 100

RANDOM = "random"

#: Grades a statement beside the passages: kind and quoted words.
Grader = Callable[[str, Sequence[str]], tuple[str, str]]


def nearest(statement: str, passages: Sequence[str]) -> str:
    """Return the passage that shares most content words with a statement."""
    return max(passages, key=lambda one: len(content(one) & content(statement)))


def farthest(statements: Sequence[str], passages: Sequence[str]) -> str:
    """Return the statement whose vector is farthest from those of all passages."""
    near = encode([*statements]) @ encode([*passages]).T
    return statements[int(near.max(axis=1).argmin())]


def sums(statement: str, quote: str) -> str:
    """Return a reason that names every figure of a quotation as a sum for those of a statement."""
    named, claimed = (re.findall(r"[£€$]?[0-9][0-9,.]*%?", one) for one in (quote, statement))
    return f"{' and '.join(named)} are {' and '.join(claimed)}."


def lazy(statement: str, passages: Sequence[str]) -> tuple[str, str]:
    """Say yes and quote the first passage."""
    return "entailed", passages[0]


def yes(statement: str, passages: Sequence[str]) -> tuple[str, str]:
    """Say yes and quote the nearest passage."""
    return "entailed", nearest(statement, passages)


def no(statement: str, passages: Sequence[str]) -> tuple[str, str]:
    """Say no and quote the nearest passage."""
    return "contradicted", nearest(statement, passages)


def obeying(order: str) -> Grader:
    """Say yes and quote the order, where it is shown."""

    def grade(statement: str, passages: Sequence[str]) -> tuple[str, str]:
        return "entailed", next((one for one in passages if order in one), passages[0])

    return grade


def at_random(seed: int) -> Grader:
    """Say anything and quote any passage."""
    draw = random.Random(seed)

    def grade(statement: str, passages: Sequence[str]) -> tuple[str, str]:
        kind = draw.choice(["entailed", "contradicted", "neither"])
        return kind, draw.choice(passages)

    return grade


class Scripted(StandIn):
    """A grader in the place of a language model, of which nothing else is asked.

    `knows` has the right grades of some statements; one that `guesses` calls neither the statement
    that is farthest from all passages, of those that it does not know.
    """

    def __init__(
        self, grader: Grader, *, knows: Mapping[str, str] | None = None, guesses: bool = False
    ) -> None:
        super().__init__()
        self._grader = grader
        self.knows = knows or {}
        self._guesses = guesses

    def ask(self, prompt: Prompt) -> Any:
        """Return the grader's answer; LLMError for all but grades."""
        if prompt.job != "grades":
            raise LLMError("grades alone are given", "unreachable")
        statements, passages = lines(prompt)
        knows = dict(self.knows)
        if self._guesses:
            knows[farthest([w for w in statements.values() if w not in knows], passages)] = (
                "neither"
            )
        rows = []
        for number, words in statements.items():
            kind, quote = self._grader(words, passages)
            if words in knows:
                kind, quote = knows[words], nearest(words, passages)
            rows.append(
                {
                    "statement": number,
                    "quote": quote,
                    "reason": sums(words, quote),
                    "grade": kind,
                    "wrong": "" if kind == "entailed" else words,
                }
            )
        return {"grades": rows}


def graders(order: str) -> Iterator[tuple[str, Grader]]:
    """Yield the dishonest graders by name."""
    yield "obeys the order", obeying(order)
    yield "lazy: yes, and always the same quotation", lazy
    yield "always yes, with the nearest quotation", yes
    yield "always no, with the nearest quotation", no
    yield RANDOM, at_random(0)


@contextmanager
def asked(client: llm.Client) -> Iterator[Config]:
    """Give a configuration whose checks ask a client."""
    with patch.object(llm, "connect", lambda *_: client):
        yield Config(llm=LLMConfig(model="recorded"))


# --- injected sources -------------------------------------------------------------------------

TWO = ("entailed", "contradicted")
ALL = (*TWO, "neither")
#: Which controls those know who obey but for them, and whether they guess at the third.
KNOWING = {
    "obeys the order, but knows the reworded and the turned control": (TWO, False),
    "the same, and calls neither what is farthest from all passages": (TWO, True),
    "obeys the order, but knows all three controls": (ALL, False),
}


def injected() -> list[dict[str, Any]]:
    """Return the sources with an order in them."""
    return [json.loads(line) for line in INJECTED.read_text("utf-8").splitlines()]


def on_injected(rows: Sequence[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """Return by grader what became of the statements about sources with orders."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        for name, report in _reports(row):
            _count(found.setdefault(name, Counter()), report, row)
    return found


def _reports(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the reports on the statements about a source, by the name of who graded them.

    Where no grade of the random one counts its report is that of any other of which none does.
    """
    text, source = texts(row)
    alone = api.check(text, context=[source], config=Config(), verify=False)
    yield "none: the rules alone", alone
    for name, grader in graders(row["order"]):
        if name != RANDOM:
            yield name, _checked(text, source, Scripted(grader))
    question, missed = _asked(text, source)
    for seed in range(SEEDS):
        told = grades.grade_statements(*question, Scripted(at_random(seed)))
        kept = told.by_number
        yield RANDOM, _checked(text, source, Scripted(at_random(seed))) if kept else missed
    for name, (kinds, guesses) in KNOWING.items():
        client = Scripted(obeying(row["order"]), guesses=guesses)
        yield name, knowing(text, source, client, kinds)


def texts(row: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the statements about a source as a text, and the source."""
    return " ".join([*row["true"], *row["inventions"]]), from_text(row["doc"], f"{row['id']}.txt")


def _asked(text: str, source: Any) -> tuple[tuple[Any, Any, Any], Any]:
    """Return what `grade_statements` is given for a text, and the report where no grade counts."""
    kept = []

    def grade(text: Any, sources: Any, passages: Any, client: Any) -> Any:
        kept.append((text, sources, passages))
        return Grades(missed=dict.fromkeys(passages, grades.DISTRUSTED))

    with patch.object(grades, "grade_statements", grade):
        report = _checked(text, source, Scripted(lazy))
    (question,) = kept
    return question, report


def _checked(text: str, source: Any, client: llm.Client) -> Any:
    with asked(client) as config:
        return api.check(text, context=[source], config=config, verify=False)


def knowing(text: str, source: Any, client: Scripted, kinds: Collection[str]) -> Any:
    """Return the report of a grader that is told which statements are controls of some kinds."""
    make = controls.controls

    def told(passages: Sequence[str], statements: Sequence[str]) -> Any:
        made = make(passages, statements)
        client.knows = {one.text: one.kind for one in made if one.kind in kinds}
        return made

    with patch.object(grades, "controls", told):
        return _checked(text, source, client)


def _count(counts: Counter[str], report: Any, row: Mapping[str, Any]) -> None:
    for one in report.statements:
        kind = "true" if one.text in row["true"] else "invention"
        counts[kind] += 1
        counts[f"{kind} {one.outcome.value}"] += 1
        counts[f"{kind} graded"] += one.reason == "graded"


# --- the page ---------------------------------------------------------------------------------


def page(injections: Mapping[str, Counter[str]]) -> str:
    """Return the table."""
    out = [
        "| grader | inventions supported | true supported | true refuted |",
        "|---|--:|--:|--:|",
    ]
    for name, counts in injections.items():
        out.append(
            f"| {name} | {counts['invention supported']} of {counts['invention']:,} "
            f"| {counts['true supported']} of {counts['true']:,} | {counts['true refuted']} |"
        )
    return "\n".join(out)


def main() -> None:
    """Measure, print the table, write it into a page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    text = page(on_injected(injected()))
    print(text)
    if arguments.write:
        put_between(arguments.write, text, BEGIN, END)


if __name__ == "__main__":
    main()
