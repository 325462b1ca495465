"""The facts that rules read: of statements, of their figures, contrasts and grades."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from rdflib.namespace import RDF
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.align.accounts import Contrast, Figure
from groundrules.align.statements import AlignedStatement
from groundrules.terms import GR, STATEMENT, Claim, Span, Triple, source_iri

if TYPE_CHECKING:
    from groundrules.claims.models.grades import Grade
    from groundrules.models.readers import Entailment


def facts(
    statements: Iterable[AlignedStatement], sources: Mapping[str, str], claims: Iterable[Claim] = ()
) -> Iterator[Triple]:
    """Yield what the rules read of statements, in a fixed order; `sources` are texts by name.

    `claims` are the triples read from the statements, of which each contrast turns some; a
    statement without any is turned, or copied, itself.
    """
    own: dict[int, list[Claim]] = defaultdict(list)
    for claim in claims:
        own[claim.sentence].append(claim)
    fresh = (BNode(f"held{number}") for number in itertools.count())
    told: set[Span] = set()
    for aligned in statements:
        node = aligned.claim.id
        foreign = aligned.unreadable and not aligned.read_by
        if not aligned.compared or (foreign and not aligned.figures):
            continue
        triples = own.get(aligned.number, [aligned.claim])
        if triples == [aligned.claim] and aligned.exact and not aligned.unreadable:
            yield Triple(node, GR.copied, Literal(True))
        if aligned.lack and not aligned.unreadable:
            yield Triple(node, GR.lacks, Literal(aligned.lack))
        for place in aligned.passages[aligned.nearest :][:1]:
            yield Triple(node, GR.evidence, passage_id(place))
        for place in aligned.passages:
            if place not in told:
                told.add(place)
                yield Triple(passage_id(place), GR.source, source_iri(place.source))
                yield Triple(
                    passage_id(place),
                    GR.text,
                    Literal(sources[place.source][place.start : place.end]),
                )
        for figure, places in aligned.figures:
            yield from _figure(aligned, figure, places, next(fresh))
        for contrast in aligned.contrasts:
            fact = next(fresh)
            yield from _contrast(aligned, contrast, fact)
            for claim in touched(triples, aligned, contrast):
                yield Triple(fact, GR.turns, claim.id)
        if aligned.grade is not None:
            yield from _grade(aligned, aligned.grade, sources, next(fresh))
        if aligned.doubted is not None:
            yield from _entailment(aligned, aligned.doubted, next(fresh))


def formerly(
    statements: Iterable[AlignedStatement], sources: Mapping[str, str]
) -> Iterator[Triple]:
    """Yield that a superseded source carries statements, by the nearest of its passages."""
    for aligned in statements:
        for place in aligned.passages[aligned.nearest :][:1]:
            node = passage_id(place)
            said = Literal(sources[place.source][place.start : place.end])
            yield Triple(aligned.claim.id, GR.formerly, node)
            yield Triple(node, GR.source, source_iri(place.source))
            yield Triple(node, GR.text, said)


def touched(claims: Sequence[Claim], aligned: AlignedStatement, contrast: Contrast) -> list[Claim]:
    """Return the claims of a statement with a part in the words that a contrast quotes, or all.

    A verb or a copula is quoted with what belongs to it: who is not "valid" is not "valid in".
    """
    start, end = contrast.start, contrast.end
    quoted_at = aligned.text.rfind(contrast.claimed, 0, end + len(contrast.claimed))
    if quoted_at < end and start < quoted_at + len(contrast.claimed):
        start, end = min(start, quoted_at), max(end, quoted_at + len(contrast.claimed))
    start, end = aligned.span.start + start, aligned.span.start + end
    found = [
        claim
        for claim in claims
        if any(part is not None and part.start < end and start < part.end for part in claim.parts)
    ]
    return found or list(claims)


def _figure(
    aligned: AlignedStatement, figure: Figure, places: Sequence[Span], fact: BNode
) -> Iterator[Triple]:
    yield Triple(fact, RDF.type, GR.Figure)
    yield Triple(fact, GR.claim, aligned.claim.id)
    yield Triple(fact, GR.account, Literal(figure.account))
    yield Triple(fact, GR.kind, Literal(figure.kind))
    yield Triple(fact, GR.claimed, Literal(figure.text))
    yield Triple(fact, GR.similarity, Literal(round(figure.similarity, 4)))
    if figure.rather:
        yield Triple(fact, GR.stated, Literal(figure.rather))
    if figure.how:
        yield Triple(fact, GR.how, Literal(figure.how))
    for place in places[:1]:
        inside = (
            p for p in aligned.passages
            if p.source == place.source and p.start <= place.start < max(p.end, p.start + 1)
        )  # fmt: skip
        # what stands between sentences, the head of a table, is no passage
        for around in itertools.islice(inside, 1):
            yield Triple(fact, GR.evidence, passage_id(around))
    offset = aligned.span.start
    yield from _place(fact, offset + figure.start, offset + figure.end)


def _contrast(aligned: AlignedStatement, contrast: Contrast, fact: BNode) -> Iterator[Triple]:
    yield Triple(fact, RDF.type, GR.Contrast)
    yield Triple(fact, GR.claim, aligned.claim.id)
    yield Triple(fact, GR.kind, Literal(contrast.kind))
    yield Triple(fact, GR.claimed, Literal(contrast.claimed))
    yield Triple(fact, GR.stated, Literal(contrast.stated))
    yield Triple(fact, GR.evidence, passage_id(aligned.passages[contrast.passage]))
    offset = aligned.span.start
    yield from _place(fact, offset + contrast.start, offset + contrast.end)


def _grade(
    aligned: AlignedStatement, grade: Grade, sources: Mapping[str, str], fact: BNode
) -> Iterator[Triple]:
    yield Triple(fact, RDF.type, GR.Grade)
    yield Triple(fact, GR.claim, aligned.claim.id)
    yield Triple(fact, GR.kind, Literal(grade.kind))
    if grade.wrong is not None:
        start, end = grade.wrong.start, grade.wrong.end
        wrong = aligned.text[start - aligned.span.start : end - aligned.span.start]
        yield Triple(fact, GR.claimed, Literal(" ".join(wrong.split())))
        yield from _place(fact, start, end)
    if grade.quote is not None and grade.passage is not None:
        words_quoted = sources[grade.quote.source][grade.quote.start : grade.quote.end]
        yield Triple(fact, GR.stated, Literal(" ".join(words_quoted.split())))
        yield Triple(fact, GR.evidence, passage_id(grade.passage))
    if grade.by:
        yield Triple(fact, GR.by, Literal(grade.by))


def _entailment(aligned: AlignedStatement, found: Entailment, fact: BNode) -> Iterator[Triple]:
    yield Triple(fact, RDF.type, GR.Entailment)
    yield Triple(fact, GR.claim, aligned.claim.id)
    yield Triple(fact, GR.contradicted, Literal(round(found.contradicted, 4)))
    yield Triple(fact, GR.neither, Literal(round(found.neither, 4)))
    yield Triple(fact, GR.claimed, Literal(" ".join(aligned.text.split())))


def _place(fact: Node, start: int, end: int) -> Iterator[Triple]:
    yield Triple(fact, GR.start, Literal(start))
    yield Triple(fact, GR.end, Literal(end))


def passage_id(place: Span) -> URIRef:
    """Return the node of a passage of a source."""
    name = quote(place.source, safe="", errors="surrogatepass")
    return STATEMENT[f"{name}:passage:{place.start}-{place.end}"]


def passages_of(
    statements: Iterable[AlignedStatement], sources: Mapping[str, str]
) -> dict[URIRef, Claim]:
    """Return the passages that statements were held against, `id gr:text "its words"`, by id."""
    places = dict.fromkeys(place for aligned in statements for place in aligned.passages)
    out = {}
    for place in places:
        node = passage_id(place)
        said = Literal(sources[place.source][place.start : place.end])
        out[node] = Claim(node, Triple(node, GR.text, said), place, origin="passage")
    return out
