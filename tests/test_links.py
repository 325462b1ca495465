"""The links of README.md, CONTRIBUTING.md, CHANGELOG.md and docs lead somewhere."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

from groundrules.explain import listing

ROOT = Path(__file__).parents[1]
PAGES = [
    *ROOT.glob("*.md"), *sorted((ROOT / ".github").rglob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]  # fmt: skip
_MARKDOWN = MarkdownIt("commonmark").enable("table")


@cache
def headings(page: Path) -> frozenset[str]:
    """Return the anchors of a page, made of its headings as forges make them."""
    tokens = _MARKDOWN.parse(page.read_text(encoding="utf-8"))
    found: set[str] = set()
    for token, inline in itertools.pairwise(tokens):
        if token.type == "heading_open":
            words = "".join(part.content for part in inline.children or ()).strip().lower()
            name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            same = (f"{name}-{number}" for number in range(1, 99))
            found.add(name if name not in found else next(n for n in same if n not in found))
    return frozenset(found)


def dead_links(page: Path) -> Iterator[str]:
    """Yield the links of a page to files or headings that are not there; none to the web."""
    for token in _MARKDOWN.parse(page.read_text(encoding="utf-8")):
        for part in token.children or ():
            link = str(part.attrs.get("href") or part.attrs.get("src") or "")
            if not link or re.match(r"[a-z]+:", link):
                continue
            path, _, heading = link.partition("#")
            target = page.parent / unquote(path) if path else page
            if not target.exists() or (
                heading and target.suffix == ".md" and heading not in headings(target.resolve())
            ):
                yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_link_is_dead(page: Path) -> None:
    assert list(dead_links(page)) == []


def test_every_page_of_the_documentation_can_be_reached_from_its_first() -> None:
    reached: set[Path] = set()
    left = [ROOT / "docs" / "index.md"]
    while left:
        page = left.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        for token in _MARKDOWN.parse(page.read_text(encoding="utf-8")):
            for part in token.children or ():
                link = str(part.attrs.get("href") or "").partition("#")[0]
                if link and ":" not in link:
                    left.append((page.parent / unquote(link)).resolve())

    kept = [page for page in PAGES if (ROOT / "docs") in page.parents]
    rules = {page for page in kept if page.parent.name == "rules"}  # made for the site
    assert [page for page in kept if page not in reached | rules] == []


def test_the_pages_that_reports_lead_to_are_there() -> None:
    for page in (listing.UNSETTLED_PAGE, listing.page_of("README")):
        assert (ROOT / "docs" / page.partition("/latest/")[2]).with_suffix(".md").is_file()
