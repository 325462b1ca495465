"""JSON as language models write it: read where it says one thing, repaired without invention.

What is repaired is the writing - a fence, prose around, a comma too many, quotes of another kind -
never the content: what was cut off is left out, and what can be read in two ways is malformed. The
PyPI package json-repair does otherwise (tests/llm/test_structured.py has the cases): half a name
becomes a name, and `Smith` in the place of a value becomes a string.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from groundrules.errors import ConfigError

#: What an answer took to be read: nothing, a repair, or the loss of what was cut off.
Repair = Literal["", "repaired", "cut"]

_LONGEST = 1_000_000  # characters of an answer that is repaired
_DEEPEST = 100
#: A brace or bracket that begins JSON, as in prose few do.
_START = re.compile(r"""\{(?=\s*["'}])|\[(?=\s*["'\[\]{\d-])""")
#: Some templates put the opening mark in the prompt.
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>|\A.*\n[ \t]*</think>", re.S)
_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.S)
_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_WORD = re.compile(r"[A-Za-z]+")
_HALF_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})")


class MalformedError(ValueError):
    """An answer that is no JSON, or does not obey its schema."""


def read_answer(text: str, validate: Callable[[object], None]) -> tuple[Any, Repair]:
    """Return the JSON value of an answer that `validate` accepts, and what it took.

    MalformedError if there is none, if there are two that differ, or if nothing of it is whole.
    """
    try:
        value = parse(text)
    except MalformedError as error:
        reason = error
    else:
        validate(value)
        return value, ""
    if not text.strip():
        raise MalformedError("the answer is empty")
    if len(text) > _LONGEST:
        raise reason
    if text.lstrip().startswith("<think>") and "</think>" not in text:
        raise MalformedError("it thought to the end and did not answer")
    text = _THOUGHT.sub("", text, count=1)
    fenced = [found[1] for found in _FENCE.finditer(text)]
    for candidates in (fenced, [text]):
        accepted: list[tuple[Any, Repair]] = []
        for candidate in candidates:
            for value, repair in _values(candidate):
                try:
                    validate(value)
                except MalformedError as error:
                    reason = error
                else:
                    accepted.append((value, repair))
        if any(not _same(value, accepted[0][0]) for value, _ in accepted):
            raise MalformedError("two answers that differ")
        if accepted:
            return accepted[0]
    raise reason


def parse(text: str) -> Any:
    """Return the value of a JSON text; MalformedError if it is none, or names a key twice."""
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=finite, parse_float=finite
        )
    except RecursionError:
        raise MalformedError("nested too deeply") from None
    except ValueError as error:
        raise MalformedError(f"no JSON: {error}") from None
    level = [value]
    for _ in range(_DEEPEST):
        level = [part for item in level for part in _parts(item)]
        if not level:
            return value
    raise MalformedError("nested too deeply")


def validator(schema: Mapping[str, object]) -> Callable[[object], None]:
    """Return a function that raises MalformedError, with place and reason, on what breaks a schema.

    ConfigError if the schema is none, or needs the package jsonschema, which is missing.
    """
    try:
        import jsonschema
        import referencing
        import referencing.exceptions
    except ImportError:
        if _is_plain(schema):
            return functools.partial(_obey, schema, place="$")
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


_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,),
    "integer": (int,), "number": (int, float), "null": (type(None),),
}  # fmt: skip
_PLAIN = frozenset(
    "type properties required additionalProperties items anyOf enum title description".split()
)


def _is_plain(schema: object) -> bool:
    """Return whether a schema has only what is checked without the package jsonschema."""
    if not isinstance(schema, Mapping) or not schema.keys() <= _PLAIN:
        return False
    within = [*schema.get("anyOf", ()), *schema.get("properties", {}).values()]
    if "items" in schema:
        within.append(schema["items"])
    return schema.get("additionalProperties") in (None, False) and all(map(_is_plain, within))


def _obey(schema: Mapping[str, Any], value: object, *, place: str) -> None:
    """Refuse a value that breaks a plain schema, with the place and what was expected."""
    if "anyOf" in schema:
        reasons = []
        for option in schema["anyOf"]:
            try:
                _obey(option, value, place=place)
            except MalformedError as error:
                reasons.append(error)
            else:
                return
        raise reasons[0]
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    held = tuple(one for kind in kinds for one in _TYPES[kind])
    # to Python a truth value is a number
    if kinds and (not isinstance(value, held) or (isinstance(value, bool) and bool not in held)):
        raise MalformedError(f"{place}: {json.dumps(value)[:100]} is no {' or '.join(kinds)}")
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        raise MalformedError(f"{place}: {json.dumps(value)[:100]} is none of {schema['enum']}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name in schema.get("required", ()):
            if name not in value:
                raise MalformedError(f"{place}: {name!r} is missing")
        for name, part in value.items():
            if name in known:
                _obey(known[name], part, place=f"{place}.{name}")
            elif schema.get("additionalProperties") is False:
                raise MalformedError(f"{place}: {name!r} was not asked for")
    if isinstance(value, list) and "items" in schema:
        for number, part in enumerate(value):
            _obey(schema["items"], part, place=f"{place}[{number}]")


def _short(error: Any) -> str:
    message = str(error.message)
    return message if len(message) <= 200 else f"{message[:100]} … {message[-99:]}"


def _same(one: object, other: object) -> bool:
    # as JSON: to Python, 1 and True are equal
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


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


def _parts(value: object) -> Iterable[Any]:
    """Return the values right inside a value."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _is_empty(value: object) -> bool:
    """Return whether there is nothing in a value but arrays and objects."""
    return isinstance(value, dict | list) and all(_is_empty(part) for part in _parts(value))


def _values(text: str) -> Iterator[tuple[Any, Repair]]:
    """Yield the objects and arrays that a text has side by side, each repaired if need be.

    MalformedError for what begins as one and is none: what stands within is not the answer.
    """
    at = 0
    while start := _START.search(text, at):
        parser = _Parser(text, start.start())
        value = parser.value(0)
        at = parser.at
        if parser.cut and _is_empty(value):
            raise MalformedError("cut off before anything was whole")
        yield value, "cut" if parser.cut else "repaired"


class _CutError(Exception):
    """The text ends within a value; `kept` is what of it is whole and belongs to the answer."""

    def __init__(self, kept: Any = None, *, has_list: bool = False) -> None:
        super().__init__()
        self.kept = kept
        self.has_list = has_list


class _Parser:
    """Reads one value at a place; forgives what can be meant in one way only.

    Where the text ends within a value, an array keeps the items before the one it ends in; an
    object that is no item keeps the members before that, if the text ends within an array of it
    or if it is the answer itself; all else that is open is left out.
    """

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.cut = False

    def value(self, depth: int) -> Any:
        """Return the value at this place; at depth 0 one that was cut off too."""
        if depth > _DEEPEST:
            raise MalformedError("nested too deeply")
        sign = self._peek()
        try:
            if sign == "{":
                return self._object(depth)
            if sign == "[":
                return self._array(depth)
        except _CutError as cut:
            if depth:
                raise
            self.at = len(self.text)
            self.cut = True
            return cut.kept
        if sign in ('"', "'"):
            return self._string(sign)
        return self._scalar()

    def _peek(self) -> str:
        """Return the next character that is no space; _CutError at the end."""
        found = _SPACE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        if self.at == len(self.text):
            raise _CutError
        return self.text[self.at]

    def _array(self, depth: int) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        try:
            while self._peek() != "]":
                item = self.value(depth + 1)
                items += [item]
                if self._peek() == ",":
                    self.at += 1
                elif self._peek() != "]":
                    raise MalformedError("no comma between items")
        except _CutError:
            raise _CutError(items, has_list=True) from None
        self.at += 1
        return items

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        pairs: list[tuple[str, Any]] = []
        name = ""
        try:
            while (sign := self._peek()) != "}":
                name = ""
                if sign not in ('"', "'"):
                    raise MalformedError("no name of a member")
                name = self._string(sign)
                if self._peek() != ":":
                    raise MalformedError("no colon after a name")
                self.at += 1
                pairs.append((name, self.value(depth + 1)))
                if self._peek() == ",":
                    self.at += 1
                elif self._peek() != "}":
                    raise MalformedError("no comma between members")
        except _CutError as cut:
            if cut.has_list:
                pairs.append((name, cut.kept))
            raise _CutError(_object(pairs), has_list=cut.has_list) from None
        self.at += 1
        return _object(pairs)

    def _string(self, quote: str) -> str:
        """Return a string; a quote ends it where a comma, a colon or a closing sign follows.

        A double quote within it may stand without backslash if it opens or closes a word, and they
        alternate; an apostrophe if it stands between letters.
        """
        parts: list[str] = []
        self.at += 1
        opened = False
        while True:
            if self.at >= len(self.text):
                raise _CutError
            char = self.text[self.at]
            if char == "\\":
                parts.append(self._escape())
                continue
            if char == quote:
                after = _SPACE.match(self.text, self.at + 1)
                assert after is not None
                if after.end() == len(self.text):
                    raise _CutError  # it may be a quote within
                if self.text[after.end()] in ",:]}":
                    break
                opened = self._within(quote, opened)
            parts.append(char)
            self.at += 1
        self.at += 1
        if opened:
            raise MalformedError("quotes within a string that do not match")
        return "".join(parts)

    def _within(self, quote: str, opened: bool) -> bool:
        """Return whether a quote is open after the one here; MalformedError if it may end it."""
        before, after = self.text[self.at - 1], self.text[self.at + 1]
        if quote == "'" and before.isalpha() and after.isalpha():
            return False
        if quote == '"' and not opened and not before.isalnum() and not after.isspace():
            return True
        if quote == '"' and opened and not before.isspace() and not after.isalnum():
            return False
        raise MalformedError("a quote within a string without backslash")

    def _escape(self) -> str:
        if self.text.startswith("\\'", self.at):
            self.at += 2
            return "'"
        found = _ESCAPE.match(self.text, self.at)
        if found is None:
            if _HALF_ESCAPE.match(self.text, self.at):
                raise _CutError
            raise MalformedError("a backslash that escapes nothing")
        self.at = found.end()
        if found[0].startswith("\\u") and _ESCAPE.match(self.text, self.at):
            # the halves of a surrogate pair are one character
            pair = f'"{found[0]}{self.text[self.at : self.at + 6]}"'
            if re.fullmatch(r'"\\u[dD][89abAB]..\\u[dD][c-fC-F].."', pair):
                self.at += 6
                return str(json.loads(pair))
        return str(json.loads(f'"{found[0]}"'))

    def _scalar(self) -> Any:
        found = _NUMBER.match(self.text, self.at) or _WORD.match(self.text, self.at)
        if found is None:
            raise MalformedError("no value")
        self.at = found.end()
        if self.at == len(self.text):
            raise _CutError  # 12 may have been 120
        if self._peek() not in ",]}":
            raise MalformedError("more after a value")
        if found[0] in _WORDS:
            return _WORDS[found[0]]
        return parse(found[0])
