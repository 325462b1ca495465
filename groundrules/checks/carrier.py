"""Whether records carry a sentence of an answer, and what they lack of it.

Records are what a store states of things. A sentence is compared with the records of the documents
and parts that it names; two papers of one thing count as one. These must be in the records:

* its numbers; a number that counts something, together with what it counts;
* its days and people, as values of the property that the sentence speaks of;
* its quotations, word for word;
* three quarters of its other words.

Where the sentence denies something, a record must deny it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from rdflib.term import Literal, Node, URIRef

from groundrules.checks.idiom import (
    DAY,
    LONG,
    YEAR,
    Idiom,
    capitals,
    digits,
    idiom,
    in_words,
    less_precise,
    quotes,
    spelled,
    squashed,
)
from groundrules.claims.english.fillers import AROUND_DENIALS
from groundrules.claims.english.stems import uninflected
from groundrules.kb.records.formats import DCTERMS
from groundrules.kb.records.naming import Relation
from groundrules.kb.records.questions import Fact

#: From this share of its words on a record carries a sentence; measured on half of the questions,
#: see benchmarks/reports/questions.md.
CARRIES = 0.75

#: A record as it is held against a sentence: the thing, its label and what it states.
StatedRecord = tuple[URIRef, str, Sequence[Fact]]

_DATED = re.compile(r"\b(?:in|of|since|from|until|by)\s+(1[6-9]\d\d|20\d\d)\b(?!,\d)", re.I | re.A)
_DENIES = re.compile(
    r"\b(?:not(?!\s+only)|never|nobody|none|neither|nor|cannot|without|lacks?|lacking|no(?!\.|\s*\d))\b|n['’]t\b",
    re.I,
)
_TITLED = re.compile(
    r"\b(?:title (?:of [^“\"]{1,80} )?is|(?:is|was) (?:(?:en)?titled|the title of))\b", re.I
)
_AND = re.compile(r"[,;](?!\d)|\b(?:and|but|while|whereas)\b", re.I)


class RecordSupport:
    """The records that an answer was given: what sentences are held against."""

    def __init__(self, records: Iterable[StatedRecord]) -> None:
        self._records = list(records)
        self._idiom = idiom()
        self._families: dict[str, str] = {}
        self._earlier: dict[tuple[Node, str], set[str]] = {}
        for fact in (fact for _, _, facts in self._records for fact in facts):
            s, p, o = fact.triple.subject, fact.triple.predicate, fact.triple.object
            if p in self._idiom.papers:
                self._families[self._idiom.document(s)] = self._family(o)
            if any(p == earlier for earlier, _ in self._idiom.earlier):
                known = self._earlier.setdefault((p, self._idiom.document(s)), set())
                known.add(self._idiom.document(o))

    def unsupported_part(self, sentence: str, cited: Iterable[URIRef] | None = None) -> str:
        """Return what of a sentence the records do not have, empty if they carry it.

        `cited` are the things that alone may carry it, None for all.
        """
        chosen = None if cited is None else set(cited)
        return self._about(sentence, chosen).unsupported_part(sentence)

    def dates(self, sentence: str, cited: Iterable[URIRef] | None = None) -> bool:
        """Return whether each day of a sentence is stated of the property that it speaks of."""
        chosen = None if cited is None else set(cited)
        parts = self._about(sentence, chosen).dated(sentence)
        return all(days and days <= own for days, _, own in parts)

    def names(self, text: str) -> list[tuple[int, int]]:
        """Return where a text has numbers and labels of things: figures in them are no values."""
        labels = {label for _, label, _ in self._records if re.search(r"\d", label)}
        found = [m.span() for label in sorted(labels) for m in re.finditer(re.escape(label), text)]
        found += [
            m.span(1) for m in self._idiom.figures.finditer(text) if len(digits(m[1])) >= LONG
        ]
        return found

    def _family(self, thing: Node) -> str:
        """Return the document of a thing; the papers of one thing have the same."""
        document = self._idiom.document(thing)
        return self._families.get(document, document)

    def _about(self, sentence: str, cited: set[URIRef] | None) -> _Statements:
        """Return what is stated of what a sentence names, or of all where it names nothing."""
        document = self._idiom.document
        bare = self._idiom.bare(sentence)
        figures = {digits(m[1]) for m in self._idiom.figures.finditer(bare)}
        words = squashed(bare)
        parts = set(self._idiom.parts_in(bare))
        of = {one.partition("#")[0] for one in parts}
        nodes = {
            node
            for thing, _, facts in self._records
            for node in (
                thing,
                *(end for f in facts for end in (f.triple.subject, f.triple.object)),
            )
            if isinstance(node, URIRef)
        }
        named = {
            self._family(node) for node in nodes
            if len(_ending(document(node))) >= LONG and _ending(document(node)) in figures
        }  # fmt: skip
        named |= {
            self._family(thing) for thing, label, _ in self._records
            if len(squashed(label)) >= LONG and squashed(label) in words
        }  # fmt: skip
        documents = {one for one in map(document, nodes) if self._families.get(one, one) in named}
        for property_, goes_back in self._idiom.earlier:
            if named and goes_back.search(bare):
                for one in list(documents):
                    documents |= self._earlier.get((property_, one), set())
        kept: list[tuple[str, Fact]] = []
        for thing, label, facts in self._records:
            if cited is not None and thing not in cited:
                continue
            part = self._idiom.part_of(thing)
            if part.partition("#")[0] in of and part not in parts:
                continue
            for fact in facts:
                ends = (thing, fact.triple.subject, fact.triple.object)
                if named and not any(
                    document(one) in documents for one in ends if isinstance(one, URIRef)
                ):
                    continue
                kept.append((label if not named or document(thing) in documents else "", fact))
        return _Statements(kept, self._family, self._idiom)


class _Statements:
    """Statements that bear on a sentence."""

    def __init__(
        self, told: Sequence[tuple[str, Fact]], family: Callable[[Node], str], idiom: Idiom
    ) -> None:
        self._idiom = idiom
        self._facts = [fact for _, fact in told]
        lines = [*dict.fromkeys(label for label, _ in told), *(fact.text for fact in self._facts)]
        self._text = squashed("\n".join(lines))
        self._marks, self._words = idiom.tokens("\n".join(lines))
        self._beside = {pair for line in lines for pairs in idiom.counted(line) for pair in pairs}
        self._said: list[tuple[URIRef, str, set[str]]] = []
        self._related: dict[Relation, set[tuple[str, str]]] = {
            one: set() for one in idiom.relations
        }
        # where no statement says what a part is related to, its words do
        self._refers = {one.of: set[tuple[str, str]]() for one in idiom.relations}
        self._family: dict[str, str] = {}
        for fact in self._facts:
            s, p, o = fact.triple.subject, fact.triple.predicate, fact.triple.object
            self._family.update(
                (_ending(idiom.document(one)), _ending(family(one)))
                for one in (s, o)
                if isinstance(one, URIRef)
            )
            for relation, pairs in self._related.items():
                if p in relation.properties and relation.of:
                    pairs.add((f"{relation.of}#{_ending(s)}", f"{relation.of}#{_ending(o)}"))
                elif p in relation.properties:
                    pairs.add((_ending(family(s)), _ending(family(o))))
            if isinstance(o, Literal) and (part := idiom.part_of(s)):
                word = part.partition("#")[0]
                self._refers.setdefault(word, set()).update(
                    (part, other) for other in idiom.parts_in(o) if other.startswith(f"{word}#")
                )
            if isinstance(p, URIRef) and p in (*idiom.dates, *idiom.people):
                # a value is said after or before the thing, whose number no day or name has
                marks, words = idiom.tokens(fact.text)
                named = {uninflected(one.casefold()) for one in capitals(f". {fact.text}")}
                days = {one for m in marks if m.startswith("@") for one in less_precise(m)}
                self._said.append((p, _ending(family(s)), days | (named & words)))
        self._marks |= {one for m in self._marks if m.startswith("@") for one in less_precise(m)}

    def unsupported_part(self, sentence: str) -> str:
        """Return what of a sentence is not stated, empty if it is carried."""
        marks, words = self._idiom.tokens(sentence)
        if missing := sorted(marks - self._marks):
            return ", ".join(f"“{spelled(one)}”" for one in missing[:4])
        if not marks and not words - AROUND_DENIALS:
            return "it, for it says nothing of a record"
        bare = self._idiom.bare(sentence)
        for pairs in self._idiom.counted(bare):
            if not pairs & self._beside:
                return " or ".join(f"“{in_words(' '.join(one), bare)}”" for one in sorted(pairs))
        for quote in quotes(sentence):
            if squashed(quote) not in self._text:
                return f"these words: “{quote[:60]}{'…' if len(quote) > 60 else ''}”"
        if other := self._misplaced(sentence, bare, words):
            return other
        told = {one for one in words if one not in self._idiom.plain}
        if (found := _DENIES.search(bare)) and not self._denied(words - AROUND_DENIALS):
            return f"the “{found[0]}” of it"
        gone = sorted(told - self._words)
        named = {uninflected(one.casefold()) for one in capitals(sentence)}
        if strange := sorted((named | self._idiom.turning) & set(gone)):
            return ", ".join(f"“{in_words(one, sentence)}”" for one in strange[:4])
        if told and len(told) - len(gone) < CARRIES * len(told):
            return ", ".join(f"“{in_words(one, sentence)}”" for one in gone[:4])
        return ""

    def dated(self, sentence: str) -> Iterator[tuple[set[str], set[URIRef], set[str]]]:
        """Yield of each part of a sentence its days, the properties it speaks of, and theirs."""
        for part, spoken in self._parts(self._idiom.bare(sentence)):
            days = {
                m for m in self._idiom.tokens(part)[0] if m.startswith("@") or YEAR.fullmatch(m)
            }
            yield days, spoken, self._values(spoken, self._subjects(part))

    def _values(self, properties: Iterable[URIRef], subjects: Sequence[str] = ()) -> set[str]:
        chosen = set(properties)
        return set().union(
            *(
                values
                for p, subject, values in self._said
                if p in chosen and (not subjects or subject in subjects)
            )
        )

    def _subjects(self, part: str) -> list[str]:
        """Return the documents that a part may speak of: with "…, which" the one before it."""
        named, _, rest = part.rpartition(", which ")
        found = self._idiom.numbers(named or rest)
        found = [self._family[one] for one in found if one in self._family]
        return found[-1:] if named else found

    def _parts(self, sentence: str) -> Iterator[tuple[str, set[URIRef]]]:
        """Yield the parts of a sentence with a day each, and the properties they speak of.

        "Filed on …, granted on …" has the words before the day, "On … filed" after it; a part that
        speaks of none goes on with those of the part before.
        """
        days = [m.span() for m in DAY.finditer(sentence)]
        days = sorted([*days, *(
            m.span(1) for m in _DATED.finditer(sentence)
            if not any(a < m.end(1) and m.start(1) < b for a, b in days)
        )])  # fmt: skip
        first = days[0][0] if days else 0
        if self._idiom.properties_in(sentence[:first], self._idiom.dates):
            cuts = [0, *(end for _, end in days[:-1]), len(sentence)]
        else:
            cuts = [0, *(start for start, _ in days[1:]), len(sentence)]
        spoken = set[URIRef]()
        for start, end in pairwise(cuts):
            spoken = self._idiom.properties_in(sentence[start:end], self._idiom.dates) or spoken
            yield sentence[start:end], spoken

    def _misplaced(self, sentence: str, bare: str, words: set[str]) -> str:
        """Return what a sentence says of another property or the wrong way round, else nothing."""
        every = self._values(self._idiom.dates)
        wrong = {
            one
            for days, spoken, own in self.dated(sentence)
            if spoken
            for one in days & every - own
        }
        if meant := self._idiom.properties_in(sentence, self._idiom.people):
            people = {uninflected(one.casefold()) for one in capitals(f". {sentence}")}
            wrong |= people & self._values(self._idiom.people) - self._values(meant)
            wrong |= self._swapped(sentence)
        if wrong:
            listed = (f"“{in_words(spelled(one), sentence)}”" for one in sorted(wrong))
            return f"{', '.join(listed)} for that"
        if _TITLED.search(sentence):
            titles = [str(f.triple.object) for f in self._facts
                      if f.triple.predicate == DCTERMS.title]  # fmt: skip
            if not any(squashed(title) in squashed(sentence) for title in titles):
                return "that title"
        if self._idiom.order.search(bare):
            return "which of them came first"
        return self._reversed(bare)

    def _swapped(self, sentence: str) -> set[str]:
        """Return the people of a part of a sentence that are not of the property it speaks of.

        "Inventor and assignee are A and B" has parts without people, and tells nothing.
        """
        every = self._values(self._idiom.people)
        wrong: set[str] = set()
        for part in _AND.split(sentence):
            meant = self._idiom.properties_in(part, self._idiom.people)
            people = every & {uninflected(one.casefold()) for one in capitals(f"x {part}")}
            if meant and not people:
                return set()
            if len(meant) == 1:
                wrong |= people - self._values(meant)
        return wrong

    def _reversed(self, bare: str) -> str:
        """Return what a sentence relates otherwise than the statements do, else nothing."""
        return next(
            (
                wrong
                for relation in self._idiom.relations
                if (wrong := self._parts_misrelated(relation, bare) if relation.of
                    else self._documents_misrelated(relation, bare))
            ), "",
        )  # fmt: skip

    def _documents_misrelated(self, relation: Relation, bare: str) -> str:
        pairs = self._related[relation]
        for s, o, sure in self._idiom.related(bare, relation):
            pair = self._family.get(s, s), self._family.get(o, o)
            said = f"that {s} {relation.says} {o}"
            if pair not in pairs and pair[::-1] in pairs:
                return f"{said}, but that {o} {relation.says} {s}"
            # a document that is only in the words of another is related to it in them
            known = pairs or {s, o} <= self._family.keys()
            if sure and known and pair not in pairs:
                return said
        return ""

    def _parts_misrelated(self, relation: Relation, bare: str) -> str:
        stated = self._related[relation]
        for s, o, _ in self._idiom.related(bare, relation):
            if (s, o) not in (stated or self._refers[relation.of]):
                return f"that {spelled(s)} {relation.says} {spelled(o)}"
        related = {s for s, _ in stated}
        if relation.lacking in re.findall(r"\w+", bare.casefold()):
            for part in self._idiom.parts_in(bare):
                if part in related:
                    return f"that {spelled(part)} is {relation.lacking}"
        return ""

    def _denied(self, told: set[str]) -> bool:
        """Return whether a record denies something, in all of the same words."""
        return any(
            _DENIES.search(fact.text) and told <= self._idiom.tokens(fact.text)[1]
            for fact in self._facts
        )


def _ending(node: Node | str) -> str:
    return digits(str(node).rpartition("/")[2])
