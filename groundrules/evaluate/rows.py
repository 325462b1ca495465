"""How good the verdicts are on labelled data: discrimination, accuracy, intervals, cost.

The figures and the regression of a calibration are scikit-learn's (extra `[sklearn]`).

A row has `doc` (or `context`), `claim` and `label` (1 supported, 0 not), or `claim_graph` and
`reference_graph` (lists of [subject, predicate, object]) and `label`. The score of a row is the
probability that its claim is supported.

Rows with `label3` (Entailment, Contradiction, NotMentioned, or the names of the outcomes) are also
judged three ways: supported where the probability reaches the threshold, else refuted where a rule
contradicts it, else not enough information. A row without `label` takes it from `label3`; other
words in `label3` are a field like any.
"""

from __future__ import annotations

import gzip
import json
import math
import random
import re
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from groundrules.checks.verdicts import refutes
from groundrules.config import Config, LLMConfig
from groundrules.errors import ConfigError, SourceError
from groundrules.files import write_atomically
from groundrules.models.calibration import ALPHA, Calibration, read_calibration
from groundrules.models.logistic import logit
from groundrules.models.metrics import auc, average_precision, balanced_accuracy, scikit_learn
from groundrules.terms import Outcome

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

FIGURES = ("auc", "average_precision", "balanced_accuracy_fixed", "balanced_accuracy_cv")
#: Fewer labelled rows do not fix two parameters and a threshold.
CALIBRATION_ROWS = 20
_FOLDS = 5
_RESAMPLES = 1000
_MAX_LINE = 64 * 1024 * 1024
_SURROGATE = re.compile("[\ud800-\udfff]")
_ABSENT = {
    "claim": "no claim; expected a text",
    "doc": "no doc; expected the source text in doc or context",
}

#: Outcomes by the names that data sets give them, and the order of the figures.
OUTCOMES = (Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO)
_OUTCOME = {
    "entailment": Outcome.SUPPORTED,
    "supports": Outcome.SUPPORTED,
    "supported": Outcome.SUPPORTED,
    "contradiction": Outcome.REFUTED,
    "refutes": Outcome.REFUTED,
    "refuted": Outcome.REFUTED,
    "notmentioned": Outcome.NOT_ENOUGH_INFO,
    "neutral": Outcome.NOT_ENOUGH_INFO,
    "not enough info": Outcome.NOT_ENOUGH_INFO,
    "not_enough_info": Outcome.NOT_ENOUGH_INFO,
}

T = TypeVar("T")
Progress = Callable[[Iterable[Any], int], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled row: `document` groups rows that share a source, `fields` are all its fields.

    `outcome` is the label of a row that is labelled three ways, None for others.
    """

    document: str
    label: int
    fields: Mapping[str, Any]
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of a row, None where nothing could be said, and the stages its claims took.

    `kernel` is the graph kernel's value, the part of the score that KEA Explain uses alone.
    `refuted_by` are the rules that contradict the claim, for rows labelled three ways.
    """

    score: float | None
    stages: Mapping[str, int]
    claims: int
    kernel: float | None = None
    refuted_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """How well outcomes were told apart: `f1` by outcome, `macro_f1` their mean.

    `confusion` counts by outcome of the label those predicted. An outcome that is neither labelled
    nor predicted has no F1 and does not count for the mean.
    """

    accuracy: float
    macro_f1: float
    f1: Mapping[str, float | None]
    confusion: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a set of rows; None is undefined (one label only)."""

    rows: int
    supported: int
    auc: float | None
    average_precision: float | None
    balanced_accuracy_fixed: float | None
    balanced_accuracy_cv: float | None
    ci: Mapping[str, tuple[float, float]]
    three_way: Judged | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Figures):
    """The figures of a file; `ci` are 95 % bootstrap intervals over documents.

    `kernel_auc` is the AUC of the graph kernel alone, `kea_auc` that of the rows' own `kea_score`
    (a distance); both None where rows have none. `three_way` is that of the rows with `label3`, and
    `baselines` are what it must beat (see `_baselines`) and what it is without a part of it.
    """

    threshold_fixed: float
    coverage: float
    stages: Mapping[str, int]
    calls: Mapping[str, int]
    seconds_per_row: float
    by: Mapping[str, Figures] = field(default_factory=dict)
    kernel_auc: float | None = None
    kea_auc: float | None = None
    baselines: Mapping[str, Judged] = field(default_factory=dict)


def evaluate(
    path: str | Path,
    *,
    config: Config | None = None,
    by: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    calibrate: str | Path | None = None,
    calibration: str | Path | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Score every row of a .jsonl or .jsonl.gz file and return the figures.

    `limit` takes whole documents at random (by `seed`) until that many rows are reached.
    `calibrate` fits a calibration on the rows and writes it; `calibration` applies one.

    Raises:
        SourceError: the file cannot be read, or a row lacks what it needs (file:line).
        ConfigError: too few rows to calibrate, an unknown field, a bad calibration, a limit
            below 1, or the extra [sklearn] is missing.
    """
    import numpy as np

    scikit_learn("metrics")  # before the long work
    if limit is not None and limit < 1:
        raise ConfigError(f"the limit is {limit}; expected 1 row or more")
    chosen = config or Config()
    rows = sample(read_rows(path), limit, seed)
    if by is not None and not any(by in row.fields for row in rows):
        known = sorted({name for row in rows for name in row.fields})
        raise ConfigError(f"no row has the field {by!r}; expected one of {', '.join(known)}")
    given = read_calibration(calibration) if calibration else None
    labels = np.array([row.label for row in rows])
    if calibrate:
        _check_rows(labels)  # before the long work
    began = time.perf_counter()
    every: Iterable[Row] = progress(rows, len(rows)) if progress else rows
    scored = [score_row(row, chosen) for row in every]
    seconds = time.perf_counter() - began
    scores = np.array([0.5 if s.score is None else s.score for s in scored])
    groups = [row.document for row in rows]
    if calibrate:
        fitted = replace(fit_calibration(scores, labels), alpha=_alpha_of(rows, labels, chosen))
        write_calibration(calibrate, fitted, scores, labels)
    threshold = Calibration().threshold if chosen.threshold is None else chosen.threshold
    if given:
        scores = np.array([given.probability(float(score)) for score in scores])
        threshold = given.threshold
    whole = figures(scores, labels, groups, threshold, seed=seed)
    stages: Counter[str] = Counter()
    for one in scored:
        stages.update(one.stages)
    outcomes = [row.outcome for row in rows]
    predicted = [_judge(one, float(p), threshold) for one, p in zip(scored, scores, strict=True)]
    kernels = [one.kernel for one in scored]
    kea = [_number(row.fields.get("kea_score")) for row in rows]
    return Evaluation(
        **{one.name: getattr(whole, one.name) for one in fields(Figures)}
        | {"three_way": judged(outcomes, predicted)},
        threshold_fixed=threshold,
        coverage=sum(one.claims > 0 for one in scored) / len(scored),
        stages=dict(sorted(stages.items())),
        calls={"llm": 0, "kb": 0},
        seconds_per_row=seconds / len(rows),
        by=(
            _broken_down(rows, scores, labels, groups, threshold, by, seed, predicted) if by else {}
        ),
        kernel_auc=_auc_of(kernels, labels),
        kea_auc=_auc_of([None if k is None else -k for k in kea], labels),
        baselines=_baselines(rows, scored, scores, threshold, chosen, seed),
    )


def read_rows(path: str | Path) -> list[Row]:
    """Return the rows of a file; SourceError names the line that is wrong."""
    return read_each(path, _row)


def read_each(
    path: str | Path, row: Callable[[Any, int], T], *, may_be_empty: bool = False
) -> list[T]:
    """Return what is made of each line of JSON and its number, blank lines left out.

    SourceError names the line that is no JSON or of which ValueError was raised.
    """
    rows = []
    for number, line in read_lines(path):
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


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
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


def _row(data: Any, line: int) -> Row:
    """Return a row; ValueError where it is none."""
    if not isinstance(data, dict):
        raise ValueError("not an object; expected fields doc, claim and label")
    label, three = data.get("label"), data.get("label3")
    outcome = _OUTCOME.get(three.casefold()) if isinstance(three, str) else None
    if three is not None and outcome is None and label is None:
        raise ValueError(f"label3 is {three!r}; expected Entailment, Contradiction or NotMentioned")
    if label is None and outcome is not None:
        label = int(outcome is Outcome.SUPPORTED)
    if label not in (0, 1, True, False):
        raise ValueError(f"label is {label!r}; expected 0 or 1")
    if "claim_graph" in data or "reference_graph" in data:
        for name in ("claim_graph", "reference_graph"):
            if not _is_graph(data.get(name)):
                raise ValueError(f"{name} is no list of [subject, predicate, object]")
    else:
        for name, value in (("claim", data.get("claim")), ("doc", _source(data))):
            if not isinstance(value, str):
                raise ValueError(_ABSENT[name])
            if surrogate := _SURROGATE.search(value):
                raise ValueError(f"{name} has a lone surrogate U+{ord(surrogate[0]):04X}")
    given = (data.get(name) for name in ("doc_id", "doc", "context", "id"))
    document = next((value for value in given if value is not None), line)
    return Row(str(document), int(label), data, outcome)


def _source(fields: Mapping[str, Any]) -> Any:
    """Return the source text of a row."""
    doc = fields.get("doc")
    return fields.get("context") if doc is None else doc


def _is_graph(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(triple, list)
        and len(triple) == 3
        and all(isinstance(part, str) and not _SURROGATE.search(part) for part in triple)
        for triple in value
    )


def sample(rows: list[Row], limit: int | None, seed: int) -> list[Row]:
    """Return about `limit` rows, whole documents at a time, in the order of the file."""
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


def score_row(row: Row, config: Config) -> Scored:
    """Return the probability that the claim of a row is supported."""
    if "claim_graph" in row.fields:
        from groundrules.align.graphs import score_graphs

        align = config.align
        found = score_graphs(
            row.fields["claim_graph"],
            row.fields["reference_graph"],
            threshold=align.threshold,
            linkage=align.linkage,
            metric=align.metric,
            clustering=align.clustering,
            kernel=align.kernel,
            h=align.h,
            relation_nodes=align.relation_nodes,
            embedding=config.encoder,
        )
        size = len(row.fields["claim_graph"])
        return Scored(found.score, {"graph": size}, size, found.kernel)
    from groundrules import api
    from groundrules.claims.document import from_text

    grounding = api.compare(
        from_text(row.fields["claim"], "claim"),
        [from_text(_source(row.fields), "source")],
        config=config,
    )
    stages: Counter[str] = Counter()
    for sentence in grounding.sentences:
        stages[sentence.stage] += max(1, len(sentence.claims))
    if row.outcome is None:
        return Scored(grounding.probability, dict(stages), len(grounding.claims))
    violations = api.violations(grounding, config)
    refuted = {one.rule for one in violations if refutes(one)}
    return Scored(
        grounding.probability,
        dict(stages),
        len(grounding.claims),
        refuted_by=tuple(sorted(refuted)),
    )


# --- figures ----------------------------------------------------------------------------------


def mean_defined(values: Sequence[float | None]) -> tuple[float | None, int]:
    """Return the mean of the values that are defined, None without one, and how many they are."""
    known = [value for value in values if value is not None]
    return (math.fsum(known) / len(known) if known else None), len(known)


def best_threshold(scores: Floats, labels: npt.NDArray[np.int_]) -> float:
    """Return the threshold with the best balanced accuracy, midway between two scores."""
    import numpy as np

    values = np.unique(scores)
    if len(values) < 2:
        return 0.5
    cuts = (values[1:] + values[:-1]) / 2
    positives = np.sort(scores[labels == 1])
    negatives = np.sort(scores[labels == 0])
    if not len(positives) or not len(negatives):
        return 0.5
    recall = 1 - np.searchsorted(positives, cuts) / len(positives)
    rejected = np.searchsorted(negatives, cuts) / len(negatives)
    return float(cuts[int(np.argmax(recall + rejected))])


def cross_validated(
    scores: Floats, labels: npt.NDArray[np.int_], groups: Sequence[str], seed: int = 0
) -> float | None:
    """Return the balanced accuracy at thresholds learned on the other folds, split by group."""
    import numpy as np

    if len(set(groups)) < 2:
        return None
    folds = _folds(groups, seed)
    passed = np.zeros(len(scores), bool)
    for number in set(folds.tolist()):
        held = folds == number
        passed[held] = scores[held] >= best_threshold(scores[~held], labels[~held])
    return balanced_accuracy(passed.astype(float), labels, 0.5)


def _folds(groups: Sequence[str], seed: int) -> npt.NDArray[np.int_]:
    """Return the fold of each row: whole groups, shuffled by the seed."""
    import numpy as np

    names = sorted(set(groups))
    random.Random(seed).shuffle(names)
    fold = {name: number % min(_FOLDS, len(names)) for number, name in enumerate(names)}
    return np.array([fold[group] for group in groups])


def figures(
    scores: Floats,
    labels: npt.NDArray[np.int_],
    groups: Sequence[str],
    threshold: float,
    *,
    seed: int = 0,
) -> Figures:
    """Return all figures of a set of rows with their bootstrap intervals over groups.

    One group alone has no interval: it says nothing of others.
    """
    draws: dict[str, list[float]] = {name: [] for name in FIGURES}
    # A threshold learned again in every resample would cost a thousand cross-validations;
    # the accuracies of a hundred tell the interval well enough.
    for number, rows in enumerate(resampled(groups, seed, _RESAMPLES + _RESAMPLES // 10)):
        s, y = scores[rows], labels[rows]
        if number < _RESAMPLES:
            found = {
                "auc": auc(s, y),
                "average_precision": average_precision(s, y),
                "balanced_accuracy_fixed": balanced_accuracy(s, y, threshold),
            }
        else:
            names = [groups[int(n)] for n in rows]
            found = {"balanced_accuracy_cv": cross_validated(s, y, names, seed)}
        for name, value in found.items():
            if value is not None:
                draws[name].append(value)
    return Figures(
        len(labels),
        int(labels.sum()),
        auc(scores, labels),
        average_precision(scores, labels),
        balanced_accuracy(scores, labels, threshold),
        cross_validated(scores, labels, groups, seed),
        intervals(draws),
    )


def resampled(
    groups: Sequence[str], seed: int, draws: int = _RESAMPLES
) -> Iterator[npt.NDArray[np.int_]]:
    """Yield the rows of draws of as many groups as there are, none where there is but one."""
    import numpy as np

    members: dict[str, list[int]] = defaultdict(list)
    for place, group in enumerate(groups):
        members[group].append(place)
    blocks = [np.array(places) for places in members.values()]
    generator = np.random.default_rng(seed)
    for _ in range(draws if len(blocks) > 1 else 0):
        chosen = generator.integers(0, len(blocks), len(blocks))
        yield np.concatenate([blocks[n] for n in chosen])


def intervals(draws: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, float]]:
    """Return the 95 % interval of each figure that was drawn."""
    import numpy as np

    return {
        name: (float(np.quantile(found, 0.025)), float(np.quantile(found, 0.975)))
        for name, found in draws.items()
        if found
    }


def _broken_down(
    rows: Sequence[Row],
    scores: Floats,
    labels: npt.NDArray[np.int_],
    groups: Sequence[str],
    threshold: float,
    by: str,
    seed: int,
    predicted: Sequence[Outcome],
) -> dict[str, Figures]:
    """Return the figures by value of a field.

    A value that only rows of one label have (the kind of an error) is set against the rows of the
    other label that have no value there.
    """
    import numpy as np

    values = np.array([_shown(row.fields.get(by)) for row in rows], dtype=object)
    blank = values == ""
    out = {}
    for value in sorted(set(values.tolist())):
        chosen = values == value
        present = set(labels[chosen].tolist())
        if len(present) == 1 and value:
            chosen |= blank & (labels != present.pop())
        places = np.flatnonzero(chosen)
        found = figures(
            scores[places],
            labels[places],
            [groups[int(n)] for n in places],
            threshold,
            seed=seed,
        )
        three = judged([rows[int(n)].outcome for n in places], [predicted[int(n)] for n in places])
        out[value] = replace(found, three_way=three)
    return out


def _shown(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _number(value: Any) -> float | None:
    """Return a finite number as float, None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e300 else None


def _auc_of(scores: Sequence[float | None], labels: npt.NDArray[np.int_]) -> float | None:
    import numpy as np

    if any(score is None for score in scores):
        return None
    return auc(np.array(scores, float), labels)


# --- three outcomes ---------------------------------------------------------------------------


def judged(labels: Sequence[Outcome | None], predicted: Sequence[Outcome]) -> Judged | None:
    """Return how well outcomes were predicted, None if no row has a label of three."""
    pairs = [(label, said) for label, said in zip(labels, predicted, strict=True) if label]
    if not pairs:
        return None
    metrics = scikit_learn("metrics")
    places = list(range(len(OUTCOMES)))
    truth, found = ([OUTCOMES.index(one) for one in column] for column in zip(*pairs, strict=True))
    each = metrics.f1_score(truth, found, labels=places, average=None, zero_division=math.nan)
    f1 = {str(o): None if math.isnan(v) else float(v) for o, v in zip(OUTCOMES, each, strict=True)}
    defined = [value for value in f1.values() if value is not None]
    confusion = metrics.confusion_matrix(truth, found, labels=places).tolist()
    return Judged(
        float(metrics.accuracy_score(truth, found)),
        sum(defined) / len(defined),
        f1,
        {
            str(o): dict(zip(map(str, OUTCOMES), n, strict=True))
            for o, n in zip(OUTCOMES, confusion, strict=True)
        },
    )


def _judge(scored: Scored, score: float, threshold: float) -> Outcome:
    """Return the outcome of a row: its support comes first, then the rules."""
    if score >= threshold:
        return Outcome.SUPPORTED
    return Outcome.REFUTED if scored.refuted_by else Outcome.NOT_ENOUGH_INFO


def _baselines(
    rows: Sequence[Row],
    scored: Sequence[Scored],
    scores: Floats,
    threshold: float,
    config: Config,
    seed: int,
) -> dict[str, Judged]:
    """Return the figures of simpler judges of the same rows, none for rows without `label3`.

    - majority: always the outcome that most rows have;
    - majority by claim: the outcome that most rows with the same claim have, of the other folds by
      document: what is known without reading a source, where claims recur;
    - best sentence: the greatest cosine of the claim with a sentence of its source (SBERT, the
      embedding of the configuration), cut in two places and the three parts given outcomes as does
      best, by accuracy or by macro-F1, on the other folds by document;
    - without rules: these verdicts where no rule refutes.
    """
    import numpy as np

    chosen = [n for n, row in enumerate(rows) if row.outcome is not None]
    if not chosen:
        return {}
    labels = [OUTCOMES.index(rows[n].outcome) for n in chosen if rows[n].outcome is not None]
    truth = np.array(labels)
    folds = _folds([rows[n].document for n in chosen], seed)
    claims = [str(rows[n].fields.get("claim", "")) for n in chosen]
    most = int(np.bincount(truth, minlength=3).argmax())
    by_claim = np.full(len(chosen), most)
    cosines = _best_cosines([rows[n] for n in chosen], config)
    cut = {"accuracy": np.full(len(chosen), most), "macro-F1": np.full(len(chosen), most)}
    for fold in sorted(set(folds.tolist())):
        held, known = folds == fold, folds != fold
        if not known.any():
            continue
        for n in np.flatnonzero(held):
            same = truth[[bool(known[m]) and claims[m] == claims[n] for m in range(len(chosen))]]
            if len(same):
                by_claim[n] = np.bincount(same, minlength=3).argmax()
        for name, found in cut.items():
            low, high, parts = _best_cuts(cosines[known], truth[known], name)
            found[held] = np.array(parts)[np.digitize(cosines[held], [low, high])]
    bare = [_judge(replace(scored[n], refuted_by=()), float(scores[n]), threshold) for n in chosen]
    judges: dict[str, Sequence[Outcome]] = {
        "majority": [OUTCOMES[most]] * len(chosen),
        "majority by claim": [OUTCOMES[n] for n in by_claim],
        **{f"best sentence, by {k}": [OUTCOMES[n] for n in found] for k, found in cut.items()},
        "without rules": bare,
    }
    named = {name: judged([OUTCOMES[n] for n in labels], said) for name, said in judges.items()}
    return {name: found for name, found in named.items() if found is not None}


def _best_cosines(rows: Sequence[Row], config: Config) -> Floats:
    """Return for each row the greatest cosine of its claim with a sentence of its source."""
    import numpy as np

    from groundrules import api
    from groundrules.models.embed import encode

    texts = {row.document: api.sentences(_source(row.fields), config) for row in rows}
    vectors = {name: encode(sentences, model=config.encoder) for name, sentences in texts.items()}
    claims = encode([row.fields["claim"] for row in rows], model=config.encoder)
    return np.array(
        [
            float((vectors[row.document] @ claim).max()) if len(vectors[row.document]) else 0.0
            for row, claim in zip(rows, claims, strict=True)
        ]
    )


def _best_cuts(
    scores: Floats, truth: npt.NDArray[np.int_], aim: str
) -> tuple[float, float, tuple[int, ...]]:
    """Return two thresholds and the outcomes of the three parts they make, best by `aim`.

    Thresholds are tried at the twentieths of the scores.
    """
    import itertools

    import numpy as np

    places = np.unique(np.quantile(scores, np.linspace(0, 1, 21)))
    total = np.bincount(truth, minlength=3)
    best: tuple[float, float, float, tuple[int, ...]] = (-1.0, 0.0, 0.0, (0, 0, 0))
    for low, high in itertools.combinations_with_replacement(places.tolist(), 2):
        part = np.digitize(scores, [low, high])
        counts = np.zeros((3, 3))
        np.add.at(counts, (part, truth), 1)
        for given in itertools.product(range(3), repeat=3):
            right = np.zeros(3)
            said = np.zeros(3)
            for number, outcome in enumerate(given):
                right[outcome] += counts[number, outcome]
                said[outcome] += counts[number].sum()
            if aim == "accuracy":
                value = float(right.sum() / len(truth))
            else:
                value = float((2 * right / np.maximum(1, said + total)).mean())
            if value > best[0]:
                best = (value, low, high, given)
    return best[1], best[2], best[3]


# --- calibration ------------------------------------------------------------------------------


def fit_calibration(scores: Floats, labels: npt.NDArray[np.int_]) -> Calibration:
    """Fit probability = sigmoid(slope * logit(score) + intercept) by logistic regression.

    Targets are Platt's, (n + 1) / (n + 2) and 1 / (n + 2), so that few rows do not make certainty:
    each row counts for both labels, with its target as weight. Source: Platt 1999.
    ConfigError for fewer than 20 rows, one label only, or scores that do not rise with support.
    """
    import numpy as np

    positive, negative = _check_rows(labels)
    target = np.where(labels == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))
    odds = np.array([[logit(float(score))] for score in scores])
    slope = intercept = 0.0
    if np.ptp(odds):
        model = scikit_learn("linear_model").LogisticRegression(
            C=math.inf, solver="newton-cholesky", tol=1e-10, max_iter=1000
        )
        model.fit(
            np.concatenate([odds, odds]),
            np.repeat([1, 0], len(odds)),
            sample_weight=np.concatenate([target, 1 - target]),
        )
        slope, intercept = float(model.coef_[0, 0]), float(model.intercept_[0])
    if not slope > 0:
        raise ConfigError(
            f"the scores of these rows do not rise with support (slope {slope:.3f}); expected rows "
            "that the score can tell apart"
        )
    fitted = Calibration(slope, intercept, 0.5)
    calibrated = np.array([fitted.probability(float(score)) for score in scores])
    return Calibration(slope, intercept, best_threshold(calibrated, labels))


def _alpha_of(rows: Sequence[Row], labels: npt.NDArray[np.int_], config: Config) -> float:
    """Return the weight of EG in CFI that tells the rows apart best, that of HalluGraph for few."""
    import numpy as np

    from groundrules import api
    from groundrules.claims.document import from_text

    found = []
    for row, label in zip(rows, labels.tolist(), strict=True):
        if "claim_graph" in row.fields:
            continue
        report = api.check(
            from_text(row.fields["claim"], "claim"),
            context=from_text(_source(row.fields), "source"),
            config=replace(config, kb=(), llm=LLMConfig(), scorer="none"),
            verify=False,
        )
        grounded, preserved = report.metric("EG").value, report.metric("RP").value
        if grounded is not None and preserved is not None:
            found.append((grounded, preserved, label))
    if len(found) < CALIBRATION_ROWS:
        return ALPHA
    eg, rp, right = np.array(found).T
    return fit_alpha(eg, rp, right.astype(int))


def fit_alpha(grounded: Floats, preserved: Floats, labels: npt.NDArray[np.int_]) -> float:
    """Return the alpha in steps of 0.05 whose CFI has the best AUC, of equals that nearest to 0.7.

    One label alone decides nothing.
    """
    areas = []
    for step in range(21):
        alpha = step / 20
        area = auc(alpha * grounded + (1 - alpha) * preserved, labels)
        areas.append((round(area, 9) if area is not None else 0.0, -abs(alpha - ALPHA), alpha))
    return max(areas)[2]


def _check_rows(labels: npt.NDArray[np.int_]) -> tuple[int, int]:
    """Return how many rows are supported and how many are not, if they allow a calibration."""
    positive = int(labels.sum())
    negative = len(labels) - positive
    if len(labels) < CALIBRATION_ROWS or not positive or not negative:
        raise ConfigError(
            f"{len(labels)} rows, {positive} of them supported; expected at least "
            f"{CALIBRATION_ROWS} rows with both labels to calibrate"
        )
    return positive, negative


def write_calibration(
    path: str | Path, fitted: Calibration, scores: Floats, labels: npt.NDArray[np.int_]
) -> None:
    """Write a calibration with what it was fitted on; ConfigError where that fails."""
    data = {"schema": 1, **asdict(fitted), "rows": len(labels), "auc": auc(scores, labels)}
    try:
        write_atomically(Path(path), f"{json.dumps(data)}\n".encode())
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(path)) from None
