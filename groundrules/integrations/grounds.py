"""What the parts for frameworks share: retrieved texts as sources."""

from __future__ import annotations

from collections.abc import Iterable

from groundrules.claims.documents.document import Document, from_text


def documents(texts: Iterable[tuple[object, str]]) -> list[Document]:
    """Return texts as sources, each with its name, a number where it has none; none that is empty.

    Where none is left, `guard` decides "retrieve_again". A text stays a text, also one that is the
    name of a file.
    """
    return [
        from_text(text, str(name or f"source{number}"))
        for number, (name, text) in enumerate(texts, 1)
        if text.strip()
    ]
