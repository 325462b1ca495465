"""How well a check tells the wrong sentences of an answer from the right ones.

A row has `doc`, the source, and `answer`, a list of sentences: objects with `s`, the words, and
`label` (1 right, 0 wrong); where they are known also with `error`, the kind of the fault, `span`,
the wrong words, and `abstraction`, how far the wording is from that of the source. The row may have
`genre`, and `doc_id` where several rows share a source. The sentences are joined to the text that
is checked: those that begin with "- " stand on lines of their own, others after a blank.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules.checks.verdicts import category
from groundrules.claims.document import from_text
from groundrules.config import Config
from groundrules.errors import ConfigError, SourceError
from groundrules.evaluate.rows import (
    CALIBRATION_ROWS,
    Row,
    fit_calibration,
    intervals,
    read_each,
    read_lines,
    resampled,
    sample,
    write_calibration,
)
from groundrules.explain.contrast import focus
from groundrules.models.calibration import read_calibration
from groundrules.models.metrics import auc, scikit_learn
from groundrules.terms import Outcome, Report, Severity, Statement, Violation

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Column = npt.NDArray[Any]
    Floats = npt.NDArray[np.float64]

#: The kinds of error that a figure or a word of logic gives away.
FIGURES = ("number", "date", "unit", "negation", "quantifier", "comparison")
#: What is broken down: a field of the sentences or of the row.
FIELDS = ("error", "abstraction", "genre")
#: Outcomes and categories, the worst first.
WORST = (
    Outcome.REFUTED,
    Outcome.CONFLICTING,
    Outcome.ERROR,
    Outcome.NOT_ENOUGH_INFO,
    Outcome.UNVERIFIABLE,
    Outcome.SUPPORTED,
)
CATEGORIES = ("refuted", "doubted", "unsettled", "unverifiable", "supported")
_UNREAD = (Outcome.UNVERIFIABLE, Outcome.ERROR)
_BULLET = "- "
_BINS = 10
#: The score of a sentence of which nothing is known.
_EVEN = 0.5
#: The fields of a row that is labelled as a whole, which is none of these.
_WHOLE = ("claim", "claim_graph", "text")
_EXPECTED = "expected doc and answer, a list of objects with s and label"
_SURROGATE = re.compile("[\ud800-\udfff]")

Progress = Callable[[Iterable[Any], int], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Finding:
    """An error or warning about a sentence; `start` and `end` are where it points in the text.

    `statement` is the number of its statement, None where it is in none.
    """

    rule: str
    name: str
    severity: Severity
    start: int
    end: int
    statement: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A labelled sentence and what a check made of it.

    Of several statements in it `outcome` and `category` are the worst and `support` is the least;
    None and "unverifiable" where the check took it for no statement, which `read` tells. `exact`:
    the source has its words, so that its support is no score. `hit` says whether a finding points
    at the wrong words, None where they or a finding are missing.
    """

    text: str
    label: int
    document: str
    fields: Mapping[str, str]
    outcome: Outcome
    category: str
    support: float | None
    findings: tuple[Finding, ...] = ()
    read: bool = True
    exact: bool = False
    hit: bool | None = None

    @property
    def error(self) -> bool:
        """Whether a finding is an error."""
        return any(one.severity is Severity.ERROR for one in self.findings)

    @property
    def shown(self) -> int:
        """How many findings the format `text` shows: the others of a statement are folded away."""
        within = {one.statement for one in self.findings} - {None}
        return len(within) + sum(one.statement is None for one in self.findings)


@dataclass(frozen=True, slots=True)
class Checked:
    """A row that was checked, the probability that all of it is right, and what that took.

    `document` is the key of the source, whose text is `source`.
    """

    document: str
    source: str
    sentences: tuple[Sentence, ...]
    probability: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Part:
    """The figures of some of the statements; see `DocumentEvaluation`."""

    statements: int
    wrong: int
    wrong_error: float | None
    wrong_any: float | None
    wrong_supported: float | None
    true_error: float | None
    true_any: float | None
    precision_error: float | None
    auc: float | None


@dataclass(frozen=True, slots=True)
class Accused:
    """How many statements a rule gave an error or a warning; `precision` is the wrong share."""

    name: str
    wrong: int
    true: int
    precision: float


@dataclass(frozen=True, slots=True)
class Baseline:
    """How well a trivial score ranks true statements above wrong ones."""

    auc: float | None


@dataclass(frozen=True, slots=True)
class Probabilities:
    """The mean probability of the texts that are right throughout, and of the others."""

    right: float | None
    right_texts: int
    others: float | None
    other_texts: int


@dataclass(frozen=True, slots=True)
class DocumentEvaluation:
    """The figures of a file; shares are None where there is nothing to take a share of.

    `wrong_error` and `true_error` are the shares of the wrong and true statements with an error,
    `wrong_any` and `true_any` those with an error or a warning, `wrong_supported` and
    `true_supported` those that passed as supported. `precision_error` is the share of wrong ones
    among those with an error, `figures_caught` the share with an error among the wrong ones of the
    kinds `FIGURES`, `span_hit` the share in which a finding overlaps the wrong words, of the wrong
    ones with a finding. `auc` ranks by support, 0.5 where there is none.

    `findings_per_faulty_statement` counts what the format `text` shows of the errors and warnings
    of a statement that has any, `violations_per_faulty_statement` all of them, one for each rule
    and place: a labelled statement that the check cuts in two may be shown twice.
    `calibration_error` (in ten bins of equal width) and `brier` are of support as the probability
    of being true. `not_read` statements the check took for none. `ci` are 95 % bootstrap intervals
    over documents. Of `by`, a kind of error is set against all true statements.
    """

    documents: int
    statements: int
    wrong: int
    wrong_error: float | None
    wrong_any: float | None
    true_error: float | None
    true_any: float | None
    precision_error: float | None
    auc: float | None
    figures_caught: float | None
    span_hit: float | None
    wrong_supported: float | None
    true_supported: float | None
    findings_per_faulty_statement: float | None
    violations_per_faulty_statement: float | None
    not_read: int
    outcomes: Mapping[str, Mapping[str, int]]
    calibration_error: float | None
    brier: float | None
    probability: Probabilities
    ci: Mapping[str, tuple[float, float]]
    by: Mapping[str, Mapping[str, Part]]
    by_rule: Mapping[str, Accused]
    baselines: Mapping[str, Baseline]
    seconds_per_row: float


def evaluate(
    path: str | Path,
    *,
    config: Config | None = None,
    limit: int | None = None,
    seed: int = 0,
    calibrate: str | Path | None = None,
    calibration: str | Path | None = None,
    progress: Progress | None = None,
) -> DocumentEvaluation:
    """Check every answer of a .jsonl or .jsonl.gz file against its document.

    `limit` takes that many rows at random (by `seed`), all of a document together. `calibrate` fits
    a calibration on the support of the statements and writes it, for the setting `calibration`;
    `calibration` applies one.

    Raises:
        SourceError: the file cannot be read, or a row lacks what it needs (file:line).
        ConfigError: too few statements to calibrate, a bad calibration, or the extra [sklearn] is
            missing.
    """
    scikit_learn("metrics")  # before the long work
    chosen = config or Config()
    rows = sample(read_rows(path), limit, seed)
    if calibration:
        read_calibration(calibration)  # a bad one is told before the long work
        chosen = replace(chosen, calibration=str(Path(calibration).absolute()))
    if calibrate:
        chosen = replace(chosen, calibration="")
        count = sum(len(row.fields["answer"]) for row in rows)
        if count < CALIBRATION_ROWS:
            raise ConfigError(
                f"{count} statements; expected at least {CALIBRATION_ROWS} to calibrate"
            )
    every: Iterable[Row] = progress(rows, len(rows)) if progress else rows
    checked = [check_row(row, chosen) for row in every]
    if calibrate:
        _calibrate(calibrate, checked)
    return summarize(checked, seed=seed)


# --- rows -------------------------------------------------------------------------------------


def has_answers(path: str | Path) -> bool:
    """Return whether the rows of a file are answers, as the first one is; False if it is no row.

    SourceError, with file and line, where rows of both kinds are mixed.
    """
    first: bool | None = None
    for number, line in read_lines(path):
        if not line.strip() or (first is False and '"answer"' not in line):
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            if first is None:
                return False
            continue
        answers = "answer" in data and not any(name in data for name in _WHOLE)
        if first is None:
            first = answers
        elif answers is not first:
            kinds = ("a claim", "an answer")
            raise SourceError(
                f"a row with {kinds[answers]} after rows with {kinds[first]}; expected rows of one "
                "kind in a file",
                path=str(path),
                line=number,
            )
    return bool(first)


def read_rows(path: str | Path) -> list[Row]:
    """Return the rows of a file; SourceError names the line that is wrong."""
    return read_each(path, _row)


def _row(data: Any, _: int) -> Row:
    """Return a row, whose label says whether all of the answer is right; ValueError for none."""
    if not isinstance(data, dict):
        raise ValueError(f"not an object; {_EXPECTED}")
    _text_of(data, "doc", "doc", f"; {_EXPECTED}")
    answer = data.get("answer")
    if not isinstance(answer, list) or not answer:
        raise ValueError(f"answer is {_shown(answer)}; {_EXPECTED}")
    for number, item in enumerate(answer):
        place = f"answer[{number}]"
        if not isinstance(item, dict):
            raise ValueError(f"{place} is {_shown(item)}; expected an object with s and label")
        said = _text_of(item, "s", f"{place}.s")
        if item.get("label") not in (0, 1):
            raise ValueError(f"{place}.label is {_shown(item.get('label'))}; expected 0 or 1")
        for name in ("error", "span", "abstraction"):
            if item.get(name) is not None:
                _text_of(item, name, f"{place}.{name}")
        if item.get("span") and item["span"] not in said:
            raise ValueError(f"{place}.span is {_shown(item['span'])}; expected words of its s")
    if data.get("genre") is not None:
        _text_of(data, "genre", "genre")
    document = data["doc"] if data.get("doc_id") is None else data["doc_id"]
    return Row(str(document), int(all(item["label"] for item in answer)), data)


def _text_of(data: Mapping[str, Any], name: str, place: str, expected: str = "") -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{place} is {_shown(value)}{expected or '; expected a text'}")
    if surrogate := _SURROGATE.search(value):
        raise ValueError(
            f"{place} has a lone surrogate U+{ord(surrogate[0]):04X}; expected Unicode text"
        )
    return value


def _shown(value: Any) -> str:
    if value is None:
        return "missing"
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:59] + "…"


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


def check_row(row: Row, config: Config) -> Checked:
    """Return what a check finds in each sentence of an answer."""
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
    numbers = {one.number for one in report.statements}
    findings: list[list[Finding]] = [[] for _ in places]
    for violation in report.violations:
        found = _finding(violation, numbers)
        if found is not None:
            for number in _owners(violation, found, places):
                findings[number].append(found)
    genre = row.fields.get("genre") or ""
    sentences = (
        _sentence(item, place, report, dict.fromkeys(own), row.document, genre)
        for item, place, own in zip(answer, places, findings, strict=True)
    )
    return Checked(row.document, row.fields["doc"], tuple(sentences), report.probability, seconds)


def _finding(violation: Violation, numbers: Collection[int]) -> Finding | None:
    """Return an error or warning about a place in the text, None for all else."""
    claim = violation.claim
    if claim is None or violation.severity is Severity.INFO:
        return None
    span = focus(violation) or claim.span
    statement = claim.sentence if claim.sentence in numbers else None
    return Finding(
        violation.rule, violation.name, violation.severity, span.start, span.end, statement
    )


def _owners(
    violation: Violation, found: Finding, places: Sequence[tuple[int, int]]
) -> Sequence[int]:
    """Return which sentences a finding is about: those of its claim, if several where it points."""
    assert violation.claim is not None
    span = violation.claim.span
    about = [n for n, place in enumerate(places) if _overlap((span.start, span.end), place)]
    exactly = [n for n in about if _overlap((found.start, found.end), places[n])]
    return (exactly or about) if len(about) > 1 else about


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _sentence(
    item: Mapping[str, Any],
    place: tuple[int, int],
    report: Report,
    findings: Collection[Finding],
    document: str,
    genre: str,
) -> Sentence:
    own = [one for one in report.statements if _overlap((one.span.start, one.span.end), place)]
    supports = [one.support for one in own if one.support is not None]
    outcomes = {one.outcome for one in own} or {Outcome.UNVERIFIABLE}
    categories = {_category(one, report.violations) for one in own} or {"unverifiable"}
    hit = None
    if item.get("span") and findings:
        spans = [
            (place[0] + match.start(), place[0] + match.end())
            for match in re.finditer(re.escape(item["span"]), item["s"])
        ]
        hit = any(_overlap((one.start, one.end), span) for one in findings for span in spans)
    return Sentence(
        text=item["s"],
        label=int(item["label"]),
        document=document,
        fields={
            "error": item.get("error") or "",
            "abstraction": item.get("abstraction") or "",
            "genre": genre,
        },
        outcome=min(outcomes, key=WORST.index),
        category=min(categories, key=CATEGORIES.index),
        support=min(supports, default=None),
        findings=tuple(findings),
        read=bool(own),
        exact=bool(own) and all(one.reason == "exact" for one in own),
        hit=hit,
    )


def _category(statement: Statement, violations: Sequence[Violation]) -> str:
    """Return the category of a statement, "unverifiable" where it could not be held to a source."""
    if statement.outcome in _UNREAD:
        return "unverifiable"
    return category(statement, violations)


# --- figures ----------------------------------------------------------------------------------


def summarize(checked: Sequence[Checked], *, seed: int = 0) -> DocumentEvaluation:
    """Return the figures of rows that were checked."""
    sentences = [one for row in checked for one in row.sentences]
    columns = _columns(sentences)
    labels = columns["label"]
    faulty = [one for one in sentences if one.findings]
    return DocumentEvaluation(
        documents=len({row.document for row in checked}),
        statements=len(sentences),
        wrong=int((labels == 0).sum()),
        **_shares(columns),
        findings_per_faulty_statement=_mean([one.shown for one in faulty]),
        violations_per_faulty_statement=_mean([len(one.findings) for one in faulty]),
        not_read=sum(not one.read for one in sentences),
        outcomes={
            name: _outcomes(one for one in sentences if one.label == label)
            for name, label in (("true", 1), ("wrong", 0))
        },
        calibration_error=_calibration_error(columns["support"], labels),
        brier=_brier(columns["support"], labels),
        probability=_probabilities(checked),
        ci=_intervals(sentences, columns, seed),
        by={name: _by(sentences, name) for name in FIELDS},
        by_rule=_by_rule(sentences),
        baselines=_baselines(checked, labels),
        seconds_per_row=sum(row.seconds for row in checked) / len(checked),
    )


def _columns(sentences: Sequence[Sentence]) -> dict[str, Column]:
    """Return what the shares are taken of, an array each."""
    import numpy as np

    flags = {
        "error": [one.error for one in sentences],
        "any": [bool(one.findings) for one in sentences],
        "supported": [one.outcome is Outcome.SUPPORTED for one in sentences],
        "figure": [one.fields["error"] in FIGURES for one in sentences],
        "pointed": [one.hit is not None for one in sentences],
        "hit": [bool(one.hit) for one in sentences],
    }
    support = [_EVEN if one.support is None else one.support for one in sentences]
    return {
        **{name: np.array(values, bool) for name, values in flags.items()},
        "label": np.array([one.label for one in sentences], int),
        "support": np.array(support, float),
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
        "auc": auc(columns["support"], columns["label"]),
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


def _calibration_error(scores: Floats, labels: Column) -> float:
    """Return how far the share of true ones is from the mean score, over bins of equal width."""
    import numpy as np

    bins = np.minimum((scores * _BINS).astype(int), _BINS - 1)
    away = [abs((scores - labels)[bins == number].sum()) for number in range(_BINS)]
    return float(sum(away) / len(scores))


def _brier(scores: Floats, labels: Column) -> float:
    """Return the mean squared distance of the scores from the labels."""
    return float(scikit_learn("metrics").brier_score_loss(labels, scores, pos_label=1))


def _probabilities(checked: Sequence[Checked]) -> Probabilities:
    groups: dict[bool, list[float]] = {True: [], False: []}
    for row in checked:
        if row.probability is not None:
            groups[all(one.label for one in row.sentences)].append(row.probability)
    right, others = groups[True], groups[False]
    return Probabilities(_mean(right), len(right), _mean(others), len(others))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


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
    """Return the figures by value of a field; a kind of error is set against all true ones."""
    out = {}
    for value in sorted({one.fields[name] for one in sentences} - {""}):
        own = [one for one in sentences if one.fields[name] == value]
        if name == "error":
            own = [one for one in own if not one.label] + [one for one in sentences if one.label]
        columns = _columns(own)
        shares = {key: found for key, found in _shares(columns).items() if key in _OF_PART}
        out[value] = Part(len(own), int((columns["label"] == 0).sum()), **shares)
    return out


_OF_PART = frozenset(field.name for field in fields(Part))


def _by_rule(sentences: Iterable[Sentence]) -> dict[str, Accused]:
    counts: Counter[tuple[str, str, int]] = Counter()
    for one in sentences:
        counts.update({(found.rule, found.name, one.label) for found in one.findings})
    out = {}
    for rule, name in sorted({key[:2] for key in counts}):
        wrong, true = counts[rule, name, 0], counts[rule, name, 1]
        out[rule] = Accused(name, wrong, true, wrong / (wrong + true))
    return out


def _calibrate(path: str | Path, checked: Iterable[Checked]) -> None:
    """Fit a calibration and write it; what is in a source word for word is given no score."""
    import numpy as np

    pairs = [
        (one.support, one.label)
        for row in checked
        for one in row.sentences
        if one.support is not None and not one.exact
    ]
    scores, labels = np.array([s for s, _ in pairs], float), np.array([y for _, y in pairs], int)
    write_calibration(path, fit_calibration(scores, labels), scores, labels)


# --- baselines --------------------------------------------------------------------------------

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<!^)(?<![.!?:] )\b[A-Z][\w-]*")
_WORD = re.compile(r"\w+")


def _baselines(checked: Sequence[Checked], labels: Column) -> dict[str, Baseline]:
    """Return how well what needs no reading tells true statements from wrong ones.

    - absent number: a number that the document does not have, in digits, counts 0, else 1;
    - absent name: so does a capitalised word, unless it begins a sentence;
    - word overlap: the share of the words that the document has; reversed: the share it lacks;
    - length: the number of words.
    """
    import numpy as np

    rows = []
    for row in checked:
        words, numbers = frozenset(_words(row.source)), frozenset(_numbers(row.source))
        rows += [trivial_scores(one.text, words, numbers) for one in row.sentences]
    return {
        name: Baseline(auc(np.array([scores[name] for scores in rows], float), labels))
        for name in rows[0]
    }


def trivial_scores(
    sentence: str, words: Collection[str], numbers: Collection[str]
) -> dict[str, float]:
    """Return the trivial scores of a sentence beside the words and numbers of a document."""
    said = sentence.removeprefix(_BULLET)
    own = _words(said)
    names = [word for name in _NAME.findall(said) for word in _words(name)]
    overlap = sum(word in words for word in own) / max(1, len(own))
    return {
        "absent number": float(all(number in numbers for number in _numbers(said))),
        "absent name": float(all(name in words for name in names)),
        "word overlap": overlap,
        "reversed overlap": 1 - overlap,
        "length": float(len(own)),
    }


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _numbers(text: str) -> list[str]:
    return [number.replace(",", "") for number in _NUMBER.findall(text)]
