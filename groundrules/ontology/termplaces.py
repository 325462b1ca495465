"""Where the files of an ontology speak of a term, and by which short names they do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rdflib.term import Node, URIRef

from groundrules.files import read_bounded
from groundrules.ontology.load import MOST_BYTES, files_of

_PREFIX = re.compile(
    r"""(?im)^\s*@?prefix\s+(?P<name>[\w.-]*):\s*<(?P<iri>[^<>\s]+)>
      | \bxmlns:(?P<xml>[\w.-]+)\s*=\s*["'](?P<uri>[^"'<>\s]+)["']""",
    re.X,
)
#: Words of a file that may stand for an IRI: itself, in brackets or quotes, or a prefixed name.
_WORD = re.compile(r"[^\s<>\"'()\[\],;{}]+")


@dataclass(frozen=True, slots=True)
class Places:
    """The places of terms: `lines` gives file and line of the best mention of each word.

    That is the first at the head of a line, where Turtle has its subjects, else the first.
    `prefixes` are those that the files declare; what the empty one stands for goes by the name of
    the file.
    """

    prefixes: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def of(self, nodes: Iterable[Node]) -> tuple[str, int] | None:
        """Return file and line of the first of some terms that has a place."""
        for node in nodes:
            for word in self._words(node) if isinstance(node, URIRef) else ():
                if found := self.lines.get(word):
                    return found
        return None

    def _words(self, node: URIRef) -> list[str]:
        """Return what a file may call a term, the surest first."""
        found = [str(node)]
        for name, base in self.prefixes.items():
            if node.startswith(base) and len(base) < len(node):
                found += [f"{name}:{node[len(base) :]}", f":{node[len(base) :]}"]
        local = re.split(r"[#/]", str(node))[-1]
        return [*found, f"#{local}", local]

    def short(self, node: Node) -> str:
        """Return a term as the files write it: a prefixed name, or the IRI in brackets."""
        if isinstance(node, URIRef):
            for name, base in sorted(self.prefixes.items(), key=lambda pair: -len(pair[1])):
                local = node.removeprefix(base)
                if local != str(node) and re.fullmatch(r"[\w-]+(?:\.[\w-]+)*", local):
                    return f"{name}:{local}"
        return node.n3()


def places(paths: Iterable[Path]) -> Places:
    """Return where some files, and those that they import, speak of terms; none that is unread."""
    prefixes: dict[str, str] = {}
    heads: dict[str, tuple[str, int]] = {}
    others: dict[str, tuple[str, int]] = {}
    for path in dict.fromkeys(one for given in paths for one in files_of(given)):
        if path.suffix == ".toml":
            continue
        text = read_bounded(path, MOST_BYTES).decode("utf-8", errors="replace")
        for found in _PREFIX.finditer(text):
            name, iri = found["name"] or found["xml"] or "", found["iri"] or found["uri"]
            prefixes.setdefault(name or re.sub(r"\W", "-", path.stem), iri)
        for number, line in enumerate(text.split("\n"), 1):
            if line.lstrip().lower().startswith(("#", "@prefix", "prefix")):
                continue
            for place, word in enumerate(_WORD.findall(line)):
                found_at = (str(path), number)
                head = place == 0 and not line[:1].isspace()
                (heads if head else others).setdefault(word.rstrip("."), found_at)
    return Places(prefixes, {**others, **heads})
