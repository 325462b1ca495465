"""Laws of norms: force, terms, what bears on an action, and the model that reads the features."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import check
from groundrules.align import norms
from groundrules.align.norms import bearing, measure, read_action, read_forces, read_source
from groundrules.models.logistic import sigmoid

RETURN = "Upon termination, the Recipient shall return all Confidential Information."
COPY = "The Recipient shall not reproduce the Confidential Information in any form."
STAFF = "The Recipient shall not disclose the Confidential Information except to its employees."


@pytest.mark.parametrize(
    ("clause", "force"),
    [
        ("The Tenant shall pay the rent", "obligation"),
        ("The Tenant may sublet the flat", "permission"),
        ("The Tenant shall not sublet the flat", "prohibition"),
        ("Neither party shall assign this Agreement", "prohibition"),
        ("This Section shall not apply to public information", "exemption"),
        ("Nothing herein shall prevent the Tenant from leaving", "exemption"),
        ("Rent means the sum in Schedule 1", "definition"),
    ],
)
def test_the_words_of_a_clause_give_its_force(clause: str, force: str) -> None:
    assert force in read_forces(clause)


def test_what_does_not_apply_is_not_forbidden() -> None:
    assert "prohibition" not in read_forces("This Section shall not apply to public information")


def test_synonyms_of_an_action_are_one_term_and_names_are_none() -> None:
    one = read_action("Acme may duplicate the records of Globex.")
    other = read_action("The Recipient may copy the records.")
    assert one is not None
    assert other is not None
    assert (one.force, one.head, set(one.terms)) == (other.force, other.head, set(other.terms))


@pytest.mark.parametrize(
    ("sentence", "force"),
    [
        ("The Recipient may keep it.", "permission"),
        ("The Recipient shall keep it.", "obligation"),
        ("The Recipient shall not keep it.", "prohibition"),
        ("The list shall only include designs.", "limitation"),
    ],
)
def test_the_modal_verb_and_what_follows_give_the_force_of_a_claim(
    sentence: str, force: str
) -> None:
    action = read_action(sentence)
    assert action is not None
    assert action.force == force


@pytest.mark.parametrize("sentence", ["The Tenant pays rent.", "It shall.", "", "May 2020"])
def test_a_sentence_without_an_action_is_no_norm(sentence: str) -> None:
    assert read_action(sentence) is None
    assert measure(sentence, (COPY,)) is None


def forces(claim: str, *sentences: str) -> set[str]:
    action = read_action(claim)
    assert action is not None
    return {force for force, _, _ in bearing(action, read_source(sentences))}


def test_a_prohibition_bears_on_what_a_claim_permits_in_other_words() -> None:
    assert forces("The Recipient may make a copy.", COPY) == {"prohibition"}


def test_an_exception_permits_what_it_excepts() -> None:
    assert "permission" in forces("The Recipient may share it with its staff.", STAFF)


def test_who_must_return_all_may_retain_none() -> None:
    assert forces("The Recipient may retain some information.", RETURN) == {"prohibition"}


def test_who_may_retain_one_copy_may_retain() -> None:
    kept = "The Recipient may retain one copy for its legal records."
    assert "permission" in forces("The Recipient may retain some information.", RETURN, kept)


def test_a_participle_under_no_auxiliary_is_not_forbidden() -> None:
    source = "The Recipient shall not lose information disclosed to it by others."
    assert forces("The Recipient may disclose information to others.", source) == set()


def test_an_item_of_a_list_has_the_force_of_the_sentence_that_opens_it() -> None:
    (_, item) = read_source(("The Tenant shall not:", "(a) sublet the flat to anyone;")).norms
    assert "prohibition" in item.forces


@given(st.lists(st.text(max_size=80), max_size=6), st.text(max_size=80))
def test_any_text_is_read(sentences: list[str], claim: str) -> None:
    source = read_source(tuple(sentences))
    assert all(0 <= norm.sentence < len(sentences) for norm in source.norms)
    action = read_action(claim)
    if action is not None:
        assert action.head in action.terms
        assert sum(source.weights(action).values()) == pytest.approx(1)
        assert all(0 <= near <= 1.0001 for _, near, _ in bearing(action, source))


def test_a_long_sentence_is_read_in_time() -> None:
    read_source(("shall " * 5000 + "not", "no " * 5000, "nothing " * 3000, "(a) " * 5000))


def test_the_same_action_with_the_same_force_is_carried_better_than_another() -> None:
    same = measure("The Recipient shall not copy the information.", (COPY, RETURN))
    other = measure("The Recipient shall not solicit the staff of anyone.", (COPY, RETURN))
    assert same is not None
    assert other is not None
    assert norms.support(same) > 0.5 > norms.support(other)


def test_the_model_is_logistic_over_its_features() -> None:
    weights, intercept = norms.load_weights()
    zero = dict.fromkeys(norms.FEATURES, 0.0)
    assert norms.support(zero) == pytest.approx(sigmoid(intercept))
    for name, weight in weights.items():
        assert norms.support({**zero, name: 1.0}) == pytest.approx(sigmoid(intercept + weight))


def test_a_check_warns_of_a_permission_that_the_source_forbids() -> None:
    report = check("The Recipient may copy the Confidential Information.", context=COPY)
    assert "GR207" in {violation.rule for violation in report.violations} or any(
        violation.rule == "GR205" for violation in report.violations
    )


@pytest.mark.parametrize("sentence", [COPY, RETURN, STAFF])
def test_a_text_is_not_against_itself(sentence: str) -> None:
    report = check(sentence, context=f"{COPY} {RETURN} {STAFF}")
    assert not {v.rule for v in report.violations} & {"GR207", "GR208"}
