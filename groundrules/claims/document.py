"""Documents: a name, a format and the text that every span counts in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its name; spans are code points of `text`.

    For txt and md the text is the file itself, so a span is a place in the file; for html, pdf
    and docx it is the text extracted from the file.
    """

    name: str
    text: str
    format: str = "txt"
