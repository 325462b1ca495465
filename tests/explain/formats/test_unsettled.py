"""A text of which nothing is supported is not settled, in the words of every format."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from rdflib import Graph
from rdflib.term import URIRef

from groundrules.explain import formats
from groundrules.explain.findings import told_least, told_open
from groundrules.explain.view import summary
from groundrules.service.cards import cards
from groundrules.terms import GR, Outcome, Report, Span, Statement

TOLD = "not settled: 10 of 10 statements are left open"
TEXT = "The hall is dark. " * 10


def unsettled(outcome: Outcome = Outcome.NOT_ENOUGH_INFO, number: int = 10) -> Report:
    made = (
        Statement(
            URIRef(f"urn:s{n}"),
            n,
            f"The hall is dark ({n}).",
            Span("answer.txt", 18 * n, 18 * n + 17),
            outcome,
            "support",
        )
        for n in range(number)
    )
    return Report("answer.txt", TEXT[: 18 * number], tuple(made))


def rendered(form: str, report: Report) -> str:
    return formats.load(form)([report], formats.Look())


@pytest.mark.parametrize("form", ["text", "full", "concise", "sarif", "github", "junit"])
def test_it_is_told_with_how_much_is_left_open(form: str) -> None:
    found = rendered(form, unsettled())

    assert TOLD in found
    assert "passes" not in found


def test_text_says_what_would_pass_and_where_to_read_on() -> None:
    found = rendered("text", unsettled())

    assert "at least 5 must be supported for the text to pass (settled 0.5)" in found
    assert "not-settled.html" in found
    assert "not-settled.html" not in rendered("concise", unsettled())


def test_markdown_has_it_in_the_head() -> None:
    found = rendered("markdown", unsettled())

    assert found.startswith(
        "## answer.txt: not settled\n\n**10 statements: 10 open.** Not settled: "
    )
    assert "could not be" not in found


def test_html_is_amber_and_not_green() -> None:
    found = rendered("html", unsettled())

    assert 'class="verdict unsettled"' in found
    assert 'class="verdict yes"' not in found
    assert "10 of 10 statements are left open. That is no pass" in found


def test_the_page_of_the_service_says_it_too() -> None:
    found = cards(unsettled())

    assert (found["conclusion"], found["name"]) == ("Not settled", "unsettled")
    assert found["page"].endswith("not-settled.html")
    assert cards(unsettled(Outcome.SUPPORTED))["page"] == ""


def test_json_sarif_and_rdf_name_the_conclusion() -> None:
    data = json.loads(rendered("json", unsettled()))
    run = json.loads(rendered("sarif", unsettled()))["runs"][0]
    graph = Graph().parse(data=rendered("turtle", unsettled()), format="turtle")

    assert (data["conforms"], data["conclusion"], data["settled"]) == (None, "not settled", 0.5)
    assert run["invocations"][0]["properties"]["conclusion"] == "not settled"
    # it was run, and all was checked
    assert run["invocations"][0]["executionSuccessful"] is True
    assert [one["kind"] for one in run["results"]].count("open") == 11
    assert {str(one) for one in graph.objects(None, GR.conclusion)} == {"not settled"}
    assert (None, GR.conforms, None) not in graph


@pytest.mark.parametrize("form", ["text", "concise", "github", "markdown", "html"])
def test_what_could_not_be_read_is_told_otherwise(form: str) -> None:
    report = unsettled(Outcome.UNVERIFIABLE)

    found = rendered(form, report)
    assert "not settled" not in found.casefold()
    assert "could not be" in found.casefold()
    assert "left open" not in summary(report)


def test_one_statement_is_one() -> None:
    one = unsettled(number=1)

    assert told_open(one) == "not settled: 1 of 1 statement is left open"
    assert told_least(one) == "at least 1 must be supported for the text to pass (settled 0.5)"
    assert "1 of 1 statement is left open. That is no pass" in summary(one)
    assert told_least(replace(unsettled(), settled=0.55)).startswith("at least 6 must")
