"""What a report says of itself."""

from __future__ import annotations

from dataclasses import replace

from rdflib.term import Literal, URIRef

from groundrules.terms import (
    METRIC,
    Conclusion,
    Metric,
    Outcome,
    Override,
    Report,
    Severity,
    Span,
    Statement,
    Violation,
)
from tests.explain import cases
from tests.rows import each


def test_the_fingerprint_of_a_statement_does_not_rest_on_its_place() -> None:
    one = cases.lease().statements[0]
    moved = replace(one, number=7, text=one.text.replace(" ", "\n"))

    assert moved.fingerprint == one.fingerprint
    assert replace(one, text=f"{one.text} Not.").fingerprint != one.fingerprint


def test_the_fingerprint_of_a_finding_on_the_whole_text_rests_on_what_it_names_not_on_scores() -> (
    None
):
    one = Violation("GR900", "low-fidelity", Severity.ERROR, "CFI is 0.10")
    scored = replace(one, bindings=(("score", Literal(0.1)), ("metric", METRIC["CFI"])))
    again = replace(scored, bindings=(("score", Literal(0.2)), ("metric", METRIC["CFI"])))
    other = replace(scored, bindings=(("score", Literal(0.1)), ("metric", METRIC["EG"])))

    assert scored.fingerprint == again.fingerprint
    assert len({one.fingerprint, scored.fingerprint, other.fingerprint}) == 3
    first = next(v for v in cases.lease().violations if v.claim)
    assert replace(first, bindings=scored.bindings).fingerprint == first.fingerprint


def _report(*outcomes: Outcome, settled: float = 0.5) -> Report:
    made = (
        Statement(URIRef(f"urn:s{n}"), n, f"S {n}.", Span("a.txt", 5 * n, 5 * n + 4), outcome)
        for n, outcome in enumerate(outcomes)
    )
    return Report("a.txt", "S 0. " * len(outcomes), tuple(made), settled=settled)


YES, NO, OPEN = Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO
UNREAD, UNASKED = Outcome.UNVERIFIABLE, Outcome.ERROR


@each("outcomes conclusion code")
def test_a_text_passes_fails_is_not_settled_or_is_not_all_checked(
    outcomes: list[str], conclusion: str, code: int
) -> None:
    report = _report(*map(Outcome, outcomes))

    assert (report.conclusion.value, report.exit_code) == (conclusion, code)
    assert report.conforms is {0: True, 1: False, 2: None}[code]


def test_the_least_share_that_must_be_supported_is_a_setting() -> None:
    half = [YES, OPEN]

    assert _report(OPEN, settled=0.0).conforms is True
    assert _report(*half, settled=0.51).conclusion is Conclusion.NOT_SETTLED
    assert _report(*half, settled=1.0).conclusion is Conclusion.NOT_SETTLED
    assert _report(YES, YES, settled=1.0).conforms is True
    # 11 of 20 is 0.55, though 0.55 * 20 is a little more than 11
    assert _report(*[YES] * 11, *[OPEN] * 9, settled=0.55).conforms is True


def test_what_a_person_decides_settles_a_text_and_what_is_set_aside_is_not_counted() -> None:
    report = _report(OPEN, OPEN)
    first, second = report.statements
    said = Override(first.fingerprint, "override", "read", "Ann", outcome=YES)
    known = Override(second.fingerprint, "baseline", "known before")

    assert (report.conclusion, report.left_open) == (Conclusion.NOT_SETTLED, (2, 2))
    assert replace(report, overrides=(said,)).conforms is True
    assert replace(report, overrides=(known,)).left_open == (1, 1)
    assert replace(
        report, overrides=(known, replace(known, fingerprint=first.fingerprint))
    ).conforms


def test_what_may_go_unchecked_is_not_supported() -> None:
    report = replace(_report(YES, YES, UNREAD, UNREAD, UNREAD), unverifiable=0.6)

    assert (report.conclusion, report.left_open) == (Conclusion.NOT_SETTLED, (3, 5))


def test_only_a_text_that_passes_is_let_through_by_the_guardrail() -> None:
    report = replace(_report(OPEN, OPEN), metrics=(Metric("CFI", 0.9, 1),))

    assert report.guardrail == "retrieve again"
    assert replace(report, settled=0.0).guardrail == "pass"
