"""A language model as a reader: a letter for each statement, read from its log probabilities.

The passages are shown once, and after them a handful of statements with three by rule of the
passages among them, whose answers are known (`claims/models/controls.py`). The answer is a line for
each, its number and a letter, and behind these how a figure follows that no source gives. Where a
control is answered wrongly nothing of that answer counts; a statement whose line is missing is
asked once more, in a handful of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundrules.claims.models.controls import Control, controls, places
from groundrules.claims.models.grades import UNCONTROLLED, WHOLE
from groundrules.claims.models.llm_prompts import INSTRUCTIONS, record
from groundrules.errors import LLMError
from groundrules.llm.prompt import LETTER_RULES, SUM_RULES, Prompt, sum_of
from groundrules.models.readers import Asked, Entailment, Reader

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: Statements in one question, besides the controls.
TOGETHER = 12
#: The letters, each of the kind of answer that it stands for.
LETTERS = {"A": "entailed", "B": "contradicted", "C": "neither"}
DISTRUSTED = "the reader missed a control statement of the same question"
#: Tokens that a line of an answer may have: `"12": "A",` with blanks before it and its end.
_A_LINE = 12
#: Tokens that a sum of an answer may have.
_A_SUM = 60
_SHARES = record({letter: {"type": "number", "minimum": 0, "maximum": 1} for letter in LETTERS})


@dataclass(frozen=True, slots=True)
class Handful:
    """Statements that are asked about in one question, and the controls among them, in order."""

    passages: tuple[str, ...]
    told: tuple[Asked | Control, ...]


def token_reader(client: Client) -> Reader:
    """Return a language model as a reader; LLMError where its name cannot be asked for."""

    def read(asked: Sequence[Asked]) -> list[Entailment | str]:
        return _read(asked, client)

    told = " ".join([INSTRUCTIONS["letters"], *LETTERS, *LETTERS.values(), LETTER_RULES, SUM_RULES])
    return Reader(client.model, read, question=told, words=WHOLE, together=TOGETHER)


def handfuls(asked: Sequence[Asked], size: int = TOGETHER) -> Iterator[Handful]:
    """Yield statements by the handful with what they are read beside, those that have controls.

    The statements keep their order. In which order the controls stand, and where, the texts draw;
    never before a statement that leans on the one before it.
    """
    beside: dict[tuple[str, ...], list[Asked]] = {}
    for one in asked:
        beside.setdefault(one.passages, []).append(one)
    for passages, some in beside.items():
        for at in range(0, len(some), size):
            own = some[at : at + size]
            said = [one.statement for one in own]
            if made := sorted(controls(passages, said), key=_drawn):
                told: list[Asked | Control] = [*own]
                drawn = zip(places(said, passages, len(made)), made, strict=True)
                for place, control in sorted(drawn, key=lambda pair: pair[0], reverse=True):
                    told.insert(place, control)
                yield Handful(passages, tuple(told))


def _drawn(control: Control) -> str:
    return hashlib.sha256(control.text.encode("utf-8", "replace")).hexdigest()


def question(handful: Handful) -> Prompt:
    """Return what is asked about a handful: the passages, then the statements by number."""
    lines = [f"[{n}] {' '.join(words_of(one).split())}" for n, one in enumerate(handful.told, 1)]
    sums = tuple(
        n for n, one in enumerate(handful.told, 1) if isinstance(one, Asked) and one.unstated
    )
    texts = (("passages", "\n".join(handful.passages)), ("statements", "\n".join(lines)))
    numbers = [str(n) for n in range(1, len(lines) + 1)]
    schema = {
        "type": "object",
        "properties": {n: {"anyOf": [_SHARES, {"type": "string"}]} for n in numbers}
        | {sum_of(n): {"type": "string"} for n in sums},
        "required": numbers,
        "additionalProperties": False,
    }
    most = _A_LINE * len(lines) + _A_SUM * len(sums)
    return Prompt(
        "reading", INSTRUCTIONS["letters"], texts, schema, most, tuple(LETTERS), len(lines), sums
    )


def words_of(one: Asked | Control) -> str:
    """Return the words of a statement or of a control."""
    return one.statement if isinstance(one, Asked) else one.text


def _read(asked: Sequence[Asked], client: Client) -> list[Entailment | str]:
    """Return what a model makes of statements, or why that does not count or never came."""
    found = _told(handfuls(asked), client)
    again = [one for one in asked if isinstance(found.get(one), _Missing)]
    found |= _told(handfuls(again, 1), client)
    return [found.get(one, UNCONTROLLED) for one in asked]


class _Missing(str):
    """Why a statement has no line in an answer whose controls are right."""

    __slots__ = ()


def _told(handfuls: Iterable[Handful], client: Client) -> dict[Asked, Entailment | str]:
    """Return what one question for each handful brings."""
    some = [*handfuls]
    out: dict[Asked, Entailment | str] = {}
    for one, answer in zip(some, client.ask_all([*map(question, some)]), strict=True):
        out |= dict(_taken(one, answer))
    return out


def _taken(handful: Handful, answer: Any) -> Iterator[tuple[Asked, Entailment | str]]:
    """Yield what an answer says of each statement of a handful."""
    told = [_entailment(answer, n, one) for n, one in enumerate(handful.told, 1)]
    faults = [
        fault
        for one, said in zip(handful.told, told, strict=True)
        if isinstance(one, Control) and (fault := _fault(one, said))
    ]
    for one, said in zip(handful.told, told, strict=True):
        if isinstance(one, Asked):
            yield one, faults[0] if faults else said


def _entailment(answer: Any, number: int, one: Asked | Control) -> Entailment | str:
    if isinstance(answer, LLMError):
        return answer.cause
    shares = answer[str(number)]
    if isinstance(shares, str):
        return _Missing(shares)
    total = sum(shares.values())
    if not total:
        return _Missing("the answer gives no letter a share")
    said = {kind: shares[letter] / total for letter, kind in LETTERS.items()}
    asked = isinstance(one, Asked) and one.unstated
    return Entailment(**said, sums=answer.get(sum_of(number), "") if asked else None)


def _fault(control: Control, answer: Entailment | str) -> str:
    """Return why nothing of an answer counts, empty where its control was read right."""
    if isinstance(answer, str):
        return str(answer)
    shares = {kind: getattr(answer, kind) for kind in LETTERS.values()}
    return "" if max(shares, key=lambda kind: shares[kind]) == control.kind else DISTRUSTED
