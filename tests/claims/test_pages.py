"""Pages of HTML, held against what a browser shows of them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from groundrules.claims.documents.document import from_bytes
from groundrules.errors import SourceError
from tests.browsers import chromium

HERE = Path(__file__).parent
SHOWN = HERE.joinpath("shown.js").read_text(encoding="utf-8")
PAGES = [
    line
    for line in HERE.joinpath("pages.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def read(page: str) -> tuple[str, tuple[str, ...]]:
    """Return what is read of a page, and what of it is named as unread."""
    try:
        document = from_bytes(page.encode(), "a.html")
    except SourceError:
        return "", ()
    return document.text, document.unread


def alike(said: str) -> str:
    """Return a text without what struck it out, blanks and quotation marks; ^ is off the line."""
    said = re.sub(r"~~.*?~~", " ", said, flags=re.DOTALL)
    said = re.sub(r"(?<=[0-9])(?=[⁰¹²³⁴-⁹₀-₉])|(?<=[⁰¹²³⁴-⁹₀-₉])(?=[0-9])", "^", said)
    said = re.sub(r"\s+(?=[.,;:!?)\]]+(?:\s|\Z))", "", said)
    said = unicodedata.normalize("NFKC", said)
    return " ".join(re.sub(r"[“”\u00ad\u200b]", "", said).split())


def drawn(tab: Any, page: str) -> str:
    """Return what a browser shows of a page."""
    tab.set_content("<!doctype html>" + page)
    return str(tab.evaluate(SHOWN))


@pytest.mark.slow
def test_what_a_browser_shows_of_a_page_is_read_or_named_as_unread() -> None:
    with chromium() as browser:
        tab = browser.new_page(viewport={"width": 1280, "height": 2000})
        for page in PAGES:
            text, unread = read(page[2:])
            seen = drawn(tab, page[2:])
            assert unread or not text or alike(text) == alike(seen), page


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_read_whole_or_named_as_unread(page: str) -> None:
    assert page[0] in "=!"
    text, unread = read(page[2:])
    assert bool(unread or (not text and page[0] == "!")) == (page[0] == "!")
