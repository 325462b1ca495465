"""Which thing a phrase of a text means: told apart by descriptions, taken up by "that" and "it".

"The lease of Unit 1" is not "the lease of Unit 2", "that petition" is the one before it, "this
lease" is what the text itself is. Where two readings remain it is none.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rdflib.term import Literal, Node, URIRef

from groundrules.calendar import DATES
from groundrules.claims.asserted import propositions
from groundrules.claims.english import ARTICLES
from groundrules.claims.english.identity import (
    BUT_FOR,
    CHANGED_LATER,
    DATED_ON,
    DATED_UNTIL,
    LENGTHS,
    OCCURRING,
    TAKING_UP,
    TELLING_APART,
    TELLING_NOTHING,
    TELLING_SLOTS,
    WEEKDAYS,
)
from groundrules.claims.offline import load
from groundrules.claims.slots import Slot, Term
from groundrules.ontology.read.lexicon import Kind, Lexicon
from groundrules.ontology.read.relations import Things
from groundrules.ontology.read.sentences import Masked, line_of
from groundrules.terms import ENTITY, Mention, Span, mint

__all__ = [
    "POSSESSIVES", "PRONOUNS", "Held", "Referents", "Sentence", "but_for", "parsed", "phrases",
]  # fmt: skip

#: How many sentences back "that lease" looks.
_BACK = 3
#: What a thing is called that has a name, or that the text is about.
_OWN = ""
_ITSELF = r"^the (?:same|said|present|instant) "
_ITS = r"(?:its|his|her|their)\s"
POSSESSIVES = frozenset({"its", "their"})
#: Behind these a phrase says more than what its thing is called.
_TOLD_BY_THE_WAY = re.compile(r",(?!\d)|\s(?:[a-z]+\s)?(?:which|whom|whose|who)\b")
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
class Sentence:
    """A sentence that is read: its number, its place, what it asserts and its dates."""

    index: int
    span: Span
    said: tuple[Term, ...]
    dates: tuple[Mention, ...]
    changed: bool

    def date_at(self, term: Term) -> Mention | None:
        """Return the date that a filler stands in, or that it is: "on a single day, 4 June"."""
        place = self.span.start + term.place[0]
        if term.head in WEEKDAYS:  # "on Monday, 4 June"
            last = self.span.start + term.place[1] + 3
            return next((d for d in self.dates if place <= d.span.start < last), None)
        found = next((d for d in self.dates if d.span.start <= place < d.span.end), None)
        if found is not None or term.head != "day":
            return found
        last = self.span.start + term.place[1]  # "on the day of the collision, 12 June"
        behind = next((d for d in self.dates if 0 < d.span.start - last < 3), None)
        return self.date_at(term.of("also")[0]) if term.of("also") else behind


_BUT_FOR = re.compile(BUT_FOR)


def but_for(line: str) -> str:
    """Return a line, as long, without what its statement holds but for: "unless renewed"."""
    return _BUT_FOR.sub(lambda found: " " * len(found[0]), line)


def parsed(things: Things, text: str, wanted: Iterable[Masked]) -> Iterator[tuple[Sentence, Any]]:
    """Yield sentences as they are read, each with its parse."""
    dates = [
        m
        for m in things.assertions.extraction.mentions
        if m.kind == "DATE" and isinstance(m.node, Literal) and m.node.datatype in DATES
    ]
    starts = [m.span.start for m in dates]
    kept = list(wanted)
    lines = [but_for(line_of(text, sentence)) for sentence in kept]
    docs = load().pipe(lines, disable=["ner"])
    for one, line, doc in zip(kept, lines, docs, strict=True):
        first, last = (bisect.bisect_left(starts, at) for at in (one.span.start, one.span.end))
        changed = bool(re.search(CHANGED_LATER, line))
        said = tuple(propositions(doc))
        yield Sentence(one.index, one.span, said, tuple(dates[first:last]), changed), doc


def _crowded(text: str, lexicon: Lexicon) -> frozenset[tuple[str, str]]:
    """Return what a text tells one from another of: "an earlier suit", "a new lease"."""
    out = set()
    text = re.sub(rf"(?i)\bno\s(?:{TELLING_APART})\s", "", text)  # "no other petition"
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
        self.wholes: dict[Node, Held] = {}
        self.before: list[Held] = []
        self.here: list[tuple[int, Held]] = []
        #: Whom sentences are about; words that are of a thing's name: "statement of claim".
        self.topics: set[Node] = set()
        self.inside: set[int] = set()
        #: In which sentence a thing is first spoken of, and whether as one that was not before.
        self.first: dict[Node, tuple[int, bool]] = {}

    def is_new(self, node: Node, before: Node) -> bool:
        """Return whether a thing is brought in as a new one after another was spoken of."""
        sentence, new = self.first.get(node, (0, False))
        return new and sentence > self.first.get(before, (sentence, False))[0]

    def was_new(self, node: Node, after: Node) -> bool:
        """Return whether a thing was brought in as a new one before another was spoken of."""
        sentence, new = self.first.get(node, (0, False))
        return new and sentence < self.first.get(after, (sentence, False))[0]

    def begin(self) -> None:
        """Begin a sentence: what the one before spoke of is what stands before it."""
        if self.here:
            self.before = [held for _, held in self.here]
        self.here = []
        self.inside = set()

    def it(self, filler: Term, kinds: Collection[str], sentence: Sentence) -> Held | None:
        """Return the only thing that "it" may be: of this sentence, or else of the one before."""
        place = sentence.span.start + filler.place[0]
        here = {held.node: held for at, held in self.here if at < place}
        before = {held.node: held for held in self.before}
        fits = ([one for one in near.values() if one.kind.name in kinds] for near in (here, before))
        fit = next((found for found in fits if found), [])
        fit = fit if len(fit) < 2 else [held for held in fit if held.node in self.topics]
        return fit[0] if len(fit) == 1 else None

    def mention(self, term: Term, sentence: Sentence, *, topic: bool = False) -> None:
        """Take up a thing that a sentence speaks of, or is about, whatever it says of it."""
        if term.kind != "thing" or term.head in PRONOUNS or term.at in self.inside:
            return
        for kind in self.kinds.values():
            held = self.thing(term, kind, sentence)
            if held is not None:
                self.here.append((sentence.span.start + term.place[0], held))
                self.here.sort(key=lambda one: one[0])
                (self.topics.add if topic else self.topics.discard)(held.node)
                return

    def thing(self, term: Term, kind: Kind, sentence: Sentence) -> Held | None:
        """Return the thing of a kind that a phrase speaks of; None where it may be another."""
        if term.joined or term.kind != "thing":
            return None
        one = {term.head, f"{term.head}s"} & {noun for noun in kind.nouns if noun.endswith("s")}
        if term.plural and not one:  # "proceedings" are one
            named = self._named(term, kind, sentence)  # "the Rules 1998" are one
            return None if named is None else self._called(kind, named, sentence)
        term = _numbered(term, kind)
        mods = [slot.filler.head for slot in term.slots if slot.role == "mod"]
        names = [term.head, *(f"{mod} {term.head}" for mod in mods)]
        longer = {
            f"{term.head} {slot.role} {slot.filler.head}": slot.filler.at
            for slot in term.slots
            if slot.role in {"for", "of"}
        }
        names += [name for name in longer if name in kind.nouns]
        self.inside |= {longer[name] for name in names if name in longer}
        named = self._named(term, kind, sentence) or next(
            (
                node
                for slot in term.slots
                if slot.role in {"in", "of", "also"} and {*names} & {*kind.nouns}
                if (node := self._named(slot.filler, kind, sentence)) is not None
            ),
            None,
        )
        if named is not None:
            return self._called(kind, named, sentence)
        called = next((kind.nouns[name] for name in names[::-1] if name in kind.nouns), None)
        if called is None:
            return None
        shown = _TOLD_BY_THE_WAY.split(term.text.strip(" ,"), maxsplit=1)[0]
        said = shown.casefold()
        said = f"the {said}" if term.determiner == "bare" and " " not in said else said
        key = self._key(term, kind, sentence)
        # "the Act" is one, "the act" need not be; "the present suit" is the suit
        # nor is "the application for the patent" told from others
        bare = f"the {term.head}" if said.startswith("the ") else said
        wordings = [re.sub(_ITSELF, "the ", one) for one in (said, shown, bare)]
        if not key and any(self._is_own(kind, one) for one in wordings):
            alike = [one for one in self.held if one.kind == kind and one.called == called]
            if len(alike) == 1 and not alike[0].key and not said.startswith("this "):
                return self._again(alike[0], sentence)  # "the claim" was the case
            return self._own(kind, said, sentence, bare=term.determiner == "bare")
        if re.match(TAKING_UP, said) and not key:
            return self._taken_up(kind, called, said, sentence)
        fresh = re.match(r"an?\s", said) is not None
        own = not kind.sign or self._is_own(kind, f"the {called}")
        names_of_one = {called} if fresh or key or not own else {called, _OWN}
        same = [one for one in self.held if one.kind == kind and one.called in names_of_one]
        known = next((one for one in same if one.key == key), None)
        if not key and ((kind.name, called) in self.crowded or len(same) > 1):
            return None
        new = fresh or term.determiner == "bare" or re.match(_ITS, said) is not None
        another = (fresh or term.determiner == "bare") and not key
        if another and any(one.sentence < sentence.index for one in same):
            return None  # "a complaint" behind "the complaint" is another
        only = [one for one in self.held if one.kind == kind]
        if called == kind.name and len(only) == 1 and said.startswith("the "):
            same = same or only  # "the decision" is the judgment
        known = known or (same[0] if same and not key else None)
        node = known.node if known else self.fresh(kind, term.text.strip(" ,"), key)
        self.first.setdefault(node, (sentence.index, new))
        self._note_whole(node, kind, term, sentence)
        return self.hold(kind, called, known.key if known else key, node, sentence)

    def _called(self, kind: Kind, node: Node, sentence: Sentence) -> Held:
        return self.hold(kind, _OWN, frozenset({str(node)}), node, sentence)

    def _note_whole(self, node: Node, kind: Kind, term: Term, sentence: Sentence) -> None:
        """Note what a thing is said to belong to: "judgment on Claim No. 4", "in that action"."""
        for slot in term.slots if node not in self.wholes else ():
            if slot.role in {"in", "on"}:
                found = (self.thing(slot.filler, self.kinds[one], sentence) for one in kind.whole)
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

    def _named(self, term: Term, kind: Kind, sentence: Sentence) -> Node | None:
        """Return the node of a thing that is called by a name, its own where that has company."""
        if not kind.sign:
            return None
        first, last = (sentence.span.start + place for place in term.place)
        for word in self.things.sentences[sentence.index].words.values():
            if word.kind != kind.sign or not word.named:
                continue
            if word.span.start < last and first < word.span.end:
                if re.match(rf"(?i)(?:(?:the|an?)\s)?(?:{TELLING_APART})\s", term.text.strip(" ,")):
                    return self.fresh(kind, term.text, frozenset())
                return self.things.node(word)
        return None

    def _key(self, term: Term, kind: Kind, sentence: Sentence) -> frozenset[str]:
        """Return the words by which a phrase tells its thing from others of the kind."""
        if any(slot.role == "only" for slot in term.slots):
            return frozenset()
        apart = re.match(rf"(?:the\s)?({TELLING_APART})\s", term.text.strip(" ,").casefold())
        out = {apart[1]} if apart else set()
        for slot in term.slots:
            filler = slot.filler
            told = filler.clausal and (filler.aside or self._is_event(filler))
            if slot.role not in TELLING_SLOTS or filler.kind == "gap" or told:
                continue
            if kind.whole and slot.role in {"for", "against"} and filler.determiner == "name":
                continue  # "judgment for Ann" says who won, not which one it is
            names = {f"{filler.head} {term.head}", f"{term.head} {slot.role} {filler.head}"}
            if names & {*kind.nouns} or filler.head in TELLING_NOTHING:
                continue
            year = slot.role == "of" and re.fullmatch(
                r"\d{4}", filler.head
            )  # "the session of 2015"
            dated = sentence.date_at(filler) is not None and slot.role in DATED_ON | DATED_UNTIL
            if dated and not year:
                # "the order of 2 April dissolving the firm": the clause hangs from the date
                told_of = (one for one in filler.of("that") if not self._is_event(one))
                out |= {f"that {one.head}" for one in told_of}
                continue
            lasting = kind.whole and kind.part is None and filler.head in LENGTHS
            if lasting or self._belongs(kind, filler):
                continue
            out.add(filler.head if slot.role == "mod" else f"{slot.role} {filler.head}")
            mods = (one.filler.head for one in filler.slots)
            out |= {mod for mod in mods if mod not in TELLING_NOTHING}
        return frozenset(out)

    def _belongs(self, kind: Kind, filler: Term) -> bool:
        """Return whether a complement names what a thing belongs to: "judgment in the suit"."""
        others = {*kind.whole, *(one.name for one in self.kinds.values() if one.taken == kind.name)}
        others |= {kind.taken} - {""}
        return not filler.slots and any(filler.head in self.kinds[name].nouns for name in others)

    def _is_event(self, clause: Term) -> bool:
        """Return whether a relative clause tells an event, rather than which thing is meant."""
        return any(phrase in self.lexicon.events for phrase, _ in phrases(clause))

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


def _numbered(term: Term, kind: Kind) -> Term:
    """Return what stands before its number as the thing that has it: "Policy HX-22"."""
    before = [s.filler for s in term.slots if s.role == "mod" and s.filler.head in kind.nouns]
    if len(before) != 1 or term.determiner != "name" or not re.search(r"\d", term.head):
        return term
    number = Slot("mod", replace(term, slots=()))
    slots = (*(s for s in term.slots if s.filler is not before[0]), number)
    return replace(term, head=before[0].head, slots=slots)


def phrases(term: Term) -> Iterator[tuple[str, tuple[Term, ...]]]:
    """Yield the wordings of an event with what they take up: "take effect", "come into force"."""
    for slot in term.slots:
        head = slot.filler.head
        mods = [one.filler.head for one in slot.filler.slots if one.role in {"mod", "compound"}]
        names = [head, *(f"{mod} {head}" for mod in mods)]
        if slot.role in {"obj", "is"}:
            yield from ((f"{term.head} {name}", (slot.filler,)) for name in names)
        elif slot.role == "mod":
            yield f"{term.head} {head}", (slot.filler,)
        elif slot.role == "xcomp":
            yield f"{term.head} to {head}", (slot.filler,)
            for inner in slot.filler.slots:
                link = "" if inner.role in {"obj", "is"} else f"{inner.role} "
                phrase = f"{term.head} to {head} {link}{inner.filler.head}"
                yield phrase, (slot.filler, inner.filler)
        elif slot.role == "subj" and term.head in OCCURRING:
            yield from ((f"{name} occurs", (slot.filler,)) for name in names)
            events = slot.filler.of("of") if head in {"date", "day", "time"} else []
            # "the date of grant of the patent": what is of the event may hang from the date
            yield from ((f"{one.head} occurs", (one, slot.filler)) for one in events)
        else:
            yield f"{term.head} {slot.role} {head}", (slot.filler,)
    yield term.head, ()
