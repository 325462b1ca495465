"""The folders of the models that ship: weights, each with its card and the words it asks for."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from groundrules.errors import ModelError

_FOLDER = Path(__file__).parent


def folder(name: str) -> Path:
    """Return the folder of a shipped model, which has a CARD.md."""
    return _FOLDER / name


@cache
def words(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of words under the weights of a shipped model, which has a words.toml.

    ModelError where they are missing or damaged.
    """
    path = folder(name) / "words.toml"
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"the words of a model cannot be read ({type(error).__name__}); reinstall groundrules",
            path=str(path),
        ) from error
    lists = {key: tuple(text.split()) for key, text in data.items() if isinstance(text, str)}
    return MappingProxyType(lists)


def names() -> list[str]:
    """Return the names of the shipped models, in order."""
    return sorted(card.parent.name for card in _FOLDER.glob("*/CARD.md"))
