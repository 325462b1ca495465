"""The words of logic: quantifiers, forces, conditions and the words of tables."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# ---------------- claims/quantifiers.py

UNIVERSAL = frozenset("every each all both everyone everybody everything".split())
#: Of all where it is affirmed of a subject, of some under a denial.
ANY_OF = frozenset("any anyone anybody anything either".split())
NONE_OF = frozenset("no none neither nobody nothing nowhere".split())
EXISTENTIAL = frozenset("some several certain another someone somebody something one".split())
SHARE_WORDS = frozenset("most many few half".split())
#: What stands before a number, whether it is the most or the least, and whether it is left out.
NUMBER_BOUNDS = (
    ("no more than", "most", False), ("not more than", "most", False), ("up to", "most", False),
    ("at most", "most", False), ("maximum of", "most", False), ("no fewer than", "least", False),
    ("no less than", "least", False), ("not less than", "least", False),
    ("at least", "least", False), ("minimum of", "least", False), ("less than", "most", True),
    ("fewer than", "most", True), ("under", "most", True), ("below", "most", True),
    ("more than", "least", True), ("over", "least", True), ("above", "least", True),
    ("a maximum of", "most", False), ("a minimum of", "least", False),
)  # fmt: skip
#: What stands behind a number, and whether it is the most or the least.
BEHIND_NUMBERS: Mapping[str, str] = MappingProxyType({
    "or more": "least", "or over": "least", "and over": "least", "or less": "most",
    "or fewer": "most", "or under": "most",
})  # fmt: skip
ROUNDING_WORDS = ("about", "some", "around", "nearly", "almost", "roughly")

# ---------------- claims/lists.py

#: What a list is called whose items nobody asserts.
UNASSERTED_HEADS = frozenset(
    "proposal idea myth option example question mistake claim allegation plan suggestion complaint"
    " draft request wish motion error misconception hypothesis aim goal objection demand".split()
)

# ---------------- align/denials.py, checks/verdicts.py, claims/lists.py

AUXILIARY_FORCES: Mapping[str, str] = MappingProxyType({
    "may": "may", "can": "may", "ca": "may", "cannot": "may", "must": "must", "shall": "shall",
    "need": "must", "should": "should", "will": "will", "’ll": "will", "'ll": "will",
    "wo": "will", "would": "would", "might": "might", "could": "might",
})  # fmt: skip
#: What opens a clause, and the role that it gives it.
CONJUNCTIONS: Mapping[str, str] = MappingProxyType({
    "if": "if", "unless": "unless", "provided": "if", "providing": "if", "when": "when",
    "where": "when", "whenever": "when", "until": "until", "till": "until", "after": "after",
    "before": "before", "since": "since", "while": "while", "once": "after", "as": "as",
    "because": "because", "although": "though", "though": "though", "whereas": "though",
    "so": "so", "whether": "whether", "that": "that", "than": "than",
})  # fmt: skip
#: Words that leave out all else, and with them one that may mean a moment ago.
EXCLUSIVE = frozenset("only solely exclusively alone".split())
ONLY_WORDS = EXCLUSIVE - {"alone"} | {"just"}

# ---------------- claims/lists.py

#: Conjunctions of leads that go before their items.
OPENING_LEADS = frozenset("if when unless before after while".split())

# ---------------- claims/antecedents.py

#: Pronouns by what they may stand for.
PRONOUN_KINDS: Mapping[str, str] = MappingProxyType({
    "it": "it", "its": "it", "they": "they", "them": "they", "their": "they", "he": "he",
    "she": "she", "him": "he", "her": "she", "his": "he", "hers": "she",
})  # fmt: skip

# ---------------- align/cells.py

CURRENCY_NAMES: Mapping[str, str] = MappingProxyType(
    {"€": "euro", "£": "pound", "$": "dollar", "¥": "yen", "₹": "rupee"}
)

#: Words with which a cell of a table is put into a sentence, that say nothing themselves.
CELL_WORDS = frozenset(
    "be have cost last take run amount total number stand pay get require need offer hold the a an"
    " of for in at on under with to per and its their it each than by also from as that one those"
    " come do aged both".split()
)
#: What verbs and adjectives measure, as tables call it.
MEASURING_WORDS: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(("cost", "cheap", "dear", "expensive"), "price fee cost hire rent charge fare"),
    **dict.fromkeys(("long", "short"), "length duration"), "last": "duration length",
    **dict.fromkeys(("heavy", "light", "weigh"), "weight"),
    **dict.fromkeys(("leave", "depart"), "departs departure leaves"), "arrive": "arrives arrival",
    "take": "duration dose", "high": "height", "tall": "height", "wide": "width",
    "narrow": "width", "deep": "depth", "old": "age", "fast": "speed", "slow": "speed",
})  # fmt: skip
