"""Styles of HTML: what the sheets of a page and the elements themselves say of how words are drawn.

Words that a reader may not see support nothing: what a rule hides, or may hide, is not read.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: The elements, fields and styles that are understood; see html.toml.
UNDERSTOOD = tomllib.loads(Path(__file__).with_name("html.toml").read_text(encoding="utf-8"))
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARED = re.compile(
    r"\s*+(?P<name>[^:;\"'(){}]*+):(?P<value>(?:[^;\"'(){}\[\]\\]|\"[^\"\\]*\"|'[^'\\]*'"
    r"|\((?:[^()\\]|\([^()\\]*\)){0,5000}\))*+)(?:;|\Z)"
)
#: No value that is understood is longer.
_LONGEST = 400
_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})[^()]*\)")
_PICTURES = re.compile(r"url\(|gradient|var\(|image")
#: Red, green and blue of 0 to 255.
Colour = tuple[int, int, int]
#: The most that is tried, in rules held against an element and eight characters that they say.
_MOST_TRIED = 2_000_000
#: Comments, strings and addresses, in which no sign ends a rule.
_OPAQUE = re.compile(
    r"/\*.*?(?:\*/|\Z)|<!--|-->|\"(?:[^\"\\\n]|\\.)*+\\?(?:\"|\n|\Z)"
    r"|'(?:[^'\\\n]|\\.)*+\\?(?:'|\n|\Z)|url\([^()\"']*+\)",
    re.DOTALL,
)
_PART = re.compile(r"([^{};]*+)([{};]|\Z)")
_ALWAYS = re.compile(r"@media ?(?:(?:only )?(?:all|screen))?")
_NEVER = re.compile(
    r"@(?:-\w{1,9}-)?keyframes\b.*|@(?:font-face|page|property|font-feature-values)\b.*"
    r"|@media (?:print|speech)(?: and[^,]*+)?"
    r"|@media (?:(?:only )?(?:all|screen) and )?\(max-width ?: ?"
    r"(?:(?:\d{1,3}|1[01]\d\d)(?:\.\d+)?px|\d\d(?:\.\d+)?r?em)[^,]*+"
)
_SELECTOR = re.compile(r"(?:[^,()\[\]]++|\((?:[^()]++|\([^()]*+\))*+\)|\[[^\[\]]*+\])++")
_PLAIN = re.compile(r"(?:\*|[.#]?-{0,2}[^\W\d][\w-]*+|[ >])++")
_STATE = re.compile(r"::?[\w-]++(?:\((?:[^()]++|\([^()]*+\))*+\))?+|(?<=[\w-])[^\w\[\]]?=[^\[\]]*+")
_NAME = re.compile(r"[.#\[]?-{0,2}[^\W\d][\w-]*+")
#: States that words are not in when a page is read, and what is drawn beside them.
_UNMET = re.compile(
    r":(?:hover|focus|active|target|visited|selection|backdrop|placeholder|before|after|-)"
)


def _patterns(table: str) -> dict[str, re.Pattern[str]]:
    return {
        name: re.compile(one["values"])
        for one in UNDERSTOOD[table]
        for name in one["properties"].split()
    }


_STYLES, _HIDING = _patterns("styles"), _patterns("hides")


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
                return found | {"(broken)": end}
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


def strange(said: Mapping[str, str]) -> Iterator[str]:
    """Yield the properties that may draw words otherwise than they stand."""
    for name, value in said.items():
        known = _STYLES.get(name)
        if value and not name.startswith(("--", "mso-")) and (
            known is None or len(value) > _LONGEST or not known.fullmatch(value)
        ):  # fmt: skip
            yield name


def hides(said: Mapping[str, str]) -> bool:
    """Return whether a style leaves words in their place unseen, or hardly seen."""
    return any(
        name in _HIDING and bool(value) and bool(_HIDING[name].fullmatch(value[:_LONGEST]))
        for name, value in said.items()
    )


def colour(value: str) -> Colour | None:
    """Return the colour that a value names, None where it is not known."""
    value = UNDERSTOOD["colours"].get(value, value).strip()
    if found := _HEX.fullmatch(value):
        digits = found[1] if len(found[1]) > 4 else "".join(2 * one for one in found[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    if found := _RGB.fullmatch(value):
        return int(found[1]), int(found[2]), int(found[3])
    return None


def colours(
    said: Mapping[str, str], attributes: Mapping[str, str], letters: Colour | None,
    ground: Colour | None,
) -> tuple[Colour | None, Colour | None]:  # fmt: skip
    """Return the colours of the letters and of the ground of an element, None for unknown ones."""
    own = said.get("color", attributes.get("color", attributes.get("text", "")).strip().lower())
    if own and own not in {"inherit", "currentcolor", "initial", "unset"}:
        letters = colour(own)
    below = said.get("background-color") or said.get("background") or ""
    below = below or attributes.get("bgcolor", "").strip().lower()
    if below and not re.fullmatch("none|transparent|inherit|initial|unset", below):
        known = [one for one in map(colour, [below, *below.split()]) if one]
        ground = known[0] if known and not _PICTURES.search(below) else None
    return letters, ground if "background-image" not in said else None


def is_faint(letters: Colour | None, ground: Colour | None) -> bool:
    """Return whether letters of a colour are not seen on a ground."""
    both = letters is not None and ground is not None
    return both and max(abs(a - b) for a, b in zip(letters or (), ground or (), strict=True)) < 48


# --- sheets -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Rule:
    """What is said of the elements with these names that are in ones with those `around`.

    It is `sure` where it holds of all of them on a screen.
    """

    names: frozenset[str]
    around: frozenset[str]
    said: str
    sure: bool
    weight: tuple[int, ...]


@dataclass(slots=True)
class Sheets:
    """What is said of each element; `doubted` are those that a rule may hide.

    `elsewhere` is whether the page has a sheet in another file.
    """

    styles: dict[Any, dict[str, str]] = field(default_factory=dict)
    doubted: set[Any] = field(default_factory=set)
    unread: Counter[str] = field(default_factory=Counter)
    elsewhere: bool = False


def read_sheets(root: Any) -> Sheets:
    """Return what the sheets of a page and the styles of its elements say of each of them."""
    page = Sheets()
    links = [one for one in root.iter("link") if "stylesheet" in (one.get("rel") or "").lower()]
    sheet = "\n".join(one.text or "" for one in root.iter("style"))
    addresses = [one.get("href") or "" for one in links] + re.findall(r"@import[^;]*", sheet)
    page.elsewhere = bool(addresses)
    if any("data:" in one for one in addresses):
        page.unread["a style sheet in an address"] = 0
    named: defaultdict[str, list[_Rule]] = defaultdict(list)
    for rule in _rules(_OPAQUE.sub(_plain, sheet)):
        named[min(rule.names, default="*")].append(rule)
    tried = 0
    for element in root.iter("*"):
        said = []
        own = _own(element)
        for rule in itertools.chain.from_iterable(named.get(key, ()) for key in ("*", *own)):
            tried += 1 + len(rule.said) // 8 + 32 * len(rule.around)
            if tried > _MOST_TRIED:
                page.unread["a style sheet with more rules than are held against a page"] = 0
                named.clear()
                break
            if rule.names <= own and rule.around <= set().union(
                *(map(_own, element.iterancestors()) if rule.around else ())
            ):
                if rule.sure:
                    said.append(rule)
                elif hides(one := declared(rule.said)) or one.get("display") == "none":
                    page.doubted.add(element)
        bodies = [one.said for one in sorted(said, key=lambda one: one.weight)]
        if bodies or element.get("style"):
            page.styles[element] = declared(";".join([*bodies, element.get("style") or ""]))
    return page


def _own(element: Any) -> set[str]:
    """Return how a sheet may name an element: its tag, its id, classes and attributes."""
    named = {str(element.tag), *(f"[{one}" for one in element.attrib)}
    named.update(f".{one}".lower() for one in (element.get("class") or "").split())
    return named | {"#" + (element.get("id") or "").lower()}


def _plain(part: re.Match[str]) -> str:
    """Return a string or an address without the signs that end a rule, a comment as a blank."""
    return " " if part[0][0] in "/<-" else re.sub(r"[{};]", " ", part[0])


def _rules(sheet: str) -> Iterator[_Rule]:
    """Yield the rules of a sheet that may hold on a screen."""
    around: list[tuple[str, bool, list[str]]] = []  # head, if it surely holds, what it says
    sure = sheet.count("{") == sheet.count("}") and sheet.count("(") == sheet.count(")")
    for order, part in enumerate(_PART.finditer(sheet + "}" * sheet.count("{"))):
        said = " ".join(part[1].split())
        if part[2] == "{":
            within = not around or (around[-1][1] and around[-1][0].startswith("@"))
            holds = not said.startswith("@") or _ALWAYS.fullmatch(said.lower()) is not None
            around.append((said, sure and within and holds, []))
        elif around:
            around[-1][2].append(said)
        if part[2] == "}" and around:
            head, holds, bodies = around.pop()
            heads = (head, *(one for one, _, _ in around))
            body = ";".join(filter(None, bodies))
            if body and not any(_NEVER.fullmatch(one.lower()) for one in heads):
                yield from _selected(head, body, order, sure=holds)


def _selected(head: str, body: str, order: int, *, sure: bool) -> Iterator[_Rule]:
    """Yield a rule for each selector; one that is not understood may drop the others."""
    selectors = [" ".join(one.lower().split()) for one in _SELECTOR.findall(head)]
    sure = sure and all(map(_PLAIN.fullmatch, selectors))
    for one in selectors:
        if _UNMET.search(one):
            continue
        # what stands before another element is not around it
        steps = re.sub("([+~])", r" \1 ", _STATE.sub("", one)).replace(">", " ").split()
        names = [
            frozenset(_NAME.findall(step))
            for step, behind in zip(steps, [*steps[1:], ""], strict=False)
            if step not in "+~" and behind not in {"+", "~"}
        ] or [frozenset()]
        every = [name for step in names for name in step]
        ids, classes = (sum(name[0] in kind for name in every) for kind in ("#", ".["))
        weight = (ids, classes, len(every), order)
        yield _Rule(names[-1], frozenset().union(*names[:-1]), body, sure, weight)
