"""How English tells that a state begins, goes on and ends, and what happens as a noun."""

from __future__ import annotations

#: Verbs behind which "as" tells what somebody came to be, and nouns of what is taken.
BEGINNING = frozenset(
    ["take", "take over", "begin", "start", "assume", "enter", "take up", "gain", "obtain",
     "come", "return", "appoint", "elect", "name", "install", "inaugurate", "swear in", "step in"]
)  # fmt: skip
#: Verbs of its end.
ENDING = frozenset(
    ["cease", "stop", "quit", "resign", "retire", "leave", "step down", "stand down", "lose",
     "give up", "relinquish", "vacate", "lay down", "hand over", "remove", "oust", "end"]
)  # fmt: skip
#: Verbs that leave a state as it is.
CONTINUING = frozenset(["remain", "stay", "continue", "keep"])
#: Verbs behind which an adjective tells what something is.
STANDING = frozenset(["be", "become", "stand", "rise", "measure", "lie", "sit", "seem", "prove"])
#: Verbs of having an office.
BEARING = frozenset(["serve", "act", "work", "hold", "occupy", "have", "remain", "continue"])
#: Verbs of what somebody does to a body of which he is the head.
LEADING = frozenset(["run", "lead", "head", "govern", "rule", "chair", "direct", "manage"])
#: Nouns for whoever does that, whatever the office is called.
HEADS = frozenset({"head", "leader", "boss"})
#: Nouns for where they are.
AT_THE_HEAD = frozenset({"head", "helm", "top", "charge", "command"})
#: Verbs behind which another one tells what was done.
GOING_ON = frozenset({"go on", "come", "proceed"})
#: Prepositions of places.
PLACING = frozenset({"in", "at", "on"})
#: Nouns for a state that somebody is in.
OFFICES = frozenset(
    ["office", "post", "job", "position", "role", "status", "title", "seat", "helm", "top", "duty"]
)  # fmt: skip
#: Nouns of what happened, and the wording of when.
EVENTS = {
    "death": "[X] died in [Y]", "birth": "[X] was born in [Y]",
    **dict.fromkeys(("release", "publication", "premiere"), "[X] was released in [Y]"),
    **dict.fromkeys(("founding", "foundation", "establishment"), "[X] was founded in [Y]"),
}  # fmt: skip
#: Verbs of what a noun says happened.
HAPPENING = frozenset(["come", "happen", "occur", "fall", "take place"])
#: Verbs of nouns of what happened, and whom or what their "of" tells.
NOMINALS = {
    "departure": ("leave", "subj"), "resignation": ("resign", "subj"),
    "retirement": ("retire", "subj"), "death": ("die", "subj"),
    "appointment": ("appoint", "obj"), "election": ("elect", "obj"),
    **dict.fromkeys(("relocation", "move", "transfer"), ("move", "obj")),
}  # fmt: skip
#: Verbs of following somebody in an office.
SUCCEEDING = frozenset(["succeed", "follow", "replace", "take over"])
#: Verbs of changing a place.
MOVING = frozenset(["move", "relocate", "transfer", "shift"])
#: The wording of what adjectives compare, and of nouns for it.
AMOUNTS = {
    **dict.fromkeys(("older", "younger"), "[X] has been around since [Y]"),
    **dict.fromkeys(("longer", "shorter"), "[X] is [Y] long"),
    **dict.fromkeys(("higher", "lower"), "[X] is [Y] high"), "taller": "[X] is [Y] tall",
    "length": "[X] is [Y] long", "height": "[X] is [Y] high",
    **dict.fromkeys(("larger", "bigger", "smaller"), "[X] has an area of [Y]"),
}  # fmt: skip
#: What says that something is so today, and no more.
IDLE = "to this day|as of today|at present|up to now|even today"
#: Pronouns of owners.
PRONOUNS = frozenset("its his her their".split())
#: What a time is called, by the word before it.
TIME_LEADS = {
    "since": "since", "from": "since", "until": "until", "till": "until", "up to": "until",
    "before": "before", "prior to": "before", "after": "after", "by": "by", "for": "for",
    "throughout": "throughout", "all through": "throughout",
}  # fmt: skip
#: What a date is to a clause, by the word before the clause that it stands in.
CLAUSE_LEADS = {"when": "in", "since": "since", "until": "until"}
