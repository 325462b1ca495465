"""Words that say little by themselves, by the module that passes over them."""

from __future__ import annotations

from groundrules.claims.english import ARTICLES, BE, PARTICLES, POSSESSIVES, table, words
from groundrules.claims.english.stems import uninflected

#: Words that say nothing of what a statement is about.
STOP = words("stop")
#: Words behind a figure that it does not count.
NO_COUNTED_NOUNS = words("no_counted_nouns")
#: Words that name no part of what a list divides.
OF_PARTS = (STOP | words("of_parts")) - {"will"}
#: Words that say nothing of what a figure is of.
OF_PLACES = STOP | words("of_places")
#: Words that English prose has everywhere and no other language has.
ONLY_ENGLISH = words("only_english")
#: Words that do not belong to a value.
OF_VALUES = words("of_values")
#: Words before a name that a tagger takes for a part of it.
BEFORE_NAMES = frozenset("the a an whereas and between by".split())
#: Adverbs that are no part of the core of a phrase.
NOT_CORE = words("not_core")
#: Words in capitals that a sentence may begin with though the input has them not.
SENTENCE_OPENERS = words("sentence_openers")
#: Names that are none unless they are what a thing is called first.
NO_ALIASES = words("no_aliases")
#: What a source may call a kind that a text calls otherwise.
KINDS_BY_ANOTHER_NAME = table("kinds_by_another_name")
#: Adverbs that leave the relation as it is.
SAME_RELATION = words("same_relation")
#: What stands beside a denial, which is read as such: "never, ever", "not … but", "it is not true".
SILENT_IN_DENIALS = frozenset({"ever", "but", "it", "true", "as"})
#: Prepositions that tie a relation to its object.
OF_RELATION_PHRASES = words("of_relation_phrases")
#: Words of which alone no relation phrase is made.
NO_RELATION = OF_RELATION_PHRASES | ARTICLES | POSSESSIVES | BE | words("no_relation")
#: Words that a question may have or lack.
THIN = words("thin")
#: Words that do not tell one kind of question from another by themselves.
OF_KINDS_OF_QUESTIONS = THIN | frozenset(map(uninflected, words("of_kinds")))
#: Nouns that tell of one among several, or of a part of what is stated: no thing is known by them.
NO_DESCRIPTION = words("no_description")
#: What stands inside no name or noun phrase that a pattern leaves over.
IN_NO_NAME = words("in_no_name")
#: Words with which no name begins.
FIRST_IN_NO_NAME = ARTICLES | {"of", "and", "or"}
#: Words of which alone no name is made, though an index may have them.
NO_NAME_ALONE = IN_NO_NAME | FIRST_IN_NO_NAME | {"s"}
#: Words that turn what the rest of a sentence says, where they are left over.
TURNING_THE_REST = words("turning_the_rest")
#: Words that say nothing of what is asked for.
OF_QUESTIONS = words("of_questions")
#: Words of which alone no relation is worded.
NO_WORDING = words("no_wording")
#: Small words that may stand within a name.
INSIDE_NAMES = PARTICLES - {"bin", "ibn", "le"} | set("of and the for y e a in on at".split())
