"""Recorded answers of a language model, so that tests and benchmarks go the way of the wire."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from groundrules.claims.documents.document import Document
from groundrules.claims.evidence.schemas import Schema
from groundrules.claims.units.chunks import chunk
from groundrules.config import LLMConfig
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
from groundrules.llm.replay import row

Answer = Callable[[str], Any]


def client(
    path: Path, documents: Sequence[Document], schema: Schema, answer: Answer, **limits: Any
) -> Client:
    """Return a client with an answer to each chunk of the documents, None for no answer."""
    lines = []
    for document in documents:
        for start, end in chunk(document.text):
            part = document.text[start:end]
            prompt = Prompt("values", "", ((Path(document.name).name, part),), schema.shape)
            found = answer(part)
            if found is not None:
                lines.append(row(prompt, found, 100, 10))
    # what is not UTF-8 an answer can hold as an escape
    text = re.sub("[\ud800-\udfff]", lambda m: f"\\u{ord(m[0]):04x}", "".join(lines))
    path.write_text(text, encoding="utf-8")
    return Client(LLMConfig(**limits), answers=path)


def blank(schema: Schema) -> dict[str, Any]:
    """Return an answer that has nothing."""
    shapes = schema.shape["properties"]
    return {name: [] if shape.get("type") == "array" else None for name, shape in shapes.items()}
