"""How a language model is asked what a text says in the terms of a vocabulary, piece by piece.

The question has the vocabulary and the text; the answer names things and asserts of them, each with
the words of the text, and `ontology/read/model_terms.py` states what stands there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from groundrules.claims.models.llm_prompts import INSTRUCTIONS, record
from groundrules.claims.units.chunks import chunk
from groundrules.llm.prompt import Prompt
from groundrules.terms import Modality

#: Longest piece of a text in one question, in code points.
PIECE = 6000
#: Tokens of an answer: the assertions of a piece are several times as long as it.
_MOST_TOKENS = 12288
#: In which mode something is said, and what our own reading of such words gives it.
FORCES: Mapping[str, Modality] = MappingProxyType({
    "fact": Modality.ASSERTED, "will": Modality.ASSERTED, "must": Modality.OBLIGATION,
    "may": Modality.POSSIBILITY, "plan": Modality.POSSIBILITY, "doubt": Modality.POSSIBILITY,
})  # fmt: skip
_TEXT = {"type": "string"}
_MODE = {
    "words": _TEXT,
    "not": {"type": "boolean"},
    "force": {"enum": list(FORCES)},
    "only": _TEXT,
    "by": _TEXT,
}
_THING = record(
    {
        "id": _TEXT,
        "class": _TEXT,
        "called": {"type": "array", "items": _TEXT},
        "apart": _TEXT,
        "only": _TEXT,
    }
)
_ASSERTION = record({"thing": _TEXT, "property": _TEXT, "value": _TEXT, **_MODE})
_ORDER = record(
    {
        **dict.fromkeys(("first", "first_property", "second", "second_property"), _TEXT),
        **_MODE,
    }
)
SCHEMA = record(
    {
        "things": {"type": "array", "items": _THING},
        "assertions": {"type": "array", "items": _ASSERTION},
        "orders": {"type": "array", "items": _ORDER},
    }
)


def question_on(text: str, terms: str, name: str) -> Prompt:
    """Return the question of what a text, or a piece of one, says in some terms.

    `terms` are those of the vocabulary, line by line. The answer is known by the text and by the
    `name` of the ontology, whose words can so be bettered.
    """
    texts = (("vocabulary", terms), ("text", text))
    return Prompt(
        "assertions",
        INSTRUCTIONS["terms"],
        texts,
        SCHEMA,
        max_tokens=_MOST_TOKENS,
        about=(name, text),
    )


def pieces_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return the pieces of a text that are asked about, each ended where a sentence ends."""
    return tuple(one for one in chunk(text, PIECE, 0) if not text[slice(*one)].isspace())
