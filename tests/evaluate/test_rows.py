"""Laws of the rows and of the figures."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.errors import ConfigError, SourceError
from groundrules.evaluate import figures
from groundrules.evaluate.figures import judged, resampled
from groundrules.evaluate.rows import read_rows, sample
from groundrules.terms import Outcome
from tests.rows import each


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the draws: only what an interval is depends on their number, not that it is."""
    monkeypatch.setattr(figures, "_RESAMPLES", 100)


def test_draws_are_of_whole_groups_and_depend_on_the_seed_alone() -> None:
    groups = [f"d{n // 3}" for n in range(60)]
    first = [rows.tolist() for rows in resampled(groups, 1)]
    assert first == [rows.tolist() for rows in resampled(groups, 1)]
    assert first != [rows.tolist() for rows in resampled(groups, 2)]
    for rows in first:
        counts = Counter(rows)
        assert all(counts[n] == counts[n - n % 3] for n in range(60))
    assert not list(resampled(["same"] * 3, 0))


# --- rows -------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(*rows: object, name: str = "rows.jsonl") -> Path:
        text = "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
        path = tmp_path / name
        if name.endswith(".gz"):
            path.write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text, encoding="utf-8")
        return path

    return write


GOOD = {"doc": "The rent is due.", "claim": "The rent is due.", "label": 1}


@each("row what")
def test_a_wrong_row_is_named_by_file_and_line(
    file: Callable[..., Path], row: object, what: str
) -> None:
    path = file(GOOD, "\n", row)
    with pytest.raises(SourceError, match=what) as caught:
        read_rows(path)
    assert str(caught.value).startswith(f"{path}:3: ")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "no rows"),
        (b"\n\n", "no rows"),
        (b"\xff\xfe\n", "not UTF-8"),
        (b"\x1f\x8bnot gzip at all", "cannot be read"),
        (gzip.compress(b"{}\n" * 9, mtime=0)[:-12], "cannot be read"),
        (None, "no such file"),
    ],
)
def test_a_file_that_is_none_is_one_line(tmp_path: Path, data: bytes | None, what: str) -> None:
    path = tmp_path / "rows.jsonl"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(SourceError, match=what) as caught:
        read_rows(path)
    assert str(caught.value).startswith(str(path))


def test_rows_have_doc_or_context_packed_or_not(file: Callable[..., Path]) -> None:
    context = {"context": "The rent is due.", "claim": "c", "label": 0, "doc": None}
    for name in ("rows.jsonl", "rows.jsonl.gz"):
        rows = read_rows(file(GOOD, context, name=name))
        assert [row.label for row in rows] == [1, 0]
        assert rows[0].document == rows[1].document == "The rent is due."
    by_id = read_rows(file({**GOOD, "doc_id": 7}, {**GOOD, "doc_id": None}))
    assert [row.document for row in by_id] == ["7", "The rent is due."]


def test_a_limit_takes_whole_documents_by_the_seed(file: Callable[..., Path]) -> None:
    rows = read_rows(file(*[{**GOOD, "doc_id": n // 3} for n in range(60)]))
    first, again, other = (sample(rows, 10, seed) for seed in (0, 0, 1))
    assert first == again
    assert first != other
    for taken in (first, other):
        documents = {row.document for row in taken}
        assert taken == [row for row in rows if row.document in documents]
        assert len(taken) == 12
    assert sample(rows, 10_000, 0) == rows
    with pytest.raises(ConfigError, match="the limit is 0"):
        sample(rows, 0, 0)


# --- outcomes ---------------------------------------------------------------------------------

OUTCOME = st.sampled_from(list(Outcome))


@given(st.lists(st.tuples(OUTCOME, OUTCOME), min_size=1, max_size=40))
def test_figures_of_outcomes_are_scikit_learns(pairs: list[tuple[Outcome, Outcome]]) -> None:
    from sklearn import metrics

    labels, said = ([str(one) for one in column] for column in zip(*pairs, strict=True))
    found = judged(pairs)
    assert found.right == pytest.approx(metrics.accuracy_score(labels, said))
    for name in ("supported", "refuted"):
        for told, score in (
            ("precision", metrics.precision_score),
            ("recall", metrics.recall_score),
        ):
            value = getattr(found, f"{told}_{name}")
            expected = score(labels, said, labels=[name], average="micro", zero_division=np.nan)
            assert value == pytest.approx(expected) if value is not None else np.isnan(expected)
    given = sorted(set(labels)), sorted(set(said))
    confusion = metrics.confusion_matrix(labels, said, labels=list(map(str, Outcome))).tolist()
    places = list(map(str, Outcome))
    for one in given[0]:
        for other in given[1]:
            counted = found.confusion[one][other]
            assert counted == confusion[places.index(one)][places.index(other)]


@each("name label outcome")
def test_a_row_takes_its_label_from_the_outcome(
    file: Callable[..., Path], name: str, label: int, outcome: Outcome
) -> None:
    (row,) = read_rows(file({"doc": "It rains.", "claim": "It rains.", "label3": name}))
    assert (row.label, row.fields["answer"][0]["outcome"]) == (label, outcome)


def test_other_words_in_label3_are_a_field_like_any(file: Callable[..., Path]) -> None:
    row = {"doc": "The rent is due.", "claim": "The rent is due.", "label3": "partially_supported"}
    with pytest.raises(SourceError, match="1: label is missing; expected 0 or 1"):
        read_rows(file(row))
    (found,) = read_rows(file(row | {"label": 1}))
    assert (found.label, found.fields["label3"]) == (1, "partially_supported")
