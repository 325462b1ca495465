"""Models that extract, ranked by the share of their values that are safe.

SafePassage (arXiv 2510.00276, figure 5) compares extraction models so, without labels: the share of
the extracted values whose passage is in the document and supports them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Interval
from pydantic import BaseModel, FiniteFloat

from groundrules.checks.values import check_record
from groundrules.claims.documents.document import Document, from_text, read
from groundrules.claims.evidence.fields import Field, Quote
from groundrules.config import Config
from groundrules.errors import SourceError
from groundrules.evaluate.figures import intervals, resampled
from groundrules.evaluate.rows import Text, fits, read_each
from groundrules.terms import Outcome

if TYPE_CHECKING:
    from groundrules.llm.client import Client

_NAMED = "model, document (a path) or doc (the text), type, value and context"


@dataclass(frozen=True, slots=True)
class Extracted:
    """A value that a model extracted; `document` is the key of its text.

    `human` is whether a person called it safe, from 0 to 1, where one did.
    """

    model: str
    document: str
    type: str
    value: str | int | float | bool
    context: str
    human: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """How many of the values of a model are safe, and which rules the others break.

    `low` and `high` bound the share, 95 % by bootstrap over documents; None where it has only one.
    `changed` is the share of its passages found that it did not copy word for word, `human` the
    mean of what people said of its values, None where nobody said anything.
    """

    model: str
    documents: int
    values: int
    safe: int
    score: float
    low: float | None
    high: float | None
    broken: tuple[tuple[str, int], ...]
    changed: float | None = None
    human: float | None = None


def read_runs(paths: Iterable[Path]) -> tuple[list[Extracted], dict[str, Document]]:
    """Return the rows of .jsonl or .jsonl.gz files, and the documents that they are of.

    A `document` is a path relative to the file of the row. SourceError with file and line.
    """
    rows: list[Extracted] = []
    documents: dict[str, Document] = {}
    for path in paths:

        def row(data: Any, _: int, folder: Path = path.parent) -> Extracted:
            found, document = _row(data, folder, documents)
            documents[found.document] = document
            return found

        rows += read_each(path, row, may_be_empty=True)
    if not rows:
        raise SourceError(f"no rows; expected one JSON object a line with {_NAMED}")
    return rows, documents


class _Row(BaseModel):
    """A value that was extracted, and its document: the text or a path."""

    model: Text
    type: Text
    value: Text | bool | FiniteFloat | int
    context: Text | Literal[""] | None = None
    human: Annotated[float, Interval(ge=0, le=1)] | None = None
    doc: Text | None = None
    document: Text | None = None
    doc_id: object = None


def _row(data: Any, folder: Path, known: dict[str, Document]) -> tuple[Extracted, Document]:
    row = fits(_Row, data)
    if row.doc:
        key = row.document or str(row.doc_id or row.doc[:40])
        if key in known and known[key].text != row.doc:
            key = f"{key}#{len(known)}"
        document = known.get(key) or from_text(row.doc, key)
    elif row.document:
        key = str(folder / row.document)
        # "-" is a file here, not stdin
        given = (folder / row.document).absolute() if row.document == "-" else key
        document = known.get(key) or read(given)
    else:
        raise ValueError(f"no document; expected {_NAMED}")
    value = data["value"]  # as it was written
    return Extracted(row.model, key, row.type, value, row.context or "", row.human), document


def score_models(
    rows: Sequence[Extracted],
    documents: dict[str, Document],
    config: Config,
    *,
    client: Client | None = None,
    progress: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> tuple[Score, ...]:
    """Return the score of each model, the best first; values not scored count as not safe.

    Raises:
        ConfigError, RuleError, ModelError: as for `extraction.check_record`.
    """
    by_document: dict[str, list[Extracted]] = defaultdict(list)
    for row in rows:
        by_document[row.document].append(row)
    safe: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    broken: dict[str, Counter[str]] = defaultdict(Counter)
    copied: dict[str, list[bool]] = defaultdict(list)
    for key in progress(sorted(by_document)):
        document, found = documents[key], by_document[key]
        whole = (0, len(document.text))
        fields = [
            Field(
                ("values", place), row.type, row.value,
                (Quote(row.context, document.name, whole),) if row.context else (),
                worded=isinstance(row.value, bool),
            )
            for place, row in enumerate(found)
        ]  # fmt: skip
        record = check_record(fields, [document], config, name="values", client=client)
        for row, verdict, fault in zip(found, record.report.verdicts, record.copied, strict=True):
            if fault is not None:
                copied[row.model].append(bool(fault))
            supported = verdict.outcome is Outcome.SUPPORTED
            safe[row.model][key].append(supported)
            if not supported:
                broken[row.model][verdict.reason] += 1
    told: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.human is not None:
            told[row.model].append(row.human)
    scores = (
        replace(
            _score(model, list(found.values()), broken[model]),
            changed=_mean(copied[model]),
            human=_mean(told[model]),
        )
        for model, found in safe.items()
    )
    return tuple(sorted(scores, key=lambda score: (-score.score, score.model)))


def _score(model: str, found: Sequence[list[bool]], broken: Counter[str]) -> Score:
    values, safe = sum(map(len, found)), sum(map(sum, found))
    owners, each = zip(*((str(n), o) for n, own in enumerate(found) for o in own), strict=True)
    shares = [sum(each[place] for place in drawn) / len(drawn) for drawn in resampled(owners, 0)]
    low, high = intervals({"": shares}).get("", (None, None))
    told = tuple(sorted(broken.items()))
    return Score(model, len(found), values, safe, safe / values, low, high, told)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
