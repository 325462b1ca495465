"""One report in every format: what a person reads and what a program reads say the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from rdflib import Graph
from rdflib.term import URIRef

from groundrules.explain.findings import told_least, told_open
from groundrules.explain.formats import Look, load, names
from groundrules.explain.view import summary
from groundrules.service.cards import cards
from groundrules.terms import GR, Outcome, Override, Report, Span, Statement
from tests.explain import cases
from tests.rows import each

FEW = ("lease", "policy", "wide")
#: The cases that are kept of each format, of those not named all.
KEPT = {
    "full": FEW, "concise": FEW, "text.60": (*FEW, "long"),
    "html": ("lease",), "turtle": ("lease",), "trig": ("lease",), "jsonld": ("lease",),
    "jsonl": (),
}  # fmt: skip
LOOKS = {"text.60": Look(columns=60)}
GOLDEN = [(one, form) for form in (*names(), *LOOKS) for one in KEPT.get(form, cases.CASES)]
OPEN = "not settled: 10 of 10 statements are left open"


def rendered(form: str, report: Report, look: Look | None = None) -> str:
    return load(form.partition(".")[0])([report], look or LOOKS.get(form, Look()))


@pytest.mark.parametrize(("name", "form"), GOLDEN)
def test_golden(name: str, form: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}/{form}", rendered(form, cases.CASES[name]()))


# --- not settled ------------------------------------------------------------------------------


def halls(outcome: Outcome = Outcome.NOT_ENOUGH_INFO, number: int = 10) -> Report:
    made = (
        Statement(URIRef(f"urn:s{n}"), n, f"The hall is dark ({n}).",
                  Span("answer.txt", 18 * n, 18 * n + 17), outcome, "support")
        for n in range(number)
    )  # fmt: skip
    return Report("answer.txt", "The hall is dark. " * number, tuple(made))


@each("form told untold")
def test_a_text_of_which_nothing_is_supported_is_not_settled(
    form: str, told: tuple[str, ...], untold: str
) -> None:
    found = rendered(form, halls())
    assert [one for one in told if one not in found] == []
    assert untold not in found


def test_a_text_that_is_not_settled_was_checked_all_the_same() -> None:
    run = json.loads(rendered("sarif", halls()))["runs"][0]
    assert run["invocations"][0]["executionSuccessful"] is True
    assert [one["kind"] for one in run["results"]].count("open") == 11
    graph = Graph().parse(data=rendered("turtle", halls()), format="turtle")
    assert (None, GR.conforms, None) not in graph
    assert cards(halls())["page"].endswith("not-settled.html")
    assert cards(halls(Outcome.SUPPORTED))["page"] == ""


@pytest.mark.parametrize("form", ["text", "concise", "github", "markdown", "html"])
def test_what_could_not_be_read_is_told_otherwise(form: str) -> None:
    found = rendered(form, halls(Outcome.UNVERIFIABLE)).casefold()
    assert ("not settled" in found, "could not be" in found) == (False, True)


def test_one_statement_is_one() -> None:
    one = halls(number=1)
    assert told_open(one) == "not settled: 1 of 1 statement is left open"
    assert told_least(one) == "at least 1 must be supported for the text to pass (settled 0.5)"
    assert "1 of 1 statement is left open. That is no pass" in summary(one)
    assert told_least(replace(halls(), settled=0.55)).startswith("at least 6 must")


# --- what was decided, and by whom ------------------------------------------------------------


def decided() -> Report:
    """The lease case: a statement overridden, a finding in the baseline, one set aside inline."""
    report = cases.lease()
    refuted = next(one for one in report.statements if one.outcome is Outcome.REFUTED)
    own = report.findings_of(refuted)
    others = [one.fingerprint for one in report.violations if one not in own]
    said = Override(refuted.fingerprint, "override", "page 3 of the \x1b[31mscan", "Ann",
                    "2026-03-01T12:00:00Z", Outcome.SUPPORTED)  # fmt: skip
    aside = Override(others[1], "inline", "the annex says so")
    return replace(report, overrides=(Override(others[0], "baseline", "known before"), aside, said))


@pytest.mark.parametrize("form", ["text", "full", "concise"])
def test_a_report_shows_what_was_decided(form: str, golden: Callable[[str, str], None]) -> None:
    told = rendered(form, decided(), Look(columns=100))
    assert "\x1b" not in told
    for words in (
        "set aside: baseline",
        "set aside in the text: the annex says so",
        "overridden to supported by Ann, 2026-03-01: page 3 of the ",
    ):
        assert words in " ".join(told.split())
    golden(f"decided/{form}", told)


@each("form told")
def test_what_was_decided_is_told_with_its_reason(form: str, told: str) -> None:
    assert told in rendered(form, decided())


@pytest.mark.parametrize(
    "form", ["text", "concise", "sarif", "junit", "github", "markdown", "html", "json"]
)
def test_every_format_says_that_a_reader_is_in_force(form: str) -> None:
    plain = cases.CASES["lease"]()
    by = (*plain.run.models, ("reader", "Odd-Reader 0123456789ab"))
    read = replace(plain, run=replace(plain.run, models=by, notes=("read by Odd-Reader",)))
    assert "Odd-Reader" in str(read.render(form))
    assert "eaders in force: " not in str(plain.render(form))


@pytest.mark.parametrize("form", ["github", "markdown"])
def test_what_could_not_be_checked_stands_first(form: str) -> None:
    told = rendered(form, cases.policy()).casefold()
    first = told.index("could not be checked")
    assert first < told.find("### findings") or form == "github"
    assert form != "github" or first < told.index("gr")


def test_what_readers_were_asked_is_not_told_as_a_language_model() -> None:
    plain = cases.CASES["lease"]()
    read = replace(plain, run=replace(plain.run, models=(), calls=(("llm calls", 3),)))
    assert "readers: 3 calls\n" in str(read)
