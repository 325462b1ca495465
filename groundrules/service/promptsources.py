"""Sources in the messages of a request: what a program that only sets a base URL has put there.

Of a message of a tool all is a source. Of a message of the system, the developer or the user these
parts are, and nothing else of it: what stands between `<context>` and `</context>`, or document,
documents, source, sources, passage in place of it; between two lines of dashes; and behind a
line that begins with `Context:`, or ends with "the following context:", up to a line that begins
with Question, Query, Answer or Helpful Answer. What the model said before is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from groundrules.service.bodies import MOST_SOURCES, Source

_TOOLS = ("tool", "function")
_ASKING = ("system", "developer", "user")
#: Where a part begins: a mark, a line of dashes, or a heading.
_BEGIN = re.compile(
    r"<(?P<mark>context|documents?|sources?|passages?)\b[^<>]{0,200}>"
    r"|^(?P<ruled>-{5,})[ \t]*$"
    r"|(?P<headed>^Context[ \t]*:"
    r"|\b(?:following|below|provided|retrieved|these)\b[^\n:.]{0,40}"
    r"\b(?:context|documents?|sources?|passages?|excerpts?)"
    r"(?: information)?(?: below)?[ \t]*:[ \t]*$)",
    re.M | re.I,
)
_RULE = re.compile(r"^-{5,}[ \t]*$", re.M)
_NEXT = re.compile(r"^(?:Question|Query|(?:Helpful )?Answer)[ \t]*:", re.M | re.I)
#: Tags of what is inside, such as `<document index="1">`, are no words of a source.
_TAG = re.compile(r"</?[A-Za-z_][\w-]{0,40}(?:\s[^<>]{0,200})?/?>")


def sources_in(messages: object) -> list[Source]:
    """Return the sources that the messages of a request have, in their order, each text once."""
    found: dict[str, str] = {}
    for number, message in enumerate(messages if isinstance(messages, list) else (), 1):
        if isinstance(message, Mapping):
            name = f"message {number}"
            for text in _parts(message):
                if text.strip():
                    found.setdefault(text, name)
    counts: dict[str, int] = {}
    made = []
    for text, name in list(found.items())[:MOST_SOURCES]:
        counts[name] = counts.get(name, 0) + 1
        made.append(Source(name=f"{name}, part {counts[name]}", text=text))
    return made


def _parts(message: Mapping[str, Any]) -> Iterator[str]:
    texts = _texts(message.get("content"))
    if message.get("role") in _TOOLS:
        yield from texts
    elif message.get("role") in _ASKING:
        for text in texts:
            for part in _marked(text.replace("\r\n", "\n")):
                yield _TAG.sub(" ", part).strip()


def _marked(text: str) -> Iterator[str]:
    """Yield the parts of a text that are marked, the outermost of those within each other."""
    at = 0
    open_ended: set[str] = set()  # marks that nothing closes, which are not looked for again
    while found := _BEGIN.search(text, at):
        at = found.end()
        mark = found["mark"]
        if found["headed"]:
            end = _NEXT.search(text, at)
            yield text[at : end.start() if end else len(text)]
            at = end.start() if end else len(text)
            continue
        name = mark.lower() if mark else "-"
        if name in open_ended:
            continue
        end = (re.compile(f"</{name}>", re.I) if mark else _RULE).search(text, at)
        if end is None:
            open_ended.add(name)
            continue
        yield text[at : end.start()]
        at = end.end()


def _texts(content: object) -> Iterable[str]:
    """Return the texts of a message, which is a text or a list of parts."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [
        one["text"]
        for one in parts
        if isinstance(one, Mapping) and isinstance(one.get("text"), str)
    ]
