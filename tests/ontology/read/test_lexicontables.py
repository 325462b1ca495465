"""A lexicon's file with an entry that nothing reads is refused, with its line."""

from __future__ import annotations

import tomllib

import pytest

from groundrules.errors import SourceError
from groundrules.ontology.read.lexicontables import expect_entries


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('roles = ["x"]\n[[sentences]]\nproperty = "e:x"\n', 2, "did you mean 'sentence'"),
        ('[[relation]]\nproperty = "e:x"\nwrods = ["x"]\n', 3, "did you mean 'words'"),
        (
            '[prefixes]\ne = "http://e/"\n[[role]]\nproperty = "e:x"\nwords = ["x"]\n',
            3,
            "no pattern",
        ),
        (
            '[[relation]]\nproperty = "e:x"\nwords = ["x"]\n[[relation]]\nwords = ["y"]\n',
            4,
            "lacks",
        ),
        ('[relation]\nwords = ["y"]\n', 1, "expected [[relation]]"),
    ],
)
def test_an_unknown_or_missing_key_is_named_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(SourceError) as raised:
        expect_entries(tomllib.loads(text), text, "house.lexicon.toml")
    assert f"house.lexicon.toml:{line}:" in str(raised.value)
    assert words in str(raised.value)


def test_a_lexicon_without_fault_is_taken() -> None:
    text = 'roles = ["x"]\n[[role]]\nproperty = "e:x"\nof = "A"\nwords = ["x"]\n'
    expect_entries(tomllib.loads(text), text, "house.lexicon.toml")
