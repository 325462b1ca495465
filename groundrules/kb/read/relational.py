"""A sentence that is put to a knowledge base, and what it says of two things."""

from __future__ import annotations

import bisect
import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from pathlib import Path
from typing import Literal as OneOf
from typing import cast

from rdflib.namespace import XSD
from rdflib.term import Literal, URIRef

from groundrules.calendar import DATES
from groundrules.claims.english.alternations import BOUNDS_IN_TIME
from groundrules.claims.english.attributes import BEGINNING, CHOOSING, ENDING, TIME_LEADS, YEARS
from groundrules.claims.english.signals import FORMER, PAST, PRESENT
from groundrules.claims.facts.moods import Kind, Turn
from groundrules.claims.facts.offline import Extraction
from groundrules.kb.link.properties import ObjectKind, Relations, words
from groundrules.kb.read.timing import Relation
from groundrules.terms import GR, Claim, Mention, Modality, Polarity, Span

#: Why a sentence is no plain statement, whatever its words are about.
Exclusion = OneOf[
    "", "question", "quoted", "conditional", "modal", "universal", "superlative", "comparative",
    "alternative", "reported", "fiction", "part",
]  # fmt: skip
#: What an amount or a date is to a value that it bounds.
Bound = OneOf["", "above", "below", "at_least", "at_most", "about"]
#: What how long something lasted is to a duration.
Length = Bound | OneOf["nearly"]
_FRAMES = tomllib.loads(Path(__file__).with_name("framing.toml").read_text("utf-8"))
_SUPERLATIVE, _COMPARATIVE, _UNIVERSAL, _BESIDE, _REPORTED, _WRONG, _FICTION = (
    re.compile("".join(_FRAMES[name]))
    for name in (
        "superlative", "comparative", "universal", "beside", "reported", "wrong", "fiction"
    )
)  # fmt: skip
_PERIOD = (
    re.compile(r"(?i)\b(from|between)\s+$"), re.compile(r"(?i)(?<!\s)\s+(?:to|until|till|and)\s+")
)  # fmt: skip
#: Before a date: a preposition, or a verb that needs none.
DATED = re.compile(
    rf"(?i)\b({'|'.join(TIME_LEADS)}|for)\s+(?:the\s+)?$|(?<=\bborn )$|(?<=\bdied )$"
)
TIMES = frozenset({"DATE", "TIME"})
_LEADING = re.compile(r"(?i)^(?:the|an?|its|his|her|their)\s+")
#: What leaves nothing open: an amount that is nearly so much, and who is seen in something.
_PLAIN = re.compile(
    rf"(?i)(?:nearly|almost)\s+(?:[$€£]?\d|(?:{'|'.join(YEARS)})\b)"
    r"|appear(?:s|ed)?\s+(?:in|on|at)\b|ceased?\s+to\s+be\b|stopped\s+being\b"
)
#: A denial with a bound says the contrary of what lies beyond.
BOUND = re.compile(rf"(?i)\b(?:{BOUNDS_IN_TIME})\s+[\w ,]{{0,40}}\d")


#: What somebody's day or amount is to that of what a claim sets beside it, or how old he was then.
Side = OneOf["", "below", "above", "same year", "age", "count"]
#: Which end of a state its date is of, or when somebody was chosen for it; empty for any day of it.
Moment = OneOf["", "start", "chosen", "end"]


@dataclass(frozen=True, slots=True)
class Relational:
    """What a sentence says of two things, in a phrase with the slots [X] and [Y].

    `subject` is what [X] stands for, `object` what [Y] does, `value` its literal if it is a value.
    `current` is True for the plain present, `at` is when it is said to hold, apart from the object,
    `to` the end of that where it is a period, `how` what the days are to it, or to its `moment`;
    `bound` says that a value is only a bound. `title` is all that somebody is said to be, of which
    the object is the end; where there is a `side`, the phrase is of what both things have, a day or
    an amount as `measured`, and the object is the other thing, or an age, and `beside` a wording of
    what the other has. `times` is, of a "count", with how many things it is so, of the kind that
    the object names. `length` says that how long it lasted is only a bound.
    `named` is what the object stands for where that is not its words ("German"); `unread` are the
    words of the sentence that nothing was read from; an `aside` does not tell its tense.

    Where `exclusion` is not empty it is not the plain statement of a fact. `claim` is the one that
    it comes from or, read from the surface, the one that has the same ends. A model that reads
    says which property is `meant`; what it reads of one `group` is one claim in several ways, and
    `doubts` say why the source may not refute it.
    """

    subject: Span
    phrase: str
    object: Span
    value: Literal | None = None
    polarity: Polarity = "positive"
    modality: Modality = Modality.ASSERTED
    attribution: str | None = None
    current: bool = False
    at: Literal | None = None
    to: Literal | None = None
    how: Relation = "holding"
    moment: Moment = ""
    bound: Bound = ""
    title: Span | None = None
    side: Side = ""
    measured: ObjectKind = "item"
    beside: str = ""
    times: int | None = None
    length: Length = ""
    named: str = ""
    unread: str = ""
    aside: bool = False
    exclusion: Exclusion = ""
    claim: Claim | None = None
    origin: OneOf["claim", "surface", "model"] = "claim"
    meant: URIRef | None = None
    group: str = ""
    doubts: tuple[str, ...] = ()

    @property
    def kind(self) -> ObjectKind:
        """What the object is, as `Relations.match` asks it."""
        if self.side:
            return self.measured
        return "item" if self.value is None else kind_of(self.value)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause without what negates, dates or ends it; `starts` has the place of each character.

    `at` is its date and `when` the place of that, or `at` and `to` are the ends of a period; `how`
    is what they are to it. An `aside` does not tell its tense. `length` is what how long it lasted
    is to the duration given. A character that is not of the text is at -1.
    """

    text: str
    starts: tuple[int, ...]
    polarity: Polarity = "positive"
    exclusion: Exclusion = ""
    at: Literal | None = None
    to: Literal | None = None
    when: Span | None = None
    how: Relation = "holding"
    moment: Moment = ""
    aside: bool = False
    length: Length = ""

    def without(self, start: int, end: int) -> Clause:
        """Return the clause with a range of its characters left out."""
        text, starts = self.text, self.starts
        return replace(self, text=text[:start] + text[end:], starts=starts[:start] + starts[end:])

    def within(self, start: int, end: int) -> Clause:
        """Return a range of its characters, without white space and commas at its ends."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip(" ,\n"))
        end -= len(text) - len(text.rstrip(" ,\n"))
        return replace(self, text=self.text[start:end], starts=self.starts[start:end])


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its mentions, names and claims, and the relations that are known."""

    extraction: Extraction
    place: Span
    mentions: Sequence[Mention]
    names: Sequence[Span]
    claims: Sequence[Claim]
    relations: Relations
    #: What the extractor found and the source has not.
    nouns: frozenset[Span] = frozenset()

    def anchors(self) -> Iterator[Span]:
        """Give names and values, with and without their articles."""
        for span in (
            *self.names,
            *(m.span for m in self.mentions if isinstance(m.node, Literal)),
        ):
            yield span
            yield self.trimmed(span)

    def turned(self, *kinds: Kind) -> list[Turn]:
        """Return the words that turn what the sentence says, those of names left out."""
        all_turns = self.extraction.turns
        first, last = (
            bisect.bisect_left(all_turns, end, key=lambda turn: turn.place.start)
            for end in (self.place.start, self.place.end)
        )
        return [
            turn
            for turn in all_turns[first:last]
            if turn.kind in kinds
            and not any(
                # a source may call something "can"
                n.start <= turn.place.start < n.end and not self.text(n).islower()
                for n in self.names
            )
        ]

    def openness(self, said: Collection[int] = ()) -> Exclusion:
        """Say why it may not be so: a condition, or a word that leaves it open.

        "Nearly 3,000" is a value, and "appears in" is said of whoever is there; `said` are the
        places of words by which a property is told.
        """
        if self.turned("condition"):
            return "conditional"
        text = self.extraction.document.text
        open_ = (
            t for t in self.turned("opening")
            if t.place.start not in said and not _PLAIN.match(text, t.place.start)
        )  # fmt: skip
        return "modal" if any(open_) else ""

    def periods(self, clause: Clause) -> Iterator[tuple[int, int, Literal, Literal, Relation]]:
        """Give where "from A to B" or "between A and B" stands in a clause, with its dates."""
        opening, link = _PERIOD
        dates = [
            (*range_in(clause, m.span), m.node)
            for m in self.mentions
            if m.kind in TIMES and isinstance(m.node, Literal)
        ]
        for (start, end, first), (after, last, final) in product(dates, dates):
            lead = opening.search(clause.text[:start])
            if lead and start < end < after < last and link.fullmatch(clause.text[end:after]):
                between = lead[1].lower() == "between"
                yield lead.start(), last, first, final, "within" if between else "spanning"

    def trimmed(self, span: Span) -> Span:
        """Return a place without the article that opens it."""
        lead = _LEADING.match(self.text(span))
        return Span(span.source, span.start + lead.end(), span.end) if lead else span

    def text(self, span: Span) -> str:
        """Return the words of a place."""
        return self.extraction.document.text[span.start : span.end]

    def plain(self, span: Span) -> str:
        """Return the words of a slot that are no part of a name."""
        return " ".join(word for word in self.text(span).split() if word.islower())

    def value(self, span: Span) -> Literal | None:
        """Return the value that stands at a place, None where it is none."""
        return next(
            (m.node for m in self.mentions if m.span == span and isinstance(m.node, Literal)), None
        )

    def kind(self, span: Span) -> Span:
        """Leave out what opens a noun phrase beside the kind: a former American actor is an actor.

        Only that it is "former" is kept elsewhere, see `current`; the people is another claim.
        """
        kept = span
        for _ in range(2):
            lead = _BESIDE.match(self.text(kept))
            start = kept.start + lead.end() if lead else kept.start
            for mention in self.mentions:
                cut = mention.span
                if mention.kind == "MISC" and cut.start == start and cut.end < kept.end:
                    start = cut.end + 1
            rest = self.text(Span(kept.source, min(start, kept.end), kept.end))
            if not rest or not rest.islower() or rest != rest.lstrip():
                return kept
            kept = Span(kept.source, start, kept.end)
        return kept


def kind_of(value: Literal) -> ObjectKind:
    """Return what sort of value a literal is."""
    if value.datatype in DATES | {GR.years}:
        return "time"
    return "text" if value.datatype in {None, XSD.string} else "quantity"


def lead_of(word: str) -> Relation:
    """Say what the days behind a word are to what is dated: "since" tells of a beginning."""
    return cast(Relation, TIME_LEADS.get(word.lower(), "holding"))


def timeless(relational: Relational) -> Relational:
    """Return what is said without its date, which is said apart."""
    claim = relational.claim
    return replace(relational, at=None, how="holding", claim=claim and replace(claim, time=None))


def moment_of(phrase: str) -> Moment:
    """Say of which end of a state a date is, where the verb tells of that: "became", "left"."""
    said = words(phrase)
    if "be" in said and "marry" in said:
        return ""
    if CHOOSING.intersection(said):
        return "chosen"
    return "start" if BEGINNING.intersection(said) else "end" if ENDING.intersection(said) else ""


def range_in(clause: Clause, span: Span) -> tuple[int, int]:
    """Return where a span stands in a clause; start and end are equal if it does not."""
    if span.start not in clause.starts:
        return 0, 0
    start = clause.starts.index(span.start)
    end = start + span.end - span.start
    whole = clause.starts[start:end] == tuple(range(span.start, span.end))
    return (start, end) if whole else (start, start)


def exclusion_in(outside: str) -> Exclusion:
    """Say what keeps words from being a plain statement; the words of names are left out."""
    if "?" in outside:
        return "question"
    kinds: tuple[tuple[Exclusion, re.Pattern[str]], ...] = (
        ("comparative", _COMPARATIVE), ("universal", _UNIVERSAL), ("superlative", _SUPERLATIVE),
    )  # fmt: skip
    return next((kind for kind, pattern in kinds if pattern.search(outside)), "")


def says_wrong(words: str) -> bool:
    """Return whether words say of what follows that it is false: "it is a myth that"."""
    return bool(_WRONG.search(words))


def framed(lead: str, outside: str) -> Exclusion:
    """Say what words before a statement make of it: what somebody says, or a story tells."""
    if _REPORTED.search(lead) or says_wrong(outside):
        return "reported"
    return "fiction" if _FICTION.search(lead) else ""


def meet(a: Span | None, b: Span) -> bool:
    """Return whether two places share a character."""
    return a is not None and a.start < b.end and b.start < a.end


def within(one: Span, other: Span) -> bool:
    """Return whether a place lies in another one, which is larger."""
    return one != other and other.start <= one.start and one.end <= other.end


#: Adverbs before a verb that say nothing of its tense.
_UNTENSED = frozenset({"still", "also", "already", "only", "both"})


def is_current(phrase: str) -> bool:
    """Whether the words around the slots are in the plain present."""
    tokens = [t for t in re.findall(r"\[[XY]\]|\w+", phrase) if t.lower() not in _UNTENSED]
    if not FORMER.isdisjoint(token.lower() for token in tokens):
        return False
    for left, following in pairwise([*tokens, ""]):
        word, after = left.lower(), following.lower()
        if word in {"has", "have"}:
            return not (after == "been" or after.endswith("ed") or after in {"won", "held"})
        if word in PRESENT:
            return True
        if word in PAST:
            return False
        if after == "s":  # of "[X]'s seat", which is no verb
            continue
        if left == "[X]" and following not in {"[Y]", ""} and after not in PRESENT | PAST:
            return after.endswith("s") and not after.endswith("ss")
    return False
