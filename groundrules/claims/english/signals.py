"""Words that turn, limit or count what is said, by the module that looks for them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from groundrules.claims.english import WORDS, words
from groundrules.terms import Modality

_TURNS = tomllib.loads(Path(__file__).with_name("turns.toml").read_text(encoding="utf-8"))

#: Words before a figure by how it is meant.
HEDGES = {name: said.split() for name, said in WORDS["hedges"].items()}
#: What makes an exception.
EXCEPTIONS = words("exceptions")
#: What makes a condition or an exception.
PROVISOS = words("provisos")
#: Pronouns that take up what was named before.
TAKING_UP = words("taking_up")
#: The modality that a modal verb gives to its clause.
MODALITIES = {
    **dict.fromkeys("shall must should ought".split(), Modality.OBLIGATION),
    **dict.fromkeys("may can ca".split(), Modality.PERMISSION),  # "ca" of "can't"
    **dict.fromkeys("might could would".split(), Modality.POSSIBILITY),
}
#: The modality that a modal verb gives to a relation that a model wrote.
RELATION_MODALITIES = {
    word: mode for word, mode in MODALITIES.items() if word not in ("ought", "ca")
} | {"will": Modality.ASSERTED}
#: Words with a capital before the name of a contest and no part of it: `See Ali v. Frazier`.
CONTEST_SIGNALS = words("contest_signals")
#: Words that count without figures.
COUNTING = words("counting")
#: Words that say that it is so now.
PRESENT = frozenset({"is", "are", "has", "have", "do", "does", "remains", "currently", "now"})
#: Words that say that it was so.
PAST = frozenset({"was", "were", "had", "did", "became", "would"})
#: Words that say that it is so no more.
FORMER = frozenset({"former", "formerly", "previously", "ex", "late", "once", "originally", "used"})
#: Prepositions that a predicate may end with.
ENDING_PREDICATES = words("ending_predicates")
#: What a sentence is reworded by and turned into its contrary by, and what no source says.
SAME: tuple[tuple[str, str], ...] = tuple((told, other) for told, other in _TURNS["same"])
CONTRARY: tuple[tuple[str, str], ...] = tuple((told, other) for told, other in _TURNS["contrary"])
UNTOLD, THINGS = tuple[str, ...](_TURNS["untold"]), tuple[str, ...](_TURNS["things"])
#: Auxiliaries that a "not" denies, where it stands behind them.
DENIED = "is are was were must shall will can may has have had could should would does do did"
BARE, SCOPED, NUMBERED, CASES, BOUNDING_FIGURES, NO_THING = (
    frozenset(_TURNS[name].split())
    for name in ("bare", "scoped", "numbered", "cases", "bounding_figures", "no_thing")
)
