"""MiniLM: its word pieces, its session, and the vectors of all-MiniLM-L6-v2 without torch.

Label vectors (``models/embed.py``), the vectors of records (``kb/search/retrieval.py``) and the
support scorer (``models/passage_scorer.py``) are the same encoder, the last with other upper
layers. Text becomes word pieces here, by the rules of BERT's uncased tokenizer.
"""

from __future__ import annotations

import bisect
import functools
import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules.errors import ModelError
from groundrules.models.shipped import folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

#: Where the files of the embedded model are (made by ``training/minilm/export.py``).
FOLDER = folder("minilm")
#: The file of a model in its folder.
MODEL = "model.onnx"
#: Word pieces of a text that count, the two marks at its ends included, as in the original.
MAX_TOKENS = 256

#: The id of a place without a piece.
NONE = -1
#: The pieces of a run at most: more are not read faster, and take memory.
TOGETHER = 1024

_WINDOW = MAX_TOKENS - 2


def open_session(path: Path, shared: Mapping[str, npt.NDArray[np.generic]] | None = None) -> Any:
    """Return an onnxruntime session of one thread over a model file.

    `shared` are the arrays of those initializers that the file only declares.

    Raises:
        ModelError: onnxruntime cannot load the file.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # more threads spin at barriers on busy cores and gain nothing on short texts
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        if shared:
            values = [onnxruntime.OrtValue.ortvalue_from_numpy(a) for a in shared.values()]
            options.add_external_initializers(list(shared), values)
        return onnxruntime.InferenceSession(
            # by path: handing over the bytes takes 24 MB more
            str(path),
            options,
            providers=["CPUExecutionProvider"],
        )
    except Exception as error:  # onnxruntime raises classes of its C++ side
        raise ModelError(f"onnxruntime cannot load the embedded model: {error}") from error


_PLAIN = re.compile(r"[\t\n\r -~]*\Z")  # texts for which the tables are not needed
_PLAIN_WORD = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9\s]")
_LONGEST_WORD = 100  # code points; a longer one is unknown, as in the original


class Tokenizer:
    """BERT's uncased WordPiece: clean, split, lower, strip accents, longest match first.

    Equal to the original's `tokenizers` file on every text (see the tests). Source:
    Devlin et al. 2019; Schuster and Nakajima 2012.
    """

    def __init__(self, vocabulary: Sequence[str], characters: Mapping[str, Any]) -> None:
        self._rows = {piece: row for row, piece in enumerate(vocabulary)}
        self._map: Mapping[str, str] = characters["map"]
        self._ranges = {
            kind: ([first for first, _ in characters[kind]], characters[kind])
            for kind in ("drop", "space", "split")
        }
        self._kind = functools.lru_cache(10_000)(self._find_kind)
        self._unknown = self._rows["[UNK]"]
        self.first, self.last = self._rows["[CLS]"], self._rows["[SEP]"]
        marks = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
        self._mark = re.compile("|".join(re.escape(mark) for mark in marks))
        self._split_word = functools.lru_cache(50_000)(self._match)
        text = "\n".join(vocabulary) + json.dumps(characters, sort_keys=True)
        self.digest = hashlib.sha256(text.encode()).hexdigest()

    def ids(self, text: str) -> list[int]:
        """Return the vocabulary rows of the text's pieces, without the marks at the ends."""
        if _PLAIN.match(text) and "[" not in text:
            return self._rows_of(_PLAIN_WORD.findall(text.lower()))
        out: list[int] = []
        at = 0
        for mark in self._mark.finditer(text):
            out += self._rows_of(self._words(text[at : mark.start()]))
            out.append(self._rows[mark[0]])
            at = mark.end()
        return out + self._rows_of(self._words(text[at:]))

    def _rows_of(self, found: Iterable[str]) -> list[int]:
        return [row for word in found for row in self._split_word(word)]

    def _words(self, text: str) -> Iterator[str]:
        """Yield the normal form of each word."""
        word = ""
        for char in self._normal(text):
            alone = self._kind(char) == "split"
            if (alone or char == " ") and word:
                yield word
                word = ""
            if alone:
                yield char
            elif char != " ":
                word += char
        if word:
            yield word

    def _normal(self, text: str) -> Iterator[str]:
        """Yield the characters of the normal form."""
        for char in self._canonical(text):
            kind = self._kind(char)
            if kind == "space":
                yield " "
            elif "\uac00" <= char <= "\ud7a3":
                yield from unicodedata.normalize("NFD", char)
            else:
                held = self._map.get(char, char)
                # an ideograph is a word once it is mapped
                apart = " " * (kind == "split" and self._kind(held[0]) != "split")
                yield from apart + held + apart

    def _canonical(self, text: str) -> list[str]:
        """Return the characters that are kept, combining marks in canonical order (UAX 15)."""
        chars = [char for char in text if self._kind(char) != "drop"]
        at = 0
        while at < len(chars):
            stop = at
            while stop < len(chars) and unicodedata.combining(chars[stop]):
                stop += 1
            chars[at:stop] = sorted(chars[at:stop], key=unicodedata.combining)
            at = stop + 1
        return chars

    def _find_kind(self, char: str) -> str:
        """Return drop, space, split or, for a plain character, nothing."""
        code = ord(char)
        for kind, (starts, ranges) in self._ranges.items():
            at = bisect.bisect_right(starts, code) - 1
            if at >= 0 and code < ranges[at][1]:
                return kind
        return ""

    def _match(self, word: str) -> tuple[int, ...]:
        """Return the rows of the longest matches from the left, or the one unknown."""
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                row = self._rows.get(word[start:end] if start == 0 else "##" + word[start:end])
                if row is not None:
                    found.append(row)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


def read_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of an exported model's folder; what it lacks is that of MiniLM."""

    def text(name: str) -> str:
        own = folder / name
        return (own if own.exists() else FOLDER / name).read_text("utf-8")

    vocabulary = text("vocab.txt").rstrip("\n").split("\n")
    return Tokenizer(vocabulary, json.loads(text("characters.json")))


def shared_arrays(folder: Path) -> tuple[dict[str, npt.NDArray[np.generic]], str]:
    """Return what an exported model shares with MiniLM, and the digest of MiniLM's file.

    Nothing and "" where the folder has no `shared.json`. Raises `ModelError` where that names
    another file than the one that is here, `OSError` where a file is missing.
    """
    import numpy as np

    if (folder / MODEL).exists() and not (folder / "shared.json").exists():
        return {}, ""
    shared = json.loads((folder / "shared.json").read_text("utf-8"))
    other = (FOLDER / MODEL).read_bytes()
    if hashlib.sha256(other).hexdigest() != shared["sha256"]:
        raise ModelError(
            "two of the embedded models are not of one release; install groundrules again, or run "
            "the export under training/",
            path=str(folder),
        )
    # copies, since the places in the file are not aligned; the session refers to them
    arrays = {
        name: np.frombuffer(other, kind, count=math.prod(shape), offset=at).reshape(shape).copy()
        for name, (kind, shape, at) in shared["arrays"].items()
    }
    return arrays, shared["sha256"]


@functools.cache
def embedded() -> OnnxEncoder:
    """Return the embedded model, loaded once a process; ModelError if it cannot be."""
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

    def as_read(self, text: str) -> str:
        """Return a text without capitals, which this model does not tell from small letters."""
        return text.lower() if _PLAIN.match(text) and "[" not in text else text

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the unit vectors of the texts."""
        import numpy as np

        ids = [self.tokenizer.ids(text)[:_WINDOW] for text in texts]
        out = np.zeros((len(texts), self.width), np.float32)
        marked = [[self.tokenizer.first, *found, self.tokenizer.last] for found in ids]
        for rows, array in batches(marked):
            (out[rows],) = self._session.run(["embedding"], {"input_ids": array})
        return out


def batches(ids: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], npt.NDArray[np.int64]]]:
    """Yield the numbers of rows that are run together, and their ids, padded to one length.

    The length depends on a row's own alone, so that what comes out depends on no other row.
    """
    import numpy as np

    lengths: dict[int, list[int]] = {}
    for row, sequence in enumerate(ids):
        size = len(sequence)
        step = 8 if size <= 8 else 16 if size <= 64 else 32
        lengths.setdefault(-(-size // step) * step, []).append(row)
    for length, rows in sorted(lengths.items()):
        for at in range(0, len(rows), max(1, TOGETHER // length)):
            batch = rows[at : at + max(1, TOGETHER // length)]
            array = np.full((len(batch), length), NONE, np.int64)
            for row, place in zip(batch, array, strict=True):
                place[: len(ids[row])] = ids[row]
            yield batch, array
