"""A page of the docs whose figures a benchmark puts between two marks."""

from __future__ import annotations

from pathlib import Path


def put_between(page: Path, text: str, begin: str, end: str) -> None:
    """Put a text between the marks of a page; SystemExit where it lacks them."""
    head, first, rest = page.read_text("utf-8").partition(begin)
    _, last, tail = rest.partition(end)
    if not (first and last):
        raise SystemExit(f"{page} lacks the marks {begin} and {end}")
    page.write_text(f"{head}{begin}\n\n{text.strip()}\n\n{end}{tail}", "utf-8")
