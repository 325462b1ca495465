"""Laws of pictures: nothing lies on anything else, nothing of the outside is markup."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.term import Literal, URIRef

from groundrules.kb.picture import MOST, draw, page
from groundrules.kb.rdf import RdfSource
from groundrules.kb.search.neighbourhood import Neighbourhood, Stated, neighbourhood
from groundrules.kb.triplestore import open_graph
from tests.kb.search.test_neighbourhood import EX, GRAPH
from tests.strategies import examples

SVG = "{http://www.w3.org/2000/svg}"
SOURCE = URIRef("urn:groundrules:source:x")
HOSTILE = ['<script>alert(1)</script>', '"/><image href="http://e/"/>', "&amp;&#x3c;", "]]>",
           "\0\x1b", "\u202eabc", "\ud800", "", " ", "x" * 500, "漢字" * 60,
           "javascript:alert(1)"]  # fmt: skip
LABELS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40))


def make(edges: list[tuple[int, int]], label: Callable[[int], str] = str) -> Neighbourhood:
    """A neighbourhood of things 0, 1, 2 … joined by one relation; the first one is the seed."""
    things = sorted({0, *(end for edge in edges for end in edge)})
    iris = {n: URIRef(f"{EX}{n}") for n in things}
    kinds = [URIRef(f"{EX}class{n}") for n in range(12)]
    joins = URIRef(f"{EX}joins")
    return Neighbourhood(
        seeds=(iris[0],),
        statements=tuple(
            Stated(iris[s], joins, iris[o], 1, 0.0, label(s), 5, label(o)) for s, o in edges
        ),
        labels={**{iris[n]: label(n) for n in things}, joins: label(-1),
                **{kind: label(-2 - n) for n, kind in enumerate(kinds)}},
        types={iris[n]: (kinds[n % 12],) for n in things if n % 5},
        source=SOURCE,
    )  # fmt: skip


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every box of a thing or a relation."""
    root = ET.fromstring(svg)
    groups = root.findall(f"{SVG}g")[1:3]
    found = []
    for rect in (rect for group in groups for rect in group.iter(f"{SVG}rect")):
        x, y, width, height = (float(rect.attrib[k]) for k in ("x", "y", "width", "height"))
        found.append((x, y, x + width, y + height))
    return found


def assert_apart(svg: str) -> None:
    for a, b in combinations(boxes(svg), 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


EDGES = st.lists(st.tuples(st.integers(0, 45), st.integers(0, 45)), max_size=50)


@settings(max_examples=20, deadline=None)
@given(EDGES, LABELS)
def test_no_box_lies_on_another_and_all_lie_in_the_picture(
    edges: list[tuple[int, int]], label: str
) -> None:
    svg = draw(make(edges, lambda n: f"{n} {label}"))

    assert_apart(svg)
    width, height = map(float, re.findall(r'(?:width|height)="([0-9.]+)"', svg)[:2])
    assert all(b[0] >= 0 and b[1] >= 0 and b[2] <= width and b[3] <= height for b in boxes(svg))


@pytest.mark.parametrize(
    "edges",
    [
        [(0, n) for n in range(1, MOST)],
        [(n, 0) for n in range(1, MOST)],
        [(n, n + 1) for n in range(MOST - 1)],
        [(n // 3, n) for n in range(1, MOST)],
        [(a, b) for a in range(9) for b in range(9) if a != b],
        [],
    ],
    ids=["star", "sink", "chain", "tree", "clique", "alone"],
)
def test_forty_things_with_long_labels_are_apart(edges: list[tuple[int, int]]) -> None:
    svg = draw(make(edges, lambda n: f"thing {n} of the many that are told of here at some length"))

    assert_apart(svg)
    things = {0, *(end for edge in edges for end in edge)}
    assert svg.count("<g><title>") == len(things)
    assert svg.count("marker-end") == len(edges)


def test_no_more_than_forty_things_are_drawn() -> None:
    svg = draw(make([(0, n) for n in range(1, 90)]))
    assert svg.count("<g><title>") == MOST


def test_the_same_neighbourhood_gives_the_same_picture() -> None:
    edges = [(n // 2, n) for n in range(1, 30)]
    assert draw(make(edges)) == draw(make(edges))


@examples(60)
@given(LABELS)
def test_labels_are_letters_and_never_markup(label: str) -> None:
    found = make([(0, 1), (1, 2)], lambda _: label)
    root = ET.fromstring(draw(found))  # well-formed, so nothing got out of its text
    html = page(found)

    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= {
        "svg", "title", "defs", "marker", "path", "rect", "g", "text",
    }  # fmt: skip
    tags = set(re.findall(r"<\s*([a-zA-Z]+)", html))
    assert tags <= {
        "html", "meta", "title", "style", "h", "svg", "defs", "marker", "path", "rect", "g", "text",
        "table", "tr", "th", "td", "p", "ul", "li",
    }  # fmt: skip
    names = {key for one in root.iter() for key in one.attrib}
    assert not any(name.startswith("on") or "href" in name for name in names)
    html.encode("utf-8")


def test_a_page_reaches_nothing() -> None:
    html = page(make([(0, 1)]))
    assert "default-src 'none'" in html
    assert not re.search(r"(?:src|href)\s*=|url\((?!#)|@import", html)


def test_the_picture_of_a_patent(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    (tmp_path / "facts.ttl").write_text(GRAPH, encoding="utf-8")
    graph = open_graph(tmp_path / "facts.ttl")
    found = neighbourhood(RdfSource(graph), graph, [URIRef(f"{EX}p")])
    svg = draw(found)

    # places hang on the last digit of the machine's floats; what is drawn does not
    golden(
        "kb/patent.svg",
        re.sub(r"-?\d+\.\d", "0.0", re.sub(r'(viewBox|width|height)="[^"]*"', "", svg)),
    )
    assert ">US 1,000,001<" in svg
    assert ">granted patent<" in svg
    assert svg.count(">part of<") == 3


def test_literals_are_no_things() -> None:
    found = make([(0, 1)])
    stated = Stated(found.seeds[0], URIRef(f"{EX}p"), Literal("x"), 1, 0.0, "x", 1)
    with_text = Neighbourhood(found.seeds, (*found.statements, stated), found.labels, found.types,
                              SOURCE)  # fmt: skip
    assert draw(with_text) == draw(found)
