"""How English puts several clauses into one.

A rewording is an expression that a whole clause matches and the clauses that it comes to, in the
words of its groups and a few of their own. It leaves nothing out: whoever reads all of them has
read the whole.
"""

from __future__ import annotations

from groundrules.claims.english.alternations import LINKED
from groundrules.claims.english.attributes import COUNTRIES

#: A subject, which begins the clause, and what is said of it.
_S = r"(?P<s>[A-Z][^,;()]*?)"
#: A subject within a clause.
_I = r"(?P<s>(?:the )?[A-Z][^,;()]*?)"
_V = rf"(?P<r>(?:{LINKED}) .+)"
#: What is said of a subject by any verb: it begins with a word that is no part of a name.
_R = (
    r"(?P<r>(?!(?:von|van|der|den|de|of|and|or|the|in|for|at|to|by|du|la|le|al|bin|ibn|as|with|on"
    r"|from|like|who|which|whose)\b)[a-z]\w*\b.*)"
)
#: A day, a year or a stretch, with what stands before it.
_T = r"(?P<t>(?:in|on|from|since|until|between|by|before|after|at) [^,]+)"
_DATED = r"(?P<t> (?:in|on|from|since|until|between) [^,]*\d)?"
_HAPPENED = "took place|occurred|happened|came|fell|was|dates from|dates back to"
_PARTICIPLE = (
    "born|founded|established|created|based|located|headquartered|situated|directed|released"
    "|written|composed|designed|built|educated|married|elected|appointed|published|formed"
)
_STATE = "based|located|headquartered|situated"
_TAKE_OFFICE = (
    "(?:took|assumed|entered) office as|was (?:sworn in|inaugurated|installed) as|took over as"
    "|began (?:(?:his|her|their) term )?as|started as|took up office as|came to office as"
)
_LEAVE_OFFICE = (
    "stopped being|ceased to be|(?:stepped|stood) down as|left office as|resigned as|retired as"
    "|quit as|was (?:removed|replaced|succeeded|ousted) as|stopped serving as|left the post of"
    "|gave up the post of"
)
_PEOPLE, _LANDS = "|".join(COUNTRIES), "|".join(COUNTRIES.values())
_AGE = r"(?P<n>\d{1,3})(?: years old| years of age)?"
_AT_AGE = r"(?:at the age of|at age|aged|at) \d{1,3}"
_HIS = "(?:his|her|their)"
_HE = "(?:he|she|they)"
_TERM = r"(?:term|tenure|time|stint)(?: of office| in office)?"
_MADE = "film|movie|album|book|novel|song|play|opera|series"
_WORKS = rf"(?P<k>(?:[a-z]+ )?(?:{_MADE}))"
#: A clause that ends with a name, which is `z`.
_LAST_NAME = r"(?P<h>[A-Z].+ [a-z]+ (?P<z>(?:the )?[A-Z][\w.-]*(?: [A-Z][\w.-]*)*))"
#: Verbs of a clause that says something of now.
_PRESENT = (
    "(?:is|has|leads|runs|heads|holds|serves|remains|belongs|governs|chairs|works|lives|plays)"
)
#: What opens a sentence and says nothing of what it is about.
_OPENERS = (
    "In fact|In reality|Indeed|However|Moreover|Of course|Today|As of today|Nowadays|At present"
    "|Currently|Interestingly|Notably|Famously|As it happens|Historically|Contrary to [a-z ]+"
)
#: Rewordings, each with its clauses. One marked "not" is denied; "end" and "start" say that the
#: date of the clause is the one on which what it says ended or began; an "aside" does not tell its
#: tense. Behind "||" stands what dates it: what that is to it, and the event, so many years after
#: it if it has a number.
REWORDINGS = (
    # what is denied or vouched for as a whole
    (r"(?:It is|It's) (?:a myth|false|untrue|not true|wrong|incorrect) that (?P<r>.+)",
     ("not:{r}",)),
    (r"(?:It is|It's) (?:true|a fact|known|well known) that (?P<r>.+)", ("{r}",)),
    (rf"(?:{_OPENERS}), (?P<r>[A-Z].+)", ("{r}",)),
    # what is brought to the front
    (rf"It (?:is|was) (?P<s>[A-Z][^,;()]*?),? (?:who|that|which) {_R}", ("{s} {r}",)),
    (rf"It (?:is|was) (?P<s>[A-Z][^,;()]*?) that (?P<z>[A-Z][^,;()]*?) {_R}", ("{z} {r} {s}",)),
    (rf"It (?:is|was) {_T} that (?P<r>[A-Z].+)", ("{r} {t}",)),
    (r"Both (?P<a>(?:the )?[A-Z].+?) and (?P<r>.+)", ("{a} and {r}",)),
    (r"(?:The )?(?:one|person|man|woman|company|country|city|place) (?:who|that|which) "
     r"(?P<r>[a-z].+?) (?:is|was) (?P<s>[A-Z][^,]*)", ("{s} {r}",)),
    (rf"Neither (?P<a>[A-Z].*?) nor (?P<b>[A-Z].*?) {_V}", ("not:{a} {r}", "not:{b} {r}")),
    (rf"{_S} (?P<v>is|was|are|were) neither (?P<a>.+) nor (?P<b>.+)",
     ("not:{s} {v} {a}", "not:{s} {v} {b}")),
    (rf"{_S} (?P<v>(?:{LINKED})(?: [a-z]+)*) neither (?P<a>.+?) nor (?P<b>.+)",
     ("not:{s} {v} {a}", "not:{s} {v} {b}")),
    (rf"Neither (?P<a>[A-Z].*?) nor (?P<b>[A-Z].*?) {_R}", ("not:{a} {r}", "not:{b} {r}")),
    # an age beside a name, where what is said of it is said of now
    (rf"{_S}, (?:(?:now )?aged |now )?(?P<n>\d{{1,3}}),(?P<r> {_PRESENT} .+)",
     ("{s} is {n}", "{s}{r}")),
    (rf"(?:The )?(?P<n>\d{{1,3}})-year-old {_I} (?P<r>{_PRESENT} .+)", ("{s} is {n}", "{s} {r}")),
    (rf"{_S} (?P<v>is) (?P<a>an? |the )(?P<n>\d{{1,3}})-year-old (?P<k>.+)",
     ("{s} is {n}", "{s} {v} {a}{k}")),
    # an aside about the subject
    (rf"{_S} \((?P<a>[^()–—]*\d)\s?[-–—]\s?(?P<b>[^()–—]*\d)\)(?P<r>.+)",
     ("{s} was born {a}", "{s} died {b}", "{s}{r}")),
    (rf"{_S} \((?P<a>(?:born|died) [^();]+)(?:;|,) (?P<b>(?:born|died) [^();]+)\)(?P<r>.+)",
     ("{s} ({a}){r}", "{s} ({b})")),
    (rf"{_S} \((?:born|b\.) (?P<a>[^();]+)\)(?P<r>.*)", ("{s} was born {a}", "{s}{r}")),
    (rf"{_S} \((?:died|d\.) (?P<a>[^();]+)\)(?P<r>.*)", ("{s} died {a}", "{s}{r}")),
    (rf"{_S} \((?P<p>(?:{_PARTICIPLE}) [^()]+)\)(?P<r>.+)", ("{s} was {p}", "{s}{r}")),
    (rf"{_S} \((?:an? |the )?(?P<p>[^()\d]+ of [^()]+)\)(?P<r>.+)",
     ("aside:{s} was {p}", "{s}{r}")),
    (rf"{_S}, (?P<f>once|formerly) (?:an? |the )?(?P<p>[^,]+),(?P<r> .+)",
     ("end:{s} was the {p}", "{s}{r}")),
    (rf"{_S}, (?:an?|the) former (?P<p>[^,]+),(?P<r> .+)", ("end:{s} was the {p}", "{s}{r}")),
    (rf"{_S}, the (?P<p>[^,]+ (?:from|since|until|between|in) [^,]*\d),(?P<r> .+)",
     ("{s} was the {p}", "{s}{r}")),
    (rf"{_S}, (?:an?|the) (?P<p>[^,]+),(?P<r> .+)", ("aside:{s} was a {p}", "{s}{r}")),
    (rf"{_S}, (?:an?|the) (?P<p>[^,]+),(?P<r> .+)", ("aside:{s} was the {p}", "{s}{r}")),
    (r"(?P<o>[A-Z][^,;()]*?)['’]s? (?P<n>[a-z][a-z ]*), (?P<s>[A-Z][^,]*),(?P<r> .+)",
     ("aside:{s} is the {n} of {o}", "{s}{r}")),
    (r"The (?P<n>[a-z][a-z ]* of [^,]*), (?P<s>[A-Z][^,]*),(?P<r> .+)",
     ("aside:{s} is the {n}", "{s}{r}")),
    (rf"{_S}, (?P<p>[A-Z][^,]*? (?:of|at) [^,]+),(?P<r> .+)", ("aside:{s} is {p}", "{s}{r}")),
    (rf"{_S}, (?P<o>[A-Z][^,]*?)['’]s? former (?P<n>[a-zA-Z][^,]*),(?P<r> .+)",
     ("end:{s} was the {n} of {o}", "{s}{r}")),
    (rf"{_S}, (?P<o>[A-Z][^,]*?)['’]s? (?P<n>[a-zA-Z][^,]*),(?P<r> .+)",
     ("aside:{s} was the {n} of {o}", "{s}{r}")),
    (rf"{_S}, (?P<p>[a-z][^,]* of [^,]+),(?P<r> .+)", ("aside:{s} was the {p}", "{s}{r}")),
    (rf"{_S}, (?:who|which) (?P<p>[^,]+), (?:later|then|subsequently|eventually) became (?P<m>.+)",
     ("{s} {p}", "start:{s} was {m} || later || start:{s} {p}")),
    (rf"{_S} (?P<p>(?:is|was) [^,]+?),? (?:and|before he|before she|but) "
     r"(?:later|then|subsequently|eventually) became (?P<m>.+)",
     ("{s} {p}", "start:{s} was {m} || later || start:{s} {p}")),
    (rf"{_S}, (?:who|which) (?P<p>[^,]+),(?P<r> .+)", ("{s} {p}", "{s}{r}")),
    (rf"{_S}, whose (?P<n>[a-z][a-z ]*) (?P<v>is|was|are|were) (?P<p>[^,]+),(?P<r> .+)",
     ("{s}'s {n} {v} {p}", "{s}{r}")),
    (rf"{_S}, (?P<p>(?:{_STATE}) [^,]+),(?P<r> .+)", ("aside:{s} is {p}", "{s}{r}")),
    (rf"{_S}, with (?P<y>(?:about |around |some |over |more than |nearly )?\d(?:[^,]|,(?=\d))*),"
     r"(?P<r> .+)", ("{s} has {y}", "{s}{r}")),
    (rf"{_S}, (?P<o>[A-Z][^,]*?)['’]s? (?P<y>\d{{4}}) {_WORKS},(?P<r> .+)",
     ("{s} was released in {y}", "{s} was made by {o}", "{s}{r}")),
    (rf"{_S}, (?P<p>(?:co-)?(?:{_PARTICIPLE}) [^,]+),(?P<r> .+)", ("{s} was {p}", "{s}{r}")),
    (rf"{_S}, (?:like|as well as|along with|together with) (?P<z>[A-Z][^,]*),(?P<r> .+)",
     ("{s}{r}", "{z}{r}")),
    (rf"(?:Like|Just like) (?P<z>(?:the )?[A-Z][^,]*), {_I} {_R}", ("{s} {r}", "{z} {r}")),
    (rf"Unlike (?P<z>(?:the )?[A-Z][^,]*), {_I} {_R}", ("{s} {r}", "not:{z} {r}")),
    (rf"An? (?P<k>[a-z][^,]*), {_I} {_R}", ("aside:{s} was a {k}", "{s} {r}")),
    (rf"Together with (?P<z>(?:the )?[A-Z][^,]*), {_I} {_R}", ("{s} {r}", "{z} {r}")),
    (r"(?P<y>\d{4}) (?:is|was) (?:the year )?(?:in which|when|that) (?P<r>[A-Z].+)",
     ("{r} in {y}",)),
    (rf"{_S} (?:is|was) the (?:man|woman|person|one|company|city|country|place|actor|director) "
     r"(?:who|which|that) (?P<r>[a-z].+)", ("{s} {r}",)),
    (rf"(?:The|A) former (?P<k>[^,]*), {_I} {_R}",
     ("end:{s} was the {k}", "{s} {r}")),
    (rf"With an? (?P<k>[a-z][a-z ]*) of (?P<y>(?:[^,]|,(?=\d))*\d(?:[^,]|,(?=\d))*), {_I} {_R}",
     ("{s} has a {k} of {y}", "{s} {r}")),
    # "all" behind a list is of those in it
    (r"(?P<s>(?:the )?[A-Z].*? and .+? (?:are|were|have|had)) (?:all|both) (?P<r>[a-z].+)",
     ("{s} {r}",)),
    (r"(?P<s>(?:the )?[A-Z].*? and .+?) (?:all|both) (?P<r>[a-z].+)", ("{s} {r}",)),
    (rf"{_S} (?P<r>[a-z][^,]*), (?:as|and so) (?:does|did|is|was|has|had|do|are|were) "
     r"(?P<z>(?:the )?[A-Z][^,]*)", ("{s} {r}", "{z} {r}")),
    (r"(?P<h>.+ than) both (?P<a>(?:the )?[A-Z].+?) and (?P<b>(?:the )?[A-Z].+)",
     ("{h} {a}", "{h} {b}")),
    (rf"{_S} (?P<v>was born|died|was founded|was established|was released)(?P<t>[^,]*), "
     r"(?P<n>[a-z0-9]+ years? (?:before|after|earlier than|later than)) (?P<z>(?:the )?[A-Z].*)",
     ("{s} {v}{t}", "{s} {v} {n} {z}")),
    (rf"Before (?P<z>(?:the )?[A-Z][^,]*), {_I} (?P<v>is|was) (?P<n>.+)",
     ("{s} {v} {n} || before || start:{z} was {n}",)),
    (rf"{_S} (?P<v>won|received|married|joined|directed|founded) (?P<a>.+?) (?P<d>in \d{{4}}),? "
     r"and (?P<b>.+?) (?P<e>in \d{4})", ("{s} {v} {a} {d}", "{s} {v} {b} {e}")),
    (rf"{_S} (?P<v>is|was) (?P<a>the [a-z].+?) and (?P<b>the [a-z].+)",
     ("{s} {v} {a}", "{s} {v} {b}")),
    # two clauses, two predicates, two dates
    (r"(?P<a>.+?)(?:,|;)? (?:and|while|whereas|but) (?P<b>(?:the )?[A-Z].+)", ("{a}", "{b}")),
    (r"(?P<a>.+?); (?P<b>[A-Z].+)", ("{a}", "{b}")),
    (rf"{_S} (?P<a>[a-z][^,]*?),? (?:and|but) (?:later |then |also |subsequently )?"
     r"(?P<b>(?:is|was|has|had|became|won|died|lives?|lived|directed|founded|married|received) .+)",
     ("{s} {a}", "{s} {b}")),
    (r"(?P<h>.+?) (?P<d>(?:in|on|from) [^,]*\d[^,]*?),? and (?:then )?(?:again )?"
     r"(?P<e>(?:in|on|from) [^,]*\d[^,]*)", ("{h} {d}", "{h} {e}")),
    (r"(?P<h>.+?) in (?P<d>\d{4}) and (?P<e>\d{4})", ("{h} in {d}", "{h} in {e}")),
    (r"(?P<h>.+?) (?P<o>of|in|by|for|from) (?P<x>[^,]+?),? and (?P=o) (?P<y>.+)",
     ("{h} {o} {x}", "{h} {o} {y}")),
    (r"(?P<h>.+?) (?P<o>in|at|on|by|to|of|from) (?P<x>[^,]+?),? (?:and not|but not|not|rather than"
     r"|instead of) (?:(?P=o) )?(?P<y>[^,]+)", ("{h} {o} {x}", "not:{h} {o} {y}")),
    (r"(?P<h>.+?) (?P<d>[^ ,]+), not (?P<e>[^,]+)", ("{h} {d}", "not:{h} {e}")),
    (rf"{_S} (?P<v>\w.*?) not (?P<p>in|at|on|by) (?P<a>.+?),? but (?P=p) (?P<b>.+)",
     ("not:{s} {v} {p} {a}", "{s} {v} {p} {b}")),
    (rf"{_S}, (?:not|never) (?P<x>[A-Z][^,]*?), {_V}", ("{s} {r}", "not:{x} {r}")),
    (rf"{_S} and not (?P<x>[A-Z][^,]*?) {_R}", ("{s} {r}", "not:{x} {r}")),
    (rf"{_S} (?P<c>(?:is|was) an? [^,]+?),? (?:who|which|that) (?P<p>.+)", ("{s} {c}", "{s} {p}")),
    (rf"{_S} (?P<c>(?:is|was) an? [^,]+?),? (?P<p>(?:{_PARTICIPLE}) .+)",
     ("{s} {c}", "{s} was {p}")),
    (rf"(?P<p>(?:Born|Founded|Established|Based|Located|Directed|Released|Educated) .+?), "
     rf"{_I} {_R}", ("{s} was {p}", "{s} {r}")),
    (rf"{_S} (?P<m>(?:{LINKED}) .+),(?: and)? (?P<p>(?:{_PARTICIPLE}) .+)",
     ("{s} {m}", "{s} was {p}")),
    (rf"{_S} (?P<m>[a-z][a-z ]*) (?P<z>(?:the )?[A-Z][^,]*), (?:who|which) "
     rf"(?P<p>(?!is (?:wrong|false|untrue|incorrect|not))(?:{LINKED}) .+)",
      ("{s} {m} {z}", "{z} {p}")),
    # what stands behind a name at the end is said of it
    (rf"{_LAST_NAME}, (?:now|today) the (?P<p>[a-z][^,]+)", ("{h}", "{z} is the {p}")),
    (rf"{_LAST_NAME}, (?:once|formerly) the (?P<p>[a-z][^,]+)", ("{h}", "end:{z} was the {p}")),
    (rf"{_LAST_NAME}, (?P<a>an?|the) (?P<p>[a-z\d][^,]+)", ("{h}", "aside:{z} was {a} {p}")),
    # a people for its land
    (rf"{_S} was born to (?P<p>[A-Z][^,;()]*?) (?P<t>(?:in|on|at) .+)",
     ("{s} was born to {p}", "{s} was born {t}")),
    (rf"(?P<d>[A-Z]\w+(?: [A-Z]\w+)?)-born {_I} {_R}", ("{s} was born in {d}", "{s} {r}")),
    (rf"{_S} (?P<v>is|was) (?P<a>an?|the) (?P<d>{_PEOPLE})-born (?P<k>[a-z].+)",
     ("{s} {v} {a} {k}", "{s} was born in {d}")),
    (rf"{_S} (?P<v>is|was) (?P<a>an?|the) (?P<d>[A-Z]\w+(?: [A-Z]\w+)?)-born (?P<k>[a-z].+)",
     ("{s} {v} {a} {k}", "{s} was born in {d}")),
    (rf"{_S} (?P<v>is|was) an? (?P<d>{_PEOPLE}) (?:citizen|national)",
     ("{s} {v} a citizen of {d}",)),
    (rf"{_S} (?:has|had|holds|held) (?P<d>{_PEOPLE}) (?:citizenship|nationality)",
     ("{s} was a citizen of {d}",)),
    (rf"{_S} (?P<v>is|was) (?P<d>{_PEOPLE})", ("{s} {v} a national of {d}",)),
    (rf"{_S} (?P<v>is|was) (?P<a>an?) (?P<d>{_PEOPLE}) (?P<k>[a-z][a-z -]*)",
     ("{s} {v} {a} {k}", "{s} {v} a national of {d}")),
    (rf"{_S} (?P<v>is|was|became) the (?P<f>former )?(?P<d>{_PEOPLE}) "
     r"(?P<k>(?!of\b)[A-Za-z]+(?: (?!of\b)[A-Za-z]+)*)"
     r"(?P<t>(?: (?:in|on|from|until|since|between) .*\d)?)",
     ("{s} {v} the {f}{k} of {d} {t}",)),
    # what it is, and where or of when
    (rf"{_S} (?P<v>is|was) an? (?P<k>[a-z][a-z -]*?) in (?P<p>(?:the )?[A-Z].*)",
     ("{s} {v} a {k}", "{s} {v} in {p}")),
    (rf"{_S} (?P<v>is|was) an? (?P<y>\d{{4}}) {_WORKS}",
     ("{s} {v} a {k}", "{s} was released in {y}")),
    (rf"{_S} (?P<v>is|was) an? (?P<y>\d{{4}}) {_WORKS}(?P<p> (?:by|directed by|written by) .+)",
     ("{s} {v} a {k}{p}", "{s} was released in {y}")),
    (rf"{_S} (?P<v>is|was) an? {_WORKS} (?:from|of) (?P<y>\d{{4}})",
     ("{s} {v} a {k}", "{s} was released in {y}")),
    (rf"{_S} (?P<v>is|was) (?P<o>[A-Z][\w.]*(?: [A-Z][\w.]*)*) (?P<k>CEO|chief executive)"
     r"(?P<t>(?: (?:in|on|from|until|since|between) .*\d)?)", ("{s} {v} the {k} of {o}{t}",)),
    (rf"{_S} (?P<v>is|was) (?:an?|the) (?P<o>[A-Z][\w.]*(?: [A-Z][\w.]*)*) "
     r"(?P<k>CEO|[a-z-]+(?: [a-z]+)?)", ("{s} {v} the {k} of {o}",)),
    (rf"{_S} (?P<v>is|was) one of (?:the )?(?P<n>two|three|four|five|six|seven|eight|nine|ten) "
     r"(?P<k>[a-z][a-z -]*) of (?P<o>.+)", ("{s} {v} a {k} of {o}", "{o} has {n} {k}")),
    (rf"{_S} (?P<v>is|was) one of (?P<o>[A-Z][^,]*?)['’]s? (?P<n>two|three|four|five|six|seven"
     r"|eight|nine|ten) (?P<k>[a-z][a-z -]*)", ("{s} {v} a {k} of {o}", "{o} has {n} {k}")),
    (rf"{_S} (?P<v>is|was) (?:one|another) of (?:the )?(?P<k>[a-z][a-z -]*) of (?P<o>.+)",
     ("{s} {v} a {k} of {o}",)),
    (rf"{_S} (?P<v>is|was) one of (?P<o>[A-Z][^,]*?)['’]s? (?P<k>[a-z][a-z -]*)",
     ("{s} {v} a {k} of {o}",)),
    # what happened, as a noun
    (rf"(?:The birth of {_S}|(?P<z>[A-Z][^,;()]*?)['’]s? birth) (?:{_HAPPENED}) {_T}",
     ("{s}{z} was born {t}",)),
    (rf"(?:The death of {_S}|(?P<z>[A-Z][^,;()]*?)['’]s? death) (?:{_HAPPENED}) {_T}",
     ("{s}{z} died {t}",)),
    (rf"(?:The death of {_S}|(?P<z>[A-Z][^,;()]*?)['’]s? death) (?P<u>in [^,]*?\d) "
     rf"(?:{_HAPPENED}) {_T}",
     ("{s}{z} died {u}", "{s}{z} died {t}")),
    (rf"(?:The birth of {_S}|(?P<z>[A-Z][^,;()]*?)['’]s? birth) (?P<u>in [^,]*?\d) "
     rf"(?:{_HAPPENED}) {_T}",
     ("{s}{z} was born {u}", "{s}{z} was born {t}")),
    (rf"(?:The (?:founding|foundation|establishment|creation) of {_S}|(?P<z>[A-Z][^,;()]*?)['’]s? "
     rf"(?:founding|foundation|establishment)) (?:{_HAPPENED}) {_T}", ("{s}{z} was founded {t}",)),
    (rf"(?:The (?:founding|foundation|establishment) of {_S}|(?P<z>[A-Z][^,;()]*?)['’]s? "
     rf"(?:founding|foundation)) by (?P<y>[A-Z].*?) (?:{_HAPPENED}) {_T}",
     ("{s}{z} was founded {t}", "{s}{z} was founded by {y}")),
    (rf"(?:The (?:release|publication|premiere) of {_S}|(?P<z>[A-Z][^,;()]*?)['’]s? "
     rf"(?:release|publication|premiere)) (?:{_HAPPENED}) {_T}", ("{s}{z} was released {t}",)),
    (rf"The marriage (?:of|between) (?P<a>[A-Z].*?) (?:and|to|with) (?P<b>[A-Z].*?) "
     rf"(?:began|started|{_HAPPENED})(?P<t> .+)", ("start:{a} was married to {b}{t}",)),
    (r"The marriage (?:of|between) (?P<a>[A-Z].*?) (?:and|to|with) (?P<b>[A-Z].*?) "
     r"(?:ended|was dissolved|broke up|came to an end)(?P<t> .+)",
      ("end:{a} was married to {b}{t}",)),
    (r"The marriage (?:of|between) (?P<a>[A-Z].*?) (?:and|to|with) (?P<b>[A-Z].*?) lasted(?P<t> "
     r".+)",
     ("{a} was married to {b}{t}",)),
    (rf"(?P<a>[A-Z][^,;()]*?)['’]s? marriage (?:to|with) (?P<b>[A-Z].*?) (?:began|started"
     rf"|{_HAPPENED})"
     r"(?P<t> .+)", ("start:{a} was married to {b}{t}",)),
    (r"(?P<a>[A-Z][^,;()]*?)['’]s? marriage (?:to|with) (?P<b>[A-Z].*?) (?:ended|was dissolved"
     r"|broke up"
     r"|came to an end)(?P<t> .+)", ("end:{a} was married to {b}{t}",)),
    (r"(?P<a>[A-Z][^,;()]*?)['’]s? marriage (?:to|with) (?P<b>[A-Z].*?) lasted(?P<t> .+)",
     ("{a} was married to {b}{t}",)),
    (r"(?P<a>[A-Z][^,;()]*?) and (?P<b>[A-Z][^,;()]*?) (?:married|remarried|wed|got married|were "
     r"married)"
     r"(?P<t> (?:in|on) .+)", ("start:{a} was married to {b}{t}",)),
    (r"(?P<a>[A-Z][^,;()]*?) and (?P<b>[A-Z][^,;()]*?) (?:divorced|separated|were divorced)"
     r"(?P<t> (?:in|on) .+)?", ("end:{a} was married to {b}{t}",)),
    (r"(?P<a>[A-Z][^,;()]*?) (?:divorced|separated from|was divorced from) (?P<b>[A-Z][^,;()]*?)"
     r"(?P<t> (?:in|on) .+)?", ("end:{a} was married to {b}{t}",)),
    # how old, besides when or where
    (rf"{_S} (?P<v>died|passed away)(?P<t> (?:in|on|of|from|at) .+?),? (?P<a>{_AT_AGE})",
     ("{s} {v}{t}", "{s} {v} {a}")),
    (rf"{_S} (?P<v>died|passed away),? (?P<a>{_AT_AGE}),?(?P<t> (?:in|on|of|from|at) .+)",
     ("{s} {v}{t}", "{s} {v} {a}")),
    (rf"{_S} was {_AGE} (?:when {_HE} died|at {_HIS} death|at the time of {_HIS} death)",
     ("{s} died at the age of {n}",)),
    (rf"When {_HE} died(?P<t> (?:in|on) [^,]*\d), {_S} was {_AGE}",
     ("{s} died{t}", "{s} died at the age of {n}")),
    (rf"When {_HE} died, {_S} was {_AGE}", ("{s} died at the age of {n}",)),
    (rf"{_S} reached the age of {_AGE}", ("{s} died at the age of {n}",)),
    (rf"(?:At the time of|At) {_HIS} death,? {_S} was {_AGE}", ("{s} died at the age of {n}",)),
    (rf"{_S} lived to (?:be|the age of) {_AGE}", ("{s} died at the age of {n}",)),
    (rf"{_S} (?:was|lived) to (?:be|the age of) {_AGE}", ("{s} died at the age of {n}",)),
    (rf"{_S} lived from (?P<a>[^,]*\d) (?:to|until) (?P<b>[^,]*\d)",
     ("{s} was born in {a}", "{s} died in {b}")),
    (rf"{_S} was {_AGE} when {_HE} (?:became|was elected|was appointed|took office as) (?P<m>.+)",
     ("start:{s} was {m} || {n} years || {s} was born",)),
    (rf"{_S} (?:became|was elected|was appointed|took office as) (?P<m>.+?) {_AT_AGE[:-7]}{_AGE}",
     ("start:{s} was {m} || {n} years || {s} was born",)),
    (rf"{_S} was {_AGE} when {_HE} (?P<m>(?:won|received|was awarded) .+)",
     ("start:{s} {m} || {n} years || {s} was born",)),
    (rf"{_S} (?P<m>(?:won|received|was awarded) .+?) (?:at the age of|at|when {_HE} was) {_AGE}",
     ("start:{s} {m} || {n} years || {s} was born",)),
    (rf"{_S} (?:married|wed) (?P<m>[A-Z].*?) (?:at the age of|at|when {_HE} was) {_AGE}",
     ("start:{s} was married to {m} || {n} years || {s} was born",)),
    (rf"{_S} was {_AGE} when {_HE} (?:married|wed) (?P<m>.+)",
     ("start:{s} was married to {m} || {n} years || {s} was born",)),
    # dated by what happened then
    (rf"{_S} (?P<v>(?:{LINKED}) .+?) until {_HIS} death (?P<t>in|on) (?P<d>[^,]*\d)",
     ("{s} {v} until {d}", "{s} died {t} {d}")),
    (rf"{_S} (?P<v>(?:{LINKED}) .+?) (?P<f>from [^,]*\d) until {_HIS} death",
     ("{s} {v} {f}", "end:{s} {v} || holding || {s} died")),
    (rf"{_S} (?P<v>(?:{LINKED}) .+?) (?:until {_HIS} death|until {_HE} died)",
     ("end:{s} {v} || holding || {s} died",)),
    (rf"{_S} (?P<v>(?:{LINKED}) .+?) (?:at the time of {_HIS} death|when {_HE} died)",
     ("{s} {v} || holding || {s} died",)),
    (rf"(?:At the time of {_HIS} death|When {_HE} died), {_S} (?P<v>(?:{LINKED}) .+)",
     ("{s} {v} || holding || {s} died",)),
    (rf"{_S} (?P<v>(?:{LINKED}) .+?) (?:at the time of {_HIS} birth|when {_HE} was born)",
     ("{s} {v} || holding || {s} was born",)),
    (rf"(?:Before|Prior to) (?:becoming|being|serving as|he became|she became) (?P<m>[^,]+), "
     rf"{_S} {_R}",
     ("{s} {r} || before || start:{s} was {m}",)),
    (rf"{_S} (?P<v>(?:{LINKED}) .+?) (?:before|prior to) (?:becoming|being|serving as|{_HE} became"
     r"|it became) (?P<m>.+)", ("{s} {v} || before || start:{s} was {m}",)),
    (rf"(?:After) (?:being|serving as|leaving office as|stepping down as) (?P<m>[^,]+), {_S} {_R}",
     ("{s} {r} || later || start:{s} was {m}",)),
    (rf"{_S} (?P<v>is|was) (?P<n>[^,]+?) (?:before|prior to) (?P<z>[A-Z][^,\d]*)",
     ("{s} {v} {n} || before || start:{z} was {n}",)),
    (rf"{_S} (?P<v>is|was) (?P<n>[^,]+?) after (?P<z>[A-Z][^,\d]*)",
     ("{s} {v} {n} || later || start:{z} was {n}",)),
    # when it was made, and by whom
    (rf"(?P<o>[A-Z].*?) was (?:co-)?(?P<v>(?:{_PARTICIPLE})) (?P<t>(?:in|on) [^,]*?\d) "
     r"by (?P<s>.+)", ("{o} was {v} {t}", "{o} was {v} by {s}")),
    (rf"(?P<o>[A-Z].*?) was (?:co-)?(?P<v>(?:{_PARTICIPLE})) by (?P<s>.+?) "
     r"(?P<t>(?:in|on) [^,]*\d)", ("{o} was {v} {t}", "{o} was {v} by {s}")),
    (rf"{_S} (?:co-)?founded (?P<o>[A-Z].*?) (?:together )?with (?P<z>[A-Z].*?)"
     r" (?P<t>(?:in|on) [^,]*\d)", ("{s} founded {o}", "{z} founded {o}", "{o} was founded {t}")),
    (rf"{_S} (?:co-)?founded (?P<o>[A-Z].*?) (?:together )?with (?P<z>[A-Z].*)",
     ("{s} founded {o}", "{z} founded {o}")),
    (rf"{_S} (?:co-)?founded (?P<o>[A-Z].*?) (?P<t>(?:in|on) [^,]*\d)",
     ("{s} founded {o}", "{o} was founded {t}")),
    (rf"{_S} co-founded (?P<o>[A-Z].*)", ("{s} founded {o}",)),
    (rf"{_S} directed (?P<o>[A-Z].*?) (?P<t>(?:in|on) [^,]*\d)",
     ("{s} directed {o}", "{o} was released {t}")),
    (r"The (?P<y>\d{4}) (?P<o>[A-Z].*?) (?:went to|was (?:awarded to|won by|given to)) (?P<s>.+)",
     ("{s} won the {o} in {y}",)),
    (rf"{_S} won the (?P<y>\d{{4}}) (?P<o>[A-Z].*)", ("{s} won the {o} in {y}",)),
    (r"(?P<a>[A-Z][^,;()]*?) and (?P<b>[A-Z][^,;()]*?) (?:jointly |both )?(?:shared|won|received"
     r"|were awarded) the (?P<y>\d{4}) (?P<o>[A-Z].*)",
     ("{a} won the {o} in {y}", "{b} won the {o} in {y}")),
    (rf"{_S} (?P<v>won|received|was awarded) (?:the )?(?P<k>[A-Z][^,]*)s (?P<p>in|for) (?P<x>.+?)"
     r",? and (?:in |for )?(?P<y>.+)", ("{s} {v} the {k} {p} {x}", "{s} {v} the {k} {p} {y}")),
    (rf"{_S} shared (?P<o>the [A-Z].*?) with (?P<z>[A-Z].*?){_DATED}",
     ("{s} won {o}{t}", "{z} won {o}{t}")),
    # offices and seats, taken and left
    (rf"{_S} (?:succeeded|replaced|followed|took over from) (?P<z>[A-Z].*?) as (?P<n>.+?) "
     r"(?P<t>(?:in|on) .*\d)",
     ("start:{s} was {n} {t}", "start:{s} was {n} || succeeding || end:{z} was {n}")),
    (rf"{_S} (?:succeeded|replaced|followed|took over from) (?P<z>[A-Z].*?) as (?P<n>.+)",
     ("start:{s} was {n} || succeeding || end:{z} was {n}",)),
    *(
        (rf"{_S} was (?:succeeded|replaced|followed){by}{when}", clauses)
        for by in (r" as (?P<n>.+?) by (?P<z>[A-Z].*?)", r" by (?P<z>[A-Z].*?) as (?P<n>.+?)")
        for when, clauses in (
            (r" (?P<t>(?:in|on) .*\d)",
             ("start:{z} was {n} {t}", "start:{z} was {n} || succeeding || end:{s} was {n}")),
            ("", ("start:{z} was {n} || succeeding || end:{s} was {n}",)),
        )
    ),
    (rf"{_S} (?P<v>is|was) the successor of (?P<z>[A-Z].*?) as (?P<n>.+)",
     ("start:{s} was {n} || succeeding || end:{z} was {n}",)),
    (rf"{_S} (?P<v>is|was) (?P<z>[A-Z].*?)['’]s? successor as (?P<n>.+)",
     ("start:{s} was {n} || succeeding || end:{z} was {n}",)),
    (r"(?P<z>[A-Z].*?)['’]s? (?:immediate )?successor as (?P<n>.+) (?:is|was) (?P<s>[A-Z].*)",
     ("start:{s} was {n} || succeeding || end:{z} was {n}",)),
    (r"The (?:immediate )?successor of (?P<z>[A-Z].*?) as (?P<n>.+) (?:is|was) (?P<s>[A-Z].*)",
     ("start:{s} was {n} || succeeding || end:{z} was {n}",)),
    (rf"{_S} (?P<v>is|was) the (?:immediate |direct )?predecessor of (?P<z>[A-Z].*?) as (?P<n>.+)",
     ("start:{z} was {n} || succeeding || end:{s} was {n}",)),
    (rf"{_S} (?P<v>is|was) (?P<z>[A-Z].*?)['’]s? (?:immediate |direct )?predecessor as (?P<n>.+)",
     ("start:{z} was {n} || succeeding || end:{s} was {n}",)),
    (r"(?P<z>[A-Z].*?)['’]s? (?:immediate )?predecessor as (?P<n>.+) (?:is|was) (?P<s>[A-Z].*)",
     ("start:{z} was {n} || succeeding || end:{s} was {n}",)),
    (rf"{_S} (?:{_TAKE_OFFICE}) (?P<n>.+)", ("start:{s} was {n}",)),
    (rf"{_S} was (?:re-?)?(?:appointed|elected|named|made|chosen)(?: as)? (?P<n>.+)",
     ("chosen:{s} was {n}",)),
    (rf"{_S} (?:{_LEAVE_OFFICE}) (?P<n>.+)", ("end:{s} was {n}",)),
    (rf"{_S} left office in (?P<y>[^,]*\d) as (?P<n>.+)", ("end:{s} was {n} in {y}",)),
    (rf"{_S}['’]s? (?P<n>[a-z]+)ship (?:ended|came to an end)(?P<t>.*)",
     ("end:{s} served as {n}{t}",)),
    (rf"{_S}['’]s? (?P<n>[a-z]+)ship (?:began|started)(?P<t>.*)", ("start:{s} served as {n}{t}",)),
    (rf"{_S}['’]s? (?P<n>[a-z]+)ship (?:lasted|ran) (?P<t>(?:from|between|until|for) .*)",
     ("{s} served as {n} {t}",)),
    (rf"{_S}['’]s? (?P<n>[a-z]+)ship lasted (?P<t>[^,]*(?:years?|decades?))",
     ("{s} served as {n} for {t}",)),
    (rf"{_S}['’]s? {_TERM} as (?P<n>.+?) (?:ended|came to an end)(?P<t>.*)",
     ("end:{s} was {n}{t}",)),
    (rf"{_S}['’]s? {_TERM} as (?P<n>.+?) (?:began|started)(?P<t>.*)", ("start:{s} was {n}{t}",)),
    (rf"{_S}['’]s? {_TERM} as (?P<n>.+?) (?:lasted|ran)(?P<t>.*)", ("{s} was {n}{t}",)),
    (rf"{_S} held the (?:office|post|position|title) of (?P<n>.+)", ("{s} was the {n}",)),
    (rf"{_S} (?:has held|has occupied|holds) the (?:office|post|position|title) of (?P<n>.+)",
     ("{s} is the {n}",)),
    (rf"{_S} (?:served|acted|worked) as (?P<n>.+ of .+)", ("{s} was the {n}",)),
    (rf"{_S} (?:is|was) (?:the|an?) (?:former|ex-|previous|past|one-time|erstwhile) ?(?P<n>.+ of "
     rf".+)",
     ("end:{s} was the {n}",)),
    (rf"{_S} (?:is|was) (?P<o>[A-Z].*?)['’]s? (?:former|ex-|previous|past) ?(?P<n>.+)",
     ("end:{s} was the {n} of {o}",)),
    (r"(?P<o>[A-Z][^,;()]*?)['’]s? (?:former|previous|old) (?P<n>[a-z][a-z ]*) (?:is|was) "
     r"(?P<s>[A-Z].*)",
     ("end:{s} was the {n} of {o}",)),
    (r"The (?:former|previous|old) (?P<n>[a-z][a-z ]* of .+) (?:is|was) (?P<s>[A-Z].*)",
     ("end:{s} was the {n}",)),
    (rf"(?P<o>[A-Z][^,;()]*?)['’]s? (?P<n>[a-zA-Z][a-zA-Z ]*?) {_T} (?:is|was) (?P<s>[A-Z].*)",
     ("{s} was the {n} of {o} {t}", )),
    (rf"The (?P<n>[a-zA-Z].+?) {_T} (?:is|was) (?P<s>[A-Z].*)", ("{s} was the {n} {t}", )),
    (r"The (?P<n>[A-Z].* of .+) (?P<v>is|was) (?P<s>[A-Z].*)", ("{s} {v} the {n}",)),
    (r"(?P<o>[A-Z][^,;()]*?)['’]s? (?P<n>[a-z]+) (?:include|included|are|were) (?P<s>[A-Z].*)",
     ("{s} was a {n} of {o}",)),
    (r"Among the (?P<n>[a-z]+) of (?P<o>[A-Z].*?) (?:is|was|are|were) (?P<s>[A-Z].*)",
     ("{s} was a {n} of {o}",)),
    (r"The (?P<n>[a-z]+) of (?P<o>[A-Z].*?) (?:include|included|are|were) (?P<s>[A-Z].*)",
     ("{s} was a {n} of {o}",)),
    (rf"{_S} (?:is|was) among the (?P<n>[a-z]+) of (?P<o>.+)", ("{s} was a {n} of {o}",)),
    (rf"{_S} (?:used to be|was once|was formerly|was previously|had been) (?P<n>.+)",
     ("end:{s} was {n}",)),
    (rf"{_S} (?:is|was) no longer (?P<n>.+)", ("end:{s} was {n}",)),
    (rf"{_S} (?:is|was) (?P<o>[A-Z].*?)['’]s? (?P<n>[a-zA-Z][a-zA-Z -]*?)(?P<t> (?:from|until"
     rf"|since|in"
     r"|between|before|after) .*)?", ("{s} was the {n} of {o}{t}",)),
    (rf"{_S} became (?P<o>[A-Z].*?)['’]s? (?P<n>[a-zA-Z][a-zA-Z -]*?)(?P<t> (?:in|on) .*)?",
     ("start:{s} was the {n} of {o}{t}",)),
    (rf"{_S} (?P<v>is|was) (?P<n>[a-z]+(?: [a-z]+)*) of (?P<o>.+)", ("{s} {v} the {n} of {o}",)),
    (rf"{_S} (?:moved|relocated|transferred) (?:its |their |the )?"
     r"(?:headquarters|head office|seat) from (?P<a>[A-Z].*?) to (?P<b>[A-Z].*?)(?P<t> (?:in|on) "
     r".*\d)?",
     ("start:{s} was headquartered in {b} || succeeding || end:{s} was headquartered in {a}",
      "end:{s} was headquartered in {a}{t}", "start:{s} was headquartered in {b}{t}")),
    (rf"{_S} (?:moved|relocated|transferred) (?:its |their |the )?"
     r"(?:headquarters|head office|seat) to (?P<b>[A-Z].*?)(?P<t> (?:in|on) .*\d)?",
     ("start:{s} was headquartered in {b}{t}",)),
    (rf"(?:{_S}['’]s? (?P<n>[a-z]+)|The (?P<m>[a-z]+) of (?P<z>[A-Z].*?)) (?:was )?(?:moved"
     rf"|relocated"
     r"|transferred) from (?P<a>[A-Z].*?) to (?P<b>[A-Z].*?)(?P<t> (?:in|on) .*\d)?",
     ("start:{b} was the {n}{m} of {s}{z} || succeeding || end:{a} was the {n}{m} of {s}{z}",
      "end:{a} was the {n}{m} of {s}{z}{t}", "start:{b} was the {n}{m} of {s}{z}{t}")),
    (rf"{_S} (?:moved|relocated|transferred) its (?P<n>[a-z]+) from (?P<a>[A-Z].*?) to "
     rf"(?P<b>[A-Z].*?)"
     r"(?P<t> (?:in|on) .*\d)?",
     ("start:{b} was the {n} of {s} || succeeding || end:{a} was the {n} of {s}",
      "end:{a} was the {n} of {s}{t}", "start:{b} was the {n} of {s}{t}")),
    # a work by the name of who made it
    (rf"(?!(?:{_LANDS})\b)(?P<z>[A-Z][^,;()]*?)['’]s? (?:film |movie |novel |book )?"
     rf"(?P<o>[A-Z][^,;()]*?) {_R}", ("{o} was made by {z}", "{o} {r}")),
    # more or less than an amount
    *(
        (rf"{_S} (?P<v>is|was|are|stands|runs|measures) {more} than (?P<y>[$€£]?\d.*)",
         (f"{{s}} is {side} {{y}} {plain}",))
        for more, side, plain in (
            ("taller", "more than", "tall"), ("higher", "more than", "high"),
            ("longer", "more than", "long"), ("lower", "less than", "high"),
            ("shorter", "less than", "long"), ("shorter", "less than", "tall"),
            ("wider", "more than", "wide"), ("deeper", "more than", "deep"),
        )
    ),
    (r"(?P<s>[A-Z].*?) (?:exceeds|exceeded|is above|surpasses|tops) (?P<y>[$€£]?\d.*)",
     ("{s} is more than {y}",)),
)  # fmt: skip
