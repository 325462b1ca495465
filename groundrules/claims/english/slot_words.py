"""What words tell that a language model has copied into the slots of a claim or of a sum."""

from __future__ import annotations

from groundrules.claims.english import table, words

#: Verbs whose clause somebody only says or believes.
HEARSAY = words("hearsay")
#: What a time is to what it dates, by what a model calls it.
TIMES = table("times")
#: Verbs that tell of the beginning of a state, and of its end.
BEGINS = frozenset("become join elect appoint inaugurate crown begin start assume succeed".split())
ENDS = words("ends")
#: Between the two dates of a period.
TO = frozenset("to until till and through in on".split())
#: Words that tell that the same is said of several things, and what leads the times of one.
OF_SEVERAL = frozenset("all both each like likewise too".split())
IN_TURN = frozenset("again first then".split())
#: Titles before a name, besides those of up to four letters.
TITLES = frozenset("Sir Dame Lord Lady Prof Professor Doctor Saint".split())
#: Words that begin or end a label which does not fit behind "the".
NO_NOUN_BEGINS = frozenset({"has", "have", "is", "was"})
NO_NOUN_ENDS = frozenset("in by at of to for on from with as".split())
