"""Does a passage support a value: p(entailment) of "{type}: {value}" given the passage.

The third step of SafePassage (arXiv 2510.00276). The shipped scorer (``models/scorer``, made by
``training/scorer/export.py``) is a MiniLM cross-encoder that shares its lower layers with the
embedder; a model of one's own or an LLM can take its place.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groundrules.errors import ConfigError, LLMError, ModelError
from groundrules.minilm import FOLDER, open_session, read_tokenizer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from groundrules.llm import Client

    Floats = npt.NDArray[np.float32]

__all__ = ["EMBEDDED", "LLM", "hypothesis", "score_support"]

EMBEDDED, LLM = "embedded", "llm"
#: Word pieces that are read at once, the three marks included, as in training.
WINDOW = 96
#: The largest number of pairs that is computed at once.
BATCH = 32

_SCORER = Path(__file__).parents[1] / "models" / "scorer"


def hypothesis(kind: str, value: str) -> str:
    """Return the hypothesis that a passage must support for a value of a type, "Judge: Roe"."""
    return f"{kind}: {value}"


def score_support(
    pairs: Sequence[tuple[str, str]], scorer: str = EMBEDDED, *, client: Client | None = None
) -> tuple[float, ...]:
    """Return p(entailment) of each (premise, hypothesis), from 0 to 1, in their order.

    `scorer` is "embedded", the hub name or folder of a sentence-transformers CrossEncoder, a
    folder that `groundrules train-scorer` made, or "llm", which asks `client` and gives 1 or 0.
    A score does not depend on the other pairs. A premise that is too long for the embedded scorer
    is read in windows that overlap by half, and the best of them counts.

    Raises:
        ConfigError: the scorer needs an extra, or a client that is not given.
        ModelError: the model cannot be loaded or has no label for entailment.
        LLMError: the LLM could not be asked about a pair.
    """
    distinct = list(dict.fromkeys(pairs))
    if not distinct:
        return ()
    known = dict(zip(distinct, _score(distinct, scorer, client), strict=True))
    return tuple(known[pair] for pair in pairs)


def _score(pairs: Sequence[tuple[str, str]], scorer: str, client: Client | None) -> Sequence[float]:
    if scorer == EMBEDDED:
        return embedded().score(pairs)
    if scorer == LLM:
        return _grade(pairs, client)
    return _cross_encoder(scorer).score(pairs)


_INSTRUCTIONS = """\
Somebody read the passage and took a value from it; the statement has the form "type: value".
Answer SUPPORTS if the passage by itself says that the value is of that type, in these or other
words. Answer INSUFFICIENT in every other case: if the passage states another value, if it states
the value as something else, if it leaves the type open, or if one had to know more than it says.
"""
_ANSWER = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["SUPPORTS", "INSUFFICIENT"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


def _grade(pairs: Sequence[tuple[str, str]], client: Client | None) -> list[float]:
    """Return 1.0 for SUPPORTS and 0.0 for INSUFFICIENT, as the LLM answers."""
    from groundrules.llm import Prompt

    if client is None:
        raise ConfigError("the scorer 'llm' needs a language model; name one with --llm")
    answers = client.ask_all(
        [
            Prompt("grade", _INSTRUCTIONS, (("passage", premise), ("statement", claim)), _ANSWER)
            for premise, claim in pairs
        ]
    )
    scores: list[float] = []
    for answer in answers:
        if isinstance(answer, LLMError):
            raise answer
        scores.append(float(answer["answer"] == "SUPPORTS"))
    return scores


class CrossEncoder:
    """A sentence-transformers CrossEncoder, by hub name or folder."""

    def __init__(self, name: str) -> None:
        try:
            import sentence_transformers
        except ImportError:
            raise ConfigError(
                f"the scorer {name!r} needs sentence-transformers, which is not installed; only "
                f"{EMBEDDED!r} and {LLM!r} work without; run: pip install 'groundrules[sbert]'"
            ) from None
        local = Path(name).is_dir()
        try:
            self._model = sentence_transformers.CrossEncoder(
                name, device="cpu", local_files_only=local
            )
        except Exception as error:  # the hub, the files and torch each raise their own
            reason = str(error).strip().split("\n")[0] or type(error).__name__
            raise ModelError(
                f"the scorer {name!r} cannot be loaded: {reason}; expected a folder or hub name "
                f"of a CrossEncoder, a folder of train-scorer, {EMBEDDED!r} or {LLM!r}"
            ) from error
        self._entailed = entailment(self._model.config.id2label, name)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return p(entailment): softmax over the labels, or the sigmoid of a single logit."""
        import numpy as np
        import torch

        logits = self._model.predict(
            list(pairs), show_progress_bar=False, activation_fn=torch.nn.Identity()
        )
        rows = np.asarray(logits, np.float64).reshape(len(pairs), -1)
        if self._entailed is None:
            return [float(p) for p in 1 / (1 + np.exp(-rows[:, 0]))]
        return [float(p) for p in _softmax(rows)[:, self._entailed]]


def entailment(labels: Mapping[int, str], name: str) -> int | None:
    """Return which label of a model means entailment, None for a model of one logit.

    Raises:
        ModelError: several labels, and not one of them begins with "entail" or "support".
    """
    if len(labels) == 1:
        return None
    found = [i for i, one in labels.items() if one.casefold().startswith(("entail", "support"))]
    if len(found) != 1:
        shown = ", ".join(str(one)[:30] for one in list(labels.values())[:6])
        raise ModelError(
            f"the scorer {name!r} has no label for entailment among {shown}; expected one named "
            "entailment in id2label of its config.json, or a model of one logit"
        )
    return found[0]


@functools.lru_cache(4)
def _cross_encoder(name: str) -> CrossEncoder:
    return CrossEncoder(name)


def _softmax(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    import numpy as np

    shares = np.exp(rows - rows.max(axis=1, keepdims=True))
    found: npt.NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
    return found


class Reading(NamedTuple):
    """What the scorer makes of pairs.

    `states` (n, 384) are the first rows of the last layer, `labels` (n, 3) the logits of
    entailment, neutral and contradiction, `pieces` for each pair the logits of its hypothesis's
    word pieces that they were put in.
    """

    states: Floats
    labels: Floats
    pieces: list[Floats]


class Scorer:
    """The shipped cross-encoder, from its folder."""

    def __init__(self, folder: Path) -> None:
        import numpy as np

        self.tokenizer = read_tokenizer(FOLDER)
        shared = json.loads((folder / "shared.json").read_text("utf-8"))
        other = (FOLDER / "model.onnx").read_bytes()
        if hashlib.sha256(other).hexdigest() != shared["sha256"]:
            raise ModelError(
                "the scorer and the label vectors are not of one release; install groundrules "
                "again, or run training/scorer/export.py",
                path=str(folder),
            )
        # copies: the places in the file are not aligned; kept, since the session only refers
        self._shared = {
            name: np.frombuffer(other, kind, count=int(np.prod(shape)), offset=offset)
            .reshape(shape)
            .copy()
            for name, (kind, shape, offset) in shared["arrays"].items()
        }
        self._session: Any = open_session(folder / "model.onnx", self._shared)
        total = hashlib.sha256(shared["sha256"].encode())
        total.update((folder / "model.onnx").read_bytes())
        self.digest = total.hexdigest()

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return p(entailment) of each pair, the best of its windows."""
        import numpy as np

        found, owners = self.read(pairs)
        shares = _softmax(found.labels.astype(np.float64))
        out = [0.0] * len(pairs)
        for owner, share in zip(owners, shares[:, 0], strict=True):
            out[owner] = max(out[owner], float(share))
        return out

    def read(self, pairs: Sequence[tuple[str, str]]) -> tuple[Reading, list[int]]:
        """Return what is read of each window of each pair, and the pairs they belong to."""
        import numpy as np

        split = functools.lru_cache(4096)(self.tokenizer.ids)
        rows: list[tuple[list[int], int]] = []
        owners: list[int] = []
        first, last = self.tokenizer.first, self.tokenizer.last
        for owner, (premise, claim) in enumerate(pairs):
            asked = split(claim)[: WINDOW // 2]
            given = split(premise)
            for part in windows(given, WINDOW - len(asked) - 3):
                rows.append(([first, *part, last, *asked, last], len(part) + 2))
                owners.append(owner)
        states = np.zeros((len(rows), 384), np.float32)
        labels = np.zeros((len(rows), 3), np.float32)
        pieces: list[Floats] = [np.zeros(0, np.float32)] * len(rows)
        lengths: dict[int, list[int]] = {}  # batches of one length need no padding
        for place, (ids, _) in enumerate(rows):
            lengths.setdefault(len(ids), []).append(place)
        for length, places in sorted(lengths.items()):
            for at in range(0, len(places), BATCH):
                batch = places[at : at + BATCH]
                array = np.array([rows[place][0] for place in batch], np.int64)
                starts = np.array([[rows[place][1]] for place in batch])
                kinds = (np.arange(length) >= starts).astype(np.int64)
                state, label, piece = self._session.run(
                    ["state", "labels", "pieces"], {"input_ids": array, "token_type_ids": kinds}
                )
                states[batch], labels[batch] = state, label
                for place, values in zip(batch, piece, strict=True):
                    pieces[place] = values[rows[place][1] : -1]
        return Reading(states, labels, pieces), owners


def windows(pieces: Sequence[int], size: int) -> list[Sequence[int]]:
    """Return runs of at most `size` pieces that cover all, each overlapping the next by half."""
    starts = [0]
    while starts[-1] + size < len(pieces):
        starts.append(min(starts[-1] + size // 2, len(pieces) - size))
    return [pieces[start : start + size] for start in starts]


@functools.cache
def embedded() -> Scorer:
    """Return the shipped scorer."""
    try:
        return Scorer(_SCORER)
    except OSError as error:
        raise ModelError(
            f"the embedded scorer is missing ({error.strerror}); expected model.onnx and "
            "shared.json; install groundrules again, or run training/scorer/export.py",
            path=str(_SCORER),
        ) from None
