"""Completions: what of an upstream's answer a client may be given, and what of it is a text.

All that a client could show is checked as one text a choice, or left out and named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from groundrules.service.refusals import RefusedError

Json = dict[str, Any]

_NAME = re.compile(r"[\w.-]{1,64}")
_WORD = re.compile(r"[A-Za-z0-9_.:-]{0,128}")
_OTHER = "the upstream answered with something else than a completion"
_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


def _is_word(value: object) -> bool:
    return value is None or (isinstance(value, str) and bool(_WORD.fullmatch(value)))


def _is_short(value: object) -> bool:
    return value is None or (isinstance(value, str) and len(value) <= 200)


def _is_counted(value: object) -> bool:
    """Return whether a value is numbers, by names that are words, and nothing else."""
    if isinstance(value, dict):
        return all(_NAME.fullmatch(key) and _is_counted(one) for key, one in value.items())
    return value is None or isinstance(value, int | float)


def _are_calls(value: object) -> bool:
    return value is None or (
        isinstance(value, list) and all(isinstance(one, dict) for one in value)
    )


def _is_object(value: object) -> bool:
    return value is None or isinstance(value, dict)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_any(_: object) -> bool:
    return True


Known = Mapping[str, Callable[[object], bool]]
_COMPLETION: Known = {
    "id": _is_word,
    "object": _is_word,
    "created": _is_counted,
    "model": _is_short,
    "system_fingerprint": _is_word,
    "service_tier": _is_word,
    "usage": _is_counted,
    "choices": _is_any,
}
_CHOICE: Known = {"index": _is_any, "finish_reason": _is_word}
_SAID: Known = {
    "role": lambda value: value in (None, "assistant"),
    "content": _is_text,
    "refusal": _is_text,
    "tool_calls": _are_calls,
    "function_call": _is_object,
}


def strip_completion(found: Json, where: str = "message") -> list[str]:
    """Leave of a completion, or of a chunk of a stream (`delta`), what can be checked.

    Returns the names of what was left out. RefusedError where it is none, or has several choices.
    """
    choices = found.get("choices") or []
    if not (isinstance(choices, list) and all(isinstance(one, dict) for one in choices)):
        raise RefusedError(502, _OTHER)
    if len(choices) > 1 or not (choices or where == "delta"):
        raise RefusedError(502, _OTHER)
    gone, found["choices"] = _strip(found, _COMPLETION), choices
    for choice in choices:
        choice["index"] = 0
        if where == "message":
            choice.setdefault("finish_reason", "stop")
        elif choice.get(where) is None:
            choice[where] = {}
        said = choice.get(where)
        if not isinstance(said, dict):
            raise RefusedError(502, _OTHER)
        gone += _strip(choice, {**_CHOICE, where: _is_any})
        gone += [f"{where}.{name}" for name in _strip(said, _SAID)]
        if all((said.get(key) or "").strip() for key in ("content", "refusal")):
            del said["refusal"]  # one of them is the text
            gone.append(f"{where}.refusal")
    return gone


def _strip(found: Json, known: Known) -> list[str]:
    """Take out what is not known or not of its kind; return the names of what is not empty."""
    out = [one for one in found if one not in known or not known[one](found[one])]
    full = [one for one in out if found.pop(one)]
    return [one if _NAME.fullmatch(one) else "a field whose name is no word" for one in full]


def text_of(said: Json) -> tuple[str, str]:
    """Return the text of a message or a delta, and its key: `content`, or else `refusal`."""
    for key in ("content", "refusal"):
        text = said.get(key)
        if isinstance(text, str) and text.strip():
            return text, key
    return str(said.get("content") or ""), "content"


def calls_tools(said: Json) -> bool:
    """Return whether a message or a delta calls tools."""
    return bool(said.get("tool_calls") or said.get("function_call"))


def added(one: object, other: object) -> Json | None:
    """Return the tokens of two answers together; None where one of them tells none."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return None
    pairs = {key: (one.get(key), other.get(key)) for key in _COUNTS}
    return {key: sum(pair) for key, pair in pairs.items() if all(type(n) is int for n in pair)}
