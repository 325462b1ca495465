"""What speaks against a statement and what does not: the laws of `groundrules.checks.verdicts`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundrules import Config, check
from groundrules.align.statements import AlignedStatement, statement_claim
from groundrules.checks.verdicts import judge_statements
from groundrules.terms import Outcome, Report, Severity, Span
from tests.rows import each

SUPPORTED, REFUTED = Outcome.SUPPORTED, Outcome.REFUTED
OPEN, UNASKED = Outcome.NOT_ENOUGH_INFO, Outcome.UNVERIFIABLE
FOUNDERS = "Alice Smith founded Acme Corp in 1990. Bob Jones joined Acme Corp in 1995."
FACTS = """
@prefix : <https://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:capital a owl:FunctionalProperty ; rdfs:label "capital"@en .
:syldavia rdfs:label "Syldavia"@en ; :capital :klow .
:klow rdfs:label "Klow"@en . :szohod rdfs:label "Szohod"@en .
"""


def aligned(text: str, source: str, **settings: Any) -> Report:
    config = Config(**settings)
    return check(text, context=[source], config=config, verify=False)


def found(report: Report) -> dict[str, Severity]:
    return {v.rule: v.severity for v in report.violations if v.severity is not Severity.INFO}


def test_another_holder_of_what_one_alone_holds_is_an_error() -> None:
    report = aligned("Bob Jones founded Acme Corp.", FOUNDERS)
    assert found(report)["GR202"] is Severity.ERROR
    assert [one.outcome for one in report.statements] == [REFUTED]
    assert report.conforms is False


def test_another_doer_of_what_several_may_do_only_warns() -> None:
    report = aligned(
        "The Building is insured by Northgate Mutual Company.",
        "The Building is insured by Cascade Mutual Insurance Company. "
        "Northgate Mutual Company maintains the roof.",
    )
    assert found(report)["GR202"] is Severity.WARNING
    assert [one.outcome for one in report.statements] == [OPEN]


def test_a_triple_of_a_sentence_that_is_worded_otherwise_only_warns() -> None:
    report = aligned(
        "Bob Jones, in a cold garage by the river one winter night, with borrowed money and two "
        "old friends, founded Acme Corp.",
        "Alice Smith founded Acme Corp, which she sold. Bob Jones joined it.",
    )
    assert found(report).get("GR202") in (None, Severity.WARNING)
    assert [one.outcome for one in report.statements] == [OPEN]


@each("text")
def test_a_figure_that_no_source_gives_is_a_note_and_leaves_its_statement_open(text: str) -> None:
    source = "The town built a new bridge over the Arve. It is a kilometre from the market."
    report = check(text, context=source)
    (found,) = [v for v in report.violations if v.rule == "GR308"]

    assert found.severity is Severity.INFO
    assert (report.statements[0].outcome, report.statements[0].reason) == (OPEN, "figure")


@pytest.mark.parametrize(
    ("phrased", "missing", "outcome"),
    [(True, (), SUPPORTED), (True, ("closed",), OPEN), (False, (), OPEN)],
)
def test_a_fixed_phrase_supports_where_no_word_is_missing(
    phrased: bool, missing: tuple[str, ...], outcome: Outcome
) -> None:
    text = "The terrace is closed."
    claim = statement_claim("text", 0, Span("text", 0, len(text)), text)
    near = (Span("doc", 0, 9),)
    one = AlignedStatement(
        claim, 0, text, near, True, False, phrased=phrased, missing_words=missing
    )
    (statement,) = judge_statements([one], [])
    assert statement.outcome is outcome


SHIPS = (
    "The old ferry, the Tern, was built in 1968 by the Nyland yard and was replaced by the Gannet "
    "in 2019. The Gannet carries 120 passengers and 14 cars; the Tern carried 8 cars."
)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("The Gannet was replaced by the Tern in 2019.", REFUTED),
        ("The Tern replaced the Gannet in 2019.", OPEN),
        ("The Gannet carries 8 cars.", REFUTED),
        ("The Gannet replaced the Tern in 2019.", SUPPORTED),
        ("The Tern was replaced by the Gannet in 2019.", SUPPORTED),
        ("The Gannet carries 14 cars.", SUPPORTED),
    ],
)
def test_who_did_what_to_whom_is_read_of_verbs_that_share_a_subject(
    text: str, outcome: Outcome
) -> None:
    assert [one.outcome for one in aligned(text, SHIPS).statements] == [outcome]


@each("text source")
def test_a_word_that_a_passage_has_in_another_form_is_not_missed(text: str, source: str) -> None:
    (one,) = aligned(text, source).statements
    assert "no passage has" not in one.note


@pytest.mark.parametrize("word", ["shouldn't", "shouldn’t", "couldn't", "won’t", "isn't"])
def test_an_auxiliary_that_is_cut_short_is_not_missed(word: str) -> None:
    text = f"The fish {word} be kept in sunlight."
    (one,) = aligned(text, "Keep the fish in a warm room.").statements
    assert one.note == "no passage has “kept”, “sunlight”"


def test_the_sign_of_a_degree_is_its_word() -> None:
    (one,) = aligned("The water is 28 degrees.", "The water is 28 °C.").statements
    assert "degrees" not in one.note
    (other,) = aligned("The water is 25 degrees.", "The water is 28 °C.").statements
    assert other.outcome is not SUPPORTED


@each("text source")
def test_what_a_source_says_in_another_order_or_voice_is_not_accused(
    text: str, source: str
) -> None:
    assert found(aligned(text, source)) == {}


def test_a_figure_that_is_stated_excuses_no_name_beside_it() -> None:
    source = "US 9,800,001 was invented by Ada Lindqvist."
    report = aligned("US 9,800,001 was invented by Hugo Petit.", source)
    assert found(report)
    assert [one.outcome for one in report.statements] != [SUPPORTED]
    assert report.conforms is False


def test_who_a_pronoun_stands_for_refutes_nothing() -> None:
    report = aligned("Alice Smith met Bob Jones. He founded Acme Corp.", FOUNDERS)
    assert report.statements[1].outcome is OPEN
    assert not [v for v in report.violations if v.severity is Severity.ERROR]


def test_a_name_that_no_source_has_is_at_fault_where_it_stands_and_not_where_it_is_meant() -> None:
    text = "Alice Smith joined Zeta LLC in 1995. It hired Bob Jones."
    told = aligned(text, FOUNDERS, ontology="legal").violations
    unknown = [(v.claim.sentence, v.severity) for v in told if v.claim and v.rule == "GR101"]
    assert unknown == [(0, Severity.ERROR), (1, Severity.WARNING)]


def test_a_claim_whose_words_a_finding_turns_is_refuted_with_its_statement() -> None:
    report = aligned("He may sublet the Premises.", "He may not sublet the Premises.")
    assert [one.outcome for one in report.statements] == [REFUTED]
    (verdict,) = report.verdicts
    assert (verdict.outcome, verdict.reason) == (REFUTED, report.statements[0].reason)


def test_a_claim_that_a_finding_in_its_statement_is_not_about_keeps_its_verdict() -> None:
    source = "The Tenant pays a base rent of $4,850 per month."
    report = aligned("The Tenant pays a base rent of $5,850 per month.", source)
    told = {str(v.claim.triple.object): v.outcome for v in report.verdicts}
    assert [one.outcome for one in report.statements] == [REFUTED]
    assert told["5850 USD"] is REFUTED
    others = [outcome for value, outcome in told.items() if value != "5850 USD"]
    assert others
    assert REFUTED not in others


@each("share conforms code")
def test_the_share_that_may_go_unchecked_is_a_setting(
    share: float, conforms: bool | None, code: int, tmp_path: Path
) -> None:
    path = tmp_path / "facts.ttl"
    path.write_text(FACTS, encoding="utf-8")
    text = "The capital of Syldavia is Klow. Quite so, and gladly."
    report = check(text, config=Config(kb=(str(path),), unverifiable=share), verify=False)
    assert [one.outcome for one in report.statements] == [SUPPORTED, UNASKED]
    assert (report.conforms, report.exit_code) == (conforms, code)


def test_a_text_of_which_nothing_could_be_asked_never_conforms(tmp_path: Path) -> None:
    path = tmp_path / "facts.ttl"
    path.write_text(FACTS, encoding="utf-8")
    config = Config(kb=(str(path),), unverifiable=1.0)
    report = check("Quite so, and gladly.", config=config, verify=False)
    assert [one.outcome for one in report.statements] == [UNASKED]
    assert report.conforms is None


TURNED = Path(__file__).with_name("turned.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize("row", [*map(json.loads, TURNED)], ids=lambda row: row["text"])
def test_two_that_changed_places_are_an_error_unless_they_may_be_told_so(row: Any) -> None:
    report = check(row["text"], context=row["source"])
    assert row["error"] == any(one.severity is Severity.ERROR for one in report.violations)
