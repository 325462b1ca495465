"""A language model as a reader: one letter of answer a statement, read from its log probabilities.

The passages come first, in the same words for all statements beside them, so that a server that
keeps a prefix reads them once. Three statements by rule of the passages, whose answers are known
(`claims/controls.py`), are asked beside those of each text: where one is answered wrongly, nothing
that the model says beside these passages counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from groundrules.claims.controls import Control, controls
from groundrules.claims.grades import UNCONTROLLED, WHOLE
from groundrules.errors import LLMError
from groundrules.llm.prompt import Prompt
from groundrules.models.readers import Asked, Entailment, Reader

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: Statements that are shown the same passages, where the sources are too long to be shown whole.
TOGETHER = 6
#: The letters, each of the kind of answer that it stands for.
LETTERS = {"A": "entailed", "B": "contradicted", "C": "neither"}
DISTRUSTED = "the reader missed a control statement beside the same passages"

_INSTRUCTIONS = """\
You compare a statement with passages of its sources. Use the passages alone, nothing that you \
know besides.
A: a careful reader must grant every part of the statement from the passages: who does what to \
whom, each figure, name, date, condition, quantifier, cause and order, and how certain it is. \
Other words that say the same are enough, and so is what follows by arithmetic.
B: in one place the passages say otherwise, so that both cannot hold.
C: a part of the statement is not in the passages; they neither grant it nor exclude it.\
"""
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_SCHEMA = {
    "type": "object",
    "properties": dict.fromkeys(LETTERS, _SHARE),
    "required": [*LETTERS],
    "additionalProperties": False,
}


def token_reader(client: Client) -> Reader:
    """Return a language model as a reader; LLMError where its name cannot be asked for."""

    def read(asked: Sequence[Asked]) -> list[Entailment | str]:
        return _read(asked, client)

    told = f"{_INSTRUCTIONS} {LETTERS}"
    return Reader(client.model, read, question=told, words=WHOLE, together=TOGETHER)


def question(asked: Asked) -> Prompt:
    """Return what is asked about a statement: the passages, then the statement, for one letter."""
    texts = (("passages", "\n".join(asked.passages)), ("statement", asked.statement))
    return Prompt("reading", _INSTRUCTIONS, texts, _SCHEMA, 1, tuple(LETTERS))


def _read(asked: Sequence[Asked], client: Client) -> list[Entailment | str]:
    """Return what a model makes of statements, or why that does not count or never came."""
    beside: dict[tuple[str, ...], list[str]] = {}
    for one in asked:
        beside.setdefault(one.passages, []).append(one.statement)
    made = {passages: controls(passages, said) for passages, said in beside.items()}
    prompts = [question(one) for one in asked if made[one.passages]]
    known = [
        (Asked(control.text, passages), control)
        for passages, some in made.items()
        for control in some
    ]
    answers = client.ask_all([*map(question, (one for one, _ in known)), *prompts])
    told = [_entailment(answer) for answer in answers]
    faults = {
        one.passages: fault
        for (one, control), answer in zip(known, told, strict=False)
        if (fault := _fault(control, answer))
    }
    rest: Iterator[Entailment | str] = iter(told[len(known) :])
    out: list[Entailment | str] = []
    for one in asked:
        if not made[one.passages]:
            out.append(UNCONTROLLED)
        else:
            answer = next(rest)
            counts = isinstance(answer, str) or one.passages not in faults
            out.append(answer if counts else faults[one.passages])
    return out


def _entailment(answer: object) -> Entailment | str:
    if isinstance(answer, LLMError):
        return answer.cause
    assert isinstance(answer, dict)
    total = sum(answer.values())
    if not total:
        return "the answer gives no letter a share"
    return Entailment(**{kind: answer[letter] / total for letter, kind in LETTERS.items()})


def _fault(control: Control, answer: Entailment | str) -> str:
    """Return why nothing counts beside the passages of a control, empty where it was read right."""
    if isinstance(answer, str):
        return answer
    shares = {kind: getattr(answer, kind) for kind in LETTERS.values()}
    return "" if max(shares, key=lambda kind: shares[kind]) == control.kind else DISTRUSTED
