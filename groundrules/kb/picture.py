"""A neighbourhood as a picture: boxes of things, coloured by class, with the relations between.

Relations are laid out as boxes too, so that no two labels lie on each other. The same neighbourhood
gives the same picture.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rdflib.term import URIRef

from groundrules.kb.search.neighbourhood import Neighbourhood

#: Things in a picture; what comes after them is left out.
MOST = 40

#: Fill and edge of the boxes of a class, the most frequent class first (Okabe and Ito 2008, light).
_COLOURS = (
    ("#cfe3f5", "#0072b2"), ("#fde3b3", "#b87400"), ("#c9ecdf", "#009e73"), ("#f6d3c4", "#d55e00"),
    ("#ecd3e3", "#a8527f"), ("#d9f0fb", "#2f8fc0"), ("#f6f3bf", "#8d8600"), ("#e0e0e0", "#5f5f5f"),
)  # fmt: skip
_OTHER = _COLOURS[-1]
_WIDE, _LINES = 20, 3  # characters of a line of a label, and lines of it
_SIZE, _SMALL = 13.0, 11.0  # of letters
_GAP = 10.0  # between boxes
_MARGIN = 24.0


@dataclass(slots=True)
class _Box:
    """A thing, or the label of a relation, with its middle once that is laid out."""

    lines: tuple[str, ...]
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0


def draw(found: Neighbourhood) -> str:
    """Return a neighbourhood as SVG, at most 40 things of it."""
    things, links = _graph(found)
    kinds = {one: _kind(found, one) for one in things}
    colours = _coloured(found, kinds)
    boxes = [
        _box(wrap(found.labels.get(one, str(one))), _SIZE * (1.1 if one in found.seeds else 1.0))
        for one in things
    ]
    labels = [_box([text], _SMALL) for text in links.values()]
    places = {one: number for number, one in enumerate(things)}
    ends = [(places[s], places[o]) for s, o in links]
    _lay_out(boxes, labels, ends, [places[one] for one in found.seeds if one in places])
    every = [*boxes, *labels]
    left = min((box.x - box.width / 2 for box in every), default=0.0) - _MARGIN
    top = min((box.y - box.height / 2 for box in every), default=0.0) - _MARGIN
    for box in every:
        box.x, box.y = round(box.x - left, 1), round(box.y - top, 1)
    legend = [(found.labels.get(kind, "") if kind else "other", colours[kind]) for kind in colours]
    rows, legend_width = _legend(legend)
    width = max((box.x + box.width / 2 for box in every), default=0.0) + _MARGIN
    width = max(width, legend_width + 2 * _MARGIN)
    bottom = max((box.y + box.height / 2 for box in every), default=0.0) + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {bottom + 34:.0f}" '
        f'width="{width:.0f}" height="{bottom + 34:.0f}" role="img" '
        'font-family="DejaVu Sans, Verdana, sans-serif">',
        f"<title>{_text(_title(found))}</title>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0,0.5 L8,4 L0,7.5 z" fill="#7a7a7a"/></marker>'
        "</defs>",
        f'<rect width="{width:.0f}" height="{bottom + 34:.0f}" fill="#ffffff"/>',
        '<g fill="none" stroke="#9a9a9a" stroke-width="1.2">',
    ]
    for (s, o), label in zip(ends, labels, strict=True):
        parts.append(f'<path d="{_curve(boxes[s], label, boxes[o])}" marker-end="url(#arrow)"/>')
    parts.append("</g>")
    parts.append(f'<g font-size="{_SMALL:.0f}" fill="#4a4a4a" text-anchor="middle">')
    for label in labels:
        x, y = label.x - label.width / 2, label.y - label.height / 2
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{label.width:.1f}" '
            f'height="{label.height:.1f}" rx="3" fill="#ffffff" fill-opacity="0.9"/>'
            f'<text x="{label.x:.1f}" y="{label.y + 4:.1f}">{_text(label.lines[0])}</text>'
        )
    parts.append("</g>")
    parts.append(f'<g font-size="{_SIZE:.0f}" fill="#1a1a1a" text-anchor="middle">')
    for one, box in zip(things, boxes, strict=True):
        parts += _thing(box, one, colours[kinds[one]], seed=one in found.seeds)
    parts.append("</g>")
    parts += [f'<g font-size="12" fill="#1a1a1a" transform="translate(0 {bottom + 4:.0f})">']
    parts += [*rows, "</g>", "</svg>"]
    return "\n".join(parts) + "\n"


def page(found: Neighbourhood) -> str:
    """Return the picture as a page of HTML with the statements below it, which reaches nothing."""
    rows = "\n".join(
        f"<tr><td>{_text(one.text)}</td><td>{one.hop}</td><td>{_text(one.record)}</td></tr>"
        for one in found.statements
    )
    many = "".join(f"<li>{_text(one.text)}</li>\n" for one in found.many)
    more = f"<p>Not read, because there are so many:</p>\n<ul>\n{many}</ul>\n" if many else ""
    title = _text(_title(found))
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; margin: 2rem; color: #1a1a1a }}
svg {{ max-width: 100%; height: auto }}
table {{ border-collapse: collapse }}
td, th {{ border-bottom: 1px solid #ddd; padding: .25rem .75rem .25rem 0; text-align: left;
         vertical-align: top; overflow-wrap: anywhere }}
th {{ overflow-wrap: normal }}
</style>
<h1>{title}</h1>
{draw(found)}{more}<table>
<tr><th>statement</th><th>hop</th><th>read from</th></tr>
{rows}
</table>
</html>
"""


def _title(found: Neighbourhood) -> str:
    names = [found.labels.get(one, str(one)) for one in found.seeds]
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")


def _graph(found: Neighbourhood) -> tuple[list[URIRef], dict[tuple[URIRef, URIRef], str]]:
    """Return the things of a neighbourhood, the best first, and what joins each two of them."""
    things = dict.fromkeys(found.seeds[:MOST])
    joins = [
        (one, one.object)
        for one in found.statements
        if isinstance(one.object, URIRef) and one.subject != one.object
    ]
    # of each relation to each class in turn, so that no relation of many takes all the room
    groups: dict[tuple[object, ...], list[tuple[URIRef, URIRef]]] = {}
    for one, o in joins:
        kinds = [_kind(found, end) for end in (one.subject, o)]
        groups.setdefault((one.hop, one.predicate, *kinds), []).append((one.subject, o))
    turns = [pair for turn in zip_longest(*groups.values()) for pair in turn if pair]
    grown = True
    while grown and len(things) < MOST:
        grown = False
        for pair in turns:
            new = [end for end in pair if end not in things]
            if len(new) == 1 and len(things) < MOST:
                things[new[0]] = None
                grown = True
    links: dict[tuple[URIRef, URIRef], list[str]] = {}
    for one, o in joins:
        if one.subject in things and o in things:
            told = links.setdefault((one.subject, o), [])
            if (label := found.labels.get(one.predicate, "")) not in told:
                told.append(label)
    return list(things), {pair: _short(" / ".join(told), 34) for pair, told in links.items()}


def _kind(found: Neighbourhood, thing: URIRef) -> URIRef | None:
    """Return the class that a thing is coloured by: the rarest of its classes with a label."""
    told = [kind for kind in found.types.get(thing, ()) if found.labels.get(kind)]
    counts = {kind: sum(kind in kinds for kinds in found.types.values()) for kind in told}
    return min(told, key=lambda kind: (-counts[kind], kind), default=None)


def _coloured(
    found: Neighbourhood, kinds: Mapping[URIRef, URIRef | None]
) -> dict[URIRef | None, tuple[str, str]]:
    """Return the colours of each class; those that are too many share the last."""
    listed = list(kinds.values())
    order = sorted(
        {kind for kind in listed if kind is not None},
        key=lambda kind: (-listed.count(kind), found.labels.get(kind, ""), kind),
    )
    colours: dict[URIRef | None, tuple[str, str]] = {
        kind: _COLOURS[min(place, len(_COLOURS) - 1)] for place, kind in enumerate(order)
    }
    if None in listed:
        colours[None] = _OTHER
    return colours


# ---------------------------------------------------------------- letters


def _clean(text: str) -> str:
    """Return a text in one line without what XML cannot hold or what turns the line round."""
    kept = (c if unicodedata.category(c) not in ("Cc", "Cs", "Cf", "Cn") else " " for c in text)
    return " ".join("".join(kept).split())


def _text(text: str) -> str:
    return html.escape(_clean(text))


def _short(text: str, most: int) -> str:
    text = _clean(text)
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def wrap(label: str) -> list[str]:
    """Return a label in at most three lines."""
    lines: list[str] = []
    words = re.findall(rf"\S{{1,{_WIDE}}}", _short(label, 200)) or ["?"]
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= _WIDE:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], _short(" ".join(lines[_LINES - 1 :]), _WIDE)]
    return lines


def measure(text: str, size: float) -> float:
    """Return how wide a text is in a wide face, a little more rather than less."""
    return size * sum(
        0.0 if unicodedata.combining(c) else 1.05 if unicodedata.east_asian_width(c) in "WF"
        else 0.36 if c in "iljtf.,:;'|! " else 0.95 if c in "mwMW@%" else 0.72 if c.isupper()
        else 0.62
        for c in text
    )  # fmt: skip


def _box(lines: Sequence[str], size: float = _SIZE) -> _Box:
    width = max(measure(line, size) for line in lines)
    if size == _SMALL:
        return _Box(tuple(lines), width + 6, size + 5)
    return _Box(tuple(lines), max(width + 20, 54), len(lines) * (_SIZE + 4) + 14)


# ---------------------------------------------------------------- layout


def _lay_out(
    boxes: Sequence[_Box],
    labels: Sequence[_Box],
    ends: Sequence[tuple[int, int]],
    seeds: Sequence[int],
) -> None:
    """Place things in columns by how far from the seeds they are, and labels in those between.

    In a column each stands in the order of what it is joined to in those before it (Sugiyama,
    Tagawa and Toda 1981).
    """
    hops = _hops(len(boxes), ends, seeds)
    columns: dict[int, list[tuple[_Box, list[_Box]]]] = {}
    near: list[list[_Box]] = [[] for _ in boxes]
    for (s, o), label in zip(ends, labels, strict=True):
        before = min(hops[s], hops[o])
        inner = [boxes[end] for end in (s, o) if hops[end] == before]
        columns.setdefault(2 * before + 1, []).append((label, inner))
        for end in (s, o):
            if hops[end] > before:
                near[end].append(label)
    for number, box in enumerate(boxes):
        columns.setdefault(2 * hops[number], []).append((box, near[number]))
    left = 0.0
    for _, column in sorted(columns.items()):
        column.sort(key=lambda one: sum(box.y for box in one[1]) / (len(one[1]) or 1))
        wide = max(box.width for box, _ in column)
        top = -sum(box.height + _GAP for box, _ in column) / 2
        for box, _ in column:
            box.x, box.y = left + wide / 2, top + box.height / 2
            top += box.height + _GAP
        left += wide + 3 * _GAP


def _hops(count: int, ends: Sequence[tuple[int, int]], seeds: Sequence[int]) -> list[int]:
    """Return how far from the seeds each thing is; what none leads to comes behind all others."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for s, o in ends:
        beside[s].append(o)
        beside[o].append(s)
    found: dict[int, int] = {}
    front, hop = list(seeds), 0
    while len(found) < count:
        front = front or [next(n for n in range(count) if n not in found)]
        found.update(dict.fromkeys(front, hop))
        front = [o for o in {o: 0 for one in front for o in beside[one]} if o not in found]
        hop += 1
    return [found[number] for number in range(count)]


def _curve(source: _Box, label: _Box, target: _Box) -> str:
    """Return the path from the edge of a box through a label to the edge of another."""
    control = (
        2 * label.x - (source.x + target.x) / 2,
        2 * label.y - (source.y + target.y) / 2,
    )
    x1, y1 = _edge(source, *control)
    x2, y2 = _edge(target, *control, 3.0)
    # through the label in the middle
    x, y = 2 * label.x - (x1 + x2) / 2, 2 * label.y - (y1 + y2) / 2
    return f"M{x1:.1f},{y1:.1f} Q{x:.1f},{y:.1f} {x2:.1f},{y2:.1f}"


def _edge(box: _Box, x: float, y: float, gap: float = 0.0) -> tuple[float, float]:
    """Return where the way from the middle of a box to a point leaves it."""
    dx, dy = x - box.x, y - box.y
    scale = max(abs(dx) / (box.width / 2 + gap), abs(dy) / (box.height / 2 + gap), 1e-9)
    return box.x + dx / scale, box.y + dy / scale


# ---------------------------------------------------------------- parts of the picture


def _thing(box: _Box, thing: URIRef, colour: tuple[str, str], *, seed: bool) -> Iterator[str]:
    fill, edge = colour
    x, y = box.x - box.width / 2, box.y - box.height / 2
    yield f"<g><title>{_text(str(thing))}</title>"
    yield (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="{min(box.height / 2, 14):.0f}" fill="{fill}" stroke="{edge}" '
        f'stroke-width="{3 if seed else 1.2}"/>'
    )
    line = _SIZE + 4
    first = box.y - line * (len(box.lines) - 1) / 2 + _SIZE * 0.36
    for number, text in enumerate(box.lines):
        weight = ' font-weight="bold"' if seed else ""
        yield f'<text x="{box.x:.1f}" y="{first + number * line:.1f}"{weight}>{_text(text)}</text>'
    yield "</g>"


def _legend(told: Sequence[tuple[str, tuple[str, str]]]) -> tuple[list[str], float]:
    """Return the colours and what they mean in a row, and how wide that is."""
    rows: list[str] = []
    x = _MARGIN
    known: dict[tuple[str, str], list[str]] = {}
    for label, colour in told:
        known.setdefault(colour, []).append(label)
    for (fill, edge), labels in known.items():
        text = _short(labels[0] if len(labels) == 1 else "other", 30)
        rows.append(
            f'<rect x="{x:.1f}" y="0" width="14" height="14" rx="4" fill="{fill}" '
            f'stroke="{edge}"/><text x="{x + 20:.1f}" y="11">{_text(text)}</text>'
        )
        x += 20 + measure(text, 12) + 18
    return rows, x - _MARGIN
