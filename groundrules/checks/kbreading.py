"""Sentences that our own reading left open, read by a language model for a knowledge base.

The sentences of a handful, and controls among them, are one question (`kb/read/llm_claims.py`).
Where a control is read amiss nothing of the answer counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from groundrules.claims.grades import HANDFUL
from groundrules.claims.offline import Extraction
from groundrules.kb.link.properties import Relations
from groundrules.kb.link.vocabulary import further, vocabulary
from groundrules.kb.read.llm_claims import Item, question_on
from groundrules.kb.read.llm_controls import Control, controls_of, shuffled
from groundrules.llm.prompt import Prompt

#: What tells nothing of a property: words in capitals and figures.
_NAMES = re.compile(r"\b(?:[A-Z]|\d)[\w.,’'-]*")
#: Sentences that are shown before one.
_BEFORE = 2


@dataclass(frozen=True, slots=True)
class Handful:
    """A question on some sentences; `asked` has, in its order, the number of one or a control."""

    prompt: Prompt
    asked: tuple[int | Control, ...]


def handfuls(
    text: Extraction,
    numbers: Sequence[int],
    relations: Relations,
    spotted: Iterable[tuple[int, int]],
) -> Iterator[Handful]:
    """Yield the questions on some sentences of a text; none where there can be no control.

    `spotted` are the places of names of the base.
    """
    whole = text.document.text
    names = sorted(spotted)
    known = vocabulary(relations)
    for at in range(0, len(numbers), HANDFUL):
        chosen = numbers[at : at + HANDFUL]
        spans = [text.sentences[n] for n in chosen]
        said = [whole[span.start : span.end] for span in spans]
        inside = [
            whole[a:b] for a, b in names if any(span.start <= a and b <= span.end for span in spans)
        ]
        controls = controls_of(said, inside, known)
        if not controls:
            return
        asked: list[int | Control] = [*chosen, *controls]
        asked = [asked[n] for n in shuffled(len(asked), said)]
        items = [
            Item(one.text) if isinstance(one, Control) else _item(text, one) for one in asked
        ]
        near = further(relations, [_NAMES.sub(" ", one) for one in said])
        yield Handful(question_on(items, known, near), tuple(asked))


def _item(text: Extraction, number: int) -> Item:
    whole, sentences = text.document.text, text.sentences
    before = sentences[max(0, number - _BEFORE) : number]
    span = sentences[number]
    said = whole[span.start : span.end]
    return Item(said, whole[before[0].start : before[-1].end] if before else "")
