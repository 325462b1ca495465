"""JSON as language models write it, read without invention: in a fence, amid prose, or cut off.

What was cut off is left out, and what is no JSON is malformed. The PyPI package json-repair does
otherwise (tests/llm/test_structured.py has the cases): half a name becomes a name, and `Smith` in
the place of a value becomes a string.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from groundrules.errors import ConfigError

_LONGEST = 1_000_000  # characters of an answer that is looked into
_DEEPEST = 100
#: A brace or bracket that begins JSON, as in prose few do.
_START = re.compile(r"""\{(?=\s*["'}])|\[(?=\s*["'\[\]{\d-])""")
#: Some templates put the opening mark in the prompt.
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>|\A.*\n[ \t]*</think>", re.S)
_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.S)
#: A string, ended or not, or a mark of structure.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.S)


class MalformedError(ValueError):
    """An answer that is no JSON, or does not obey its schema."""


def read_answer(text: str, validate: Callable[[object], None]) -> tuple[Any, bool]:
    """Return the JSON value of an answer that `validate` accepts, and whether it was cut off.

    MalformedError if there is none, if there are two that differ, or if nothing of it is whole.
    """
    try:
        value = parse(text)
    except MalformedError as error:
        reason = error
    else:
        validate(value)
        return value, False
    if not text.strip():
        raise MalformedError("the answer is empty")
    if len(text) > _LONGEST:
        raise reason
    if text.lstrip().startswith("<think>") and "</think>" not in text:
        raise MalformedError("it thought to the end and did not answer")
    text = _THOUGHT.sub("", text, count=1)
    fenced = [found[1] for found in _FENCE.finditer(text)]
    for candidates in (fenced, [text]):
        accepted: list[tuple[Any, bool]] = []
        for candidate in candidates:
            for value, cut in _values(candidate):
                try:
                    validate(value)
                except MalformedError as error:
                    reason = error
                else:
                    accepted.append((value, cut))
        # as JSON: to Python, 1 and True are equal
        if len({json.dumps(value, sort_keys=True) for value, _ in accepted}) > 1:
            raise MalformedError("two answers that differ")
        if accepted:
            return accepted[0]
    raise reason


def parse(text: str, *, strict: bool = True) -> Any:
    """Return the value of a JSON text; MalformedError if it is none, or names a key twice.

    If it need not be `strict`, a string may go over several lines.
    """
    try:
        value = (_strict if strict else _decoder).decode(text)
    except RecursionError:
        raise MalformedError("nested too deeply") from None
    except ValueError as error:
        raise MalformedError(f"no JSON: {error}") from None
    return _bounded(value)


def _bounded(value: Any) -> Any:
    """Return a value that is not nested too deeply."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [part for item in level for part in _parts(item)]
        if not level:
            return value
    raise MalformedError("nested too deeply")


def validator(schema: Mapping[str, object]) -> Callable[[object], None]:
    """Return a function that raises MalformedError, with place and reason, on what breaks a schema.

    ConfigError if the schema is none, or the package jsonschema is missing.
    """
    try:
        import jsonschema
        import referencing
        import referencing.exceptions
    except ImportError:
        raise ConfigError(
            "asking a language model needs jsonschema, which is not installed; run: "
            "pip install 'groundrules[llm]'"
        ) from None
    kind = jsonschema.Draft202012Validator
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ConfigError(f"not a JSON Schema at {error.json_path}: {_short(error)}") from None
    except RecursionError:
        raise ConfigError("the JSON Schema is nested too deeply") from None
    # an empty registry: nothing that the schema refers to is fetched
    judge = kind(schema, registry=referencing.Registry())

    def validate(value: object) -> None:
        try:
            error = jsonschema.exceptions.best_match(judge.iter_errors(value))
        except referencing.exceptions.Unresolvable as missing:
            raise ConfigError(
                f"the JSON Schema refers to {missing.ref!r}, which it does not have"
            ) from None
        except RecursionError:
            raise ConfigError("the JSON Schema refers to itself without end") from None
        if error is not None:
            raise MalformedError(f"{error.json_path}: {_short(error)}")

    return validate


def _short(error: Any) -> str:
    message = str(error.message)
    return message if len(message) <= 200 else f"{message[:100]} … {message[-99:]}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedError("an object names a key twice")
    return found


def finite(digits: str) -> float:
    """Return a number; MalformedError where JSON has none such: NaN, Infinity, 1e999."""
    if not math.isfinite(number := float(digits)):
        raise MalformedError(f"{digits} is no JSON")
    return number


_strict = json.JSONDecoder(object_pairs_hook=_object, parse_constant=finite, parse_float=finite)
_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=finite, parse_float=finite, strict=False
)


def _parts(value: object) -> Iterable[Any]:
    """Return the values right inside a value."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _is_empty(value: object) -> bool:
    """Return whether there is nothing in a value but arrays and objects."""
    return isinstance(value, dict | list) and all(_is_empty(part) for part in _parts(value))


def _values(text: str) -> Iterator[tuple[Any, bool]]:
    """Yield the objects and arrays that a text has side by side, the last as far as it is whole.

    MalformedError for what begins as one and is none: what stands within is not the answer.
    """
    at = 0
    while start := _START.search(text, at):
        closed = _closed(text, start.start())
        try:
            if closed is not None:
                value = parse(closed, strict=False)
                if _is_empty(value):
                    raise MalformedError("cut off before anything was whole")
                yield value, True
                return
            value, at = _decoder.raw_decode(text, start.start())
        except MalformedError:
            raise
        except RecursionError:
            raise MalformedError("nested too deeply") from None
        except ValueError as error:
            raise MalformedError(f"no JSON: {error}") from None
        yield _bounded(value), False


def _closed(text: str, at: int) -> str | None:
    """Return a value that the text ends in, up to the last item of an array that is whole, closed.

    None where it does not end in it. What of it is open besides is left out.
    """
    opened: list[str] = []
    whole, closing = at, ""
    for found in _TOKEN.finditer(text, at):
        sign = found[0]
        if sign in "[{":
            opened.append("]" if sign == "[" else "}")
        elif sign in "]}":
            if opened.pop() != sign:
                raise MalformedError("no JSON: a bracket that does not match")
            if not opened:
                return None
        item = opened[-1] == "]" and opened.count("]") == 1 and sign in ",[]}"
        if item or (sign == "," and opened == ["}"]):
            # behind an item of the outermost array, or where the first is to come, or a member
            whole, closing = found.start() if sign == "," else found.end(), "".join(opened[::-1])
    if not closing:
        raise MalformedError("cut off before anything was whole")
    return text[at:whole] + closing
