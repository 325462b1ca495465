"""Links: what joins a clause to the one that it depends on."""

from __future__ import annotations

from typing import Any

from groundrules.claims.english.logic import (
    CONJUNCTIONS,
    EXCEPTING_ROLES,
    INVERTING,
    LINKING_NOUNS,
    LINKS,
    RESTRICTED,
)

#: Words of the longest link before the one that opens the clause.
_LONGEST = 3
_OPENING = frozenset({"when", "where", "whenever"})


def link_of(clause: Any) -> str:
    """Return the role that its first words give to a clause: "only if", "provided", "because"."""
    opening = next((c for c in clause.children if is_link(c, clause)), None)
    if opening is None:
        if is_inverted(clause):
            return "if"
        aims = any(c.lower_ == "to" and c.dep_ == "aux" for c in clause.children)
        return "to" if aims else "ing"
    doc = opening.doc
    for start in range(max(0, opening.i - _LONGEST), opening.i + 1):
        found = LINKS.get(doc[start : opening.i + 1].text.casefold())
        if found is not None:
            return found
    role = CONJUNCTIONS.get(opening.lower_, opening.lower_)
    if role == "since" and is_reason(clause.head):
        role = "because"
    before = doc[clause.left_edge.i - 1].lower_ if clause.left_edge.i else ""
    comma = bool(opening.i) and opening.nbor(-1).text == ","
    if opening.lower_ == "where" and comma and clause.i > clause.head.i:
        return "beside"  # what is told of a place
    only = before == "only" or any(
        c.lower_ == "only" and c.i < opening.i for t in (clause, opening) for c in t.children
    )
    return f"only {role}" if only and role in RESTRICTED else role


def is_link(token: Any, clause: Any) -> bool:
    """Return whether a word opens a clause: "if", or the "when" of an adverbial clause."""
    if token.dep_ == "mark":
        return True
    adverbial = clause.dep_ in {"advcl", "ccomp"} or is_excepted(clause)
    before = token.dep_ == "advmod" and token.i < clause.i
    return bool(before and token.lower_ in _OPENING and adverbial)


def is_excepted(clause: Any) -> bool:
    """Return whether a clause hangs on an "except": "except where it is wet"."""
    return bool(clause.dep_ == "pcomp" and clause.head.lower_ in EXCEPTING_ROLES)


def is_reason(main: Any) -> bool:
    """Return whether a "since" tells a reason: of a time it is said what has been so since."""
    return not any(c.dep_ == "aux" and c.lemma_ == "have" for c in main.children)


def is_inverted(clause: Any) -> bool:
    """Return whether a condition is told by its order alone: "should it rain"."""
    first = next(iter(clause.subtree))
    return bool(first.head == clause and first.dep_ == "aux" and first.lower_ in INVERTING)


def noun_link(prep: Any) -> tuple[str, Any] | None:
    """Return the role and the word of what a phrase with a noun links: "in case of fire"."""
    for noun in prep.children:
        role = LINKING_NOUNS.get(f"{prep.lower_} {noun.lower_}")
        if role is None:
            continue
        for c in noun.children:
            if c.dep_ in {"acl", "relcl", "ccomp", "advcl"}:
                return role, c
            if c.lower_ == "of" and role == "if":
                return next((("in case of", g) for g in c.children if g.dep_ == "pobj"), None)
    return None
