"""What is left out, one at a time, and what stands in its place.

A function of `align` or `claims` is replaced by one that finds nothing, which the annotation of
what it returns tells: None, an empty collection, an empty text, False. The models and what no
annotation tells are declared here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.ablate.names import things
from groundrules.align.contrasts import _FINDERS

#: The finders of possible contrasts.
CONTRASTS = tuple(
    f"{one.__module__.removeprefix('groundrules.')}.{one.__name__}" for one in _FINDERS
)
#: They and others that find where the source says otherwise.
FINDERS = (
    *CONTRASTS,
    "align.rivals.by_unit", "align.rivals.by_date", "align.rivals.by_cell",
    "align.figures._beside_own_part", "align.figures._rival", "align.norms.read_action",
)  # fmt: skip
#: What a number may follow from, and what shows that it was reckoned wrongly.
DERIVATIONS = (
    "align.derivations._alone", "align.derivations._paired", "align.derivations._scaled_by",
    "align.derivations.derive", "align.reckonings.wrong_sum",
    "align.datesums.of_dates", "align.datesums.of_times",
    "align.parts._listed", "align.parts._grid", "align.parts._respectively", "align.parts._around",
    "align.parts._cells",
)  # fmt: skip
#: The models, each with what stands in its place (`benchmarks.ablate.trial`).
MODELS = (
    "support weights, for them the share of words",
    "vectors of word pieces in the support",
    "vectors of labels",
)
#: What stands in the place of a function where no annotation tells, by what it is given.
PLACED: dict[str, Callable[..., Any]] = {
    # each label is a cluster of its own
    "align.cluster.unify": lambda labels, *_, **__: list(range(len(labels))),
    # what was weighed stays as it is
    "align.weighing.with_scores": lambda statements, *_: tuple(statements),
    "align.weighing.with_finding": lambda contributions, *_: contributions,
    "align.cluster.normal_form": lambda label, *_: label,
}
#: Functions whose emptiness is no lack of a finding but of what is compared.
PLUMBING = re.compile(
    r"align\.(passages|tokens|places|parses|graphs|accounts|kea|kernel|numbers|measures|statement_facts)\."
    r"|align\.statements\.(_content|_forms|_places|quoted|to_grade|align_statements)$"
    r"|align\.(grounding\.(_sentences|_nodes|_by_sentence|_vectors|_mentioned)|entities\.(_spellings|_runs))$"
    r"|align\.matches\.|align\.wordalign\.|align\.weighing\."
    r"|align\.support\.|align\.premises\.(?!x)|align\.axioms\."
)
#: Modules of `claims` whose functions read sentences.
READERS = re.compile(
    r"claims\.(?!(document|formats|llm_\w+|markup|legibility|suppressions|offline|parsed|corpus"
    r"|outline|lookup|links|tongues)\b)"
)
#: How an empty value is made, by the annotation of what is returned.
_EMPTY: tuple[tuple[str, Callable[[], Any]], ...] = (
    (r"Iterator\[|Iterable\[", lambda: iter(())),
    (r"tuple\[.*\.\.\.\]$|Sequence\[", tuple),
    (r"list\[", list),
    (r"set\[", set),
    (r"frozenset\[", frozenset),
    (r"(dict|Mapping)\[", dict),
    (r"str$", str),
    (r"bool$", bool),
)


@dataclass(frozen=True, slots=True)
class Target:
    """What is left out: functions by their names, a rule, or what a configuration switches off."""

    name: str
    kind: str
    functions: tuple[str, ...] = ()


def is_effective(target: Target, seen: Mapping[str, Any], fired: Collection[str]) -> bool:
    """Return whether a target found something in a text, by what was seen there with all."""
    if target.kind == "rule":
        return target.name in fired
    return target.kind == "model" or any(seen.get(name, (0, 0))[1] for name in target.functions)


def empty(returns: str) -> Callable[[], Any] | None:
    """Return what makes the value of a function that finds nothing; None where none is told."""
    if re.search(r"\| None$", returns):
        return lambda: None
    for pattern, make in _EMPTY:
        if re.match(pattern, returns):
            return make
    return None


def _ignoring(make: Callable[[], Any], *_: Any, **__: Any) -> Any:
    return make()


def functions() -> dict[str, Callable[..., Any]]:
    """Return each function that may find nothing, with what makes that value."""
    found = {}
    for name, one in things().items():
        if one.kind == "function" and (name.startswith("align.") or READERS.match(name)):
            make = empty(one.returns)
            if name in PLACED:
                found[name] = PLACED[name]
            elif make is not None:
                found[name] = partial(_ignoring, make)
    return found


def kind_of(function: str) -> str:
    """Return what kind of target a function is."""
    if READERS.match(function):
        return "reader"
    if PLUMBING.match(function):
        return "plumbing"
    if function in FINDERS:
        return "finder"
    return "derivation" if function in DERIVATIONS else "function"


def modules() -> dict[str, tuple[str, ...]]:
    """Return by module of `align` the functions that others ask for and that may find nothing."""
    able = functions()
    asked: dict[str, set[str]] = {}
    for name, one in things().items():
        for need in one.needs:
            if (
                need in able
                and need.startswith("align.")
                and need.rpartition(".")[0] != name.rpartition(".")[0]
            ):
                asked.setdefault(need.rpartition(".")[0], set()).add(need)
    return {name: tuple(sorted(asked[name])) for name in sorted(asked)}
