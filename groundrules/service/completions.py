"""Completions: what of an upstream's answer a client may be given, and what of it is a text.

All that a client could show is checked as one text a choice, or left out and named. What has no
words goes through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from groundrules.service.refusals import RefusedError

Json = dict[str, Any]

#: The most choices of an answer: each is checked by itself.
MOST_CHOICES = 8
_NAME = re.compile(r"[\w.-]{1,64}")
_WORD = re.compile(r"[A-Za-z0-9_.:-]{0,128}")
#: Where a space is put between two parts that are put together: a sentence ended.
_ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$")
_OTHER = "the upstream answered with something else than a completion"


def _is_word(value: object) -> bool:
    return value is None or (isinstance(value, str) and bool(_WORD.fullmatch(value)))


def _is_short(value: object) -> bool:
    return value is None or (isinstance(value, str) and len(value) <= 200)


def _is_counted(value: object) -> bool:
    return value is None or (isinstance(value, dict) and not has_words(value))


def _are_calls(value: object) -> bool:
    return value is None or (
        isinstance(value, list) and all(isinstance(one, dict) for one in value)
    )


def _is_object(value: object) -> bool:
    return value is None or isinstance(value, dict)


def _is_any(_: object) -> bool:
    return True


Known = Mapping[str, Callable[[object], bool]]
_COMPLETION: Known = {
    "id": _is_word,
    "object": _is_word,
    "model": _is_short,
    "system_fingerprint": _is_word,
    "service_tier": _is_word,
    "usage": _is_counted,
    "choices": _is_any,
}
_CHOICE: Known = {"finish_reason": _is_word, "message": _is_any}
_CHUNK_CHOICE: Known = {"finish_reason": _is_word, "delta": _is_any}
_SAID: Known = {
    "role": lambda value: value in (None, "assistant"),
    "content": _is_any,
    "refusal": _is_any,
    "tool_calls": _are_calls,
    "function_call": _is_object,
}


def strip_completion(found: Json) -> tuple[list[str], list[list[str]]]:
    """Leave of a completion what can be checked, or has no words; content becomes one text.

    Returns the names of what was left out: of the whole, and of each choice. RefusedError where it
    is none, or has more choices than are checked.
    """
    choices = found.get("choices")
    if not choices:
        raise RefusedError(502, _OTHER)
    top = _strip(found, _COMPLETION)
    return top, [
        _strip_choice(one, n, "message", _CHOICE) for n, one in enumerate(_choices(choices))
    ]


def strip_chunk(found: Json) -> tuple[list[str], list[list[str]]]:
    """Do so with a chunk of a stream, which may have no choices."""
    top = _strip(found, _COMPLETION)
    choices = _choices(found.get("choices") or [])
    found["choices"] = choices
    return top, [_strip_choice(one, n, "delta", _CHUNK_CHOICE) for n, one in enumerate(choices)]


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


def has_words(value: object) -> bool:
    """Return whether there is a string that is not empty in a value of JSON, or a key of words."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str) and one.strip():
            return True
        if isinstance(one, dict):
            if not all(_NAME.fullmatch(key) for key in one):
                return True
            left += one.values()
        elif isinstance(one, list):
            left += one
    return False


def added(one: object, other: object) -> Json | None:
    """Return the counts of two answers together, without those that only one of them tells.

    None where one of them tells none.
    """
    if not isinstance(one, dict) or not isinstance(other, dict):
        return None
    sums: Json = {}
    for key in dict.fromkeys((*one, *other)):
        a, b = one.get(key), other.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            sums[key] = added(a, b)
        elif isinstance(a, int | float) and isinstance(b, int | float):
            sums[key] = a + b
    if "total_tokens" not in sums and {"prompt_tokens", "completion_tokens"} <= sums.keys():
        sums["total_tokens"] = sums["prompt_tokens"] + sums["completion_tokens"]
    return sums


def _choices(choices: object) -> list[Json]:
    if not isinstance(choices, list) or not all(isinstance(one, dict) for one in choices):
        raise RefusedError(502, _OTHER)
    if len(choices) > MOST_CHOICES:
        raise RefusedError(502, f"the upstream answered with more than {MOST_CHOICES} choices")
    return choices


def _strip_choice(choice: Json, number: int, where: str, known: Known) -> list[str]:
    said = choice.get(where)
    if said is None and where == "delta":
        said = choice[where] = {}
    index = choice.setdefault("index", number)
    if not isinstance(said, dict) or not isinstance(index, int) or not 0 <= index < MOST_CHOICES:
        raise RefusedError(502, _OTHER)
    tokens = choice.pop("logprobs", None)
    gone = _strip(choice, known)
    gone += [f"{where}.{name}" for name in (*_strip(said, _SAID), *_flatten(said))]
    if where == "message":
        choice.setdefault("finish_reason", "stop")
        _join(said)
        if tokens is not None and _said_by(tokens) == text_of(said)[0]:
            choice["logprobs"] = tokens
        elif tokens is not None:  # they tell words that are not in the text
            choice["logprobs"] = None
            gone += ["logprobs"] if has_words(tokens) else []
    elif has_words(tokens):
        gone.append("logprobs")
    return gone


def _strip(found: Json, known: Known) -> list[str]:
    """Take out what is not of its kind, or is not known and has words; return its names."""
    gone = []
    for key in list(found):
        kept = known[key](found[key]) if key in known else not has_words({key: found[key]})
        if not kept:
            del found[key]
            gone.append(key if _NAME.fullmatch(key) else "a field whose name is no word")
    return gone


def _flatten(said: Json) -> list[str]:
    """Make one text of the parts of content; what of them is no text is left out and named."""
    gone: list[str] = []
    content = said.get("content")
    if isinstance(content, list):
        texts: dict[str, str] = {}
        for number, part in enumerate(content):
            name = f"content.{number}"
            key, text = _part(part)
            if not key:
                gone += [name] if has_words(part) else []
                continue
            texts[key] = _put(texts.get(key, ""), text)
            rest = {} if isinstance(part, str) else part
            gone += [f"{name}.{one}" for one in _strip(dict(rest), _PART)]
        said["content"] = texts.get("content")
        if "refusal" in texts:
            said["refusal"] = _put(str(said.get("refusal") or ""), texts["refusal"])
    for key in ("content", "refusal"):
        if said.get(key) is not None and not isinstance(said[key], str):
            gone += [key] if has_words(said[key]) else []
            said[key] = None
    return gone


_PART: Known = {"type": _is_word, "text": _is_any, "refusal": _is_any}


def _part(part: object) -> tuple[str, str]:
    """Return the key and the text of a part of content; no key where it is none."""
    if isinstance(part, str):
        return "content", part
    if isinstance(part, dict):
        if part.get("type") in ("text", "output_text") and isinstance(part.get("text"), str):
            return "content", part["text"]
        if part.get("type") == "refusal" and isinstance(part.get("refusal"), str):
            return "refusal", part["refusal"]
    return "", ""


def _put(before: str, text: str) -> str:
    """Return two parts as one text: a word that was cut in two is whole again."""
    space = " " if _ENDS.search(before) and text[:1].strip() else ""
    return before + space + text


def _join(said: Json) -> None:
    """Put a refusal behind the content that stands beside it: they are shown as one answer."""
    content, refusal = said.get("content"), said.get("refusal")
    if content and refusal and content.strip() and refusal.strip():
        said["content"], said["refusal"] = f"{content}\n\n{refusal}", None


def _said_by(tokens: object) -> str | None:
    """Return the text that probabilities of tokens are of, None where they are no such."""
    try:
        told = tokens.get("content") or tokens.get("refusal") or []  # type: ignore[attr-defined]
        raw = b"".join(
            bytes(one["bytes"]) if one.get("bytes") is not None else one["token"].encode()
            for one in told
        )
        return raw.decode()
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
