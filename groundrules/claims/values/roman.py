"""Roman numerals, written and read."""

from __future__ import annotations

_SIGNS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def write_roman(number: int) -> str:
    """Return a number of 1 to 3999 as a Roman numeral in capitals."""
    out = ""
    for value, sign in _SIGNS:
        times, number = divmod(number, value)
        out += sign * times
    return out


def read_roman(numeral: str) -> int | None:
    """Return the number of a Roman numeral in capitals, None where none is written so."""
    values = {sign: value for value, sign in _SIGNS}
    if not numeral or len(numeral) > len("MMMDCCCLXXXVIII") or not {*numeral} <= values.keys():
        return None
    own = [values[sign] for sign in numeral]
    total = sum(-a if a < b else a for a, b in zip(own, [*own[1:], 0], strict=True))
    return total if write_roman(total) == numeral else None
