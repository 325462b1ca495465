"""Bars as SVG: counts by outcome, drawn without a library, told apart by the colour-blind too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from groundrules.explain.findings import DECIDED, STANDINGS

#: What statements are counted as, in the order of `STANDINGS`; the colours are those of Okabe and
#: Ito, which the colour-blind can tell apart.
COLOURS = {
    "error": "#1a1a1a",
    "unverifiable": "#56595c",
    "refuted": "#d55e00",
    "conflicting": "#cc79a7",
    "not_enough_info": "#e69f00",
    "supported": "#009e73",
    "baseline": "#0072b2",
    "override": "#56b4e9",
    "inline": "#f0e442",
}
_LEFT, _WIDE, _HIGH, _GAP = 220, 560, 22, 10
_LONGEST = 26


def draw(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> str:
    """Return bars of counts by outcome, each as wide as its share of the longest."""
    longest = max((sum(counts.values()) for _, counts in rows), default=0) or 1
    # what was decided is in the legend only where it is in the picture
    shown = [
        one for one in COLOURS if one not in DECIDED or any(counts.get(one) for _, counts in rows)
    ]
    top = 70
    height = top + len(rows) * (_HIGH + _GAP) + _GAP
    width = _LEFT + _WIDE + 80
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="13" role="img">',
        f"<title>{_text(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="22" font-size="15" font-weight="bold">{_text(title)}</text>',
        *_legend(shown),
    ]
    for number, (name, counts) in enumerate(rows):
        y = top + number * (_HIGH + _GAP)
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 16}" text-anchor="end">{_short(name)}</text>')
        x = float(_LEFT)
        for outcome, colour in COLOURS.items():
            count = counts.get(outcome, 0)
            wide = _WIDE * count / longest
            if count:
                parts.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{_HIGH}" '
                    f'fill="{colour}"><title>{STANDINGS[outcome]}: {count:,}</title></rect>'
                )
            x += wide
        parts.append(f'<text x="{x + 6:.1f}" y="{y + 16}">{sum(counts.values()):,}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend(shown: Sequence[str]) -> list[str]:
    parts, x = [], 12
    for one in shown:
        parts.append(f'<rect x="{x}" y="36" width="12" height="12" fill="{COLOURS[one]}"/>')
        parts.append(f'<text x="{x + 17}" y="47">{STANDINGS[one]}</text>')
        x += 36 + 7 * len(STANDINGS[one])
    return parts


def _short(name: str) -> str:
    return _text(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")


def _text(text: str) -> str:
    """Return a text as XML can hold it."""
    return escape("".join(c if c.isprintable() else "\ufffd" for c in text))
