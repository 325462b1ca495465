"""How English tells a date, an amount, an age, a count, a people or an office of a thing."""

from __future__ import annotations

from groundrules.claims.english import WORDS

#: What stands before a date, and what the days of the date are to what is dated.
TIME_LEADS = {
    **dict.fromkeys(("in", "on", "as of", "during"), "holding"),
    **dict.fromkeys(("throughout", "all through"), "throughout"),
    **dict.fromkeys(("since", "from"), "beginning"),
    **dict.fromkeys(("until", "till", "up to"), "ending"),
    **dict.fromkeys(("before", "prior to"), "before"),
    "after": "after", "by": "by",
}  # fmt: skip
#: Verbs that tell of the beginning of what they say, and of its end; as they are looked up.
BEGINNING = frozenset("become join marry wed inaugurate crown settle enter".split())
#: Verbs of being chosen for what somebody then comes to be, or is once more.
CHOOSING = frozenset("elect appoint".split())
ENDING = frozenset("leave quit resign depart".split())

#: What stands before an amount or a date that only bounds a value.
BOUNDS = {
    "more than": "above", "over": "above", "above": "above", "in excess of": "above",
    "after": "above", "less than": "below", "fewer than": "below", "under": "below",
    "below": "below", "before": "below", "at least": "at_least", "no less than": "at_least",
    "no fewer than": "at_least", "at most": "at_most", "no more than": "at_most",
    "up to": "at_most", "about": "about", "around": "about", "approximately": "about",
    "roughly": "about", "circa": "about", "some": "about", "nearly": "about", "almost": "about",
    "in about": "about", "in around": "about", "close to": "about", "just over": "above",
    "just under": "below", "well over": "above",
}  # fmt: skip

#: Of these, what falls short.
NOT_QUITE = frozenset({"nearly", "almost", "close to"})
#: A stretch that is no plain number of years: "a decade", "two and a half years".
LENGTHS_IN_YEARS = (
    r"(?i)(?<!half )(?<!of )\b(?:(?:an?|one) (?P<one>year|decade|century)\b(?P<more> and a half)?"
    r"|(?P<n>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) and a half "
    r"(?P<many>years|decades))\b"
)
#: A century or a part of one, with the article before it.
CENTURIES = (
    r"(?i)\b(?:(?P<part>early|mid|late|first half of the|second half of the|beginning of the"
    r"|middle of the|end of the)[\s-])?(?:(?P<n>\d{1,2})(?:st|nd|rd|th)|(?P<word>eleventh|twelfth"
    r"|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth"
    r"|twenty-first))\scentury\b"
)
NTH_CENTURY = {
    word: number
    for number, word in enumerate(
        "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
        "nineteenth twentieth twenty-first".split(), 11)
}  # fmt: skip
#: The years of a part of a century, counted from the one before its first.
PARTS_OF_A_CENTURY = {
    "early": (1, 35), "mid": (35, 65), "late": (66, 100), "first half of the": (1, 50),
    "second half of the": (51, 100), "beginning of the": (1, 20), "middle of the": (35, 65),
    "end of the": (81, 100),
}  # fmt: skip
#: The months of a part of a year, by the words before it.
PARTS_OF_A_YEAR = {
    **dict.fromkeys(("the beginning of", "the start of"), (1, 1)), "the end of": (12, 12),
    "the middle of": (5, 8), "early": (1, 4), "mid": (5, 8), "late": (9, 12),
    "early in": (1, 4), "late in": (9, 12), "the spring of": (3, 6), "the summer of": (6, 9),
    "the autumn of": (9, 12), "the fall of": (9, 12), "spring": (3, 6), "summer": (6, 9),
    "autumn": (9, 12), "fall": (9, 12), "Christmas": (12, 12), "the first half of": (1, 6),
    "the second half of": (7, 12),
}  # fmt: skip
#: What stands before how long something was so.
STRETCHES = (
    r"(?i)\bfor\s+(?:(?P<b>"
    + "|".join(sorted((b for b in BOUNDS if not b.startswith("in ")), key=len, reverse=True))
    + r")\s+)?(?:(?:the|a) (?:past|last|full|whole|total of) )?(?:an?\s+)?$"
)

#: The lands that the words for a people stand for.
COUNTRIES: dict[str, str] = WORDS["countries"]
_BORN, _DIED, _FOUNDED = "[X] was born in [Y]", "[X] died in [Y]", "[X] was founded in [Y]"
_PEOPLED = "[X] has a population of [Y]"
#: What is said of two things by what both have: the expression, a wording of that, whether it is a
#: time or an amount, and what the first one's is to the other's.
_OLD, _WAS_DONE = "[X] has been around since [Y]", "[X] was {v} in [Y]"
_LONG, _HIGH, _TALL = "[X] is [Y] long", "[X] is [Y] high", "[X] is [Y] tall"
_BEFORE, _AFTER = r"(?:before|earlier than)", r"(?:after|later than)"
#: A number of years between two days.
_APART = (
    r"(?P<n>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"
    r"|thirty|forty|fifty|sixty|seventy|eighty|ninety) years? "
)
#: The years of a number in words.
YEARS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
#: What is said of two things by what both have: the expression, a wording of that, whether it is a
#: time or an amount, what the first one's is to the other's, and a wording of the other's, which
#: may be another one. A number of years in it lies between the two.
COMPARED = (
    *(
        (rf"\[X\] (?:is|was) (?:{apart})?{word} than \[Y\](?: (?:is|was))?", _OLD, "time", side,
         _OLD)
        for apart in (_APART, "")
        for word, side in (("older", "below"), ("younger", "above"))
    ),
    *(
        (rf"\[X\] {verb} (?:{apart})?{lead} \[Y\](?: (?:was|did))?", said, "time", side, said)
        for apart in (_APART, "")
        for verb, said in (("was born", _BORN), ("died", _DIED),
                           ("was (?:founded|established)", _FOUNDED),
                           ("was released", "[X] was released in [Y]"))
        for lead, side in ((_BEFORE, "below"), (_AFTER, "above"))
    ),
    *(
        (rf"\[X\] {verb} {lead} \[Y\] {other}", said, "time", side, theirs)
        for verb, said, other, theirs in (
            ("died", _DIED, "was born", _BORN), ("was born", _BORN, "died", _DIED),
            ("was (?:founded|established)", _FOUNDED, "was born", _BORN),
            ("was (?:founded|established)", _FOUNDED, "died", _DIED),
            ("was born", _BORN, "was (?:founded|established)", _FOUNDED),
            ("died", _DIED, "was (?:founded|established)", _FOUNDED),
        )
        for lead, side in (("before", "below"), ("after", "above"))
    ),
    (r"\[X\] (?:outlived|survived)(?: (?:his|her) (?:husband|wife|spouse))? \[Y\]", _DIED, "time",
     "above", _DIED),
    (r"\[X\] predeceased \[Y\]", _DIED, "time", "below", _DIED),
    # whatever a source has a day of
    *(
        (rf"\[X\] was (?P<v>[a-z]+ed) {lead} \[Y\](?: was)?", _WAS_DONE, "time", side, _WAS_DONE)
        for lead, side in ((_BEFORE, "below"), (_AFTER, "above"))
    ),
    *(
        (rf"\[X\] (?:{verb} in the same year as \[Y\](?: (?:was|did))?"
         rf"|and \[Y\] {plural} in the same year)", said, "time", "same year", said)
        for verb, plural, said in (
            ("was born", "were (?:both )?born", _BORN), ("died", "(?:both )?died", _DIED),
            ("was (?:founded|established)", "were (?:founded|established)", _FOUNDED),
        )
    ),
    *(
        (rf"\[X\] (?:is|was|are|runs) {word} than \[Y\](?: is)?", said, "quantity", side, said)
        for word, said, side in (
            ("taller", _TALL, "above"), ("higher", _HIGH, "above"), ("lower", _HIGH, "below"),
            ("longer", _LONG, "above"), ("shorter", _LONG, "below"), ("shorter", _TALL, "below"),
            ("(?:larger|bigger)", "[X] has an area of [Y]", "above"),
            ("smaller", "[X] has an area of [Y]", "below"),
            ("more populous", _PEOPLED, "above"), ("less populous", _PEOPLED, "below"),
        )
    ),
    (r"\[X\] has (?:more (?:inhabitants|people)|a (?:larger|bigger|higher) population) than \[Y\]"
     r"(?: (?:has|does))?", _PEOPLED, "quantity", "above", _PEOPLED),
    (r"\[X\] has (?:fewer (?:inhabitants|people)|a (?:smaller|lower) population) than \[Y\]"
     r"(?: (?:has|does))?", _PEOPLED, "quantity", "below", _PEOPLED),
    (r"\[X\] (?:has more employees|employs more people) than \[Y\](?: (?:has|does))?",
     "[X] has [Y] employees", "quantity", "above", "[X] has [Y] employees"),
    (r"\[X\] has a longer (?:running time|duration|run time) than \[Y\](?: (?:has|does))?",
     "[X] has a running time of [Y]", "quantity", "above", "[X] has a running time of [Y]"),
    (r"\[X\] has a shorter (?:running time|duration|run time) than \[Y\](?: (?:has|does))?",
     "[X] has a running time of [Y]", "quantity", "below", "[X] has a running time of [Y]"),
)  # fmt: skip
#: How old somebody died, behind the name, and the wording of when.
AGED = r" (?:died|passed away) (?:at the age of|at age|aged|at) (?P<n>\d{1,3})"
BORN, DIED = _BORN, _DIED
#: What stands before a name and says what somebody is, as no "Mr" does.
OFFICES = (
    "(?:[Vv]ice |[Dd]eputy |[Ff]ormer )?(?:[Pp]resident|[Pp]rime [Mm]inister|[Cc]hancellor"
    "|[Kk]ing|[Qq]ueen"
    "|[Pp]rince|[Pp]rincess|[Ee]mperor|[Ee]mpress|[Pp]ope|[Ss]enator|[Gg]overnor|[Gg]eneral"
    "|[Jj]udge"
    "|[Bb]ishop|[Cc]ardinal|[Aa]ctor|[Aa]ctress|[Ss]inger|[Aa]uthor|[Ww]riter|[Dd]irector"
    "|[Mm]ayor|[Mm]inister)"
)
#: How many of what somebody has, behind the name, and how often something is so, at the end.
_COUNT = "(?P<n>no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[0-9]{1,3})"
COUNTED = (
    (
        rf" (?:has|had|is survived by|left) (?:exactly |only )?{_COUNT} (?P<k>[a-z]+(?: [a-z]+)?)",
        "",
    ),
    (
        rf" (?:has been|had been|was|got) married (?P<n>once|twice|(?:{_COUNT[4:-1]}) times)",
        "spouse",
    ),
    (r" (?:is|was|remained|died) (?P<n>childless)", "child"),
    (r" (?:is|was|remained|died) (?P<n>unmarried)", "spouse"),
)
TIMES = (
    r" (?P<n>once|twice|(?:two|three|four|five|six|seven|eight|nine|ten) times)"
    r"| for (?P<m>(?:two|three|four|five|six|seven|eight|nine|ten)(?: consecutive| full)? terms)"
)
NUMBERS = {
    "no": 0, "childless": 0, "unmarried": 0, "once": 1, "twice": 2,
    **{word: number for word, number in YEARS.items() if number < 20},
}  # fmt: skip
