"""What a line is worth, and what moved between two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Line = Mapping[str, Any]
#: What a state is worth under a label: 1 right, -1 wrong, 0 neither.
WORTH = {
    "true": {"supported": 1, "open": 0, "error": -1},
    "wrong": {"supported": -1, "open": 0, "error": 1},
    "open": {"supported": -1, "open": 1, "error": -1},
}
#: The columns of the table of sets, as `columns` counts them.
HEADS = (
    "set", "statements", "may not pass, passes", "may pass, supported", "may pass, error",
    "wrong, error", "wrong, error or warning", "may pass, error or warning",
)  # fmt: skip


def state(line: Line) -> str:
    """Return "error", "supported" or "open": what a reader of the report takes from it."""
    refuted = line["verdict"] in ("refuted", "conflicting")
    if refuted or any(" error " in rule for rule in line["rules"]):
        return "error"
    return "supported" if line["verdict"] == "supported" else "open"


def warned(line: Line) -> bool:
    """Return whether a statement has an error or a warning."""
    return state(line) == "error" or any(" warning " in rule for rule in line["rules"])


def worth(line: Line) -> int | None:
    """Return 1 where a line is right by its label, -1 where it is wrong, None without a label."""
    if not line["is"]:
        return None
    return max(WORTH[label][state(line)] for label in line["is"].split("|"))


@dataclass(frozen=True, slots=True)
class Move:
    """A statement whose line is another now; None where there was none, or is none."""

    set: str
    old: Line | None
    new: Line | None

    @property
    def effect(self) -> str:
        """What the move comes to: repaired, broken, or moved without effect on its label."""
        if self.old is None or self.new is None:
            return "new" if self.old is None else "gone"
        before, after = worth(self.old), worth(self.new)
        if before is None or after is None or before == after:
            return "moved"
        return "repaired" if after > before else "broken"


def moves(name: str, old: Sequence[Line], new: Sequence[Line]) -> Iterator[Move]:
    """Yield the statements of a set whose lines differ."""
    before = {line["n"]: line for line in old}
    after = {line["n"]: line for line in new}
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if one is None or other is None or not _same(one, other):
            yield Move(name, one, other)


def _same(one: Line, other: Line) -> bool:
    return all(one[key] == other[key] for key in ("is", "verdict", "reason", "rules"))


def columns(lines: Iterable[Line]) -> list[str]:
    """Return the cells of a set: how many statements, and shares of those with each label."""
    groups: dict[str, list[Line]] = {"": [], "true": [], "wrong": [], "open": []}
    for line in lines:
        groups[""].append(line)
        if "|" not in line["is"] and line["is"]:
            groups[line["is"]].append(line)
    not_true = groups["wrong"] + groups["open"]
    states = {name: Counter(map(state, part)) for name, part in groups.items()}
    passed = sum(state(one) == "supported" for one in not_true)
    return [
        f"{len(groups['']):,}",
        _share(passed, len(not_true)),
        *(_share(states["true"][kind], len(groups["true"])) for kind in ("supported", "error")),
        _share(states["wrong"]["error"], len(groups["wrong"])),
        *(_share(sum(map(warned, groups[one])), len(groups[one])) for one in ("wrong", "true")),
    ]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} of {whole}" if whole else "–"


def table(sets: Mapping[str, Sequence[Line]]) -> str:
    """Return the sets and all of them together, a row each."""
    rows: list[Sequence[str]] = [HEADS]
    rows += [[name, *columns(lines)] for name, lines in sets.items()]
    rows.append(["all", *columns(line for lines in sets.values() for line in lines)])
    out = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([out[0], "|---|" + "--:|" * (len(HEADS) - 1), *out[1:]])


def shown(move: Move) -> str:
    """Return a move as it is printed: old beside new."""
    one = move.new or move.old
    assert one is not None
    lines = [f"{move.set} {one['n']} ({one['is'] or 'no label'}): {move.effect}"]
    lines += [
        f"  {sign} {_told(line)}" for sign, line in (("-", move.old), ("+", move.new)) if line
    ]
    return "\n".join(lines)


def _told(line: Line) -> str:
    rules = f"  [{', '.join(line['rules'])}]" if line["rules"] else ""
    return f"{line['verdict']} ({line['reason']}){rules}"


def sums(found: Iterable[Move]) -> str:
    """Return how many statements moved, and to what effect."""
    counts = Counter(move.effect for move in found)
    named = {"repaired": "repaired", "broken": "broken", "moved": "moved without effect",
             "new": "new", "gone": "gone"}  # fmt: skip
    told = ", ".join(f"{counts[one]} {name}" for one, name in named.items() if counts[one])
    return f"{sum(counts.values())} moved: {told}" if counts else "no statement moved"
