"""Words that tell one thing from another of its kind, or one day by another."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from groundrules.claims.english import WORDS, words
from groundrules.claims.english.alternations import either

#: Before a noun: there is another of that kind.
TELLING_APART = either("telling_apart")
#: These say nothing of which thing of a kind is meant.
TELLING_NOTHING = words("telling_nothing")
#: Links of a noun to what tells it from another, and of a clause to a condition.
TELLING_SLOTS = words("telling_slots")
CONDITIONAL = frozenset({"if", "when", "provided", "only if"})
#: At the beginning of a phrase: it takes up a thing that was spoken of.
TAKING_UP = r"(?i)(?:this|that|these|those|such|said|the\s(?:said|same|present|instant))\s"
#: Before a noun, and no part of the name.
POINTING = r"(?i)^(?:the|an?|this|that|our|your|my|his|her|its|their|said)\s+"
#: Behind a noun, by name or number: whose a thing is, which tells it from another of its kind.
WHOSE = (
    r"\s{1,4}(?:with|of|for|between)\s{1,4}(?:the\s{1,4})?[A-Z0-9][\w.&’'-]{0,30}"
    r"(?:\s{1,4}[A-Z0-9][\w.&’'-]{0,30}){0,4}"
)
#: The links of a date to its event.
DATED_ON = frozenset("on in from is at effective npadvmod tmod oprd of as".split())
DATED_UNTIL = frozenset({"until", "till", "through", "to"})
#: Verbs that say no more than that an event took place.
OCCURRING = frozenset({"be", "take", "occur", "happen", "fall", "come", "date", "follow"})
#: Behind "unless": what a statement holds but for, which leaves it stated.
BUT_FOR = (
    r"(?i),?\s\(?(?:unless|if\snot|except\sif)\s(?:it\s(?:is|has\sbeen)\s)?(?:sooner|earlier|previously|otherwise|renewed"
    r"|extended|terminated|prolonged|cancelled|revoked)\b[^.;]{0,80}|^(?:[Uu]nless|[Ii]f\snot)\s(?:it\s(?:is|has\sbeen)\s)?"
    r"(?:sooner\s|earlier\s|previously\s|otherwise\s)?(?:renewed|extended|terminated|prolonged|cancelled|revoked)\b[^.;,]{0,60},"
)
#: What was decided so once, or as to a part, may be decided otherwise.
CHANGED_LATER = (
    r"(?i)\b(?:part|partly|partially|first|initially|originally|then|later|subsequently|further|again"
    r"|re-?consider\w*|re-?hear\w*|re-?hearing|remand\w*|unless"
    r"|until|but|however|extent|except|as to|in respect|with respect|so far|insofar|regards?)\b"
)
#: Verbs that say who has a part in something.
HOLDING = frozenset({"be", "become", "remain"})
#: Who acts for another does not have the part himself.
FOR_ANOTHER = (
    r"(?i)\b(?:on behalf of|trustees?|executors?|administrators?|nominees?|guardian"
    r"|as agents? (?:for|of)"
    r"|attorney|in the name of|ex rel\.?|custodian|liquidator|receiver)\b"
)
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
#: How long something lasts is told in these.
LENGTHS = frozenset("day week month quarter year".split())
#: What is done so was done before.
AGAIN = frozenset("again anew afresh".split())
#: Words for a time that no number tells, as one tells it.
ELAPSED: Mapping[str, str] = MappingProxyType(WORDS["elapsed"])
#: What may stand around such words and makes no other time of them.
AROUND_ELAPSED = (
    r"(?:exactly|just|some|only|barely|precisely|fully|full|whole|clear|good|earlier|later|before"
    r"|after|afterwards|previously|on|in|within|ago|to the day|then|thereafter|thereupon)"
)
#: What says that a date is told by another, of which the words are no more than that.
RELATIVE = (
    r"\b(?:before|after|later|earlier|prior|previous|preceding|following|next|ago|since|until|till"
    r"|within|eve|from|by|past|beyond)\b"
)
#: Those of them that may stand before the very day that is meant.
AT_A_DAY = r"^(?:since|until|till|from|by|on|as from|as of|up to|through|next|past)\s"
