"""Discourse: what a pronoun or `the company` stands for, from the sentences before it."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rdflib.term import Literal, Node

from groundrules import domain
from groundrules.claims.english import (
    FEMALE,
    IMPERSONAL,
    MALE,
    MEN,
    PEOPLE,
    PLURAL,
    TAKEN_UP,
    WOMEN,
    words,
)
from groundrules.claims.facts.phrases import Passage, Phrase, phrase
from groundrules.claims.names.names import lists

if TYPE_CHECKING:
    from spacy.tokens import Token

#: How many sentences back an antecedent may stand.
WINDOW = 4
#: Through how many pronouns one is followed: the possessor of what it stands for may be another.
_DEEPEST = 20
_PLURAL = PLURAL | {"theirs"}
_PERSONAL = re.compile(rf"(?:\w+(?:man|woman|ist|ian)|{'|'.join(sorted(words('personal')))})$")
_ARGUMENTS = words("arguments")
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})


def is_personal(noun: str) -> bool:
    """Return whether a noun in lower case is said of a person: king, judge, physician."""
    listed = noun in PEOPLE or noun in MEN | WOMEN or noun in lists()["titles"]
    return listed or _PERSONAL.match(noun) is not None


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage: Passage
    token: Token
    kind: str
    gender: str
    plural: bool
    subject: bool
    verb: int


@dataclass(slots=True)
class Discourse:
    """The last sentences of one document, as a store of possible antecedents."""

    past: deque[list[_Candidate]] = field(default_factory=lambda: deque(maxlen=WINDOW - 1))
    genders: dict[Node, str] = field(default_factory=dict)
    _here: dict[int, list[_Candidate]] = field(default_factory=dict)
    _passage: Passage | None = None
    _open: int = 0

    def enter(self, passage: Passage) -> None:
        """Move on to the next passage; its pronouns are resolved through `passage.antecedent`."""
        if self._passage is not None:
            for start in sorted(self._here):
                self.past.append(self._here[start])
        self._passage = passage
        self._here = {s.start: self._candidates(passage, s) for s in passage.block.doc.sents}
        passage.antecedent = self.antecedent

    def _candidates(self, passage: Passage, sentence: object) -> list[_Candidate]:
        out = []
        roles = domain.words().roles
        for token in sentence:  # type: ignore[attr-defined]
            name = passage.name_at.get(token.i)
            if token.i in passage.value_at or token.pos_ not in {"NOUN", "PROPN"}:
                continue
            if token.dep_ not in _ARGUMENTS or (
                name and name.start <= token.head.i < name.end and token.head.i != token.i
            ):
                continue
            role = token.text[:1].isupper() and token.lower_ in roles
            kind = name.kind if name else "TERM" if role else "NOUN"
            out.append(
                _Candidate(
                    passage,
                    token,
                    kind,
                    _gender(passage, token),
                    token.tag_ in {"NNS", "NNPS"} and not name,
                    token.dep_ in _SUBJECTS,
                    _verb(token),
                )
            )
        return out

    def antecedent(self, token: Token) -> Phrase | None:
        """Return what a pronoun or a taking-up noun stands for; None where nothing fits."""
        word = token.lower_
        if word in TAKEN_UP:
            return self._organisation(token)
        wanted = next(
            (
                n
                for n, s in (("m", MALE), ("f", FEMALE), ("t", IMPERSONAL), ("p", _PLURAL))
                if word in s
            ),
            "",
        )
        if not wanted or token.dep_ == "expl" or (wanted == "t" and _empty(token)):
            return None
        if self._open == _DEEPEST:
            return None
        for strict in (True, False):
            for candidates in self._before(token):
                fitting = [c for c in candidates if self._fits(c, wanted, strict)]
                fitting.sort(key=lambda c: (not c.subject, c.token.i))
                for candidate in fitting:
                    self._open += 1
                    found = phrase(candidate.passage, candidate.token)
                    self._open -= 1
                    if not isinstance(found.node, Literal):
                        if wanted in "mf":
                            self.genders.setdefault(found.node, wanted)
                        return found
        return None

    def _before(self, token: Token) -> list[list[_Candidate]]:
        """Give the candidates before a word: its own sentence first, then backwards."""
        verb, possessive = _verb(token), token.dep_ == "poss"
        start = max((s for s in self._here if s <= token.i), default=0)
        own = [
            c
            for c in self._here.get(start, [])
            if c.token.i < token.i
            and (possessive or c.verb != verb)
            and not (c.token.left_edge.i <= token.i <= c.token.right_edge.i)
        ]
        earlier = [self._here[s] for s in sorted(self._here, reverse=True) if s < start]
        return [own, *earlier, *reversed(self.past)][:WINDOW]

    def _fits(self, c: _Candidate, wanted: str, strict: bool) -> bool:
        if wanted in "mf":
            gender = c.gender
            if c.kind == "PERSON" and not gender:
                gender = self.genders.get(phrase(c.passage, c.token).node, "")
            if gender:
                return gender == wanted
            if c.kind == "PERSON":
                return True
            return (
                not strict
                and c.kind in {"NOUN", "TERM"}
                and not c.plural
                and bool(_PERSONAL.match(c.token.lower_))
            )
        if wanted == "t":
            if c.kind in {"ORG", "MISC", "LOC", "TERM"}:  # who has a role may be a company
                return c.kind == "ORG" or c.subject or not strict
            return (
                c.kind == "NOUN"
                and not c.plural
                and c.subject
                and not c.gender
                and not _PERSONAL.match(c.token.lower_)
            )
        if strict:
            return c.plural and c.subject
        return c.plural or c.kind == "ORG"

    def _organisation(self, token: Token) -> Phrase | None:
        word = token.lower_
        found: dict[Node, Phrase] = {}
        for candidates in self._before(token):
            for c in candidates:
                if c.kind == "ORG":
                    p = phrase(c.passage, c.token)
                    found.setdefault(p.node, p)
        same = [p for p in found.values() if word in p.label.casefold().split()]
        if len(same) == 1:
            return same[0]
        return next(iter(found.values())) if len(found) == 1 else None


def _verb(token: Token) -> int:
    """Give the verb a word depends on."""
    head, steps = token.head, 0
    while head.pos_ not in {"VERB", "AUX"} and head.head.i != head.i and steps < 30:
        head, steps = head.head, steps + 1
    return int(head.i)


def _empty(token: Token) -> bool:
    """Give `It is clear that ...`, `it rained`: a pronoun that stands for nothing."""
    verb = token.head
    if verb.lemma_ in {"rain", "snow", "seem", "appear"}:
        return True
    return verb.lemma_ == "be" and any(
        c.dep_ in {"ccomp", "xcomp", "csubj", "advcl"} for c in verb.children
    )


def _gender(passage: Passage, token: Token) -> str:
    data = lists()
    name = passage.name_at.get(token.i)
    if name:
        if name.kind != "PERSON":
            return ""
        title = name.title.casefold().rstrip(".")
        first = passage.block.doc[name.start].lower_
        if title in data["titles_male"] or first in data["given"]["male"]:
            return "m"
        if title in data["titles_female"] or first in data["given"]["female"]:
            return "f"
        return ""
    word = token.lower_
    return "m" if word in MEN else "f" if word in WOMEN else ""
