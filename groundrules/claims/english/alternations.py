"""Words as alternatives of a regular expression: "a|an|the", in the order they are tried in."""

from __future__ import annotations


def _either(words: str) -> str:
    """Return words parted by spaces as alternatives; a space within one is a tilde."""
    return words.replace(" ", "|").replace("~", " ")


# ---------------- align

#: Between a preposition and a noun, these say that no number of a thing follows.
NOT_NUMBERED = _either(
    "about around over under only some just least most nearly almost below above another"
)
#: What is no noun behind a figure; "an?" is "a" or "an".
NOT_COUNTED = _either("the an? it he she they we this there and or but to")
#: Behind "half", what is halved.
HALVED = _either("of the as that what its their his her all these those this")

# ---------------- claims

#: What a statement begins with that needs the one before it.
LEANING = _either(
    "he she it they him her his its their them this that these those such both neither either "
    "there then here"
)
BEFORE_A_MONTH = _either(
    "in since last next until till by from to during early mid late every each between through "
    "and of this"
)
BEFORE_A_DAY = _either("on by of from until till since before after between and to")
BEFORE_A_YEAR = _either(
    "in since by until till before after during year early late circa the of from fiscal between "
    "spring summer autumn fall winter"
)
#: Words in "s" that are no plural.
NO_PLURALS = _either(
    "was is has his its this as us plus versus does across perhaps always thus towards afterwards"
)
#: Words that are no name, though they may bear a capital.
NO_CAPITALS = _either(
    "a an the this that these those he she it they we i you his her its their our my your in on at "
    "by for from to of with as and or but nor if when while where there here after before since "
    "during under upon all any each every some no not both either neither such who which what how "
    "why is are was were be been has have had do does did will shall may must can could would "
    "should might whereas now therefore section article exhibit schedule appendix annex however "
    "although though because also then than so yes according monday tuesday wednesday thursday "
    "friday saturday sunday january february march april june july august september october "
    "november december one two three many most more other another notwithstanding between among "
    "into provided subject except witness whereof hereof herein hereby today yesterday tomorrow "
    "last next earlier later first second early late mid"
)

# ---------------- kb, ontology

#: Before a name; "an?" is "a" or "an".
BEFORE_A_NAME = _either("an? the his her its their our my your this that")
BOUNDS_IN_TIME = _either("until till before after since from between prior~to")
#: At the end of a relation's wording.
AFTER_A_VERB = _either("by to on in from with for at of")
PRONOUNS_AND_PARTIES = _either("it its he his she her they their we our us who which party parties")
#: What a recogniser takes into a name at the beginning of a sentence.
AHEAD_OF_NAMES = _either(
    "if when where while although unless since because allegedly reportedly neither nor no any "
    "each such every all other"
)
#: Verbs that are found behind a subject whatever it is.
LINKED = _either(
    "is was are were has had have did does became won received died directed wrote founded married "
    "studied lived worked served held played joined stars starred moved remains remained"
)
#: Before what somebody is said to be.
SAID_TO_BE = _either("is was been be became become as elected appointed named remained remains")
