"""Diagrams: shares and scores as bars, and the few triples of a statement as a small graph.

All are inline SVG whose colours are attributes that the style sheet of the page replaces, so that
they can be printed where it is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from groundrules.explain.formats.html.markup import Html, element
from groundrules.explain.place import printable
from groundrules.kb.picture import measure, wrap

_SIZE, _SMALL = 13.0, 12.0  # of letters
_LINE = 17.0
_GAP, _ROW = 14.0, 26.0  # between boxes, and least height of one


@dataclass(frozen=True, slots=True)
class Edge:
    """A triple as its labels; `state` is "", "out" for what goes and "in" for what comes.

    `parts` are those that do.
    """

    subject: str
    predicate: str
    object: str
    state: str = ""
    parts: tuple[str, ...] = ("subject", "predicate", "object")

    def state_of(self, part: str) -> str:
        """Return the state of one part."""
        return self.state if part in self.parts else ""


def apart(one: Edge, other: Edge) -> tuple[Edge, Edge]:
    """Return two triples with only the parts set apart in which they differ."""
    parts = ("subject", "predicate", "object")
    differ = tuple(part for part in parts if getattr(one, part) != getattr(other, part))
    return replace(one, parts=differ), replace(other, parts=differ)


@dataclass(frozen=True, slots=True)
class _Node:
    lines: tuple[str, ...]
    width: float
    height: float
    state: str


def tally(parts: Sequence[tuple[str, int, str]], title: str) -> Html:
    """Return a bar of shares: class, count and fill of each part."""
    total = sum(number for _, number, _ in parts)
    if not total:
        return Html("")
    bars: list[Html] = []
    x = 0.0
    for name, number, fill in parts:
        wide = 1000 * number / total
        bars.append(
            element("rect", x=f"{x:.1f}", y=0, width=f"{max(wide - 2, 1):.1f}", height=16,
                    fill=fill, class_=f"fill {name}")
        )  # fmt: skip
        if pattern := _PATTERNS.get(name):
            bars.append(
                element("rect", x=f"{x:.1f}", y=0, width=f"{max(wide - 2, 1):.1f}", height=16,
                        fill=f"url(#{pattern})")
            )  # fmt: skip
        x += wide
    return element(
        "svg",
        element("title", title),
        *bars,
        viewBox="0 0 1000 16",
        preserveAspectRatio="none",
        class_="tally",
        role="img",
    )


_PATTERNS = {"refuted": "hatch", "conflicting": "hatch", "not_enough_info": "dots",
             "unverifiable": "back", "error": "back"}  # fmt: skip


def patterns() -> Html:
    """Return the patterns by which the parts of a bar differ without colour; once a page."""

    def pattern(name: str, size: int, drawn: str) -> str:
        return (
            f'<pattern id="{name}" width="{size}" height="{size}" '
            f'patternUnits="userSpaceOnUse">{drawn}</pattern>'
        )

    stroke = 'stroke="#fff" stroke-opacity=".55" stroke-width="1.5"'
    return Html(
        '<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>'
        + pattern("hatch", 6, f'<path d="M-1,7 L7,-1 M-1,1 L1,-1 M5,7 L7,5" {stroke}/>')
        + pattern("back", 6, f'<path d="M-1,-1 L7,7 M5,-1 L7,1 M-1,5 L1,7" {stroke}/>')
        + pattern("dots", 6, '<circle cx="3" cy="3" r="1.2" fill="#fff" fill-opacity=".65"/>')
        + "</defs></svg>"
    )


def odds(value: float, most: float) -> Html:
    """Return a bar of log odds, to the right what speaks for a statement, else to the left."""
    wide = round(60 * value / most) if most else 0
    name, fill = ("for", "#00694f") if value >= 0 else ("against", "#a8380f")
    bar = element("path", d=f"M60 1V11M60 2h{wide}v8H60z", class_=name, fill=fill)
    return element("svg", bar, viewBox="0 0 121 12", width=121, aria_hidden="true")  # fmt: skip


def graph(edges: Sequence[Edge], title: str) -> Html:
    """Return triples as boxes with arrows between them, those that go or come set apart."""
    left = _nodes((edge.subject, edge.state_of("subject")) for edge in edges)
    right = _nodes((edge.object, edge.state_of("object")) for edge in edges)
    labels = [_short(edge.predicate) for edge in edges]
    first = max(node.width for node in left.values())
    between = max(measure(label, _SMALL) for label in labels) + 44
    last = max(node.width for node in right.values())
    top, bottom = _column(left), _column(right)
    high = max(_height(left), _height(right))
    parts: list[Html] = []
    for edge, label in zip(edges, labels, strict=True):
        y1 = top[edge.subject] + (high - _height(left)) / 2
        y2 = bottom[edge.object] + (high - _height(right)) / 2
        state = edge.state_of("predicate")
        x1, x2 = first + 1, first + between + 1
        parts.append(
            element("path", d=f"M{x1:.0f},{y1:.1f} L{x2 - 7:.0f},{y2:.1f}", fill="none",
                    stroke=_EDGE[state], stroke_width="1.4", class_=f"edge {state}",
                    stroke_dasharray="4 3" if state == "out" else None)
        )  # fmt: skip
        parts.append(
            element("path", d=f"M{x2 - 8:.0f},{y2 - 4:.1f} L{x2:.0f},{y2:.1f} "
                    f"L{x2 - 8:.0f},{y2 + 4:.1f} z", fill=_EDGE[state],
                    class_=f"head {state}")
        )  # fmt: skip
        middle, wide = (x1 + x2 - 7) / 2, measure(label, _SMALL) + 8
        y = (y1 + y2) / 2
        parts.append(
            element("rect", x=f"{middle - wide / 2:.1f}", y=f"{y - 9:.1f}", width=f"{wide:.1f}",
                    height=18, fill="#fff", class_="ground")
        )  # fmt: skip
        parts.append(_text(label, middle, y + 4, _SMALL, state))
    for nodes, places, x in ((left, top, 1.0), (right, bottom, first + between + 1)):
        shift = (high - _height(nodes)) / 2
        wide = first if nodes is left else last
        for name, node in nodes.items():
            parts += _box(node, x, places[name] + shift, wide)
    width = first + between + last + 2
    return element(
        "svg",
        element("title", title),
        *parts,
        viewBox=f"0 -1 {width:.0f} {high + 2:.0f}",
        width=f"{width:.0f}",
        height=f"{high + 2:.0f}",
        class_="graph",
        role="img",
        font_size=f"{_SIZE:.0f}",
        font_family="Helvetica Neue, Arial, Liberation Sans, DejaVu Sans, sans-serif",
    )


_EDGE = {"": "#6b6b66", "out": "#a8380f", "in": "#00694f"}
_FILL = {"": "#f1f0ec", "out": "#fbe9e2", "in": "#e0f1ea"}


def _nodes(named: Iterable[tuple[str, str]]) -> dict[str, _Node]:
    found: dict[str, _Node] = {}
    for name, state in named:
        lines = tuple(wrap(printable(name)))
        wide = max(measure(line, _SIZE) for line in lines) + 18
        if name not in found or state:
            found[name] = _Node(lines, max(wide, 46), max(len(lines) * _LINE + 9, _ROW), state)
    return found


def _column(nodes: dict[str, _Node]) -> dict[str, float]:
    """Return the middle of each box of a column."""
    at, found = 0.0, {}
    for name, node in nodes.items():
        found[name] = at + node.height / 2
        at += node.height + _GAP
    return found


def _height(nodes: dict[str, _Node]) -> float:
    return sum(node.height for node in nodes.values()) + _GAP * (len(nodes) - 1)


def _box(node: _Node, x: float, y: float, wide: float) -> list[Html]:
    box = element(
        "rect", x=f"{x:.1f}", y=f"{y - node.height / 2:.1f}", width=f"{wide - 1:.1f}",
        height=f"{node.height:.1f}", rx=7, fill=_FILL[node.state], stroke=_EDGE[node.state],
        class_=f"box {node.state}",
    )  # fmt: skip
    first = y - _LINE * (len(node.lines) - 1) / 2 + 4.5
    return [
        box,
        *(
            _text(line, x + wide / 2, first + _LINE * number, _SIZE, node.state)
            for number, line in enumerate(node.lines)
        ),
    ]


def _text(words: str, x: float, y: float, size: float, state: str) -> Html:
    return element(
        "text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor="middle", fill="#1c1c1a",
        font_size=f"{size:.0f}", class_=f"label {state}",
    )  # fmt: skip


def _short(words: str) -> str:
    words = " ".join(printable(words).split())
    return words if len(words) <= 28 else words[:27].rstrip() + "…"
