"""Label vectors: all-MiniLM-L6-v2 without torch, or any sentence-transformers model.

The embedded model (``groundrules/models/minilm``, made by ``training/minilm/export.py``) is the
official one as ONNX (see ``groundrules/minilm.py``). Vectors are kept in memory and on disk by
(model hash, text).
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundrules.config import cache_folder
from groundrules.errors import ConfigError, ModelError
from groundrules.minilm import FOLDER, open_session, read_tokenizer

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

__all__ = ["EMBEDDED", "TokenVectors", "digest", "encode", "encode_tokens"]

EMBEDDED = "embedded"
#: Word pieces of a text that count, the two marks at its ends included, as in the original.
MAX_TOKENS = 256
#: Vectors kept in memory and on disk (384 x 4 bytes each: 30 MB and 300 MB).
MEMORY_ROWS = 20_000
DISK_ROWS = 200_000

_WINDOW = MAX_TOKENS - 2
_log = logging.getLogger(__name__)


class TokenVectors(NamedTuple):
    """The word pieces of a text: their texts, unit vectors (t, 384), and code point ranges."""

    pieces: list[str]
    vectors: Vectors
    spans: list[tuple[int, int]]


def encode(labels: Sequence[str], *, model: str = EMBEDDED, batch_size: int = 64) -> Vectors:
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
    distinct = list(dict.fromkeys(labels))
    known = _cache().read(encoder.digest, distinct)
    missing = [label for label in distinct if label not in known]
    if missing:
        fresh = encoder.encode(missing, batch_size=batch_size)
        found = dict(zip(missing, fresh, strict=True))
        _cache().write(encoder.digest, found)
        known.update(found)
    if not distinct:
        return np.zeros((0, encoder.width), np.float32)
    return np.stack([known[label] for label in labels])


def encode_tokens(texts: Sequence[str], *, batch_size: int = 16) -> list[TokenVectors]:
    """Return for each text its word pieces with their vectors in context, of the embedded model.

    Vectors are rows of the last hidden layer scaled to length 1; spans are half-open code point
    ranges of the text. A text of more than 254 pieces is read in windows that overlap by half,
    and a piece takes its vector from the window in which it lies nearest the middle.

    Raises:
        ModelError: the embedded model cannot be loaded.
    """
    return _embedded().encode_tokens(texts, batch_size=batch_size)


def digest(model: str = EMBEDDED) -> str:
    """Return the SHA-256 of a model: the same digest, the same vectors.

    Raises:
        ConfigError: the model needs the extra [sbert].
        ModelError: the model cannot be loaded.
    """
    return _encoder(model).digest


def _encoder(model: str) -> OnnxEncoder | SentenceEncoder:
    return _embedded() if model == EMBEDDED else _sentence_encoder(model)


@functools.cache
def _embedded() -> OnnxEncoder:
    try:
        return OnnxEncoder(FOLDER)
    except OSError as error:
        raise ModelError(
            f"the embedded model is missing ({error.strerror}); expected model.onnx, vocab.txt and "
            "characters.json; install groundrules again, or run training/minilm/export.py",
            path=str(FOLDER),
        ) from None


class OnnxEncoder:
    """An exported model, from its folder, in an onnxruntime session of one thread."""

    width = 384

    def __init__(self, folder: Path) -> None:
        self.tokenizer = read_tokenizer(folder)
        with (folder / "model.onnx").open("rb") as file:
            weights = hashlib.file_digest(file, "sha256")
        weights.update(self.tokenizer.digest.encode())
        self.digest = weights.hexdigest()
        self._session = open_session(folder / "model.onnx")

    def encode(self, texts: Sequence[str], *, batch_size: int) -> Vectors:
        """Return the unit vectors of the texts."""
        import numpy as np

        ids = [self.tokenizer.ids(text)[:_WINDOW] for text in texts]
        out = np.zeros((len(texts), self.width), np.float32)
        for rows, vectors in self._run("embedding", ids, batch_size):
            out[rows] = vectors
        return out

    def encode_tokens(self, texts: Sequence[str], *, batch_size: int) -> list[TokenVectors]:
        """Return the unit vectors of the word pieces of the texts."""
        import numpy as np

        pieces = [self.tokenizer.pieces(text) for text in texts]
        windows = [(i, start) for i, found in enumerate(pieces) for start in _windows(len(found))]
        ids = [[p.id for p in pieces[i][at : at + _WINDOW]] for i, at in windows]
        vectors = [np.zeros((len(found), self.width), np.float32) for found in pieces]
        margin = [np.full(len(found), -1) for found in pieces]
        for rows, hidden in self._run("tokens", ids, batch_size):
            for row, vector in zip(rows, hidden[:, 1:-1], strict=True):
                i, at = windows[row]
                size = len(vector)
                place = np.arange(size)
                depth = np.minimum(place, size - 1 - place)
                better = depth > margin[i][at : at + size]
                margin[i][at : at + size][better] = depth[better]
                unit = vector / np.linalg.norm(vector, axis=1, keepdims=True)
                vectors[i][at : at + size][better] = unit[better]
        return [
            TokenVectors([p.text for p in found], rows, [(p.start, p.end) for p in found])
            for found, rows in zip(pieces, vectors, strict=True)
        ]

    def _run(
        self, output: str, ids: Sequence[Sequence[int]], batch_size: int
    ) -> Iterator[tuple[list[int], Vectors]]:
        """Yield row numbers and results by batches of equal length, so nothing is padded."""
        import numpy as np

        lengths: dict[int, list[int]] = {}
        for row, sequence in enumerate(ids):
            lengths.setdefault(len(sequence), []).append(row)
        first, last = self.tokenizer.first, self.tokenizer.last
        for _, rows in sorted(lengths.items()):
            for at in range(0, len(rows), batch_size):
                batch = rows[at : at + batch_size]
                array = np.array([[first, *ids[row], last] for row in batch], np.int64)
                (result,) = self._session.run([output], {"input_ids": array})
                yield batch, result


def _windows(length: int) -> Iterator[int]:
    """Yield where windows over `length` pieces start; each overlaps the next by half."""
    yield 0
    start = 0
    while start + _WINDOW < length:
        start = min(start + _WINDOW // 2, length - _WINDOW)
        yield start


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
        try:
            if Path(name).is_dir():
                self._model = SentenceTransformer(name, device="cpu", local_files_only=True)
            else:
                self._model = SentenceTransformer(name, device="cpu")
        except Exception as error:  # the hub, the files and torch each raise their own
            reason = str(error).strip().split("\n")[0] or type(error).__name__
            raise ModelError(
                f"the embedding model {name!r} cannot be loaded: {reason}; expected a folder or "
                f"hub name of a sentence-transformers model, or {EMBEDDED!r}"
            ) from error
        state = hashlib.sha256()
        for key, tensor in sorted(self._model.state_dict().items()):
            state.update(f"{key} {tuple(tensor.shape)} {tensor.dtype}".encode())
            state.update(tensor.detach().cpu().float().numpy().tobytes())
        state.update(str(self._model.get_max_seq_length()).encode())
        self.digest = state.hexdigest()
        self.width = len(self.encode([""], batch_size=1)[0])

    def encode(self, texts: Sequence[str], *, batch_size: int) -> Vectors:
        """Return the unit vectors of the texts."""
        import numpy as np

        found = self._model.encode(
            list(texts),
            batch_size=batch_size,
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
        self._database = self._open() if path else None

    def read(self, model: str, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors that are known."""
        with self._lock:
            found = {t: self._memory[model, t] for t in texts if (model, t) in self._memory}
            missing = [text for text in texts if text not in found]
            if missing and self._database is not None:
                stored = self._read_file(self._database, model, missing)
                self._remember(model, stored)
                found.update(stored)
        return found

    def write(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors."""
        with self._lock:
            self._remember(model, vectors)
            if self._database is not None:
                self._write_file(self._database, model, vectors)

    def _remember(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        for text, vector in vectors.items():
            self._memory[model, text] = vector
        while len(self._memory) > MEMORY_ROWS:
            self._memory.popitem(last=False)

    def _open(self) -> sqlite3.Connection | None:
        import sqlite3

        assert self.path is not None
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, timeout=1, check_same_thread=False)
            database.execute("PRAGMA synchronous = OFF")  # what a crash loses is computed again
            database.execute(
                "CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, model TEXT NOT NULL,"
                " text BLOB NOT NULL, vector BLOB NOT NULL, UNIQUE (model, text))"
            )
        except (OSError, sqlite3.Error) as error:
            _log.debug("no vector cache at %s: %s", self.path, error)
            return None
        return database

    def _read_file(
        self, database: sqlite3.Connection, model: str, texts: Sequence[str]
    ) -> dict[str, Vectors]:
        import sqlite3

        import numpy as np

        keys = {_key(text): text for text in texts}
        found: dict[str, Vectors] = {}
        try:
            for chunk in _chunks(list(keys), 500):
                marks = ",".join("?" * len(chunk))
                query = f"SELECT text, vector FROM vectors WHERE model = ? AND text IN ({marks})"  # noqa: S608
                for key, blob in database.execute(query, (model, *chunk)):
                    if len(blob) % 4:
                        continue
                    vector = np.frombuffer(blob, "<f4").astype(np.float32)
                    if abs(float(vector @ vector) - 1) < 1e-3:  # false for what is not a number
                        found[keys[key]] = vector
        except (sqlite3.Error, TypeError, KeyError) as error:
            _log.debug("cannot read the vector cache %s: %s", self.path, error)
        return found

    def _write_file(
        self, database: sqlite3.Connection, model: str, vectors: Mapping[str, Vectors]
    ) -> None:
        import sqlite3

        rows = [(model, _key(text), v.astype("<f4").tobytes()) for text, v in vectors.items()]
        try:
            with database:
                database.executemany(
                    "INSERT OR IGNORE INTO vectors (model, text, vector) VALUES (?, ?, ?)", rows
                )
                database.execute(
                    "DELETE FROM vectors WHERE id <= (SELECT max(id) FROM vectors) - ?",
                    (DISK_ROWS,),
                )
        except sqlite3.Error as error:
            _log.debug("cannot write the vector cache %s: %s", self.path, error)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _chunks(items: Sequence[bytes], size: int) -> Iterator[Sequence[bytes]]:
    return (items[at : at + size] for at in range(0, len(items), size))


def _cache() -> VectorCache:
    """Return the cache of this process at the place the environment names."""
    folder = cache_folder()
    return _cache_at(folder / "embeddings.sqlite" if folder else None, os.getpid())


@functools.lru_cache(8)
def _cache_at(path: Path | None, process: int) -> VectorCache:
    # a connection must not cross a fork, so the process belongs to the key
    return VectorCache(path)
