"""Rows of labelled data: claims and answers beside their sources, read from JSON lines.

A row has `doc` (or `context`), the source, and `claim` with `label` (1 right, 0 wrong), or in place
of these `answer`, a list of sentences: objects with `s`, the words, and `label`; where they are
known also with `error`, the kind of the fault, `span`, the wrong words, and `abstraction`, how far
the wording is from that of the source. The row may have `genre`, and `doc_id` where several rows
share a source. `label3` (Entailment, Contradiction, NotMentioned, or the names of the outcomes)
says which verdict a claim is to have, and gives it its `label`; other words in it are a field like
any.
"""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from groundrules.errors import ConfigError, SourceError
from groundrules.terms import Outcome

_KINDS = ("str", "bool", "float", "int")
_CLIPPED = 60  # code points of a value that is told
_MAX_LINE = 64 * 1024 * 1024
#: Outcomes by the names that data sets give them.
_OUTCOMES = {
    **{outcome.value: outcome for outcome in Outcome},
    "entailment": Outcome.SUPPORTED,
    "supports": Outcome.SUPPORTED,
    "contradiction": Outcome.REFUTED,
    "refutes": Outcome.REFUTED,
    "notmentioned": Outcome.NOT_ENOUGH_INFO,
    "neutral": Outcome.NOT_ENOUGH_INFO,
    "nei": Outcome.NOT_ENOUGH_INFO,
    "not enough info": Outcome.NOT_ENOUGH_INFO,
}

T = TypeVar("T")
Progress = Callable[[Iterable[Any], int], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled row: `document` groups rows that share a source, `fields` are all its fields.

    Of a row with a claim `fields` has it as the one sentence of its `answer`. `label` says whether
    all of it is right.
    """

    document: str
    label: int
    fields: Mapping[str, Any]


def _is_text(text: str) -> str:
    if not text.strip() or any("\ud800" <= one <= "\udfff" for one in text):
        raise ValueError("expected a text without lone surrogates")
    return text


Text = Annotated[str, AfterValidator(_is_text)]


class _Said(BaseModel):
    """A sentence of an answer."""

    s: Text
    label: Literal[0, 1, True, False]
    error: Text | None = None
    span: Text | None = None
    abstraction: Text | None = None

    @model_validator(mode="after")
    def _is_within(self) -> _Said:
        if self.span and self.span not in self.s:
            raise ValueError("span has other words than its s")
        return self


class _Answer(BaseModel):
    """A source and the labelled sentences of an answer; a null `doc` has its text in `context`."""

    doc: Text = Field(validation_alias=AliasChoices("doc", "context"))
    answer: Annotated[list[_Said], Field(min_length=1)]
    genre: Text | None = None


def read_rows(path: str | Path) -> list[Row]:
    """Return the rows of a .jsonl or .jsonl.gz file; SourceError names the line that is wrong."""
    return read_each(path, _row)


def _row(data: Any, line: int) -> Row:
    """Return a row; ValueError where it is none."""
    if not isinstance(data, dict):
        raise ValueError("not an object; expected doc and claim with label, or doc and answer")
    given = {name: value for name, value in data.items() if value is not None}
    if "claim" in given:
        outcome = outcome_of(given.get("label3"))
        if outcome is not None:
            given.setdefault("label", int(outcome is Outcome.SUPPORTED))
        if "label" not in given:
            raise ValueError("label is missing; expected 0 or 1")
        error = given.get("error")
        given["answer"] = [
            {"s": given["claim"], "label": given["label"], "outcome": outcome,
             "error": error if isinstance(error, str) else None}
        ]  # fmt: skip
        given["genre"] = None
    fits(_Answer, given)
    names = ("doc_id", "doc", "context")
    document = next((given[name] for name in names if name in given), line)
    given.setdefault("doc", given.get("context"))
    return Row(str(document), int(all(item["label"] for item in given["answer"])), given)


def fits(model: type[T], data: Any) -> T:
    """Return data as a model has them; ValueError, which says where, for data that do not fit."""
    try:
        return TypeAdapter(model).validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        # of a union the place has the kind that was tried as well
        place = ".".join(
            str(one) for one in first["loc"] if one not in _KINDS and "[" not in str(one)
        )
        if first["type"] == "missing":
            raise ValueError(f"{place} is missing") from None
        said = json.dumps(first["input"], default=str)
        said = said if len(said) <= _CLIPPED else f"{said[: _CLIPPED - 1]}…"
        what = first["msg"].removeprefix("Value error, ").replace("Input should be", "expected")
        if first["type"] == "model_type":
            what = "expected an object"
        raise ValueError(f"{place or 'it'} is {said}; {what[:1].lower()}{what[1:]}") from None


def outcome_of(name: object) -> Outcome | None:
    """Return the outcome of a name, None where it names none."""
    return _OUTCOMES.get(name.casefold()) if isinstance(name, str) else None


def read_each(
    path: str | Path, row: Callable[[Any, int], T], *, may_be_empty: bool = False
) -> list[T]:
    """Return what is made of each line of JSON and its number, blank lines left out.

    SourceError names the line that is no JSON or of which ValueError was raised.
    """
    rows = []
    for number, line in _lines(path):
        if not line.strip():
            continue
        try:
            rows.append(row(json.loads(line), number))
        except (ValueError, RecursionError) as error:
            broken = isinstance(error, json.JSONDecodeError | RecursionError)
            what = f"not JSON: {error}; expected one object a line" if broken else str(error)
            raise SourceError(what, path=str(path), line=number) from None
    if not rows and not may_be_empty:
        raise SourceError("no rows; expected one JSON object a line", path=str(path))
    return rows


def _lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file, gzipped or not, with their numbers; SourceError else."""
    if Path(path).exists() and not Path(path).is_file():  # it is opened twice
        raise SourceError("is no regular file; expected JSON lines", path=str(path))
    try:
        with Path(path).open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        opener = gzip.open if packed else open
        with opener(path, "rt", encoding="utf-8") as lines:
            number = 0
            while line := lines.readline(_MAX_LINE):
                number += 1
                yield number, line
    except FileNotFoundError:
        raise SourceError("no such file", path=str(path)) from None
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"cannot be read: {error}", path=str(path)) from None
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8: {error.reason}", path=str(path)) from None


def sample(rows: list[Row], limit: int | None, seed: int) -> list[Row]:
    """Return about `limit` rows, whole documents at a time, in the order of the file.

    ConfigError for a limit below 1.
    """
    if limit is not None and limit < 1:
        raise ConfigError(f"the limit is {limit}; expected 1 row or more")
    if limit is None or limit >= len(rows):
        return rows
    documents = list(dict.fromkeys(row.document for row in rows))
    random.Random(seed).shuffle(documents)
    counts = Counter(row.document for row in rows)
    taken: set[str] = set()
    total = 0
    for document in documents:
        if total >= limit:
            break
        taken.add(document)
        total += counts[document]
    return [row for row in rows if row.document in taken]
