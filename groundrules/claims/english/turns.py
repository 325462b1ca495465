"""What a sentence is reworded by and turned into its contrary by, and what no source says."""

from __future__ import annotations

import tomllib
from pathlib import Path

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_DATA[name].split())


SAME: tuple[tuple[str, str], ...] = tuple((told, other) for told, other in _DATA["same"])
CONTRARY: tuple[tuple[str, str], ...] = tuple((told, other) for told, other in _DATA["contrary"])
#: Auxiliaries that a "not" denies, where it stands behind them.
DENIED = "is are was were must shall will can may has have had could should would does do did"
BARE, SCOPED, NUMBERED, CASES = map(_words, ("bare", "scoped", "numbered", "cases"))
BOUNDING_FIGURES, NO_THING = _words("bounding_figures"), _words("no_thing")
UNTOLD: tuple[str, ...] = tuple(_DATA["untold"])
THINGS: tuple[str, ...] = tuple(_DATA["things"])
