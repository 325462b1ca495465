"""Readers of meaning: do passages entail a statement, contradict it or neither.

Any CrossEncoder is one: with labels of inference in whatever order, with one output, that of
entailment, or as `CHECKERS` says of it. No model of this kind ships.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from groundrules.errors import ConfigError, ModelError
from groundrules.models.logistic import sigmoid
from groundrules.models.passage_scorer import (
    CrossEncoder,
    cross_encoder,
    device,
    loading,
    weights_of,
)

#: Words of passages that a reader is shown of which nothing else is known.
WORDS = 90
#: Pairs whose scores are kept: a text is read again with each edit, and most of it is the same.
KEPT = 4096
#: How a label of entailment begins, and word pieces from which on a window is long.
_ENTAILED, _LONG = ("entail", "support"), 1024

_MARK = re.compile(r"\s*(?:[-*•·–—>]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+)?[*_]*")


@dataclass(frozen=True, slots=True)
class Entailment:
    """How likely a premise entails a statement, contradicts it or does neither; they sum to one.

    A model that does not tell the last two apart gives both the same. `sums` says in
    the words of a model how a figure follows that no source gives, None where none was asked.
    """

    entailed: float
    contradicted: float
    neither: float
    sums: str | None = None


Score = Callable[[Sequence[tuple[str, str]]], list[Entailment]]


class Probe(NamedTuple):
    """A statement and the passages that it is read beside, in the order of the sources.

    It is `unstated` where it has a figure that no source gives: a reader may tell how that follows.
    """

    statement: str
    passages: tuple[str, ...]
    unstated: bool = False


#: Of each statement what is read, or in words why nothing was.
Read = Callable[[Sequence[Probe]], Sequence[Entailment | str]]


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads statements beside passages: a model that is loaded, or one at an endpoint.

    `name` is its digest or the name that it goes by; `question` is what it is asked beside the
    texts, and how: template, labels, limits. `words` of passages fit beside a statement; where
    `together` is more than one, so many statements are shown the same passages. `known` is what
    was read last. `weights` gives the hash of those of a model that is loaded, where its name does
    not.
    """

    name: str
    read: Read
    known: dict[Probe, Entailment] = field(default_factory=dict, compare=False)
    question: str = ""
    words: int = WORDS
    together: int = 1
    weights: Callable[[], str] | None = field(default=None, compare=False)

    @property
    def digest(self) -> str:
        """The hash of its name, of what it is asked, and of its weights where they are here."""
        told = [self.name, self.question, self.words, self.together]
        more = [self.weights()] if self.weights else []
        return hashlib.sha256(json.dumps([*told, *more]).encode()).hexdigest()


def read_statements(asked: Sequence[Probe], reader: Reader) -> tuple[Entailment | str, ...]:
    """Return what a reader makes of each statement, in their order, or why it makes nothing of it.

    Raises:
        ModelError: the reader gives what is no score.
    """
    known = reader.known
    missing = [one for one in dict.fromkeys(asked) if one not in known]
    fresh = dict(zip(missing, reader.read(missing) if missing else (), strict=True))
    out = tuple(fresh[one] if one in fresh else known[one] for one in asked)
    known.update({one: found for one, found in fresh.items() if isinstance(found, Entailment)})
    while len(known) > KEPT:
        del known[next(iter(known))]
    return out


def _beside(score: Score) -> Read:
    """Return what reads by scoring (premise, statement) pairs, the passages as one text."""
    return lambda asked: score([(" ".join(one.passages), one.statement) for one in asked])


@functools.lru_cache(4)
def open_reader(name: str, *, download: bool = False) -> Reader:
    """Return a reader by the folder or hub name of a CrossEncoder, loaded once.

    Only with `download` is a hub asked.

    Raises:
        ConfigError: it needs an extra, or is neither a folder nor a hub name.
        ModelError: the model cannot be loaded, or its labels say nothing of entailment.
    """
    if "/" not in name and not Path(name).exists():
        raise ConfigError(
            f"the reader {name!r} is no folder that is here; expected a folder, a hub name "
            "'owner/model', or URL#model of an endpoint"
        )
    checker = checker_of(name, download=download)
    try:
        if checker.template:
            return _templated(name, checker, download=download)
        encoder = cross_encoder(name, download=download)
    except ModelError as error:
        if download or Path(name).is_dir() or error.path:
            raise
        raise ConfigError(
            f"the reader {name!r} is neither a folder nor a model that is here already; no hub is "
            f"asked for it but by `groundrules readers add {name}`"
        ) from error
    columns = _columns(dict(enumerate(encoder.labels)), name)
    read = _beside(lambda pairs: _encoded(pairs, encoder, columns, name))
    question = f"{', '.join(encoder.labels)}; {columns}"
    return Reader(
        Path(name).name,
        read,
        question=question,
        words=checker.words,
        weights=lambda: encoder.weights,
    )


def _begin(statement: str) -> int:
    """Return where the words of a statement begin, after the mark of a list item."""
    return found.end() if (found := _MARK.match(statement)) and found.end() < len(statement) else 0


# --- other models -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checker:
    """How a model of others is asked: what is written, in which columns it answers, what fits.

    Without a `template` passages and statement are the two segments of a CrossEncoder, whose own
    `id2label` names the columns. With one they are one text, and its columns are those of "no" and
    "yes". `words` are those of passages, `pieces` what a text may have in all.
    """

    words: int
    template: str = ""
    pieces: int = 512


#: By what a model is: one that answers "no" and "yes", that has labels of inference, such with a
#: long window, and any other.
CHECKERS: Mapping[str, Checker] = {
    "yes or no": Checker(280, "{passages}{end}{statement}"),
    "long inference": Checker(650, pieces=1024),
    "inference": Checker(280),
    "other": Checker(WORDS),
}


def checker_of(name: str, *, download: bool = False) -> Checker:
    """Return how a model is asked, by the architecture and the labels of its `config.json`.

    One that has none, or one that cannot be read, is any other: loading it says what is wrong.
    """
    try:
        import transformers

        local = Path(name).is_dir() or not download
        with loading(name, local):
            config = transformers.AutoConfig.from_pretrained(name, local_files_only=local)
    except Exception:  # the hub and the files each raise their own
        return CHECKERS["other"]
    labels = [str(one).casefold() for one in (config.id2label or {}).values()]
    if any(one.startswith(_ENTAILED) for one in labels):
        window = getattr(config, "max_position_embeddings", 0) or 0
        return CHECKERS["long inference" if window >= _LONG else "inference"]
    return CHECKERS["yes or no" if len(labels) == 2 else "other"]


def _templated(name: str, checker: Checker, *, download: bool) -> Reader:
    """Return a reader that is given passages and statement as one text.

    ModelError where the model cannot be loaded; no code that comes with it is run.
    """
    try:
        import transformers
    except ImportError:
        raise ConfigError(
            f"the reader {name!r} needs transformers, which is not installed; run: "
            "pip install 'groundrules[sbert]'"
        ) from None
    local = Path(name).is_dir() or not download
    with loading(f"the reader {name!r}", local):
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, local_files_only=local)
        kind = transformers.AutoModelForSequenceClassification
        model = kind.from_pretrained(name, local_files_only=local).eval().to(device())

    def score(pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        try:
            return _alone([_written(pair, checker, tokenizer, model) for pair in pairs])
        except Exception as error:  # torch and the tokenizers raise their own
            raise _no_score(name) from error

    question = f"{checker.template} {checker.pieces}"
    return Reader(
        Path(name).name,
        _beside(score),
        question=question,
        words=checker.words,
        weights=functools.cache(lambda: weights_of(model)),
    )


def _written(pair: tuple[str, str], checker: Checker, tokenizer: Any, model: Any) -> float:
    """Return how likely "yes" is beside "no", of a pair written as one text.

    Where it does not fit the last words of the passages are left out.
    """
    import torch

    words, statement = pair[0].split(" "), pair[1][_begin(pair[1]) :]
    end = tokenizer.eos_token or tokenizer.sep_token
    pieces = min(checker.pieces, tokenizer.model_max_length)
    while True:
        text = checker.template.format(passages=" ".join(words), end=end, statement=statement)
        encoded = tokenizer(text, return_tensors="pt")
        over = encoded["input_ids"].shape[1] - pieces
        if over <= 0 or len(words) == 1:
            break
        words = words[: max(1, len(words) - max(1, over // 3))]
    encoded = {key: value[:, :pieces].to(model.device) for key, value in encoded.items()}
    with torch.no_grad():
        logits = model(**encoded).logits[0]
    no, yes = map(float, logits)
    if not math.isfinite(yes - no):
        raise ValueError("no number")
    return sigmoid(yes - no)


def _columns(labels: Mapping[int, str], name: str) -> tuple[int, int | None]:
    """Return the columns of entailment and of contradiction, None where no label means the latter.

    Raises:
        ModelError: several labels begin like contradiction.
    """
    said = {place: one.casefold() for place, one in labels.items()}
    entailed = [n for n, one in said.items() if one.startswith(_ENTAILED)]
    against = [n for n, one in said.items() if one.startswith(("contra", "refut"))]
    if len(against) > 1:
        raise ModelError(f"the reader {name!r} has several labels for contradiction")
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


def _alone(scores: Sequence[float]) -> list[Entailment]:  # of the rest nothing is known
    return [Entailment(score, (1 - score) / 2, (1 - score) / 2) for score in scores]


def _no_score(name: str) -> ModelError:
    return ModelError(
        f"the reader {name!r} gives what is no score; expected finite numbers, a row a pair"
    )
