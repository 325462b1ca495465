"""Laws of decisions: what is decided does not count and stays in view; what is new counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import api
from groundrules.audit import overrides
from groundrules.audit.overrides import Decision, apply, baseline, unused
from groundrules.claims.documents.document import Document
from groundrules.errors import SourceError
from groundrules.explain.formats import json as as_json
from groundrules.explain.formats import text as as_text
from groundrules.terms import Outcome, Override, Report, Severity, Statement
from tests.explain import cases

CASES = (cases.lease, cases.policy, cases.wide, cases.long, cases.empty)
SAID = Decision("0" * 16, Outcome.SUPPORTED, "read again", "Ann", "2026-03-01T12:00:00Z")


def refuted(report: Report) -> Statement:
    return next(one for one in report.statements if one.outcome is Outcome.REFUTED)


@pytest.mark.parametrize("case", CASES)
def test_by_its_own_baseline_nothing_speaks_against_a_text(case: Callable[[], Report]) -> None:
    report = case()
    judged = apply(report, baseline([report]))
    assert not any(map(judged.stands, judged.violations))
    assert judged.conforms is not False
    assert replace(judged, overrides=()) == report


@pytest.mark.parametrize("case", CASES)
def test_what_could_not_be_checked_is_in_no_baseline(case: Callable[[], Report]) -> None:
    report = case()
    unread = tuple(replace(one, outcome=Outcome.UNVERIFIABLE) for one in report.statements)
    report = replace(report, statements=unread, violations=())
    judged = apply(report, baseline([report]))
    assert judged.overrides == ()
    assert judged.conforms is report.conforms
    assert not (unread and report.conforms)


def test_what_a_baseline_does_not_have_counts() -> None:
    report = cases.lease()
    for number, one in enumerate(report.violations):
        before = replace(report, violations=tuple(v for v in report.violations if v is not one))
        judged = apply(report, baseline([before]))
        standing = [place for place, v in enumerate(report.violations) if judged.stands(v)]
        assert standing == [number]
        assert judged.conforms is (one.severity is not Severity.ERROR)


def test_a_statement_of_another_outcome_than_it_had_counts_again() -> None:
    report = cases.lease()
    one = refuted(report)
    was = replace(report, violations=(), statements=tuple(
        replace(s, outcome=Outcome.NOT_ENOUGH_INFO) if s is one else s for s in report.statements
    ))  # fmt: skip
    judged = apply(replace(report, violations=()), baseline([was]))
    assert not judged.set_aside(one)
    assert judged.conforms is False
    assert apply(was, baseline([was])).conforms is True


def test_a_baseline_is_of_its_text_alone() -> None:
    report = cases.lease()
    known = baseline([report])
    other = replace(report, source="other.txt")
    assert apply(other, known).overrides == ()
    assert apply(other, [replace(one, text="") for one in known]).conforms is True


def test_a_baseline_knows_a_finding_whose_sentence_was_moved() -> None:
    lease = Document("lease.txt", "The rent is $900 a month. The tenant is Ann Lee.")
    wrong = "The rent is $950 a month."
    before = api.check(Document("a.txt", wrong), context=lease)
    after = api.check(Document("a.txt", f"The tenant is Ann Lee.\n\n{wrong}"), context=lease)
    assert any(v.claim and v.claim.origin == "statement" for v in before.violations)
    assert before.conforms is after.conforms is False
    assert apply(after, baseline([before])).conforms is True


def test_a_person_goes_before_a_baseline_and_the_last_word_counts() -> None:
    report = cases.lease()
    one = refuted(report)
    said = replace(SAID, fingerprint=one.fingerprint)
    again = replace(said, outcome=Outcome.REFUTED, by="Bob")
    assert apply(report, [said, *baseline([report])]).outcome_of(one) is Outcome.SUPPORTED
    judged = apply(report, [said, again])
    assert judged.outcome_of(one) is Outcome.REFUTED
    assert judged.override_of(one) == Override(
        one.fingerprint, "override", "read again", "Bob", SAID.at, Outcome.REFUTED
    )


def test_what_a_person_decides_of_a_statement_covers_its_findings_and_no_other() -> None:
    report = cases.lease()
    one = refuted(report)
    for outcome in (Outcome.SUPPORTED, None):
        judged = apply(report, [replace(SAID, fingerprint=one.fingerprint, outcome=outcome)])
        own = report.findings_of(one)
        assert own
        assert [v for v in report.violations if not judged.stands(v)] == [
            v for v in report.violations if v in own
        ]
        assert judged.set_aside(one) is (outcome is None)


@pytest.mark.parametrize("form", ["text", "full", "concise"])
def test_every_form_shows_what_was_decided_and_all_that_was_found(form: str) -> None:
    report = cases.lease()
    one = refuted(report)
    said = replace(SAID, fingerprint=one.fingerprint)
    plain = as_text.dumps(report, form=form)
    known = apply(report, baseline([report]))
    told = as_text.dumps(known, form=form)
    assert "set aside: baseline" in told
    assert f"0 errors, 0 warnings, {len(report.violations)} set aside" in told
    assert all(one.name in told for one in report.violations if one.name in plain)
    judged = apply(report, [said])
    assert "overridden to supported by Ann, 2026-03-01: read again" in as_text.dumps(
        judged, form=form
    )
    assert "1 decided by a person" in as_text.dumps(judged, form=form)


def test_a_statement_without_a_finding_shows_what_was_decided_of_it() -> None:
    report = cases.lease()
    report = replace(report, violations=())
    for one in report.statements:
        for outcome in (Outcome.SUPPORTED, Outcome.REFUTED, Outcome.UNVERIFIABLE):
            said = replace(SAID, fingerprint=one.fingerprint, outcome=outcome)
            for form in ("text", "full", "concise"):
                assert "by Ann, 2026-03-01" in as_text.dumps(apply(report, [said]), form=form)


def test_json_has_what_was_decided() -> None:
    report = cases.lease()
    judged = apply(report, baseline([report]))
    assert as_json.loads(as_json.dumps(judged)) == judged


def test_what_is_decided_on_nothing_is_found() -> None:
    report = cases.lease()
    mine = replace(SAID, fingerprint=report.statements[0].fingerprint)
    assert list(unused([report], [SAID, mine])) == [SAID]
    elsewhere = replace(mine, text="other.txt")
    assert list(unused([report], [elsewhere])) == [elsewhere]


TEXT = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1)
DECISIONS = st.builds(
    Decision,
    st.text("0123456789abcdef", min_size=16, max_size=16),
    st.none() | st.sampled_from(Outcome),
    TEXT,
    TEXT,
    TEXT,
    st.just("") | TEXT,
) | st.builds(
    Decision,
    st.text("0123456789abcdef", min_size=16, max_size=16),
    text=TEXT,
    was=st.sampled_from(Outcome),
)


@given(st.lists(DECISIONS), st.lists(DECISIONS, max_size=3))
def test_decisions_are_read_as_they_were_written_and_added(
    tmp_path_factory: pytest.TempPathFactory, first: list[Decision], more: list[Decision]
) -> None:
    path = tmp_path_factory.mktemp("decided") / "overrides.jsonl"
    overrides.write(path, first)
    for one in more:
        overrides.add(path, one)
    assert overrides.read(path) == (*first, *more)


def test_a_line_is_added_after_one_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "overrides.jsonl"
    overrides.add(path, SAID)
    path.write_bytes(path.read_bytes().rstrip())
    overrides.add(path, SAID)
    assert overrides.read(path) == (SAID, SAID)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nothing", "Invalid JSON"),
        ("[1]", "should be an object"),
        ('{"fingerprint": "x", "why": "a", "by": "b"}', "fingerprint: String should match"),
        ('{"fingerprint": "0123456789abcdef"}', "nobody says why"),
        ('{"fingerprint": "0123456789abcdef", "by": "Ann"}', "nobody says why"),
        ('{"fingerprint": "0123456789abcdef", "by": "Ann", "why": " "}', "why: String should have"),
        ('{"fingerprint": "0123456789abcdef", "by": 1, "why": "x"}', "by: Input should be"),
        (
            '{"fingerprint": "0123456789abcdef", "by": "a", "why": "x", "outcome": "suported"}',
            "outcome: Input should be 'supported', ",
        ),
        ('{"fingerprint": "0123456789abcdef", "reson": "x"}', "reson: Unexpected"),
        ('{"fingerprint": "0123456789abcdef", "was": "refuted", "outcome": "refuted"}',
         "a baseline gives no outcome"),
        ("[" * 100_000, "Invalid JSON"),
    ],
)  # fmt: skip
def test_a_bad_line_is_told_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "overrides.jsonl"
    overrides.add(path, SAID)
    path.write_text(path.read_text() + "\n" + line + "\n")
    with pytest.raises(SourceError) as raised:
        overrides.read(path)
    assert str(raised.value).startswith(f"{path}:3: ")
    assert message in str(raised.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        overrides.read(tmp_path / "none")


def test_of_sentences_in_the_same_words_one_that_is_new_counts_for_all() -> None:
    report = cases.lease()
    one = refuted(report)
    twice = replace(
        report, violations=(), statements=(one, replace(one, outcome=Outcome.CONFLICTING))
    )
    known = baseline([twice])
    assert apply(twice, known).conforms is True
    assert apply(twice, known[:1]).overrides == ()
    assert apply(twice, known[:1]).conforms is False
