"""Typed extraction: values to a user's schema, each with the passage that it was copied from.

After SafePassage (arXiv 2510.00276, step 1): for each value a model gives `value` and `context`,
the words of the document that state it. Nothing here is believed: claims/evidence/quotes.py looks
for the passages in the documents and for the values in the passages, and rules decide.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib.term import Literal

from groundrules.claims.documents.document import Document
from groundrules.claims.english import table
from groundrules.claims.evidence.quotes import Passage, locate, term
from groundrules.claims.evidence.schemas import Schema, is_field, is_worded, parts_of
from groundrules.claims.models.llm_prompts import INSTRUCTIONS
from groundrules.claims.units.chunks import chunk
from groundrules.errors import LLMError

if TYPE_CHECKING:
    from groundrules.llm.client import Client

Scalar = str | int | float | bool
#: Most values of an answer and of a record.
MAX_VALUES = 10_000


@dataclass(frozen=True, slots=True)
class Quote:
    """What a model copied as evidence; `shown` is the range of the document that it had seen."""

    text: str
    document: str
    shown: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Field:
    """An extracted value: its path in the record, its type in words, its evidence.

    `worded` is true where the schema words the value, as in an enumeration, and the document need
    not have it. `format` is what the schema declares of a string, "date"
    (claims/evidence/schemas.py). A value of several `parts`, each with its place in it, is one:
    `value` has in words those that the document must have, a year, month and day as one date.
    """

    path: tuple[str | int, ...]
    type: str
    value: Scalar
    quotes: tuple[Quote, ...] = ()
    worded: bool = False
    format: str = ""
    parts: tuple[tuple[tuple[str, ...], Scalar | None], ...] = ()

    @property
    def name(self) -> str:
        """The path as it is written: `tenants[0].name`."""
        return dotted(self.path)

    @property
    def said(self) -> str:
        """The value in words."""
        return in_words(self.parts) if self.parts else _word(self.value)

    @property
    def given(self) -> Any:
        """The value in the form of the schema: a scalar, or an object of its parts."""
        if not self.parts:
            return self.value
        tree: dict[str, Any] = {}
        for steps, part in self.parts:
            node = tree
            for step in steps[:-1]:
                node = node.setdefault(step, {})
            node[steps[-1]] = part
        # what is alone beside its context is the value
        return next(iter(tree.values())) if len(tree) == 1 else tree


def _word(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


#: What the parts of a date are called.
_CALENDAR = table("calendar")


def in_words(parts: Iterable[tuple[tuple[str, ...], Scalar | None]]) -> str:
    """Return the parts of a value as one text; a year, month and day as a date."""
    groups: dict[tuple[str, ...], dict[str, str]] = {}
    for steps, part in parts:
        if part is not None and part != "":
            groups.setdefault(steps[:-1], {})[steps[-1]] = _word(part)
    return " ".join(_group(found) for found in groups.values())


def _group(found: Mapping[str, str]) -> str:
    """Return the parts of one object as one text."""
    day = {_CALENDAR.get(name.casefold(), name): part for name, part in found.items()}
    if not day.keys() <= {"year", "month", "day"}:
        return " ".join(found.values())
    order = [day[name] for name in ("year", "month", "day") if name in day]
    whole = "year" in day and ("day" not in day or "month" in day)
    if whole and all(re.fullmatch(r"[0-9]{1,4}", part) for part in order):
        return "-".join([order[0], *(part.zfill(2) for part in order[1:])])
    return " ".join(reversed(order))


def dotted(path: Iterable[str | int]) -> str:
    """Return a path as `tenants[0].name`."""
    out = ""
    for step in path:
        out += f"[{step}]" if isinstance(step, int) else f".{step}" if out else step
    return out


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of a document that the model could not be asked about, and why."""

    document: str
    start: int
    end: int
    error: LLMError


def extract(
    documents: Sequence[Document], schema: Schema, client: Client, *, threshold: float
) -> tuple[tuple[Field, ...], tuple[Fault, ...]]:
    """Return the values that a model finds in documents, and the parts it could not be asked about.

    Long documents are asked about in chunks that overlap. What several chunks give is one where
    path, value and place agree; a place for one value may have several, one after the other.
    `threshold` is the score from which a quote counts as found.
    """
    from groundrules.llm.prompt import Prompt

    parts = [(d, start, end) for d in documents for start, end in chunk(d.text)]
    told = INSTRUCTIONS["values"]
    prompts = [
        # by its file's name: where it lies is nobody's business
        Prompt(
            "values",
            told,
            ((Path(d.name).name, d.text[start:end]),),
            schema.shape,
        )
        for d, start, end in parts
    ]
    trees: list[Tree] = []
    faults = []
    merger = _Merger(documents, threshold)
    for (document, start, end), answer in zip(parts, client.ask_all(prompts), strict=True):
        if isinstance(answer, LLMError):
            faults.append(Fault(document.name, start, end, answer))
            continue
        found = _read(answer, schema.shape, _Part(document.name, start, end, schema.formats))
        if found is not None:
            trees.append(found)
    whole = functools.reduce(merger.merge, trees) if trees else {}
    return tuple(_flatten(whole, ()))[:MAX_VALUES], tuple(faults)


@dataclass(frozen=True, slots=True)
class _Part:
    document: str
    start: int
    end: int
    formats: Mapping[str, str]


#: An answer in the form of the record: the candidates for each place of a value.
Tree = dict[str, Any] | list[Any] | tuple[Field, ...]


def _read(answer: Any, shape: Mapping[str, Any], part: _Part, place: str = "") -> Tree | None:
    """Return what an answer has at a place of the schema, None for nothing."""
    if "anyOf" in shape:
        shape = shape["anyOf"][0]
    if answer is None:
        return None
    if shape["type"] == "array":
        items = [_read(item, shape["items"], part, f"{place}[]") for item in answer[:MAX_VALUES]]
        return [item for item in items if item is not None] or None
    if is_field(shape):
        field = _field(answer, shape, part, place)
        return None if field is None else (field,)
    members = {
        name: found
        for name, child in shape["properties"].items()
        if (found := _read(answer.get(name), child, part, f"{place}.{name}" if place else name))
        is not None
    }
    return members or None


def _field(
    answer: Mapping[str, Any], shape: Mapping[str, Any], part: _Part, place: str
) -> Field | None:
    found = [(steps, _scalar(answer, steps), asked) for steps, asked in parts_of(shape)]
    if all(value is None for _, value, _ in found):
        return None
    worded = all(is_worded(asked) or isinstance(value, bool) for _, value, asked in found)
    value = found[0][1]
    parts: tuple[tuple[tuple[str, ...], Scalar | None], ...] = ()
    if len(found) > 1:
        parts = tuple((steps, one) for steps, one, _ in found)
        value = in_words((s, one) for s, one, asked in found if worded or not is_worded(asked))
    if value is None or value == "":
        return None
    quote = Quote(_plain(answer["context"] or ""), part.document, (part.start, part.end))
    form = part.formats.get(place, "")
    return Field((), shape["title"], value, (quote,), worded, form, parts)


def _scalar(answer: Any, steps: Iterable[str]) -> Scalar | None:
    """Return what an answer has at a place within a value, None for nothing."""
    for step in steps:
        answer = answer[step] if answer is not None else None
    if isinstance(answer, str):
        return _plain(answer) or None
    if isinstance(answer, float) and not math.isfinite(answer):
        return None
    assert answer is None or isinstance(answer, str | int | float | bool)
    return answer


def _plain(text: str) -> str:
    """Return a text without what no file can hold."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text).strip()


def _flatten(tree: Tree, path: tuple[str | int, ...]) -> Iterator[Field]:
    if isinstance(tree, tuple):
        for field in tree:
            yield replace(field, path=path)
    elif isinstance(tree, list):
        for number, item in enumerate(tree):
            yield from _flatten(item, (*path, number))
    else:
        for name, child in tree.items():
            yield from _flatten(child, (*path, name))


class _Merger:
    """Puts the answers about two parts together."""

    def __init__(self, documents: Sequence[Document], threshold: float) -> None:
        self.documents = documents
        self.threshold = threshold
        self.places: dict[Quote, Passage | None] = {}

    def merge(self, one: Tree, other: Tree) -> Tree:
        if isinstance(one, dict) and isinstance(other, dict):
            return {
                name: self.merge(one[name], other[name])
                if name in one and name in other
                else one.get(name, other.get(name))
                for name in dict.fromkeys((*one, *other))
            }
        if isinstance(one, list) and isinstance(other, list):
            items = list(one)
            for new in other:
                for place, old in enumerate(items):
                    if self.same(old, new):
                        items[place] = self.merge(old, new)
                        break
                else:
                    items.append(new)
            return items
        assert isinstance(one, tuple)
        assert isinstance(other, tuple)
        fields = list(one)
        for new in other:
            for place, old in enumerate(fields):
                if term(old.value) == term(new.value):
                    quotes = [q for q in new.quotes if not any(self.meet(q, p) for p in old.quotes)]
                    fields[place] = replace(old, quotes=(*old.quotes, *quotes))
                    break
            else:
                fields.append(new)
        return tuple(fields)

    def same(self, one: Tree, other: Tree) -> bool:
        """Return whether two items of a list are one: they agree, in one place or by a name."""
        ours, theirs = dict(_leaves(one)), dict(_leaves(other))
        common = [(ours[path], theirs[path]) for path in ours if path in theirs]
        if not common or any(term(a.value) != term(b.value) for a, b in common):
            return False
        named = any(not isinstance(term(a.value), Literal) for a, _ in common)
        return named or any(self.meet(p, q) for a, b in common for p in a.quotes for q in b.quotes)

    def meet(self, one: Quote, other: Quote) -> bool:
        """Return whether two quotes are of one place; those of no place if they are equal."""
        a, b = self.find(one), self.find(other)
        if a is None or b is None:
            return a is b and one.text == other.text
        return a.document == b.document and a.start < b.end and b.start < a.end

    def find(self, quote: Quote) -> Passage | None:
        if quote not in self.places:
            found = locate(quote, self.documents, self.threshold)
            kept = found if found and found.score >= self.threshold else None
            self.places[quote] = kept
        return self.places[quote]


def _leaves(
    tree: Tree, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Field]]:
    """Yield the first candidate of each place that is in no list within."""
    if isinstance(tree, tuple):
        yield path, tree[0]
    elif isinstance(tree, dict):
        for name, child in tree.items():
            yield from _leaves(child, (*path, name))
