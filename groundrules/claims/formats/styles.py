"""Styles: what a style of HTML says, and what of it draws words otherwise than they stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

#: The elements, fields and styles that are understood; see html.toml.
UNDERSTOOD = tomllib.loads(Path(__file__).with_name("html.toml").read_text(encoding="utf-8"))

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARED = re.compile(
    r"\s*+(?P<name>[^:;\"'(){}]*+):(?P<value>(?:[^;\"'(){}\[\]\\]|\"[^\"\\]*\"|'[^'\\]*'"
    r"|\((?:[^()\\]|\([^()\\]*\)){0,5000}\))*+)(?:;|\Z)"
)
_STYLES = {
    name: re.compile(one["values"])
    for one in UNDERSTOOD["styles"]
    for name in one["properties"].split()
}
#: No value that is understood is longer.
_LONGEST = 400
_OFFSETS = frozenset({"top", "left", "right", "bottom"})
#: How far a block comes over the one before it until its words do.
_OVER = r"-(?:\d\d|[6-9](?:\.\d+)?p|0?\.[4-9]\d*r?e|[1-9](?:\.\d+)?r?e)"
_SIDEWAYS = frozenset({"margin", "margin-left", "margin-right"})
_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_RGB = re.compile(
    r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+(\d?\.?\d+)(%?))?\s*\)"
)
_INHERITED = frozenset({"inherit", "currentcolor", "initial", "unset"})

#: Red, green and blue of 0 to 255, and how much of it covers what is below it.
Colour = tuple[int, int, int, float]
WHITE: Colour = (255, 255, 255, 1.0)
BLACK: Colour = (0, 0, 0, 1.0)


def declared(style: str) -> dict[str, str]:
    """Return what a style says, of each property what holds; "(broken)" what cannot be parsed."""
    found: dict[str, str] = {}
    urgent: set[str] = set()
    style = _COMMENT.sub("", style).strip()
    at = 0
    while at < len(style):
        one = _DECLARED.match(style, at)
        if one is None:
            if not re.fullmatch(r"[\w\s*=&%.-]*;?", end := style[at:].partition(";")[0]):
                found["(broken)"] = end
                return found
            at += len(end) + 1  # words that say nothing
            continue
        at = max(one.end(), at + 1)
        name, value = one["name"].strip().lower(), " ".join(one["value"].lower().split())
        value, mark, _ = value.partition("!")
        if name in urgent and not mark:
            continue
        if mark:
            urgent.add(name)
        if re.fullmatch(r"-{0,2}[a-z][\w-]*", name):
            found[name] = value.strip()
        elif "\\" in name:
            found["(broken)"] = name
    return found


def strange(said: Mapping[str, str], *, within: bool) -> Iterator[str]:
    """Yield the properties that draw words otherwise than they stand; `within` is within a line."""
    for name, value in said.items():
        if name.startswith(("--", "mso-")) or not value:
            continue
        if name in _OFFSETS and said.get("position") not in {"relative", "sticky"}:
            continue  # it says nothing, or the position is named
        known = _STYLES.get(name)
        if known is None or len(value) > _LONGEST or not known.fullmatch(value):
            yield name
        elif name.startswith("margin") and (within or name not in _SIDEWAYS):
            moved = r"-\d|inherit" + r"|\d" * ("inline" in name) if within else _OVER
            yield from [name] * bool(re.search(moved, value))
    sizes = [value for name, value in said.items() if name in {"height", "max-height"}]
    if any(re.fullmatch(r"\d?(?:\.\d+)?(?:px|pt|%)?", value) for value in sizes):
        yield "height"
    clipped = any(
        name.startswith("overflow") and re.search("hidden|clip", value)
        for name, value in said.items()
    )
    if clipped and (
        any(value[:1].isdigit() and value != "100%" for value in sizes)
        or "nowrap" in said.get("white-space", "")
        or any(
            re.fullmatch(r"\d?\d?(?:\.\d+)?(?:px|pt)?|\d?(?:\.\d+)?(?:r?em|%)", said.get(name, "x"))
            for name in ("width", "max-width")
        )
    ):
        yield "overflow"


def has_gap(said: Mapping[str, str], side: str) -> bool:
    """Return whether a style leaves a gap on the left or the right of words within a line."""
    for name in ("padding", "margin"):
        all_sides = (said.get(name) or "0").split()
        across = all_sides[min(1, len(all_sides) - 1)]
        whole = all_sides[3] if side == "left" and len(all_sides) > 3 else across
        if re.match(r"[3-9]|\d\d|0?\.[2-9]|[12](?:\.\d+)?r?em", said.get(f"{name}-{side}", whole)):
            return True
    return False


def colour(value: str) -> Colour | None:
    """Return the colour that a value names, None where it is not known."""
    value = UNDERSTOOD["colours"].get(value, value).lstrip()
    if value == "transparent":
        return 0, 0, 0, 0.0
    if found := _HEX.fullmatch(f"#{value.removeprefix('#')}"):
        digits = found[1] if len(found[1]) > 4 else "".join(2 * one for one in found[1])
        red, green, blue, *rest = (int(digits[n : n + 2], 16) for n in range(0, len(digits), 2))
        return red, green, blue, rest[0] / 255 if rest else 1.0
    if found := _RGB.fullmatch(value):
        part = float(found[4] or 1) / (100 if found[5] else 1)
        return int(found[1]), int(found[2]), int(found[3]), part
    return None


def colours(
    said: Mapping[str, str], attributes: Mapping[str, str], letters: Colour | None,
    ground: Colour | None,
) -> tuple[Colour | None, Colour | None, bool]:  # fmt: skip
    """Return the colours of the letters and of the ground of an element, and if one is unknown."""
    unknown = False
    own = said.get("color", attributes.get("color", attributes.get("text", "")).strip().lower())
    if own and own not in _INHERITED:
        letters = colour(own)
        unknown = letters is None
    below = said.get("background-color") or said.get("background") or ""
    below = below or attributes.get("bgcolor", "").strip().lower()
    if "url(" in below or "gradient" in below or "var(" in below or "background" in attributes:
        ground = None
    elif below and below not in _INHERITED:
        known = [one for one in map(colour, [below, *below.split()]) if one]
        if known and known[0][3]:
            ground = known[0] if known[0][3] > 0.5 else None
        elif not known and below != "none":
            ground = None
    return letters, ground, unknown


def is_faint(letters: Colour | None, ground: Colour | None) -> bool:
    """Return whether letters of a colour are not seen on a ground."""
    if letters is None:
        return False
    if letters[3] < 0.3:
        return True
    return (
        ground is not None
        and max(abs(a - b) for a, b in zip(letters, ground[:3], strict=False)) < 48
    )
