"""What the pronouns of a sentence stand for, where just one thing before them agrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundrules.align.meanings import related
from groundrules.align.normal_words import tables
from groundrules.align.parses import parse
from groundrules.align.projection import Relation
from groundrules.claims.english.logic import PRONOUN_KINDS
from groundrules.claims.units.units import cut_sentences

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_PLURAL = frozenset({"NNS", "NNPS"})


def with_antecedents(text: str, before: str) -> str:
    """Return a sentence with each pronoun as the one thing that it may stand for, "" if none is."""
    doc = parse(text)
    pronouns = [t for t in doc if t.lower_ in PRONOUN_KINDS and t.tag_ in {"PRP", "PRP$"}]
    if not pronouns:
        return ""
    spans = list(cut_sentences(before, 0, len(before)))
    earlier = [parse(before[slice(*span)].strip()) for span in spans[-2:]]
    out, end = "", 0
    for token in pronouns:
        found = _antecedent(token, earlier)
        if found:
            own = token.tag_ == "PRP$"
            out += text[end : token.idx] + found + ("'s" if own else "")
            end = token.idx + len(token)
    return out[:1].upper() + out[1:] + text[end:] if out else ""


def _antecedent(pronoun: Any, earlier: Sequence[Any]) -> str:
    """Return the words of the one thing that agrees with a pronoun, "" of none and of several."""
    opens = pronoun.dep_ in {"nsubj", "nsubjpass"} and any(
        t.dep_ in {"ccomp", "csubj", "xcomp", "mark"}
        for c in pronoun.head.children
        for t in (c, *c.children)
    )
    if pronoun.dep_ == "expl" or (pronoun.lower_ == "it" and opens):
        return ""  # "it is expected that"
    if pronoun.lower_ == "it" and pronoun.head.lemma_ in tables()["impersonal"]:
        return ""  # "it was foggy", "it took two hours"
    kind = PRONOUN_KINDS[pronoun.lower_]
    named = kind in {"he", "she"}  # whether a name is a man's is not known: more is asked of it
    found = [t for t in pronoun.doc[: pronoun.i] if _agrees(t, kind, pronoun)]
    if named or not any(t.dep_ in {*_SUBJECTS, "dobj"} for t in found):
        before = earlier if named else earlier[-1:]
        found += [t for one in before for t in one if _agrees(t, kind, pronoun)]
    if len({t.lemma_.lower() for t in found}) != 1:
        return ""
    noun = found[-1]
    commas = (t.i for t in noun.subtree if t.i > noun.i and t.text == ",")
    end = next(commas, len(noun.doc))  # what stands behind it is told beside
    part = [t for t in noun.subtree if t.i < end]
    if any(t.lower_ in tables()["unsure"] or t.dep_ in {"relcl", "conj"} for t in part):
        return ""
    words = str(noun.doc[part[0].i : part[-1].i + 1].text)
    return words if part[0].pos_ == "PROPN" else words[:1].lower() + words[1:]


def _agrees(noun: Any, kind: str, pronoun: Any) -> bool:
    """Return whether a noun may be what a pronoun stands for, as to number and place."""
    if noun.pos_ not in _NOUNS or noun.dep_ in {"compound", "npadvmod", "poss", "nmod", "appos"}:
        return False
    timed = noun.lower_ in tables()["times"] | tables()["amounts"]
    if timed or any(t.pos_ == "PRON" for t in noun.children):
        return False
    if noun.dep_ == "pobj" and (noun.head.head.pos_ in _NOUNS or noun.head.lower_ == "of"):
        return False  # of "the fine for parking" the fine is meant
    if noun.doc is pronoun.doc and noun in pronoun.ancestors:
        return False
    verbs = {_verb(pronoun), _led(pronoun)}
    if noun.doc is pronoun.doc and pronoun.tag_ == "PRP" and _verb(noun) in verbs:
        return False  # nobody does it to himself, nor asks another to
    person = related(noun.lemma_.lower(), "person", "thing") is Relation.ENTAILS
    if kind == "they":
        joined = any(c.dep_ == "conj" for c in noun.children)
        return noun.tag_ in _PLURAL or person or joined or noun.lower_ in tables()["groups"]
    if kind != "it" and noun.dep_ == "pobj":
        return noun.head.dep_ == "agent" or noun.head.lower_ not in tables()["placing"]
    return noun.tag_ not in _PLURAL and not (kind == "it" and person)


def _led(pronoun: Any) -> int:
    """Return the place of the verb that leads to a pronoun's: of "asked him to mend it" "asked"."""
    verb = pronoun.doc[_verb(pronoun)]
    return _verb(verb) if verb.dep_ in {"xcomp", "ccomp"} and verb.tag_ == "VB" else verb.i


def _verb(token: Any) -> int:
    """Return the place of the verb that a token depends on."""
    while token.head.i != token.i and token.head.pos_ not in {"VERB", "AUX"}:
        token = token.head
    return int(token.head.i)


def is_of_persons(verb: Any) -> bool:
    """Return whether a verb is of somebody who may be allowed to do it, or not."""
    doer = next((c for c in verb.children if c.dep_ == "nsubj"), None)
    if doer is None or verb.lemma_ in tables()["befalling"]:
        return False
    if doer.pos_ in {"PROPN", "PRON"} or doer.lower_ in tables()["groups"]:
        return bool(doer.lower_ != "it")
    return related(str(doer.lemma_.lower()), "person", "thing") is Relation.ENTAILS
