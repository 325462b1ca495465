"""The thresholds by which texts are compared, each with what it bounds and what it was fitted on.

A limit that is "chosen" was set by hand and fitted on nothing. The table in limits.md is made
of this module by `python -m tools.docs`.
"""

from __future__ import annotations

from typing import Final

from groundrules.claims.values import measures

# ---------------- Alike: words, names, parts of a claim

#: Cosine distance at which two labels are one cluster. KEA Explain's.
LABELS_APART: Final = 0.35
#: Parts of two claims agree from this cosine on. One minus the distance of labels.
NEAR: Final = 1 - LABELS_APART
#: Parts of two claims are the same but for a word. Chosen.
NEARLY_SAME: Final = 0.9
#: Ends of two claims may be the same thing, where the other parts tell so. Chosen.
MAYBE_SAME: Final = 0.8
#: Names spelled this much alike are one name in two spellings. Chosen.
SPELLED_ALIKE: Final = 0.85
#: A name that the sources know less well is not accounted for, as in GR101. Chosen.
KNOWN: Final = 0.8

# ---------------- Reckoning

#: A quotient that is as near to a whole number is one. Chosen.
WHOLE: Final = 0.02
#: A part of a day that is reckoned is told within such a share. Chosen.
TIME_ROUNDED: Final = 0.001
#: A stretch of time in other units is told within such a share: 365 days a year. Chosen.
TIME_CONVERTED: Final = measures.TIME_CONVERTED
#: A number is told with all its figures within such a share. Chosen.
FIGURES_ROUNDED: Final = measures.FIGURES_ROUNDED
#: What "about" allows. Chosen.
HEDGED: Final = measures.HEDGED
