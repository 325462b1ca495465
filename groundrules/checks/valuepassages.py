"""The passages of extracted values: where their quotes stand, and how well they support them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rdflib.term import URIRef

from groundrules.claims.document import Document
from groundrules.claims.fields import Field
from groundrules.claims.quotes import Passage, locate, relate, rivals, widen
from groundrules.errors import LLMError
from groundrules.models.passage_scorer import as_spelled, hypothesis, score_support
from groundrules.terms import Claim, Modality, Span

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: The other fields of a schema as which a value is scored, those next to its own.
RIVALS = 16


@dataclass(frozen=True, slots=True)
class ValuePassage:
    """A passage of a claim with what was found out about it; `id` names its statement.

    `quote` is what the model copied, `relation` compares the value with the passage
    (`claims.quotes.relate`), `said` is the value as the passage has it, else as the model wrote
    it; `rival` is the one other value of that kind; `others` are the types of other fields with the
    score of the value
    as each. The scores are None where nothing was asked, or could be.
    """

    id: URIRef
    place: Passage
    reached: bool
    quote: str
    said: str = ""
    relation: str | None = None
    rival: Claim | None = None
    entails: float | None = None
    rival_entails: float | None = None
    others: tuple[tuple[str, float], ...] = ()


def find_passages(
    field: Field, claim: Claim, documents: Sequence[Document], threshold: float
) -> list[ValuePassage]:
    """Return where the quotes of a value stand, and how it compares with what stands there."""
    found: dict[Passage, ValuePassage] = {}
    texts = {document.name: document.text for document in documents}
    for number, given in enumerate(field.quotes):
        copied = locate(given, documents, threshold) if given.text else None
        if copied is None or copied in found:
            continue
        node = URIRef(f"{claim.id}:passage:{number}")
        if copied.score < threshold:
            found[copied] = ValuePassage(node, copied, False, given.text)
            continue
        place = widen(copied, texts[copied.document])
        words = texts[place.document][place.start : place.end]
        compared = relate(field, words)
        relation = compared.relation if compared else None
        said = (compared and compared.words) or field.said
        rival = None
        if relation == "disjoint" and len(others := rivals(field, words)) == 1:
            other = others[0]
            span = Span(place.document, place.start + other.start, place.start + other.end)
            triple = replace(claim.triple, object=other.literal)
            rival = Claim(
                URIRef(f"{node}:value"), triple, span,
                modality=Modality.POSSIBILITY, origin="llm",
            )  # fmt: skip
        found[place] = ValuePassage(node, place, True, given.text, said, relation, rival)
    return list(found.values())


def score_passages(
    fields: Sequence[Field],
    found: Sequence[list[ValuePassage]],
    texts: Mapping[str, str],
    asked: Sequence[tuple[str, str]],
    scorer: str,
    client: Client | None,
) -> tuple[list[list[ValuePassage]], LLMError | None]:
    """Return the passages with their support, and why it could not be asked if it could not.

    `asked` are type and format of the fields of the schema.
    """
    pairs: dict[tuple[str, str], float] = {}
    others = {field: _others(field, asked) for field in fields}

    def words(passage: ValuePassage) -> str:
        return texts[passage.place.document][passage.place.start : passage.place.end]

    def rival_words(rival: Claim) -> str:
        return texts[rival.span.source][rival.span.start : rival.span.end]

    def pair(passage: ValuePassage, kind: str, value: str) -> tuple[str, str]:
        premise = words(passage)
        return premise, hypothesis(as_spelled(kind, premise), value)

    for field, passages in zip(fields, found, strict=True):
        for passage in passages:
            if passage.reached:
                pairs[pair(passage, field.type, passage.said)] = 0.0
            if passage.relation in (None, "equal", "claim-coarser") and passage.reached:
                for other in others[field]:
                    pairs[pair(passage, other, passage.said)] = 0.0
            if passage.rival:
                pairs[pair(passage, field.type, rival_words(passage.rival))] = 0.0
    try:
        scores = score_support(list(pairs), scorer, client=client)
    except LLMError as error:
        return list(found), error
    pairs = dict(zip(pairs, scores, strict=True))

    def scored(field: Field, passage: ValuePassage) -> ValuePassage:
        if not passage.reached:
            return passage
        own = pairs[pair(passage, field.type, passage.said)]
        rival = None
        if passage.rival:
            rival = pairs[pair(passage, field.type, rival_words(passage.rival))]
        also = tuple(
            (other, pairs[asked_as])
            for other in others[field]
            if (asked_as := pair(passage, other, passage.said)) in pairs
        )
        return replace(passage, entails=own, rival_entails=rival, others=also)

    return [
        [scored(field, passage) for passage in passages]
        for field, passages in zip(fields, found, strict=True)
    ], None


def _others(field: Field, asked: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the types of the other fields of a field's format, those next to it first."""
    if field.worded:
        return ()
    kinds = [kind for kind, form in asked if form == field.format]
    if field.type not in kinds:
        return ()
    own = kinds.index(field.type)
    near = sorted(range(len(kinds)), key=lambda place: (abs(place - own), place))
    return tuple(dict.fromkeys(kinds[place] for place in near if kinds[place] != field.type))[
        :RIVALS
    ]


def best_passages(passages: Iterable[ValuePassage]) -> list[ValuePassage]:
    """Return the passages that were found, the one that supports best first."""
    reached = [passage for passage in passages if passage.reached]
    return sorted(reached, key=lambda p: (not p.place.inside, -(p.entails or 0.0)))
