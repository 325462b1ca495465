"""Does a premise entail a statement, contradict it or neither, and which of its words are wrong.

The shipped model (``models/entailment``, made by ``training/scorer``) reads statement and premise
in one window. Any CrossEncoder can take its place: with labels of inference in whatever order, or
with one output, that of entailment.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.errors import ConfigError, ModelError, did_you_mean
from groundrules.models.logistic import sigmoid
from groundrules.models.passage_scorer import (
    EMBEDDED,
    HEAD,
    MODEL,
    CrossEncoder,
    Row,
    Scorer,
    cross_encoder,
    read_head,
    read_scorer,
)
from groundrules.models.shipped import folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.floating]

__all__ = ["Entailment", "Model", "open_model", "score_statements"]

#: Word pieces that are read at once, the three marks included, and those of the statement, at most.
WINDOW, ASKED = 160, 64
#: Pairs whose scores are kept: a text is read again with each edit, and most of it is the same.
KEPT = 4096
#: Beside the wrongest word stand others that are wrong at least this much as likely.
BESIDE = 0.5

_FOLDER = folder("entailment")
_MARK = re.compile(r"\s*(?:[-*•·–—>]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+)?[*_]*")
_WORD = re.compile(r"\w+(?:[.,'’/-]\w+)*")


@dataclass(frozen=True, slots=True)
class Entailment:
    """How likely a premise entails a statement, contradicts it or does neither; they sum to one.

    A model that does not tell the last two apart gives both the same. `wrong` is the range of the
    words of the statement that are likeliest wrong, None where a model does not say.
    """

    entailed: float
    contradicted: float
    neither: float
    wrong: tuple[int, int] | None = None


Score = Callable[[Sequence[tuple[str, str]]], list[Entailment]]


@dataclass(frozen=True, slots=True)
class Model:
    """A model of entailment: its digest or name, and what scores (premise, statement) pairs.

    `known` are the pairs that were scored last.
    """

    name: str
    score: Score
    known: dict[tuple[str, str], Entailment]


def score_statements(pairs: Sequence[tuple[str, str]], model: Model) -> tuple[Entailment, ...]:
    """Return what a model makes of each (premise, statement), in their order.

    Raises:
        ModelError: the model gives what is no score.
    """
    known = model.known
    missing = [pair for pair in dict.fromkeys(pairs) if pair not in known]
    fresh = dict(zip(missing, model.score(missing) if missing else (), strict=True))
    out = tuple(fresh[pair] if pair in fresh else known[pair] for pair in pairs)
    known.update(fresh)
    while len(known) > KEPT:
        del known[next(iter(known))]
    return out


@functools.lru_cache(4)
def open_model(scorer: str, *, download: bool = False) -> Model:
    """Return a model by the setting `scorer`, loaded once.

    That is "embedded", a folder that `training/scorer` or `groundrules train-scorer` made, or the
    folder or hub name of a CrossEncoder; only with `download` is a hub asked.

    Raises:
        ConfigError: the scorer needs an extra.
        ModelError: the model cannot be loaded, or its labels say nothing of entailment.
    """
    folder = _shipped() if scorer == EMBEDDED else Path(scorer)
    if (folder / HEAD).is_file():
        head = read_head(folder)
        return Model(f"{head.scorer} with {scorer}", lambda pairs: _alone(head.score(pairs)), {})
    if (folder / MODEL).is_file():
        read = read_scorer(folder)
        return Model(read.digest, lambda pairs: _read(pairs, read, scorer), {})
    if scorer == EMBEDDED:
        raise ModelError(f"the shipped scorer is missing; expected {MODEL}", path=str(folder))
    if "/" not in scorer and not folder.exists():
        raise ConfigError(
            f"the scorer {scorer!r} is no folder that is here; expected 'embedded', 'llm', 'none', "
            "a folder, or a hub name 'owner/model'"
            f"{did_you_mean(scorer, (EMBEDDED, 'llm', 'none'))}"
        )
    try:
        encoder = cross_encoder(scorer, download=download)
    except ModelError as error:
        if download or folder.is_dir() or error.path:
            raise
        raise ConfigError(
            f"the scorer {scorer!r} is neither a folder nor a model that is here already; a hub is "
            "asked only for --scorer or --network on the command line, or "
            "Config(scorer=...) in Python"
        ) from error
    columns = _columns(dict(enumerate(encoder.labels)), scorer)
    return Model(scorer, lambda pairs: _encoded(pairs, encoder, columns, scorer), {})


def _shipped() -> Path:
    return _FOLDER if (_FOLDER / MODEL).is_file() else _FOLDER.with_name("scorer")


# --- an exported model ------------------------------------------------------------------------


def _read(pairs: Sequence[tuple[str, str]], scorer: Scorer, name: str) -> list[Entailment]:
    """Return what an exported model makes of pairs: entailment, neutral, contradiction, pieces."""
    import numpy as np

    tokenizer = scorer.tokenizer
    rows: list[Row] = []
    spans = []
    for place, (premise, statement) in enumerate(pairs):
        begin = _begin(statement)
        asked = tokenizer.pieces(statement[begin:])[:ASKED]
        spans.append([(begin + piece.start, begin + piece.end) for piece in asked])
        given = tokenizer.ids(premise)[: WINDOW - len(asked) - 3]
        ids = [tokenizer.first, *given, tokenizer.last, *(p.id for p in asked), tokenizer.last]
        rows.append((place, ids, len(given) + 2))
    out: dict[int, Entailment] = {}
    # one by one: that is no slower, and a row is rounded as if it were alone, in 8 bits too
    found = scorer.run(rows, ("labels", "pieces"), batch_size=1)
    try:
        for (place, read, start), (labels, pieces) in found:
            if labels.shape != (3,) or pieces.shape != (len(read),):
                raise ValueError("another shape")
            shares = _softmax(labels.astype(np.float64))
            odds = pieces[start:-1].astype(np.float64)
            if not np.isfinite(odds).all():
                raise ValueError("no number")
            statement = pairs[place][1]
            wrong = wrong_words(statement, spans[place], [float(one) for one in odds])
            entailed, neither, contradicted = shares
            out[place] = Entailment(entailed, contradicted, neither, wrong)
    except Exception as error:  # onnxruntime raises classes of its C++ side
        raise _no_score(name) from error
    return [out[place] for place in range(len(pairs))]


def _begin(statement: str) -> int:
    """Return where the words of a statement begin, after the mark of a list item."""
    found = _MARK.match(statement)
    return found.end() if found and found.end() < len(statement) else 0


def wrong_words(
    statement: str, spans: Sequence[tuple[int, int]], odds: Sequence[float]
) -> tuple[int, int] | None:
    """Return the range of the words that are likeliest wrong, given the log odds of the pieces.

    The wrongest word and those beside it that are nearly as likely wrong.
    """
    chances = []
    for match in _WORD.finditer(statement):
        own = [
            odd
            for (start, end), odd in zip(spans, odds, strict=True)
            if start < match.end() and match.start() < end
        ]
        if own:
            chances.append((*match.span(), sigmoid(max(own))))
    if not chances:
        return None
    first = last = max(range(len(chances)), key=lambda n: (chances[n][2], -n))
    least = BESIDE * chances[first][2]
    while first and chances[first - 1][2] >= least:
        first -= 1
    while last + 1 < len(chances) and chances[last + 1][2] >= least:
        last += 1
    return chances[first][0], chances[last][1]


def _softmax(logits: Floats) -> tuple[float, ...]:
    import numpy as np

    shares = np.exp(logits - logits.max())
    shares = shares / shares.sum()
    if not np.isfinite(shares).all():
        raise ValueError("no number")
    return tuple(float(one) for one in shares)


# --- other models -----------------------------------------------------------------------------


def _columns(labels: Mapping[int, str], name: str) -> tuple[int, int | None]:
    """Return the columns of entailment and of contradiction, None where no label means the latter.

    Raises:
        ModelError: several labels begin like contradiction.
    """
    said = {place: one.casefold() for place, one in labels.items()}
    entailed = [n for n, one in said.items() if one.startswith(("entail", "support"))]
    against = [n for n, one in said.items() if one.startswith(("contra", "refut"))]
    if len(against) > 1:
        raise ModelError(f"the scorer {name!r} has several labels for contradiction")
    return (entailed or [0])[0], against[0] if against and len(labels) > 2 else None


def _encoded(
    pairs: Sequence[tuple[str, str]],
    encoder: CrossEncoder,
    columns: tuple[int, int | None],
    name: str,
) -> list[Entailment]:
    import numpy as np

    entailed, against = columns
    try:
        rows = encoder.shares([(p, s[_begin(s) :]) for p, s in pairs])
    except Exception as error:  # torch and the tokenizers raise their own
        raise _no_score(name) from error
    if rows.shape != (len(pairs), len(encoder.labels)) or not np.isfinite(rows).all():
        raise _no_score(name)
    alone = _alone([float(row[entailed]) for row in rows])
    if against is None:
        return alone
    return [
        Entailment(one.entailed, float(row[against]), max(0.0, 1 - one.entailed - row[against]))
        for one, row in zip(alone, rows, strict=True)
    ]


def _alone(scores: Sequence[float]) -> list[Entailment]:
    """Return what the probability of entailment alone says: of the rest nothing is known."""
    return [Entailment(score, (1 - score) / 2, (1 - score) / 2) for score in scores]


def _no_score(name: str) -> ModelError:
    return ModelError(
        f"the scorer {name!r} gives what is no score; expected finite numbers, a row a pair: three "
        "labels and a figure for each word piece of an exported model, or those of a CrossEncoder"
    )
