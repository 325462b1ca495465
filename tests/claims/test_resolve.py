"""Who is who: what is merged, and what never is."""

from __future__ import annotations

import pytest

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.offline import Extraction, extract
from groundrules.claims.names.resolve import resolve
from groundrules.terms import ENTITY, mint
from tests.claims.rows import rows


def resolved(*texts: str) -> tuple[Extraction, ...]:
    return resolve([extract(Document(f"d{i}", text)) for i, text in enumerate(texts)])


def subjects(extraction: Extraction, relation: str) -> set[str]:
    return {
        extraction.labels[c.triple.subject]
        for c in extraction.claims
        if extraction.labels[c.triple.predicate] == relation
    }


def test_a_surname_is_the_one_full_name_it_fits() -> None:
    (one,) = resolved("Angela Merkel visited Paris. Merkel met Emmanuel Macron.")
    assert subjects(one, "meet") == {"Angela Merkel"}


def test_a_surname_that_fits_two_people_stays_apart() -> None:
    (one,) = resolved("John Smith met Mary Smith. Smith left Paris.")
    assert subjects(one, "leave") == {"Smith"}


def test_people_of_one_surname_are_never_merged() -> None:
    first, second = resolved("John Smith signed the lease.", "Mary Smith signed the lease.")
    assert subjects(first, "sign") == {"John Smith"}
    assert subjects(second, "sign") == {"Mary Smith"}


def test_documents_share_the_node_of_a_short_name() -> None:
    source, answer = resolved("Alpine Holdings LLC sued the bank.", "Alpine sued the bank.")
    wanted = mint(ENTITY, "Alpine Holdings LLC")
    assert {c.triple.subject for c in source.claims} == {wanted}
    assert {c.triple.subject for c in answer.claims} == {wanted}


def test_a_legal_form_makes_no_difference() -> None:
    one, two = resolved("Bravo Corporation sued the bank.", "Bravo Corp. sued the bank.")
    assert {c.triple.subject for c in one.claims} == {c.triple.subject for c in two.claims}


def test_companies_of_one_first_word_stay_apart() -> None:
    text = "Alpine Holdings LLC sued Alpine Partners LLC. Alpine won the case."
    (one,) = resolved(text)
    assert subjects(one, "win") == {"Alpine"}


def test_a_defined_term_is_what_it_defines() -> None:
    (one,) = resolved(
        'Alpine Holdings LLC (the "Landlord") owns the house. The Landlord repaired the roof.'
    )
    assert subjects(one, "repair") == {"Alpine Holdings LLC"}


def test_what_a_price_is_asked_for_is_not_the_price() -> None:
    (one,) = resolved(
        'The Firm sells shares at $2 per Share (the "Price"). The Price includes tax.'
    )
    assert subjects(one, "include") == {"Price"}


def test_who_has_a_role_is_still_said() -> None:
    (one,) = resolved('Alpine Holdings LLC (the "Landlord") owns the house.')
    landlord = mint(ENTITY, "Landlord")
    assert any(c.triple.object == landlord for c in one.claims)


@pytest.mark.parametrize(("text", "who"), rows("resolve.pronoun"))
def test_a_pronoun_takes_the_person_of_its_gender(text: str, who: str) -> None:
    (one,) = resolved(text)
    assert subjects(one, "praise") == {who}


def test_a_pronoun_nothing_fits_stays_itself() -> None:
    first, second = resolved("She praised the speech.", "She praised the speech.")
    assert not {c.triple.subject for c in first.claims} & {c.triple.subject for c in second.claims}


def test_resolving_twice_changes_nothing() -> None:
    once = resolved("Angela Merkel visited Paris. Merkel met Emmanuel Macron.", "Macron slept.")
    assert [e.claims for e in resolve(once)] == [e.claims for e in once]


def test_the_order_of_the_extractions_is_kept() -> None:
    a, b = resolved("Anna Berg slept.", "The bank closed.")
    assert (a.document.name, b.document.name) == ("d0", "d1")


def test_two_names_that_are_joined_are_no_longer_form_of_one_of_them() -> None:
    source = "The Tern and the Gannet are the two ferries of the line. The Tern was built in Leith."
    _, answer = resolved(source, "The Tern was built in Oban.")
    assert {c.triple.subject for c in answer.claims} == {mint(ENTITY, "Tern")}


def test_a_name_of_several_words_is_not_short_for_itself_joined_with_another() -> None:
    answer = "The deed is made between Ingram Micro and Bay Capital, LLC."
    source, _ = resolved("Ingram Micro signed the deed.", answer)
    assert {c.triple.subject for c in source.claims} == {mint(ENTITY, "Ingram Micro")}


def test_a_firm_of_two_names_is_still_meant_by_its_first() -> None:
    _, answer = resolved("Baker and Miller LLC sued the bank.", "Baker sued the bank.")
    assert {c.triple.subject for c in answer.claims} == {mint(ENTITY, "Baker and Miller LLC")}
