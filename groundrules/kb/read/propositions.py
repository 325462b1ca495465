"""Claims as a knowledge base asks them: subject, relation phrase, object, with mode and time.

Two ways to read a sentence: as a whole clause that the relation lexicon knows word for word, and,
where it is none, by the claims that the extractor found, put together where it splits what English
says in one phrase ("the capital of Guyana is …", "maintains relations with …").
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Literal as OneOf

from rdflib.namespace import XSD
from rdflib.term import Literal, Node

from groundrules.calendar import DATES
from groundrules.claims.offline import Extraction
from groundrules.kb.link.properties import ObjectKind, Relations, words
from groundrules.terms import GR, Claim, Mention, Modality, Polarity, Span

#: Why a sentence is no plain statement, whatever its words are about.
Exclusion = OneOf[
    "", "question", "quoted", "conditional", "modal", "universal", "superlative", "comparative",
    "alternative", "reported", "fiction", "part",
]  # fmt: skip

_WORD = re.compile(r"\w+(?:[-.&]\w+)*\.?|[^\w\s]")
_TIMES = frozenset({"DATE", "TIME"})
_LEADING = re.compile(r"(?i)^(?:the|an?|its|his|her|their)\s+")
_TITLE = re.compile(r"[A-Z0-9\"“'‘]|(?:the|of|de|du|la|le|von|van|der|and|for|in|an?|al|el|bin)$")
#: What stands inside no name or noun phrase that a pattern leaves over.
_STOPS = frozenset(
    "is are was were be been has have had do does did who which that whose where when while as at "
    "by from in on onto to with without until since during before after about near not never "
    "over under through between across along around against among within via because than but "
    "written directed produced born released located based known he she it they we you i him them "
    "this these those there".split()
)
#: Words of which alone no name is made, though an index may have them.
_NOTHING = _STOPS | {"the", "a", "an", "of", "and", "or", "s"}
_NEGATION = re.compile(
    r"(?i)\b(?:(?:do|does|did) not|(?:does|did|do)n['’]t|no longer|not|never)\s+|(?<=\w)n['’]t\b"
)
_MODAL = re.compile(
    r"(?i)\b(?:(?-i:may)|might|could|would|should|can|must|will|shall|cannot|allegedly|reportedly"
    r"|supposedly|possibly|perhaps|probably|likely|apparently|rumou?red|believed|claimed|thought"
    r"|presumably|seems?|appears? to|almost|nearly|hardly|barely|(?:refus|fail|declin|want|hop|plan"
    r"|try|tri|intend|attempt|expect|wish|aspir|threaten|promis|suppos)(?:e?[sd]|es|ing)? to"
    r"|(?:about|going|meant|destined) to)\b"
)
#: What comes before a subject where the clause is another's, of a story, or about a part of it.
_SAY = (
    "say|said|claim|think|thought|believe|write|wrote|argue|deny|denie|doubt|report|suggest|insist"
    "|assert|imagine|suppose|pretend|allege|state|declare|maintain|dispute|reject|dream|joke"
)
_REPORTED = re.compile(
    r"(?i)(?<!known )(?<!true )(?<!fact )\bthat\s+(?:the\s+)?$"
    rf"|\b(?:{_SAY})[sd]?[,:]?\s+(?:the\s+)?$|[“\"]\s*$"
    r"|\bas [\w ]{1,150} (?:put|puts|has|had|have|says?|said|claims?|claimed|tells?|told)(?: it)?"
    r",\s*$"
    r"|\bin [\w ]{1,150}(?:['’]s?)? (?:view|opinion|words|account|eyes|mind),\s*$"
    r"|^\s*(?:myth|false|fiction|wrong|rumou?r|claim|fake|lie)s?:\s*$"
)
_WRONG = re.compile(r"\b(?:wrong|false|untrue|incorrect|inaccurate|mistaken|a lie|a myth)\b")
_FICTION = re.compile(
    r"(?i)\bin (?:\w+ )?(?:\w+ )?(?:films?|movies?|novels?|books?|stor(?:y|ies)|tales?|series|game"
    r"|play|myth|legend|history|universe|world|dream|version),\s*(?:the\s+)?$"
)
_PART = re.compile(
    r"(?i)\b(?:who|which|that|whom|where|whose)\b[^,;]{0,150}\w\s*$"
    r"|\b(?:other|another|different)\s+$"
    r"|\b(?:instead of|rather than|unlike|without)\b[^,;]{0,150}$"
    r"|\b(?:day|night|year|moment|time)\s+$"
)
_NOT = re.compile(r"(?i)\b(?:not|never|no|neither|nor|nobody|none|without)\b|n['’]t\b")
#: What holds before or after a date need not hold at it.
_BEYOND = re.compile(r"(?i)\b(?:before|after|prior to|by)\s+[\w ,]{0,40}\d")
_GERUND = re.compile(r"(?i)\b(?:of|about|from|without) (?:being |having )?\w+ing\b")
_OR = re.compile(r"\bor (?:the |an? )?\[[XY]\]|\[[XY]\],? or\b|\b[Ee]ither\b")
#: A denial with a bound says the contrary of what lies beyond.
_BOUND = re.compile(
    r"(?i)\b(?:until|till|before|after|since|from|between|by|prior to)\s+[\w ,]{0,40}\d"
)
_IF = re.compile(r"(?i)\b(?:if|unless|whether|provided that|assuming|suppose|had \w+ not)\b")
_UNIVERSAL = re.compile(
    r"(?i)\b(?:only|all|every|everyone|each|none|nobody|no one|always|solely|exclusively|any"
    r"|entire(?:ly)?|most|majority|few|many|several)\b"
)
_SUPERLATIVE = re.compile(
    r"(?i)\b(?:first|last|latest|best|worst|least|[a-z]{3,}iest|(?:larg|small|bigg|great|high|tall"
    r"|long|short|old|young|new|rich|poor|fast|strong|weak|deep|earli|near|wid|low|clos)est"
    r"|second|third|fourth|fifth)\b"
)
_COMPARATIVE = re.compile(
    r"(?i)\b(?:more|less|fewer|[a-z]{3,}er|rather|other) than\b|\bas \w+ as\b"
)
_FORMER = frozenset(
    {"former", "formerly", "previously", "ex", "late", "once", "originally", "used"}
)
_BESIDE = re.compile(r"(?:(?:former|retired|professional|noted|famous|renowned|late)\s+)+")
_PAST = frozenset({"was", "were", "had", "did", "became", "would"})
_PRESENT = frozenset({"is", "are", "has", "have", "do", "does", "remains", "currently", "now"})
_PREPOSITIONS = frozenset("of with to for in at by on from against over".split())
#: What stands between two names of a list.
_LISTED = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+)(?:(?:later|then|also|subsequently)\s+){0,2}(?:the\s+)?"
)
_LIST = re.compile(r",\s*(?:and|or)\s+|,\s*|(?<!\s)\s+(?:and|or)\s+")
#: "Apple, founded by Jobs, is …", "Bern (the capital) is …", "… was born in Ulm and lives in Rome".
_ASIDE = re.compile(
    r"^(?P<head>[^,]+), (?P<aside>(?!and |or )[a-z][^,]*(?:, [A-Z][^,]*)*?), (?!and |or )(?=[a-z])"
)
_PARENTHESIS = re.compile(r" ?\([^()]*\)")
_AND = re.compile(r",? and(?= [a-z])")
_LINK = re.compile(r"\s(?:and|or)\s")
_PLURAL = re.compile(r"\[X\] (?:both )?(?:were|are|have)\b")
_DATED = re.compile(r"(?i)\b(?:in|on|since|during|as of|until|till)\s+$")
_PERIOD = (
    re.compile(r"(?i)\b(?:from|between)\s+$"), re.compile(r"(?i)(?<!\s)\s+(?:to|until|till|and)\s+")
)  # fmt: skip
#: The longest clause that is matched word for word, and the longest phrase in a slot, in words.
_LONGEST, _WIDEST = 40, 8
#: How many possessors are told apart: "cause of death of Sharif" has one.
_DEEPEST = 20
#: How much of what stands before a subject is looked at, in characters.
_LEAD = 150


@dataclass(frozen=True, slots=True)
class Relational:
    """What a sentence says of two things, in a phrase with the slots [X] and [Y].

    `subject` is what [X] stands for, `object` what [Y] does, `value` its literal if it is a value.
    `current` is True for the plain present, `at` is when it is said to hold, apart from the object,
    and `to` the last day of that where it is a period.
    Where `exclusion` is not empty it is not the plain statement of a fact. `claim` is the one that
    it comes from or, read from the surface, the one that has the same ends.
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
    exclusion: Exclusion = ""
    claim: Claim | None = None
    origin: OneOf["claim", "surface"] = "claim"

    @property
    def kind(self) -> ObjectKind:
        """What the object is, as `Relations.match` asks it."""
        if self.value is None:
            return "item"
        datatype = self.value.datatype
        if datatype in DATES | {GR.years}:
            return "time"
        return "text" if datatype in {None, XSD.string} else "quantity"


def read_phrases(
    extraction: Extraction, sentence: int, names: Sequence[Span], relations: Relations
) -> tuple[Relational, ...]:
    """Return what one sentence says, as phrases between two names, or a name and a value.

    `names` are the places of what may be linked, in any order; they may overlap. A sentence that
    is one clause of the lexicon, word for word, is read so and its claims are left: a slot may
    then hold any noun phrase if the other holds a name. Several values of one list give one
    reading each.
    """
    place = extraction.sentences[sentence]
    mentions = [m for m in extraction.mentions if place.start <= m.span.start < place.end]
    claims = [c for c in extraction.claims if c.sentence == sentence and c.reads is None]
    text = extraction.document.text
    inside = sorted(
        {
            n
            for n in names
            if place.start <= n.start < n.end <= place.end
            and not _NOTHING.issuperset(text[n.start : n.end].split())
        }
    )
    reading = _Sentence(extraction, place, mentions, inside, claims, relations)
    found, whole = reading.surface()
    ends = {(r.subject, r.object) for r in found}
    for relational in reading.joined():
        if (relational.subject, relational.object) in ends:
            continue
        if not whole or (relational.claim and _is_aside(relational.claim)):
            found.append(relational)
    return tuple(_distinct(found))


def _is_aside(claim: Claim) -> bool:
    """Return whether a claim is told by no words of the clause, as a birth in brackets is."""
    return claim.parts[1] is None and isinstance(claim.triple.object, Literal)


def _distinct(found: Sequence[Relational]) -> Iterator[Relational]:
    seen = set()
    for relational in found:
        said = tuple(word for word in words(relational.phrase) if word != "be")
        mark = (relational.subject, said, relational.object)
        if mark not in seen:
            seen.add(mark)
            yield relational


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause without what negates, dates or ends it; `starts` has the place of each character.

    `at` is its date and `when` the place of that, or `at` and `to` are the ends of a period.
    """

    text: str
    starts: tuple[int, ...]
    polarity: Polarity = "positive"
    exclusion: Exclusion = ""
    at: Literal | None = None
    to: Literal | None = None
    when: Span | None = None

    def without(self, start: int, end: int) -> _Clause:
        """Return the clause with a range of its characters left out."""
        text, starts = self.text, self.starts
        return replace(self, text=text[:start] + text[end:], starts=starts[:start] + starts[end:])

    def within(self, start: int, end: int) -> _Clause:
        """Return a range of its characters, without white space and commas at its ends."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip(" ,\n"))
        end -= len(text) - len(text.rstrip(" ,\n"))
        return replace(self, text=self.text[start:end], starts=self.starts[start:end])


@dataclass(frozen=True, slots=True)
class _Sentence:
    extraction: Extraction
    place: Span
    mentions: Sequence[Mention]
    names: Sequence[Span]
    claims: Sequence[Claim]
    relations: Relations

    # --- word for word ------------------------------------------------------

    def surface(self) -> tuple[list[Relational], bool]:
        """Read the sentence, or parts of it, as clauses of the lexicon; True if nothing is left."""
        clause = self._clause()
        if clause is None:
            return [], False
        found = self._read(clause)
        if found:
            return found, True
        if clause.polarity == "negative" or clause.exclusion:
            return [], False
        for parts in self._divided(clause):
            readings = [self._read(part) for part in parts]
            found += [relational for reading in readings for relational in reading]
            if all(readings):
                return found, True
        return found, False

    def _read(self, clause: _Clause) -> list[Relational]:
        """Read one clause; of the wordings that fit the most specific wins."""
        for undated in (clause, *self._undated(clause)):
            best: tuple[tuple[int, int, int], str, Span, Span] | None = None
            for first, second, phrase, named in self._slots(undated):
                rank = (len(words(phrase)), named, -first.start)
                if (best is None or rank > best[0]) and self.relations.knows(phrase):
                    best = (rank, phrase, first, second)
            if best:
                _, phrase, first, second = best
                kind = re.search(r"(?i)\ban? \[Y\]", phrase)
                # "Trinidad and Tobago is in …" says so itself that it is one
                plural = _PLURAL.match(phrase)
                firsts = [*self._parts(first)] if plural else [first]
                # "was born in Ulm in 1879" says of the day what "was born in 1879" does
                day = undated.when if self.relations.dates(phrase) else None
                # what is denied is the two together: there the place keeps its day
                whole = day is None or undated.polarity == "negative"
                apart = undated if whole else replace(undated, at=None)
                found = [
                    self._surface(
                        apart, one, phrase, self._kind(part) if kind else part, (first, second)
                    )
                    for one, part in product(firsts, self._parts(second))
                ]
                if day is not None:
                    found = found if whole else [_timeless(one) for one in found]
                    found += [
                        self._surface(replace(undated, at=None), one, phrase, day, (first, day))
                        for one in firsts
                    ]
                return found
        return []

    def _clause(self) -> _Clause | None:
        """Return the sentence as a clause, None if it is negated more than once."""
        text = self._text(self.place)
        line = text.strip()
        exclusion: Exclusion = "question" if line.endswith("?") else ""
        if line[:1] in {'"', "“"} and line[-1:] in {'"', "”"}:
            exclusion = "quoted"
        clause = _Clause(text, tuple(range(self.place.start, self.place.end)), exclusion=exclusion)
        negations = [m for m in _NEGATION.finditer(text) if not self._in_name(clause, m)]
        if len(negations) > 1 or any(text[: m.start()].rstrip().endswith(",") for m in negations):
            return None  # "Ottawa, not Toronto, …" denies no more than a part
        for found in negations:
            clause = replace(clause.without(*found.span()), polarity="negative")
        modal = next(
            (m for m in _MODAL.finditer(clause.text) if not self._in_name(clause, m)), None
        )
        if modal:
            clause = replace(clause.without(*modal.span()), exclusion=clause.exclusion or "modal")
        end = len(clause.text.rstrip(' .!?;:"”\n'))
        start = len(clause.text) - len(clause.text.lstrip(' "“\n'))
        return clause.within(start, end) if start < end else None

    def _divided(self, clause: _Clause) -> Iterator[tuple[_Clause, ...]]:
        """Give the clauses that make it up: an apposition, a parenthesis, a second predicate."""
        text = clause.text
        for found in _ASIDE.finditer(text):
            end = found.end("aside")
            yield clause.within(0, end), clause.without(found.end("head"), end + 1)
        for found in _PARENTHESIS.finditer(text):
            yield (clause.without(*found.span()),)
        for found in _AND.finditer(text):
            for span in self._anchors():
                start, end = _range(clause, span)
                if start == 0 < end <= found.start():
                    yield clause.within(0, found.start()), clause.without(end, found.end())

    def _undated(self, clause: _Clause) -> Iterator[_Clause]:
        """Give the clause without the date or period that ends or opens it."""
        for start, end, first, last in self._periods(clause):
            if not clause.text[end:].strip(" ,"):
                yield replace(clause.within(0, start), at=first, to=last)
            elif not clause.text[:start].strip():
                yield replace(clause.within(end, len(clause.text)), at=first, to=last)
        for mention in self.mentions:
            if mention.kind not in _TIMES or not isinstance(mention.node, Literal):
                continue
            start, end = _range(clause, mention.span)
            lead = _DATED.search(clause.text[:start])
            if lead is None or start == end:
                continue
            if not clause.text[end:].strip(" ,"):
                rest = clause.within(0, lead.start())
            elif not clause.text[: lead.start()].strip():
                rest = clause.within(end, len(clause.text))
            else:
                continue
            yield replace(rest, at=mention.node, when=mention.span)

    def _periods(self, clause: _Clause) -> Iterator[tuple[int, int, Literal, Literal]]:
        """Give where "from A to B" stands in a clause, with its dates."""
        opening, link = _PERIOD
        dates = [
            (*_range(clause, m.span), m.node)
            for m in self.mentions
            if m.kind in _TIMES and isinstance(m.node, Literal)
        ]
        for (start, end, first), (after, last, final) in product(dates, dates):
            lead = opening.search(clause.text[:start])
            if lead and start < end < after < last and link.fullmatch(clause.text[end:after]):
                yield lead.start(), last, first, final

    def _slots(self, clause: _Clause) -> Iterator[tuple[Span, Span, str, int]]:
        """Give two slots with the phrase around them, and how many of them hold a name."""
        tokens = [(m.start(), m.end()) for m in _WORD.finditer(clause.text)]
        if not 2 < len(tokens) <= _LONGEST:
            return
        known = {(a, b) for a, b in (_range(clause, s) for s in self._anchors()) if a < b}
        free = {
            (start, end)
            for i, (start, _) in enumerate(tokens)
            for _, end in tokens[i : i + _WIDEST + 4]
            if _phrase_like(clause.text[start:end])
            and clause.starts[end - 1] - clause.starts[start] == end - 1 - start
        }
        free |= set(self._lists(clause, known))
        pairs = {(a, b) for a, b in product(known, known | free) if a[1] <= b[0]}
        pairs |= {(a, b) for a, b in product(free, known) if a[1] <= b[0]
                  and _capitalised(clause.text[a[0] : a[1]])}  # fmt: skip
        for a, b in sorted(pairs):
            text = clause.text
            between = text[a[1] : b[0]]
            if not between.strip(" ,"):
                continue
            phrase = f"{text[: a[0]]}[X]{between}[Y]{text[b[1] :]}"
            yield (
                self._span(clause, a), self._span(clause, b), phrase, (a in known) + (b in known),
            )  # fmt: skip

    def _lists(
        self, clause: _Clause, names: Collection[tuple[int, int]]
    ) -> Iterator[tuple[int, int]]:
        """Give the lists of names: "the Prize in Physics and the Prize in Chemistry" is one."""
        whole = _single(names, lambda start, end: clause.text[start:end])
        for start, end in whole:
            last = end
            for first, after in whole:
                if first > last and _LISTED.fullmatch(clause.text[last:first]):
                    last = after
            if last > end:
                yield start, last

    def _anchors(self) -> Iterator[Span]:
        """Give names and values, with and without their articles."""
        for span in (*self.names, *(m.span for m in self.mentions if isinstance(m.node, Literal))):
            yield span
            yield self._trimmed(span)

    def _trimmed(self, span: Span) -> Span:
        lead = _LEADING.match(self._text(span))
        return Span(span.source, span.start + lead.end(), span.end) if lead else span

    def _span(self, clause: _Clause, slot: tuple[int, int]) -> Span:
        start, end = clause.starts[slot[0]], clause.starts[slot[1] - 1] + 1
        return self._trimmed(Span(self.place.source, start, end))

    def _parts(self, span: Span) -> Iterator[Span]:
        """Give the members of a list, or the one thing that a name or value is.

        Of "Ulm, Germany" something is said of either.
        """
        text = self._text(span)
        if span in self.names or self._value(span) is not None:
            yield span
            return
        inner, _, outer = text.partition(", ")
        ends = (
            Span(span.source, span.start, span.start + len(inner)),
            Span(span.source, span.end - len(outer), span.end),
        )
        if outer and set(ends) <= {*self.names}:
            yield from ends
            return
        if not _LINK.search(text):
            yield span
            return
        inside = {
            (n.start, n.end) for n in self.names if span.start <= n.start and n.end <= span.end
        }
        whole = _single(inside, lambda start, end: self._text(Span(span.source, start, end)))
        between = [text[a[1] - span.start : b[0] - span.start] for a, b in pairwise(whole)]
        if between and all(_LISTED.fullmatch(one) for one in between) and (
            whole[0][0], whole[-1][1]
        ) == (span.start, span.end):  # fmt: skip
            for start, end in whole:
                yield self._trimmed(Span(span.source, start, end))
            return
        at = 0
        for cut in [*_LIST.finditer(text), None]:
            end = cut.start() if cut else len(text)
            if text[at:end].strip():
                yield self._trimmed(Span(span.source, span.start + at, span.start + end))
            at = cut.end() if cut else at

    def _surface(
        self, clause: _Clause, first: Span, phrase: str, second: Span, wholes: tuple[Span, Span]
    ) -> Relational:
        claim = next(
            (c for c in self.claims if _meet(c.parts[0], first) and _meet(c.parts[2], second)), None
        )
        exclusion = clause.exclusion
        if not exclusion and any(
            part != whole and re.search(r"\bor\b", self._text(whole))
            for part, whole in zip((first, second), wholes, strict=True)
        ):
            exclusion = "alternative"
        exclusion = exclusion or _exclusion(self._plain(second))
        if claim and claim.attribution:
            exclusion = exclusion or "reported"
        if clause.polarity == "negative" and _BOUND.search(self._text(self.place)):
            exclusion = exclusion or "part"
        value = self._value(second)
        return Relational(
            first,
            phrase,
            second,
            value,
            clause.polarity,
            claim.modality if claim else Modality.ASSERTED,
            claim.attribution if claim else None,
            _current(f"{phrase} {self._plain(wholes[1])}"),
            clause.at,
            clause.to,
            exclusion,
            claim,
            "surface",
        )

    # --- from the claims ----------------------------------------------------

    def joined(self) -> Iterator[Relational]:
        """Read the claims, those put together that only say something together."""
        for claim in self.claims:
            predicate = self._label(claim.triple.predicate)
            if predicate in _PREPOSITIONS or predicate.startswith("be according"):
                continue
            subject, _, object_ = claim.parts
            subject = subject or self._mention(claim.triple.subject)
            if subject is None or object_ is None:
                continue
            if self._in_hyphenated(subject) or (
                self._in_hyphenated(object_) and not _is_aside(claim)
            ):
                continue
            owner = self._owner(claim, claim.triple.subject)
            if owner:
                noun, last = owner
                yield from self._claim(claim, last, f"{noun} of [X] {predicate} [Y]", object_)
                continue
            kind = predicate == "be" and any(
                self._indefinite(other.parts[2])
                for other in self.claims
                if other.triple.subject == claim.triple.subject
                and other.triple.predicate == claim.triple.predicate
            )
            article = "a " if kind else ""
            found = f"[X] {predicate} {article}[Y]"
            owner = self._owner(claim, claim.triple.object)
            if owner:
                noun, last = owner
                longer = f"[X] {predicate} {noun} of [Y]"
                yield from self._claim(claim, subject, longer, last)
                if self.relations.knows(longer) and not self.relations.knows(found):
                    continue
            yield from self._claim(claim, subject, found, object_)
            if owner:
                continue
            for other in self._about(claim.triple.object):
                link = self._label(other.triple.predicate)
                noun = self._label(claim.triple.object)
                if other.parts[2] is None or claim.triple.object in self._named():
                    continue
                if link in _PREPOSITIONS:
                    phrase = f"[X] {predicate} {noun} {link} [Y]"
                elif link == "be" and predicate == "have":
                    phrase = f"[X] have {noun} of [Y]"
                else:
                    continue
                yield from self._claim(claim, subject, phrase, other.parts[2])

    def _claim(self, claim: Claim, subject: Span, phrase: str, end: Span) -> Iterator[Relational]:
        end = self._trimmed(end)
        outer = end
        if " a [Y]" in phrase:
            end = self._kind(end)
        if _meet(subject, end):
            return
        value = self._value(end)
        text = self.extraction.document.text
        low, high = sorted((subject, end))
        outside = (
            f"{text[self.place.start : low.start]} [X] {text[low.end : high.start]} [Y] "
            f"{text[high.end : self.place.end]}"
        )
        modality = claim.modality
        outside = f"{outside} {self._plain(subject)} {self._plain(outer)}"
        exclusion = _exclusion(outside)
        if not exclusion and modality is not Modality.ASSERTED:
            exclusion = "conditional" if modality is Modality.CONDITION else "modal"
        exclusion = exclusion or self._aside(claim, phrase, low, high, outside)
        at = claim.time if value is None or claim.time != value else None
        to = None
        if at is None and value is None:
            whole = _Clause(self._text(self.place), tuple(range(self.place.start, self.place.end)))
            place = high.end - self.place.start
            at, to = next(
                (
                    (first, last)
                    for start, _, first, last in self._periods(whole)
                    if not whole.text[place:start].strip()
                ),
                (None, None),
            )
        said = Relational(
            subject,
            phrase,
            end,
            value,
            claim.polarity,
            modality,
            claim.attribution,
            _current(outside),
            at,
            to,
            exclusion,
            claim,
        )
        day = next((m.span for m in self.mentions if m.node == at), None) if to is None else None
        if (
            at is None
            or day is None
            or _meet(day, end)
            or claim.polarity == "negative"
            or not self.relations.dates(phrase)
        ):
            yield said
            return
        yield _timeless(said)
        if not any(_meet(other.parts[2], day) for other in self._about(claim.triple.subject)):
            yield replace(_timeless(said), object=day, value=at, claim=None)

    def _aside(self, claim: Claim, phrase: str, low: Span, high: Span, outside: str) -> Exclusion:
        """Say what keeps the words around two ends from stating what a claim states."""
        text = self.extraction.document.text
        # of a long lead the end says enough, and is soon searched
        lead = text[max(self.place.start, low.start - _LEAD) : low.start]
        between = text[low.end : high.start]
        if between[:1] in {'"', "”"}:
            lead = lead.rstrip('"“')  # a title
        if claim.attribution or _REPORTED.search(lead) or _WRONG.search(outside):
            return "reported"
        if _FICTION.search(lead):
            return "fiction"
        if _PART.search(lead) or (
            re.search(r"(?i)\bwhose\b", between) and "'s" not in words(phrase)
        ):
            return "part"
        if claim.polarity == "positive" and (_NOT.search(between) or _GERUND.search(between)):
            return "part"
        bound = _BOUND if claim.polarity == "negative" else _BEYOND
        if (claim.polarity == "negative" or claim.time is not None) and bound.search(outside):
            return "part"
        return "alternative" if _OR.search(outside) else ""

    def _owner(self, claim: Claim, node: Node, depth: int = 0) -> tuple[str, Span] | None:
        """Split "cause of death of Sharif" into the noun and the place of what it is of."""
        label = self._label(node)
        if node in self._named():
            return None
        for other in self._about(node):
            noun = label.removesuffix(f" of {self._label(other.triple.object)}")
            if self._label(other.triple.predicate) == "of" and noun != label and other is not claim:
                # of a shorter label: it ends
                if depth < _DEEPEST and (
                    deeper := self._owner(other, other.triple.object, depth + 1)
                ):
                    return f"{noun} of {deeper[0]}", deeper[1]
                if other.parts[2] is not None:
                    return noun, other.parts[2]
        return None

    def _about(self, node: Node) -> Iterator[Claim]:
        return (c for c in self.claims if c.triple.subject == node)

    def _named(self) -> frozenset[Node]:
        """Give the things that have a name of their own: those are not taken apart."""
        kinds = {"PERSON", "ORG", "LOC", "MISC"}
        return frozenset(m.node for m in self.mentions if m.kind in kinds)

    # --- places -------------------------------------------------------------

    def _text(self, span: Span) -> str:
        return self.extraction.document.text[span.start : span.end]

    def _label(self, node: Node) -> str:
        return self.extraction.labels.get(node, str(node))

    def _plain(self, span: Span) -> str:
        """Return the words of a slot that are no part of a name."""
        return " ".join(word for word in self._text(span).split() if word.islower())

    def _in_name(self, clause: _Clause, found: re.Match[str]) -> bool:
        place = clause.starts[found.start()]
        return any(name.start <= place < name.end for name in self.names)

    def _mention(self, node: Node) -> Span | None:
        return next((m.span for m in self.mentions if m.node == node), None)

    def _value(self, span: Span) -> Literal | None:
        return next(
            (m.node for m in self.mentions if m.span == span and isinstance(m.node, Literal)), None
        )

    def _in_hyphenated(self, span: Span) -> bool:
        """Whether it is part of a hyphenated word: the father of "father-in-law"."""
        text = self.extraction.document.text
        return "-" in (text[max(span.start - 1, 0) : span.start], text[span.end : span.end + 1])

    def _indefinite(self, span: Span | None) -> bool:
        if span is None:
            return False
        before = self.extraction.document.text[self.place.start : span.start]
        return bool(re.search(r"(?i)\ban?\s+$", before)) or bool(
            re.match(r"(?i)an?\s", self._text(span))
        )

    def _kind(self, span: Span) -> Span:
        """Leave out what opens a noun phrase beside the kind: a former American actor is an actor.

        Only that it is "former" is kept elsewhere, see `current`; the people is another claim.
        """
        kept = span
        for _ in range(2):
            lead = _BESIDE.match(self._text(kept))
            start = kept.start + lead.end() if lead else kept.start
            for mention in self.mentions:
                cut = mention.span
                if mention.kind == "MISC" and cut.start == start and cut.end < kept.end:
                    start = cut.end + 1
            rest = self._text(Span(kept.source, min(start, kept.end), kept.end))
            if not rest or not rest.islower() or rest != rest.lstrip():
                return kept
            kept = Span(kept.source, start, kept.end)
        return kept


def _timeless(relational: Relational) -> Relational:
    """Return what is said without its date, which is said apart."""
    claim = relational.claim
    return replace(relational, at=None, claim=claim and replace(claim, time=None))


def _range(clause: _Clause, span: Span) -> tuple[int, int]:
    """Return where a span stands in a clause; start and end are equal if it does not."""
    start, end = (bisect.bisect_left(clause.starts, at) for at in (span.start, span.end))
    return (start, end) if end - start == span.end - span.start else (start, start)


def _single(
    names: Collection[tuple[int, int]], text: Callable[[int, int], str]
) -> list[tuple[int, int]]:
    """Return the longest of names that overlap, those left out that are lists of others.

    "physicist, chemist" is a list; "Trinidad and Tobago" is a name, whatever Tobago is.
    """

    def is_list(start: int, end: int) -> bool:
        words = text(start, end)
        return bool(_LIST.search(words)) and (words[:1].islower() or "," in words) and any(
            start == first < after < begins < last == end and _LISTED.fullmatch(text(after, begins))
            for first, after in names for begins, last in names
        )  # fmt: skip

    single = {one for one in names if not is_list(*one)}
    return sorted(one for one in single if not any(_inside(one, other) for other in single))


def _inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a range lies in another one."""
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def _exclusion(outside: str) -> Exclusion:
    """Say what keeps words from being a plain statement; the words of names are left out."""
    if "?" in outside:
        return "question"
    kinds: tuple[tuple[Exclusion, re.Pattern[str]], ...] = (
        ("conditional", _IF), ("modal", _MODAL), ("comparative", _COMPARATIVE),
        ("universal", _UNIVERSAL), ("superlative", _SUPERLATIVE),
    )  # fmt: skip
    return next((kind for kind, pattern in kinds if pattern.search(outside)), "")


def _phrase_like(text: str) -> bool:
    """Whether a text may be a noun phrase or a list of them."""
    if re.search(r"[^\w\s,.'’&\"“”()/-]", text) or text[:1] in ",.'’)-" or text[-1:] in ",(-'’":
        return False
    parts = [part.split() for part in _LIST.split(text)]
    if not all(part and len(part) <= _WIDEST for part in parts):
        return False
    if _capitalised(" ".join(parts[0])) and any(" ".join(part).islower() for part in parts[1:]):
        return False  # "the Beatles and plays drums"
    first = parts[0][0].lower()
    if parts[-1][-1] in _NOTHING:
        return False
    return first not in {"the", "a", "an", "of", "and", "or"} and not any(
        word.lower().strip('."“”') in _STOPS for part in parts for word in part
    )


def _capitalised(text: str) -> bool:
    return text[:1].isupper() and all(_TITLE.match(word) for word in text.split())


def _meet(a: Span | None, b: Span) -> bool:
    return a is not None and a.start < b.end and b.start < a.end


def _current(phrase: str) -> bool:
    """Whether the words around the slots are in the plain present."""
    tokens = re.findall(r"\[[XY]\]|\w+", phrase)
    if not _FORMER.isdisjoint(token.lower() for token in tokens):
        return False
    for left, following in pairwise([*tokens, ""]):
        word, after = left.lower(), following.lower()
        if word in {"has", "have"}:
            return not (after == "been" or after.endswith("ed") or after in {"won", "held"})
        if word in _PRESENT:
            return True
        if word in _PAST:
            return False
        if left == "[X]" and following not in {"[Y]", ""} and after not in _PRESENT | _PAST:
            return after.endswith("s") and not after.endswith("ss")
    return False
