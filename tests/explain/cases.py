"""Reports written by hand, one for each kind of thing a person may have to read.

They are `reports/*.json`, as the format json has them: `lease` has each kind of violation, `policy`
is an answer in free words with every outcome, figures with their sums and edits of words, `wide`
has emoji, CJK, combining marks, tabs and terminal controls in its excerpts, `long` a violation in
a line of 10,000 characters and one over five lines, `empty` no claim.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from rdflib.term import Literal, URIRef

from groundrules.explain.formats.json import loads
from groundrules.rules.packs import built_in, load_packs, traits_of
from groundrules.terms import (
    ENTITY,
    RELATION,
    STATEMENT,
    Claim,
    Edit,
    EditOperation,
    Outcome,
    Report,
    Span,
    Statement,
    Traits,
    Triple,
    Violation,
    mint,
)

_TRAITS = traits_of(load_packs(built_in()))


def violated(rule: str, *parts: Any, **more: Any) -> Violation:
    """Return a violation as the rule of that id makes it, if one that ships has it."""
    return Violation(rule, *parts, **{"traits": _TRAITS.get(rule, Traits()), **more})


def span(text: str, words: str, source: str, nth: int = 0) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Span(source, start, start + len(words))


def claim(
    text: str,
    sentence: str,
    parts: tuple[str | None, str | None, str | None],
    triple: Triple,
    *,
    source: str = "answer.txt",
    number: int = 0,
    **mode: object,
) -> Claim:
    whole = span(text, sentence, source)
    places: list[Span | None] = []
    for part in parts:
        if part is None:
            places.append(None)
            continue
        inner = span(sentence, part, source)
        places.append(Span(source, whole.start + inner.start, whole.start + inner.end))
    return Claim(
        URIRef(f"{STATEMENT}{source}:{whole.start}:{number}"),
        triple,
        whole,
        (places[0], places[1], places[2]),
        sentence=number,
        **mode,  # type: ignore[arg-type]
    )


def statement(
    text: str,
    words: str,
    number: int,
    outcome: Outcome,
    reason: str = "",
    *,
    source: str = "answer.txt",
    **more: object,
) -> Statement:
    node = URIRef(f"{STATEMENT}{source}:sentence:{number}")
    return Statement(
        node,
        number,
        words,
        span(text, words, source),
        outcome,
        reason,
        **more,  # type: ignore[arg-type]
    )


def triple(s: str, p: str, o: str | Literal) -> Triple:
    return Triple(
        mint(ENTITY, s), mint(RELATION, p), o if isinstance(o, Literal) else mint(ENTITY, o)
    )


def edit(old: Triple, new: Triple | None, applicability: str, verified: bool | None) -> Edit:
    operations = [EditOperation("DELETE", old)]
    if new:
        operations.append(EditOperation("ADD", new))
    return Edit(tuple(operations), applicability, verified)  # type: ignore[arg-type]


def mode_edit(node: URIRef, what: URIRef, old: str, new: str) -> Edit:
    return Edit(
        (
            EditOperation("DELETE", Triple(node, what, Literal(old))),
            EditOperation("ADD", Triple(node, what, Literal(new))),
        ),
        "safe",
        True,
    )


def _read(name: str) -> Report:
    return loads(Path(__file__).with_name("reports").joinpath(f"{name}.json").read_text("utf-8"))


CASES = {name: partial(_read, name) for name in ("lease", "policy", "wide", "long", "empty")}
lease, policy, wide, long, empty = CASES.values()
LEASE = lease().sources["lease.txt"]
