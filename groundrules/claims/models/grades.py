"""Statements graded by a language model: entailed, contradicted or neither, with quoted words.

A handful of statements is asked about at once, with the passages that bear on them and three
controls among them, whose grades are known (`claims/models/controls.py`): where one of these is
missed, no grade of the question counts. A grade counts only with words that stand in a passage that
was shown, which for "entailed" must bear on the statement, and with wrong words that stand in the
statement; the rules decide what follows from it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from groundrules.claims.english.alternations import LEANING
from groundrules.claims.evidence.copied import find_words
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.models.controls import Control, content, controls, places
from groundrules.claims.models.llm_prompts import INSTRUCTIONS, record
from groundrules.claims.units.tables import is_row
from groundrules.errors import LLMError
from groundrules.llm.prompt import Prompt
from groundrules.terms import Span

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: Statements in one question.
HANDFUL = 6
#: Sources of so many words in all are shown whole: paraphrase defeats retrieval.
WHOLE = 1500
#: Sentences of the text that are shown before a statement and not asked about.
BEFORE = 3
#: Quoted words bear on a statement where they, with their sentences, share `SHARED` content words
#: or figures with it, or where the vectors of both are as near as `NEARNESS`: the largest bound of
#: two digits that loses no more than 0.005 of the honest grades "entailed" of prose/tuning and the
#: twins; `python -m benchmarks.graders` measures both on the other sets.
SHARED = 2
NEARNESS = 0.12
#: Of the content words of a control so many must stand in the sentences that are quoted for it.
OF_A_CONTROL = 0.5
#: Rows of a table that are gone back to find its header.
_TABLE = 200
Kind = Literal["entailed", "contradicted", "neither"]
_STRING = {"type": "string"}
_ROW = record(
    {
        "statement": {"type": "integer"},
        "quote": _STRING,
        "reason": _STRING,
        "grade": {"enum": ["entailed", "contradicted", "neither"]},
        "wrong": _STRING,
    }
)
_SCHEMA = record({"grades": {"type": "array", "items": _ROW}})
#: Why a statement is not graded, as the notes say it.
_UNQUOTED = "the words quoted are not in the passages"
_MISPLACED = "the words called wrong are not in the statement"
_TORN = "it is called entailed and wrong words are named"
_TWICE = "it is graded in two ways"
_MISSING = "the answer leaves it out"
UNRELATED = "the words quoted have nothing to do with it"
DISTRUSTED = "the language model missed a control statement of the same question"
UNCONTROLLED = "no control statement can be made from the passages"
_PRONOUN = re.compile(
    rf"\W*(?:{LEANING}|the (?:former|latter|same))\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Grade:
    """What a language model says of a statement, where its words stand.

    `quote` is the place of the deciding words in a source and `passage` that of the sentences
    around; both are None only for "neither". `wrong` is the place of the wrong words in the text,
    None only for "entailed". `by` names a licensed reader that says so in its place, which quotes
    nothing: both places are those of the nearest passage then, if there is one. `reason` is why, in
    the model's words.
    """

    kind: Kind
    quote: Span | None = None
    passage: Span | None = None
    wrong: Span | None = None
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Grades:
    """The grades by number of the statement, and of the others asked about why there is none.

    `unasked` counts those about which no answer came, by the cause; `faults` say which controls
    were missed.
    """

    by_number: Mapping[int, Grade] = field(default_factory=dict)
    missed: Mapping[int, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    unasked: Mapping[str, int] = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """How many statements were asked about."""
        return len(self.by_number) + len(self.missed)

    def notes(self) -> Iterator[str]:
        """Yield what the report has to say of the answers: what they do not grade, and why."""
        for why, count in Counter(self.missed.values()).items():
            if why in self.unasked:
                continue
            were = "was" if count == 1 else "were"
            yield f"{count:,} of {self.asked:,} statements {were} not graded: {why}"
        yield from self.faults


@dataclass(frozen=True, slots=True)
class _Question:
    """A prompt, what it asks about in order - numbers of statements, and controls - and what of.

    `passages` are those shown, `places` by source which of its sentences they are.
    """

    prompt: Prompt
    asked: Sequence[int | Control]
    passages: Sequence[str]
    places: Sequence[Sequence[int]]


def grade_statements(
    text: Extraction,
    sources: Sequence[Extraction],
    passages: Mapping[int, Sequence[Span]],
    client: Client,
) -> Grades:
    """Return the grades of statements; `passages` says by number which bear on each.

    The numbers are those of the sentences of the text. What cannot be asked or does not hold is
    told in `missed`, and no LLMError is raised.
    """
    order = sorted(passages)
    found: dict[int, Grade] = {}
    missed: dict[int, str] = {}
    unasked: Counter[str] = Counter()
    faults: list[str] = []
    questions = []
    for numbers in (order[at : at + HANDFUL] for at in range(0, len(order), HANDFUL)):
        question = _question(text, numbers, sources, shown(sources, numbers, passages))
        if question is None:
            missed |= dict.fromkeys(numbers, UNCONTROLLED)
        else:
            questions.append(question)
    answers = client.ask_all([question.prompt for question in questions])
    for question, answer in zip(questions, answers, strict=True):
        numbers = [one for one in question.asked if isinstance(one, int)]
        if isinstance(answer, LLMError):
            missed |= dict.fromkeys(numbers, answer.cause)
            unasked[answer.cause] += len(numbers)
            continue
        rows: dict[int, list[Mapping[str, Any]]] = {}
        for row in answer["grades"]:
            rows.setdefault(row["statement"], []).append(row)
        wrong = [
            told
            for n, one in enumerate(question.asked, 1)
            if isinstance(one, Control)
            and (told := _fault(rows.get(n, ()), one, question, sources))
        ]
        if wrong:
            faults += wrong
            missed |= dict.fromkeys(numbers, DISTRUSTED)
            continue
        for n, one in enumerate(question.asked, 1):
            if isinstance(one, int):
                span = text.sentences[one]
                grade = _grade(rows.get(n, ()), text, span, sources, question.places)
                if isinstance(grade, Grade):
                    found[one] = grade
                else:
                    missed[one] = grade
    return Grades(found, missed, tuple(faults), dict(unasked))


# --- questions --------------------------------------------------------------------------------


def shown(
    sources: Sequence[Extraction], numbers: Sequence[int], passages: Mapping[int, Sequence[Span]]
) -> list[Sequence[int]]:
    """Return which sentences of each source are shown to a model that is asked about statements.

    All of short sources, else those that bear on the statements, and what they lean on.
    """
    whole = sum(len(source.document.text.split()) for source in sources) <= WHOLE
    return [
        range(len(source.sentences)) if whole else _near(source, numbers, passages)
        for source in sources
    ]


def _question(
    text: Extraction,
    numbers: Sequence[int],
    sources: Sequence[Extraction],
    shown: Sequence[Sequence[int]],
) -> _Question | None:
    """Return what is asked about some statements, None where no control can be made."""
    body = text.document.text
    passages = [
        source.document.text[source.sentences[n].start : source.sentences[n].end]
        for source, chosen in zip(sources, shown, strict=True)
        for n in chosen
    ]
    said = {n: body[text.sentences[n].start : text.sentences[n].end] for n in numbers}
    made = controls(passages, list(said.values()))
    if not made:
        return None
    numbered = sorted({n for number in numbers for n in range(max(0, number - BEFORE), number + 1)})
    lines = [body[text.sentences[n].start : text.sentences[n].end] for n in numbered]
    told: list[int | Control] = [*numbered]
    drawn = zip(places(lines, passages, len(made)), made, strict=True)
    for at, control in sorted(drawn, key=lambda pair: pair[0], reverse=True):
        told.insert(at, control)
    asked = [one for one in told if isinstance(one, Control) or one in said]
    marks = {one: f"[S{n}]" for n, one in enumerate(asked, 1)}
    statements = "\n".join(
        _line(marks.get(one, "(context)"), body, text.sentences[one])
        if isinstance(one, int)
        else f"{marks[one]} {one.text}"
        for one in told
    )
    texts = [("statements", statements)]
    count = 0
    for source, chosen in zip(sources, shown, strict=True):
        own = []
        for n in chosen:
            count += 1
            own.append(_line(f"[P{count}]", source.document.text, source.sentences[n]))
        if own:
            texts.append((f"passages of {source.document.name}", "\n".join(own)))
    prompt = Prompt("grades", INSTRUCTIONS["grades"], tuple(texts), _SCHEMA)
    return _Question(prompt, asked, passages, shown)


def _line(mark: str, body: str, span: Span) -> str:
    """Return a sentence after its mark, its further lines indented: no line of it has a mark."""
    lines = (" ".join(line.split()) for line in body[span.start : span.end].splitlines())
    return f"{mark} " + "\n    ".join(line for line in lines if line)


def _near(
    source: Extraction, numbers: Iterable[int], passages: Mapping[int, Sequence[Span]]
) -> Sequence[int]:
    """Return which sentences of a source bear on statements, with those they lean on."""
    starts = {span.start: n for n, span in enumerate(source.sentences)}
    name = source.document.name
    places = (place for number in numbers for place in passages[number] if place.source == name)
    chosen = {starts[place.start] for place in places if place.start in starts}
    return sorted(chosen | {n for place in chosen for n in _before(source, place)})


def _before(source: Extraction, number: int) -> Iterator[int]:
    """Yield the sentence that a pronoun refers to, or the header above a row of a table."""

    def said(n: int) -> str:
        span = source.sentences[n]
        return source.document.text[span.start : span.end]

    if number and is_row(said(number)):
        first = number
        while first and number - first < _TABLE and is_row(said(first - 1)):
            first -= 1
        yield first
    elif number and _PRONOUN.match(said(number)):
        yield number - 1


# --- answers ----------------------------------------------------------------------------------


def _fault(
    rows: Sequence[Mapping[str, Any]],
    control: Control,
    question: _Question,
    sources: Sequence[Extraction],
) -> str:
    """Return how a control was missed, empty where its grade and its quotation are right.

    One that was turned is contradicted and nothing else: where another figure, day or its contrary
    stands in so many words, who finds it in no passage has not read them. What no passage says has
    nothing to be quoted for it.
    """
    kinds = " and ".join(dict.fromkeys(str(row["grade"]) for row in rows)) or "nothing"
    told = f"a control was missed: “{control.text}” was called"
    if control.passage is None:
        return "" if kinds == control.kind else f"{told} {kinds}; no source says anything of it"
    if kinds == control.kind:
        quote = _quote(str(rows[0]["quote"]), sources, question.places)
        around = _around(quote, sources) if quote else None
        own = content(control.text)
        if around and len(own & content(_words(around, sources))) >= OF_A_CONTROL * len(own):
            return ""
        kinds += f" by “{' '.join(str(rows[0]['quote']).split())}”"
    passage = " ".join(question.passages[control.passage].split())
    return f"{told} {kinds}; “{passage}” is in a source"


def _grade(
    rows: Sequence[Mapping[str, Any]],
    text: Extraction,
    span: Span,
    sources: Sequence[Extraction],
    places: Sequence[Sequence[int]],
) -> Grade | str:
    """Return the grade that an answer gives a statement, or why it gives none that holds."""
    if not rows:
        return _MISSING
    if len({row["grade"] for row in rows}) > 1:
        return _TWICE
    kind: Kind = rows[0]["grade"]
    quoted, named = str(rows[0]["quote"]), str(rows[0]["wrong"])
    quote = _quote(quoted, sources, places)
    if quote is None and kind != "neither":
        return _UNQUOTED
    passage = _around(quote, sources) if quote else None
    if kind == "entailed":
        if named.strip():
            return _TORN
        said = text.document.text[span.start : span.end]
        related = passage is not None and bears(_words(passage, sources), said)
        reason = str(rows[0]["reason"])
        return Grade(kind, quote, passage, reason=reason) if related else UNRELATED
    found = find_words(named, text.document.text, span.start, span.end)
    if found is None:
        return _MISPLACED
    return Grade(kind, quote, passage, Span(span.source, *found))


def _quote(
    words: str, sources: Sequence[Extraction], places: Sequence[Sequence[int]]
) -> Span | None:
    """Return where words stand in the sentences that were shown, None where they do not.

    A word alone stands nearly anywhere: it takes two, or a figure.
    """
    if len(re.findall(r"\w+", words)) < 2 and not re.search(r"\d", words):
        return None
    for source, chosen in zip(sources, places, strict=True):
        for first, last in _runs(chosen):
            start, end = source.sentences[first].start, source.sentences[last].end
            found = find_words(words, source.document.text, start, end)
            if found is not None:
                return Span(source.document.name, *found)
    return None


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of each run of numbers that follow on one another."""
    first = 0
    for n, number in enumerate(numbers, 1):
        if n == len(numbers) or numbers[n] != number + 1:
            yield numbers[first], number
            first = n


def bears(passage: str, statement: str) -> bool:
    """Return whether a passage has to do with a statement, by its words or by its vector."""
    if len(content(passage) & content(statement)) >= SHARED:
        return True
    from groundrules.models.embed import encode

    one, other = encode([passage, statement])
    return float(one @ other) >= NEARNESS


def _words(place: Span, sources: Sequence[Extraction]) -> str:
    """Return what stands at a place of the sources."""
    source = next(one for one in sources if one.document.name == place.source)
    return source.document.text[place.start : place.end]


def _around(quote: Span, sources: Sequence[Extraction]) -> Span:
    """Return the sentences that a quotation touches."""
    source = next(one for one in sources if one.document.name == quote.source)
    own = [s for s in source.sentences if s.start < quote.end and quote.start < s.end]
    return Span(quote.source, own[0].start, own[-1].end) if own else quote
