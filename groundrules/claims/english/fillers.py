"""Words that say little by themselves, by the module that passes over them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from groundrules.claims.english import ARTICLES, BE, PARTICLES, POSSESSIVES
from groundrules.claims.english.stems import uninflected

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

#: Words that say nothing of what a statement is about.
STOP = frozenset(_DATA["stop"].split())

# ---------------- align/numbers.py

#: Words behind a figure that it does not count.
NO_COUNTED_NOUNS = frozenset(_DATA["no_counted_nouns"].split())

# ---------------- align/operands.py

#: Adverbs behind a figure, which it does not count.
NO_OPERANDS = frozenset("back out up down later away home there here".split())

# ---------------- align/parts.py

#: Words that name no part of what a list divides.
OF_PARTS = (
    STOP
    | frozenset(
        "respectively each also about around there these those per so while whereas".split()
    )
) - {"will"}

# ---------------- align/places.py

#: Words that say nothing of what a figure is of.
OF_PLACES = STOP | frozenset(_DATA["of_places"].split())

# ---------------- claims/tongues.py

#: Words that English prose has everywhere and no other language has.
ONLY_ENGLISH = frozenset(_DATA["only_english"].split())

# ---------------- claims/llm_triples.py

#: Words that do not belong to a value.
OF_VALUES = frozenset(_DATA["of_values"].split())

# ---------------- claims/names.py

#: Words before a name that a tagger takes for a part of it.
BEFORE_NAMES = frozenset("the a an whereas and between by".split())

# ---------------- claims/phrases.py

#: Adverbs that are no part of the core of a phrase.
NOT_CORE = frozenset(
    {"approximately", "about", "only", "also", "not", "even", "just", "at", "least"}
)

# ---------------- explain/phrase.py

#: Words in capitals that a sentence may begin with though the input has them not.
SENTENCE_OPENERS = frozenset(_DATA["sentence_openers"].split())

# ---------------- kb/link/aliases.py

#: Names that are none unless they are what a thing is called first.
NO_ALIASES = frozenset(_DATA["no_aliases"].split())

# ---------------- kb/link/mentions.py

#: What a source may call a kind that a text calls otherwise.
KINDS_BY_ANOTHER_NAME = {
    **dict.fromkeys(("company", "firm", "corporation", "enterprise"), "business"),
    "movie": "film", "motion picture": "film", "person": "human", "stream": "river",
    "moviemaker": "film director", "filmmaker": "film director",
}  # fmt: skip

# ---------------- kb/link/properties.py

#: Adverbs that leave the relation as it is.
SAME_RELATION = frozenset(_DATA["same_relation"].split())
#: What stands beside a denial, which is read as such: "never, ever", "not … but", "it is not true".
SILENT_IN_DENIALS = frozenset({"ever", "but", "it", "true", "as"})
#: Prepositions that tie a relation to its object.
OF_RELATION_PHRASES = frozenset(_DATA["of_relation_phrases"].split())
#: Words of which alone no relation phrase is made.
NO_RELATION = (
    OF_RELATION_PHRASES
    | ARTICLES
    | POSSESSIVES
    | BE
    | frozenset("have has and or s 's via between through during until since among across".split())
)

# ---------------- kb/records/questions.py

#: Words that a question may have or lack.
THIN = frozenset(
    {"the", "a", "an", "of", "in", "did", "do", "doe", "does", "is", "was", "be", "me"}
)
#: Words that do not tell one kind of question from another by themselves.
OF_KINDS_OF_QUESTIONS = THIN | frozenset(
    uninflected(word)
    for word in "who whom whose what which when where how by to on from has have had are were me i "
    "you please tell give show list name there for with at under about into as get got".split()
)


# ---------------- kb/read/described.py

#: Nouns that tell of one among several, or of a part of what is stated: no thing is known by them.
NO_DESCRIPTION = frozenset(_DATA["no_description"].split())

# ---------------- kb/read/propositions.py

#: What stands inside no name or noun phrase that a pattern leaves over.
IN_NO_NAME = frozenset(_DATA["in_no_name"].split())
#: Words with which no name begins.
FIRST_IN_NO_NAME = ARTICLES | {"of", "and", "or"}
#: Words of which alone no name is made, though an index may have them.
NO_NAME_ALONE = IN_NO_NAME | FIRST_IN_NO_NAME | {"s"}

#: Words that turn what the rest of a sentence says, where they are left over.
TURNING_THE_REST = frozenset(_DATA["turning_the_rest"].split())

# ---------------- kb/search/retrieval.py

#: Words that say nothing of what is asked for.
OF_QUESTIONS = frozenset(_DATA["of_questions"].split())

# ---------------- ontology/read/relations.py

#: Words of which alone no relation is worded.
NO_WORDING = frozenset(
    {"be", "have", "do", "of", "in", "on", "at", "to", "for", "with", "by", "from"}
)

# ---------------- ontology/read/sentences.py

#: Small words that may stand within a name.
INSIDE_NAMES = PARTICLES - {"bin", "ibn", "le"} | set("of and the for y e a in on at".split())
