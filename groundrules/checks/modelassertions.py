"""A text as a language model reads it in the terms of the ontology in force.

Each piece of it is one question (`claims/models/llm_terms.py`); what the words come to is ours to
read (`ontology/read/model_terms.py`). Two controls are asked about in questions like the others:
texts of which it is known what they say in these terms, one of them plainly, the other not. Where
one is read amiss nothing counts that was read of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundrules.checks.inputs import hash_of
from groundrules.claims.documents.document import from_text, plain
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.models.llm_terms import pieces_of, question_on
from groundrules.errors import LLMError
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.control_texts import Known, known_texts
from groundrules.ontology.read.model_terms import ModelReading, state_reading
from groundrules.ontology.read.reader import Reading
from groundrules.ontology.termlist import Vocabulary, vocabulary
from groundrules.terms import Span

if TYPE_CHECKING:
    from groundrules.llm.client import Client


@dataclass(frozen=True, slots=True)
class ModelAssertions:
    """What a model has read of a text, None where nothing holds; what to tell of it.

    `unasked` are the causes for which it has not read the text, or a piece of it.
    """

    reading: ModelReading | None = None
    notes: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


def ask_assertions(text: Extraction, ontology: Ontology, client: Client) -> ModelAssertions:
    """Return what a model reads of a text in the terms of an ontology, if its controls hold."""
    terms = vocabulary(ontology)
    told = terms.text()
    body = plain(text.document)
    pieces = pieces_of(body)
    controls = known_texts(ontology, terms, int(hash_of(body)[:8], 16))
    if not pieces or not controls:
        return ModelAssertions()
    asked = [body[start:end] for start, end in pieces]
    answers = client.ask_all(
        [question_on(one, told, ontology.name) for one in (*asked, *(c.text for c in controls))]
    )
    own, theirs = answers[: len(pieces)], answers[len(pieces) :]
    causes = Counter(one.cause for one in own if isinstance(one, LLMError))
    lost = [one.cause for one in theirs if isinstance(one, LLMError)]
    unasked = tuple(
        f"language model {client.name} has not read "
        f"{_how_much(0 if lost else count, len(pieces))} in the terms of {ontology.name}: {cause}"
        for cause, count in {**causes, **dict.fromkeys(lost, 0)}.items()
    )
    if lost:
        return ModelAssertions(unasked=unasked)
    for control, answer in zip(controls, theirs, strict=True):
        if why := read_amiss(control, answer, ontology, terms):
            note = (
                f"nothing that the language model read in the terms of {ontology.name} counts: a "
                f"control was read amiss, “{control.text}”: {why}"
            )
            return ModelAssertions(notes=(note,))
    read = tuple(
        (place, answer)
        for place, answer in zip(pieces, own, strict=True)
        if not isinstance(answer, LLMError)
    )
    left: tuple[str, ...] = ()
    if terms.left_out:
        left = (f"{terms.left_out:,} terms of {ontology.name} were not told to the language model",)
    return ModelAssertions(ModelReading(client.name, terms, read), left, unasked)


def told_notes(told: ModelReading, reading: Reading) -> list[str]:
    """Return what the report has to say of what a model read in the terms of an ontology."""
    count = len(reading.told)
    lines = [f"language model {told.by}: {count:,} assertions in the terms of the ontology"]
    if total := sum(reading.dropped.values()):
        why = ", ".join(
            f"{number:,} {reason}" for reason, number in sorted(reading.dropped.items())
        )
        lines.append(
            f"of {told.given:,} things, assertions and orders that it gave {total:,} were dropped: "
            + why
        )
    return lines


def _how_much(count: int, every: int) -> str:
    """Return how much of a text so many of its pieces are; none stands for the whole of it."""
    if count in (0, every):
        return "the text"
    return f"{count:,} of {every:,} pieces of the text"


# --- controls ---------------------------------------------------------------------------------


def read_amiss(control: Known, answer: object, ontology: Ontology, terms: Vocabulary) -> str:
    """Return how a control was read amiss, empty where it was not."""
    assert isinstance(answer, Mapping)
    document = from_text(control.text, "control")
    whole = (Span(document.name, 0, len(document.text)),)
    assertions = Assertions(Extraction(document, (), (), whole, {}))
    read = ModelReading("control", terms, (((0, len(control.text)), answer),))
    state_reading(assertions, read, ontology)
    return control.amiss(assertions.told(), assertions.labels)
