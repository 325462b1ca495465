"""How much of what language models grade counts: honest grades, and those of graders that are not.

    python -m benchmarks.graders --data DATA [--write benchmarks/reports/language-models.md]

Honest are the recorded grades (`benchmarks/prose/grades.jsonl`): how many are lost because their
quotation does not bear on the statement or their question's controls were missed, and how many
statements they would support but for a figure or a name that the rules do not find. Dishonest are
graders that are written here, asked the same questions, and asked about twenty sources with an
order to the model in them (`benchmarks/graders/injected.jsonl`), each with two true statements and
two inventions: none of these may be supported. Their reasons name every figure of what they quote.
How many the random one has supported is reckoned besides, as it is luck.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks import prose
from benchmarks.marks import put_between
from benchmarks.recorded import Recorded, StandIn, lines, replayed
from groundrules import api
from groundrules.align.grading import with_grades
from groundrules.align.limits import KNOWN
from groundrules.align.statements import ACCOUNTED
from groundrules.checks.verdicts import unnamed
from groundrules.claims.documents.document import from_text
from groundrules.claims.models import controls, grades
from groundrules.claims.models.controls import content
from groundrules.claims.models.grades import Grades
from groundrules.config import Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.evaluate.documents import check_row
from groundrules.evaluate.rows import read_rows
from groundrules.llm import client as llm
from groundrules.llm.prompt import Prompt
from groundrules.models.embed import encode
from groundrules.terms import Outcome

BEGIN, END = "<!-- graders: begin -->", "<!-- graders: end -->"
_HERE = Path(__file__).parent
RECORDED = _HERE / "prose" / "grades.jsonl"
INJECTED = _HERE / "graders" / "injected.jsonl"
#: The recorded answers that the bound of a quotation was found on; it is reported on the others.
FITTED = ("prose/tuning", "train/twins")
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


def by_chance(rows: Sequence[Mapping[str, Any]]) -> float:
    """Return the share of the inventions that the random grader has supported, by reckoning.

    Of three kinds it says one, and of the passages it quotes one. All controls must be right, each
    by one of the quotations that do for it, and so must the quotation for the invention, which
    counts unless the rules leave it open though it is graded entailed.
    """
    shares = []
    for row in rows:
        text, source = texts(row)
        question, _ = _asked(text, source)
        (read,) = question[1]
        shown = [row["doc"][span.start : span.end] for span in read.sentences]
        passed = 1 / len(ALL)
        for kind in TWO:
            passed *= sum(_right(question, kind, one) for one in shown) / len(shown) / len(ALL)
        for one in knowing(text, source, Scripted(yes), ALL).statements:
            if one.text in row["inventions"]:
                bearing = sum(grades.bears(passage, one.text) for passage in shown) / len(shown)
                left_open = one.outcome is Outcome.NOT_ENOUGH_INFO
                shares.append(0 if left_open else passed * bearing / len(ALL))
    return sum(shares) / len(shares)


def _right(question: tuple[Any, Any, Any], kind: str, quote: str) -> bool:
    """Return whether the control of a kind is right by a quotation; the two others are not."""
    told = grades.grade_statements(*question, Scripted(lambda *_: (kind, quote)))
    return len(told.faults) == len(ALL) - 1


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


# --- recorded grades --------------------------------------------------------------------------


def on_recorded(data: Path) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """Return by set what became of the honest grades, and by grader of dishonest ones."""
    honest: dict[str, Counter[str]] = {}
    others: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = {n: p for n, p in prose.sets(data, Path(folder)).items() if n in prose.GRADED}
        files["train/twins"] = prose.kept_out(data / "train/twins", Path(folder) / "kept.jsonl")
        for name, path in files.items():
            if not path.exists():
                continue
            counts = honest[name] = Counter()
            with (
                replayed(Recorded(RECORDED), [], Config()) as config,
                patch.object(grades, "grade_statements", _counting(counts, others)),
                patch("groundrules.checks.documents.with_grades", _counting_open(counts)),
            ):
                for row in read_rows(path):
                    for one in check_row(row, config).sentences:
                        right = "true" if one.label else "wrong"
                        counts[right] += 1
                        counts[f"{right} supported"] += one.outcome is Outcome.SUPPORTED
    return honest, others


def _counting(counts: Counter[str], others: dict[str, Counter[str]]) -> Callable[..., Any]:
    """Return what grades statements, counts it, and has the dishonest ones grade them too."""
    make = grades.grade_statements

    def grade(text: Any, sources: Any, passages: Any, client: Any) -> Any:
        told = make(text, sources, passages, client)
        counts["asked"] += told.asked
        counts["kept"] += len(told.by_number)
        counts.update(told.missed.values())
        for other, grader in graders(""):
            given = make(text, sources, passages, Scripted(grader))
            tally = others.setdefault(other, Counter())
            tally["asked"] += given.asked
            tally["kept"] += len(given.by_number)
        return told

    return grade


def _counting_open(counts: Counter[str]) -> Callable[..., Any]:
    """Return what gives statements their grades, and counts which of them can support none."""
    give = with_grades

    def given(statements: Any, told: Any, sources: Any) -> Any:
        out = give(statements, told, sources)
        for one in out:
            if one.grade is not None and one.grade.kind == "entailed":
                counts["entailed"] += 1
                figures = any(figure.account not in ACCOUNTED for figure, _ in one.figures)
                names = any(name.similarity < KNOWN for name in one.names)
                counts["open"] += figures or names or any(unnamed(one))
        return out

    return given


# --- the page ---------------------------------------------------------------------------------


def page(
    injections: Mapping[str, Counter[str]],
    chance: float,
    recorded: tuple[Mapping[str, Counter[str]], Mapping[str, Counter[str]]] | None,
) -> str:
    """Return the tables."""
    out = []
    if recorded is not None:
        honest, _ = recorded
        out += [
            "| honest, recorded | statements | graded | lost by a control | lost by a quotation "
            "| share lost | entailed | of them with a figure or name not found "
            "| true supported | wrong supported |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        ]
        for part, names in (
            ("fitted on", [n for n in honest if n in FITTED]),
            ("other", [n for n in honest if n not in FITTED]),
        ):
            total = sum((honest[name] for name in names), Counter[str]())
            out.append(_honest(f"{part}: {', '.join(names)}", total))
    out += [
        "",
        "| grader | inventions supported | true supported | true refuted "
        "| recorded questions: grades kept |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, counts in injections.items():
        own = recorded[1].get(name) if recorded else None
        kept = f"{own['kept']:,} of {own['asked']:,}" if own else "–"
        out.append(
            f"| {name} | {counts['invention supported']} of {counts['invention']:,} "
            f"| {counts['true supported']} of {counts['true']:,} | {counts['true refuted']} "
            f"| {kept} |"
        )
    told = f"one invention in {1 / chance:,.0f} supported of sources of four to six sentences"
    out += ["", f"By reckoning the random grader has {told}."]
    return "\n".join(out)


def _honest(name: str, counts: Counter[str]) -> str:
    lost = counts[grades.DISTRUSTED] + counts[grades.UNCONTROLLED] + counts[grades.UNRELATED]
    return (
        f"| {name} | {counts['asked']:,} | {counts['kept']:,} "
        f"| {counts[grades.DISTRUSTED] + counts[grades.UNCONTROLLED]} "
        f"| {counts[grades.UNRELATED]} | {lost / max(1, counts['asked']):.4f} "
        f"| {counts['entailed']} | {counts['open']} "
        f"| {counts['true supported']} of {counts['true']} "
        f"| {counts['wrong supported']} of {counts['wrong']} |"
    )


def main() -> None:
    """Measure, print the tables, write them into a page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="the recorded grades are measured too")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    recorded = on_recorded(arguments.data) if arguments.data else None
    rows = injected()
    text = page(on_injected(rows), by_chance(rows), recorded)
    print(text)
    if arguments.write:
        put_between(arguments.write, text, BEGIN, END)


if __name__ == "__main__":
    main()
