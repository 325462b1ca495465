"""Laws of the support scorers: the shipped one, a CrossEncoder, an LLM, a head of one's own."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrules.config import LLMConfig
from groundrules.errors import ConfigError, LLMError, ModelError
from groundrules.models import passage_scorer
from groundrules.models.encoder import FOLDER
from groundrules.models.passage_scorer import Head, Scorer, score_support, write_head
from tests.rows import each

CLAUSE = "This Agreement shall be governed by the laws of the State of New York."
OTHER = "The Tenant shall pay the rent on the first day of each month."
PAIRS = [
    (CLAUSE, "Governing law: New York"),
    (CLAUSE, "Governing law: Virginia"),
    (OTHER, "Governing law: New York"),
    (f"{OTHER} " * 20 + CLAUSE + f" {OTHER}" * 20, "Governing law: New York"),
    ("", ""),
    ("x" * 300, "東京 e\u0301 \ud800 \x00 [SEP]"),
    (CLAUSE, "Governing law: " + "New York " * 60),
]


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")


# ---- the shipped scorer


@given(st.text(alphabet="aB ", max_size=20), st.text(alphabet="aB ,", max_size=20))
def test_a_type_keeps_its_letters_however_a_passage_spells_it(kind: str, passage: str) -> None:
    told = passage_scorer.as_spelled(kind, passage)
    assert "".join(told.split()).casefold() == "".join(kind.split()).casefold()


@each("kind passage told")
def test_a_name_that_an_identifier_takes_apart_is_spelled_as_in_the_passage(
    kind: str, passage: str, told: str
) -> None:
    assert passage_scorer.as_spelled(kind, passage) == told


def test_a_clause_supports_its_value_more_than_another_and_than_another_clause_does() -> None:
    own, other_value, other_clause = score_support(PAIRS[:3])

    assert own > 0.5
    assert own > other_value
    assert own > other_clause


@cache
def alone(pair: tuple[str, str]) -> float:
    return score_support([pair])[0]


@settings(max_examples=15)
@given(st.permutations(PAIRS), st.integers(1, len(PAIRS)))
def test_a_score_does_not_depend_on_the_other_pairs(
    pairs: list[tuple[str, str]], size: int
) -> None:
    scores = score_support(pairs[:size])

    assert scores == pytest.approx([alone(pair) for pair in pairs[:size]], abs=1e-6)


@settings(max_examples=40)
@given(st.text(max_size=80), st.text(max_size=40))
def test_any_text_has_a_probability(premise: str, claim: str) -> None:
    (score,) = score_support([(premise, claim)])

    assert 0 <= score <= 1


def test_the_best_window_of_a_long_premise_counts() -> None:
    scorer = passage_scorer.embedded()
    premise, claim = PAIRS[3]
    logits = scorer.read([PAIRS[3]]).logits
    parts = scorer.windows(premise, claim)

    single = []
    for ids, start in parts:
        kinds = (np.arange(len(ids)) >= start).astype(np.int64)
        labels = scorer._session.run(
            ["labels"], {"input_ids": np.array([ids]), "token_type_ids": kinds[None]}
        )[0][0].astype(float)
        single.append(labels[0] - np.logaddexp(labels[1], labels[2]))

    assert len(parts) > 5
    assert logits[0] == pytest.approx(max(single), abs=1e-5)


@settings(max_examples=30)
@given(st.integers(0, 700), st.integers(0, 120))
def test_windows_cover_a_premise_and_end_with_the_whole_hypothesis(size: int, asked: int) -> None:
    scorer = passage_scorer.embedded()
    words = [f"a{i % 7}" for i in range(size)]
    claim = "b " * asked
    given = scorer.tokenizer.ids(" ".join(words))
    wanted = scorer.tokenizer.ids(claim)[: passage_scorer.WINDOW // 2]

    parts = scorer.windows(" ".join(words), claim)

    covered: set[tuple[int, ...]] = set()
    for ids, start in parts:
        assert len(ids) <= passage_scorer.WINDOW
        assert ids[start:-1] == wanted
        covered |= {tuple(ids[i : i + 4]) for i in range(1, start - 4)}
    if len(parts) < passage_scorer.MOST:
        assert covered >= {tuple(given[i : i + 4]) for i in range(len(given) - 3)}


def test_of_an_endless_premise_the_windows_with_the_words_asked_for_are_read() -> None:
    scorer = passage_scorer.embedded()
    premise = f"{OTHER} " * 2000 + CLAUSE + f" {OTHER}" * 2000

    parts = scorer.windows(premise, "Governing law: New York")

    york = scorer.tokenizer.ids("york")[0]
    assert len(parts) == passage_scorer.MOST
    assert any(york in ids[:start] for ids, start in parts)


def test_the_scorer_ships_what_the_embedder_lacks_and_refers_to_the_rest() -> None:
    shared = json.loads((passage_scorer._SCORER / "shared.json").read_text("utf-8"))
    stored = (FOLDER / "model.onnx").read_bytes()

    assert shared["sha256"] == hashlib.sha256(stored).hexdigest()
    assert (passage_scorer._SCORER / "model.onnx").stat().st_size < 9_000_000
    ends = [
        at + np.dtype(kind).itemsize * math.prod(shape)
        for kind, shape, at in shared["arrays"].values()
    ]
    assert sum(ends) > 0
    assert max(ends) <= len(stored)


def test_the_card_names_the_files_that_are_there() -> None:
    card = (passage_scorer._SCORER / "CARD.md").read_text("utf-8")

    for name in ("model.onnx", "shared.json"):
        data = (passage_scorer._SCORER / name).read_bytes()
        assert f"| {name} | {len(data):,} | `{hashlib.sha256(data).hexdigest()}` |" in card


def test_a_missing_scorer_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(passage_scorer, "_SCORER", tmp_path)
    passage_scorer.embedded.cache_clear()
    try:
        with pytest.raises(ModelError, match="the embedded scorer is missing"):
            score_support(PAIRS[:1])
    finally:
        passage_scorer.embedded.cache_clear()


@each("name text what")
def test_a_damaged_scorer_is_a_model_error(tmp_path: Path, name: str, text: str, what: str) -> None:
    shutil.copytree(passage_scorer._SCORER, tmp_path / "scorer")
    (tmp_path / "scorer" / name).write_text(text)

    with pytest.raises(ModelError, match=what):
        Scorer(tmp_path / "scorer")


def test_no_passage_supports_nothing() -> None:
    assert score_support([("", "Hearing type: In Person"), (" \n", "Judge: Roe")]) == (0.0, 0.0)


# ---- a head of one's own


def folder_with(head: Head, folder: Path) -> str:
    write_head(head, folder)
    return str(folder)


def test_a_head_of_no_weight_is_the_shipped_scorer(tmp_path: Path) -> None:
    head = Head(passage_scorer.embedded().digest, (0.0,) * 768, 0.0)

    assert score_support(PAIRS, folder_with(head, tmp_path)) == score_support(PAIRS)


def test_a_head_adds_its_log_odds(tmp_path: Path) -> None:
    head = Head(passage_scorer.embedded().digest, (0.0,) * 768, 1.5)

    pairs = [pair for pair in PAIRS if pair[0]]
    plain, more = score_support(pairs), score_support(pairs, folder_with(head, tmp_path))

    odds = [math.log(p / (1 - p)) for p in plain]
    assert [math.log(p / (1 - p)) for p in more] == pytest.approx([o + 1.5 for o in odds], abs=1e-6)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not a head"),
        ("[]", "not a head"),
        ('{"scorer": "x", "weights": [1], "bias": 0}', "768 finite weights"),
        ('{"scorer": "x", "weights": [' + "0," * 767 + 'NaN], "bias": 0}', "768 finite weights"),
        ('{"scorer": "x", "weights": [' + "0," * 767 + '0], "bias": 0}', "another release"),
    ],
)
def test_a_head_that_does_not_fit_is_one_clear_line(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / passage_scorer.HEAD).write_text(text)

    with pytest.raises(ModelError, match=what) as error:
        score_support(PAIRS[:1], str(tmp_path))
    assert str(tmp_path) in str(error.value)


# ---- a CrossEncoder


def test_without_sentence_transformers_the_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    passage_scorer.cross_encoder.cache_clear()

    with pytest.raises(ConfigError, match=r"pip install 'groundrules\[sbert\]'"):
        score_support(PAIRS[:1], "some/cross-encoder")


@each("labels expected")
def test_the_label_of_entailment_is_found_by_its_name(
    labels: tuple[str, ...], expected: int | None
) -> None:
    assert passage_scorer.entailment(dict(enumerate(labels)), "a model") == expected


@pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1"), ("entailment", "entailed")])
def test_a_model_without_one_label_for_entailment_is_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match="no label for entailment"):
        passage_scorer.entailment(dict(enumerate(labels)), "a model")


def random_encoder(folder: Path, labels: list[str]) -> str:
    """Write a tiny random BERT with these labels and return its folder."""
    pytest.importorskip("sentence_transformers")
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"this agreement law : new york".split()]
    (folder / "vocab.txt").write_text("\n".join(words))
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, initializer_range=1.0,
        id2label=dict(enumerate(labels)), label2id={name: i for i, name in enumerate(labels)},
    )  # fmt: skip
    BertForSequenceClassification(config).eval().save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize("labels", [["contradiction", "entailment", "neutral"], ["LABEL_0"]])
def test_a_cross_encoder_gives_the_probability_of_its_entailment(
    tmp_path: Path, labels: list[str]
) -> None:
    name = random_encoder(tmp_path, labels)
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(name)
    model = AutoModelForSequenceClassification.from_pretrained(name).eval()
    pairs = PAIRS[:3]
    with torch.no_grad():
        logits = [
            model(**tokenizer(*pair, return_tensors="pt", truncation=True)).logits[0]
            for pair in pairs
        ]
    expected = [
        float(torch.softmax(row, -1)[1] if len(labels) > 1 else torch.sigmoid(row[0]))
        for row in logits
    ]

    assert score_support(pairs, name) == pytest.approx(expected, abs=1e-5)


def test_a_named_scorer_is_a_cross_encoder_that_predicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = random_encoder(tmp_path, ["LABEL_0"])
    theirs = pytest.importorskip("sentence_transformers").CrossEncoder
    seen: list[object] = []
    own = theirs.predict

    def predict(self: object, pairs: list[object], **options: object) -> object:
        seen.extend(pairs)
        return own(self, pairs, **options)

    monkeypatch.setattr(theirs, "predict", predict)
    score_support(PAIRS[:2])
    assert not seen
    score_support(PAIRS[:2], name)
    assert sorted(seen) == sorted(PAIRS[:2])


@pytest.mark.parametrize("name", ["/gone/scorer", "./gone", "../gone", "gone/"])
def test_a_folder_that_is_not_there_is_looked_for_on_no_hub(name: str) -> None:
    with pytest.raises(ModelError, match=r"gone.*: no such folder"):
        score_support(PAIRS[:1], name)


def test_a_folder_without_a_model_is_one_clear_line(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")

    with pytest.raises(ModelError, match="cannot be loaded") as error:
        score_support(PAIRS[:1], str(tmp_path))
    assert "\n" not in str(error.value)


# ---- an LLM


def grader(path: Path, answers: dict[tuple[str, str], str]) -> object:
    from groundrules.llm import client as llm

    rows = [
        llm.row(
            llm.Prompt(
                "grade",
                passage_scorer._INSTRUCTIONS,
                (("passage", premise), ("statement", claim)),
                passage_scorer._ANSWER,
            ),
            {"answer": answer},
        )
        for (premise, claim), answer in answers.items()
    ]
    path.write_text("".join(rows), "utf-8")
    return llm.Client(LLMConfig(), answers=path)


def test_an_llm_grades_one_or_nothing(tmp_path: Path) -> None:
    pytest.importorskip("jsonschema")
    client = grader(tmp_path / "a.jsonl", {PAIRS[0]: "SUPPORTS", PAIRS[1]: "INSUFFICIENT"})

    assert score_support([PAIRS[1], PAIRS[0], PAIRS[1]], "llm", client=client) == (0.0, 1.0, 0.0)


def test_a_grade_that_cannot_be_had_is_an_error_and_no_score(tmp_path: Path) -> None:
    pytest.importorskip("jsonschema")
    client = grader(tmp_path / "a.jsonl", {PAIRS[0]: "SUPPORTS"})

    with pytest.raises(LLMError):
        score_support(PAIRS[:2], "llm", client=client)


def test_an_llm_that_nobody_named_cannot_grade() -> None:
    with pytest.raises(ConfigError, match="--llm"):
        score_support(PAIRS[:1], "llm")
