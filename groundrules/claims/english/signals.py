"""Words that turn, limit or count what is said, by the module that looks for them."""

from __future__ import annotations

from groundrules.claims.english import WORDS
from groundrules.terms import Modality

# ---------------- align/numbers.py

#: Words before a figure by how it is meant.
HEDGES = {name: words.split() for name, words in WORDS["hedges"].items()}

# ---------------- align/places.py

#: Words that join clauses.
JOINTS = frozenset("and but while whereas although though or if unless which who except".split())

# ---------------- align/select.py

#: What makes an exception.
EXCEPTIONS = frozenset("without unless except until only".split())
#: What makes a condition or an exception.
PROVISOS = frozenset("with without unless except if until only upon subject after".split())

# ---------------- checks/carrier.py

#: Words that turn round whatever else a sentence says, and so must be in the records.
TURNED_RECORDS = tuple(
    (
        "revoked invalid invalidated expired lapsed abandoned rejected refused withdrawn "
        "cancelled canceled void false untrue wrong incorrect"
    ).split()
)

# ---------------- checks/verdicts.py

#: Pronouns that take up what was named before.
TAKING_UP = frozenset(
    "he she it they him her them his hers its their theirs this that these those who which one "
    "former latter both".split()
)

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
CONTEST_SIGNALS = frozenset("see cf compare accord citing quoting under unlike contra but".split())

# ---------------- explain/phrase.py

#: Words that count without figures.
COUNTING = frozenset(
    "half twice thrice double triple quarter dozen dozens hundreds thousands millions billions "
    "several once".split()
)

# ---------------- explain/repair.py

#: Words that take what follows them whatever its number.
WHATEVER_NUMBER = frozenset(
    "about above after at before below beyond by during for from in into of on over per since than "
    "through to under until up upon with within without and or".split()
)

# ---------------- kb/read/propositions.py

#: Words that say that it is so now.
PRESENT = frozenset({"is", "are", "has", "have", "do", "does", "remains", "currently", "now"})
#: Words that say that it was so.
PAST = frozenset({"was", "were", "had", "did", "became", "would"})
#: Words that say that it is so no more.
FORMER = frozenset({"former", "formerly", "previously", "ex", "late", "once", "originally", "used"})

# ---------------- rules/wording.py

#: Prepositions that a predicate may end with.
ENDING_PREDICATES = frozenset(
    "about above after against among around as at before behind below between by during for from "
    "in inside into near of off on outside over since than through to under until with within "
    "without".split()
)
