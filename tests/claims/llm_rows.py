"""Rows that a language model might answer with, and what stands in for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rdflib.term import Literal

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.facts.parsed import Parsed
from groundrules.claims.models.llm_triples import Reading, read_triples
from groundrules.llm.prompt import Prompt
from groundrules.terms import Claim

LEASE = (
    'This Lease is between Alpine Holdings LLC (the "Landlord") and Bright Harbor Books, Inc. '
    '(the "Tenant"). The Tenant shall pay a base rent of $4,850 per month. '
    "It may not sublet the Premises. The roof was repaired by Northgate in May 2020. "
    "Mary Stone is the CEO of Northgate. She was born in 1960."
)
ANSWER = "Northgate insures the roof. Bright Harbor Books pays $5,000."

Row = dict[str, Any]


def told(
    subject: str, relation: str, object_: str, evidence: str, **rest: str | None
) -> dict[str, Any]:
    plain: Row = {"polarity": "positive", "modality": "asserted", "attribution": None, "time": None}
    triple = {"subject": subject, "relation": relation, "object": object_, "evidence": evidence}
    return plain | triple | rest


class Told:
    """A stand-in for a client: a function answers, and the prompts are kept."""

    def __init__(self, answer: Callable[[Prompt], object]) -> None:
        self.answer = answer
        self.prompts: list[Prompt] = []

    def has(self, prompt: Prompt) -> bool:
        return False

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[object, ...]:
        self.prompts += prompts
        return tuple(self.answer(prompt) for prompt in prompts)


def read(text: str, *rows: Row) -> Reading:
    return read_triples([Parsed(from_text(text))], Told(lambda _: {"text1": list(rows)}))


def shown(claim: Claim, extraction: Extraction) -> tuple[str, str, str]:
    labels, triple = extraction.labels, claim.triple
    s, p, o = (
        str(part) if isinstance(part, Literal) else labels[part]
        for part in (triple.subject, triple.predicate, triple.object)
    )
    return s, p, o


def added(reading: Reading) -> list[tuple[str, str, str]]:
    found = reading.extractions[0]
    return [shown(claim, found) for claim in found.claims if claim.origin == "llm"]
