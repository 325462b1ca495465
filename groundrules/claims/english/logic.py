"""The words of logic: quantifiers, forces, conditions, exceptions, and what follows of verbs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# ---------------- claims/quantifiers.py

UNIVERSAL = frozenset("every each all both everyone everybody everything".split())
#: Of all where it is affirmed of a subject, of some under a denial.
ANY_OF = frozenset("any anyone anybody anything either".split())
NONE_OF = frozenset("no none neither nobody nothing nowhere".split())
EXISTENTIAL = frozenset("some several certain another someone somebody something one".split())
DEFINITE_WORDS = frozenset("the this that these those its his her their our my your whose".split())
SHARE_WORDS = frozenset("most many few half".split())
#: What some adverbs make of the share that stands behind them: "nearly all", "hardly any".
NEARLY: Mapping[str, Mapping[str, str]] = MappingProxyType({
    **{w: {"every": "most", "no": "few"} for w in "almost nearly virtually practically".split()},
    **{w: {"any": "few"} for w in "hardly scarcely barely".split()},
})  # fmt: skip
#: Nouns that quantify what follows their "of".
AMOUNTS: Mapping[str, str] = MappingProxyType({
    "lot": "many", "lots": "many", "plenty": "many", "number": "some", "majority": "most",
    "minority": "few", "handful": "few", "couple": "some",
})  # fmt: skip
#: Words whose "of" names the whole: "some of the rafts".
PARTITIVE = (
    UNIVERSAL | ANY_OF | NONE_OF | SHARE_WORDS | frozenset("some several one someone".split())
)
#: Quantifiers that stand for things told of before: "most were found".
STANDING_FOR_MANY = frozenset("all both none neither some several most many few".split())
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

# ---------------- claims/predicates.py

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
#: What links of several words open, and the role that they give it.
LINKS: Mapping[str, str] = MappingProxyType({
    "as long as": "provided", "so long as": "provided", "provided that": "provided",
    "providing that": "provided", "on condition that": "provided", "given that": "because",
    "in case": "if", "even if": "even if", "even when": "even when", "even though": "though",
    "except if": "unless", "except when": "unless", "except where": "unless",
    "save where": "unless", "so that": "so",
})  # fmt: skip
#: Phrases whose noun has the clause: "on the condition that".
LINKING_NOUNS: Mapping[str, str] = MappingProxyType(
    {"on condition": "provided", "in event": "if", "in case": "if"}
)
#: Auxiliaries that open a condition without a link: "should it rain".
INVERTING = frozenset("should were had".split())
#: Words that leave out all else, and with them one that may mean a moment ago.
EXCLUSIVE = frozenset("only solely exclusively alone".split())
#: Verbs that leave out what stands behind them where a comma is before them.
SAVING = frozenset("save bar".split())
#: What denies the phrase behind it.
INSTEAD = frozenset({"instead of", "rather than", "and not"})
ONLY_WORDS = EXCLUSIVE - {"alone"} | {"just"}
#: Conjunctions that "only" restricts.
RESTRICTED = frozenset("if when after before".split())
DEGREES = frozenset("more less as most least".split())
RELATIVE_WORDS = frozenset("which that whom who".split())
#: Verbs behind which an infinitive is an aim.
PAUSING = frozenset({"stop", "pause", "halt"})
BE_FORMS = frozenset("'s is are was were been be am".split())
DIRECTIONS = frozenset("away out off back up down over on apart together".split())
#: Adverbs that join sentences or say again what coordination says.
JOINING = frozenset("respectively also then thus therefore however otherwise".split())
#: What is one with the name behind its "of".
POLITIES = frozenset("state city county town commonwealth republic kingdom province".split())

# ---------------- claims/lists.py

#: Conjunctions of leads that go before their items.
OPENING_LEADS = frozenset("if when unless before after while".split())

# ---------------- claims/governed.py

#: What governs an infinitive and makes a duty or a permission of it.
LIFTED: Mapping[str, str] = MappingProxyType({
    "require": "must", "oblige": "must", "have": "must", "need": "must", "supposed": "must",
    "force": "must", "obligated": "must", "allow": "may", "permit": "may", "authorise": "may",
    "authorize": "may", "entitle": "may", "able": "may", "free": "may",
    "obliged": "must", "bound": "must", "bind": "must", "forbid": "may", "forbidden": "may",
    "prohibit": "may", "ban": "may",
})  # fmt: skip
#: Of these what is denied is the permission.
FORBIDDING = frozenset("forbid forbidden prohibit prohibited ban banned".split())
#: What is said of a clause, the force that it gives it, and whether it denies it.
EXTRAPOSED: Mapping[str, tuple[str, bool]] = MappingProxyType({
    "necessary": ("must", False), "essential": ("must", False), "compulsory": ("must", False),
    "mandatory": ("must", False), "obligatory": ("must", False), "possible": ("might", False),
    "impossible": ("might", True), "conceivable": ("might", False),
    "permissible": ("may", False), "permit": ("may", False), "permitted": ("may", False),
    "allow": ("may", False), "allowed": ("may", False), **dict.fromkeys(
        ("forbid", "forbidden", "prohibit", "prohibited", "ban", "banned"), ("may", True)
    ),
})  # fmt: skip
#: Nouns of what one may or must, with the same.
RIGHTS: Mapping[str, tuple[str, bool]] = MappingProxyType({
    "permission": ("may", False), "right": ("may", False), "duty": ("must", False),
    "obligation": ("must", False), "need": ("must", False),
})  # fmt: skip
#: Nouns of aims and the verbs that say the same.
AIMS: Mapping[str, str] = MappingProxyType({
    "plan": "plan", "intention": "intend", "hope": "hope", "aim": "aim", "wish": "wish",
    "promise": "promise", "offer": "offer", "decision": "decide", "proposal": "propose",
})  # fmt: skip
NOUNS_OF_AIMS = frozenset({*AIMS, *RIGHTS})
#: Verbs of which the thing spoken of is the subject in the passive: "is said to be old".
RAISED = frozenset(
    "expect say think believe report allege rumour assume suppose estimate consider".split()
)
#: Verbs of who says of himself what he did: "denied having been there".
AVOWING = frozenset("deny admit claim confess".split())
#: Of these the subject is who must or may, of the others the object.
LIFTED_SUBJECT = frozenset("have need able free supposed obliged bound obligated".split())

# ---------------- claims/asserted.py


# ---------------- claims/antecedents.py

#: Pronouns by what they may stand for.
PRONOUN_KINDS: Mapping[str, str] = MappingProxyType({
    "it": "it", "its": "it", "they": "they", "them": "they", "their": "they", "he": "he",
    "she": "she", "him": "he", "her": "she", "his": "he", "hers": "she",
})  # fmt: skip

# ---------------- align/entailment.py

#: What binds a proposition: without it the rest does not follow.
BINDING = frozenset({
    "if", "unless", "provided", "when", "only if", "only when", "only after", "subject", "except",
    "without", "whether", "in case of", "depending", "excluding", "but", "other than", "degree",
    "subject to", "according to", "or",
})  # fmt: skip
#: Reasons and concessions, without which the rest follows.
BESIDE = frozenset({
    "because", "though", "so", "as", "ing", "because of", "due to",
    "owing to", "thanks to", "despite", "advcl", "beside",
    "only",
})  # fmt: skip
REASONS = frozenset({"because", "because of", "due to", "owing to", "thanks to"})
#: Owners that are whoever speaks or is spoken to: "your report" is the report.
SPEAKERS = frozenset("your our my".split())
NOBODY = frozenset({"nobody", "one"})

#: What happens to one thing once.
ONCE = frozenset(
    "build found establish born bear die invent discover write compose publish complete erect"
    " create rename abolish demolish graduate design kill murder".split()
)

PLACING = frozenset("in at on".split())

# ---------------- align/event_slots.py, claims/predicates.py

#: Of these what tells, in the active, of a moment.
TURNING = frozenset({"open", "close", "shut"})

# ---------------- align/implications.py

#: Forms of verbs of being as before.
STAYING: Mapping[str, str] = MappingProxyType({
    form: verb for verb in ("remain", "stay") for form in (verb, f"{verb}s", f"{verb}ed")
})  # fmt: skip
#: Of what was and is no longer.
FORMERLY = frozenset("formerly previously once originally".split())
EXCEPTING_ROLES = frozenset({"except", "except for", "excluding", "other than"})

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
