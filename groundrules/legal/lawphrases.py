"""How English legal texts say what the readers of this room look for: lawphrases.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from groundrules.domain import Words
from groundrules.files import parse_toml

_READERS = parse_toml(Path(__file__).with_name("lawphrases.toml").read_text("utf-8"))


def phrases(reader: str) -> Mapping[str, re.Pattern[str]]:
    """Return the patterns of a reader by their names, the parts in braces written out."""
    told = {name: said for name, said in _READERS[reader].items() if isinstance(said, str)}
    return {name: _compiled(reader, said) for name, said in told.items() if not name.isupper()}


def rows(reader: str, name: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """Return a list of patterns of a reader in its order, each with what it stands for."""
    return tuple((_compiled(reader, said), tuple(for_)) for said, *for_ in _READERS[reader][name])


def _compiled(reader: str, said: str) -> re.Pattern[str]:
    def written(words: str) -> str:
        joined = re.sub(r"\n\s*", "", words)
        return re.sub(r"\{([A-Z_]+)\}", lambda found: written(_READERS[reader][found[1]]), joined)

    return re.compile(written(said))


def read_words() -> Words:
    """Return the words of contracts and suits that matter in any text."""
    told = _READERS["words"]

    def groups(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(words.split()) for words in told[name])

    return Words(
        roles=frozenset(told["roles"].split()),
        papers=frozenset(told["papers"].split()),
        rivals=groups("rivals"),
        opposites={
            axis: (tuple(a.split()), tuple(b.split())) for axis, (a, b) in told["opposites"].items()
        },
        meanings=groups("meanings"),
    )
