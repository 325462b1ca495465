"""The markdown format."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from groundrules.explain.formats import Look, markdown
from groundrules.explain.place import printable
from groundrules.terms import Report
from tests.explain.formats.test_json import reports

PARSER = MarkdownIt("gfm-like", {"linkify": False})
hostile = st.text(st.sampled_from("ab1 .-+*_`~#|<>[]()!&;:/\\@$^={}\"'\n\t"), max_size=30)


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
