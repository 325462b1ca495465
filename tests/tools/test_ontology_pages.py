"""The pages of the ontologies that ship."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations

from tools import ontology_pages as pages


def test_the_pages_come_out_the_same_each_time() -> None:
    assert pages.pages() == pages.pages()


def test_the_picture_shows_every_class_and_no_two_words_meet() -> None:
    svg = pages.pages()["docs/ontology/legal.svg"]
    space = "{http://www.w3.org/2000/svg}"
    root = ET.fromstring(svg)
    width, height = (float(root.get(side, "0")) for side in ("width", "height"))
    texts, boxes = [], []
    for text in root.iter(f"{space}text"):
        words = "".join(text.itertext())
        texts.append(words)
        x, y = float(text.get("x", "0")), float(text.get("y", "0"))
        size = float(text.get("font-size", "12"))
        # Half an em a letter is what Helvetica takes on average.
        boxes.append((x, y - size * 0.7, x + len(words) * size * 0.5, y))

    assert all(x > 0 and y > 0 and right < width and low < height for x, y, right, low in boxes)
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)
    for name in ("lease agreement", "judicial decision", "statute", "dependent claim"):
        assert name in texts
