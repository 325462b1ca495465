"""What was decided of a text, in the forms that a person or another program reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from groundrules.explain.formats import Look, load
from groundrules.terms import Outcome, Override, Report
from tests.explain import cases


def decided() -> Report:
    """The lease case: a statement overridden, a finding in the baseline, one set aside inline."""
    report = cases.lease()
    refuted = next(one for one in report.statements if one.outcome is Outcome.REFUTED)
    others = [
        one.fingerprint for one in report.violations if one not in report.findings_of(refuted)
    ]
    return replace(
        report,
        overrides=(
            Override(others[0], "baseline", "known before"),
            Override(others[1], "inline", "the annex says so"),
            Override(
                refuted.fingerprint, "override", "page 3 of the \x1b[31mscan", "Ann",
                "2026-03-01T12:00:00Z", Outcome.SUPPORTED,
            ),
        ),
    )  # fmt: skip


@pytest.mark.parametrize("form", ["text", "full", "concise"])
def test_a_report_shows_what_was_decided(form: str, golden: Callable[[str, str], None]) -> None:
    told = load(form)([decided()], Look(columns=100))
    assert "\x1b" not in told
    for words in (
        "set aside: baseline",
        "set aside in the text: the annex says so",
        "overridden to supported by Ann, 2026-03-01: page 3 of the ",
    ):
        assert words in " ".join(told.split())
    golden(f"decided/{form}", told)


@pytest.mark.parametrize(
    "form", ["text", "concise", "sarif", "junit", "github", "markdown", "html", "json"]
)
def test_every_format_says_that_a_reader_is_in_force(form: str) -> None:
    plain = cases.CASES["lease"]()
    by = (*plain.run.models, ("reader", "Odd-Reader 0123456789ab"))
    read = replace(plain, run=replace(plain.run, models=by, notes=("read by Odd-Reader",)))
    assert "Odd-Reader" in str(read.render(form))
    assert "eaders in force: " not in str(plain.render(form))


def test_what_readers_were_asked_is_not_told_as_a_language_model() -> None:
    plain = cases.CASES["lease"]()
    read = replace(plain, run=replace(plain.run, models=(), calls=(("llm calls", 3),)))
    assert "readers: 3 calls\n" in str(read)
