"""Claims whose relation is worded nearly as a property, by the likeness of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english.fillers import NO_WORDING
from groundrules.ontology.read.lexicon import Lexicon, Relation
from groundrules.ontology.read.relations import OPEN, Things, fits, modality, without_papers, write
from groundrules.terms import Claim, Modality

__all__ = ["choose", "read_similar", "wordings"]


#: The least similarity of a relation's words to a property's, and its lead over the second.
HIGH, MARGIN, LOW = 0.7, 0.08, 0.5


def read_similar(
    things: Things,
    unread: Sequence[Claim],
    types: Mapping[Node, URIRef],
    counts: Counter[str],
    model: str,
) -> dict[URIRef, str]:
    """State the claims whose relation is worded nearly as one property whose ends they fit.

    Between two properties that are near alike, and between HIGH and LOW, nothing is chosen. What is
    returned says why of each claim, by its id, that nothing was made of. An event that is told as
    so is read from its proposition, or not at all.
    """
    lexicon = things.lexicon
    events = {event.property for found in lexicon.events.values() for event in found}
    extraction = things.assertions.extraction
    labels, text = extraction.labels, extraction.document.text
    wanted: dict[tuple[str, frozenset[str]], list[Claim]] = {}
    fitting: dict[tuple[URIRef | None, URIRef | None], frozenset[str]] = {}
    why: dict[URIRef, str] = {}
    for claim in unread:
        phrase = labels.get(claim.triple.predicate, "").casefold()
        o = claim.triple.object
        sort = o.datatype if isinstance(o, Literal) else types.get(o)
        kinds = types.get(claim.triple.subject), sort
        if kinds not in fitting:
            fitting[kinds] = wordings(lexicon, *kinds)
        near = fitting[kinds]
        worded = claim.parts[1] is not None and not {*phrase.split()} <= NO_WORDING
        if near and worded:
            wanted.setdefault((phrase, near), []).append(claim)
        else:
            counts["plain"] += 1
            ends = claim.triple.subject, o
            unknown = [labels.get(n, str(n)) for n, k in zip(ends, kinds, strict=True) if k is None]
            why[claim.id] = _unfit(phrase, unknown, worded=worded)
    if not wanted:
        return why
    chosen = choose(lexicon, list(wanted), model)
    for (found, score), ((phrase, _), claims) in zip(chosen, wanted.items(), strict=True):
        if found is None:
            counts["abstained" if score >= LOW else "plain"] += len(claims)
            told = "no property is worded like" if score < LOW else "no one property is near to"
            why |= dict.fromkeys((claim.id for claim in claims), f"{told} “{phrase}”")
            continue
        property_, backwards = lexicon.phrases[found]
        for claim in claims:
            how = claim.polarity, modality(claim)
            if property_ in events and how == ("positive", Modality.ASSERTED):
                counts["plain"] += 1
                why[claim.id] = f"no proposition tells “{phrase}” of one thing"
                continue
            counts["embedding"] += 1
            s, o = claim.triple.subject, claim.triple.object
            if backwards:
                s, o = o, s
            before = text[extraction.sentences[claim.sentence].start : claim.span.end]
            open_ = OPEN.search(without_papers(before)) is not None
            write(
                things,
                (s, Relation(property_), o),
                claim.span,
                (claim.parts[2], claim.parts[1], claim.parts[0]) if backwards else claim.parts,
                claim.polarity,
                Modality.CONDITION if open_ else modality(claim),
                claim.id,
                confidence=round(score, 4),
            )
    return why


def _unfit(phrase: str, unknown: Sequence[str], *, worded: bool) -> str:
    """Return why no property was looked for: whose kind is unknown, or that none joins the ends."""
    if not worded:
        return f"“{phrase}” words no property"
    if unknown:
        return f"“{phrase}” is no wording of a property, and what “{unknown[0]}” is, is not known"
    return f"no property leads from the one to the other as “{phrase}” would"


def _passive(phrase: str) -> bool:
    return phrase.endswith(" by")


def choose(
    lexicon: Lexicon, wanted: Sequence[tuple[str, frozenset[str]]], model: str
) -> list[tuple[str | None, float]]:
    """Return for each phrase, with the wordings it may be, the one it is near, and how near.

    None where the best is under HIGH or leads a wording of another property by less than MARGIN.
    Vectors hardly tell "overrule" from "be overruled by": wordings of the other voice are left out.
    """
    from groundrules.models.embed import encode

    names = sorted({name for _, near in wanted for name in near})
    rows = {name: i for i, name in enumerate(names)}
    vectors = encode(names, model=model)
    phrases = encode([phrase for phrase, _ in wanted], model=model)
    out: list[tuple[str | None, float]] = []
    for (phrase, near), vector in zip(wanted, phrases, strict=True):
        voice = [name for name in near if _passive(name) == _passive(phrase)]
        scores = sorted(
            ((float(vectors[rows[name]] @ vector), name) for name in voice), reverse=True
        )
        if not scores:
            out.append((None, 0.0))
            continue
        best, name = scores[0]
        rivals = [s for s, other in scores if lexicon.phrases[other] != lexicon.phrases[name]]
        sure = best >= HIGH and (not rivals or best - rivals[0] >= MARGIN)
        out.append((name if sure else None, best))
    return out


def wordings(lexicon: Lexicon, s: URIRef | None, o: URIRef | None) -> frozenset[str]:
    """Return the wordings of the properties between a thing of a class and one, or a datatype."""
    if s is None or o is None:
        return frozenset()

    def inside(kind: URIRef, ends: frozenset[URIRef]) -> bool:
        return fits(kind, ends) or bool(ends & lexicon.above.get(kind, frozenset()))

    out = set()
    for phrase, (property_, backwards) in lexicon.phrases.items():
        domain = lexicon.domains.get(property_, frozenset())
        range_ = lexicon.ranges.get(property_, frozenset())
        if backwards:
            domain, range_ = range_, domain
        if domain and range_ and inside(s, domain) and inside(o, range_):
            out.add(phrase)
    return frozenset(out)
