"""Laws of what is shown: one text without gaps, whose characters have places in the file."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.documents.document import Document, plain
from groundrules.claims.documents.markup import take_out
from groundrules.claims.documents.shown import Shown, shown
from groundrules.terms import Span
from tests import strategies
from tests.claims.rows import rows
from tests.work import assert_linear

SENTENCE = "The base rent of the flat is $5,900 per month from 1 June 2021."
HIDDEN = 'a <span style="display:none">b c</span>'
DEFINED = "\n\n[place]: https://example.org\n[^1]: The lease is in the annex."


def seen(text: str, form: str = "md") -> Shown:
    return shown(Document("a", text, form))


def said(text: str, form: str = "md") -> str:
    return " ".join(plain(seen(text, form).document).split())


@given(strategies.marked_up(SENTENCE))
def test_markup_around_words_leaves_the_sentence_as_it_is(marked: str) -> None:
    found = seen(marked + DEFINED)
    assert found.document.text.startswith(SENTENCE)
    for word in re.finditer(r"[\w$,]+", SENTENCE):
        span = found.in_file(Span("a", *word.span()))
        assert marked[span.start : span.end] == word[0]


@given(strategies.texts(), st.sampled_from(["txt", "md", "html"]))
def test_every_character_that_is_shown_has_a_place_in_its_order(text: str, form: str) -> None:
    found = seen(text, form)
    last = 0
    for place, letter in enumerate(found.document.text):
        span = found.in_file(Span("a", place, place + 1))
        assert last <= span.end <= len(text)
        assert text[span.start : span.end] == letter or span.end - span.start != 1 or letter == ","
        last = span.start
    assert len(plain(found.document)) == len(found.document.text)


@given(strategies.sentences(), st.sampled_from(["txt", "html", "pdf", "docx"]))
def test_a_text_without_markup_is_shown_as_it_is(text: str, form: str) -> None:
    marks = r"[*_~&<\\{\u00ad\u201a\u20e3\u2600-\u27bf\U0001f300-\U0001f9ff]|-\s|\d['’ʼ]\d|\s{41}"
    if not re.search(marks, text):
        assert seen(text, form).document.text == text


@given(st.text("ab ", max_size=20), st.data())
def test_cuts_lead_back_to_where_they_were_made(text: str, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    cuts = [(a, b, "x" * data.draw(st.integers(0, 2))) for a, b in zip(ends[::2], ends[1::2])]  # noqa: B905
    left, places = take_out(text, cuts)
    for place, letter in enumerate(left):
        start, end = places.of(place, place + 1)
        assert letter in (text[start:end], "x")
    assert places.of(len(left), len(left)) == (len(text), len(text))


@pytest.mark.parametrize(("text", "words"), rows("shown.shown"))
def test_what_is_shown_of_markdown_is_read(text: str, words: str) -> None:
    if words == "The rest":
        text += "\n\nThe rest"
    assert said(text) == words


@pytest.mark.parametrize("form", ["txt", "md", "html"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("$5'900 or 5’900’000", "$5,900 or 5,900,000"),
        ("it's 5'9 or '90", "it's 5'9 or '90"),
        ("5‚900 is much‚ too", "5,900 is much, too"),
        ("the „base‚ rent", "the „base, rent"),
        ("5\u00ad900 and re\u00adnt", "5900 and rent"),
        ("$5️⃣,9️⃣0️⃣0️⃣", "$5,900"),
        ("1️⃣ The rent", "1️⃣ The rent"),
        ("$5{,}900", "$5,900"),
        ("the re-\nnt, a long-\n term and pre-\nand post-war", None),
        ("x" + " " * 50 + "y", "x y"),
    ],
)
def test_what_is_spelt_otherwise_is_read_alike(text: str, words: str | None, form: str) -> None:
    found = said(text, form)
    assert found == (words or "the rent, a long-term and pre- and post-war")


def test_character_references_and_emphasis_of_plain_text_are_read() -> None:
    assert said("The __base re**nt** is__ &#36;5,900 of 2*3*4", "txt") == (
        "The base rent is $5,900 of 2*3*4"
    )


def test_what_is_struck_out_is_named() -> None:
    for text, form in (
        ("a ~~b  c~~", "md"),
        ("a <s>b c</s>", "txt"),
        ("a ~~b c~~", "html"),
        (HIDDEN, "md"),
    ):
        assert seen(text, form).not_read == ("a: “b c” is struck out or hidden",)


UNITS = [
    "<p hidden>", "🐋", "🐋 ",
    "*", "**a", "_a ", "~~", "a~~ ", "[", "](", "[a](b ", "[a]: ", "<a ", "<a x='", "<del>", "</s>",
    "<sup>1", "&", "&#", "```\n", "<!--", "> ", "\\", "a-\n", "1'000", "5{,}", "0\u20e3", "*a_",
    "\u00ad", "[^1]: ", "\n\n*", " ",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("form", ["txt", "md"])
def test_the_cost_is_linear_in_hostile_text(unit: str, form: str) -> None:
    def run(units: int) -> None:
        found = seen(unit * units, form)
        assert len(plain(found.document)) == len(found.document.text)

    assert_linear(run, 200)
