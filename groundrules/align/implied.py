"""Whether a source gives one thing a value without the words for it.

"Mary Smith (1828-1896)" has neither "born" nor "died", and a citation has no "decided". A statement
that is nothing but such values says what its source says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rdflib.term import Literal, Node

from groundrules.align.passages import words
from groundrules.align.wordalign import read
from groundrules.claims.english.fillers import OF_IMPLICATION
from groundrules.claims.english.stems import family
from groundrules.claims.equivalence import compare
from groundrules.claims.offline import Extraction
from groundrules.terms import GR, Claim, Modality, Span

#: By thing and relation, the claims of each source that give it a value.
Values = Mapping[tuple[Node, str], Sequence[tuple[str, Claim]]]

_IN = re.compile(r"-(?:in|on)\Z")
_TOWARD = re.compile(r"-(?:in|towards?)\Z")
_VERBAL = frozenset({"VERB", "AUX", "ADP"})


def values_of(sources: Sequence[Extraction]) -> Values:
    """Return the values that sources give, as facts, of one thing."""
    out: dict[tuple[Node, str], list[tuple[str, Claim]]] = defaultdict(list)
    for source in sources:
        for claim in source.claims:
            if _is_fact(claim):
                out[_key(claim)].append((source.document.name, claim))
    return out


def implied(
    sentence: str, span: Span, claims: Iterable[Claim], labels: Mapping[Node, str], known: Values
) -> frozenset[str]:
    """Return the sources that give every value of a sentence that says nothing else.

    `claims` are those of the sentence at `span`, `labels` the words of their nodes. A value that
    is vaguer than the source's is given by it.
    """
    own = list(claims)
    if not own or not all(map(_is_fact, own)) or not _is_covered(sentence, span, own, labels):
        return frozenset()
    return frozenset.intersection(*(_givers(claim, known) for claim in own))


def _is_fact(claim: Claim) -> bool:
    plain = claim.polarity == "positive" and claim.modality is Modality.ASSERTED
    return plain and claim.attribution is None and isinstance(claim.triple.object, Literal)


def _key(claim: Claim) -> tuple[Node, str]:
    """Return thing and relation; on a day, in a year and toward the end of a decade are one."""
    date = claim.triple.object
    vague = isinstance(date, Literal) and date.datatype == GR.years
    relation = (_TOWARD if vague else _IN).sub("", str(claim.triple.predicate))
    return claim.triple.subject, relation


def _givers(claim: Claim, known: Values) -> frozenset[str]:
    value = claim.triple.object
    return frozenset(
        source
        for source, other in known.get(_key(claim), ())
        if isinstance(value, Literal)
        and isinstance(other.triple.object, Literal)
        and compare(value, other.triple.object) in ("equal", "claim-coarser")
    )


def _is_covered(
    sentence: str, span: Span, claims: Sequence[Claim], labels: Mapping[Node, str]
) -> bool:
    """Return whether all words of a sentence are words of its claims."""
    doc = read(sentence).doc
    uncovered = list(sentence)
    for claim in claims:
        thing, relation, value = (
            range(part.start - span.start, part.end - span.start) if part else range(0)
            for part in claim.parts
        )
        named = {family(word) for word in words(labels.get(claim.triple.subject, ""))}
        said = words(sentence[thing.start : thing.stop])
        # "most tenants" is more than its node, "probably born" more than its verb
        if {family(word) for word in said if word not in OF_IMPLICATION} <= named:
            uncovered[thing.start : thing.stop] = " " * len(thing)
        if all(token.pos_ in _VERBAL for token in doc if token.idx in relation):
            uncovered[relation.start : relation.stop] = " " * len(relation)
        uncovered[value.start : value.stop] = " " * len(value)
    return all(word in OF_IMPLICATION for word in words("".join(uncovered)))
