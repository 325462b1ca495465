"""Words that turn, limit or count what is said, by the module that looks for them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from groundrules.claims.english import WORDS
from groundrules.terms import Modality

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def words(name: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(_DATA[name].split())


# ---------------- align/numbers.py

#: Words before a figure by how it is meant.
HEDGES = {name: words.split() for name, words in WORDS["hedges"].items()}

# ---------------- align/places.py

#: Words that join clauses.
JOINTS = words("joints")

# ---------------- align/select.py

#: What makes an exception.
EXCEPTIONS = words("exceptions")
#: What makes a condition or an exception.
PROVISOS = words("provisos")

# ---------------- checks/verdicts.py

#: Pronouns that take up what was named before.
TAKING_UP = words("taking_up")

# ---------------- claims/moods.py

#: The modality that a modal verb gives to its clause.
MODALITIES = {
    **dict.fromkeys("shall must should ought".split(), Modality.OBLIGATION),
    **dict.fromkeys("may can ca".split(), Modality.PERMISSION),  # "ca" of "can't"
    **dict.fromkeys("might could would".split(), Modality.POSSIBILITY),
}

# ---------------- claims/llm_triples.py

#: The modality that a modal verb gives to a relation that a model wrote.
RELATION_MODALITIES = {
    word: mode for word, mode in MODALITIES.items() if word not in ("ought", "ca")
} | {"will": Modality.ASSERTED}

# ---------------- claims/names.py

#: Words with a capital before the name of a contest and no part of it: `See Ali v. Frazier`.
CONTEST_SIGNALS = words("contest_signals")

# ---------------- explain/phrase.py

#: Words that count without figures.
COUNTING = words("counting")

# ---------------- explain/repair.py

#: Words that take what follows them whatever its number.
WHATEVER_NUMBER = words("whatever_number")

# ---------------- kb/read/propositions.py

#: Words that say that it is so now.
PRESENT = frozenset({"is", "are", "has", "have", "do", "does", "remains", "currently", "now"})
#: Words that say that it was so.
PAST = frozenset({"was", "were", "had", "did", "became", "would"})
#: Words that say that it is so no more.
FORMER = frozenset({"former", "formerly", "previously", "ex", "late", "once", "originally", "used"})

# ---------------- rules/wording.py

#: Prepositions that a predicate may end with.
ENDING_PREDICATES = words("ending_predicates")
