"""Clauses: predicates with their arguments, polarity, modality and attribution.

Works on spaCy's English labels (ClearNLP style). One `Clause` is one n-ary fact; `offline` turns
it into binary triples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundrules.claims.english import (
    CIRCUMSTANCES,
    DEEDS,
    IF,
    NAMING,
    NEGATIVE,
    OBJECT_CONTROL,
    TRANSFER,
)
from groundrules.claims.facts.moods import SUBJECTS, Settled, flip, lemma_of, mood, negated
from groundrules.claims.facts.phrases import NOMINAL, conjuncts
from groundrules.terms import Modality, Polarity

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a predicate; `role` is object, to, be, prep, agent, clause or adverb."""

    role: str
    token: Token
    preposition: str = ""
    place: int = -1  # the word of the preposition


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate with its arguments; `words` are the words of the verb group."""

    verb: Token
    lemma: str
    words: tuple[int, ...]
    subjects: tuple[Token, ...]
    arguments: tuple[Argument, ...]
    passive: bool = False
    polarity: Polarity = "positive"
    modality: Modality = Modality.ASSERTED
    attribution: str | None = None
    implied: bool = False  # the subject is not written beside the verb


@dataclass(slots=True)
class _State:
    """What has been settled of the verbs of one passage."""

    subjects: dict[int, tuple[tuple[Token, ...], bool]]
    moods: Settled


def clauses(doc: Doc) -> Iterator[Clause]:
    """Yield the clauses of a passage in the order of their verbs."""
    state = _State({}, {})
    for token in doc:
        if _predicative(token):
            yield from _clause(token, state)


def _predicative(token: Token) -> bool:
    if token.pos_ not in {"VERB", "AUX"} or token.dep_ in {
        "aux",
        "auxpass",
        "amod",
        "compound",
        "prt",
        "case",
        "det",
    }:
        return False
    return token.tag_ != "MD" or any(c.dep_ in SUBJECTS for c in token.children)


def _clause(token: Token, state: _State) -> Iterator[Clause]:
    subjects, implied = _subjects(token, state, 0)
    passive = _passive(token)
    arguments = tuple(_arguments(token, passive))
    polarity, modality, attribution = mood(token, state.moods, 0)
    if any(negated(s) for s in subjects) or any(
        negated(a.token) for a in arguments if a.role in {"object", "be"}
    ):
        polarity = flip(polarity)
    lemma = lemma_of(token)
    clause = Clause(
        token,
        lemma,
        _group(token),
        subjects,
        arguments,
        passive,
        polarity,
        modality,
        attribution,
        implied,
    )
    left_out = tuple(a for a in arguments if _left_out(a, token, polarity))
    if not left_out:
        yield clause
        return
    yield replace(clause, arguments=tuple(a for a in arguments if a not in left_out))
    yield replace(clause, arguments=left_out, polarity=flip(polarity))


def _left_out(argument: Argument, verb: Token, polarity: Polarity) -> bool:
    """Return whether the verb is said of an argument if of the others it is denied, or the reverse.

    `paint the rooms, but not in white`; `was born not in Ulm but in Berlin`.
    """
    if argument.place <= verb.i + 1:
        return False
    before = verb.doc[argument.place - 1]
    if before.lower_ == "but" and polarity == "negative":
        return True
    return before.lower_ == "not" and before.nbor(-1).lower_ in {",", "but", "and"}


def _group(token: Token) -> tuple[int, ...]:
    """Give the verb group: auxiliaries, negation, adverbs between, the verb, its particles."""
    keep = {token.i}
    for child in token.children:
        if child.dep_ in {"aux", "auxpass", "neg", "prt"}:
            keep.add(child.i)
        elif child.dep_ == "advmod" and 0 < token.i - child.i <= 2:
            keep |= {
                child.i for c in token.children if c.dep_ in {"aux", "auxpass"} and c.i < child.i
            }
    return tuple(sorted(keep))


def _passive(token: Token) -> bool:
    while True:
        if any(c.dep_ in {"auxpass", "agent"} for c in token.children):
            return True
        if token.tag_ != "VBN":
            return False
        if any(c.dep_ in {"nsubjpass", "csubjpass"} for c in token.children):
            return True
        if token.dep_ in {"acl", "advcl"}:
            return not any(c.dep_ in {"aux", "dobj"} for c in token.children)
        if token.dep_ != "conj" or any(c.dep_ in SUBJECTS | {"aux"} for c in token.children):
            return False
        if token.head.pos_ not in {"VERB", "AUX"}:
            return False
        token = token.head


# --- subjects ---------------------------------------------------------------------------------


def _subjects(token: Token, state: _State, depth: int) -> tuple[tuple[Token, ...], bool]:
    known = state.subjects.get(token.i)
    if known is None:
        state.subjects[token.i] = ((), True)
        known = state.subjects[token.i] = _find_subjects(token, state, depth)
    return known


def _find_subjects(token: Token, state: _State, depth: int) -> tuple[tuple[Token, ...], bool]:
    own = [c for c in token.children if c.dep_ in SUBJECTS and c.dep_ != "expl"]
    if own:
        out: list[Token] = []
        for subject in own[:1]:
            if subject.tag_ in {"WDT", "WP"} or (
                subject.lower_ == "that" and token.dep_ == "relcl"
            ):
                antecedent = _antecedent(token) or _nearest(subject)
                if antecedent is not None:
                    return tuple(conjuncts(antecedent)) if _last_of(antecedent, token) else (
                        antecedent,
                    ), True
            out += conjuncts(subject)
        return tuple(out), False
    if any(c.dep_ == "expl" for c in token.children):
        return (), False
    if depth > 12:
        return (), True
    head = token.head
    match token.dep_:
        case "conj" if head.pos_ in {"VERB", "AUX"}:
            if any(c.dep_ == "mark" for c in token.children):
                return (), True
            return _subjects(head, state, depth + 1)[0], True
        case "xcomp":
            if head.pos_ not in {"VERB", "AUX", "ADJ"}:
                return (), True
            verb = head
            objects = [
                c for c in verb.children if c.dep_ in {"dobj", "dative"} and c.pos_ in NOMINAL
            ]
            if objects and (lemma_of(verb) in OBJECT_CONTROL or token.tag_ == "VBG"):
                return tuple(conjuncts(objects[0])), True
            if verb.pos_ == "ADJ" and verb.dep_ == "acomp":
                verb = verb.head
            return _subjects(verb, state, depth + 1)[0], True
        case "ccomp" if not any(c.dep_ == "mark" for c in token.children) and token.tag_ in {
            "VB",
            "VBG",
        }:
            objects = [c for c in head.children if c.dep_ in {"dobj"} and c.pos_ in NOMINAL]
            return (tuple(conjuncts(objects[0])), True) if objects else ((), True)
        case "advcl" if _to_be_done(token):
            return (), True
        case "advcl" if head.pos_ in {"VERB", "AUX"}:
            if (
                any(c.dep_ == "mark" and c.lower_ in IF for c in token.children)
                and token.tag_ != "VBN"
            ):
                return (), True
            found = _subjects(head, state, depth + 1)[0]
            return () if _of_either(token, found) else found, True
        case "pcomp":
            verb = head.head
            if verb.pos_ == "ADJ":
                verb = verb.head
            if verb.pos_ in {"VERB", "AUX"}:
                return _subjects(verb, state, depth + 1)[0], True
            return (), True
        case "acl" | "relcl":
            if head.pos_ in NOMINAL and (
                token.tag_ in {"VBN", "VBG", "VBD"} and token.dep_ == "acl"
            ):
                if head.dep_ != "dobj":
                    return (head,), True
                found = _subjects(head.head, state, depth + 1)[0]
                return () if found and _of_either(token, found) else (head,), True
            return (), True
        case _:
            return (), True


def _of_either(participle: Token, subjects: tuple[Token, ...]) -> bool:
    """Return whether a passive participle may be said of the noun before it as well.

    `Ann met Mary, born in 1828` tells of the birth of Mary, `The house fell, built on sand` of the
    house: of which of two, the comma does not say.
    """
    if participle.tag_ != "VBN" or participle.i < 2 or participle.nbor(-1).text != ",":
        return False
    before = participle.nbor(-2)
    return before.pos_ in NOMINAL and all(before.i != subject.i for subject in subjects)


def _to_be_done(verb: Token) -> bool:
    """Return whether an infinitive says what a noun is about: `the proposal to sell the boat`."""
    to = next((child for child in verb.children if child.tag_ == "TO"), None)
    if to is None or not to.i:
        return False
    before = to.nbor(-1)
    return before.pos_ == "NOUN" and lemma_of(before) in DEEDS


def _antecedent(verb: Token) -> Token | None:
    """Give the noun a relative clause modifies; of `X be the Y that` it is Y."""
    seen = 0
    while verb.dep_ == "conj" and seen < 5:
        verb, seen = verb.head, seen + 1
    return verb.head if verb.dep_ in {"relcl", "acl"} and verb.head.pos_ in NOMINAL else None


def _nearest(pronoun: Token) -> Token | None:
    """Give the noun right before a relative pronoun whose clause hangs elsewhere."""
    for i in range(pronoun.i - 1, max(-1, pronoun.i - 4), -1):
        token = pronoun.doc[i]
        if token.pos_ in {"NOUN", "PROPN"} and pronoun.tag_ == "WDT":
            return token
        if not token.is_punct and token.pos_ != "ADP":
            return None
    return None


def _last_of(noun: Token, verb: Token) -> bool:
    """Only a noun's own clause; conjuncts that stand before the relative share it."""
    return any(
        c.dep_ == "conj" and c.i < verb.left_edge.i for c in noun.children
    ) and verb.tag_ in {"VBP"}


# --- arguments --------------------------------------------------------------------------------


def _arguments(verb: Token, passive: bool) -> Iterator[Argument]:
    nominal = any(c.dep_ in {"dobj", "attr"} for c in verb.children)
    naming = passive and lemma_of(verb) in NAMING
    for child in verb.children:
        for argument in _argument(verb, child, passive):
            named = naming and argument.role == "object"
            yield replace(argument, role="be") if named else argument
    if lemma_of(verb) in TRANSFER:
        yield from _misplaced(verb)
    if verb.dep_ == "relcl" and not nominal and not passive:
        # "the house John bought": the gap is the object
        own = [c for c in verb.children if c.dep_ in SUBJECTS]
        relative = [c for c in own if c.tag_ in {"WDT", "WP"} or c.lower_ == "that"]
        stranded = any(c.dep_ == "prep" and not list(c.children) for c in verb.children)
        fronted = any(
            c.tag_ in {"WRB"}
            or (
                c.dep_ == "prep"
                and c.i < verb.i
                and any(g.tag_ in {"WDT", "WP"} for g in c.children)
            )
            for c in verb.children
        )
        gap = own and not relative and not stranded and not fronted
        if gap and verb.head.pos_ in NOMINAL and verb.head.lower_ not in CIRCUMSTANCES:
            yield Argument("object", verb.head)


def misplaced(prep: Token) -> bool:
    """Whether the parser hung on the object a phrase that is the verb's: `pay $5 to Ann`."""
    if prep.lower_ not in {"to", "from"} or prep.dep_ != "prep":
        return False
    head, steps = prep.head, 0
    while head.pos_ in NOMINAL and head.dep_ in {"dobj", "pobj", "prep", "nsubjpass"} and steps < 6:
        head, steps = head.head, steps + 1
        if head.pos_ == "ADP":
            head = head.head
    return steps > 0 and head.pos_ == "VERB" and lemma_of(head) in TRANSFER and prep.i > head.i


def _misplaced(verb: Token) -> Iterator[Argument]:
    for child in verb.children:
        if child.dep_ == "dobj" and child.i > verb.i:
            for prep in child.subtree:
                if misplaced(prep) and prep.head.i != verb.i:
                    for inner in prep.children:
                        if inner.dep_ == "pobj":
                            for token in conjuncts(inner):
                                yield Argument("prep", token, prep.lower_, prep.i)


def _argument(verb: Token, child: Token, passive: bool) -> Iterator[Argument]:
    match child.dep_:
        case "dobj" | "oprd":
            for token in _resolved(verb, child):
                yield Argument("object" if child.dep_ == "dobj" else "be", token)
        case "dative" if child.tag_ in {"IN", "TO"}:
            for inner in child.children:
                if inner.dep_ == "pobj":
                    for token in _resolved(verb, inner):
                        yield Argument("prep", token, child.lower_, child.i)
        case "dative":
            for token in _resolved(verb, child):
                yield Argument("to", token)
        case "attr" | "acomp":
            if child.pos_ in {"VERB", "AUX"} and child.dep_ == "attr":
                return
            for token in conjuncts(child):
                yield Argument("be", token)
        case "agent":
            for inner in child.children:
                if inner.dep_ == "pobj":
                    for token in _resolved(verb, inner):
                        yield Argument("agent", token, child.lower_, child.i)
        case "prep":
            yield from _prepositional(verb, child, passive)
        case "npadvmod" | "tmod" | "nmod":
            for token in conjuncts(child):
                yield Argument("time", token)
        case "ccomp" | "xcomp":
            yield Argument("clause", child)
        case "advmod" if child.lower_ not in NEGATIVE:
            yield Argument("adverb", child)
            plain = child.tag_ == "RB" and not any(child.lefts)  # not "no later than"
            for inner in child.rights:
                if plain and inner.dep_ == "prep" and inner.i == child.i + 1:
                    yield from _prepositional(verb, inner, passive, child.lower_)


def _prepositional(verb: Token, prep: Token, passive: bool, adverb: str = "") -> Iterator[Argument]:
    """Yield the arguments under a preposition; what leads to it is in its name, "out of"."""
    # a list of what is left, so that depth costs no stack: prepositions, and words under one
    left: list[tuple[Token, str, Token | None]] = [(prep, adverb, None)]
    while left:
        word, name, under = left.pop()
        if under is None:
            before, name = name, " ".join(filter(None, [name, word.lower_]))
            if len(name.split()) > 3:
                continue
            for inner in reversed(list(word.children)):
                if inner.dep_ in {"pobj", "pcomp"}:
                    left.append((inner, name, word))
                elif inner.dep_ == "prep":
                    left.append((inner, name, None))
                elif inner.dep_ == "conj" and inner.pos_ in {"ADP", "SCONJ"}:
                    left.append((inner, before, None))
        elif word.dep_ == "pobj":
            # "in Ulm or in Berlin": the second preposition is joined to the first, or to its word
            joined = [c for c in word.children if c.dep_ == "conj" and c.pos_ == "ADP"]
            left += [(one, name.rpartition(" ")[0], None) for one in joined]
            role = "agent" if passive and name == "by" else "prep"
            for token in _resolved(verb, word):
                yield Argument(role, token, name, under.i)
        else:
            yield Argument("clause", word, name, under.i)


def _resolved(verb: Token, token: Token) -> list[Token]:
    """Give the conjuncts of an argument; a relative pronoun is its antecedent."""
    if token.tag_ in {"WDT", "WP"}:
        noun = _antecedent(verb)
        return [noun] if noun is not None else []
    return conjuncts(token)
