"""The words of logic: quantifiers, forces, conditions and the words of tables."""

from __future__ import annotations

from groundrules.claims.english import LISTS, table, words

#: What stands before a number, whether it is the most or the least, and whether it is left out.
NUMBER_BOUNDS = tuple((told, side, beyond) for told, side, beyond in LISTS["number_bounds"])
#: What stands behind a number, and whether it is the most or the least.
BEHIND_NUMBERS = table("behind_numbers")
ROUNDING_WORDS = ("about", "some", "around", "nearly", "almost", "roughly")
#: What a list is called whose items nobody asserts.
UNASSERTED_HEADS = words("unasserted_heads")
#: What opens a clause, and the role that it gives it.
CONJUNCTIONS = table("conjunctions")
#: Conjunctions of leads that go before their items.
OPENING_LEADS = frozenset("if when unless before after while".split())
#: Pronouns by what they may stand for.
PRONOUN_KINDS = table("pronoun_kinds")
CURRENCY_NAMES = table("currency_names")
#: Words with which a cell of a table is put into a sentence, that say nothing themselves.
CELL_WORDS = words("cell_words")
#: What verbs and adjectives measure, as tables call it.
MEASURING_WORDS = table("measuring_words")
