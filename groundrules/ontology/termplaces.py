"""Where the files of an ontology speak of a term, and by which short names they do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rdflib.term import Node, URIRef

from groundrules.dataset import PREFIXES
from groundrules.files import read_bounded
from groundrules.ontology.load import MOST_BYTES, files_of
from groundrules.terms import Triple

_PREFIX = re.compile(
    r"""(?im)^[ \t]*@?prefix\s+(?P<name>[\w.-]*):\s*<(?P<iri>[^<>\s]+)>
      | \bxmlns:(?P<xml>[\w.-]+)\s*=\s*["'](?P<uri>[^"'<>\s]+)["']""",
    re.X,
)
#: Words of a file that may stand for an IRI: itself, in brackets or quotes, or a prefixed name.
_WORD = re.compile(r"[^\s<>\"'()\[\],;{}]+")


_META = tuple(PREFIXES.values())
#: How many lines what is said of one subject has at most.
_LONGEST = 200
#: A file and a line of it, counted from 1.
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Places:
    """The places of terms: `lines` gives file and line of the best mention of each word.

    That is the first at the head of a line, where Turtle has its subjects, else the first.
    `prefixes` are those that the files declare; `texts` are the lines of each file.
    """

    prefixes: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, Place] = field(default_factory=dict)
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def of_statement(self, triple: Triple) -> Place | None:
        """Return where a file has a statement: below its subject the line that has its object."""
        head = self.of([triple.subject])
        if head is None:
            return self.of([triple.predicate, triple.object])
        path, first = head
        named = triple.object if isinstance(triple.object, URIRef) else triple.predicate
        words = set(self._words(named)) if isinstance(named, URIRef) else set()
        lines = self.texts[path]
        for number in range(first, min(first + _LONGEST, len(lines) + 1)):
            line = lines[number - 1]
            if number > first and line[:1].strip():
                break
            if words & {word.rstrip(".") for word in _WORD.findall(line)}:
                return path, number
        return head

    def of_axiom(self, axiom: Sequence[Triple]) -> Place | None:
        """Return where a file has an axiom, its statement about a named thing first."""
        first, *others = axiom
        if isinstance(first.object, URIRef) or not others:
            return self.of_statement(first)
        named = [t.object for t in others if isinstance(t.object, URIRef)]
        own = [node for node in named if not str(node).startswith(_META)]
        if not isinstance(first.subject, URIRef):
            return self._line_with(own)
        ends = (self.of_statement(Triple(first.subject, first.predicate, node)) for node in own)
        return next((place for place in ends if place), None) or self.of([first.subject])

    def _line_with(self, nodes: Sequence[Node]) -> Place | None:
        """Return the first line that has all of some terms, or the most of them."""
        best: tuple[int, Place] | None = None
        wanted = [set(self._words(node)) for node in nodes if isinstance(node, URIRef)]
        for path, lines in self.texts.items():
            for number, line in enumerate(lines, 1):
                have = {word.rstrip(".") for word in _WORD.findall(line)}
                count = sum(bool(words & have) for words in wanted)
                if count and (best is None or count > best[0]):
                    best = count, (path, number)
        return best[1] if best else None

    def of(self, nodes: Iterable[Node]) -> Place | None:
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
    heads: dict[str, Place] = {}
    others: dict[str, Place] = {}
    texts: dict[str, Sequence[str]] = {}
    for path in dict.fromkeys(one for given in paths for one in files_of(given)):
        if path.suffix == ".toml":
            continue
        text = read_bounded(path, MOST_BYTES).decode("utf-8", errors="replace")
        for found in _PREFIX.finditer(text):
            name, iri = found["name"] or found["xml"] or "", found["iri"] or found["uri"]
            prefixes.setdefault(name, iri)
        texts[str(path)] = lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            if line.lstrip().lower().startswith(("#", "@prefix", "prefix")):
                continue
            for place, word in enumerate(_WORD.findall(line)):
                found_at = (str(path), number)
                head = place == 0 and not line[:1].isspace()
                (heads if head else others).setdefault(word.rstrip("."), found_at)
    return Places(prefixes, {**others, **heads}, texts)
