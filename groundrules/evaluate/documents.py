"""How well a check tells what is wrong in texts from what is right, on labelled rows.

The sentences of an answer are joined to the text that is checked: those that begin with "- " stand
on lines of their own, others after a blank. A claim is an answer of one sentence.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from groundrules.claims.document import from_text
from groundrules.config import Config
from groundrules.errors import ConfigError
from groundrules.evaluate.figures import Judged, intervals, judged, resampled
from groundrules.evaluate.rows import Progress, Row, read_rows, sample
from groundrules.explain.contrast import focus
from groundrules.models.metrics import scikit_learn
from groundrules.terms import Outcome, Report, Severity, Violation

Column = npt.NDArray[Any]

#: The kinds of error that a figure or a word of logic gives away.
FIGURES = ("number", "date", "unit", "negation", "quantifier", "comparison")
#: What is broken down: a field of the sentences or of the row.
FIELDS = ("error", "abstraction", "genre")
#: Outcomes, the worst first.
WORST = (
    Outcome.REFUTED,
    Outcome.CONFLICTING,
    Outcome.ERROR,
    Outcome.NOT_ENOUGH_INFO,
    Outcome.UNVERIFIABLE,
    Outcome.SUPPORTED,
)
_BULLET = "- "


@dataclass(frozen=True, slots=True)
class Finding:
    """An error or warning about a sentence; `start` and `end` are where it points in the text."""

    rule: str
    name: str
    severity: Severity
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A labelled sentence and what a check made of it.

    Of several statements in it `outcome` is the worst, "unverifiable" where the check
    took it for no statement, which `read` tells. `hit` says whether a finding points
    at the wrong words, None where they or a finding are missing. `expected` is the outcome that a
    row labelled three ways is to have.
    """

    text: str
    label: int
    document: str
    fields: Mapping[str, str]
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    read: bool = True
    hit: bool | None = None
    expected: Outcome | None = None

    @property
    def error(self) -> bool:
        """Whether a finding is an error."""
        return any(one.severity is Severity.ERROR for one in self.findings)


@dataclass(frozen=True, slots=True)
class Checked:
    """A row that was checked, and how long that took; `document` is the key of the source."""

    document: str
    sentences: tuple[Sentence, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Part:
    """The figures of some of the statements; shares are None where there is nothing to share.

    `wrong_error` and `true_error` are the shares of the wrong and true statements with an error,
    `wrong_any` and `true_any` those with an error or a warning, `wrong_supported` and
    `true_supported` those that passed as supported. `precision_error` is the share of wrong ones
    among those with an error, `figures_caught` the share with an error among the wrong ones of the
    kinds `FIGURES`, `span_hit` the share in which a finding overlaps the wrong words, of the wrong
    ones with a finding.
    """

    statements: int
    wrong: int
    wrong_error: float | None
    wrong_any: float | None
    true_error: float | None
    true_any: float | None
    precision_error: float | None
    figures_caught: float | None
    span_hit: float | None
    wrong_supported: float | None
    true_supported: float | None


@dataclass(frozen=True, slots=True)
class Accused:
    """How many statements a rule gave an error or a warning; `precision` is the wrong share."""

    name: str
    wrong: int
    true: int
    precision: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentEvaluation(Part):
    """The figures of a file.

    `not_read` statements the check took for none. `ci` are 95 % bootstrap intervals over
    documents. In `by` a value that only sentences of one label have, such as a kind of error, is
    set against those of the other label without one. `three_way` is of what is labelled so.
    """

    documents: int
    not_read: int
    outcomes: Mapping[str, Mapping[str, int]]
    ci: Mapping[str, tuple[float, float]]
    by: Mapping[str, Mapping[str, Part]]
    by_rule: Mapping[str, Accused]
    three_way: Judged | None
    seconds_per_row: float


def evaluate(
    path: str | Path,
    *,
    config: Config | None = None,
    by: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> DocumentEvaluation:
    """Check every claim and answer of a .jsonl or .jsonl.gz file against its document.

    `by` is a field of the rows by which figures are broken down too. `limit` takes that many rows
    at random (by `seed`), all of a document together.

    Raises:
        SourceError: the file cannot be read, or a row lacks what it needs (file:line).
        ConfigError: an unknown field, a limit below 1, or the extra [sklearn] is missing.
    """
    scikit_learn("metrics")  # before the long work
    chosen = config or Config()
    rows = sample(read_rows(path), limit, seed)
    if by is not None and not any(by in row.fields for row in rows):
        known = sorted({name for row in rows for name in row.fields})
        raise ConfigError(f"no row has the field {by!r}; expected one of {', '.join(known)}")
    every: Iterable[Row] = progress(rows, len(rows)) if progress else rows
    checked = [check_row(row, chosen, (*FIELDS, by) if by else FIELDS) for row in every]
    return summarize(checked, seed=seed)


def join(sentences: Iterable[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the text that the sentences make, and where each of them stands in it."""
    text = ""
    places = []
    bullet = False
    for sentence in sentences:
        before, bullet = bullet, sentence.startswith(_BULLET)
        if text:
            text += "\n" if before or bullet else " "
        places.append((len(text), len(text) + len(sentence)))
        text += sentence
    return text, tuple(places)


# --- a row ------------------------------------------------------------------------------------


def check_row(row: Row, config: Config, fields: Sequence[str] = FIELDS) -> Checked:
    """Return what a check finds in each sentence of an answer, with some fields of these."""
    from groundrules import api

    answer: Sequence[Mapping[str, Any]] = row.fields["answer"]
    text, places = join(item["s"] for item in answer)
    began = time.perf_counter()
    report = api.check(
        from_text(text, "answer"),
        context=[from_text(row.fields["doc"], "doc")],
        config=config,
        verify=False,
    )
    seconds = time.perf_counter() - began
    findings: list[list[Finding]] = [[] for _ in places]
    for violation in report.violations:
        found = _finding(violation)
        if found is not None:
            for number in _owners(violation, found, places):
                findings[number].append(found)
    sentences = []
    for item, place, own in zip(answer, places, findings, strict=True):
        told = {name: _shown(item.get(name) or row.fields.get(name)) for name in fields}
        sentences.append(_sentence(item, place, report, dict.fromkeys(own), row.document, told))
    return Checked(row.document, tuple(sentences), seconds)


def _shown(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _finding(violation: Violation) -> Finding | None:
    """Return an error or warning about a place in the text, None for all else."""
    claim = violation.claim
    if claim is None or violation.severity is Severity.INFO:
        return None
    span = focus(violation) or claim.span
    return Finding(violation.rule, violation.name, violation.severity, span.start, span.end)


def _owners(
    violation: Violation, found: Finding, places: Sequence[tuple[int, int]]
) -> Sequence[int]:
    """Return which sentences a finding is about: those of its claim, if several where it points."""
    assert violation.claim is not None
    span = violation.claim.span
    about = [n for n, place in enumerate(places) if overlaps((span.start, span.end), place)]
    exactly = [n for n in about if overlaps((found.start, found.end), places[n])]
    return (exactly or about) if len(about) > 1 else about


def overlaps(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two ranges have a place in common."""
    return one[0] < other[1] and other[0] < one[1]


def _sentence(
    item: Mapping[str, Any],
    place: tuple[int, int],
    report: Report,
    findings: Collection[Finding],
    document: str,
    fields: Mapping[str, str],
) -> Sentence:
    own = [one for one in report.statements if overlaps((one.span.start, one.span.end), place)]
    outcomes = {one.outcome for one in own} or {Outcome.UNVERIFIABLE}
    hit = None
    if item.get("span") and findings:
        spans = [
            (place[0] + match.start(), place[0] + match.end())
            for match in re.finditer(re.escape(item["span"]), item["s"])
        ]
        hit = any(overlaps((one.start, one.end), span) for one in findings for span in spans)
    return Sentence(
        text=item["s"],
        label=int(item["label"]),
        document=document,
        fields=fields,
        outcome=min(outcomes, key=WORST.index),
        findings=tuple(findings),
        read=bool(own),
        hit=hit,
        expected=item.get("outcome"),
    )


# --- figures ----------------------------------------------------------------------------------


def summarize(checked: Sequence[Checked], *, seed: int = 0) -> DocumentEvaluation:
    """Return the figures of rows that were checked."""
    sentences = [one for row in checked for one in row.sentences]
    columns = _columns(sentences)
    labels = columns["label"]
    pairs = [(one.expected, one.outcome) for one in sentences if one.expected]
    return DocumentEvaluation(
        documents=len({row.document for row in checked}),
        statements=len(sentences),
        wrong=int((labels == 0).sum()),
        **_shares(columns),
        not_read=sum(not one.read for one in sentences),
        outcomes={
            name: _outcomes(one for one in sentences if one.label == label)
            for name, label in (("true", 1), ("wrong", 0))
        },
        ci=_intervals(sentences, columns, seed),
        by={name: _by(sentences, name) for name in sentences[0].fields},
        by_rule=_by_rule(sentences),
        three_way=judged(pairs) if pairs else None,
        seconds_per_row=sum(row.seconds for row in checked) / len(checked),
    )


def _columns(sentences: Sequence[Sentence]) -> dict[str, Column]:
    """Return what the shares are taken of, an array each."""
    flags = {
        "error": [one.error for one in sentences],
        "any": [bool(one.findings) for one in sentences],
        "supported": [one.outcome is Outcome.SUPPORTED for one in sentences],
        "figure": [one.fields["error"] in FIGURES for one in sentences],
        "pointed": [one.hit is not None for one in sentences],
        "hit": [bool(one.hit) for one in sentences],
    }
    return {
        **{name: np.array(values, bool) for name, values in flags.items()},
        "label": np.array([one.label for one in sentences], int),
    }


def _shares(columns: Mapping[str, Column]) -> dict[str, float | None]:
    wrong = columns["label"] == 0
    true = ~wrong
    error, accused, supported = columns["error"], columns["any"], columns["supported"]
    return {
        "wrong_error": _share(error, wrong),
        "wrong_any": _share(accused, wrong),
        "true_error": _share(error, true),
        "true_any": _share(accused, true),
        "precision_error": _share(wrong, error),
        "figures_caught": _share(error, wrong & columns["figure"]),
        "span_hit": _share(columns["hit"], wrong & columns["pointed"]),
        "wrong_supported": _share(supported, wrong),
        "true_supported": _share(supported, true),
    }


def _share(those: Column, among: Column) -> float | None:
    return float(those[among].mean()) if among.any() else None


def _outcomes(sentences: Iterable[Sentence]) -> dict[str, int]:
    counts = Counter(one.outcome for one in sentences)
    return {str(outcome): counts[outcome] for outcome in Outcome if counts[outcome]}


def _intervals(
    sentences: Sequence[Sentence], columns: Mapping[str, Column], seed: int
) -> dict[str, tuple[float, float]]:
    """Return the intervals of the shares, from draws of as many documents; none for one document.

    A draw in which a share is undefined does not count for it.
    """
    draws: dict[str, list[float]] = defaultdict(list)
    for rows in resampled([one.document for one in sentences], seed):
        for name, value in _shares({key: column[rows] for key, column in columns.items()}).items():
            if value is not None:
                draws[name].append(value)
    return intervals(draws)


def _by(sentences: Sequence[Sentence], name: str) -> dict[str, Part]:
    """Return the figures by value of a field."""
    out = {}
    for value in sorted({one.fields[name] for one in sentences} - {""}):
        own = [one for one in sentences if one.fields[name] == value]
        if len(labels := {one.label for one in own}) == 1:
            own += [one for one in sentences if not one.fields[name] and one.label not in labels]
        columns = _columns(own)
        out[value] = Part(len(own), int((columns["label"] == 0).sum()), **_shares(columns))
    return out


def _by_rule(sentences: Iterable[Sentence]) -> dict[str, Accused]:
    counts: Counter[tuple[str, str, int]] = Counter()
    for one in sentences:
        counts.update({(found.rule, found.name, one.label) for found in one.findings})
    out = {}
    for rule, name in sorted({key[:2] for key in counts}):
        wrong, true = counts[rule, name, 0], counts[rule, name, 1]
        out[rule] = Accused(name, wrong, true, wrong / (wrong + true))
    return out
