"""Where the words of a proposition stand in its sentence: names, values, times, denials."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rdflib.term import Literal

from groundrules.claims.english.attributes import BOUNDS, NUMBERS, OFFICES, STRETCHES, YEARS
from groundrules.claims.english.identity import TELLING_APART
from groundrules.claims.english.slot_words import SHARES
from groundrules.claims.english.states import AMOUNTS, CLAUSE_LEADS, TIME_LEADS
from groundrules.claims.slots import Term
from groundrules.kb.link.properties import ObjectKind
from groundrules.kb.read.relational import DATED, TIMES, Sentence, kind_of
from groundrules.terms import Span

LIMIT = re.compile(rf"(?i)\b({'|'.join(sorted(BOUNDS, key=len, reverse=True))})\s+(?:the\s+)?$")
_OF_LIMITS = {"above": "more", "below": "less", "at_least": "at least", "at_most": "at most",
              "about": "about"}  # fmt: skip
_PERIOD = re.compile(r"(?i)\b(from|between)\s+(?:the\s+)?$")
_THROUGH = re.compile(r"(?i),?\s(?:to|until|till|and|through)\s(?:the\s)?")
_FOR = re.compile(rf"(?i)({STRETCHES.removeprefix('(?i)').removesuffix('$')})$")
#: Clauses of their own, whose words are not those of the clause that they hang on.
_APART = frozenset("relcl advcl acl appos parataxis csubj ccomp".split())
_IN_NAME = frozenset({"compound", "amod", "nmod", "nummod"})
#: How long somebody or something has been there.
OLD = AMOUNTS["older"]
_APART_FROM = re.compile(rf"(?:{TELLING_APART})")
_OFFICE = re.compile(rf"(?:{OFFICES}|Madame|Mr|Mrs|Dr|Sir|Lady|Lord)")
_OWNED = re.compile(r"['’]s?$")
_NEAR = frozenset("about around roughly approximately in some".split())


@dataclass(frozen=True, slots=True)
class Said:
    """A claim in the making: its wording, the places of its words, and what dates it."""

    thing: Span
    phrase: str
    value: Span | None
    words: tuple[Span, ...] = ()
    kind: ObjectKind = "item"
    title: Span | None = None
    held: str = ""
    moment: str = ""
    side: str = ""
    apart: int = 0
    beside: str = ""
    gap: Span | None = None
    ratio: tuple[float, float] | None = None
    event: tuple[dict[str, Any], ...] = ()
    count: tuple[dict[str, str], ...] = ()
    filled: tuple[Span, ...] = ()
    bound: str = ""
    doubts: tuple[str, ...] = ()
    aside: bool = False


class Places:
    """The words of one sentence, by the terms of its propositions.

    `filled` are the places of words that are read and say nothing more, `told` the propositions.
    """

    def __init__(self, sentence: Sentence, doc: Any) -> None:
        self.sentence, self.doc = sentence, doc
        self.start, self.source = sentence.place.start, sentence.place.source
        self.text = sentence.extraction.document.text
        literals = [m for m in sentence.mentions if isinstance(m.node, Literal)]
        self.dates = [m for m in literals if m.kind in TIMES | {"DURATION"}]
        self.values = [m for m in literals if m.kind not in TIMES]
        self.filled: list[Span] = []
        self.told: Sequence[Term] = ()

    def token(self, term: Term) -> Any:
        """Return the word of the parser that heads a term."""
        return self.doc[term.at]

    def span(self, *tokens: Any) -> Span:
        """Return the place from the first of some words to the last."""
        first, last = min(t.idx for t in tokens), max(t.idx + len(t.text) for t in tokens)
        return Span(self.source, self.start + first, self.start + last)

    def names_at(self, token: Any) -> list[Span]:
        """Return the names that hold a word, the longest first; those of the base before others."""
        place = self.start + token.idx
        names = {n for n in self.sentence.names if n.start <= place < n.end}
        plain = {n for n in names if not _OWNED.search(self.sentence.text(n))}

        def rank(name: Span) -> tuple[bool, int, int]:
            return name in self.sentence.nouns, name.start - name.end, name.start

        return sorted(plain or names, key=rank)

    def named(self, term: Term, beside: Any = None) -> Span:
        """Return the place of a thing: the longest name that holds its head, else its noun.

        What is named `beside` another noun has a name without that.
        """
        token = self.token(term)
        names = [a for a in term.of("also") if a.determiner == "name" and not a.aside]
        if names and token.text.islower():
            return self.named(names[0], beside)
        name = self.name(token, beside)
        before = [t for t in noun_of(token) if name and self.start + t.idx < name.start]
        apart = any(_APART_FROM.fullmatch(t.lower_) or _is_of_name(t) for t in before)
        return name if name and not apart else self.span(*noun_of(token))

    def name(self, token: Any, beside: Any = None) -> Span | None:
        """Return the longest name that holds a word and not the one beside, None without one."""
        other = self.start + beside.idx if beside is not None else -1
        names = (n for n in self.names_at(token) if not n.start <= other < n.end)
        return next(names, None)

    def is_hyphened(self, token: Any) -> bool:
        """Return whether a word is only part of one with hyphens: the father of "father-in-law"."""
        first = self.start + token.idx
        around = self.text[max(first - 1, 0) : first], self.text[first + len(token.text) :][:1]
        return "-" in around

    def is_known(self, span: Span) -> bool:
        """Return whether something is a name of the base."""
        return span in self.sentence.names and span not in self.sentence.nouns

    def value(self, term: Term) -> Span | None:
        """Return the amount that a term has, None where it has none."""
        tokens = [self.start + t.idx for t in clause_of(self.token(term))]
        inside = [
            m.span for m in self.values if any(m.span.start <= at < m.span.end for at in tokens)
        ]
        return max(inside, key=lambda s: s.end - s.start, default=None)

    def bounded(self, term: Term) -> bool:
        """Return whether an amount is only a bound: "more than ten years"."""
        first = min(t.idx for t in self.token(term).subtree)
        words = self.text[self.start + first : self.start + self.token(term).idx]
        before = self.text[self.sentence.place.start : self.start + first]
        told = {word for bound in BOUNDS for word in bound.split()} - _NEAR
        return not told.isdisjoint(words.lower().split()) or LIMIT.search(before) is not None

    def limit(self, term: Term) -> str:
        """Return whether a number of years is the least or more than the most, empty for neither.

        Who is over 40 has turned 40, and is so at least.
        """
        first = self.start + self.token(term).idx
        words = LIMIT.search(self.text, self.start, first)
        told = BOUNDS[words[1].lower()] if words else ""
        return {"above": "at least", "at_least": "at least", "below": "less"}.get(told, "")

    def limits(self, token: Any) -> tuple[str, tuple[Span, ...]]:
        """Return what bounds the figure right before a comparison: "more than twice as long"."""
        figures = [t.i for t in self.doc[: token.i] if t.like_num or t.lower_ in SHARES]
        first = max(figures, default=-1)
        while first - 1 in figures:  # "two hundred"
            first -= 1
        end = self.start + (self.doc[first].idx if figures else 0)
        found = LIMIT.search(self.text, self.start, end)
        if found is None:
            return "", ()
        return _OF_LIMITS[BOUNDS[found[1].lower()]], (Span(self.source, *found.span(1)),)

    def date(self, term: Term) -> Span | None:
        """Return the date whose head a term is."""
        at = self.start + self.token(term).idx
        return next((m.span for m in self.dates if m.span.start <= at < m.span.end), None)

    def number(self, term: Term) -> int | None:
        """Return the whole number that a term is, or is counted by."""
        for token in (self.token(term), *self.token(term).lefts):
            word = token.lower_
            if word.isdecimal() or word in NUMBERS or word in YEARS:
                return int(word) if word.isdecimal() else NUMBERS.get(word, YEARS.get(word))
        return None

    def verb(self, event: Term) -> tuple[Span, ...]:
        """Return the places of a verb with its auxiliaries and particle."""
        token = self.token(event)
        aux = [t for t in token.children if t.dep_ in {"aux", "auxpass", "prt", "cop"}]
        return tuple(self.span(t) for t in sorted([*aux, token], key=lambda t: t.i))

    def preps(self, token: Any, *roles: str) -> tuple[Span, ...]:
        """Return the prepositions that hang on a word."""
        words = {word for role in roles for word in role.split()}
        return tuple(self.span(t) for t in token.children if t.lower_ in words)

    def times(self, event: Term, value: Span | None) -> Iterator[dict[str, Any]]:
        """Yield the times of a clause, each with the words that lead it."""
        held = {self.start + self.doc[i].idx for i in _within(event)}
        dates = [
            (m.span, m.kind) for m in self.dates
            if any(m.span.start <= at < m.span.end for at in held)
            and not (value and m.span.start < value.end and value.start < m.span.end)
            and self.text[m.span.start - 1 : m.span.start] not in {"(", "–", "-", "—"}
        ]  # fmt: skip
        text, skip = self.text, False
        for number, (span, kind) in enumerate(dates):
            after = dates[number + 1][0] if number + 1 < len(dates) else None
            if skip:
                skip = False
                continue
            before = text[self.sentence.place.start : span.start]
            opening = _PERIOD.search(before)
            if opening and after and _THROUGH.fullmatch(text[span.end : after.start]):
                told = "from-to" if opening[1].lower() == "from" else "between"
                first = self.start + opening.start(1)
                yield {"words": f"{first}-{after.end}", "is": told, "of": "it"}
                skip = True
                continue
            lead = (_FOR if kind == "DURATION" else DATED).search(before)
            if kind == "DURATION" and not lead:
                continue
            word = (lead[1] or "in").lower() if lead else "in"
            word = "for" if kind == "DURATION" else word
            word = "in" if word == "by" and event.denied else word  # it was so no more then
            first = self.start + lead.start(1) if lead and lead[1] else span.start
            yield {"words": f"{first}-{span.end}", "is": TIME_LEADS.get(word, "in"), "of": "it"}
        for slot in event.slots:  # what began when something happened in 1960 began then
            if slot.role in CLAUSE_LEADS and slot.filler.kind == "event":
                for time in self.times(slot.filler, None):
                    if time["is"] == "in":
                        yield time | {"is": CLAUSE_LEADS[slot.role]}

    def counts(self, event: Term) -> Iterator[dict[str, str]]:
        """Yield how often something was so: "twice", "only once"."""
        for one in event.of("mod"):
            token = self.token(one)
            only = [self.span(self.token(t)) for t in one.of("only")]
            if one.head in {"twice", "thrice"} or (one.head == "once" and only):
                self.filled += [*only, self.span(token)]
                yield {"words": at(self.span(token)), "of": "times"}

    def denials(self, event: Term) -> list[Span]:
        """Return the words that deny a clause."""
        within = {self.start + t.idx for t in clause_of(self.token(event))}
        turned = self.sentence.turned("denial", "negation")
        inside = [t.place for t in turned if t.place.start in within]
        return inside or ([turned[0].place] if len(turned) == 1 else [])

    def perfect(self, event: Term, phrase: str) -> str:
        """Return a wording in the tense of a clause: what "has been" so is so still."""
        return phrase.replace(" is ", " has been ", 1) if self.has_been(event) else phrase

    def has_been(self, event: Term) -> bool:
        """Return whether a verb is in the perfect."""
        token = self.token(event)
        return any(t.lower_ in {"has", "have"} and t.dep_ == "aux" for t in token.children)

    def knows(self, phrase: str, kind: ObjectKind) -> bool:
        """Return whether a wording means a property of a kind."""
        match = self.sentence.relations.match(phrase, object_kind=kind)
        return bool(match.candidates) and match.candidates[0].band != "embedding"

    def is_seat(self, phrase: str) -> bool:
        """Return whether a wording tells a place that something has, and not where it lies itself.

        "The office of Ulm" is in Ulm, and the city of Ulm is Ulm.
        """
        known = self.sentence.relations.properties
        own = frozenset().union(*(one.within for one in known.values()))
        match = self.sentence.relations.match(phrase, object_kind="item")
        return self.knows(phrase, "item") and own.isdisjoint(c.property for c in match.candidates)

    def kind(self, span: Span) -> ObjectKind:
        """Return the kind of what stands at a place."""
        value = self.sentence.value(span)
        return kind_of(value) if value is not None else "item"


def noun_of(token: Any) -> list[Any]:
    """Return a noun with the words before it that are of its name."""
    before = [t for t in token.lefts if t.dep_ in _IN_NAME]
    return [t for one in before for t in one.subtree] + [token]


def _is_of_name(token: Any) -> bool:
    """Return whether a word before a name makes it another one's: "Jenny Marx"."""
    return token.tag_ == "NNP" and not _OFFICE.fullmatch(token.text)


def is_noun(token: Any) -> bool:
    """Return whether a word is a noun or of a name."""
    return token.pos_ in {"NOUN", "PROPN"}


def _within(event: Term) -> Iterator[int]:
    """Yield the words of a clause without those of clauses in it."""
    for slot in event.slots:
        if slot.role != "that" and slot.filler.kind != "event" and not slot.filler.aside:
            yield slot.filler.at
            yield from slot.filler.words
            yield from _within(slot.filler)


def clause_of(token: Any) -> Iterator[Any]:
    """Yield the words that hang on a verb or noun, but for clauses of their own."""
    yield token
    for child in token.children:
        if child.dep_ not in _APART and not (child.dep_ == "conj" and child.pos_ == "VERB"):
            yield from clause_of(child)


def at(span: Span | None) -> str:
    """Return a place as an answer of ours has it in place of words."""
    return f"{span.start}-{span.end}" if span else ""


def spans_of(source: str, places: str) -> Iterator[Span]:
    """Yield the places that an answer of ours has."""
    for place in places.split():
        first, last = place.split("-")
        yield Span(source, int(first), int(last))
