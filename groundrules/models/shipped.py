"""The folders of the models that ship: weights, each with its card."""

from pathlib import Path

_FOLDER = Path(__file__).parent


def folder(name: str) -> Path:
    """Return the folder of a shipped model, which has a CARD.md."""
    return _FOLDER / name


def names() -> list[str]:
    """Return the names of the shipped models, in order."""
    return sorted(card.parent.name for card in _FOLDER.glob("*/CARD.md"))
