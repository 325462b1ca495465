"""What bounds the files that are read, and how a broken one is told."""

from __future__ import annotations

from groundrules.errors import SourceError

#: The most elements of a docx or of html.
MAX_ELEMENTS = 1_000_000


def refuse_more(count: int, most: int, what: str, name: str) -> None:
    """Raise SourceError where a file has more of something than is read."""
    if count > most:
        raise SourceError(f"has {count:,} {what}; at most {most:,}; split it", path=name)


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says, or its kind."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
