"""Canonical JSON (RFC 8785): one value has one form, of which a hash can be taken."""

from __future__ import annotations

import hashlib
import json
import math
import re
from decimal import Decimal

#: The largest whole number that all readers of JSON have alike.
_MOST = 2**53 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")
_string = json.JSONEncoder(ensure_ascii=False).encode


def dumps(value: object) -> bytes:
    """Return a value of JSON in its one form.

    A lone surrogate, which RFC 8785 refuses, is written as its escape. ValueError for a number
    that is not finite or beyond 2^53, TypeError for what is no JSON.
    """
    text = _written(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical form of a value."""
    return hashlib.sha256(dumps(value)).hexdigest()


def _written(value: object) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        if abs(value) > _MOST:
            raise ValueError(f"{value} is beyond 2^53")
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_written, value))}]"
    if isinstance(value, dict):
        plain = all(map(str.isascii, value))
        names = sorted(value) if plain else sorted(value, key=_units)
        return f"{{{','.join([f'{_string(name)}:{_written(value[name])}' for name in names])}}}"
    raise TypeError(f"{type(value).__name__} is no JSON")


def _units(name: str) -> bytes:
    """Return the UTF-16 code units by which names are sorted."""
    return name.encode("utf-16-be", "surrogatepass")


def _number(value: float) -> str:
    """Return a number as ECMAScript writes it (ECMA-262, Number::toString)."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is not finite")
    if value == 0:
        return "0"
    sign, parts, _ = Decimal(repr(value)).normalize().as_tuple()
    exponent = Decimal(repr(value)).adjusted() + 1  # places before the point
    digits = "".join(map(str, parts))
    if len(digits) <= exponent <= 21:
        written = digits + "0" * (exponent - len(digits))
    elif 0 < exponent <= 21:
        written = f"{digits[:exponent]}.{digits[exponent:]}"
    elif -6 < exponent <= 0:
        written = f"0.{'0' * -exponent}{digits}"
    else:
        more = f".{digits[1:]}" if digits[1:] else ""
        written = f"{digits[0]}{more}e{exponent - 1:+d}"
    return "-" * sign + written
