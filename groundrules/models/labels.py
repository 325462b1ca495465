"""Labelled passages: rows of JSON lines that say whether a premise supports a hypothesis.

    {"premise": "…", "type": "Governing law", "value": "New York", "label": 1, "doc_id": "lease"}

`context` may stand for `premise`, and `hypothesis` for type and value; `label` (1 supports, 0 does
not) and `doc_id` may be missing. Of rows on the same pair the last one counts: a label is taken
back by writing another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundrules.errors import SourceError
from groundrules.files import read_bounded
from groundrules.models.passage_scorer import hypothesis

_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """A pair, its label where it has one, and the document it is from ("" if unknown).

    `fields` are those of the file, as they are.
    """

    premise: str
    hypothesis: str
    label: int | None
    doc_id: str
    fields: Mapping[str, Any]

    @property
    def pair(self) -> tuple[str, str]:
        """What `score_support` takes."""
        return self.premise, self.hypothesis


def read_rows(path: Path) -> tuple[Row, ...]:
    """Return the rows of a file, one a pair, in the order in which the pairs first stand in it.

    Raises:
        SourceError: the file cannot be read, or a line is no row; with the line.
    """
    name = str(path)
    try:
        data = read_bounded(path, _MAX_BYTES)
        if len(data) > _MAX_BYTES:
            raise SourceError(f"larger than {_MAX_BYTES:,} bytes; split it", path=name)
        text = data.decode("utf-8")
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=name) from None
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 at byte {error.start}", path=name) from None
    rows: dict[tuple[str, str], Row] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                row = read_row(json.loads(line))
            except (ValueError, RecursionError) as error:
                what = "not JSON" if isinstance(error, json.JSONDecodeError) else str(error)
                raise SourceError(what, path=name, line=number) from None
            rows[row.pair] = row
    return tuple(rows.values())


def read_row(fields: object) -> Row:
    """Return a row from its fields; ValueError says what is wrong with them."""
    if not isinstance(fields, dict):
        raise ValueError("not an object; expected premise, type, value and perhaps label, doc_id")
    if any(isinstance(one, str) and _SURROGATE.search(one) for one in fields.values()):
        raise ValueError("a lone surrogate; expected Unicode text")
    premise = _text(fields, "premise" if "context" not in fields else "context")
    if "hypothesis" in fields:
        claim = _text(fields, "hypothesis")
    else:
        claim = hypothesis(_text(fields, "type"), _text(fields, "value"))
    label = fields.get("label")
    if label is not None and (not isinstance(label, int) or label not in (0, 1)):
        raise ValueError(f"label = {json.dumps(label)[:40]}; expected 1 (supports), 0 or null")
    doc = fields.get("doc_id", "")
    if not isinstance(doc, str | int):
        raise ValueError("doc_id is no string")
    return Row(premise, claim, None if label is None else int(label), str(doc), fields)


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and name == "value":
        return str(value)
    if not isinstance(value, str) or not value.strip():
        shown = "missing" if value is None else "no text"
        raise ValueError(f"{name!r} is {shown}; expected premise (or context), type and value")
    return value
