"""What counts of the claims that a language model reads in a sentence, as relations with slots.

A model says which words fill which slot. Words that do not stand in the sentence and properties
that were not shown are dropped and counted. Figures, dates, names and denials are read by us in
these words. Where ours says otherwise than the model's, the claim is no plain statement; words of
the sentence that fill no slot stay unread, and what has an unread part is never supported.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from typing import Any, cast

from rdflib.term import Literal

from groundrules.claims.english import DOUBT, NEGATIVE
from groundrules.claims.english.attributes import BOUNDS, COUNTRIES
from groundrules.claims.english.signals import FORMER, PAST, PRESENT
from groundrules.claims.english.slot_words import BEGINS, ENDS, IN_TURN, OF_SEVERAL
from groundrules.claims.english.slot_words import TIMES as HOW
from groundrules.claims.facts.parsed import Word
from groundrules.kb.link.properties import ObjectKind, local_name
from groundrules.kb.read.ages_and_counts import aged, compared, counted
from groundrules.kb.read.llm_words import WORD, Copied
from groundrules.kb.read.relational import (
    Bound,
    Clause,
    Exclusion,
    Moment,
    Relational,
    Sentence,
    exclusion_in,
    framed,
    is_current,
    kind_of,
    meet,
    moment_of,
    says_wrong,
    within,
)
from groundrules.kb.read.timing import Relation
from groundrules.kb.read.wordings import bounded, undated
from groundrules.kb.sources.source import Property
from groundrules.terms import Modality, Span

#: Why something of an answer is dropped, as the notes say it.
NO_WORDS = "whose words are not in the sentence"
NO_PROPERTY = "of properties that were not shown"
NO_VALUE = "whose value is none of its property"
#: Claims of a sentence that are read, at most.
MOST_CLAIMS = 24
TOO_MANY = f"beyond {MOST_CLAIMS} claims of a sentence"

_EXCLUSIONS: Mapping[str, Exclusion] = {
    "fact": "", "question": "question", "order": "modal", "if": "conditional", "may": "modal",
    "told": "reported", "quoted": "quoted", "fiction": "fiction",
}  # fmt: skip
OF_BOUNDS: Mapping[str, Bound] = {
    "exactly": "", "about": "about", "more": "above", "less": "below", "at least": "at_least",
    "at most": "at_most",
}  # fmt: skip
_MOMENTS: Mapping[str, Moment] = {"it": "", "start": "start", "chosen": "chosen", "end": "end"}

#: The words of bounds.
_OF_BOUNDS = frozenset(word for bound in BOUNDS for word in bound.split())
#: What may be of the beginning or the end of a state, where the verb tells.
_OF_MOMENTS = frozenset({"holding", "before", "after", "by", "within"})
_WHOLE = {("in", "it"), ("throughout", "it")}
_IS = re.compile(r" is(?= \[[XY]\]$)")
_AN = re.compile(r"\b[Aa]n? $")


@dataclass(frozen=True, slots=True)
class SentenceRead:
    """What counts of an answer on one sentence: relations, and the names of the slots they fill.

    `given` counts the parts of the answer, `dropped` maps each reason to how many.
    """

    said: tuple[Relational, ...] = ()
    slots: tuple[str, ...] = ()
    given: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)


def read_sentence(
    row: Mapping[str, Any],
    sentence: Sentence,
    properties: Collection[Property],
    *,
    parse: Sequence[Word] = (),
) -> SentenceRead:
    """Return what counts of an answer on one sentence.

    `properties` are those that were shown; `parse` has the words of the text as the parser has
    them: adjectives and adverbs say more than the verb or noun beside them.
    """
    return Answer(sentence, properties, parse).read(row)


class Answer(Copied):
    """What is said to be read of one sentence, by a model or by our own parser."""

    def __init__(
        self, sentence: Sentence, properties: Collection[Property], parse: Sequence[Word]
    ) -> None:
        super().__init__(sentence, parse)
        self.properties: dict[str, list[Property]] = defaultdict(list)
        for one in properties:
            self.properties[_folded(one.label or local_name(one.iri))].append(one)
        self.denials: list[Span] = []
        self.dropped = Counter[str]()
        self.given = 0

    def read(self, row: Mapping[str, Any]) -> SentenceRead:
        """Return what counts of the row of an answer."""
        self.given = sum(len(claim["readings"]) for claim in row["claims"])
        self.dropped[TOO_MANY] = max(0, len(row["claims"]) - MOST_CLAIMS)
        found = [
            one
            for number, claim in enumerate(row["claims"][:MOST_CLAIMS])
            for one in self.claim(claim, number)
        ]
        self.share(row["claims"][:MOST_CLAIMS])
        left = [self.places(one) for one in row["left"]]
        self.dropped[NO_WORDS] += sum(place is None for place in left)
        for place in (span for places in left for span in places or ()):
            self.read_to -= set(range(place.start, place.end))
        unread = self.unread() or " ".join(
            one for one, place in zip(row["left"], left, strict=True) if place is None
        )
        exclusion = self.exclusion()
        figures = any(character.isdigit() for character in unread)
        named = any(word[0].isupper() for word in unread.split())
        found = [
            replace(
                one,
                unread=unread,
                exclusion=one.exclusion or exclusion,
                # what no slot has may be when it was, or how much
                # and a name may tell of which part it is: "820 km long in Germany"
                doubts=(*one.doubts, "unread")
                if figures or (named and one.kind == "quantity")
                else one.doubts,
            )
            for one in found
        ]
        dropped = {why: count for why, count in self.dropped.items() if count}
        return SentenceRead(tuple(found), tuple(self.slots), self.given, dropped)

    def share(self, claims: Sequence[Mapping[str, Any]]) -> None:
        """Take words as read by which several things are told to be alike: "all", "like"."""
        said = [{(r["property"], r["value"]) for r in one["readings"]} for one in claims]
        for one, other in permutations(range(len(claims)), 2):
            if said[one] & said[other]:
                for place in self.places(claims[one]["said"], f"said {one}") or ():
                    self.fill("several", *self.known(place, OF_SEVERAL, figures=False), apart=True)

    def exclusion(self) -> Exclusion:
        """Say by our own reading why the sentence is no plain statement, but for what slots say."""
        sentence, place = self.sentence, self.sentence.place
        line = sentence.text(place).strip()
        if line[:1] in {'"', "“"} and line[-1:] in {'"', "”"}:
            return "quoted"
        if open_ := sentence.openness(self.said):
            return open_
        outside = "".join(
            " " if at in self.apart else self.text[at] for at in range(place.start, place.end)
        )
        if own := exclusion_in(outside):
            return own
        slots = [at for at in range(place.start, place.end) if at in self.read_to]
        lead = self.text[place.start : slots[0]] if slots else ""
        if own := framed(lead, outside):
            return own
        doubted = self.hearsay - self.said or not DOUBT.isdisjoint(outside.lower().split())
        if doubted or any(claim.attribution for claim in sentence.claims):
            return "reported"
        if any(claim.modality is not Modality.ASSERTED for claim in sentence.claims):
            return "modal"
        turned = [turn.place for turn in sentence.turned("denial", "negation")]
        if any(not any(meet(one, other) for other in self.denials) for one in turned):
            return "part"
        return "alternative" if re.search(r"\bor\b", outside) and not turned else ""

    # --- claims ---------------------------------------------------------------

    def claim(self, row: Mapping[str, Any], number: int) -> Iterator[Relational]:
        """Yield a claim in each of its readings, for each of its times."""
        self.begin()
        if row["event"]:
            return  # what an event dates is left open
        beside = row["than"] or row["age"] or row["count"]
        plain = list(self.beside(row) if beside else self.readings(row))
        if not plain:
            return
        said = self.places(row["said"])
        if said is None:
            self.dropped[NO_WORDS] += 1
        verb = " … ".join(map(self.sentence.text, said or ()))
        exclusion = _EXCLUSIONS[row["as"]] or ("" if said is not None else "part")
        polarity, misread = self.denied(row)
        exclusion = exclusion or misread
        bound, misread, vague = self.bound(row, [one.object for one, _ in plain])
        exclusion = exclusion or misread
        row = _no_more(row)
        # denied within a bound, it says the contrary of more than the claim does
        within_bounds = bound or {(one["is"], one["of"]) for one in row["times"]} - _WHOLE
        if polarity == "negative" and within_bounds:
            exclusion = exclusion or "part"
        times = [*self.times(row)]
        if any(one is None for one in times):
            exclusion = exclusion or "part"
        whens = [when or {} for when in times] or [{}]  # each time is a claim of its own
        current, ongoing = self.current(row, verb), _is_ongoing(row, verb)
        items = all(prop.kind == "item" for _, prop in plain)
        ends = [end for one, _ in plain if items for end in (one.subject, one.object)]
        self.say(said or (), [prop for _, prop in plain], ends)
        first, _ = plain[0]
        told = self.verbs(said or ()) if items else set[str]()
        match = self.sentence.relations.match(f"[X] {verb} [Y]")
        if any(one.band == "lexicon" for one in match.candidates) and ENDS & told <= {"end"}:
            told -= ENDS  # a river that ends in a sea is there still
        begins, ended = (not verbs.isdisjoint(told) for verbs in (BEGINS, ENDS))
        agreed = self.agrees(verb, [prop for _, prop in plain])
        for (one, _), (part, when) in product(plain, enumerate(whens)):
            # of the ways to say it one is meant: only that may be refuted
            sure = (one is first or _is_office(one, first)) and agreed
            doubts = () if sure else ("property",)
            full = replace(
                one,
                polarity=one.polarity if one.side == "count" else polarity,
                exclusion=one.exclusion or exclusion,
                bound=bound,
                current=current and not one.side,
                group=f"{self.sentence.place.start}.{number}.{part}",
                doubts=(*one.doubts, *doubts, *(["unread"] if vague else [])),
            )
            full = replace(full, **when)
            if full.how in _OF_MOMENTS and not full.moment:
                moment = moment_of(f"[X] {verb} [Y]") or ("end" if ended else "")
                full = replace(full, moment=moment or ("start" if begins else ""))
            if ended and full.moment != "end" and full.how != "ending":
                full = replace(full, exclusion=full.exclusion or "part")
            if full.how == "beginning" and ongoing:
                full = replace(full, phrase=_IS.sub(" has been", full.phrase))
            yield full

    def beside(self, row: Mapping[str, Any]) -> Iterator[tuple[Relational, Property]]:
        """Yield what words say beside another thing or a number, as our own wordings read them.

        These are put together as one clause: whom it is told of, and the words in their order.
        """
        reading = next(iter(row["readings"]), None)
        shown = self.properties.get(_folded(reading["property"]), []) if reading else []
        parts = [row["said"], row["age"], *(one["words"] for one in row["count"])]
        parts += [one[name] for one in row["than"] for name in ("words", "by")]
        ends = [reading["thing"], *(one["thing"] for one in row["than"])] if reading else []
        named = [self.place(one, f"end {number}") for number, one in enumerate(ends)]
        said = [self.places(one, f"beside {number}") for number, one in enumerate(parts)]
        if len(shown) != 1 or not all(named) or None in said:
            self.dropped[NO_WORDS if shown else NO_PROPERTY] += 1
            return
        first, *others = [self.named(one) for one in named if one]
        between = {at for places in said for one in places or () for at in _range(one)}
        text, starts = "", tuple[int, ...]()
        for places in (sorted(_range(first)), sorted(between), *(map(_range, others))):
            for at in places:
                gap = bool(text) and at != starts[-1] + 1
                text += " " * gap + self.text[at]
                starts += (-1,) * gap + (at,)
        clause = Clause(" ".join(text.split()), starts)
        for read in (compared, aged, counted):
            for one in read(self.sentence, clause) if len(clause.text) == len(starts) else ():
                spans = [Span(first.source, at, at + 1) for at in starts if at >= 0]
                self.fill("comparison", *spans, apart=True)
                self.denials += spans if one.side == "count" else []  # "no children"
                meant = shown[0].iri if one.side == "count" else None
                yield replace(one, meant=meant, claim=None, origin="model"), shown[0]
                return

    def agrees(self, verb: str, properties: Sequence[Property]) -> bool:
        """Return whether the lexicon does not know words of properties as those of another one."""
        kind = cast(ObjectKind, properties[0].kind)
        match = self.sentence.relations.match(f"[X] {verb} [Y]", object_kind=kind)
        known = {one.property for one in match.candidates if one.band == "lexicon"}
        own = {one.iri for one in properties}
        return bool(match.reason) or not known or not known.isdisjoint(own)

    def readings(self, row: Mapping[str, Any]) -> Iterator[tuple[Relational, Property]]:
        """Yield what a claim says of two things by each property that was shown."""
        for reading in row["readings"]:
            found = self.properties.get(_folded(reading["property"]), [])
            if len(found) != 1:
                self.dropped[NO_PROPERTY] += 1
                continue
            (prop,) = found
            thing = self.place(reading["thing"], "end")
            if thing is None:
                self.dropped[NO_WORDS] += 1
                continue
            thing = self.named(thing)
            phrase = f"[X]'s {prop.label or local_name(prop.iri)} is [Y]"
            plain = Relational(thing, phrase, thing, meant=prop.iri, origin="model")
            # what one reading has for its thing another may have for its value
            end = "end" if reading["value"] != reading["thing"] else "other end"
            one = self.valued(self.place(reading["value"], end), plain, prop)
            if one is not None:
                self.fill("thing", thing)
                self.slots["property"] = None
                yield one, prop

    def valued(self, span: Span | None, plain: Relational, prop: Property) -> Relational | None:
        """Return a claim with its value as we read it, None where that is none of the property."""
        if span is None:
            self.dropped[NO_WORDS] += 1
            return None
        if prop.kind in ("time", "quantity"):
            literal = self.literal(span, prop.kind)
            if literal is None:
                self.dropped[NO_VALUE] += 1
                return None
            self.fill("value", literal[0], apart=True)
            return replace(plain, object=literal[0], value=literal[1])
        if prop.kind == "text":
            self.fill("value", span)
            return replace(plain, object=span, value=Literal(self.sentence.text(span)))
        span = self.named(span)
        if self.sentence.value(span) is not None or span == plain.subject:
            self.dropped[NO_VALUE] += 1
            return None
        self.fill("value", span)
        people = COUNTRIES.get(self.sentence.text(plain.subject), "")
        if people:  # the land is what a link is looked for by its name
            turned = plain.phrase.replace("[X]", "[Z]").replace("[Y]", "[X]").replace("[Z]", "[Y]")
            return replace(plain, subject=span, phrase=turned, object=plain.subject, named=people)
        return replace(plain, object=span, named=COUNTRIES.get(self.sentence.text(span), ""))

    def literal(self, span: Span, kind: str) -> tuple[Span, Literal] | None:
        """Return the one value of a kind that stands in a place, None where there is not one."""
        article = _AN.search(self.text, 0, span.start)  # "a billion dollars"
        span = replace(span, start=article.start()) if article else span
        inside = [
            (m.span, m.node)
            for m in self.sentence.mentions
            if isinstance(m.node, Literal)
            and span.start <= m.span.start
            and m.span.end <= span.end
            and kind_of(m.node) == kind
        ]
        whole = [
            one for one in inside
            if not any(within(one[0], other[0]) for other in inside if other is not one)
        ]  # fmt: skip
        return whole[0] if len(whole) == 1 else None

    # --- what is said of it ---------------------------------------------------

    def denied(self, row: Mapping[str, Any]) -> tuple[Any, Exclusion]:
        """Return the polarity of a claim, and what is amiss: a denial that we do not know."""
        places = self.places(row["denied"], "denied")
        if places is None:
            self.dropped[NO_WORDS] += 1
            return "negative", "part"
        if not places:
            return "positive", ""
        wrong = any(says_wrong(self.sentence.text(one)) for one in places)
        self.fill("denied", *places, apart=wrong)
        self.denials += places
        turned = [
            turn.place
            for turn in self.sentence.turned("denial", "negation")
            if any(meet(turn.place, one) for one in places)
        ]
        known = {word for one in places for word in self.sentence.text(one).lower().split()}
        plain = wrong or turned or not known.isdisjoint(NEGATIVE)
        twice = len(turned) > 1 and known.isdisjoint({"neither", "nor"})
        return "negative", "part" if twice or not plain else ""

    def bound(
        self, row: Mapping[str, Any], values: Sequence[Span]
    ) -> tuple[Bound, Exclusion, bool]:
        """Return what a value is to the claim, what is amiss, and whether the model alone says so.

        Words that say otherwise are amiss.
        """
        bound, places = OF_BOUNDS[row["bound"]], self.places(row["limit"])
        if places is None:
            self.dropped[NO_WORDS] += 1
            return bound, "part", True
        figures = [one for one in values if self.sentence.value(one) is not None]
        for place in places if bound and figures else ():
            self.fill("bound", *self.known(place, _OF_BOUNDS), apart=True)
            self.fill("bound", place)  # words that we do not know may turn the rest
        start = self.sentence.place.start
        said = [(self.text[start : one.start], one) for one in figures]
        said += [(self.sentence.text(place) + " ", one) for place in places for one in figures]
        own = {bounded(self.sentence, one, f"{words}[Y]")[1] for words, one in said} - {""}
        misread = own - {bound} or (bound and not places)
        return bound, "part" if misread else "", bool(bound) and bound not in own

    def times(self, row: Mapping[str, Any]) -> Iterator[dict[str, Any] | None]:
        """Yield when a claim is said to be so, as its slots; None where we read it otherwise."""
        for time in row["times"]:
            places = self.places(time["words"])
            if places is None:
                self.dropped[NO_WORDS] += 1
                yield None
                continue
            how, moment = cast(Relation, HOW[time["is"]]), _MOMENTS[time["of"]]
            if not places:
                yield {"moment": moment} if moment == "end" else None
                continue
            self.slots["time"] = None
            if len(row["times"]) > 1:
                again = (one for place in places for one in self.known(place, IN_TURN))
                self.fill("time", *again, apart=True)
            yield self.dated(places, how, moment)

    def dated(self, places: Sequence[Span], how: Relation, moment: Moment) -> dict[str, Any] | None:
        """Return the slots of a time as our own wordings read its words, None if that is another.

        What else stands among the words is left unread.
        """
        first, last = min(p.start for p in places), max(p.end for p in places)
        clause = Clause(self.text[first:last], tuple(range(first, last)))
        for one in undated(self.sentence, clause):
            told = "holding" if one.how == "by" and how == "holding" else one.how
            if told == how:
                read = set(clause.starts) - {*one.starts}
                self.fill("time", *(Span(places[0].source, at, at + 1) for at in read), apart=True)
                end = "start" if how == "beginning" else "end" if how == "ending" else ""
                moment = "" if moment == end else moment
                return {
                    "at": one.at, "to": one.to, "how": how, "moment": moment, "length": one.length,
                }  # fmt: skip
        return None

    def current(self, row: Mapping[str, Any], verb: str) -> bool:
        """Return whether a claim says that it is so today; where the verb tells, that counts."""
        told = {word.lower() for word in WORD.findall(verb)}
        if told.isdisjoint(PRESENT | PAST | FORMER):
            return bool(row["tense"] == "now")
        return is_current(verb)


def _no_more(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a claim that is denied with what was so no more "by 1990" as not so then."""
    if not row["denied"]:
        return row
    return {**row, "times": [t | {"is": "in"} if t["is"] == "by" else t for t in row["times"]]}


def _is_ongoing(row: Mapping[str, Any], verb: str) -> bool:
    """Return whether what has begun is said to be so still."""
    told = set(verb.lower().split())
    return row["tense"] == "now" or ("been" in told and not told.isdisjoint({"has", "have"}))


def _is_office(one: Relational, other: Relational) -> bool:
    """Return whether two relations are of who holds an office, each from its own side.

    "Mayor of Ulm" is what somebody is, of whom Ulm may have it stated too.
    """
    pairs = ((one, other), (other, one))
    return any(
        a.subject == b.object and (within(b.subject, a.object) or a.object == b.subject)
        for a, b in pairs
        if a.object != b.subject
    )


def _range(span: Span) -> range:
    return range(span.start, span.end)


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
