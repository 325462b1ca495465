"""Laws of entailment: the shipped model, any CrossEncoder, one output, and what is no score."""

from __future__ import annotations

import copy
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrules.errors import ConfigError, GroundrulesError, ModelError
from groundrules.models import passage_scorer, readers
from groundrules.models.encoder import FOLDER
from groundrules.models.passage_scorer import Head, write_head
from groundrules.models.readers import (
    ASKED,
    CHECKERS,
    KEPT,
    WINDOW,
    Asked,
    Entailment,
    Reader,
    checker_of,
    open_reader,
    read_statements,
    wrong_words,
)
from tests.models.test_passage_scorer import random_encoder

PREMISE = "This Agreement: the law of New York."
PAIRS = [
    (PREMISE, "The law is that of New York."),
    (PREMISE, "- The law is that of Delaware."),
    ("", ""),
    ("x " * 4000, "東京 e\u0301 \ud800 \x00 [SEP]"),
    (PREMISE, "York " * 300),
]


def shipped() -> passage_scorer.Scorer:
    """Return a scorer to be bent, with the tensors of the shipped one."""
    return copy.copy(passage_scorer.read_scorer(readers._shipped()))


def read_pairs(pairs: Sequence[tuple[str, str]], reader: Reader) -> list[Entailment]:
    """Return what a reader makes of (premise, statement) pairs."""
    asked = [Asked(statement, (premise,)) for premise, statement in pairs]
    return [one for one in read_statements(asked, reader) if isinstance(one, Entailment)]


def total(one: Entailment) -> float:
    return one.entailed + one.contradicted + one.neither


# ---- the shipped model


@settings(max_examples=10)
@given(st.permutations(PAIRS), st.integers(1, len(PAIRS)))
def test_a_score_does_not_depend_on_the_other_pairs(
    pairs: list[tuple[str, str]], size: int
) -> None:
    model = open_reader("embedded")
    model.known.clear()
    together = read_pairs(pairs[:size], model)
    model.known.clear()
    for pair, one in zip(pairs, together, strict=False):
        (alone,) = read_pairs([pair], model)
        assert one == alone


@settings(max_examples=30)
@given(st.text(max_size=80), st.text(max_size=60))
def test_any_text_has_shares_that_sum_to_one_and_wrong_words_of_its_own(
    premise: str, statement: str
) -> None:
    (one,) = read_pairs([(premise, statement)], open_reader("embedded"))

    assert total(one) == pytest.approx(1)
    if one.wrong is not None:
        start, end = one.wrong
        assert 0 <= start < end <= len(statement)
        assert statement[start:end] == statement[start:end].strip()


def test_no_pairs_have_no_scores() -> None:
    assert read_pairs([], open_reader("embedded")) == []


def test_what_was_scored_is_kept_and_no_more_than_a_bounded_number() -> None:
    asked: list[int] = []

    def read(told: Sequence[Asked]) -> list[Entailment]:
        asked.append(len(told))
        return [Entailment(1, 0, 0) for _ in told]

    model = Reader("", read)
    pairs = [("", str(n)) for n in range(KEPT + 7)]

    assert len(read_pairs([*pairs, *pairs], model)) == 2 * len(pairs)
    read_pairs(pairs[-3:], model)

    assert asked == [len(pairs)]
    assert len(model.known) == KEPT


def test_one_window_has_the_statement_and_as_much_of_the_premise_as_fits() -> None:
    sizes: list[tuple[int, int]] = []

    class Spy(passage_scorer.Scorer):
        def run(self, rows: Any, outputs: Any, **settings: Any) -> Any:
            sizes.extend((len(ids), len(ids) - start - 1) for _, ids, start in rows)
            return super().run(rows, outputs, **settings)

    read = shipped()
    read.__class__ = Spy
    readers._read(PAIRS, read, "spy")

    assert all(size <= WINDOW and asked <= ASKED for size, asked in sizes)
    assert (WINDOW, ASKED) in [(size, ASKED) for size, _ in sizes]
    assert max(asked for _, asked in sizes) == ASKED


# ---- wrong words


def test_the_wrongest_word_stands_with_those_that_are_nearly_as_wrong() -> None:
    said = "The rent is five thousand dollars."
    spans = [(0, 3), (4, 8), (9, 11), (12, 16), (17, 25), (26, 33), (33, 34)]
    odds = [-5.0, -5.0, -5.0, 2.0, 1.0, -3.0, 4.0]

    found = wrong_words(said, spans, odds)

    assert found is not None
    assert said[slice(*found)] == "five thousand"


def test_a_word_of_several_pieces_is_wrong_as_a_whole() -> None:
    assert wrong_words("an unthinkable act", [(0, 2), (3, 5), (5, 14), (15, 18)],
                       [-9.0, -9.0, 3.0, -9.0]) == (3, 14)  # fmt: skip


@given(st.text(max_size=30))
def test_without_pieces_no_word_is_wrong(said: str) -> None:
    assert wrong_words(said, [], []) is None


# ---- an exported model that is odd


class Odd:
    """A session whose outputs are what a test wants."""

    def __init__(self, **outputs: Any) -> None:
        self.outputs = outputs

    def run(self, names: Sequence[str], inputs: Any) -> list[Any]:
        n, t = inputs["input_ids"].shape
        return [np.asarray(self.outputs[name](n, t)) for name in names]


@pytest.mark.parametrize(
    ("labels", "pieces"),
    [
        (lambda n, t: np.full((n, 3), np.nan), lambda n, t: np.zeros((n, t))),
        (lambda n, t: np.full((n, 3), np.inf), lambda n, t: np.zeros((n, t))),
        (lambda n, t: np.zeros((n, 2)), lambda n, t: np.zeros((n, t))),
        (lambda n, t: np.zeros((n, 3)), lambda n, t: np.zeros((n, t + 1))),
        (lambda n, t: np.zeros((n, 3)), lambda n, t: np.full((n, t), np.nan)),
        (lambda n, t: np.zeros((n + 1, 3)), lambda n, t: np.zeros((n, t))),
        (lambda n, t: np.zeros(()), lambda n, t: np.zeros((n, t))),
    ],
)
def test_what_is_no_score_is_one_clear_error(labels: Any, pieces: Any) -> None:
    read = shipped()
    read._session = Odd(labels=labels, pieces=pieces)

    with pytest.raises(ModelError, match="no score") as error:
        readers._read(PAIRS[:2], read, "odd")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [("model.onnx", "not a model"), ("shared.json", "[]"), ("shared.json", "{}")],
)
def test_a_damaged_folder_is_one_clear_error(tmp_path: Path, name: str, text: str) -> None:
    shipped = readers._shipped()
    for file in ("model.onnx", "shared.json"):
        if (shipped / file).exists():
            (tmp_path / file).write_bytes((shipped / file).read_bytes())
    (tmp_path / name).write_text(text)

    with pytest.raises(ModelError) as error:
        open_reader(str(tmp_path))
    assert "\n" not in str(error.value)


# ---- other models


@pytest.mark.parametrize(
    "labels",
    [
        ["contradiction", "entailment", "neutral"],
        ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"],
        ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"],
        ["not_entailment", "entailment"],
        ["LABEL_0"],
    ],
)
def test_a_cross_encoder_speaks_by_its_own_labels(tmp_path: Path, labels: list[str]) -> None:
    name = random_encoder(tmp_path, labels)
    encoder = passage_scorer.cross_encoder(name)
    rows = encoder.shares([(PREMISE, "this law"), (PREMISE, "new york")])
    low = [one.casefold() for one in labels]
    column = next((n for n, one in enumerate(low) if one.startswith(("entail", "support"))), 0)

    found = read_pairs([(PREMISE, "this law"), (PREMISE, "new york")], open_reader(name))

    assert [one.entailed for one in found] == pytest.approx(list(rows[:, column]))
    assert all(total(one) == pytest.approx(1) and one.wrong is None for one in found)
    if len(labels) == 3:
        against = next(n for n, one in enumerate(low) if one.startswith(("contra", "refut")))
        assert [one.contradicted for one in found] == pytest.approx(list(rows[:, against]))
    else:
        assert all(one.contradicted == one.neither for one in found)


def test_labels_that_say_nothing_of_entailment_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no label for entailment"):
        open_reader(random_encoder(tmp_path, ["LABEL_0", "LABEL_1", "LABEL_2"]))


def test_a_cross_encoder_of_no_numbers_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = open_reader(random_encoder(tmp_path, ["contradiction", "entailment", "neutral"]))
    monkeypatch.setattr(
        passage_scorer.CrossEncoder, "shares", lambda _, pairs: np.full((len(pairs), 3), np.nan)
    )

    with pytest.raises(ModelError, match="no score"):
        read_pairs([(PREMISE, "this law")], model)


def test_a_head_says_how_likely_a_statement_is_entailed(tmp_path: Path) -> None:
    write_head(Head(passage_scorer.embedded().digest, (0.0,) * 768, 0.0), tmp_path)

    (one,) = read_pairs([PAIRS[0]], open_reader(str(tmp_path)))

    assert one.entailed == passage_scorer.score_support([PAIRS[0]])[0]
    assert one.contradicted == one.neither


def test_a_hub_is_asked_only_by_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    asked: list[bool] = []

    def load(name: str, *, device: str, local_files_only: bool) -> None:
        asked.append(local_files_only)
        raise OSError("not here")

    monkeypatch.setattr(sentence_transformers, "CrossEncoder", load)
    with pytest.raises(ConfigError, match="only for --scorer"):
        open_reader("some/model")
    with pytest.raises(ModelError, match="cannot be loaded"):
        open_reader("some/model", download=True)

    assert asked == [True, False]


@pytest.mark.slow
@pytest.mark.enable_socket
@pytest.mark.parametrize("option", ["scorer", "readers"])
def test_no_line_to_the_hub_is_opened_for_what_a_file_names(tmp_path: Path, option: str) -> None:
    """Its client asks it of its own accord, for files that are here too."""
    value = '"some/model"' if option == "scorer" else '["some/model"]'
    (tmp_path / "groundrules.toml").write_text(f"{option} = {value}\n")
    (tmp_path / "text.txt").write_text("The rent is $950.")
    with closing(socket.create_server(("127.0.0.1", 0))) as hub:
        hub.settimeout(0)
        place = f"http://127.0.0.1:{hub.getsockname()[1]}"
        done = subprocess.run(
            [sys.executable, "-m", "groundrules", "check", "text.txt", "--context", "text.txt"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "HF_ENDPOINT": place, "HF_HOME": str(tmp_path / "hub")},
        )  # fmt: skip
        assert "a hub is asked only for --scorer or --network" in done.stderr
        with pytest.raises(BlockingIOError):
            hub.accept()


def test_a_slip_in_a_name_asks_no_hub() -> None:
    with pytest.raises(ConfigError, match="did you mean 'embedded'"):
        open_reader("embeded", download=True)


@pytest.mark.parametrize("name", ["/gone/scorer", "./gone", "gone/"])
@pytest.mark.parametrize("download", [False, True])
def test_a_folder_that_is_not_there_is_one_clear_error(name: str, download: bool) -> None:
    with pytest.raises(GroundrulesError, match=r"no such folder"):
        open_reader(name, download=download)


# ---- models that want the pair in words of their own


def generator(folder: Path) -> None:
    """Write an untrained sequence-to-sequence model with the word pieces of MiniLM."""
    transformers = pytest.importorskip("transformers")
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    config = transformers.T5Config(vocab_size=31_000, decoder_start_token_id=0, **sizes)
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    transformers.BertTokenizerFast(str(FOLDER / "vocab.txt")).save_pretrained(folder)


@pytest.mark.parametrize("kind", ["writer", "yes or no"])
def test_a_checker_is_asked_in_its_own_words_and_reads_each_pair_alone(
    tmp_path: Path, kind: str
) -> None:
    """It is known by its architecture and labels, and not by the name of its folder."""
    folder = tmp_path / "my-nli-model"
    folder.mkdir()
    if kind == "writer":
        generator(folder)
    else:
        random_encoder(folder, ["LABEL_0", "LABEL_1"])
    reader = open_reader(str(folder))
    pairs = [(PREMISE, "this law"), ("x " * 4000, "new york"), ("", "")]

    together = read_pairs(pairs, reader)
    reader.known.clear()

    assert together == [read_pairs([pair], reader)[0] for pair in pairs]
    assert all(0 < one.entailed < 1 and one.contradicted == one.neither for one in together)
    assert reader.words == CHECKERS[kind].words
    assert ("predict: " in reader.question) == (kind == "writer")


@pytest.mark.parametrize(
    ("labels", "window", "kind"),
    [
        (["contradiction", "entailment", "neutral"], 512, "inference"),
        (["entailment", "not_entailment"], 1280, "long inference"),
        (["LABEL_0", "LABEL_1"], 512, "yes or no"),
        (["LABEL_0"], 512, "other"),
    ],
)
def test_how_a_model_is_asked_its_labels_and_window_say(
    tmp_path: Path, labels: list[str], window: int, kind: str
) -> None:
    folder = tmp_path / "minicheck-flan-t5-nli"
    folder.mkdir()
    config = {
        "model_type": "bert",
        "architectures": ["BertForSequenceClassification"],
        "id2label": dict(enumerate(labels)),
        "max_position_embeddings": window,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    pytest.importorskip("transformers")
    assert checker_of(str(folder)) is CHECKERS[kind]


@pytest.mark.parametrize("labels", [["contradiction", "entailment", "neutral"], ["no", "yes"]])
def test_other_weights_in_the_same_folder_are_another_reader(
    tmp_path: Path, labels: list[str]
) -> None:
    transformers = pytest.importorskip("transformers")
    name = random_encoder(tmp_path, labels)
    digests = []
    for more in (0, 0, 1):
        model = transformers.AutoModelForSequenceClassification.from_pretrained(name)
        model.classifier.bias.data += more
        model.save_pretrained(name)
        open_reader.cache_clear()
        passage_scorer.cross_encoder.cache_clear()
        digests.append(open_reader(name).digest)
    assert digests[0] == digests[1] != digests[2]


def test_another_head_in_the_same_folder_is_another_reader(tmp_path: Path) -> None:
    digests = []
    for bias in (0.0, 1.0):
        write_head(Head(passage_scorer.embedded().digest, (0.0,) * 768, bias), tmp_path)
        open_reader.cache_clear()
        digests.append(open_reader(str(tmp_path)).digest)
    assert len(set(digests)) == 2


@pytest.mark.parametrize("there", [True, False])
def test_a_model_runs_on_a_gpu_where_there_is_one(
    there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: there)
    assert passage_scorer.device() == ("cuda" if there else "cpu")


@pytest.mark.parametrize("pattern", CHECKERS)
def test_each_checker_has_room_for_its_passages_and_a_statement(pattern: str) -> None:
    one = CHECKERS[pattern]

    assert one.words * 1.4 + ASKED <= one.pieces
    assert not one.template or {"{passages}", "{end}", "{statement}"} <= set(
        re.findall(r"{\w+}", one.template)
    )


def test_no_code_that_comes_with_a_model_is_run(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    folder = tmp_path / "minicheck-evil"
    folder.mkdir()
    (folder / "config.json").write_text(
        '{"model_type": "evil", "auto_map": {"AutoConfig": "evil.Evil", '
        '"AutoModelForSequenceClassification": "evil.Evil"}}'
    )
    (folder / "evil.py").write_text("raise SystemExit('run')")

    with pytest.raises(ModelError, match="cannot be loaded") as error:
        open_reader(str(folder))
    assert "\n" not in str(error.value)
