"""What words tell that a language model has copied into the slots of a claim or of a sum."""

from __future__ import annotations

#: Verbs whose clause somebody only says or believes.
HEARSAY = frozenset(
    "say claim allege believe think suppose rumour rumor report argue suggest insist assert "
    "contend deny doubt".split()
)
#: What a day or an amount is to another one, by the word that sets the two side by side.
SIDES = {
    **dict.fromkeys("older earlier before predeceased shorter lower smaller less fewer lighter "
                    "shallower".split(), "below"),
    **dict.fromkeys("younger later after outlived survived longer taller higher larger bigger "
                    "greater more deeper heavier".split(), "above"),
}  # fmt: skip
#: What an event is to what it dates, by the word before it.
EVENT_LEADS = {
    **dict.fromkeys("before prior".split(), "before"),
    **dict.fromkeys(
        "after following soon shortly succeeded succeeding successor predecessor immediate "
        "immediately".split(), "later"),
    **dict.fromkeys("when while as at upon".split(), "holding"),
}  # fmt: skip
#: Other words of such a comparison.
COMPARING = frozenset("than same year as did was is were had".split())
#: What a time is to what it dates, by what a model calls it.
TIMES = {
    "in": "holding", "throughout": "throughout", "since": "beginning", "until": "ending",
    "before": "before", "after": "after", "by": "by", "from-to": "spanning", "between": "within",
    "for": "lasting",
}  # fmt: skip
#: Verbs that tell of the beginning of a state, and of its end.
BEGINS = frozenset("become join elect appoint inaugurate crown begin start assume succeed".split())
ENDS = frozenset(
    "leave quit resign depart divorce cease stop end abdicate retire relinquish vacate lose".split()
)
#: Between the two dates of a period.
TO = frozenset("to until till and through in on".split())
#: Words beside the date of a time, besides those that lead one.
BESIDE_DATES = frozenset("between to and for".split())
#: Words that tell that the same is said of several things, and what leads the times of one.
OF_SEVERAL = frozenset("all both each like likewise too".split())
IN_TURN = frozenset("again first then".split())
#: Words beside a number of years.
OF_YEARS = frozenset("year years age aged old".split())
#: What stands for nothing and nobody.
NOBODY = frozenset("nobody none nothing".split())
#: Titles before a name, besides those of up to four letters.
TITLES = frozenset("Sir Dame Lord Lady Prof Professor Doctor Saint".split())
#: Words that begin or end a label which does not fit behind "the".
NO_NOUN_BEGINS = frozenset({"has", "have", "is", "was"})
NO_NOUN_ENDS = frozenset("in by at of to for on from with as".split())
#: Words of so many times, or of such a share of all, from where to where.
SHARES = {
    "twice": (2.0, 2.0), "thrice": (3.0, 3.0), "half": (0.5, 0.5), "quarter": (0.25, 0.25),
    "most": (0.50001, 1.0), "majority": (0.5 + 1e-9, 1.0), "minority": (0.0, 0.49999),
}  # fmt: skip
