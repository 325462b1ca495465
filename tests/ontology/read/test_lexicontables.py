"""A lexicon's file with an entry that nothing reads is refused, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.errors import SourceError
from groundrules.ontology.load import load
from groundrules.ontology.read.lexicon import read_lexicon
from tests.rows import each

PREFIX = "\n[prefixes]\ne = 'urn:e:'\n"


def taken(text: str, folder: Path) -> None:
    (folder / "house.ttl").write_text("")
    (folder / "house.lexicon.toml").write_text(text + PREFIX)
    read_lexicon(load(folder / "house.ttl"))


KIND = '[[kind]]\nname = "law"\nnouns = ["act", ["statute", "law"]]\n'
ACTION = '[[action]]\nproperty = "e:x"\nof = "law"\n'


@each("text line words")
def test_an_unknown_missing_or_false_entry_is_named_with_its_line(
    text: str, line: int, words: str, tmp_path: Path
) -> None:
    with pytest.raises(SourceError) as raised:
        taken(text, tmp_path)
    assert f"house.lexicon.toml:{line}:" in str(raised.value)
    assert words in str(raised.value)


def test_a_lexicon_without_fault_is_taken(tmp_path: Path) -> None:
    text = '[[role]]\nproperty = "e:x"\nof = "A"\nwords = ["x"]\n'
    text += f"{KIND}{ACTION}to = 'law'\nverbs = ['repeal']\n"
    taken(text, tmp_path)
