"""Label vectors: all-MiniLM-L6-v2 without torch, or any sentence-transformers model.

The embedded model (``groundrules/models/minilm``, made by ``training/minilm/export.py``) is the
official one as ONNX (see ``groundrules/models/encoder.py``). Vectors are kept in memory and on disk
by (model hash, text).
"""

from __future__ import annotations

import functools
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.config import cache_folder
from groundrules.errors import ConfigError
from groundrules.models.encoder import OnnxEncoder, embedded
from groundrules.models.passage_scorer import loading
from groundrules.sqlite import Table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

EMBEDDED = "embedded"
#: Vectors kept in memory and on disk (384 x 4 bytes each: 30 MB and 300 MB).
MEMORY_ROWS = 20_000
DISK_ROWS = 200_000
_TABLE = (
    "CREATE TABLE vectors (id INTEGER PRIMARY KEY, model TEXT NOT NULL,"
    " text BLOB NOT NULL, vector BLOB NOT NULL, UNIQUE (model, text))"
)


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
    distinct = list(dict.fromkeys(labels))
    known = _cache().read(encoder.digest, distinct)
    missing = [label for label in distinct if label not in known]
    if missing:
        fresh = encoder.encode(missing)
        found = dict(zip(missing, fresh, strict=True))
        _cache().write(encoder.digest, found)
        known.update(found)
    if not distinct:
        return np.zeros((0, encoder.width), np.float32)
    return np.stack([known[label] for label in labels])


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


class VectorCache:
    """Vectors by (model digest, text), in memory and in one SQLite file.

    Texts are kept as their SHA-256 only, since a document may be confidential. Both stores are
    bounded, the oldest go first. The file may be shared by processes; if it is missing,
    damaged, locked or read-only the cache works without it. `path` None means memory only.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._memory: OrderedDict[tuple[str, str], Vectors] = OrderedDict()
        self._lock = threading.Lock()
        self._table = Table(path, _TABLE, most=DISK_ROWS) if path else None

    def read(self, model: str, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors that are known."""
        with self._lock:
            found = {t: self._memory[model, t] for t in texts if (model, t) in self._memory}
            missing = [text for text in texts if text not in found]
            if missing and self._table is not None:
                stored = self._read_file(self._table, model, missing)
                self._remember(model, stored)
                found.update(stored)
        return found

    def write(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors."""
        with self._lock:
            self._remember(model, vectors)
            if self._table is not None:
                self._write_file(self._table, model, vectors)

    def _remember(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        for text, vector in vectors.items():
            self._memory[model, text] = vector
        while len(self._memory) > MEMORY_ROWS:
            self._memory.popitem(last=False)

    def _read_file(self, table: Table, model: str, texts: Sequence[str]) -> dict[str, Vectors]:
        import numpy as np

        keys = {_key(text): text for text in texts}
        found: dict[str, Vectors] = {}
        listed = list(keys)
        for chunk in (listed[at : at + 500] for at in range(0, len(listed), 500)):
            marks = ",".join("?" * len(chunk))
            query = f"SELECT text, vector FROM vectors WHERE model = ? AND text IN ({marks})"  # noqa: S608 - marks alone
            for key, blob in table.select(query, (model, *chunk)):
                if not isinstance(blob, bytes) or len(blob) % 4:
                    continue
                vector = np.frombuffer(blob, "<f4").astype(np.float32)
                if abs(float(vector @ vector) - 1) < 1e-3:  # false for what is not a number
                    found[keys[key]] = vector
        return found

    def _write_file(self, table: Table, model: str, vectors: Mapping[str, Vectors]) -> None:
        rows = [(model, _key(text), v.astype("<f4").tobytes()) for text, v in vectors.items()]
        table.write("INSERT OR IGNORE INTO vectors (model, text, vector) VALUES (?, ?, ?)", rows)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _cache() -> VectorCache:
    """Return the cache of this process at the place the environment names."""
    folder = cache_folder()
    return _cache_at(folder / "embeddings.sqlite" if folder else None)


@functools.lru_cache(8)
def _cache_at(path: Path | None) -> VectorCache:
    return VectorCache(path)
