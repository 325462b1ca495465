"""Typed pairs of clauses that were written for it (clauses.toml): many types, drawn values.

A clause says of each value what it is, under two or three names. A pair is broken by another value
of the kind in the same words, by the type of another value of the kind in the clause or in another
one, or by a value that the words do not have. Some clauses stand beside another one.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairs import ENTAILMENT, UNSUPPORTED, WORDS

_SLOT = re.compile(r"\[(\w+)\|([^\]]+)\]")
_MONTHS = "January February March April May June July August September October November December"
_NUMBERS = {
    2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 10: "ten",
    12: "twelve", 14: "fourteen", 15: "fifteen", 18: "eighteen", 20: "twenty", 24: "twenty-four",
    30: "thirty", 45: "forty-five", 60: "sixty", 90: "ninety", 120: "one hundred twenty",
}  # fmt: skip
#: How often each clause is drawn.
DRAWS = 40
_NEAR = tuple(frozenset(group.split()) for group in WORDS["near_types"])
#: What anybody and anything may be called: no wrong type either.
_ANY = {"party", "company", "corporation", "signatory", "firm", "country", "signer"}


@dataclass(frozen=True)
class Slot:
    """A value in a clause: its kind, the names of its type, and the value."""

    kind: str
    types: tuple[str, ...]
    value: str


def clause_rows(rng: random.Random) -> Iterator[tuple[str, str, str, int, str]]:
    """Yield premise, type, value, label and the clause, by which some are held out."""
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    templates = listed["clauses"]
    types: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for template in templates:
        for kind, names in _SLOT.findall(template):
            plain = tuple(name for name in names.split("; ") if "{" not in name)
            types[kind] += [plain] if plain else []
    for _ in range(DRAWS):
        for template in rng.sample(templates, len(templates)):
            premise, slots = _filled(template, listed, rng)
            beside: list[Slot] = []
            if rng.random() < 0.4:
                other, beside = _filled(rng.choice(templates), listed, rng)
                premise = f"{premise} {other}" if rng.random() < 0.5 else f"{other} {premise}"
            told = [*slots, *beside]
            one = rng.choice(slots)
            yield premise, rng.choice(one.types), one.value, ENTAILMENT, template
            yield premise, *_broken(one, told, types, listed, rng), UNSUPPORTED, template


def _broken(
    one: Slot,
    told: list[Slot],
    types: dict[str, list[tuple[str, ...]]],
    listed: dict[str, Any],
    rng: random.Random,
) -> tuple[str, str]:
    """Return a type and a value that the words do not give it."""
    mine = {name.lower() for slot in told if slot.value == one.value for name in slot.types}
    rivals = [
        slot for slot in told
        if slot.kind == one.kind and slot.value != one.value and not _alike(slot.types, mine)
    ]  # fmt: skip
    way = rng.random()
    if rivals and way < 0.6:
        other = rng.choice(rivals)
        if rng.random() < 0.5:
            return rng.choice(other.types), one.value
        return rng.choice(one.types), other.value
    if way < 0.85:
        # types that nothing in the words goes by
        said = {name.lower() for slot in told for name in slot.types}
        strange = [
            names
            for names in types[one.kind]
            if not (_alike(names, said) or _near(names, one.types))
        ]
        if rng.random() < 0.35:
            strange = [n for k, its in types.items() if k != one.kind for n in its]
            strange = [names for names in strange if not _alike(names, said)]
        if strange:
            return rng.choice(rng.choice(strange)), one.value
    held = {slot.value for slot in told}
    while (value := _value(one.kind, listed, rng)) in held:
        pass
    return rng.choice(one.types), value


def _alike(names: tuple[str, ...], others: set[str]) -> bool:
    """Return whether a type may be another by one of its names."""
    heads = {name.lower() for name in names}
    return any(a in b or b in a for a in heads for b in others)


def _near(names: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether one value may well be of both types."""
    here, there = (set(re.findall(r"[\w-]+", " ".join(of).lower())) for of in (names, others))
    return bool(here & _ANY) or any(here & group and there & group for group in _NEAR)


def _filled(template: str, listed: dict[str, Any], rng: random.Random) -> tuple[str, list[Slot]]:
    """Return a clause with values drawn, and what each is."""
    slots: list[Slot] = []
    parts: list[str] = []
    last = 0
    for match in _SLOT.finditer(template):
        while (value := _value(match[1], listed, rng)) in {slot.value for slot in slots}:
            pass
        slots.append(Slot(match[1], tuple(match[2].split("; ")), value))
        parts += [template[last : match.start()], value]
        last = match.end()
    whose = [
        re.sub(r",? \(?(?:Inc\.|Corp\.|LLC|Ltd\.|L\.P\.|Co\.|plc|GmbH)$", "", s.value)
        for s in slots
    ]
    named = [
        Slot(slot.kind, tuple(name.format(*whose) for name in slot.types), slot.value)
        for slot in slots
    ]
    return "".join([*parts, template[last:]]), named


def _value(kind: str, listed: dict[str, Any], rng: random.Random) -> str:
    if kind in listed["values"]:
        return str(rng.choice(listed["values"][kind]))
    names = listed["names"]
    number = rng.choice(list(_NUMBERS))
    word = _NUMBERS[number]
    match kind:
        case "date":
            month, day, year = (
                rng.choice(_MONTHS.split()),
                rng.randint(1, 28),
                rng.randint(1995, 2024),
            )
            return rng.choice(
                [f"{month} {day}, {year}", f"{day} {month} {year}", f"{month} {day}, {year}"]
            )
        case "duration":
            unit = rng.choice(["days", "days", "months", "years", "business days", "weeks"])
            return rng.choice([f"{word} ({number}) {unit}", f"{number} {unit}", f"{word} {unit}"])
        case "money":
            amount = rng.choice([1, 5, 25, 50, 100, 250, 1000]) * rng.randint(2, 99)
            return rng.choice([f"${amount:,}", f"${amount:,}.00", f"US${amount:,}", f"€{amount:,}"])
        case "percent":
            share = rng.choice([1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 40, 50, 75, 99])
            half = rng.choice(["", "", ".5"])
            return f"{share}{half}%"
        case "number":
            return rng.choice([f"{word} ({number})", str(number), f"{number * 100:,}"])
        case "org":
            name = f"{rng.choice(names['first'])} {rng.choice(names['second'])}"
            name = (
                f"{name}, {rng.choice(names['form'])}"
                if rng.random() < 0.3
                else (f"{name} {rng.choice(names['form'])}")
            )
            name = name.strip(" ,")
            return name.upper() if rng.random() < 0.2 else name
        case "person":
            initial = rng.choice(["", "", " J.", " M.", " R."])
            return f"{rng.choice(names['given'])}{initial} {rng.choice(names['family'])}"
        case "product":
            name = f"{rng.choice(names['first'])}{rng.choice(names['thing'])}"
            return rng.choice([name, f"{name} {rng.randint(2, 900)}", f"the {name}"])
        case "address":
            place = f"{rng.randint(10, 9900)} {rng.choice(names['street'])}"
            return f"{place}, {rng.choice(listed['values']['city'])}"
        case "url":
            return f"www.{rng.choice(names['first'])}{rng.choice(names['thing'])}.com".lower()
        case "reference":
            return rng.choice(
                [
                    f"{rng.randint(1000, 99999)}",
                    f"{rng.randint(5, 9)},{rng.randint(100, 999)},{rng.randint(100, 999)}",
                ]
            )
    raise ValueError(kind)
