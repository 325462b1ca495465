"""Laws of clustering and label unification; scikit-learn is the oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import api
from groundrules.align.graphs import cluster as module
from groundrules.align.graphs.cluster import (
    CLUSTERINGS,
    SCIKIT_LEARN,
    cluster,
    exclude,
    normal_form,
    unify,
)
from groundrules.config import AlignConfig, Config
from groundrules.errors import ConfigError
from tests.rows import each
from tests.strategies import examples

SETTINGS = examples(80)


def oracle(vectors: np.ndarray, threshold: float) -> list[int]:
    sklearn = pytest.importorskip("sklearn.cluster")
    found = sklearn.AgglomerativeClustering(
        n_clusters=None, distance_threshold=threshold, linkage="average", metric="cosine"
    ).fit(vectors)
    order: dict[int, int] = {}
    return [order.setdefault(label, len(order)) for label in found.labels_.tolist()]


def random_vectors(seed: int, size: int, spread: float) -> np.ndarray:
    """Draw unit vectors around a few centres, some of them twice."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(max(1, size // 4), 8))
    vectors = centres[random.integers(len(centres), size=size)]
    vectors = vectors + spread * random.normal(size=vectors.shape)
    vectors[size // 2] = vectors[0]
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@SETTINGS
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 60),
    st.floats(0.05, 1.5),
    st.sampled_from([0.1, 0.35, 0.7]),
)
def test_the_partition_is_scikit_learns(
    seed: int, size: int, spread: float, threshold: float
) -> None:
    vectors = random_vectors(seed, size, spread)

    ours = cluster(vectors, threshold=threshold)

    assert ours.tolist() == oracle(vectors, threshold)


def test_the_partition_of_real_labels_is_scikit_learns(monkeypatch, tmp_path) -> None:
    from groundrules.models.embed import encode

    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path))
    verbs = ["founded", "established", "was born in", "birthplace", "lives in", "resides in"]
    things = ["Paris", "the city of Paris", "London", "Landlord", "rent", "monthly rent"]
    vectors = encode([*verbs, *things, *(f"{v} {t}" for v in verbs for t in things)])

    assert cluster(vectors).tolist() == oracle(vectors, 0.35)


@SETTINGS
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 40),
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=30),
)
def test_rows_kept_apart_never_share_a_cluster(
    seed: int, size: int, pairs: list[tuple[int, int]]
) -> None:
    vectors = random_vectors(seed, size, 0.3)
    apart = {(a, b) for a, b in pairs if a != b and a < size and b < size}

    labels = cluster(vectors, threshold=1.0, apart=apart)

    assert [pair for pair in apart if labels[pair[0]] == labels[pair[1]]] == []


@SETTINGS
@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 40),
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=30),
)
def test_whoever_clusters_the_partition_is_the_same(
    seed: int, size: int, pairs: list[tuple[int, int]]
) -> None:
    pytest.importorskip("sklearn.cluster")
    vectors = random_vectors(seed, size, 0.3) if size else np.zeros((0, 8))
    apart = {(a, b) for a, b in pairs if a != b and a < size and b < size}

    ours, theirs = (cluster(vectors, apart=apart, clustering=who).tolist() for who in CLUSTERINGS)

    assert ours == theirs


def test_the_setting_scikit_learn_has_scikit_learn_cluster_the_labels_of_a_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = pytest.importorskip("sklearn.cluster").AgglomerativeClustering
    seen = []
    own = theirs.fit

    def fit(self: object, distances: np.ndarray, y: object = None) -> object:
        seen.append(len(distances))
        return own(self, distances, y)

    monkeypatch.setattr(theirs, "fit", fit)
    lease = Path(__file__).parents[2] / "examples" / "lease"
    reports = []
    for who in CLUSTERINGS:
        config = Config(align=AlignConfig(clustering=who))
        reports.append(api.check(lease / "answer.txt", context=lease / "lease.txt", config=config))
        assert bool(seen) is (who == SCIKIT_LEARN)
    assert reports[0].statements == reports[1].statements
    assert reports[0].violations == reports[1].violations


@SETTINGS
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_clusters_are_numbered_by_first_appearance(seed: int, size: int) -> None:
    labels = cluster(random_vectors(seed, size, 0.4)).tolist()

    assert list(dict.fromkeys(labels)) == list(range(max(labels) + 1))


def test_no_rows_are_no_clusters() -> None:
    assert cluster(np.zeros((0, 384), np.float32)).tolist() == []


@pytest.mark.parametrize("who", CLUSTERINGS)
def test_a_zero_vector_and_one_that_is_no_number_stay_alone(who: str) -> None:
    rows = np.array([[1.0, 0], [0, 0], [1, 0], [np.nan, 1], [0, 0]])

    assert cluster(rows, clustering=who).tolist() == [0, 1, 0, 2, 3]


def test_a_distance_at_the_threshold_does_not_merge() -> None:
    rows = np.array([[1.0, 0], [0, 1]])

    assert cluster(rows, threshold=1.0).tolist() == [0, 1]
    assert cluster(rows, threshold=1.0001).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clustering": "scikit_learn"}, "did you mean 'scikit-learn'"),
        ({"threshold": -1}, "expected a distance"),
        ({"threshold": float("nan")}, "expected a distance"),
    ],
)
def test_a_wrong_option_is_one_clear_line(options: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        cluster(np.eye(2), **options)
    with pytest.raises(ConfigError, match=message):
        unify([], [], **options)


def joined(one: str, other: str, kind: str = "NOUN") -> bool:
    first, second = unify([one, other], [kind, kind])
    return first == second


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")


@each("one other kind")
def test_near_labels_are_joined(one: str, other: str, kind: str) -> None:
    assert joined(one, other, kind)


@each("one other kind")
def test_similarity_alone_never_joins(one: str, other: str, kind: str) -> None:
    first, second = unify([one, other], [kind, kind], threshold=1.9)

    assert first != second


WORDS = st.lists(st.sampled_from(["rent", "Lease", "Straße", "12", "not", "May"]), min_size=1)


@SETTINGS
@given(WORDS, st.sampled_from(["DATE", "PERSON", "NOUN"]))
def test_equal_labels_up_to_case_space_and_article_are_one(words: list[str], kind: str) -> None:
    plain = " ".join(words)
    other = "  The \t" + "  ".join(word.upper() for word in words)

    assert unify([plain, other], [kind, "NOUN"], threshold=0) == [0, 0]


def test_where_words_decide_nothing_is_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("encoded")

    monkeypatch.setattr(module, "encode", refuse)

    assert unify(
        ["the rent", "Rent", "1 May 2020", "2 May 2020", "", "article 3"],
        ["NOUN", "NOUN", "DATE", "DATE", "NOUN", "NOUN"],
    ) == [0, 0, 1, 2, 3, 4]


def test_the_order_of_labels_does_not_change_who_is_joined() -> None:
    labels = ["founded", "rent", "established", "lives in", "monthly rent", "resides in"]
    kinds = ["NOUN"] * len(labels)

    forward = unify(labels, kinds)
    backward = unify(labels[::-1], kinds)[::-1]

    pairs = [(i, j) for i in range(6) for j in range(6)]
    assert [forward[i] == forward[j] for i, j in pairs] == [
        backward[i] == backward[j] for i, j in pairs
    ]


def test_labels_and_kinds_must_be_equally_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        unify(["a"], [])


def test_a_lone_article_keeps_its_form() -> None:
    assert normal_form(" The ") == "the"


@each("one other apart")
def test_labels_exclude_each_other_where_one_word_of_a_kind_differs(
    one: str, other: str, apart: bool
) -> None:
    assert exclude(one, other) is apart
    assert exclude(other, one) is apart


def test_labels_of_one_thing_are_compared_by_their_heads() -> None:
    labels = [
        "the director of the Alder Valley Railway",
        "headquarters of the Alder Valley Railway",
        "the managing director of the Alder Valley Railway",
    ]
    director, seat, manager = unify(labels, ["NOUN"] * 3)
    assert director == manager != seat


def test_labels_of_two_rooms_never_share_a_cluster_and_those_of_one_are_as_alone() -> None:
    labels = ["rent", "the rent", "lease", "rental agreement", "rent"]
    kinds = ["NOUN"] * len(labels)

    together = unify(labels, kinds, [0, 0, 0, 1, 1], threshold=1.9)

    assert together == [0, 0, 0, 1, 1]
    assert unify(labels[:2], kinds[:2], threshold=1.9) == [0, 0]
