"""Who takes which part in what: roles by their nouns, and by the verbs that have them in them.

Clauses are read: "X is the tenant", "names X as tenant", "the tenant, X," and "X rents it from Y"
say of one lease who has which part. What part in which of several things is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import DETERMINERS
from groundrules.claims.english.identity import FOR_ANOTHER, HOLDING, TELLING_APART
from groundrules.claims.facts.clauses import Clause
from groundrules.ontology.read.deeds import doers, done_to, is_so, under, wordings
from groundrules.ontology.read.lexicon import Frame, Kind, Relation
from groundrules.ontology.read.nouns import (
    determiner_of,
    is_either,
    lemma_of,
    links,
    phrase_of,
    place_of,
)
from groundrules.ontology.read.referents import PRONOUNS, Held, Referents, Sentence
from groundrules.ontology.read.relations import DENIAL, ONCE, OPEN, Things
from groundrules.ontology.read.sentences import Marked, Word
from groundrules.terms import ENTITY, Polarity, Span, mint

__all__ = ["Part", "Parts"]

#: The longest sentence that is read for parts, in code points.
LONGEST = 800
_APART = re.compile(rf"(?i)(?:the\s)?(?:{TELLING_APART})$")
_WHERE = re.compile(r"\b[Ww]here(?:ver)?\b(?! appl)|\b[Ww]hichever\b")
_FOR_ANOTHER = re.compile(FOR_ANOTHER)
#: Who "had been" the seller was so at another time.
_ONCE_HELD = re.compile(r"\bhad\s(?:\w{1,12}\s)?been\b")
#: A name of which a part is read only: "Harding & Sons", "Alder Homes (Scotland) Ltd".
_GOES_ON = re.compile(r"\s&\s|\s\([A-Z][\w\s]{1,30}\)\s[A-Z]")
_WENT_BEFORE = re.compile(r"(?:&\s|[A-Z]\w{1,30}\s\([A-Z][\w\s]{1,30}\)\s)$")
_DETERMINER = rf"(?i:{'|'.join(sorted(DETERMINERS))})"
_NO_NAME = re.compile(rf"(?:{_DETERMINER}\s)?[a-z]+$|{_DETERMINER}\s[a-z]")
#: Who or what may be said to have a part.
_HOLDERS = frozenset({"NAME", "DATE", "MONEY", "SECTION", "DURATION", "PERCENT"})
#: "A tenant of the building" need not be that of the lease.
_SOME = frozenset({"a", "an", "any", "some"})
_TIMES = frozenset({"DATE", "DURATION"})
#: Links by which a role stands beside a name.
_BESIDE = frozenset({"also", "mod"})
#: A role with who has it, and the nouns that tell in what.
_Given = tuple[Relation, Any, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Part:
    """A part that somebody has: in the thing `held`, if one is named, as to `what`, if any is.

    What is `denied` is said not to be his. A `deed` is the place of the verb that gives the part.
    """

    role: Relation
    holder: Word
    held: Held | None
    what: str
    span: Span
    denied: bool = False
    deed: int = -1


class Parts:
    """Reads the clauses of sentences for parts in the things that were spoken of."""

    def __init__(self, things: Things, known: Referents) -> None:
        self.things = things
        self.lexicon = things.lexicon
        self.text = known.text
        self.known = known
        self.kinds: dict[str, list[Kind]] = {}
        for kind in self.lexicon.kinds:
            if kind.sign:
                self.kinds.setdefault(kind.sign, []).append(kind)

    def holding(self) -> Iterator[Marked]:
        """Yield the sentences that name somebody and a part, or what one does in it."""
        nouns = {noun.split()[-1] for kind in self.lexicon.kinds for noun in kind.nouns}
        # verbs of several forms are found by what is done: "make an invention" was "made"
        doing = {phrase.split()[-1][:4] for phrase in self.lexicon.frames}
        either = sorted({*self.lexicon.roles, *nouns}, key=len, reverse=True)
        words = re.compile(
            rf"(?i)\b(?:(?:{'|'.join(map(re.escape, either)) or '(?!)'})s?\b"
            rf"|(?:{'|'.join(sorted(map(re.escape, doing))) or '(?!)'}))"
        )
        elsewhere = self.lexicon.elsewhere
        for sentence in self.things.sentences:
            line = self.text[sentence.span.start : sentence.span.end]
            if len(line) > LONGEST or not words.search(line):
                continue
            if not any(self._is_holder(word) for word in sentence.words.values()):
                continue
            open_ = OPEN.search(DENIAL.sub("", line)) or _WHERE.search(line)
            if open_ or ONCE.search(line) or _FOR_ANOTHER.search(line):
                continue
            if elsewhere is None or not elsewhere.search(line):
                yield sentence

    def told(
        self, clause: Clause, others: Mapping[int, Clause], sentence: Sentence
    ) -> Iterator[Part]:
        """Yield the parts that a clause gives."""
        denied = clause.polarity == "negative"
        if is_so(clause) and (not denied or clause.lemma == "be"):
            framed = list(self._by_verb(clause, others, sentence))
            given = [*self._told(clause, sentence), *framed]
            deed = sentence.span.start + clause.verb.i if framed else -1
            yield from self._given(given, clause.verb, sentence, denied=denied, deed=deed)

    def beside(self, sentence: Sentence) -> Iterator[Part]:
        """Yield the parts whose nouns stand beside who has them."""
        for role, holder, around in self._beside(sentence):
            yield from self._given([(role, holder, around)], holder, sentence)

    def _given(
        self,
        given: Sequence[_Given],
        top: Any,
        sentence: Sentence,
        *,
        denied: bool = False,
        deed: int = -1,
    ) -> Iterator[Part]:
        """Yield the parts that words give, each in the thing that they or those above name."""
        for role, holder, around in given:
            word = self._holder(holder, sentence)
            known, held = self._thing(role, around, top, sentence)
            if word is not None and known:
                ends = [place_of(one) for one in (top, *around)]
                places = [sentence.span.start + at for end in ends for at in end]
                span = self.things.assertions.span(
                    min(word.span.start, *places), max(word.span.end, *places)
                )
                yield Part(role, word, held, _what(around), span, denied, deed)

    def _by_verb(
        self, clause: Clause, others: Mapping[int, Clause], sentence: Sentence
    ) -> Iterator[_Given]:
        for phrase, taken in wordings(clause, others):
            for frame in self.lexicon.frames.get(phrase, ()):
                yield from self._framed(frame, clause, taken, sentence)

    def _told(self, clause: Clause, sentence: Sentence) -> Iterator[_Given]:
        """Yield roles with who has them, and the nouns that tell in what."""
        objects = [a.token for a in clause.arguments if a.role == "object"]
        said = [a.token for a in clause.arguments if a.role == "be"]
        subjects = clause.subjects
        if clause.lemma in HOLDING and not _ONCE_HELD.search(clause.verb.sent.text):
            # a parser may take "becomes the tenant" for a deed
            for one in (*said, *(objects if clause.lemma != "be" else ())):
                for subject in subjects:
                    for noun, holder in ((one, subject), (subject, one)):
                        named = any(link in {"under", "in"} for link, _ in links(noun))
                        named = named or determiner_of(noun) not in _SOME
                        if named and (role := self._role(noun)) is not None:
                            yield role, holder, (noun,)
        for noun in under(clause, "as"):
            role = self._role(noun)
            called = [one for one in objects if self._holder(one, sentence)]
            holders = called or [*subjects] or under(clause, "between")
            if role is not None and len(holders) == 1:
                yield role, holders[0], (noun,)

    def _beside(self, sentence: Sentence) -> Iterator[_Given]:
        """Yield roles that stand beside who has them: "X, the tenant", "X, as sole tenant"."""
        for one in sentence.doc:
            for link, other in links(one):
                if link == "as" and (role := self._role(other)) is not None:
                    yield role, one, (other,)
                for noun, holder in ((other, one), (one, other)) if link in _BESIDE else ():
                    role, word = self._role(noun), self._word(holder, sentence)
                    # "Judge Tolliver" says what he is, and no part that he has in this
                    titled = link == "mod" and noun.pos_ == "PROPN" and role and role.alone
                    named = word is not None and (word.kind == "NAME" or link == "also")
                    if role and named and not titled and determiner_of(noun) not in _SOME:
                        yield role, holder, (noun,)

    def _framed(
        self, frame: Frame, clause: Clause, taken: Sequence[Any], sentence: Sentence
    ) -> list[_Given]:
        """Return the parts that a verb gives, where names fill all of its slots."""
        given: dict[str, list[Any]] = {"subj": doers(clause), "obj": done_to(clause)}
        given["to"] = [a.token for a in clause.arguments if a.role == "to"]
        # "sells 400 tonnes of barley to X": what hangs from what is sold is to whom
        hung = [pair for one in (*done_to(clause), *taken) for pair in _within(one)]
        for link, one in ((a.preposition, a.token) for a in clause.arguments if a.preposition):
            given.setdefault(link, []).append(one)
        for link, one in hung:
            given.setdefault(link, []).append(one)
        found: list[_Given] = []
        for role, property_ in frame.slots:
            if property_ is None:
                if not given.get(role):
                    return []
                continue
            named = {one.i: one for one in given.get(role, ()) if one not in taken}.values()
            words = [(word, one) for one in named if (word := self._word(one, sentence))]
            fillers = {w.span: one for w, one in words if w.kind not in frame.besides}
            if named and not fillers and len(frame.slots) > 1:
                continue  # "against her employer" is against somebody
            if len(fillers) != 1:
                return []
            found.append(
                (
                    Relation(property=property_, words=(), of=frame.of),
                    *fillers.values(),
                    tuple(taken),
                )
            )
        return found

    def _role(self, noun: Any) -> Relation | None:
        """Return the role that a noun names: "the sole tenant"."""
        head = lemma_of(noun)
        mods = (lemma_of(one) for link, one in links(noun) if link == "mod")
        for name in (*(f"{mod} {head}" for mod in mods), head):
            if name in self.lexicon.roles:
                return self.lexicon.roles[name]
        return None

    def _is_holder(self, word: Word) -> bool:
        roled = {role.of for role in self.lexicon.roles.values()}
        signs = {one.name for one in self.lexicon.signs if one.type and one.name not in roled}
        return word.kind in _HOLDERS or (word.kind in signs and word.named)

    def _holder(self, noun: Any, sentence: Sentence) -> Word | None:
        word = self._word(noun, sentence)
        return word if word is not None and self._is_holder(word) else None

    def _word(self, noun: Any, sentence: Sentence) -> Word | None:
        """Return the name or value that a noun is, None where it is another."""
        at, start = sentence.span.start + noun.idx, sentence.span.start
        words = self.things.sentences[sentence.index].words.values()
        found = next((w for w in words if w.span.start <= at < w.span.end), None)
        if found is None or found.kind == "ROLE" or _NO_NAME.match(found.text) or is_either(noun):
            return None
        text = sentence.doc.text
        cut = _GOES_ON.match(text, found.span.end - start)
        cut = cut or _WENT_BEFORE.search(text, 0, found.span.start - start)
        return None if cut and found.kind == "NAME" else found

    def _thing(
        self, role: Relation, around: Sequence[Any], top: Any, sentence: Sentence
    ) -> tuple[bool, Held | None]:
        """Return whether it is clear in what a part is, and the thing, if the words name one."""
        found: dict[Node, Held] = {}
        for word in (*around, top):
            for inner in word.subtree:
                told = [*links(inner)] if inner.pos_ in {"NOUN", "PROPN"} else []
                told += [(c.lower_, g) for c in inner.children if c.dep_ == "prep"
                         for g in c.children if g.dep_ == "pobj"]  # fmt: skip
                if any(link == "under" and self._is_other(o, role, sentence) for link, o in told):
                    return False, None
                if any(link == "in" and self._is_apart(o, role, sentence) for link, o in told):
                    return False, None
                plain = inner.pos_ in {"NOUN", "PROPN"} and inner.dep_ != "compound"
                if not plain or inner in around or self._role(inner) is not None:
                    continue
                for kind in self.kinds.get(role.of, ()):
                    held = self.known.thing(inner, kind, sentence)
                    if held is not None:
                        found[held.node] = held
        return len(found) < 2, next(iter(found.values()), None)

    def _is_other(self, noun: Any, role: Relation, sentence: Sentence) -> bool:
        """Return whether a part is said to be "under" something else than the things we know."""
        known = self._is_known(noun, role, sentence)
        apart = _APART.match(phrase_of(noun).strip(" ,."))
        return bool(apart) or not (known or lemma_of(noun) in PRONOUNS)

    def _is_apart(self, noun: Any, role: Relation, sentence: Sentence) -> bool:
        """Return whether a part is said to be in one of several things: "in the first appeal"."""
        told = any(_APART.match(word) for word in phrase_of(noun).split()[:2])
        return told and not self._is_known(noun, role, sentence)

    def _is_known(self, noun: Any, role: Relation, sentence: Sentence) -> bool:
        kinds = self.kinds.get(role.of, ())
        return any(self.known.thing(noun, kind, sentence) is not None for kind in kinds)

    def state(self, parts: Sequence[Part]) -> None:
        """State parts: each in the thing that its words name, or the only one of a document."""
        roles = {(part.role.of, part.role.property) for part in parts}
        parts = [part for part in parts if self._is_spoken_of(part, roles)]
        others = {part.deed for part in parts if self._is_of_another(part, parts)}
        parts = [part for part in parts if part.deed not in others]
        for part in parts:
            # an insurer of something tells nothing of what a tenant is one of
            near = [q for q in parts if q.role.property in self._facing(part.role.property)]
            named = {q.held.node for q in near if q.held and not _is_apart(q.held)}
            node = part.held.node if part.held else self._only(part.role.of, named)
            several = len({q.what for q in near if q.what}) > 1
            if node is None or (several and not part.what):
                continue
            if several:
                label = f"{self.things.assertions.labels.get(node, node)} of {part.what}"
                node = mint(ENTITY, label)
                self.things.assertions.labels.setdefault(node, label)
            holder = self._node(part.holder)
            if holder is not None:
                places = (None, None, part.holder.span)
                polarity: Polarity = "negative" if part.denied else "positive"
                self.things.assertions.state(
                    node, part.role.property, holder, part.span, parts=places, polarity=polarity
                )

    def _is_of_another(self, part: Part, parts: Sequence[Part]) -> bool:
        """Return whether a deed is another than those told: who gave in one takes in the other."""
        if part.deed < 0 or part.holder.kind != "NAME":
            return False
        facing = self._facing(part.role.property) - {part.role.property}
        return any(
            other.deed != part.deed
            and (other.deed >= 0 or part.held is None)
            and other.role.property in facing
            and other.holder.node == part.holder.node
            for other in parts
        )

    def _facing(self, property_: URIRef) -> set[URIRef]:
        """Return a part and those that one verb gives with it: who lends, and who borrows."""
        frames = (one for found in self.lexicon.frames.values() for one in found)
        given = ({name for _, name in frame.slots if name} for frame in frames)
        return {property_}.union(*(names for names in given if property_ in names))

    def _is_spoken_of(self, part: Part, roles: Set[tuple[str, URIRef]]) -> bool:
        """Return whether a document speaks of what a part is in: by name, or by another part."""
        alone = part.role.alone or part.held is not None or part.holder.kind != "NAME"
        others = sum(of == part.role.of for of, _ in roles)
        return alone or others > 1 or self.things.speaks_of(part.role.of)

    def _only(self, sign: str, named: set[Node]) -> Node | None:
        if len(named) == 1:
            return next(iter(named))
        return None if named else self.things.definite(sign)

    def _node(self, word: Word) -> Node | None:
        """Return the node of a holder; what is no name is of the class of its kind."""
        if word.kind == "NAME":
            return word.node if isinstance(word.node, URIRef) else None
        assertions = self.things.assertions
        sign = next((one for one in self.lexicon.signs if one.name == word.kind), None)
        class_ = sign.type if sign else self.lexicon.types.get(word.kind)
        if class_ is None:
            return None
        node = self.things.node(word) if sign else mint(ENTITY, f"{word.kind} {word.text}")
        if node is None or isinstance(node, Literal):
            return None
        assertions.labels.setdefault(node, word.text)
        assertions.state(node, RDF.type, class_, word.span, parts=(word.span, None, None))
        return node


def _is_apart(held: Held) -> bool:
    """Return whether a thing is told from another that was spoken of: "a different lease"."""
    return any(_APART.match(word) for word in held.key)


def _within(noun: Any) -> Iterator[tuple[str, Any]]:
    """Yield to and from whom something is, however deep it hangs on a noun."""
    for one in noun.subtree:
        if one.dep_ == "prep" and one.lower_ in {"to", "from"}:
            yield from ((one.lower_, c) for c in one.children if c.dep_ == "pobj")


def _what(around: Sequence[Any]) -> str:
    """Return what, or whose, a part is: the tenant "of Flat 2", the landlord "to Ms Orr"."""
    for noun in around:
        for link, one in links(noun):
            if link in {"of", "to"}:
                mods = {lemma_of(m) for how, m in links(one) if how in {"mod", "of"}}
                mods -= {"same", "said", "whole", "entire"}
                return " ".join([lemma_of(one), *sorted(mods)])
    return ""
