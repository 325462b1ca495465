"""Style sheets: what the rules of a page say of each element, as a style of its own would say it.

A rule that may hold, or not, is never taken to: what it would draw otherwise is named as unread.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from groundrules.claims.formats.styles import (
    BLACK,
    UNDERSTOOD,
    WHITE,
    colours,
    declared,
    has_gap,
    is_faint,
    strange,
)

#: The most that is tried, in rules held against an element and eight characters that they say.
_MOST_TRIED = 2_000_000
#: So wide is the window that a rule for some widths alone is held against, in pixels.
_WIDTH = 1280
_OPAQUE = re.compile(
    r"/\*.*?(?:\*/|\Z)|<!--|-->|\"(?:[^\"\\\n]|\\.)*+\\?(?:\"|\n|\Z)"
    r"|'(?:[^'\\\n]|\\.)*+\\?(?:'|\n|\Z)|url\([^()\"']*+\)",
    re.DOTALL,
)
_PART = re.compile(r"([^{};]*+)([{};]|\Z)")
_ALWAYS = re.compile(r"@media ?(?:(?:only )?(?:all|screen))? ?(?:and ?)?")
_OF_WIDTH = re.compile(r"(?:and ?)?\((min|max)-width ?: ?(\d{1,5}(?:\.\d{1,3})?)(px|r?em) ?\) ?")
_NEVER = re.compile(
    r"@(?:-\w{1,9}-)?keyframes\b.*|@(?:-\w{1,9}-)?viewport\b.*"
    r"|@(?:font-face|page|property|font-feature-values)\b.*"
    r"|@media (?:print|speech)(?: and[^,]*+)?|@media[^,:]*+prefers-color-scheme ?: ?dark[^,]*+"
)
_TOKEN = re.compile(
    r"(?P<join> ?[>+~] ?| )|\*"
    r"|(?P<of>[.#]?)(?P<name>-{0,2}(?:[a-zA-Z_]|[^\0-\x7f]|\\[^\da-f\n])"
    r"(?:[\w-]|[^\0-\x7f]|\\[^\da-f\n])*+)|\[ ?(?P<has>[\w-]++)(?P<value>[^\[\]]*+)\]"
    r"|(?P<pseudo>::?)(?P<state>[\w-]++)(?P<inner>\((?:[^()]++|\([^()]*+\))*+\))?+"
)
_SELECTOR = re.compile(r"(?:[^,()\[\]]++|\((?:[^()]++|\([^()]*+\))*+\)|\[[^\[\]]*+\])++")
_STATES = {name: how for how, names in UNDERSTOOD["states"].items() for name in names.split()}
#: Words that a sheet puts beside others; bullets and icons, written by their number, are none.
_ADDED = re.compile(
    r"content\s{0,9}:[^;}\"']{0,40}(?:(?:attr|counters?)\s?\(|[\"']"
    r"(?:\\(?:2[\da-f]{3}|0*(?:a0|7c|ab|b7|bb|d7)(?![\da-f])|[ef][\da-f]{3})|[^\w\"'}\\])*+[\w\\])"
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """What is said of the elements under a selector, whose last step is the first.

    A step is how it is joined to the one behind it, and the names it asks for, as they are and in
    small letters. `how` is "said", "added" for words beside an element, or "doubted".
    """

    steps: tuple[tuple[str, frozenset[str], frozenset[str]], ...]
    body: str
    how: str
    weight: tuple[int, ...]


@dataclass(slots=True)
class Sheets:
    """What the sheets of a page say; `elsewhere` is whether it has one in another file."""

    styles: dict[Any, str]
    unread: Counter[str] = field(default_factory=Counter)
    elsewhere: bool = False


def read_sheets(root: Any, telling: set[Any]) -> Sheets:
    """Return what the sheets of a page and the styles of its elements say of each of them."""
    page = Sheets({one: one.get("style") for one in root.iter("*") if one.get("style")})
    links = [one for one in root.iter("link") if "stylesheet" in (one.get("rel") or "").lower()]
    sheet = "\n".join(one.text or "" for one in root.iter("style"))
    addresses = [one.get("href") or "" for one in links] + re.findall(r"@import[^;]*", sheet)
    page.elsewhere = bool(addresses)
    if any("data:" in one for one in addresses):
        page.unread["a style sheet in an address"] = 0
    named: defaultdict[str, list[_Rule]] = defaultdict(list)
    for rule in _rules(_OPAQUE.sub(_plain, sheet)):
        named[min(rule.steps[0][2], default="*")].append(rule)
        if rule.body.count("(") != rule.body.count(")"):
            page.unread["a style sheet with a bracket left open"] = 0
    owned = {one: _own(one) for one in root.iter("*")} if named else {}
    tried = 0
    for element, own in owned.items():
        said = []
        for rule in itertools.chain.from_iterable(named.get(key, ()) for key in ("*", *own)):
            if not rule.steps[0][2] <= own or tried > _MOST_TRIED:
                tried += 1
                continue
            tried += 1 + len(rule.body) // 8 + 16 * (len(rule.steps) - 1)
            how = _matches(rule, element, owned)
            if how == "said":
                said.append(rule)
            elif how == "added":
                page.unread["words that a style sheet adds"] = 0
            elif how:
                page.unread.update(_doubted(rule, told=element in telling))
        if tried > _MOST_TRIED:
            page.unread["a style sheet with more rules than are held against a page"] = 0
            break
        if said:
            bodies = [one.body for one in sorted(said, key=lambda one: one.weight)]
            page.styles[element] = ";".join([*bodies, page.styles.get(element, "")])
    return page


def _plain(part: re.Match[str]) -> str:
    """Return a string or an address without the signs that end a rule, a comment as a blank."""
    said = part[0]
    return " " if said[0] in "/<-" else re.sub(r"[{};]", " ", said)


def _rules(sheet: str) -> Iterator[_Rule]:
    """Yield the rules of a sheet that may hold on a screen."""
    around: list[tuple[str, str, list[str]]] = []  # head, how it holds, what it says
    stray = ""
    for order, part in enumerate(_PART.finditer(sheet + "}" * sheet.count("{"))):
        said = part[1].strip()
        if part[2] == "{":
            within = around[-1][:2] if around else ("@", "")
            nested = "" if within[0][0] == "@" else "doubted"
            around.append((stray + said or "?", max(_holds(said), within[1], nested), []))
            stray = ""
        elif around:
            around[-1][2].append(said)
        if part[2] == "}" and not around:
            stray = "}" if part.end() <= len(sheet) else ""
        elif part[2] == "}":
            head, how, bodies = around.pop()
            body = ";".join(filter(None, bodies))
            if body and how != "never" and not head.startswith("--"):
                nested = "" if not around or around[-1][0][0] == "@" else "?"
                yield from _selected(nested or head, body, how, order)


def _holds(head: str) -> str:
    """Return "" where the rules under a head hold, else "doubted" or "never"."""
    head = " ".join(head.lower().split())
    if not head.startswith("@"):
        return ""
    if _NEVER.fullmatch(head):
        return "never"
    for which, size, unit in _OF_WIDTH.findall(head):
        width = float(size) * (1 if unit == "px" else 16)
        if "," not in head and (width > _WIDTH if which == "min" else width < _WIDTH):
            return "never"
    return "" if _ALWAYS.fullmatch(_OF_WIDTH.sub("", head)) else "doubted"


def _selected(head: str, body: str, how: str, order: int) -> Iterator[_Rule]:
    """Yield a rule for each selector; one that is not understood may drop the others."""
    made = [_selector(" ".join(one.split())) for one in _SELECTOR.findall(head)]
    if not made or not all(known for _, _, known, _ in made):
        how = "doubted"
    adds = _ADDED.search(body.lower()) and declared(body).get("display") != "none"
    for steps, state, _, weight in made or [_selector("?")]:
        if state in {"said", "doubted"}:
            yield _Rule(steps, body, how or state, (*weight, order))
        elif state == "added" and adds:
            yield _Rule(steps, body, state, (*weight, order))


def _selector(said: str) -> tuple[tuple[Any, ...], str, bool, tuple[int, ...]]:
    """Return the steps of a selector, how it holds, if it is understood, and its weight."""
    steps: list[tuple[str, set[str]]] = [("", set())]
    how, known, at, weight = "said", True, 0, [0, 0, 0]
    while at < len(said):
        one = _TOKEN.match(said, at)
        if one is None:
            return (("", frozenset(), frozenset()),), "doubted", False, (0, 0, 0)
        at = one.end()
        state = _STATES.get((one["state"] or "").lower(), "")
        if one["join"]:
            steps.insert(0, (one["join"].strip(), set()))
        elif one["name"]:
            name = one["of"] + one["name"].replace("\\", "")
            steps[0][1].add(name if one["of"] else name.lower())
        elif one["has"]:
            steps[0][1].add(f"[{one['has'].lower()}]")
            how = "doubted" if one["value"].strip() and how == "said" else how
        elif state in {"never", "added"}:
            how = state if how != "never" else how
        elif state in {"html", "[href]"}:
            steps[0][1].add(state)
        elif one["state"]:
            known = known and state == "perhaps"
            how = "doubted" if how == "said" else how
        if not one["join"] and one[0] != "*":
            weight[{"#": 0, "": 2}.get(one["of"] if one["name"] else "?", 1)] += 1
    joined = zip(("", *(join for join, _ in steps)), (own for _, own in steps), strict=False)
    return (
        tuple((join, frozenset(own), frozenset("~" + one.lower() for one in own))
              for join, own in joined),
        how, known, tuple(weight),
    )  # fmt: skip


def _own(element: Any) -> set[str]:
    """Return how a sheet may name an element: its tag, its id, classes and attributes.

    Each stands again behind a ~ in small letters, as some browsers read it.
    """
    named = {str(element.tag), *(f"[{one}]" for one in element.attrib)}
    named.update(f".{one}" for one in (element.get("class") or "").split())
    named.add("#" + (element.get("id") or ""))
    return named | {"~" + one.lower() for one in named}


def _matches(rule: _Rule, element: Any, owned: Mapping[Any, set[str]]) -> str:
    """Return how a rule holds of an element, "" where it does not."""
    how, found = rule.how, [element]
    for place, (join, exact, lowered) in enumerate(rule.steps):
        if join in {"+", "~"}:
            return how if how == "added" else "doubted"
        if place:
            found = [
                up
                for one in (found if join else found[:1])
                for up in itertools.islice(one.iterancestors(), 1 if join else None)
            ]
        found = [one for one in found if lowered <= owned[one]]
        if not found:
            return ""
        if how == "said" and not any(exact <= owned[one] for one in found):
            how = "doubted"
    return how


def _doubted(rule: _Rule, *, told: bool) -> Iterator[str]:
    """Yield what a rule that may hold would draw otherwise; `told` is of an element with words."""
    said = declared(rule.body)
    if not told:
        said = {name: one for name, one in said.items() if name == "display" and one[:2] != "in"}
    letters, ground, unknown = colours(said, {}, BLACK, WHITE)
    odd = {*strange(said, within=True), *({"display", "visibility", "float"} & set(said))}
    if unknown or is_faint(letters, WHITE) or is_faint(BLACK, ground):
        odd.add("color")
    if has_gap(said, "left") or has_gap(said, "right"):
        odd.add("padding")
    if re.search("line-through|super|sub", " ".join(said.values())):
        odd.add("text-decoration")
    for name in odd:
        yield f"element{{s}} with words that a style sheet may draw otherwise by {name}"
