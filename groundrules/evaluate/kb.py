"""How good the verdicts of a knowledge base are on labelled rows.

A row has `label` (1 true, 0 false, or one of the outcomes by name, as "supported" or
"not_enough_info", with others that are right too in `also`) and `text` (or `claim`, or
`text_generic` where there is none). Rows with one `doc_id` are the sentences of one text and read
together, so that "he" is who the sentence before names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from groundrules import api
from groundrules.claims.documents.document import from_text
from groundrules.config import Config
from groundrules.errors import ConfigError
from groundrules.evaluate.documents import WORST, join, overlaps
from groundrules.evaluate.figures import Judged, judged
from groundrules.evaluate.rows import Progress, Row, outcome_of, read_each, sample
from groundrules.models.metrics import scikit_learn
from groundrules.terms import Outcome

#: A row, its outcome, and the rule that gave it.
Judgement = tuple[Row, Outcome, str]


@dataclass(frozen=True, slots=True)
class KbEvaluation:
    """The figures of a file, and by a field of the rows; `reasons` counts outcomes by rule."""

    source: str
    whole: Judged
    by: Mapping[str, Judged]
    reasons: Mapping[str, int]


def evaluate(
    path: str | Path,
    *,
    config: Config,
    now: datetime,
    by: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress = lambda rows, _: rows,
) -> KbEvaluation:
    """Check the rows of a JSON Lines file by the one knowledge base of the configuration.

    ConfigError where there is not one knowledge base or the extra [sklearn] is missing,
    SourceError for a bad row.
    """
    scikit_learn("metrics")  # before the long work
    if len(config.kb) != 1:
        raise ConfigError(f"eval takes one knowledge base, not {len(config.kb)}")
    texts: dict[object, list[Row]] = {}
    for number, row in enumerate(sample(read_each(path, _row), limit, seed)):
        texts.setdefault(row.fields.get("doc_id", number), []).append(row)
    each = progress(list(texts.values()), len(texts))
    found = [one for rows in each for one in _judge(rows, config, now)]
    groups: dict[str, list[Judgement]] = {}
    for one in found if by else ():
        groups.setdefault(str(one[0].fields.get(by or "")), []).append(one)
    return KbEvaluation(
        config.kb[0],
        _judged(found),
        {value: _judged(own) for value, own in sorted(groups.items())},
        dict(Counter(f"{outcome.value} {rule}" for _, outcome, rule in found).most_common()),
    )


def _row(data: Any, number: int) -> Row:
    """Return a row; ValueError where it is none."""
    label = _label(data.get("label")) if isinstance(data, dict) else None
    also = data.get("also", []) if label else []
    if not label or not isinstance(also, list) or not all(map(_label, also)):
        expected = ", ".join(outcome.value for outcome in Outcome)
        raise ValueError(f"a row has label 0 or 1, or {expected}; so those in `also`")
    if not isinstance(_text(data), str):
        raise ValueError("a row has text or claim")
    fields = {**data, "label": label, "also": [_label(one) for one in also]}
    return Row(str(data.get("id", number)), int(label is Outcome.SUPPORTED), fields)


def _label(value: object) -> Outcome | None:
    """Return the outcome that a label names, None for none: 1 is supported and 0 refuted."""
    if isinstance(value, int | float) and value in (0, 1):
        return Outcome.SUPPORTED if value else Outcome.REFUTED
    return outcome_of(value)


def _text(fields: Mapping[str, Any]) -> Any:
    return fields.get("text") or fields.get("claim") or fields.get("text_generic")


def _judge(rows: Sequence[Row], config: Config, now: datetime) -> Iterator[Judgement]:
    """Yield the rows of one text, each with the worst outcome in it and the rule that gave it."""
    text, places = join(_text(row.fields) for row in rows)
    report = api.check(from_text(text, "text"), config=config, now=now, verify=False)
    for row, place in zip(rows, places, strict=True):
        own = [one for one in report.statements if overlaps((one.span.start, one.span.end), place)]
        worst = min(own, key=lambda one: WORST.index(one.outcome), default=None)
        yield row, *((worst.outcome, worst.reason) if worst else (Outcome.UNVERIFIABLE, "unread"))


def _judged(found: Sequence[Judgement]) -> Judged:
    """Return the figures of rows; an outcome that is right `also` counts as the label."""
    return judged(
        [
            (outcome if outcome in row.fields["also"] else row.fields["label"], outcome)
            for row, outcome, _ in found
        ]
    )
