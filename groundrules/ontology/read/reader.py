"""A text and its sources, read in the terms of an ontology."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rdflib.term import Node, URIRef

from groundrules import plugins
from groundrules.claims.facts.offline import Extraction
from groundrules.domain import load
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.dated import read_events
from groundrules.ontology.read.lexicon import Lexicon, read_lexicon
from groundrules.ontology.read.model_terms import ModelReading, state_reading
from groundrules.ontology.read.relations import Things, read_relations
from groundrules.ontology.read.types import read_types
from groundrules.terms import ENTITY, Claim, Triple, mint, source_iri


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text and its sources say in the terms of an ontology.

    `references` gives the assertions of each source by its name; `labels` name the terms and
    nodes that the extraction does not; `counts` says how many claims of the text were read in
    which way: "lexical" by the words of the lexicon or by a reader, "plain" not at all.
    `background` is what reference works say of the things named, by work: that a journal appeared
    from 1993, that a club was founded in 1981. `unread` are the sentences of the text, by number,
    of which words for terms are in nothing that was read, each with the reason. `told` is what
    somebody else has read of the text: it is judged by itself, as two readings may take two names
    for one thing; `dropped` counts what is in no term of it, or names no value, by reason.
    """

    assertions: tuple[Claim, ...] = ()
    references: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    labels: Mapping[Node, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    background: Mapping[str, tuple[Triple, ...]] = field(default_factory=dict)
    unread: Mapping[int, str] = field(default_factory=dict)
    told: tuple[Claim, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


def read_terms(
    text: Extraction,
    sources: Sequence[Extraction],
    ontology: Ontology,
    *,
    told: ModelReading | None = None,
) -> Reading:
    """Return what a text and its sources, resolved already, say in the terms of an ontology.

    `told` is what somebody else has read of the text, which takes nothing of our own reading.
    Raises SourceError where the lexicon beside the ontology is none.
    """
    lexicon = read_lexicon(ontology)
    found = [Assertions(replace(one, claims=(*one.claims, *one.loops))) for one in (text, *sources)]
    domain = load(ontology.domain) if ontology.domain else None
    if domain:
        with plugins.blame(plugins.DOMAINS, domain.name):
            for assertions in found:
                for read in domain.term_readers:
                    read(assertions)
                assertions.expect_sound()
    named = {(mint(ENTITY, sign.node), sign.title) for sign in lexicon.signs if sign.title}
    titles = sorted(
        {
            str(claim.triple.object)
            for assertions in found
            for claim in assertions.claims()
            if (claim.triple.subject, claim.triple.predicate) in named
        }
    )
    things = [Things(assertions, lexicon, titles) for assertions in found]
    _introduce(things[0], things[1:])
    left = [read_relations(one) for one in things]
    for one in things:
        read_events(one)
    if domain:
        with plugins.blame(plugins.DOMAINS, domain.name):
            for assertions in found:
                for read in domain.last_readers:
                    read(assertions)
                assertions.expect_sound()
    read_types(found, lexicon)
    dropped = Counter[str]()
    if told is not None:
        dropped = state_reading(found[0], told, ontology)
        if domain:
            with plugins.blame(plugins.DOMAINS, domain.name), found[0].read_by(told.by):
                for read in domain.last_readers:
                    read(found[0])
                found[0].expect_sound()
    labels: dict[Node, str] = dict(lexicon.labels.items())
    background: dict[str, dict[Triple, None]] = {}
    for assertions in found:
        labels |= assertions.labels
        for work, triples in assertions.background.items():
            background.setdefault(work, {}).update(triples)
    first, *others = found
    lexical = {claim.reads for claim in first.claims()}
    plain = [claim for claim in left[0] if claim.id not in lexical]
    return Reading(
        first.claims(),
        settled({a.extraction.document.name: a.claims() for a in others}, lexicon),
        labels,
        {"lexical": len(first.extraction.claims) - len(plain), "plain": len(plain)},
        {work: tuple(triples) for work, triples in sorted(background.items())},
        _unread(first, lexicon, plain),
        first.told(),
        dropped,
    )


def _unread(assertions: Assertions, lexicon: Lexicon, plain: Sequence[Claim]) -> dict[int, str]:
    """Return the sentences of which words for terms are in nothing that was read of them.

    `plain` are the claims of which nothing was made.
    """
    extraction, words = assertions.extraction, _terms(lexicon)
    claims: dict[int, list[Claim]] = {}
    for claim in plain:
        claims.setdefault(claim.sentence, []).append(claim)
    text, out = extraction.document.text, dict[int, str]()
    left = list(text)
    for claim in assertions.claims():
        ends = (
            [claim.span] if None in (claim.parts[0], claim.parts[2]) else filter(None, claim.parts)
        )
        places = [place for one in ends if one for place in (one.start, one.end)]
        left[min(places) : max(places)] = " " * (max(places) - min(places))
    for number, span in enumerate(extraction.sentences):
        said = text[span.start : span.end]
        over = "".join(left[span.start : span.end])
        if words is None or said.rstrip().endswith("?") or not words.search(over):
            continue
        if over != said and not claims.get(number):
            continue  # what is left of it is no statement
        phrases = (
            extraction.labels.get(one.triple.predicate, "") for one in claims.get(number, ())
        )
        reasons = dict.fromkeys(f"“{one}” is no wording of a property" for one in phrases)
        if lexicon.elsewhere and lexicon.elsewhere.search(said):
            reasons = {"the lexicon has it for a sentence about another thing": None}
        out[number] = "; ".join(reasons) or "no triple was read in it"
    return out


def _terms(lexicon: Lexicon) -> re.Pattern[str] | None:
    """Return the pattern of the words for classes, roles and values, None where there are none."""
    nouns = {noun for kind in lexicon.kinds for noun in kind.nouns}
    found = sorted({*lexicon.classes, *lexicon.roles, *nouns}, key=len)
    words = "|".join(re.escape(word) for word in reversed(found) if word)
    return re.compile(rf"(?i)\b(?:{words})(?:e?s)?\b") if words else None


def _introduce(text: Things, sources: Sequence[Things]) -> None:
    """Let the one paper, or titled thing, that a text names be that which its sources are about."""
    signs = [sign for sign in text.lexicon.signs if sign.paper or sign.title]
    own = {mint(ENTITY, sign.node) for sign in signs}
    for sign in signs:
        kind = sign.name
        theirs = {node for source in sources for node in source.named.get(kind, ())}
        if not any(source.speaks_of(kind) for source in sources):
            continue
        mine = [node for node in text.named.get(kind, ()) if node not in own]
        named = len(mine) == 1 and mine[0] not in theirs
        if named or not (mine or text.speaks_of(kind)):
            text.default[kind] = mint(ENTITY, sign.node)


def settled(
    references: Mapping[str, tuple[Claim, ...]], lexicon: Lexicon
) -> dict[str, tuple[Claim, ...]]:
    """Return what sources say without what they leave open.

    A source that gives two values of what has one speaks of two things by one word: neither
    counts. Sources that give different ones speak each of a paper of its own, which the text's
    "the policy" need not be.
    """
    out: dict[str, tuple[Claim, ...]] = {}
    said: dict[tuple[Node, Node], dict[str, set[Node]]] = {}
    for name, claims in references.items():
        values: dict[tuple[Node, Node], set[Node]] = {}
        for claim in claims:
            if claim.polarity == "positive" and claim.triple.predicate in lexicon.functional:
                key = claim.triple.subject, claim.triple.predicate
                values.setdefault(key, set()).add(claim.triple.object)
        open_ = {key for key, found in values.items() if _differ(found)}
        out[name] = tuple(
            claim for claim in claims if (claim.triple.subject, claim.triple.predicate) not in open_
        )
        for claim in out[name]:
            t = claim.triple
            single = t.predicate in lexicon.functional or t.predicate in _roles(lexicon)
            if t.subject in lexicon.own and single and claim.polarity == "positive":
                said.setdefault((t.subject, t.predicate), {}).setdefault(name, set()).add(t.object)
    apart = any(
        _differ({min(found, key=str) for found in by.values()})
        for by in said.values()
        if len(by) > 1
    )
    return {name: _own(name, claims, lexicon) if apart else claims for name, claims in out.items()}


def _roles(lexicon: Lexicon) -> set[Node]:
    return {role.property for role in lexicon.roles.values() if role.of in lexicon.papers}


def _differ(values: set[Node]) -> bool:
    """Return whether values are not all one: "2024" and "2024-05-01" may be."""
    first, *others = sorted(map(str, values), key=len)
    return any(not other.startswith(first) for other in others)


def _own(name: str, claims: tuple[Claim, ...], lexicon: Lexicon) -> tuple[Claim, ...]:
    """Give a source a paper of its own."""

    def renamed(node: Node) -> Node:
        local = str(node).removeprefix(str(ENTITY))
        return URIRef(f"{source_iri(name)}:{local}") if node in lexicon.own else node

    return tuple(
        replace(
            claim,
            triple=Triple(
                renamed(claim.triple.subject), claim.triple.predicate, renamed(claim.triple.object)
            ),
        )
        for claim in claims
    )
