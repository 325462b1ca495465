"""A row of a model's answer is a claim where its evidence bears it out, else it is dropped."""

from __future__ import annotations

from typing import Any

import pytest

from groundrules.claims.facts.parsed import DropError
from groundrules.claims.models import llm_answers
from groundrules.claims.models.llm_answers import ReadTriple, TripleReader
from groundrules.claims.models.llm_ends import Ends
from groundrules.terms import Modality, Span
from tests.claims.llm_rows import told
from tests.claims.looked_up import looked_up

TEXT = (
    "Northgate repaired the roof in May 2020. It did not paint the walls. "
    "Mary Stone may sell the house. Northgate pays a rent of $485."
)
REPAIRED, PAINTED = "Northgate repaired the roof in May 2020.", "It did not paint the walls."
SELLS, PAYS = "Mary Stone may sell the house.", "Northgate pays a rent of $485."


def reader(piece: str = TEXT) -> TripleReader:
    lookup = looked_up(TEXT)
    start = TEXT.index(piece)
    return TripleReader(Ends(lookup, [lookup]), Span("text", start, start + len(piece)))


def read(*row: str, **rest: str | None) -> tuple[str, str, str]:
    return shown(reader().read(told(*row, **rest)))


def shown(found: ReadTriple) -> tuple[str, str, str]:
    return found.subject.label, found.relation, found.object.label


def why(call: Any, *given: Any, **rest: Any) -> str:
    with pytest.raises(DropError) as dropped:
        call(*given, **rest)
    return dropped.value.reason


def test_what_the_evidence_words_is_a_claim_at_its_place() -> None:
    found = reader().read(told("Northgate", "repaired", "roof", REPAIRED, time="May 2020"))
    assert shown(found) == ("Northgate", "repair", "roof")
    assert found.place is not None
    assert TEXT[found.place.start : found.place.end] == "repaired"
    assert (found.sentence, found.polarity, found.modality) == (0, "positive", Modality.ASSERTED)
    assert str(found.time) == "2020-05"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("Northgate", "repaired", "roof", "Northgate flooded the whole cellar."), "ELSEWHERE"),
        (("Northgate", "repaired", "roof", "..."), "ELSEWHERE"),
        (("Southgate", "repaired", "roof", REPAIRED), "NAMELESS"),
        (("Northgate", "repaired", "cellar", REPAIRED), "NAMELESS"),
        (("Northgate", "destroyed", "roof", REPAIRED), "UNRELATED"),
    ],
)
def test_what_the_evidence_does_not_bear_out_is_dropped_with_its_reason(
    row: tuple[str, str, str, str], reason: str
) -> None:
    assert why(read, *row) == getattr(llm_answers, reason)


def test_a_denial_or_a_speaker_of_the_answer_alone_is_dropped() -> None:
    row = ("Northgate", "repaired", "roof", REPAIRED)
    assert why(read, *row, polarity="negative") == llm_answers.INVENTED
    assert why(read, *row, attribution="Ann Lee") == llm_answers.INVENTED


def test_the_words_before_the_verb_prevail_over_the_flags_of_the_answer() -> None:
    denied = reader().read(told("it", "paint", "walls", PAINTED, polarity="positive"))
    assert denied.polarity == "negative"
    open_ = reader().read(told("Mary Stone", "sell", "house", SELLS, modality="asserted"))
    assert open_.modality is not Modality.ASSERTED


def test_without_a_quote_the_first_sentence_that_words_it_is_its_place() -> None:
    found = reader().read_kea(["Mary Stone", "may sell", "house"])
    assert found.sentence == 2
    assert why(reader().read_kea, ["Mary Stone", "burned", "house"]) == llm_answers.UNQUOTED
    assert why(reader(REPAIRED).read_kea, ["Mary Stone", "sell", "house"]) == llm_answers.UNQUOTED


def test_a_relation_that_only_the_model_names_needs_a_copied_quote_and_is_possible() -> None:
    found = reader().read_kea(["Northgate", "tenant for", "rent", PAYS])
    assert (found.relation, found.modality) == ("tenant for", Modality.POSSIBILITY)
    near = PAYS.replace("pays", "paid")
    assert (
        why(reader().read_kea, ["Northgate", "tenant for", "rent", near]) == llm_answers.ELSEWHERE
    )


def test_a_name_that_is_too_long_is_dropped_before_it_is_looked_up() -> None:
    long = "Northgate " * llm_answers.LONGEST_NAME
    assert why(reader().read_kea, [long, "repaired", "roof"]) == llm_answers.NAMELESS
