"""How English puts several clauses into one, dates them, and bounds what they give.

A rewording is an expression that a whole clause matches and the clauses that it comes to, in the
words of its groups and a few of their own. It leaves nothing out: whoever reads all of them has
read the whole.
"""

from __future__ import annotations

from groundrules.claims.english.alternations import LINKED

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
BEGINNING = frozenset("become join marry wed elect appoint inaugurate crown settle enter".split())
ENDING = frozenset("leave quit resign depart".split())

#: What stands before an amount or a date that only bounds a value.
BOUNDS = {
    "more than": "above", "over": "above", "above": "above", "in excess of": "above",
    "after": "above", "less than": "below", "fewer than": "below", "under": "below",
    "below": "below", "before": "below", "at least": "at_least", "no less than": "at_least",
    "no fewer than": "at_least", "at most": "at_most", "no more than": "at_most",
    "up to": "at_most", "about": "about", "around": "about", "approximately": "about",
    "roughly": "about", "circa": "about", "some": "about", "nearly": "about", "almost": "about",
    "in about": "about", "in around": "about",
}  # fmt: skip

#: The lands that the words for a people stand for.
COUNTRIES = {
    "American": "United States", "Argentine": "Argentina", "Australian": "Australia",
    "Austrian": "Austria", "Belgian": "Belgium", "Brazilian": "Brazil", "British": "United Kingdom",
    "Bulgarian": "Bulgaria", "Canadian": "Canada", "Chilean": "Chile", "Chinese": "China",
    "Croatian": "Croatia", "Czech": "Czech Republic", "Danish": "Denmark", "Dutch": "Netherlands",
    "Egyptian": "Egypt", "English": "England", "Estonian": "Estonia", "Finnish": "Finland",
    "French": "France", "German": "Germany", "Greek": "Greece", "Hungarian": "Hungary",
    "Icelandic": "Iceland", "Indian": "India", "Indonesian": "Indonesia", "Iranian": "Iran",
    "Irish": "Ireland", "Israeli": "Israel", "Italian": "Italy", "Japanese": "Japan",
    "Kazakh": "Kazakhstan", "Kenyan": "Kenya", "Latvian": "Latvia", "Lithuanian": "Lithuania",
    "Mexican": "Mexico", "Nigerian": "Nigeria", "Norwegian": "Norway", "Pakistani": "Pakistan",
    "Polish": "Poland", "Portuguese": "Portugal", "Romanian": "Romania", "Russian": "Russia",
    "Scottish": "Scotland", "Serbian": "Serbia", "Slovak": "Slovakia", "Slovenian": "Slovenia",
    "Spanish": "Spain", "Swedish": "Sweden", "Swiss": "Switzerland", "Turkish": "Turkey",
    "Ukrainian": "Ukraine", "Vietnamese": "Vietnam", "Welsh": "Wales",
}  # fmt: skip
_BORN, _DIED, _FOUNDED = "[X] was born in [Y]", "[X] died in [Y]", "[X] was founded in [Y]"
_PEOPLED = "[X] has a population of [Y]"
_SIDES = ((r"(?:before|earlier than)", "below"), (r"(?:after|later than)", "above"))
#: What is said of two things by what both have: the expression, a wording of that, whether it is a
#: time or an amount, and what the first one's is to the other's.
COMPARED = (
    (r"\[X\] (?:is|was) older than \[Y\](?: (?:is|was))?", _BORN, "time", "below"),
    (r"\[X\] (?:is|was) younger than \[Y\](?: (?:is|was))?", _BORN, "time", "above"),
    *(
        (rf"\[X\] {verb} {lead} \[Y\](?: (?:was|did))?", said, "time", side)
        for verb, said in (("was born", _BORN), ("died", _DIED),
                           ("was (?:founded|established)", _FOUNDED))
        for lead, side in _SIDES
    ),
    (r"\[X\] outlived \[Y\]", _DIED, "time", "above"),
    (r"\[X\] predeceased \[Y\]", _DIED, "time", "below"),
    *(
        (rf"\[X\] (?:{verb} in the same year as \[Y\](?: (?:was|did))?"
         rf"|and \[Y\] {plural} in the same year)", said, "time", "same year")
        for verb, plural, said in (
            ("was born", "were born", _BORN), ("died", "died", _DIED),
            ("was (?:founded|established)", "were (?:founded|established)", _FOUNDED),
        )
    ),
    *(
        (rf"\[X\] (?:is|was|are) {word} than \[Y\](?: is)?", said, "quantity", side)
        for words, said, side in (
            ("taller", "[X] is [Y] tall", "above"), ("higher", "[X] is [Y] high", "above"),
            ("lower", "[X] is [Y] high", "below"), ("longer", "[X] is [Y] long", "above"),
            ("(?:larger|bigger)", "[X] has an area of [Y]", "above"),
            ("more populous", _PEOPLED, "above"), ("less populous", _PEOPLED, "below"),
        )
        for word in (words,)
    ),
    (r"\[X\] has (?:more (?:inhabitants|people)|a (?:larger|bigger|higher) population) than \[Y\]"
     r"(?: (?:has|does))?", _PEOPLED, "quantity", "above"),
    (r"\[X\] has (?:fewer (?:inhabitants|people)|a (?:smaller|lower) population) than \[Y\]"
     r"(?: (?:has|does))?", _PEOPLED, "quantity", "below"),
    (r"\[X\] (?:has more employees|employs more people) than \[Y\](?: (?:has|does))?",
     "[X] has [Y] employees", "quantity", "above"),
)  # fmt: skip
#: How old somebody died, behind the name, and the wording of when.
AGED = r" (?:died|passed away) (?:at the age of|at age|aged) (?P<n>\d{1,3})"
BORN, DIED = _BORN, _DIED

#: A subject, which begins the clause, and the verb behind a subject.
_S = r"(?P<s>[A-Z][^,;()]*?)"
_V = rf"(?P<r>(?:{LINKED}) .+)"
_PARTICIPLE = (
    "born|founded|established|created|based|located|headquartered|situated|directed|released"
    "|written|composed|designed|built|educated|married|elected|appointed|published|formed"
)
_TAKE_OFFICE = (
    "(?:took|assumed|entered) office as|was (?:sworn in|inaugurated|installed) as|took over as"
    "|began (?:(?:his|her|their) term )?as|started as"
)
_LEAVE_OFFICE = (
    "stopped being|ceased to be|(?:stepped|stood) down as|left office as|resigned as|retired as"
    "|quit as|was (?:removed|replaced|succeeded) as"
)
_PEOPLE = "|".join(COUNTRIES)
_AT_AGE = r"(?:at the age of|at age|aged) \d{1,3}"
#: Rewordings, each with its clauses; one marked "not" is denied, "end" and "start" say that the
#: date of the clause is the one on which what it says ended or began.
REWORDINGS = (
    # what is denied or vouched for as a whole
    (r"(?:It is|It's) (?:a myth|false|untrue|not true|wrong|incorrect) that (?P<r>.+)",
     ("not:{r}",)),
    (r"(?:It is|It's) (?:true|a fact|known|well known) that (?P<r>.+)", ("{r}",)),
    (rf"Neither (?P<a>[A-Z].*?) nor (?P<b>[A-Z].*?) {_V}", ("not:{a} {r}", "not:{b} {r}")),
    (rf"{_S} (?P<v>is|was|are|were) neither (?P<a>.+) nor (?P<b>.+)",
     ("not:{s} {v} {a}", "not:{s} {v} {b}")),
    # two clauses, two predicates, two dates
    (r"(?P<a>.+?)(?:,|;)? (?:and|while|whereas) (?P<b>[A-Z].+)", ("{a}", "{b}")),
    (r"(?P<a>.+?); (?P<b>[A-Z].+)", ("{a}", "{b}")),
    (r"(?P<h>.+?) (?P<d>(?:in|on|from) [^,]*\d[^,]*?),? and (?:then )?(?:again )?"
     r"(?P<e>(?:in|on|from) [^,]*\d[^,]*)", ("{h} {d}", "{h} {e}")),
    (r"(?P<h>.+?) (?P<o>of|in|by|for|from) (?P<x>[^,]+?),? and (?P=o) (?P<y>.+)",
     ("{h} {o} {x}", "{h} {o} {y}")),
    (r"(?P<h>.+?) (?P<d>[^ ,]+), not (?P<e>[^,]+)", ("{h} {d}", "not:{h} {e}")),
    (rf"{_S} (?P<v>\w.*?) not (?P<p>in|at|on|by) (?P<a>.+?),? but (?P=p) (?P<b>.+)",
     ("not:{s} {v} {p} {a}", "{s} {v} {p} {b}")),
    (rf"{_S}, (?:not|never) (?P<x>[A-Z][^,]*?), {_V}", ("{s} {r}", "not:{x} {r}")),
    # an aside about the subject
    (rf"{_S} \((?P<a>[^()–—]*\d)\s?[-–—]\s?(?P<b>[^()–—]*\d)\)(?P<r>.+)",
     ("{s} was born {a}", "{s} died {b}", "{s}{r}")),
    (rf"{_S} \((?P<a>(?:born|died) [^();]+)(?:;|,) (?P<b>(?:born|died) [^();]+)\)(?P<r>.+)",
     ("{s} ({a}){r}", "{s} ({b})")),
    (rf"{_S} \(born (?P<a>[^();]+)\)(?P<r>.*)", ("{s} was born {a}", "{s}{r}")),
    (rf"{_S} \(died (?P<a>[^();]+)\)(?P<r>.*)", ("{s} died {a}", "{s}{r}")),
    (rf"{_S} \((?P<p>(?:{_PARTICIPLE}) [^()]+)\)(?P<r>.+)", ("{s} was {p}", "{s}{r}")),
    (rf"{_S} \((?:an? |the )?(?P<p>[^()\d]+ of [^()]+)\)(?P<r>.+)", ("{s} was {p}", "{s}{r}")),
    (rf"{_S}, (?:an?|the) (?P<p>[a-z][^,]*?),(?P<r> .+)", ("{s} was a {p}", "{s}{r}")),
    (rf"{_S}, (?P<p>[a-z][^,]* of [^,]+),(?P<r> .+)", ("{s} was {p}", "{s}{r}")),
    (rf"{_S}, (?:who|which) (?P<p>[^,]+),(?P<r> .+)", ("{s} {p}", "{s}{r}")),
    (rf"{_S}, (?P<p>(?:{_PARTICIPLE}) .+),(?P<r> .+)", ("{s} was {p}", "{s}{r}")),
    (rf"{_S} (?P<c>(?:is|was) an? [^,]+?),? (?:who|which) (?P<p>.+)", ("{s} {c}", "{s} {p}")),
    (rf"{_S} (?P<c>(?:is|was) an? [^,]+?),? (?P<p>(?:{_PARTICIPLE}) .+)",
     ("{s} {c}", "{s} was {p}")),
    (rf"(?P<p>(?:Born|Founded|Established|Based|Located|Directed|Released|Educated) .+?), "
     rf"(?P<s>[A-Z][^,]*?) {_V}", ("{s} was {p}", "{s} {r}")),
    (rf"{_S} (?P<m>(?:{LINKED}) .+),(?: and)? (?P<p>(?:{_PARTICIPLE}) .+)",
     ("{s} {m}", "{s} was {p}")),
    # a people for its land
    (rf"{_S} (?P<v>is|was) (?P<a>an?|the) (?P<d>{_PEOPLE})-born (?P<k>[a-z].+)",
     ("{s} {v} {a} {k}", "{s} was born in {d}")),
    (rf"{_S} (?P<v>is|was) (?P<a>an?) (?P<d>{_PEOPLE}) (?P<k>[a-z][a-z -]*)",
     ("{s} {v} {a} {k}", "{s} {v} a citizen of {d}")),
    (rf"{_S} (?P<v>is|was|became) the (?P<f>former )?(?P<d>{_PEOPLE}) "
     r"(?P<k>(?!of\b)[A-Za-z]+(?: (?!of\b)[A-Za-z]+)*)"
     r"(?P<t>(?: (?:in|on|from|until|since|between) .*\d)?)",
     ("{s} {v} the {f}{k} of {d} {t}",)),
    # how old, besides when or where
    (rf"{_S} (?P<v>died|passed away)(?P<t> (?:in|on|of|from|at) .+?),? (?P<a>{_AT_AGE})",
     ("{s} {v}{t}", "{s} {v} {a}")),
    (rf"{_S} (?P<v>died|passed away),? (?P<a>{_AT_AGE}),?(?P<t> (?:in|on|of|from|at) .+)",
     ("{s} {v}{t}", "{s} {v} {a}")),
    (rf"{_S} (?P<v>(?:{LINKED}) .+?) until (?:his|her|their) death (?P<t>in|on) (?P<d>[^,]*\d)",
     ("{s} {v} until {d}", "{s} died {t} {d}")),
    # when it was made, and by whom
    (rf"(?P<o>[A-Z].*?) was (?P<v>(?:co-)?(?:{_PARTICIPLE})) (?P<t>(?:in|on) [^,]*?\d) "
     r"by (?P<s>.+)", ("{o} was {v} {t}", "{o} was {v} by {s}")),
    (rf"(?P<o>[A-Z].*?) was (?P<v>(?:co-)?(?:{_PARTICIPLE})) by (?P<s>.+?) "
     r"(?P<t>(?:in|on) [^,]*\d)", ("{o} was {v} {t}", "{o} was {v} by {s}")),
    (rf"{_S} (?:co-)?founded (?P<o>[A-Z].*?) (?:together )?with (?P<z>[A-Z].*?)"
     r" (?P<t>(?:in|on) [^,]*\d)", ("{s} founded {o}", "{z} founded {o}", "{o} was founded {t}")),
    (rf"{_S} (?:co-)?founded (?P<o>[A-Z].*?) (?:together )?with (?P<z>[A-Z].*)",
     ("{s} founded {o}", "{z} founded {o}")),
    (rf"{_S} (?:co-)?founded (?P<o>[A-Z].*?) (?P<t>(?:in|on) [^,]*\d)",
     ("{s} founded {o}", "{o} was founded {t}")),
    (rf"{_S} co-founded (?P<o>[A-Z].*)", ("{s} founded {o}",)),
    # offices and seats, taken and left
    (rf"{_S} (?:succeeded|replaced|followed) (?P<z>[A-Z].*?) as (?P<n>.+?) (?P<t>(?:in|on) .*\d)",
     ("start:{s} was {n} {t}", "end:{z} was {n} {t}")),
    (rf"{_S} (?:{_TAKE_OFFICE}) (?P<n>.+)", ("start:{s} was {n}",)),
    (rf"{_S} (?:{_LEAVE_OFFICE}) (?P<n>.+)", ("end:{s} was {n}",)),
    (rf"{_S}['’]s? (?:term|tenure|time)(?: of office| in office)? as (?P<n>.+?) "
     r"(?:ended|came to an end)(?P<t>.*)", ("end:{s} was {n}{t}",)),
    (rf"{_S}['’]s? (?:term|tenure|time)(?: of office| in office)? as (?P<n>.+?) "
     r"(?:began|started)(?P<t>.*)", ("start:{s} was {n}{t}",)),
    (rf"{_S} (?:is|was) (?:the|an?) former (?P<n>.+ of .+)", ("end:{s} was the {n}",)),
    (rf"{_S} moved (?:its |their )?(?:headquarters|head office|seat) from (?P<a>[A-Z].*?) to "
     r"(?P<b>[A-Z].*?)(?P<t> (?:in|on) .*\d)?",
     ("end:{s} was headquartered in {a}{t}", "start:{s} was headquartered in {b}{t}")),
    (rf"{_S} moved (?:its |their )?(?:headquarters|head office|seat) to (?P<b>[A-Z].*?)"
     r"(?P<t> (?:in|on) .*\d)?", ("start:{s} was headquartered in {b}{t}",)),
)  # fmt: skip
