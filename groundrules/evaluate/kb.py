"""How good the verdicts of a knowledge base are on labelled rows.

A row has `label` (1 true, 0 false, or one of the outcomes by name, as "supported" or
"not_enough_info", with others that are right too in `also`) and `text` (or `claim`, or
`text_generic` where there is none). Rows with one `doc_id` are the sentences of one text and read
together, so that "he" is who the sentence before names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from groundrules.checks.judge import Rules
from groundrules.checks.kb import Answered, Asked, Opened, ask_source, decide, open_sources
from groundrules.claims.document import from_text
from groundrules.claims.offline import extract
from groundrules.claims.resolve import resolve
from groundrules.config import Config
from groundrules.errors import ConfigError
from groundrules.evaluate.documents import WORST
from groundrules.evaluate.figures import Judged, judged
from groundrules.evaluate.rows import Progress, Row, outcome_of, read_each, sample
from groundrules.models.metrics import scikit_learn
from groundrules.rules.packs import load_packs
from groundrules.rules.rule import Rule
from groundrules.terms import SOURCE, Claim, Outcome, Ruling

_BATCH = 200
_TEXT = SOURCE["row"]

#: A row, its outcome, and the rule that gave it.
Judgement = tuple[Row, Outcome, str]


@dataclass(frozen=True, slots=True)
class KbEvaluation:
    """The figures of a file, and by a field of the rows; `reasons` counts outcomes by rule."""

    source: str
    whole: Judged
    by: Mapping[str, Judged]
    reasons: Mapping[str, int]
    calls: Mapping[str, int]


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
    """Judge the rows of a JSON Lines file by the one knowledge base of the configuration.

    ConfigError where there is not one knowledge base or the extra [sklearn] is missing,
    SourceError for a bad row.
    """
    scikit_learn("metrics")  # before the long work
    if len(config.kb) != 1:
        raise ConfigError(f"eval takes one knowledge base, not {len(config.kb)}")
    rows = sample(read_each(path, _row), limit, seed)
    (source,) = open_sources(config, now)
    rules = [
        rule
        for pack in load_packs(config.packs_in_force, config.base)
        for rule in pack.rules
        if rule.verdict is not None
    ]
    found = list(_judge(rows, source, rules, config, now, progress))
    groups: dict[str, list[Judgement]] = {}
    for one in found if by else ():
        groups.setdefault(str(one[0].fields.get(by or "")), []).append(one)
    calls = source.connection.source.calls
    return KbEvaluation(
        source.connection.source.name,
        _judged(found),
        {value: _judged(own) for value, own in sorted(groups.items())},
        dict(Counter(f"{outcome.value} {rule}" for _, outcome, rule in found).most_common()),
        {"requests": calls.requests, "cached": calls.cached, "bytes": calls.sent + calls.received},
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


def _judge(
    rows: Sequence[Row],
    source: Opened,
    rules: Sequence[Rule],
    config: Config,
    now: datetime,
    progress: Progress,
) -> Iterator[Judgement]:
    """Yield each row with its outcome and the rule that gave it."""
    batch: list[tuple[Row, Answered]] = []
    texts = _texts(rows)
    for number, together in enumerate(progress(texts, len(texts))):
        batch += _read_together(together, number, source, config, now)
        if len(batch) >= _BATCH:
            yield from _decided(batch, rules, config)
            batch = []
    yield from _decided(batch, rules, config)


def _texts(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows that are sentences of one text together."""
    texts: dict[object, list[Row]] = {}
    for number, row in enumerate(rows):
        texts.setdefault(row.fields.get("doc_id", number), []).append(row)
    return list(texts.values())


def _read_together(
    rows: Sequence[Row], number: int, source: Opened, config: Config, now: datetime
) -> Iterator[tuple[Row, Answered]]:
    """Yield what was answered to each of the rows of one text."""
    texts = [_text(row.fields) for row in rows]
    document = from_text(" ".join(texts), f"text{number}")
    (extraction,) = resolve([extract(document, model=config.model)])
    found = ask_source(extraction, extraction.claims, source, config, now)
    start = 0
    for row, text in zip(rows, texts, strict=True):
        end = start + len(text)
        claims = tuple(c for c in found.claims if start <= _place(c) < end)
        ids = {claim.id for claim in claims}
        questions = tuple(q for q in found.questions if q.reading.reads in ids)
        yield row, replace(found, claims=claims, questions=questions)
        start = end + 1


def _place(claim: Claim) -> int:
    return (claim.parts[2] or claim.span).start


def _decided(
    batch: Sequence[tuple[Row, Answered]], rules: Sequence[Rule], config: Config
) -> Iterator[Judgement]:
    if not batch:
        return
    asked = Asked(
        [question for _, found in batch for question in found.questions],
        frozenset(pair for _, found in batch for pair in found.within),
        _TEXT,
        claims=[claim for _, found in batch for claim in found.claims],
    )
    decision = decide(asked, Rules(tuple(rules), config.rules), edits=False)
    for row, found in batch:
        rulings = [ruling for claim in found.claims if (ruling := decision.of(claim.id))]
        yield row, *_whole(rulings)


def _whole(rulings: Sequence[Ruling]) -> tuple[Outcome, str]:
    """Return the outcome of a text and the rule that gave it.

    It is refuted where one of its claims is, and supported only where all are.
    """
    worst = min(rulings, key=lambda one: WORST.index(one.outcome), default=None)
    return (worst.outcome, worst.rule) if worst else (Outcome.UNVERIFIABLE, "no claim")


def _judged(found: Sequence[Judgement]) -> Judged:
    """Return the figures of rows; an outcome that is right `also` counts as the label."""
    return judged(
        [
            (outcome if outcome in row.fields["also"] else row.fields["label"], outcome)
            for row, outcome, _ in found
        ]
    )
