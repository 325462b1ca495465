"""Bars as SVG: counts by outcome, drawn without a library, told apart by the colour-blind too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from groundrules.terms import Outcome

#: The outcomes as they are shown, what could not be checked first; the colours are those of Okabe
#: and Ito, which the colour-blind can tell apart.
COLOURS = {
    Outcome.ERROR: "#1a1a1a",
    Outcome.UNVERIFIABLE: "#56595c",
    Outcome.REFUTED: "#d55e00",
    Outcome.CONFLICTING: "#cc79a7",
    Outcome.NOT_ENOUGH_INFO: "#e69f00",
    Outcome.SUPPORTED: "#009e73",
}
_LEFT, _WIDE, _HIGH, _GAP = 220, 560, 22, 10
_LONGEST = 26


def draw(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> str:
    """Return bars of counts by outcome, each as wide as its share of the longest."""
    longest = max((sum(counts.values()) for _, counts in rows), default=0) or 1
    top = 70
    height = top + len(rows) * (_HIGH + _GAP) + _GAP
    width = _LEFT + _WIDE + 80
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="13" role="img">',
        f"<title>{_text(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="22" font-size="15" font-weight="bold">{_text(title)}</text>',
        *_legend(),
    ]
    for number, (name, counts) in enumerate(rows):
        y = top + number * (_HIGH + _GAP)
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 16}" text-anchor="end">{_short(name)}</text>')
        x = float(_LEFT)
        for outcome, colour in COLOURS.items():
            count = counts.get(outcome.value, 0)
            wide = _WIDE * count / longest
            if count:
                parts.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{_HIGH}" '
                    f'fill="{colour}"><title>{_words(outcome)}: {count:,}</title></rect>'
                )
            x += wide
        parts.append(f'<text x="{x + 6:.1f}" y="{y + 16}">{sum(counts.values()):,}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend() -> list[str]:
    parts, x = [], 12
    for outcome, colour in COLOURS.items():
        parts.append(f'<rect x="{x}" y="36" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{x + 17}" y="47">{_words(outcome)}</text>')
        x += 40 + 8 * len(_words(outcome))
    return parts


def _words(outcome: Outcome) -> str:
    return outcome.value.replace("_", " ")


def _short(name: str) -> str:
    return _text(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")


def _text(text: str) -> str:
    """Return a text as XML can hold it."""
    return escape("".join(c if c.isprintable() else "\ufffd" for c in text))
