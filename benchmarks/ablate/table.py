"""What was found without each target, summed over sets, as tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.ablate.names import saved, things
from benchmarks.ablate.targets import Target, is_effective
from benchmarks.lock.sets import Unit
from groundrules.rules.packs import shipped

HEADS = (
    "without", "tried on", "right to wrong", "wrong to right", "finding on a wrong one lost",
    "on a true one gone", "by set (right to wrong, wrong to right)", "s", "lines",
)  # fmt: skip
#: Kinds in the order of the page, with their headings.
KINDS = {
    "rule": "Rules", "finder": "Finders", "derivation": "Derivations", "model": "Models",
    "module": "Modules of `align`", "function": "Other functions of `align` that may find nothing",
    "reader": "Functions of `claims` that read sentences",
}  # fmt: skip


@dataclass(slots=True)
class Worth:
    """What changes without a target.

    `broken` and `repaired` count verdicts that are then worse or better by their labels, by set.
    `lost` and `gone` count wrong statements with an error or warning with it and none without, and
    true ones. `texts` are those in which it found something, each tried without it.
    """

    name: str
    kind: str
    texts: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    gone: int = 0
    lines: int = 0
    calls: int = 0
    found: int = 0
    seconds: float = 0.0
    fault: str = ""
    moved: list[tuple[str, str, str, list[Any], list[Any]]] = field(default_factory=list)

    @property
    def is_idle(self) -> bool:
        """Whether it was asked and never found anything."""
        return bool(self.calls) and not self.found

    @property
    def earns(self) -> bool:
        """Whether more verdicts are right with it than without."""
        return sum(self.broken.values()) > sum(self.repaired.values())


def worths(
    units: Iterable[Unit], known: Mapping[str, Mapping[str, Any]], targets: Sequence[Target]
) -> dict[str, Worth]:
    """Return what each target is worth, by its name, of the texts that were tried."""
    kinds = {one.name: one for one in targets}
    out = {one.name: Worth(one.name, one.kind, lines=_lines(one)) for one in targets}
    for unit in units:
        found = known.get(unit.digest, {})
        seen, fired = found["base"]["seen"], found["base"]["fired"]
        for name, (calls, some, seconds) in seen.items():
            if name in out:
                out[name].calls += calls
                out[name].found += some
                out[name].seconds += seconds
        for rule in fired:
            if rule in out:
                out[rule].found += 1
        for name, moved in found.items():
            if name not in kinds:
                continue
            one = out[name]
            if isinstance(moved, str):
                one.fault = moved
                continue
            one.texts += is_effective(kinds[name], seen, fired)
            for effect, line, label, *told in moved:
                old, new = told[:4], told[4:]
                one.broken[unit.set] += effect == "broken"
                one.repaired[unit.set] += effect == "repaired"
                if old[1] and not new[1]:
                    one.lost += label == "wrong"
                    one.gone += label == "true"
                one.moved.append((unit.set, line, label, old, new))
    return out


def _lines(target: Target) -> int:
    if target.kind == "rule":
        rule = shipped().get(target.name)
        return len(Path(rule.path).read_text("utf-8").splitlines()) if rule else 0
    if target.kind == "module":
        module = target.name.removesuffix(".*")
        return sum(one.lines for name, one in things().items() if name.rpartition(".")[0] == module)
    return saved(target.functions)[0] if target.functions else 0


def page(found: Mapping[str, Worth], units: int, statements: int) -> str:
    """Return the tables of all kinds, and what was asked and never found anything."""
    by_kind: dict[str, list[Worth]] = defaultdict(list)
    for one in found.values():
        by_kind[one.kind].append(one)
    out = [
        f"Of {statements:,} statements in {units:,} texts. A text is checked again without what",
        "found something in it. Right and wrong are by label: a catch that is lost and a true",
        "statement that is no longer supported both are right to wrong. Seconds are those of CPU",
        "within it, in all texts; lines are those that go with it, with what it alone needs.",
    ]
    for kind, heading in KINDS.items():
        rows = [
            one
            for one in by_kind[kind]
            if not one.is_idle and not one.fault and (one.texts or one.found)
        ]
        if not rows:
            continue
        rows.sort(key=lambda one: (sum(one.broken.values()) - sum(one.repaired.values()), one.name))
        out += ["", f"### {heading}", "", f"| {' | '.join(HEADS)} |",
                "|---|" + "--:|" * 5 + "---|--:|--:|"]  # fmt: skip
        out += [_row(one) for one in rows]
    idle = sorted((one for one in found.values() if one.is_idle), key=lambda one: -one.calls)
    told = ", ".join(f"`{_short(one.name)}` {one.calls:,}" for one in idle)
    out += ["", "### Asked and never found anything", "", told or "none", ""]
    never = [
        one.name
        for one in found.values()
        if one.kind in ("finder", "derivation", "function", "reader") and not one.calls
    ]
    out += ["### Never asked", "", ", ".join(f"`{_short(one)}`" for one in sorted(never)) or "none"]
    quiet = [one.name for one in found.values() if one.kind == "rule" and not one.found]
    out += ["", "### Rules that never fired", "", ", ".join(sorted(quiet)) or "none"]
    return "\n".join(out)


def _row(one: Worth) -> str:
    sets = [name for name in dict.fromkeys((*one.broken, *one.repaired))
            if one.broken[name] or one.repaired[name]]  # fmt: skip
    told = ", ".join(f"{name} {one.broken[name]}/{one.repaired[name]}" for name in sets)
    name = _short(one.name)
    if one.kind == "rule":
        rule = shipped().get(one.name)
        name = f"{one.name} {rule.name}" if rule else one.name
    seconds = f"{one.seconds:.1f}" if one.seconds else "–"
    cells = [
        name, f"{one.texts:,}", str(sum(one.broken.values())), str(sum(one.repaired.values())),
        str(one.lost), str(one.gone), told or "–", seconds, f"{one.lines:,}" if one.lines else "–",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _short(name: str) -> str:
    return name.removeprefix("align.").removesuffix(".*")
