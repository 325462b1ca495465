"""The markdown format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from groundrules.explain.formats import Look, markdown
from groundrules.explain.place import printable
from groundrules.terms import Override, Report
from tests.explain import cases
from tests.explain.formats.test_json import reports

PARSER = MarkdownIt("gfm-like", {"linkify": False})
hostile = st.text(st.sampled_from("ab1 .-+*_`~#|<>[]()!&;:/\\@$^={}\"'\n\t"), max_size=30)


@pytest.mark.parametrize("name", cases.CASES)
def test_golden(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}/markdown", markdown.render([cases.CASES[name]()], Look()))


@given(hostile | st.text(max_size=20))
def test_a_text_is_shown_as_it_is(text: str) -> None:
    shown = PARSER.parse(markdown.plain(text))
    words = printable(" ".join(text.split()))

    assert [token.type for token in shown] in ([], ["paragraph_open", "inline", "paragraph_close"])
    children = [child for token in shown for child in token.children or ()]
    assert {child.type for child in children} <= {"text", "text_special"}
    assert "".join(child.content for child in children).replace("\u2060", "") == words.replace(
        "\u2060", ""
    )


@given(reports)
def test_any_report_is_shown_without_html_of_its_own(report: Report) -> None:
    tokens = PARSER.parse(markdown.render([report], Look()))
    own = {"<details><summary>Checked against</summary>\n", "</details>\n"}

    assert {token.content for token in tokens if token.type == "html_block"} <= own
    inline = [child for token in tokens for child in token.children or ()]
    assert not any(child.type == "html_inline" for child in inline)


def test_what_could_not_be_checked_stands_before_the_findings() -> None:
    text = markdown.render([cases.policy()], Look())

    assert text.index("Could not be checked") < text.index("### Findings")


def test_what_is_set_aside_is_told_with_its_reason() -> None:
    report = cases.lease()
    first = next(v for v in report.violations if v.rule == "GR205")
    aside = Override(first.fingerprint, "override", "read the deed", "Ann", "2026-03-01T00:00:00Z")
    text = markdown.render([replace(report, overrides=(aside,))], Look())

    told = text[text.index("### Set aside") :]
    assert "GR205" in told
    assert "*override, Ann, 2026-03-01T00:00:00Z: read the deed*" in told
