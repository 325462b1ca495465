"""Comparatives and superlatives: which way each points, and what it compares."""

from __future__ import annotations

_SIZES = frozenset({"NUMBER", "PERCENT", "MONEY", "QUANTITY", "DURATION", "RATIO"})
_MONEY, _WHEN = frozenset({"MONEY"}), frozenset({"DATE", "TIME"})
_LONG, _FAR = frozenset({"DURATION", "QUANTITY:m"}), frozenset({"QUANTITY:m"})
_HEAVY, _WARM = frozenset({"QUANTITY:kg"}), frozenset({"QUANTITY:K"})
#: Which way each comparative points, and the kinds of values that it compares, some of one unit.
WAYS: dict[str, tuple[int, frozenset[str]]] = {
    **dict.fromkeys(("more", "greater", "larger", "bigger", "higher"), (1, _SIZES)),
    **dict.fromkeys(("fewer", "less", "lower", "smaller"), (-1, _SIZES)),
    "dearer": (1, _MONEY), "costlier": (1, _MONEY), "cheaper": (-1, _MONEY),
    "longer": (1, _LONG), "shorter": (-1, _LONG),
    "later": (1, _WHEN), "earlier": (-1, _WHEN),
    "heavier": (1, _HEAVY), "lighter": (-1, _HEAVY), "taller": (1, _FAR),
    "deeper": (1, _FAR), "shallower": (-1, _FAR), "wider": (1, _FAR),
    "narrower": (-1, _FAR), "thicker": (1, _FAR), "thinner": (-1, _FAR),
    "warmer": (1, _WARM), "hotter": (1, _WARM), "colder": (-1, _WARM), "cooler": (-1, _WARM),
    "faster": (-1, frozenset({"DURATION"})), "quicker": (-1, frozenset({"DURATION"})),
    "slower": (1, frozenset({"DURATION"})),
}  # fmt: skip
#: Superlatives by the comparative that they stand for.
MOST = {
    "highest": "higher", "lowest": "lower", "largest": "larger", "biggest": "bigger",
    "greatest": "greater", "smallest": "smaller", "dearest": "dearer", "cheapest": "cheaper",
    "costliest": "costlier", "longest": "longer", "shortest": "shorter", "fewest": "fewer",
    "heaviest": "heavier", "lightest": "lighter", "tallest": "taller", "deepest": "deeper",
    "fastest": "faster", "quickest": "quicker", "slowest": "slower",
}  # fmt: skip
