"""The tasks of a worker process of the service, and what comes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from groundrules.claims.documents.document import Document, from_bytes, from_text
from groundrules.guardrail import Policy, Withheld

#: Texts that were sent are read as what they are named, where that is text.
_MARKED = (".md", ".markdown", ".html", ".htm", ".xhtml")


@dataclass(frozen=True, slots=True)
class Given:
    """What a client sent: a text, or the bytes of a file; the name is never a path."""

    name: str
    text: str | None = None
    data: bytes | None = None

    def read(self) -> Document:
        """Return the document; SourceError, which begins with the name, where it is none."""
        if self.data is not None:
            return from_bytes(self.data, self.name)
        assert self.text is not None
        if self.name.lower().endswith(_MARKED) and self.text.strip():
            from_text(self.text, self.name)  # a lone surrogate has no bytes
            return from_bytes(self.text.encode(), self.name)
        return from_text(self.text, self.name)


@dataclass(frozen=True, slots=True)
class Check:
    """A text to be checked; `known` are contexts that were read before.

    `want` is what is to come of it: the report, it with the cards that the page shows, or what a
    policy decides of the answer of a language model.
    """

    text: Given
    sources: tuple[Given, ...] = ()
    known: tuple[Document, ...] = ()
    question: str = ""
    kb: tuple[str, ...] = ()
    ontology: str = ""
    select: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    policy: Policy | None = None
    form: str = "json"
    want: Literal["check", "cards", "answer"] = "check"


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a check: `body` answers it, `counts` and `decision` are for the metrics."""

    body: Any
    counts: tuple[tuple[str, str, int], ...] = ()
    decision: str = ""


@dataclass(frozen=True, slots=True)
class Index:
    """Contexts to be read."""

    sources: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class Extract:
    """Documents to extract a record from, by the name of a schema."""

    sources: tuple[Given, ...]
    known: tuple[Document, ...]
    schema: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the records."""

    question: str


@dataclass(frozen=True, slots=True)
class Decided:
    """What a policy makes of an answer: the decision, the text to use and the report as JSON.

    `again` asks for another answer and tells what is wrong with this one; it is empty where this
    one passes, or no other would be better. `withheld` is what is not in the text, and why;
    `reason` says why it does not pass, `fixed` is the answer with its safe edits.
    """

    decision: str
    text: str
    refrained: bool
    again: str
    report: dict[str, Any]
    withheld: tuple[Withheld, ...] = ()
    reason: str = ""
    fixed: str = ""
