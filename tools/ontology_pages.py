"""The pages of the shipped ontologies and their alignments, made from the files that state them.

Written and compared with the pages of the rules: see docs.py.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from rdflib.term import URIRef

from groundrules import domain
from groundrules.files import from_project
from groundrules.ontology.glossary import Entry, glossary, local_name, walk
from groundrules.ontology.load import read

_MADE = "by `python -m tools.docs`"


def pages() -> dict[str, str]:
    """Return the text of each file that is made from an ontology, by its path from the root."""
    path = domain.load(name := domain.built_in()).ontology
    statements, _, _ = read(path)
    entries = glossary(statements)
    found, place = alignments(), from_project(path.parent)
    return {
        f"docs/ontology/{name}.md": page(f"{place}/{path.name}", name, entries, found),
        f"docs/ontology/{name}.svg": picture(name, entries),
        f"{place}/alignments.ttl": turtle(found),
    }


@dataclass(frozen=True, slots=True)
class Alignments:
    """What terms of other vocabularies are nearest: a mapping set in SSSOM.

    `prefixes` are those of the mapping set; a row has the columns of SSSOM, among them `comment`,
    which says what the object was checked against.
    """

    prefixes: Mapping[str, str]
    rows: Sequence[Mapping[str, str]]


def alignments() -> Alignments:
    """Return the alignments of the built-in ontology, as written by hand."""
    folder = domain.load(domain.built_in()).ontology.parent
    text = (folder / "alignments.sssom.tsv").read_text(encoding="utf-8")
    head = [line for line in text.splitlines() if line.startswith("#")]
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    prefixes = dict(line[3:].split(": ", 1) for line in head if line.startswith("#  "))
    rows = list(csv.DictReader(io.StringIO(body), delimiter="\t", quoting=csv.QUOTE_NONE))
    return Alignments(prefixes, rows)


def turtle(found: Alignments) -> str:
    """Return the alignments in Turtle, each annotated with what it was checked against."""
    lines = [
        "# Made from alignments.sssom.tsv by `python -m tools.docs`.",
        "# Nearest terms of other vocabularies: for people and exchange, never loaded by a check.",
    ]
    used = {row[key].split(":")[0] for row in found.rows for key in ("object_id", "subject_id")}
    prefixes = {**{p: i for p, i in found.prefixes.items() if p in used | {"skos"}},
                "owl": "http://www.w3.org/2002/07/owl#",
                "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}  # fmt: skip
    lines += [f"@prefix {prefix}: <{iri}> ." for prefix, iri in sorted(prefixes.items())]
    for row in found.rows:
        subject, predicate, object_ = (row[f"{n}_id"] for n in ("subject", "predicate", "object"))
        lines += [
            "",
            f"{subject} {predicate} {object_} .",
            f"[] a owl:Axiom ; owl:annotatedSource {subject} ;",
            f"    owl:annotatedProperty {predicate} ; owl:annotatedTarget {object_} ;",
            f'    rdfs:comment "{row["comment"]}" .',
        ]
    return "\n".join(lines) + "\n"


def page(path: str, name: str, entries: Mapping[URIRef, Entry], found: Alignments) -> str:
    """Return the page of an ontology in Markdown: picture, class tree, properties, alignments.

    `path` is its file, from the root of the project.
    """
    classes = {iri: entry for iri, entry in entries.items() if entry.is_class}
    parts = [
        f"# The {name} ontology",
        f"Made from `{path}` {_MADE}.",
        f"{len(classes)} classes and {len(entries) - len(classes)} properties. "
        "`groundrules ontology show TERM` says the same of one term.",
        f"![The classes as a tree, each with its properties]({name}.svg)",
        "## Classes",
        "\n".join(_class_lines(classes)),
        "## What excludes what",
        "Of the classes of one line, or of what lies below them, nothing is in two.",
        "\n".join(f"- {line}" for line in _exclusive(classes)),
        "## Properties",
        "*Soft*: to break what is said of the property is a warning, not an error.",
    ]
    for heading, group in _by_domain(entries, classes):
        parts += [f"### {heading[:1].upper()}{heading[1:]}", _property_table(group, entries)]
    parts += ["## Alignments", _alignment_text(path.rpartition("/")[0], found)]
    return "\n\n".join(parts) + "\n"


def _class_lines(classes: Mapping[URIRef, Entry]) -> Iterable[str]:
    for depth, entry in walk(classes):
        more = [f"also: {', '.join(entry.names)}"] if entry.names else []
        more += [f"requires: {'; '.join(entry.requires)}"] if entry.requires else []
        more += [f"key: {'; '.join(entry.keys)}"] if entry.keys else []
        tail = f" ({'. '.join(more)})" if more else ""
        yield f"{'  ' * depth}- **{entry.label}**: {entry.definition} *{entry.example}*{tail}"


def _exclusive(classes: Mapping[URIRef, Entry]) -> list[str]:
    """Return the groups of classes that exclude each other, each in words."""
    groups = {group for entry in classes.values() for group in entry.groups}
    labels = [sorted(classes[iri].label for iri in group if iri in classes) for group in groups]
    return [" | ".join(names) for names in sorted(labels, key=lambda names: (-len(names), names))]


def _by_domain(
    entries: Mapping[URIRef, Entry], classes: Mapping[URIRef, Entry]
) -> Iterable[tuple[str, list[Entry]]]:
    """Yield the properties of each domain, in the order of the tree; those of anything last."""
    groups: dict[str, list[Entry]] = {entry.label: [] for _, entry in walk(classes)}
    for entry in entries.values():
        if not entry.is_class:
            groups.setdefault(" and ".join(entry.domain), []).append(entry)
    anything = groups.pop("", [])
    yield from ((label, group) for label, group in groups.items() if group)
    if anything:
        yield "anything", anything


def _property_table(group: Sequence[Entry], entries: Mapping[URIRef, Entry]) -> str:
    lines = ["| property | to | what it says | axioms |", "|---|---|---|---|"]
    for entry in group:
        to = " and ".join(entry.range) or "anything"
        said = f"{entry.definition} *{entry.example}*"
        lines.append(f"| {entry.label} | {to} | {said} | {', '.join(_axioms(entry, entries))} |")
    return "\n".join(lines)


def _axioms(entry: Entry, entries: Mapping[URIRef, Entry]) -> list[str]:
    def label(iri: URIRef) -> str:
        return entries[iri].label if iri in entries else local_name(iri)

    found = list(entry.traits)
    found += [f"excludes {label(other)}" for other in entry.disjoint]
    found += [f"inverse of {label(other)}" for other in entry.inverse]
    found += [f"kind of {label(parent)}" for parent in entry.parents]
    return found + (["soft"] if entry.severity else [])


def _alignment_text(place: str, found: Alignments) -> str:
    counts: dict[str, Counter[bool]] = {}
    for row in found.rows:
        vocabulary = row["object_id"].split(":")[0]
        vocabulary = "fibo" if vocabulary.startswith("fibo") else vocabulary
        counts.setdefault(vocabulary, Counter())[row["comment"].startswith("checked")] += 1
    lines = ["| vocabulary | terms | checked |", "|---|---|---|"]
    lines += [f"| {v} | {c.total()} | {c[True]} |" for v, c in sorted(counts.items())]
    checked = sum(count[True] for count in counts.values())
    intro = (
        f"{len(found.rows)} nearest terms of other vocabularies stand in "
        f"`{place}/alignments.sssom.tsv` (SSSOM) and `alignments.ttl`; no check loads "
        f"them. {checked} were looked up in a copy of the vocabulary, named beside each; the rest "
        "are marked unchecked."
    )
    return f"{intro}\n\n" + "\n".join(lines)


# The picture: indented trees in columns, each class with the properties that start at it.
_ROW, _GAP, _INDENT, _PAD, _COLUMNS = 17, 8, 16, 26, 3
_INK, _GREY, _LINE, _PAPER, _ACCENT = "#1f2933", "#52606d", "#b8c2cc", "#ffffff", "#1d4f91"


@dataclass(frozen=True, slots=True)
class _Row:
    depth: int
    text: str
    note: str = ""
    style: str = "class"  # class | property | again (a class of the column before)

    @property
    def width(self) -> float:
        # Helvetica and its kin average about 0.53 em, bold ones 0.58.
        size = 12 * 0.58 if self.style != "property" else 11 * 0.53
        return self.depth * _INDENT + 14 + len(self.text) * size + len(self.note) * 11 * 0.53


def picture(name: str, entries: Mapping[URIRef, Entry]) -> str:
    """Return a drawing of an ontology in SVG: its class tree, each class with its properties."""
    columns = _columns(_rows(entries))
    widths = [max(row.width for row in column) + _PAD for column in columns]
    top = 64
    height = max(_places(column, top)[-1] for column in columns) + _ROW + _PAD
    width = round(sum(widths) + _PAD)
    count = sum(entry.is_class for entry in entries.values())
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12">',
        f"<title>The {escape(name)} ontology: {count} classes and their properties</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{_PAPER}"/>',
        f'<text x="{_PAD}" y="30" font-size="16" font-weight="bold" fill="{_INK}">'
        f"The {escape(name)} ontology</text>",
        f'<text x="{_PAD}" y="48" font-size="11" fill="{_GREY}">Classes in bold, their properties '
        "below them: property \u2192 value (1: one value only; "
        "\u2260: excludes another property)</text>",
    ]
    left = float(_PAD)
    for column, extent in zip(columns, widths, strict=True):
        body += _draw(column, left, top)
        left += extent
    return "\n".join([*body, "</svg>"]) + "\n"


def _rows(entries: Mapping[URIRef, Entry]) -> list[_Row]:
    classes = {iri: entry for iri, entry in entries.items() if entry.is_class}
    properties = [entry for entry in entries.values() if not entry.is_class]
    rows = []
    for depth, entry in walk(classes):
        rows.append(_Row(depth, entry.label))
        rows += [
            _Row(depth + 1, one.label, _note(one, entries), "property")
            for one in properties
            if entry.iri in one.starts
        ]
    rows.append(_Row(0, "anything"))
    rows += [_Row(1, e.label, _note(e, entries), "property") for e in properties if not e.domain]
    return rows


def _note(entry: Entry, entries: Mapping[URIRef, Entry]) -> str:
    marks = ["1"] if "functional" in entry.traits else []
    marks += [f"\u2260 {entries[q].label}" for q in entry.disjoint if q in entries]
    tail = f" ({', '.join(marks)})" if marks else ""
    return f" \u2192 {' and '.join(entry.range) or 'anything'}{tail}"


def _columns(rows: Sequence[_Row]) -> list[list[_Row]]:
    """Return the rows in columns of like length, broken before a class, its ancestors repeated."""
    goal = -(-len(rows) // _COLUMNS)
    columns: list[list[_Row]] = [[]]
    above: list[_Row] = []
    for row in rows:
        if row.style == "class":
            above = above[: row.depth]
            if len(columns[-1]) >= goal and len(columns) < _COLUMNS:
                columns.append([_Row(one.depth, one.text, style="again") for one in above])
            above.append(row)
        columns[-1].append(row)
    return columns


def _places(column: Sequence[_Row], top: int) -> list[int]:
    """Return how far down each row stands; a tree keeps its distance from the one before."""
    places, y = [], top - _ROW
    for index, row in enumerate(column):
        y += _ROW + (_GAP if index and row.depth == 0 else 0)
        places.append(y)
    return places


def _draw(column: Sequence[_Row], left: float, top: int) -> Iterable[str]:
    last: dict[int, int] = {}
    for row, y in zip(column, _places(column, top), strict=True):
        x = left + row.depth * _INDENT
        parent = last.get(row.depth - 1)
        if row.style != "property":
            last[row.depth] = y
        if parent is not None:
            yield (
                f'<path d="M{x - 10:.0f} {parent + 10} V{y + 5} H{x - 2:.0f}" '
                f'fill="none" stroke="{_LINE}"/>'
            )
        if row.style == "property":
            yield (
                f'<text x="{x:.0f}" y="{y + 9}" font-size="11" fill="{_ACCENT}">'
                f'{escape(row.text)}<tspan fill="{_GREY}">{escape(row.note)}</tspan></text>'
            )
        else:
            fill = _INK if row.style == "class" else _GREY
            weight = "bold" if row.style == "class" else "normal"
            again = " (continued)" if row.style == "again" else ""
            yield (
                f'<text x="{x:.0f}" y="{y + 9}" font-weight="{weight}" fill="{fill}">'
                f"{escape(row.text)}{again}</text>"
            )
