"""A question whose thing is told by another one: "who directs the firm that owns the Tern".

What stands for the thing is asked first; where it is one, its name takes the place of those words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from groundrules.kb.found import Found
from groundrules.kb.lookups import Lookup, Unread

#: What stands for a thing: a class or a column, what links it, and a name.
_INNER = re.compile(
    r"\b[Tt]he (?P<kind>[a-z][\w-]*(?: [a-z][\w-]*)?) "
    r"(?P<link>(?:that|which|who) [a-z]+(?: [a-z]+)?|of) "
    r"(?P<name>(?:the )?[A-Z0-9][\w.-]*(?: (?:of |and |the )?[A-Z0-9][\w.-]*){0,6})"
)
#: The most that are told of several.
_TOLD = 5


def look_up_in_steps(
    question: str,
    read: Callable[[str], Lookup | Unread],
    ask: Callable[[Lookup], Found],
) -> Found | Unread | None:
    """Return what is answered in two steps, None where nothing in a question can be asked first."""
    for match in reversed([*_INNER.finditer(question)]):
        first = read(_question(match))
        if isinstance(first, Unread) or first.form not in ("values", "rows"):
            continue
        inner = ask(first)
        words = match[0]
        if inner.refusal:
            return Unread(f"“{words}”: {inner.refusal}", known=True)
        if len(inner.values) != 1:
            some = ", ".join(inner.values[:_TOLD]) + (", …" if len(inner.values) > _TOLD else "")
            told = f"are several: {some}" if inner.values else "are none"
            return Unread(f"“{words}” in the records {told}", known=True)
        outer = f"{question[: match.start()]}{inner.values[0]}{question[match.end() :]}"
        second = read(outer)
        if isinstance(second, Unread):
            return second
        found = ask(second)
        return replace(
            found,
            facts=tuple(dict.fromkeys((*inner.facts, *found.facts))),
            queries=(*inner.queries, *found.queries),
        )
    return None


def _question(match: re.Match[str]) -> str:
    link = match["link"]
    if link == "of":
        return f"What is the {match['kind']} of {match['name']}?"
    return f"Which {match['kind']} {link.partition(' ')[2]} {match['name']}?"
