"""How a language model is asked for triples: what it is told, and the pieces it is shown."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundrules.claims.facts.parsed import Lookup
from groundrules.claims.units.chunks import chunk
from groundrules.config import BUILT_IN, KEA
from groundrules.llm.prompt import Prompt
from groundrules.terms import Modality, Span

#: Longest piece of a text in one question, and how much of it the next one repeats, in code
#: points: the triples of a piece are some three times as long as the piece.
PIECE = 4000
OVERLAP = 400
_NAMES = 100  # told with a piece, so that all pieces use the same
#: What a language model is asked to do, by the kind of the question.
INSTRUCTIONS = tomllib.loads(
    Path(__file__).with_name("instructions.toml").read_text(encoding="utf-8")
)
_STRING = {"type": "string"}
_MAYBE = {"type": ["string", "null"]}


def record(properties: Mapping[str, object]) -> dict[str, object]:
    """Return the JSON Schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


TRIPLE = record(
    {
        **dict.fromkeys(("subject", "relation", "object", "evidence"), _STRING),
        "polarity": {"enum": ["positive", "negative"]},
        "modality": {"enum": [mode.value for mode in Modality]},
        **dict.fromkeys(("attribution", "time"), _MAYBE),
    }
)
_KEA_TRIPLE = {"type": "array", "items": _STRING, "minItems": 3, "maxItems": 4}


@dataclass(frozen=True, slots=True)
class Form:
    """How a model is asked for triples: `key` and the number of a text name them in the answer."""

    job: str
    instructions: str
    key: str
    triple: Mapping[str, object]


FORMS = {
    BUILT_IN: Form("triples", INSTRUCTIONS["triples"], "text", TRIPLE),
    KEA: Form("graphs", INSTRUCTIONS["graphs"], "knowledge_graph", _KEA_TRIPLE),
}
#: What one question is about: places in the texts of these numbers.
Question = tuple[tuple[int, Span], ...]


def pieces_of(index: int, text: Lookup) -> Iterator[tuple[int, Span]]:
    """Yield the pieces of a text that are asked about, each with the number of the text."""
    for start, end in chunk(text.plain, PIECE, OVERLAP):
        if not text.plain[start:end].isspace():
            yield index, Span(text.extraction.document.name, start, end)


def questions_on(texts: Sequence[Lookup], *, paired: bool) -> Iterator[Question]:
    """Yield what is asked about together: two short texts, else pieces of one text.

    Where `paired`, each piece of the first text beside one of another.
    """
    pieces = [piece for index, text in enumerate(texts) for piece in pieces_of(index, text)]
    first = [piece for piece in pieces if piece[0] == 0]
    others = pieces[len(first) :]
    if paired and first and others:
        # the shorter text as often as the other needs it
        count = max(len(first), len(others))
        for number in range(count):
            yield first[number % len(first)], others[number % len(others)]
    elif len({index for index, _ in pieces}) == len(pieces) == 2:
        yield tuple(pieces)
    else:
        yield from ((piece,) for piece in pieces)


def prompt_of(question: Question, texts: Sequence[Lookup], form: Form) -> Prompt:
    """Return the prompt of a question, with the names that all pieces are to use."""
    parts = []
    for number, (index, place) in enumerate(question, 1):
        parts.append((f"text{number}", texts[index].plain[place.start : place.end]))
    names = list(dict.fromkeys(name for text in texts for name in text.names()))
    if len(question) == 1 and names:
        parts.insert(0, ("names", "\n".join(names[:_NAMES])))
    keys = [f"{form.key}{number}" for number in range(1, len(question) + 1)]
    schema = record({key: {"type": "array", "items": form.triple} for key in keys})
    told = "\nThe text `names` lists names that may be meant." if parts[0][0] == "names" else ""
    return Prompt(form.job, form.instructions + told, tuple(parts), schema, max_tokens=8192)
