"""Which thing a noun of a text means: told apart by descriptions, taken up by "that" and "it".

"The lease of Unit 1" is not "the lease of Unit 2", "that petition" is the one before it, "this
lease" is what the text itself is. Where two readings remain it is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from rdflib.term import Node, URIRef

from groundrules.claims.english import ARTICLES
from groundrules.claims.english.identity import (
    DATED_ON,
    DATED_UNTIL,
    LENGTHS,
    TAKING_UP,
    TELLING_APART,
    TELLING_NOTHING,
    TELLING_SLOTS,
)
from groundrules.ontology.read.lexicon import Kind, Lexicon
from groundrules.ontology.read.nouns import (
    BEFORE_NOUN,
    determiner_of,
    is_either,
    lemma_of,
    links,
    phrase_of,
    place_of,
)
from groundrules.ontology.read.relations import Things
from groundrules.terms import ENTITY, Mention, Span, mint

#: How many sentences back "that lease" looks.
_BACK = 3
#: What a thing is called that has a name, or that the text is about.
_OWN = ""
_ITSELF = r"^the (?:same|said|present|instant) "
#: Behind these a phrase says more than what its thing is called.
_TOLD_BY_THE_WAY = re.compile(r",(?!\d)|\s(?:[a-z]+\s)?(?:which|whom|whose|who)\b")
POSSESSIVES = frozenset({"its", "their"})
PRONOUNS = frozenset({"it", "they", "them"}) | POSSESSIVES


@dataclass(frozen=True, slots=True)
class Held:
    """A thing that a document speaks of: its kind, its node, what it is called and described by."""

    kind: Kind
    node: Node
    called: str
    key: frozenset[str]
    sentence: int


@dataclass(frozen=True, slots=True)
class Date:
    """A date of a sentence: the word at its head, and by which link it hangs on which word."""

    mention: Mention
    head: Any
    link: str
    on: Any


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that is read: its number, its place, its parse and its dates."""

    index: int
    span: Span
    doc: Any
    dates: tuple[Date, ...]
    changed: bool

    def date_at(self, token: Any) -> Date | None:
        """Return the date that a word stands in."""
        at = self.span.start + token.idx
        spans = ((d, d.mention.span) for d in self.dates)
        return next((date for date, span in spans if span.start <= at < span.end), None)


def _crowded(text: str, lexicon: Lexicon) -> frozenset[tuple[str, str]]:
    """Return what a text tells one from another of: "an earlier suit", "a new lease"."""
    out = set()
    for kind in lexicon.kinds:
        for called in {*kind.nouns.values()}:
            nouns = [noun for noun, group in kind.nouns.items() if group == called]
            either = "|".join(sorted(map(re.escape, nouns), key=len, reverse=True))
            between = r"(?:[\w’'-]{1,20}\s){0,2}?"
            if re.search(rf"(?i)\b(?:{TELLING_APART})\s{between}(?:{either})s?\b", text):
                out.add((kind.name, called))
    return frozenset(out)


class Referents:
    """The things that a text speaks of, as its sentences are read in their order."""

    def __init__(self, things: Things, text: str) -> None:
        self.things = things
        self.lexicon = things.lexicon
        self.labels = things.assertions.labels
        self.text = text
        self.crowded = _crowded(text, self.lexicon)
        self.kinds = {kind.name: kind for kind in self.lexicon.kinds}
        self.held: list[Held] = []
        #: What a sentence spoke of, each with its place; what the one before it did.
        self.here: list[tuple[int, Held]] = []
        self.before: list[Held] = []
        #: What the sentence before was about.
        self.topics: set[Node] = set()
        #: What a thing is said to belong to; in which sentence it was first, and whether as new.
        self.wholes: dict[Node, Held] = {}
        self.first: dict[Node, tuple[int, bool]] = {}

    def was_new(self, node: Node, after: Node) -> bool:
        """Return whether a thing was brought in as a new one before another was spoken of."""
        sentence, new = self.first.get(node, (0, False))
        return new and sentence < self.first.get(after, (sentence, False))[0]

    def begin(self) -> None:
        """Begin a sentence: what the one before spoke of is what stands before it."""
        if self.here:
            self.before = [held for _, held in self.here]
        self.here = []

    def it(self, pronoun: Any, kinds: Collection[str], sentence: Sentence) -> Held | None:
        """Return the only thing that "it" may be: of this sentence, or else of the one before."""
        here = {held.node: held for at, held in self.here if at < sentence.span.start + pronoun.idx}
        before = {held.node: held for held in self.before}
        fits = ([one for one in near.values() if one.kind.name in kinds] for near in (here, before))
        fit = next((found for found in fits if found), [])
        fit = fit if len(fit) < 2 else [held for held in fit if held.node in self.topics]
        return fit[0] if len(fit) == 1 else None

    def mention(self, noun: Any, sentence: Sentence, *, topic: bool = False) -> None:
        """Take up a thing that a sentence speaks of, or is about, whatever it says of it."""
        for kind in self.kinds.values():
            held = self.thing(noun, kind, sentence)
            if held is not None:
                self.here.append((sentence.span.start + noun.idx, held))
                self.here.sort(key=lambda one: one[0])
                (self.topics.add if topic else self.topics.discard)(held.node)
                return

    def thing(self, noun: Any, kind: Kind, sentence: Sentence) -> Held | None:
        """Return the thing of a kind that a noun speaks of; None where it may be another."""
        if noun.pos_ not in {"NOUN", "PROPN", "NUM"} or is_either(noun):
            return None
        if noun.dep_ in BEFORE_NOUN:
            return None
        head = lemma_of(noun)
        if noun.tag_ in {"NNS", "NNPS"} and noun.lower_ not in kind.nouns:
            named = self._named(noun, kind, sentence)  # "the Rules 1998" are one
            return None if named is None else self._called(kind, named, sentence)
        told = [*links(noun)]
        head = noun.lower_ if noun.lower_ in kind.nouns else head
        names = [head, *(f"{lemma_of(one)} {head}" for link, one in told if link == "mod")]
        longer = [f"{head} {link} {lemma_of(one)}" for link, one in told if link in {"for", "of"}]
        names += [name for name in longer if name in kind.nouns]
        named = self._named(noun, kind, sentence) or next(
            (
                node
                for link, one in told
                if link in {"in", "of", "also", "mod"} and {*names} & {*kind.nouns}
                if (node := self._named(one, kind, sentence)) is not None
            ),
            None,
        )
        if named is not None:
            return self._called(kind, named, sentence)
        called = next((kind.nouns[name] for name in names[::-1] if name in kind.nouns), None)
        numbered = noun.i and noun.nbor(-1)
        if called is None and numbered and any(c.isdigit() for c in noun.text):
            called = kind.nouns.get(lemma_of(numbered))  # "Policy HX-22"
        if called is None:
            return None
        return self._told_apart(noun, kind, called, sentence)

    def _told_apart(self, noun: Any, kind: Kind, called: str, sentence: Sentence) -> Held | None:
        """Return the thing that is called so and described as a noun is."""
        shown = _TOLD_BY_THE_WAY.split(phrase_of(noun), maxsplit=1)[0]
        said, article = shown.casefold(), determiner_of(noun)
        bare = not article and not any(link == "of" and t.dep_ == "poss" for link, t in links(noun))
        said = f"the {said}" if bare and " " not in said else said
        key = self._key(noun, kind, sentence)
        # "the Act" is one, "the act" need not be; "the present suit" is the suit
        plainly = f"the {lemma_of(noun)}" if said.startswith("the ") else said
        wordings = [re.sub(_ITSELF, "the ", one) for one in (said, shown, plainly)]
        if not key and any(self._is_own(kind, one) for one in wordings):
            alike = [one for one in self.held if one.kind == kind and one.called == called]
            if len(alike) == 1 and not alike[0].key and not said.startswith("this "):
                return self._again(alike[0], sentence)  # "the claim" was the case
            return self._own(kind, said, sentence, bare=bare)
        if re.match(TAKING_UP, said) and not key:
            return self._taken_up(kind, called, said, sentence)
        fresh = article in {"a", "an"}
        own = not kind.sign or self._is_own(kind, f"the {called}")
        names = {called} if fresh or key or not own else {called, _OWN}
        same = [one for one in self.held if one.kind == kind and one.called in names]
        known = next((one for one in same if one.key == key), None)
        if not key and ((kind.name, called) in self.crowded or len(same) > 1):
            return None
        new = fresh or bare or re.match(r"(?:its|his|her|their)\s", said) is not None
        known = known or (same[0] if same and not key else None)
        node = known.node if known else self.fresh(kind, phrase_of(noun), key)
        self.first.setdefault(node, (sentence.index, new))
        self._note_whole(node, kind, noun, sentence)
        return self.hold(kind, called, known.key if known else key, node, sentence)

    def _called(self, kind: Kind, node: Node, sentence: Sentence) -> Held:
        return self.hold(kind, _OWN, frozenset({str(node)}), node, sentence)

    def _note_whole(self, node: Node, kind: Kind, noun: Any, sentence: Sentence) -> None:
        """Note what a thing is said to belong to: "judgment on Claim No. 4", "in that action"."""
        for link, one in links(noun) if node not in self.wholes else ():
            if link in {"in", "on"}:
                found = (self.thing(one, self.kinds[name], sentence) for name in kind.whole)
                whole = next((held for held in found if held is not None), None)
                if whole is not None:
                    self.wholes[node] = whole

    def _is_own(self, kind: Kind, said: str) -> bool:
        """Return whether words are those of what the text itself is, or is about: "this lease"."""
        signs = (one for one in self.lexicon.signs if one.name == kind.sign and one.definite)
        return any(one.definite and one.definite.fullmatch(said) for one in signs)

    def _own(self, kind: Kind, said: str, sentence: Sentence, *, bare: bool) -> Held | None:
        """Return the thing that the text itself is, or is about; None where it may be another."""
        node = self.things.definite(kind.sign)
        several = any(name == kind.name for name, _ in self.crowded)
        paper = kind.sign in self.lexicon.papers
        if node is None or (several and not (paper and said.startswith("this "))):
            return None
        self.first.setdefault(node, (sentence.index, bare))
        return self.hold(kind, _OWN, frozenset({str(node)}), node, sentence)

    def _taken_up(self, kind: Kind, called: str, said: str, sentence: Sentence) -> Held | None:
        """Return the thing that "that petition" takes up: the last one that was called so."""
        near = [one for one in self.held if one.kind == kind]
        near = [one for one in near if sentence.index - one.sentence <= _BACK]
        alike = [one for one in near if one.called in {called, _OWN}]
        if alike:
            return self._again(alike[-1], sentence)
        if not said.startswith("this ") or near:
            return None
        return self.hold(kind, called, frozenset(), self.fresh(kind, said, frozenset()), sentence)

    def _again(self, held: Held, sentence: Sentence) -> Held:
        return self.hold(held.kind, held.called, held.key, held.node, sentence)

    def hold(
        self, kind: Kind, called: str, key: frozenset[str], node: Node, sentence: Sentence
    ) -> Held:
        """Return a thing, held as the last one that was spoken of."""
        self.held = [one for one in self.held if one.node != node]
        self.held.append(Held(kind, node, called, key, sentence.index))
        return self.held[-1]

    def _named(self, noun: Any, kind: Kind, sentence: Sentence) -> Node | None:
        """Return the node of a thing that is called by a name, its own where that has company."""
        first, last = (sentence.span.start + place for place in place_of(noun))
        for word in self.things.sentences[sentence.index].words.values() if kind.sign else ():
            if word.kind != kind.sign or not word.named:
                continue
            if word.span.start < last and first < word.span.end:
                said = phrase_of(noun)
                if re.match(rf"(?i)(?:(?:the|an?)\s)?(?:{TELLING_APART})\s", said):
                    return self.fresh(kind, said, frozenset())
                return self.things.node(word)
        return None

    def _key(self, noun: Any, kind: Kind, sentence: Sentence) -> frozenset[str]:
        """Return the words by which a noun's phrase tells its thing from others of the kind."""
        apart = re.match(rf"(?:the\s)?({TELLING_APART})\s", phrase_of(noun).casefold())
        out = {apart[1]} if apart else set()
        for link, one in links(noun):
            said = lemma_of(one)
            if link not in TELLING_SLOTS or said in TELLING_NOTHING:
                continue
            if link == "that":
                aside = one.left_edge.i and one.left_edge.nbor(-1).text in {",", "("}
                out |= {f"that {said}"} if not aside and not self._is_event(one) else set()
                continue
            if kind.whole and link in {"for", "against"} and one.pos_ == "PROPN":
                continue  # "judgment for Ann" says who won, not which one it is
            year = link == "of" and re.fullmatch(r"\d{4}", said)  # "the session of 2015"
            if sentence.date_at(one) and link in DATED_ON | DATED_UNTIL and not year:
                continue
            lasting = kind.whole and kind.part is None and said in LENGTHS
            if lasting or self._belongs(kind, one):
                continue
            out.add(said if link == "mod" else f"{link} {said}")
            out |= {m for _, t in links(one) if (m := lemma_of(t)) not in TELLING_NOTHING}
        return frozenset(out)

    def _belongs(self, kind: Kind, noun: Any) -> bool:
        """Return whether a complement names what a thing belongs to: "judgment in the suit"."""
        others = {*kind.whole, *(one.name for one in self.kinds.values() if one.taken == kind.name)}
        others |= {kind.taken} - {""}
        nouns = {one for name in others for one in self.kinds[name].nouns}
        return not [*links(noun)] and lemma_of(noun) in nouns

    def _is_event(self, verb: Any) -> bool:
        """Return whether a relative clause tells an event, rather than which thing is meant."""
        said = [lemma_of(verb)]
        said += [f"{said[0]} {lemma_of(c)}" for c in verb.children if c.dep_ in {"dobj", "prt"}]
        return any(one in self.lexicon.events for one in said)

    def fresh(self, kind: Kind, said: str, key: frozenset[str]) -> URIRef:
        """Return the node of a thing that none before is, labelled by the words for it."""
        words = " ".join(_TOLD_BY_THE_WAY.split(said, maxsplit=1)[0].split())
        first, _, rest = words.partition(" ")
        before = ARTICLES | POSSESSIVES | {"his", "her", "that", "this", "said"}
        label = rest if rest and first.lower() in before else words
        label = (label if len(label) < 60 else f"{label[:59]}…") or kind.name
        node = mint(ENTITY, " ".join([kind.name, label.casefold(), *sorted(key)]))
        if label[1:2].islower():  # as it would stand within a sentence
            label = label[:1].lower() + label[1:]
        self.labels.setdefault(node, label)
        return node
