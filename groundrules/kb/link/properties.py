"""Relation phrases to properties: lexicon, then labels; direction and abstention.

A phrase is written with its slots, "[X] is the capital of [Y]", or without, "be capital of", which
reads "[X] be capital of [Y]": [X] is what the claim is about.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, cast
from typing import Literal as OneOf

from rdflib.namespace import RDF, Namespace
from rdflib.term import URIRef

from groundrules.claims.english import (
    ARTICLES,
    BE,
    IRREGULAR_VERBS,
    POSSESSIVES,
    PREPOSITIONS,
    RELATIVES,
    SAME_PARTICIPLES,
)
from groundrules.claims.english.fillers import NO_RELATION, OF_RELATION_PHRASES, SAME_RELATION
from groundrules.claims.english.stems import uninflected
from groundrules.kb.link.label_wordings import is_participle, names_of, wordings_of
from groundrules.kb.sources.source import Kind, Property

WD = Namespace("http://www.wikidata.org/entity/")
WDT = Namespace("http://www.wikidata.org/prop/direct/")

#: How sure each of the two is.
_LEXICON, LABEL, _ALIAS = 1.0, 0.95, 0.9

Band = OneOf["lexicon", "own", "alias"]  # "own": the label of the property says so itself
Reason = OneOf["", "no_phrase", "no_candidate", "types"]
ObjectKind = OneOf["item", "time", "quantity", "text"]
#: Kinds of property that can have an object of a kind; a number in a text may be an identifier.
_KINDS: Mapping[str, frozenset[Kind]] = {
    "item": frozenset({"item"}),
    "time": frozenset({"time"}),
    "quantity": frozenset({"quantity"}),
    "text": frozenset({"text", "identifier"}),
}

_TOKEN = re.compile(r"\[[XY]\]|['’]s\b|(?<=s)['’](?=\s)|\w+")
_SLOTS = frozenset({"[X]", "[Y]"})
_WORDS = re.compile(r"[a-z]{3,}(?: [a-z]+)*")
_LONG = re.compile(r"\w{4,}")
_ARTICLES = ARTICLES | POSSESSIVES


@dataclass(frozen=True, slots=True)
class Pattern:
    """A way to say a property: [X] is its subject, [Y] its value, whichever comes first.

    `subjects` and `objects` are the classes of which they are to be an instance, empty for any. A
    noun has no slots: it stands for all the common forms, see `nominal`. A `typed` wording means
    the property only where the source says that both are of their classes.
    """

    property: URIRef
    text: str
    subjects: frozenset[URIRef] = frozenset()
    objects: frozenset[URIRef] = frozenset()
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A property that a phrase may mean; `inverse`: [Y] is its subject, [X] its value."""

    property: URIRef
    inverse: bool
    score: float
    band: Band


@dataclass(frozen=True, slots=True)
class Match:
    """What a phrase means, best first; where `reason` is not empty, nothing sure enough.

    Abstained, `candidates` are to be shown and not used. Several candidates of one score are
    readings among which neither phrase nor types decide.
    """

    candidates: tuple[Candidate, ...]
    reason: Reason = ""


@cache
def lexicon() -> tuple[Pattern, ...]:
    """Return the curated patterns and nouns of `relations.toml`, in its order."""
    text = Path(__file__).with_name("relations.toml").read_text("utf-8")
    data: dict[str, Any] = tomllib.loads(text)
    classes = {name: frozenset(WD[qid] for qid in ids) for name, ids in data.pop("classes").items()}
    found = []
    for pid, entry in data.items():
        subjects, objects = (
            frozenset().union(*(classes[name] for name in entry.get(slot, ())))
            for slot in ("x", "y")
        )
        found += [
            Pattern(WDT[pid], text, subjects, objects, typed)
            for typed, texts in (
                (False, (*entry["phrases"], *entry["names"])),
                (True, entry.get("typed", ())),
            )
            for text in texts
        ]
    return tuple(found)


@lru_cache(maxsize=2**15)  # the names of all properties are read again for each knowledge base
def words(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase by which it is looked up.

    Slots stay. Articles, "who", "which" and "that" after a slot, "used to" and adverbs such as
    "also" go; forms of a verb or noun fall together. "be a" before a slot is kept apart from "be":
    the one says what a thing is, the other which.
    """
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", phrase))
    out: list[str] = []
    for place, token in enumerate(tokens):
        if token in _SLOTS:
            out.append(token)
            continue
        word = token.lower().replace("’", "'")
        after_slot = bool(out) and out[-1] in _SLOTS
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        if word in _ARTICLES:
            last = following in _SLOTS and place + 2 == len(tokens)
            if word in {"a", "an"} and out[-1:] in (["be"], ["become"]) and last:
                out.append("a")
        elif word in RELATIVES and after_slot:
            continue
        elif word in SAME_RELATION or (word == "to" and out[-1:] == ["used"]):
            if word == "to":
                out.pop()
        elif word == "used" and following == "to":
            out.append("used")
        elif (word == "whose" and after_slot) or word in {"'s", "'"}:
            out.append("'s")
        elif word in BE:
            if out[-1:] == ["have"]:
                out.pop()
            out.append("be")
        elif (
            out[-1:] == ["have"]
            and tokens[place - 1].lower() not in _ARTICLES
            and (
                word.endswith("ed")
                or IRREGULAR_VERBS.get(word, word) != word
                or word in SAME_PARTICIPLES
            )
        ):
            out[-1] = uninflected(word)  # "has won", "had lived": tense
        else:
            out.append(uninflected(word))
    return tuple(out)


Key = tuple[str, ...]


def key(phrase: str) -> tuple[Key, bool] | None:
    """Return the words of a phrase with its slots in order of appearance, and if they changed.

    A phrase without slots has [X] before and [Y] behind it. None if it has but one slot or one
    twice, or no words at all.
    """
    found = words(phrase)
    if _SLOTS.isdisjoint(found):
        found = ("[X]", *found, "[Y]")
    slots = [word for word in found if word in _SLOTS]
    if sorted(slots) != ["[X]", "[Y]"] or len(found) < 3:
        return None
    if slots[0] == "[X]":
        return found, False
    other = {"[X]": "[Y]", "[Y]": "[X]"}
    return tuple(other.get(word, word) for word in found), True


def is_type_phrase(phrase: str) -> bool:
    """Return whether a phrase says what a thing is, and no more: "[X] was a [Y]"."""
    return key(phrase) == (("[X]", "be", "a", "[Y]"), False)


def nominal(form: Key) -> Iterator[tuple[Key, bool]]:
    """Yield the nouns or verbal labels that a key may rest on; True where [Y] is the subject.

    "The N of [X] is [Y]", "[X]'s N is [Y]" and "[X] has N [Y]" say the N of [X]; "[X] is the N of
    [Y]" and "[X] is [Y]'s N" that of [Y]; "[X] is V [Y]" holds a label that is verbal itself, as
    "educated at" or "member of".
    """
    first, second = form.index("[X]"), form.index("[Y]")
    before, between, after = form[:first], form[first + 1 : second], form[second + 1 :]
    if before:
        if not after and between in {("be",), ()} and before[-1] in {"of", "for"}:
            yield before[:-1], False
    elif after:
        if after[0] == "'s" and between in {("be",), ()}:
            yield after[1:], True
        elif between == ("have",):
            yield (after[1:] if after[0] == "as" else after), False
    elif between[0] == "'s":
        yield (between[1:-1] if between[-1] == "be" else between[1:]), False
    elif between[0] == "have":
        yield between, False
        yield between[1:], False
        if between[-1] in {"of", "as"}:
            yield between[1:-1], False
    elif between[:2] != ("be", "a"):
        body = between[2:] if between[1:2] == ("as",) else bare(between)
        body = body[1:] if body[:1] == ("become",) else body
        yield body, False
        if body[-1:] == ("of",) or (body[-1:] == ("for",) and between[0] == "be"):
            yield body[:-1], True


def _borrowed(
    patterns: Sequence[Pattern], properties: Mapping[URIRef, Property]
) -> Iterator[Pattern]:
    """Yield the ways to say properties of one's own that are called like those of the lexicon.

    Whoever calls a property "occupation" or "date of birth" need not list how texts say it. The
    classes of the lexicon are Wikidata's and are not asked for.
    """
    nouns: dict[Key, set[URIRef]] = defaultdict(set)
    for pattern in patterns:
        if _SLOTS.isdisjoint(_TOKEN.findall(pattern.text)):
            nouns[bare(words(pattern.text))].add(pattern.property)
    for iri, prop in sorted(properties.items()):
        if iri.startswith(WDT):
            continue
        called = [bare(words(name)) for name in (_name(prop), *_other_names(prop))]
        meant = set().union(*(nouns.get(name, ()) for name in called))
        for pattern in patterns:
            if pattern.property in meant and "[Y]" in pattern.text:
                yield Pattern(iri, pattern.text)


def _other_names(prop: Property) -> list[str]:
    """Return what a property of one's own is called besides its label: so the end of its IRI.

    A label that says more than that, "former owner" of `owner`, is not shortened.
    """
    label, own = prop.label.lower(), local_name(prop.iri)
    told = _WORDS.fullmatch(own) and not set(own.split()) < set(label.split())
    names = (*names_of(_name(prop)), *([own] if told else []))
    return [] if prop.iri.startswith(WDT) else [one for one in names if one != label]


def _name(prop: Property) -> str:
    return prop.label or local_name(prop.iri)


class Relations:
    """The properties of a knowledge base, by the phrases that may mean them.

    Patterns of properties that the knowledge base lacks are left out.
    """

    def __init__(
        self, properties: Mapping[URIRef, Property], patterns: Sequence[Pattern] | None = None
    ) -> None:
        self.properties = properties
        self._phrases: dict[Key, list[tuple[Pattern, bool]]] = defaultdict(list)
        self._grammar: dict[Key, list[tuple[Pattern, bool]]] = defaultdict(list)
        self._dated: dict[Key, list[tuple[Pattern, bool]]] = defaultdict(list)
        self._nouns: dict[Key, list[Pattern]] = defaultdict(list)
        self._labels: dict[Key, list[tuple[URIRef, float]]] = defaultdict(list)
        #: Written as one word: "homeport" for "home port".
        self._joined: dict[Key, list[tuple[URIRef, float]]] = defaultdict(list)
        known = lexicon() if patterns is None else patterns
        for pattern in known:
            if pattern.property in properties:
                self._learn(pattern)
        for pattern in _borrowed(known, properties):
            self._learn(pattern)
        for iri, prop in sorted(properties.items()):
            for text in prop.wordings:
                self._learn(Pattern(iri, text))
            own = () if iri.startswith(WDT) else dict.fromkeys((_name(prop), *_other_names(prop)))
            for text in (text for name in own for text in wordings_of(name, prop.kind)):
                self._learn(
                    Pattern(iri, text), self._dated if prop.kind == "time" else self._grammar
                )
        if RDF.type in properties:
            self._learn(Pattern(RDF.type, "[X] is a [Y]"))
        for iri, prop in sorted(properties.items()):
            for score, names in (
                (LABEL, (_name(prop),)),
                (_ALIAS, (*prop.aliases, *_other_names(prop))),
            ):
                for name in names:
                    form = bare(words(name))
                    if form and not NO_RELATION.issuperset(form):
                        self._labels[form].append((iri, score))
                        for part in range(3, len(name) - 2) if name.isalpha() else ():
                            split = words(f"{name[:part]} {name[part:]}")
                            self._joined[split].append((iri, score))

    def _learn(
        self, pattern: Pattern, into: dict[Key, list[tuple[Pattern, bool]]] | None = None
    ) -> None:
        phrases = self._phrases if into is None else into
        if _SLOTS.isdisjoint(_TOKEN.findall(pattern.text)):
            self._nouns[bare(words(pattern.text))].append(pattern)
            return
        found = key(pattern.text)
        if found is None:
            raise ValueError(f"pattern {pattern.text!r} must have the slots [X] and [Y] once")
        form, flipped = found
        phrases[form].append((pattern, flipped))
        # "Ulm, located in Germany", "Ulm, a German-language work": nothing but "is" is left out
        if (
            form[1] == "be"
            and len(form) > 4
            and form[2:] != ("a", "[Y]")
            and (form[2] == "[Y]" or not OF_RELATION_PHRASES.isdisjoint(form))
        ):
            phrases[(form[0], *form[2:])].append((pattern, flipped))

    @property
    def classes(self) -> frozenset[URIRef]:
        """The classes that decide between properties: what to ask of the types of a thing."""
        conditions = [
            pattern.subjects | pattern.objects
            for entries in self._phrases.values()
            for pattern, _ in entries
        ]
        ends = [(*prop.domain, *prop.range) for prop in self.properties.values()]
        return frozenset().union(*conditions, *ends)

    @property
    def offices(self) -> frozenset[URIRef]:
        """The classes of what may be held as a position."""
        return frozenset().union(*(p.objects for p in lexicon() if p.property == WDT.P39))

    def knows(self, phrase: str, *, titled: bool = True, kind: ObjectKind | None = None) -> bool:
        """Return whether lexicon or labels have the phrase; a label is to be of the `kind` given.

        A wording that is `typed` is known only of a value that is `titled`: written as a name.
        """
        return any(
            (titled or not pattern.typed)
            and (kind is None or band != "alias" or known in _KINDS[kind])
            for pattern, known, band in self._said(phrase)
        )

    def means(self, phrase: str, kind: ObjectKind) -> bool:
        """Return whether the lexicon has the phrase, or a label for a property of a kind."""
        kinds = (*_KINDS[kind], "text")
        return any(band != "alias" or known in kinds for _, known, band in self._said(phrase))

    def dates(self, phrase: str) -> bool:
        """Return whether a phrase says when: a property that has days is said so."""
        return any(known == "time" for _, known, _ in self._said(phrase))

    def _said(self, phrase: str) -> Iterator[tuple[Pattern, Kind, Band]]:
        """Yield what has a phrase, of whatever kind, with that kind."""
        found = key(phrase)
        for pattern, _, _, band in self._named(found[0]) if found else ():
            yield pattern, self.properties[pattern.property].kind, band

    def expected_types(self, phrase: str) -> tuple[frozenset[URIRef], frozenset[URIRef]]:
        """Return the classes that what a phrase may mean asks of [X] and of [Y], empty for any."""
        found = key(phrase)
        if found is None:
            return frozenset(), frozenset()
        form, swapped = found
        ends: tuple[set[URIRef], set[URIRef]] = set(), set()
        for pattern, flipped, _, _ in self._named(form):
            first, second = (pattern.subjects, pattern.objects)[:: -1 if flipped != swapped else 1]
            ends[0].update(first)
            ends[1].update(second)
        return frozenset(ends[0]), frozenset(ends[1])

    def match(
        self,
        phrase: str,
        *,
        subject_types: Collection[URIRef] = frozenset(),
        object_kind: ObjectKind = "item",
        object_types: Collection[URIRef] = frozenset(),
    ) -> Match:
        """Return the properties that a phrase means, best first, or the abstention.

        `subject_types` and `object_types` are the classes of what the slots hold, those above them
        included, as far as they are among `classes`; empty where nothing is known. Equal input
        gives equal output, whatever was matched before.
        """
        found = key(phrase)
        if found is None:
            return Match((), "no_phrase")
        form, swapped = found
        ends = (frozenset(subject_types), frozenset(object_types))
        if swapped:
            ends = (ends[1], ends[0])
        named = self._named(form, _KINDS[object_kind])
        return self._settle(named, ends, swapped) if named else Match((), "no_candidate")

    def meant(self, phrase: str, iri: URIRef, *, object_kind: ObjectKind) -> Match:
        """Return a property as what a phrase of its name means, or that it has no such values.

        One meaning needs no types, for a knowledge base seldom knows them all.
        """
        found = key(phrase)
        if self.properties[iri].kind not in _KINDS[object_kind]:
            return Match((), "no_candidate")
        return Match((Candidate(iri, found is not None and found[1], LABEL, "lexicon"),))

    def _named(
        self, form: Key, kinds: Collection[Kind] = ()
    ) -> list[tuple[Pattern, bool, float, Band]]:
        """Give what lexicon, else labels, else their grammar say of a key, of properties of kinds.

        That is a pattern, its direction, score and band.
        """

        def fits(iri: URIRef) -> bool:
            return not kinds or self.properties[iri].kind in kinds

        ways: tuple[tuple[Mapping[Key, list[tuple[Pattern, bool]]], Band], ...] = (
            (self._dated, "own"),
            (self._phrases, "lexicon"),
        )
        found: list[tuple[Pattern, bool, float, Band]] = [
            (pattern, flipped, _LEXICON, band)
            for patterns, band in ways
            for pattern, flipped in patterns.get(form, ())
            if fits(pattern.property)
        ]
        bodies = [(bare(body), flipped) for body, flipped in nominal(form)]
        found = found or [
            (pattern, flipped, _LEXICON, "lexicon")
            for body, flipped in bodies
            for pattern in self._nouns.get(body, ())
            if fits(pattern.property)
        ]
        borrowed = all(not pattern.property.startswith(WDT) for pattern, *_ in found)
        for body, flipped in bodies if borrowed else ():
            called = self._labels.get(body) or self._joined.get(body) or []
            labels = [(iri, score) for iri, score in called if fits(iri)]
            best = max((score for _, score in labels), default=0.0)
            known = {pattern.property for pattern, *_ in found}
            said: list[tuple[Pattern, bool, float, Band]] = [
                (self._pattern(iri), flipped, score, "alias")
                for iri, score in labels
                if score == best and iri not in known
            ]
            # what is called so itself comes before what is called like one of Wikidata, and the
            # label "student of" before the "student" of somebody
            if said and (best == LABEL or not found):
                found = [*said, *found]
                break
        return found or [
            (self._pattern(pattern.property), flipped, _ALIAS, "alias")
            for pattern, flipped in self._grammar.get(form, ())
            if fits(pattern.property)
        ]

    def _pattern(self, iri: URIRef) -> Pattern:
        prop = self.properties[iri]
        return Pattern(iri, "", frozenset(prop.domain), frozenset(prop.range))

    def _settle(
        self,
        named: Sequence[tuple[Pattern, bool, float, Band]],
        ends: tuple[frozenset[URIRef], frozenset[URIRef]],
        swapped: bool,
    ) -> Match:
        """Choose by types among the properties that one wording has."""
        fits: list[tuple[int, Candidate]] = []
        for pattern, flipped, score, band in named:
            fit = _fit(pattern, ends[::-1] if flipped else ends)
            if pattern.typed and fit < bool(pattern.subjects) + bool(pattern.objects):
                continue
            prop = self.properties[pattern.property]
            inverse = flipped != swapped and not prop.symmetric
            if all(c.property != prop.iri or c.inverse != inverse for _, c in fits):
                fits.append((fit, Candidate(prop.iri, inverse, score, band)))
        if not fits:
            return Match((), "types")
        best = max(fit for fit, _ in fits)
        if best < 0 and len(fits) > 1:
            return Match(tuple(c for _, c in fits[:3]), "types")
        # one meaning needs no types, for a knowledge base seldom knows them all; of several, one
        # whose conditions are all met rules out those of which that is not known
        return Match(tuple(c for fit, c in fits if fit == best))

    def worded(self) -> frozenset[URIRef]:
        """Return the properties of which the lexicon has wordings, and the kinds of things."""
        known = (*self._phrases.values(), *self._grammar.values())
        phrases = (pattern for found in known for pattern, _ in found)
        nouns = (pattern for found in self._nouns.values() for pattern in found)
        return frozenset(pattern.property for pattern in (*phrases, *nouns))

    def wordings(self, iri: URIRef) -> list[str]:
        """Return sentences that state a property, those of its own label first."""
        name = _name(self.properties[iri])
        tables = (self._dated, self._grammar, self._phrases)
        dated, *rest = (
            [one.text for found in table.values() for one, _ in found if one.property == iri]
            for table in tables
        )
        verbal = name and (is_participle(name.split()[0]) or name.split()[-1] in PREPOSITIONS)
        said = f"[X] is {name} [Y]" if verbal else f"the {name} of [X] is [Y]"
        kind = cast(ObjectKind, self.properties[iri].kind)
        return list({
            key(text): text
            for text in reversed((*dated, said, *rest[0], *rest[1]))
            if any(one.property == iri for one in self.match(text, object_kind=kind).candidates)
        }.values())[::-1]  # fmt: skip

    @cached_property
    def _by_word(self) -> Mapping[str, set[URIRef]]:
        found: dict[str, set[URIRef]] = defaultdict(set)
        for iri, prop in self.properties.items():
            names = (_name(prop), *prop.aliases, *_other_names(prop))
            for name in names if prop.kind in _KINDS else ():
                for word in words(name):
                    found[word].add(iri)
        return found

    def nearest(self, text: str, count: int) -> list[URIRef]:
        """Return the properties whose names share words with a text, those of rare words first."""
        shared: dict[URIRef, float] = defaultdict(float)
        for word in {one for token in _LONG.findall(text) for one in words(token)}:
            found = self._by_word.get(word, ())
            for iri in found:
                shared[iri] += 1 / len(found)
        return sorted(shared, key=lambda iri: (-shared[iri], iri))[:count]


def bare(form: Key) -> Key:
    """Return a key without a leading "be" or "a"."""
    while form[:1] in {("be",), ("a",)}:
        form = form[1:]
    return form


def _fit(pattern: Pattern, ends: Sequence[frozenset[URIRef]]) -> int:
    """Count the conditions of a pattern if all are met, 0 if some are open, -1 if one is not."""
    met, unknown = 0, False
    for wanted, types in zip((pattern.subjects, pattern.objects), ends, strict=True):
        if wanted and types and wanted.isdisjoint(types):
            return -1
        met += bool(wanted and types)
        unknown |= bool(wanted and not types)
    return 0 if unknown else met


def local_name(iri: URIRef) -> str:
    """Return the words of the last part of an IRI: birthPlace gives "birth place"."""
    last = re.split(r"[/#:]", iri)[-1]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-]+", " ", last).strip().lower()
