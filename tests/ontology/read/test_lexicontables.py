"""A lexicon's file with an entry that nothing reads is refused, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.errors import SourceError
from groundrules.ontology.load import load
from groundrules.ontology.read.lexicon import read_lexicon

PREFIX = "\n[prefixes]\ne = 'urn:e:'\n"


def taken(text: str, folder: Path) -> None:
    (folder / "house.ttl").write_text("")
    (folder / "house.lexicon.toml").write_text(text + PREFIX)
    read_lexicon(load(folder / "house.ttl"))


KIND = '[[kind]]\nname = "law"\nnouns = ["act", ["statute", "law"]]\n'
ACTION = '[[action]]\nproperty = "e:x"\nof = "law"\n'


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('exact = ["x"]\n[[relations]]\nproperty = "e:x"\n', 2, "did you mean 'relation'"),
        ('[[relation]]\nproperty = "e:x"\nwrods = ["x"]\n', 3, "did you mean 'words'"),
        (
            '[[relation]]\nproperty = "e:x"\nwords = ["x"]\n[[relation]]\nwords = ["y"]\n',
            4,
            "lacks",
        ),
        (f'{KIND}[[event]]\nproperty = "e:x"\nof = "lw"\n', 6, "did you mean 'law'"),
        (f"{KIND}{ACTION}verbs = ['repeal']\nto = 'act'\n", 8, "'act', which is no kind"),
        (f"{KIND}{ACTION}verbs = ['repeal']\nto = 3\n", 8, "3, which is no kind"),
        (f"{KIND}{ACTION}verbs = ['repeal']\nto = ['law']\n", 8, "['law'], which is no kind"),
        (f"{KIND}whole = ['suit']\n", 4, "'suit', which is no kind"),
        (f"{KIND}taken = 'suit'\n", 4, "'suit', which is no kind"),
        (f"{KIND}{ACTION}to = 'law'\nverbs = 'repeal'\n", 8, "no list of words"),
        (f"{KIND}{ACTION}to = 'law'\nverbs = [' ']\n", 8, "no list of words"),
        (f"{KIND}{ACTION}to = 'law'\nverbs = [3]\n", 8, "no list of words"),
        ("[[kind]]\nname = 'law'\nnouns = [[]]\n", 3, "no list of words"),
        ("[[frame]]\nof = 'A'\nverbs = ['x']\nparts = {}\nbesides = 'B'\n", 5, "no list"),
        (
            "[[frame]]\nof = 'A'\nverbs = ['x']\nparts = {}\n",
            2,
            "'A', but no [[sign]] has that name",
        ),
        ('[relation]\nwords = ["y"]\n', 1, "expected [[relation]]"),
    ],
)
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
