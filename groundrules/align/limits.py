"""The thresholds by which texts are compared, each with what it bounds and what it was fitted on.

A limit that is "chosen" was set by hand and fitted on nothing. The table in docs/limits.md is made
of this module by `python -m groundrules.cli.docs`.
"""

from __future__ import annotations

from typing import Final

# ---------------- Alike: words, names, parts of a claim

#: Cosine distance at which two labels are one cluster. KEA Explain's.
LABELS_APART: Final = 0.35
#: Parts of two claims agree from this cosine on. One minus the distance of labels.
NEAR: Final = 1 - LABELS_APART
#: Parts of two claims are the same but for a word. Chosen.
NEARLY_SAME: Final = 0.9
#: Ends of two claims may be the same thing, where the other parts tell so. Chosen.
MAYBE_SAME: Final = 0.8
#: Below this cosine two word pieces have nothing to do with each other. Chosen.
PIECES_UNLIKE: Final = 0.35
#: From this cosine on two word pieces have one meaning. Chosen.
PIECES_ALIKE: Final = 0.8
#: From this likeness on two words without a known relation say the same. Chosen.
WORDS_ALIKE: Final = 0.72
#: A word of a passage that is less like one of the statement is not that word. Chosen.
WORD_FOUND: Final = 0.99
#: Names spelled this much alike are one name in two spellings. Chosen.
SPELLED_ALIKE: Final = 0.85
#: A name that the sources know less well is not accounted for, as in GR101. Chosen.
KNOWN: Final = 0.8

# ---------------- Weights of words

#: A word that weighs less is a light one, of which alone nothing is turned. Chosen.
LIGHT: Final = 0.3
#: A word that weighs as much tells the surroundings of two words apart. Chosen.
HEAVY: Final = 0.7

# ---------------- Shares of words

#: Two sentences with such a share of common words are near twins. Chosen.
TWINS: Final = 0.7
#: Lengths of which one is so many times the other are no twins. Chosen.
TWIN_LENGTHS: Final = 2.0
#: A passage with such a share of a statement has the same words. Chosen.
SAME_WORDS: Final = 0.97
#: The share of a stretch that the other must have. Chosen.
STRETCH: Final = 0.72
#: The share that it must have where it has a name. Chosen.
STRETCH_NAMED: Final = 0.6
#: The share of the passage's stretch that the statement must have. Chosen.
STRETCH_BACK: Final = 0.5
#: The share of a name that a passage must have: of the parts of a deed. Chosen.
SAME_NAME: Final = 0.5
#: So much better do the things compared fit when they are exchanged. Chosen.
EXCHANGED: Final = 0.2
#: A cause that a passage has in such a share is the same cause. Chosen.
SAME_CAUSE: Final = 0.4

# ---------------- Contrasts (GR210 to GR220)

#: From this similarity on a contrast is a warning; `doubt` of the rules. Chosen.
WARNING: Final = 0.4
#: From this similarity on two values decide a comparison that they speak of. Chosen.
DECIDED: Final = 0.7
#: A share of common words below which a passage hardly speaks of a statement. Chosen.
TOUCHING: Final = 0.3
#: A lead over what agrees that leaves no doubt. Chosen.
CLEAR_LEAD: Final = 0.5
#: What is left of the similarity where no passage names what a pronoun means. Chosen.
PRONOUN: Final = 0.7
#: What is left where one side only supposes it. Chosen.
SUPPOSED: Final = 0.5
#: What is left where one side limits it. Chosen.
LIMITED: Final = 0.75
#: What is left where one side speaks of some of many. Chosen.
OF_SOME: Final = 0.6
#: What is left where the passage lacks a number or a name of the statement, for each. Chosen.
LOST: Final = 0.7
#: What is left where the statement has the passage's word as well. Chosen.
SAID_TOO: Final = 0.5
#: What is left where the two words have no known relation. Chosen.
SOFT: Final = 0.85
#: What is left of near twins that differ in another word besides. Chosen.
OTHER_WORD: Final = 0.8
#: What is left where only one of the two words tells more than a quality. Chosen.
ONE_QUALITY: Final = 0.75
#: What another cause counts: it rarely is the only one. Chosen.
CAUSE: Final = 0.6
#: What a condition counts. Chosen.
CONDITION: Final = 0.9
#: What an order counts: it is rarely chance. Chosen.
ORDER: Final = 1.25
#: Readings of a comparison that are less sure than the best by as much count as it does. Chosen.
AS_SURE: Final = 0.05
#: A reading of a table that is surer is taken, though there are others. Chosen.
SURE_OF_SEVERAL: Final = 0.8

# ---------------- Figures

#: A place of the source at least so near is that of a statement's figure. Chosen.
SAME_PLACE: Final = 0.42
#: The place is nearer by so much than that of the same figure elsewhere. Chosen.
NEARER: Final = 0.22
#: The same in a sentence that supposes, denies or looks back. Chosen.
NEARER_GUARDED: Final = 0.3
#: From here on a place outweighs a sum that the statement does not speak of. Chosen.
OUTWEIGHS: Final = 0.6
#: How near a place must be for a slip: digits turned round, a zero, one field of a date. Chosen.
SLIP_PLACE: Final = 0.22
#: How near it must be in a sentence that supposes, denies or looks back. Chosen.
GUARDED_PLACE: Final = 0.72
#: How near it must be in a sentence that gives others of the statement's numbers. Chosen.
SHARED_PLACE: Final = 0.3
#: How near a place must be that alone gives a number of the statement to bear on others. Chosen.
ANCHORED: Final = 0.1
#: A word that weighs as much beside both numbers speaks for one place. Chosen.
WORD_BESIDE: Final = 0.3
#: Two numbers of which one is so many times the other answer different questions. Chosen.
MAGNITUDE: Final = 20.0

# ---------------- Reckoning

#: A quotient that is as near to a whole number is one. Chosen.
WHOLE: Final = 0.02
#: A part of a day that is reckoned is told within such a share. Chosen.
TIME_ROUNDED: Final = 0.001
#: A stretch of time in other units is told within such a share: 365 days a year. Chosen.
TIME_CONVERTED: Final = 0.02
#: A number is told with all its figures within such a share. Chosen.
FIGURES_ROUNDED: Final = 0.05
#: Two values have the difference that is claimed within such a share of it. Chosen.
DIFFERENCE: Final = 0.01
#: What "about" allows. Chosen.
HEDGED: Final = 0.12

# ---------------- Support

#: Log odds that a claim loses if nothing near says anything like its relation. Chosen.
UNALIGNED: Final = 3.0
#: Log odds are told apart up to here. Chosen.
FAR: Final = 6.0
#: What a statement has at least that follows from a source. Of 68 pairs of open training sets in
#: which a sentence was restated; chosen for what is deduced since.
RESTATED: Final = 0.94
