"""Label vectors: all-MiniLM-L6-v2 without torch, or any sentence-transformers model.

The embedded model (``groundrules/models/minilm``, made by ``training/minilm/export.py``) is the
official one as ONNX (see ``groundrules/models/encoder.py``). Vectors are kept in memory by model
and text.
"""

from __future__ import annotations

import functools
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.errors import ConfigError
from groundrules.models.encoder import OnnxEncoder, embedded
from groundrules.models.passage_scorer import loading

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

EMBEDDED = "embedded"
#: Vectors that are kept, 384 x 4 bytes each: 30 MB.
MOST_KEPT = 20_000
_known: OrderedDict[tuple[str, str], Vectors] = OrderedDict()
_lock = threading.Lock()


def encode(labels: Sequence[str], *, model: str = EMBEDDED) -> Vectors:
    """Return the vectors of the labels, float32 (n, d) with rows of length 1, in their order.

    `model` is "embedded" (all-MiniLM-L6-v2, d = 384) or the hub name or folder of a
    sentence-transformers model. Each distinct label is computed once; known ones come from the
    cache. A text counts up to its 256th word piece.

    Raises:
        ConfigError: the model needs the extra [sbert].
        ModelError: the model cannot be loaded.
    """
    import numpy as np

    encoder = _encoder(model)
    labels = [encoder.as_read(label) for label in labels]
    keys = dict.fromkeys((encoder.digest, label) for label in labels)
    with _lock:
        found = {key: _known[key] for key in keys if key in _known}
    missing = [key for key in keys if key not in found]
    if missing:
        fresh = encoder.encode([label for _, label in missing])
        found |= dict(zip(missing, fresh, strict=True))
        with _lock:
            _known.update({key: found[key] for key in missing})
            while len(_known) > MOST_KEPT:
                _known.popitem(last=False)
    if not labels:
        return np.zeros((0, encoder.width), np.float32)
    return np.stack([found[encoder.digest, label] for label in labels])


def digest(model: str = EMBEDDED) -> str:
    """Return the SHA-256 of a model: the same digest, the same vectors.

    Raises:
        ConfigError: the model needs the extra [sbert].
        ModelError: the model cannot be loaded.
    """
    return _encoder(model).digest


def _encoder(model: str) -> OnnxEncoder | SentenceEncoder:
    return embedded() if model == EMBEDDED else _sentence_encoder(model)


class SentenceEncoder:
    """A sentence-transformers model, by hub name or folder."""

    def __init__(self, name: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise ConfigError(
                f"the embedding model {name!r} needs sentence-transformers, which is not "
                f"installed; only {EMBEDDED!r} works without; run: "
                "pip install 'groundrules[sbert]'"
            ) from None
        local = Path(name).is_dir()
        expected = f"of a sentence-transformers model, or {EMBEDDED!r}"
        what = f"the embedding model {name!r}"
        with loading(what, local, f"; expected a folder or hub name {expected}"):
            self._model = SentenceTransformer(name, device="cpu", local_files_only=local)
        state = hashlib.sha256()
        for key, tensor in sorted(self._model.state_dict().items()):
            state.update(f"{key} {tuple(tensor.shape)} {tensor.dtype}".encode())
            state.update(tensor.detach().cpu().float().numpy().tobytes())
        state.update(str(self._model.get_max_seq_length()).encode())
        self.digest = state.hexdigest()
        self.width = len(self.encode([""])[0])

    def as_read(self, text: str) -> str:
        """Return a text as it is: what a model makes of its capitals is its own affair."""
        return text

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the unit vectors of the texts."""
        import numpy as np

        found = self._model.encode(
            list(texts),
            batch_size=64,
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        return np.asarray(found, dtype=np.float32)


@functools.lru_cache(4)
def _sentence_encoder(name: str) -> SentenceEncoder:
    return SentenceEncoder(name)
