"""Does a passage support a value: p(entailment) of "{type}: {value}" given the passage.

The third step of SafePassage (arXiv 2510.00276). The shipped scorer (``models/scorer``, made by
``training/scorer/export.py``) is a MiniLM cross-encoder that shares its lower layers with the
embedder; a model of one's own or an LLM can take its place.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groundrules.errors import ConfigError, LLMError, ModelError
from groundrules.files import write_atomically
from groundrules.models.encoder import batches, open_session, read_tokenizer, shared_arrays
from groundrules.models.shipped import folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from groundrules.llm.client import Client
    from groundrules.llm.prompt import Prompt

    Floats = npt.NDArray[np.float32]

EMBEDDED, LLM = "embedded", "llm"
#: Word pieces that are read at once, the three marks included, as in training.
WINDOW = 96
#: Windows of a premise that are read, those with most word pieces of the hypothesis.
MOST = 16
#: Words of a type that may be one word of a passage.
_RUN = 4
#: The file by which a folder of `groundrules train-scorer` is known.
HEAD = "head.json"
#: The file by which a folder of `training/scorer/export.py` is known.
MODEL = "model.onnx"

_SCORER = folder("scorer")


def hypothesis(kind: str, value: str) -> str:
    """Return the hypothesis that a passage must support for a value of a type, "Judge: Roe"."""
    return f"{kind}: {value}"


def as_spelled(kind: str, passage: str) -> str:
    """Return a type with the names in it as a passage spells them.

    What an identifier takes apart is one word there: of "owner of converg tv" and a passage about
    ConvergTV, "owner of ConvergTV".
    """
    words = kind.split()
    if len(words) < 2:
        return kind
    there = {word.casefold(): word for word in re.findall(r"\w+", passage)}
    out: list[str] = []
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + _RUN), at + 1, -1):
            if word := there.get("".join(words[at:end]).casefold()):
                out.append(word)
                at = end
                break
        else:
            out.append(words[at])
            at += 1
    return " ".join(out)


def score_support(
    pairs: Sequence[tuple[str, str]], scorer: str = EMBEDDED, *, client: Client | None = None
) -> tuple[float, ...]:
    """Return p(entailment) of each (premise, hypothesis), from 0 to 1, in their order.

    `scorer` is "embedded", the hub name or folder of a sentence-transformers CrossEncoder, a
    folder that `groundrules train-scorer` or `training/scorer/export.py` made, or "llm", which
    asks `client` and gives 1 or 0.
    A score does not depend on the other pairs. A premise that is too long for the embedded scorer
    is read in windows that overlap by half (at most 16), and the best of them counts.

    Raises:
        ConfigError: the scorer needs an extra, or a client that is not given.
        ModelError: the model cannot be loaded or has no label for entailment.
        LLMError: the LLM could not be asked about a pair.
    """
    # no passage supports nothing, whoever is asked
    distinct = [pair for pair in dict.fromkeys(pairs) if pair[0].strip()]
    scores = _score(distinct, scorer, client) if distinct else ()
    known = dict(zip(distinct, scores, strict=True))
    return tuple(known.get(pair, 0.0) for pair in pairs)


def _score(pairs: Sequence[tuple[str, str]], scorer: str, client: Client | None) -> Sequence[float]:
    if scorer == EMBEDDED:
        return embedded().score(pairs)
    if scorer == LLM:
        return _grade(pairs, client)
    if (Path(scorer) / HEAD).is_file():
        return read_head(Path(scorer)).score(pairs)
    if (Path(scorer) / MODEL).is_file():
        return read_scorer(Path(scorer)).score(pairs)
    return cross_encoder(scorer).score(pairs)


_INSTRUCTIONS = """\
Somebody read the passage and took a value from it; the statement has the form "type: value".
Answer SUPPORTS if the passage by itself says that the value is of that type, in these or other
words. Answer INSUFFICIENT in every other case: if the passage states another value, if it states
the value as something else, if it leaves the type open, or if one had to know more than it says.

Three examples.
Passage: they promised to be there on jun 14, 25
Statement: Date: 2025-06-14
SUPPORTS: it is that day, written in another way.
Passage: joe burrow, the claimant
Statement: Judge: Joe Burrow
INSUFFICIENT: he is the claimant.
Passage:
Statement: Hearing type: In Person
INSUFFICIENT: there is no passage.
"""
_ANSWER = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["SUPPORTS", "INSUFFICIENT"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


def grading(premise: str, claim: str) -> Prompt:
    """Return the question that an LLM grader is asked about a passage and a "type: value"."""
    from groundrules.llm.prompt import Prompt

    return Prompt("grade", _INSTRUCTIONS, (("passage", premise), ("statement", claim)), _ANSWER)


def _grade(pairs: Sequence[tuple[str, str]], client: Client | None) -> list[float]:
    """Return 1.0 for SUPPORTS and 0.0 for INSUFFICIENT, as the LLM answers."""
    if client is None:
        raise ConfigError("the scorer 'llm' needs a language model; name one with --llm")
    answers = client.ask_all([grading(premise, claim) for premise, claim in pairs])
    scores: list[float] = []
    for answer in answers:
        if isinstance(answer, LLMError):
            raise answer
        scores.append(float(answer["answer"] == "SUPPORTS"))
    return scores


class CrossEncoder:
    """A sentence-transformers CrossEncoder, by hub name or folder.

    `labels` are the names of its outputs in their order; without `download` nothing is fetched.
    """

    def __init__(self, name: str, *, download: bool = True) -> None:
        try:
            import sentence_transformers
        except ImportError:
            raise ConfigError(
                f"the model {name!r} needs sentence-transformers, which is not installed; run: "
                "pip install 'groundrules[sbert]'"
            ) from None
        local = Path(name).is_dir() or not download
        with loading(f"the model {name!r}", local, "; expected a folder or hub name"):
            self._model = sentence_transformers.CrossEncoder(
                name, device=device(), local_files_only=local
            )
        names: Mapping[int, str] = self._model.config.id2label
        self.labels = tuple(str(names[place]) for place in sorted(names))
        self.entailed = entailment(names, name)

    @functools.cached_property
    def weights(self) -> str:
        """The hash of its weights."""
        return weights_of(self._model.model)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return p(entailment) of each pair."""
        column = self.entailed or 0
        return [float(row[column]) for row in self.shares(pairs)]

    def shares(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
        """Return the softmax over the labels (n, labels), or the sigmoid of a single logit."""
        import numpy as np
        import torch

        logits = self._model.predict(
            list(pairs), show_progress_bar=False, activation_fn=torch.nn.Identity()
        )
        rows = np.asarray(logits, np.float64).reshape(len(pairs), -1)
        if self.entailed is None:
            return np.array([[_sigmoid(float(row[0]))] for row in rows])
        shares = np.exp(rows - rows.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


@contextmanager
def loading(what: str, local: bool, expected: str = "") -> Iterator[None]:
    """Have a model loaded, no hub asked about a `local` one; ModelError where it cannot be."""
    from huggingface_hub import constants
    from transformers.utils import logging

    logging.disable_progress_bar()  # of loading what is here; a download has its own
    before, constants.HF_HUB_OFFLINE = constants.HF_HUB_OFFLINE, local or constants.HF_HUB_OFFLINE
    try:
        yield
    except Exception as error:  # the hub, the files and torch each raise their own
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise ModelError(f"{what} cannot be loaded: {reason}{expected}") from error
    finally:
        constants.HF_HUB_OFFLINE = before


def device() -> str:
    """Return where a model of torch runs: on a GPU, if there is one."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def weights_of(model: Any) -> str:
    """Return the hash of the weights of a model of torch, wherever it was loaded from."""
    import torch

    total = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        total.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        total.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
    return total.hexdigest()


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
            f"the model {name!r} has no label for entailment among {shown}; expected one named "
            "entailment in id2label of its config.json, or a model of one logit"
        )
    return found[0]


@functools.lru_cache(4)
def cross_encoder(name: str, *, download: bool = True) -> CrossEncoder:
    """Return a CrossEncoder, loaded once; what is written as a path is looked for on no hub."""
    is_path = name.startswith(("/", ".", "~")) or name.endswith("/")
    if is_path and not Path(name).is_dir():
        raise ModelError("no such folder; expected a scorer", path=name)
    return CrossEncoder(name, download=download)


class Reading(NamedTuple):
    """What the scorer makes of pairs, each in the window that it finds best.

    `logits` (n,) are the log odds of entailment; `vectors` (n, 768) the first row of the last
    layer beside the mean of the rows of those word pieces of the hypothesis that the premise lacks
    (0 if it has all).
    """

    logits: npt.NDArray[np.float64]
    vectors: Floats


#: A pair's number, its word pieces, and where the hypothesis starts in them.
Row = tuple[int, Sequence[int], int]


class Scorer:
    """An exported cross-encoder, from its folder; tensors in `shared.json` are those of MiniLM."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = read_tokenizer(folder)
        self._shared, digest = shared_arrays(folder)
        self._session: Any = open_session(folder / MODEL, self._shared)
        total = hashlib.sha256(digest.encode())
        total.update((folder / MODEL).read_bytes())
        self.digest = total.hexdigest()

    def run(
        self, rows: Sequence[Row], outputs: Sequence[str]
    ) -> Iterator[tuple[Row, tuple[Floats, ...]]]:
        """Yield each row with its outputs, batch by batch."""
        import numpy as np

        for batch, ids in batches([ids for _, ids, _ in rows]):
            starts = np.array([[rows[row][2]] for row in batch])
            kinds = (np.arange(ids.shape[1]) >= starts).astype(np.int64)
            found = self._session.run(list(outputs), {"input_ids": ids, "token_type_ids": kinds})
            for row, values in zip(batch, zip(*found, strict=True), strict=True):
                size = len(rows[row][1])  # behind it no piece is
                yield (
                    rows[row],
                    tuple(v[:size] if v.shape[:1] == ids.shape[1:] else v for v in values),
                )

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return p(entailment) of each pair."""
        logits = self.read(pairs, vectors=False).logits
        return [_sigmoid(float(logit)) for logit in logits]

    def read(self, pairs: Sequence[tuple[str, str]], *, vectors: bool = True) -> Reading:
        """Return what is read of each pair; without `vectors` these are 0."""
        import numpy as np

        rows: list[Row] = []
        for place, pair in enumerate(pairs):
            rows += [(place, ids, start) for ids, start in self.windows(*pair)]
        best = Reading(np.full(len(pairs), -np.inf), np.zeros((len(pairs), 768), np.float32))
        outputs = ["labels", "tokens"] if vectors else ["labels"]
        for (place, pieces, start), (labels, *tokens) in self.run(rows, outputs):
            entailed, *others = labels.astype(np.float64)
            logit = entailed - np.logaddexp(*others)
            if logit > best.logits[place]:
                best.logits[place] = logit
                if vectors:
                    (layer,) = tokens
                    best.vectors[place, :384] = layer[0]
                    known = set(pieces[1:start])
                    new = [j for j in range(start, len(pieces) - 1) if pieces[j] not in known]
                    best.vectors[place, 384:] = layer[new].mean(axis=0) if new else 0.0
        return best

    def windows(self, premise: str, claim: str) -> list[tuple[list[int], int]]:
        """Return the word pieces of a pair, by window, and where the hypothesis starts in each."""
        asked = self.tokenizer.ids(claim)[: WINDOW // 2]
        given = self.tokenizer.ids(premise)
        size = WINDOW - len(asked) - 3
        starts = [0]
        while starts[-1] + size < len(given):
            starts.append(min(starts[-1] + size // 2, len(given) - size))
        if len(starts) > MOST:
            known = set(asked)
            shares = [sum(piece in known for piece in given[at : at + size]) for at in starts]
            order = sorted(range(len(starts)), key=lambda i: (-shares[i], i))
            starts = [starts[i] for i in sorted(order[:MOST])]
        first, last = self.tokenizer.first, self.tokenizer.last
        parts = [given[at : at + size] for at in starts]
        return [([first, *part, last, *asked, last], len(part) + 2) for part in parts]


@functools.lru_cache(4)
def read_scorer(folder: Path) -> Scorer:
    """Return the scorer of a folder, loaded once; ModelError where a file is wrong."""
    try:
        return Scorer(folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(
            f"not an exported scorer ({type(error).__name__}); expected {MODEL}, shared.json if it "
            "shares tensors, and vocab.txt if its word pieces are not MiniLM's",
            path=str(folder),
        ) from None


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


@dataclass(frozen=True, slots=True)
class Head:
    """What `train-scorer` fitted: log odds to add to those of the shipped scorer, by `slope`.

    `weights` are for the vectors of a `Reading`; `scorer` is the digest of the scorer whose
    vectors they are.
    """

    scorer: str
    weights: tuple[float, ...]
    bias: float
    slope: float = 1.0

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return p(entailment) of each pair."""
        import numpy as np

        found = embedded().read(pairs)
        weights = np.array(self.weights)
        # row by row: a product of matrices may round otherwise for one row than for many
        more = [float(row @ weights) for row in found.vectors.astype(np.float64)]
        return [
            _sigmoid(self.slope * float(logit) + extra + self.bias)
            for logit, extra in zip(found.logits, more, strict=True)
        ]


def write_head(head: Head, folder: Path) -> None:
    """Write a head into a folder."""
    text = json.dumps(dataclasses.asdict(head), separators=(",", ":"))
    write_atomically(folder / HEAD, f"{text}\n".encode())


def read_head(folder: Path) -> Head:
    """Return the head in a folder.

    Raises:
        ModelError: it is damaged, or made for other weights than those that are installed.
    """
    path = folder / HEAD
    try:
        data = json.loads(path.read_text("utf-8"))
        weights = tuple(float(weight) for weight in data["weights"])
        slope = float(data.get("slope", 1.0))
        head = Head(str(data["scorer"]), weights, float(data["bias"]), slope)
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise ModelError(
            "not a head of train-scorer; expected scorer, weights and bias", path=str(path)
        ) from None
    if len(weights) != 768 or not all(map(math.isfinite, (*weights, head.bias, slope))):
        raise ModelError("expected 768 finite weights, a finite bias and slope", path=str(path))
    if head.scorer != embedded().digest:
        raise ModelError(
            "made for another release of the shipped scorer; run groundrules train-scorer again",
            path=str(path),
        )
    return head


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else 1 - 1 / (1 + math.exp(logit))
