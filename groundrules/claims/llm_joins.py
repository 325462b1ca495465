"""What the parser and a language model read of one text, joined: the claims of the parser stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import quote

from rdflib.term import URIRef

from groundrules.claims.llm_answers import ReadTriple
from groundrules.claims.llm_ends import Part
from groundrules.claims.lookup import meets
from groundrules.claims.offline import Extraction
from groundrules.claims.phrases import sound
from groundrules.terms import RELATION, STATEMENT, Claim, Mention, Span, Triple, mint


def joined(
    extraction: Extraction, found: Iterable[ReadTriple]
) -> tuple[Extraction, list[ReadTriple]]:
    """Return the extraction with the triples found, and those that go against the parser."""
    claims = list(extraction.claims)
    by_sentence: dict[int, list[Claim]] = {}
    for claim in claims:
        by_sentence.setdefault(claim.sentence, []).append(claim)
    mentions = {mention.span: mention for mention in extraction.mentions}
    labels = dict(extraction.labels)
    meant: dict[Span, Part] = {}
    seen = {(c.sentence, c.triple, c.polarity, c.modality) for c in claims}
    added: list[Claim] = []
    backwards = []
    name = quote(sound(extraction.document.name), safe="")
    for one in found:
        same = [
            c
            for c in by_sentence.get(one.sentence, ())
            if c.parts[1] and one.place and meets(c.parts[1], one.place)
        ]
        if any(_ends(c, one.object.span, one.subject.span) for c in same):
            backwards.append(one)
            continue
        for part in (one.subject, one.object):
            labels.setdefault(part.node, part.label)
            if part.stands_for and part.span in mentions:
                meant.setdefault(part.span, part)
        if any(_ends(c, one.subject.span, one.object.span) for c in same):
            continue
        predicate = mint(RELATION, one.relation)
        triple = Triple(one.subject.node, predicate, one.object.node)
        parsed = same[0] if same else None
        polarity = parsed.polarity if parsed else one.polarity
        modality = parsed.modality if parsed else one.modality
        key = one.sentence, triple, polarity, modality
        if key in seen:
            continue
        seen.add(key)
        for part in (one.subject, one.object):
            words = extraction.document.text[part.span.start : part.span.end]
            mentions.setdefault(part.span, Mention(part.span, words, part.kind, part.node))
        labels.setdefault(predicate, one.relation)
        added.append(
            Claim(
                id=URIRef(f"{STATEMENT}{name}:llm:{len(added)}"),
                triple=triple,
                span=extraction.sentences[one.sentence],
                parts=(one.subject.span, one.place, one.object.span),
                polarity=polarity,
                modality=modality,
                attribution=parsed.attribution if parsed else one.attribution,
                time=(parsed.time if parsed else None) or one.time,
                confidence=0.7 if one.subject.stands_for or one.object.stands_for else 0.9,
                origin="llm",
                sentence=one.sentence,
            )
        )
    for span, part in meant.items():
        mentions[span] = replace(mentions[span], node=part.node, kind=part.kind)
    return (
        replace(
            extraction,
            claims=(*(_restated(claim, meant) for claim in claims), *added),
            mentions=tuple(sorted(mentions.values(), key=lambda m: (m.span.start, -m.span.end))),
            labels=labels,
        ),
        backwards,
    )


def _ends(claim: Claim, subject: Span, object_: Span) -> bool:
    one, _, other = claim.parts
    return bool(one and other and meets(one, subject) and meets(other, object_))


def _restated(claim: Claim, meant: Mapping[Span, Part]) -> Claim:
    """Return a claim of the parser with what its pronouns stand for."""
    s, p, o = claim.triple.subject, claim.triple.predicate, claim.triple.object
    one, other = (meant.get(place) if place else None for place in claim.parts[::2])
    subject, object_ = one.node if one else s, other.node if other else o
    if (subject, object_) == (s, o) or subject == object_:
        return claim
    return replace(claim, triple=Triple(subject, p, object_), origin="llm")
