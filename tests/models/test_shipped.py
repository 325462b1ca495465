"""The models that ship: each has its card, and its words are read or told to be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.errors import ModelError
from groundrules.models import shipped


def test_words_under_weights_are_lists_without_a_word_twice() -> None:
    lists = shipped.words("linker")
    assert lists
    for words in lists.values():
        assert words
        assert len(words) == len(set(words))


@pytest.mark.parametrize("text", [None, "stop = [", b"\xff"])
def test_words_that_cannot_be_read_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | bytes | None
) -> None:
    monkeypatch.setattr(shipped, "_FOLDER", tmp_path)
    place = tmp_path / "own" / "words.toml"
    if text is not None:
        place.parent.mkdir()
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ModelError, match="reinstall groundrules") as error:
        shipped.words("own")
    assert error.value.path == str(place)
