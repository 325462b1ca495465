"""Who takes which part in what: roles by their nouns, and by the verbs that have them in them.

Propositions are read: "X is the tenant", "names X as tenant", "the tenant, X," and "X rents it
from Y" say of one lease who has which part. What part in which of several things is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.document import plain
from groundrules.claims.english import DETERMINERS
from groundrules.claims.english.identity import (
    FOR_ANOTHER,
    HOLDING,
    OF_A_VALUE,
    SOMEBODY,
    TELLING_APART,
)
from groundrules.claims.slots import Term, terms_of
from groundrules.ontology.read.lexicon import Frame, Kind, Relation
from groundrules.ontology.read.referents import PRONOUNS, Held, Referents, Sentence, parsed, phrases
from groundrules.ontology.read.relations import DENIAL, ONCE, OPEN, Things
from groundrules.ontology.read.sentences import Masked, Word
from groundrules.terms import ENTITY, Polarity, Span, Triple, mint

__all__ = ["read_parts"]

#: The longest sentence that is read for parts, in code points.
LONGEST = 800
_FORCES = frozenset({"fact", "shall", "will", "must", "is to"})
_APART = re.compile(rf"(?i)(?:the\s)?(?:{TELLING_APART})$")
_WHERE = re.compile(r"\b[Ww]here(?:ver)?\b(?! appl)|\b[Ww]hichever\b")
_FOR_ANOTHER = re.compile(FOR_ANOTHER)
#: Who "had been" the seller was so at another time.
_ONCE_HELD = re.compile(r"\bhad\s(?:\w{1,12}\s)?been\b")
#: A name of which a part is read only: "Harding & Sons", "Alder Homes (Scotland) Ltd".
_GOES_ON = re.compile(r"\s&\s|\s\([A-Z][\w\s]{1,30}\)\s[A-Z]")
_DETERMINER = rf"(?i:{'|'.join(sorted(DETERMINERS))})"
_NO_NAME = re.compile(rf"(?:{_DETERMINER}\s)?[a-z]+$|{_DETERMINER}\s[a-z]")
_WENT_BEFORE = re.compile(r"(?:&\s|[A-Z]\w{1,30}\s\([A-Z][\w\s]{1,30}\)\s)$")
#: Who or what may be said to have a part.
_HOLDERS = frozenset({"NAME", "DATE", "MONEY", "SECTION", "DURATION", "PERCENT"})

#: "A tenant of the building" need not be that of the lease.
_SOME = frozenset({"a", "any", "some"})
_TIMES = frozenset({"DATE", "DURATION"})


@dataclass(frozen=True, slots=True)
class _Part:
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


def read_parts(things: Things) -> None:
    """State who has which part in the things that a document speaks of."""
    lexicon = things.lexicon
    if not lexicon.roles and not lexicon.frames:
        return
    reader = _Reader(things, plain(things.assertions.extraction.document))
    told = parsed(things, reader.text, reader.holding())
    found = [part for sentence, doc in told for part in reader.parts(sentence, doc)]
    reader.state(found)


class _Reader:
    """Reads the propositions of sentences for parts; holds the things that were spoken of."""

    def __init__(self, things: Things, text: str) -> None:
        self.things = things
        self.lexicon = things.lexicon
        self.text = text
        self.known = Referents(things, text)
        self.kinds: dict[str, list[Kind]] = {}
        for kind in self.lexicon.kinds:
            if kind.sign:
                self.kinds.setdefault(kind.sign, []).append(kind)

    def holding(self) -> Iterator[Masked]:
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

    def parts(self, sentence: Sentence, doc: Any) -> Iterator[_Part]:
        """Yield the parts of a sentence, its things taken up in their order."""
        self.known.begin()
        heads = _Heads(self.things.sentences[sentence.index], sentence.span.start, doc)
        for term in sentence.said:
            denied = term.denied and term.head == "be"
            told = replace(term, denied=False) if denied else term
            found = list(self._told(told, heads)) if _holds(told) else []
            does = any(phrase in self.lexicon.frames for phrase, _ in phrases(term))
            deed = sentence.span.start + term.at if does else -1
            for role, holder, around in found:
                word = self._holder(holder, heads)
                if word is None:
                    continue
                taken = {one.at for one in around if self._role(one) is None}
                known, held = self._thing(role, (*around, term), taken, sentence)
                if known:
                    ends = [one.place for one in (term, *around) if one.place[1]]
                    places = [sentence.span.start + at for end in ends for at in end]
                    span = self.things.assertions.span(
                        min(word.span.start, *places), max(word.span.end, *places)
                    )
                    yield _Part(role, word, held, _what(around), span, denied, deed)
            for inner in terms_of(term):
                self.known.mention(inner, sentence)

    def _told(self, term: Term, heads: _Heads) -> Iterator[tuple[Relation, Term, tuple[Term, ...]]]:
        """Yield roles with who has them, and the phrases that tell in what."""
        subjects, objects = term.of("subj"), term.of("obj")
        if term.head in HOLDING and not _ONCE_HELD.search(term.text):
            # a parser may take "becomes the tenant" for a deed
            for one in (*term.of("is"), *(objects if term.head != "be" else ())):
                for subject in subjects:
                    for noun, holder in ((one, subject), (subject, one)):
                        named = noun.of("under") or noun.of("in") or noun.determiner not in _SOME
                        if named and (role := self._role(noun)) is not None:
                            yield role, holder, (noun,)
        opened = [term, *(f for f in term.of("ing") if f.clausal)]
        for one in (noun for clause in opened for noun in clause.of("as")):
            for noun in (one, *one.joined):
                role = self._role(noun)
                named = [t for t in objects if self._holder(t, heads)]
                holders = named or subjects or term.of("between")
                if role is not None and len(holders) == 1:
                    yield role, holders[0], (noun,)
        for one in objects:  # "gives the vendor as X"; "X, the judge assigned to the case"
            if (role := self._role(one)) is not None and not heads.word(one):
                for holder in (*term.of("as"), *(o for o in objects if term.passive and o != one)):
                    yield role, holder, (one,)
        for inner in terms_of(term):
            # "the defendant named in the complaint, X": the parser gives the name to the complaint
            if (role := self._role(inner)) is not None and not heads.word(inner):
                near = (one for clause in inner.of("that") for one in terms_of(clause))
                plainly = (t for t in near if self._role(t) is None)  # "which pays the landlord, X"
                for holder in (one for thing in plainly for one in thing.of("also")):
                    yield role, holder, (inner,)
            for other in (*inner.of("also"), *inner.of("mod")):
                beside = other in inner.of("mod")
                for noun, holder in ((other, inner), (inner, other)):
                    role, word = self._role(noun), heads.word(holder)
                    # "Judge Tolliver" says what he is, and no part that he has in this
                    titled = (
                        beside and role is not None and role.alone and noun.determiner == "name"
                    )
                    named = word is not None and (word.kind == "NAME" or not beside)
                    if role is not None and named and not titled and noun.determiner not in _SOME:
                        yield role, holder, (noun,)
        for phrase, taken in phrases(term):
            for frame in self.lexicon.frames.get(phrase, ()):
                yield from _framed(frame, term, taken, heads)

    def _role(self, term: Term) -> Relation | None:
        """Return the role that a phrase names: "the sole tenant", "the person named as tenant"."""
        mods = [slot.filler.head for slot in term.slots if slot.role == "mod"]
        for name in (*(f"{mod} {term.head}" for mod in mods), term.head):
            if name in self.lexicon.roles:
                return self.lexicon.roles[name]
        if term.head in SOMEBODY:
            inner = [f for clause in term.of("that") for f in clause.of("as")]
            inner += term.of("of") if term.head in {"name", "part", "role"} else []
            sides = [one for one in (*term.of("on"), *term.of("at")) if one.head == "side"]
            inner += [one for side in sides for one in (*side.of("of"), *side.of("mod"))]
            found = [role for one in inner if (role := self._role(one)) is not None]
            return found[0] if len(found) == 1 else None
        return None

    def _is_holder(self, word: Word) -> bool:
        signs = {
            sign.name for sign in self.lexicon.signs if sign.type and not self._has_roles(sign)
        }
        return word.kind in _HOLDERS or (word.kind in signs and word.named)

    def _has_roles(self, sign: Any) -> bool:
        return any(role.of == sign.name for role in self.lexicon.roles.values())

    def _holder(self, term: Term, heads: _Heads) -> Word | None:
        word = heads.word(term)
        if word is None and term.head in OF_A_VALUE:
            fillers = [*term.of("of"), *term.of("mod"), *term.of("also")]
            found = [one for filler in fillers if (one := heads.word(filler)) is not None]
            word = found[0] if len(found) == 1 and found[0].kind != "NAME" else None
        return word if word is not None and self._is_holder(word) else None

    def _thing(
        self, role: Relation, around: Sequence[Term], taken: Set[int], sentence: Sentence
    ) -> tuple[bool, Held | None]:
        """Return whether it is clear in what a part is, and the thing, if the words name one."""
        found: dict[Node, Held] = {}
        for term in around:
            for inner in terms_of(term):
                if any(self._is_other(f, role, sentence) for f in inner.of("under")):
                    return False, None
                if any(self._is_apart(f, role, sentence) for f in inner.of("in")):
                    return False, None
                if inner.at in taken or inner.kind != "thing":
                    continue
                for kind in self.kinds.get(role.of, ()):
                    held = self.known.thing(inner, kind, sentence)
                    if held is not None:
                        found[held.node] = held
                    elif inner.head in kind.nouns and not inner.plural:
                        return False, None
            if found:
                break
        return len(found) < 2, next(iter(found.values()), None)

    def _is_other(self, term: Term, role: Relation, sentence: Sentence) -> bool:
        """Return whether a part is said to be "under" something else than the things we know."""
        known = self._is_known(term, role, sentence)
        return bool(_APART.match(term.text.strip(" ,."))) or not (known or term.head in PRONOUNS)

    def _is_apart(self, term: Term, role: Relation, sentence: Sentence) -> bool:
        """Return whether a part is said to be in one of several things: "in the first appeal"."""
        words = term.text.strip(" ,.").split()
        told = any(_APART.match(word) for word in words[:2])
        return told and not self._is_known(term, role, sentence)

    def _is_known(self, term: Term, role: Relation, sentence: Sentence) -> bool:
        kinds = self.kinds.get(role.of, ())
        return any(self.known.thing(term, kind, sentence) is not None for kind in kinds)

    def state(self, parts: Sequence[_Part]) -> None:
        """State parts: each in the thing that its words name, or the only one of a document."""
        roles = {(part.role.of, part.role.property) for part in parts}
        parts = [part for part in parts if self._is_spoken_of(part, roles)]
        others = {part.deed for part in parts if self._is_of_another(part, parts)}
        parts = [part for part in parts if part.deed not in others]
        apart = {p.held.node: " ".join(p.held.key) for p in parts if p.held and p.held.called}
        for part in parts:
            # an insurer of something tells nothing of what a tenant is one of
            near = [q for q in parts if q.role.property in self._facing(part.role.property)]
            named = {q.held.node for q in near if q.held and not _is_apart(q.held)}
            node = part.held.node if part.held else self._only(part.role.of, named)
            several = len({q.what for q in near if q.what}) > 1
            if node is None or (several and not part.what):
                continue
            # "the landlord of the shop" is none of "the lease of the warehouse"
            what = part.what.split()[:1] if not part.held else ()
            if any(one not in apart.get(node, one) for one in what):
                continue
            if several:
                label = f"{self.things.assertions.labels.get(node, node)} of {part.what}"
                node = mint(ENTITY, label)
                self.things.assertions.labels.setdefault(node, label)
            holder = self._node(part.holder)
            if holder is not None and not self._is_told(node, part, holder):
                places = (None, None, part.holder.span)
                polarity: Polarity = "negative" if part.denied else "positive"
                self.things.assertions.state(
                    node, part.role.property, holder, part.span, parts=places, polarity=polarity
                )

    def _is_of_another(self, part: _Part, parts: Sequence[_Part]) -> bool:
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

    def _is_told(self, node: Node, part: _Part, holder: Node) -> bool:
        """Return whether a pattern of the lexicon has read this part already."""
        told = Triple(node, part.role.property, holder)
        return any(
            claim.triple == told
            and claim.span.start < part.span.end
            and part.span.start < claim.span.end
            for claim in self.things.assertions.claims()
        )

    def _is_spoken_of(self, part: _Part, roles: Set[tuple[str, URIRef]]) -> bool:
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


class _Heads:
    """The names and values of a sentence, by the words that phrases have at their head."""

    def __init__(self, masked: Masked, start: int, doc: Any) -> None:
        self.words = tuple(masked.words.values())
        self.start = start
        self.doc = doc

    def word(self, term: Term) -> Word | None:
        """Return the name or value that a phrase is, None where it is another."""
        if term.kind != "thing" or not 0 <= term.at < len(self.doc) or term.joined:
            return None
        at = self.start + self.doc[term.at].idx
        found = [word for word in self.words if word.span.start <= at < word.span.end]
        if not found or found[0].kind == "ROLE" or _NO_NAME.match(found[0].text):
            return None
        last = found[0].span.end - self.start
        first = found[0].span.start - self.start
        cut = _GOES_ON.match(self.doc.text, last) or _WENT_BEFORE.search(self.doc.text, 0, first)
        return None if cut and found[0].kind == "NAME" else found[0]


def _is_apart(held: Held) -> bool:
    """Return whether a thing is told from another that was spoken of: "a different lease"."""
    return any(_APART.match(word) for word in held.key)


def _holds(term: Term) -> bool:
    """Return whether a proposition is told as so."""
    return term.clausal and not term.denied and term.force in _FORCES


def _framed(
    frame: Frame, term: Term, taken: Sequence[Term], heads: _Heads
) -> Iterator[tuple[Relation, Term, tuple[Term, ...]]]:
    """Yield the parts that a verb gives, where names fill all of its slots."""
    given = [slot for slot in term.slots if slot.filler not in taken]
    given += [slot for one in taken for slot in one.slots]
    # "sells 400 tonnes of barley to X": what hangs from what is sold is to whom
    inner = [i for slot in term.slots if slot.role == "obj" for i in terms_of(slot.filler)]
    given += [slot for one in inner for slot in one.slots if slot.role in {"to", "from"}]
    found = []
    for role, property_ in frame.slots:
        if property_ is None:
            if not any(slot.role == role for slot in given):
                return
            continue
        named = [slot.filler for slot in given if slot.role == role]
        words = [
            (word.span, one)
            for one in named
            if (word := heads.word(one)) is not None and word.kind not in frame.besides
        ]
        if any(word.kind in _TIMES for one in named if (word := heads.word(one)) is not None):
            return  # "signed by 14 May" tells no doer
        fillers = list(dict(words).values())  # a parser may take "Pivot Labs, Inc." for two
        if named and not fillers and len(frame.slots) > 1:
            continue  # "against her employer" is against somebody
        if len(fillers) != 1:
            return
        found.append((Relation(property_, of=frame.of), fillers[0], tuple(taken)))
    yield from found


def _what(around: Sequence[Term]) -> str:
    """Return what, or whose, a part is: the tenant "of Flat 2", the landlord "to Ms Orr"."""
    for term in around:
        for filler in (*term.of("of"), *term.of("to")) if term.kind == "thing" else ():
            mods = [s.filler.head for s in filler.slots if s.role in {"mod", "of"}]
            return " ".join([filler.head, *sorted({*mods} - {"same", "said", "whole", "entire"})])
    return ""
