"""Laws of readers: any CrossEncoder, one output, what is no score, and what asks a hub."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from groundrules.errors import ConfigError, GroundrulesError, ModelError
from groundrules.models import passage_scorer
from groundrules.models.licences import Licence
from groundrules.models.readers import (
    CHECKERS,
    KEPT,
    Entailment,
    Probe,
    Reader,
    checker_of,
    open_reader,
    read_statements,
)
from tests.models.test_passage_scorer import random_encoder
from tests.rows import each

PREMISE = "This Agreement: the law of New York."


def read_pairs(pairs: Sequence[tuple[str, str]], reader: Reader) -> list[Entailment]:
    """Return what a reader makes of (premise, statement) pairs."""
    asked = [Probe(statement, (premise,)) for premise, statement in pairs]
    return [one for one in read_statements(asked, reader) if isinstance(one, Entailment)]


def total(one: Entailment) -> float:
    return one.entailed + one.contradicted + one.neither


def test_what_was_scored_is_kept_and_no_more_than_a_bounded_number() -> None:
    asked: list[int] = []

    def read(told: Sequence[Probe]) -> list[Entailment]:
        asked.append(len(told))
        return [Entailment(1, 0, 0) for _ in told]

    model = Reader("", read)
    pairs = [("", str(n)) for n in range(KEPT + 7)]

    assert len(read_pairs([*pairs, *pairs], model)) == 2 * len(pairs)
    read_pairs(pairs[-3:], model)

    assert asked == [len(pairs)]
    assert len(model.known) == KEPT


@each("labels")
def test_a_cross_encoder_speaks_by_its_own_labels(tmp_path: Path, labels: list[str]) -> None:
    name = random_encoder(tmp_path, labels)
    encoder = passage_scorer.cross_encoder(name)
    rows = encoder.shares([(PREMISE, "this law"), (PREMISE, "new york")])
    low = [one.casefold() for one in labels]
    column = next((n for n, one in enumerate(low) if one.startswith(("entail", "support"))), 0)

    found = read_pairs([(PREMISE, "this law"), (PREMISE, "new york")], open_reader(name))

    assert [one.entailed for one in found] == pytest.approx(list(rows[:, column]))
    assert all(total(one) == pytest.approx(1) for one in found)
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


def test_a_hub_is_asked_only_by_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    asked: list[bool] = []

    def load(name: str, *, device: str, local_files_only: bool) -> None:
        asked.append(local_files_only)
        raise OSError("not here")

    monkeypatch.setattr(sentence_transformers, "CrossEncoder", load)
    with pytest.raises(ConfigError, match="no hub is asked"):
        open_reader("some/model")
    with pytest.raises(ModelError, match="cannot be loaded"):
        open_reader("some/model", download=True)

    assert asked == [True, False]


@pytest.mark.slow
@pytest.mark.enable_socket
def test_no_line_to_the_hub_is_opened_for_a_reader_in_force(tmp_path: Path) -> None:
    """Its client asks it of its own accord, for files that are here too."""
    licence = Licence("model", "0" * 64, "f", 2, 1, model="some/model")
    (tmp_path / "readers").mkdir()
    (tmp_path / "readers/model.toml").write_text(licence.dumps())
    (tmp_path / "text.txt").write_text("The rent is $950.")
    with closing(socket.create_server(("127.0.0.1", 0))) as hub:
        hub.settimeout(0)
        place = f"http://127.0.0.1:{hub.getsockname()[1]}"
        done = subprocess.run(
            [sys.executable, "-m", "groundrules", "check", "text.txt", "--context", "text.txt"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "HF_ENDPOINT": place, "HF_HOME": str(tmp_path / "hub"),
                 "GROUNDRULES_CONFIG": str(tmp_path)},
        )  # fmt: skip
        assert "no hub is asked for it but by `groundrules readers add some/model`" in done.stderr
        with pytest.raises(BlockingIOError):
            hub.accept()


def test_a_slip_in_a_name_asks_no_hub() -> None:
    with pytest.raises(ConfigError, match="expected a folder, a hub name"):
        open_reader("modle", download=True)


@pytest.mark.parametrize("name", ["/gone/scorer", "./gone", "gone/"])
@pytest.mark.parametrize("download", [False, True])
def test_a_folder_that_is_not_there_is_one_clear_error(name: str, download: bool) -> None:
    with pytest.raises(GroundrulesError, match=r"no such folder"):
        open_reader(name, download=download)


# ---- models that want the pair in words of their own


def test_a_checker_is_asked_in_its_own_words_and_reads_each_pair_alone(tmp_path: Path) -> None:
    """It is known by its architecture and labels, and not by the name of its folder."""
    folder = tmp_path / "my-nli-model"
    folder.mkdir()
    random_encoder(folder, ["LABEL_0", "LABEL_1"])
    reader = open_reader(str(folder))
    pairs = [(PREMISE, "this law"), ("x " * 4000, "new york"), ("", "")]

    together = read_pairs(pairs, reader)
    reader.known.clear()

    assert together == [read_pairs([pair], reader)[0] for pair in pairs]
    assert all(0 < one.entailed < 1 and one.contradicted == one.neither for one in together)
    assert reader.words == CHECKERS["yes or no"].words


@each("labels window kind")
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

    assert one.words * 1.4 + 64 <= one.pieces
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
