"""One wording for what is owed, allowed and forbidden: "shall", "may" and "may not".

Contracts say the same of an act in many ways: it is somebody's duty, he is free to do it, on no
account is he to do it, a clause forbids him to. Each becomes the plain modal, so that acts can be
compared.
"""

from __future__ import annotations

import re

__all__ = ["plainly_put"]

_WHO = (
    r"(?P<who>(?:(?:[Tt]he|[Ee]ach|[Nn]either|[Ee]very)\s)?"
    r"[A-Z]?[\w’'-]{1,30}(?:\s[A-Z][\w’'-]{1,30}){0,3})"
)
_NEVER = (
    r"(?:(?:under|in)\sno\s(?:circumstances?|event|case|way)|on\sno\s(?:account|condition|occasion)|at\sno\stime"
    r"|never(?:\sat\sany\stime)?|in\sno\swise|by\sno\smeans|not\s(?:in\sany\s(?:event|case)|under\sany\scircumstances?"
    r"|at\sany\stime|on\sany\saccount|ever)|nowhere)"
)
#: What somebody is said to be, where it is what he may or must do.
_FREE = (
    r"(?:free|at\sliberty|entitled|permitted|allowed"
    r"|authori[sz]ed|empowered|licensed|privileged|welcome)"
)
_BOUND = (
    r"(?:bound|obliged|obligated|required|under\s(?:an?|the)\s(?:obligation|duty)|duty[-\s]bound|to\sbe\srequired"
    r"|committed|charged)"
)
_BE = r"(?:is|are|shall\sbe|will\sbe|was|were|must\sbe)"
_PUT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        # in front, with the verb before the subject: "On no account is the Hirer to return the van"
        (rf"^(?i:{_NEVER}),?\s(?:is|are)\s{_WHO}\sto\s", r"\g<who> may not "),
        (rf"^(?i:{_NEVER}),?\s(?:may|shall|must|will|can|should)\s{_WHO}\s", r"\g<who> may not "),
        (rf"\b(?:may|shall|must|will|can)\s(?:,\s)?{_NEVER},?\s", "may not "),
        (rf"\b(?:is|are)\s{_NEVER}\s(?:to|permitted\sto|allowed\sto|entitled\sto)\s", "may not "),
        (rf"^[Ii]t\s{_BE}\s(?:the\s)?(?:duty|obligation|responsibility|task)\sof\s{_WHO}\sto\s",
         r"\g<who> shall "),
        (rf"^[Ii]t\s(?:shall\snot\sbe|is\snot|will\snot\sbe|shall\sbe\sunlawful|is\sunlawful)\s?"
         rf"(?:lawful|open|permissible|permitted|allowed)?\s(?:for|to)\s{_WHO}\sto\s",
         r"\g<who> may not "),
        (rf"^[Ii]t\s{_BE}\s(?:lawful|open|permissible|permitted|allowed)\s(?:for|to)\s{_WHO}\sto\s",
         r"\g<who> may "),
        (rf"^[Ii]t\s(?:is|shall\sbe)\s(?:a\s(?:material\s)?breach|in\sbreach|contrary\sto|forbidden|prohibited|not\sopen)\s?(?:of\s(?:this|the)\s\w+\s|to\s(?:this|the)\s\w+\s)?(?:for|to)\s{_WHO}\sto\s",
         r"\g<who> may not "),
        (rf"^(?!Nothing|No\s|Neither)[^.;,]{{3,60}}\s(?:obliges?|requires?|compels?|binds?|commits?)\s{_WHO}\sto\s",
         r"\g<who> shall "),
        (rf"^[^.;,]{{3,60}}\s(?:forbids?)\s{_WHO}\sto\s", r"\g<who> may not "),
        (rf"^(?!Nothing|No\s|Neither)[^.;,]{{3,60}}\s(?:allows?|permits?|enables?|entitles?|authori[sz]es?|empowers?)\s{_WHO}\sto\s",
         r"\g<who> may "),
        (rf"\b{_BE}\sunder\sno\s(?:obligation|duty)\sto\s", "need not "),
        (r"\b(?:shall\shave|has|have|will\shave|had)\sno\s(?:right|power|authority|permission|licen[cs]e|liberty)\sto\s",
         "may not "),
        (r"\b(?:shall\shave|has|have|will\shave)\s(?:the|a|full)\s(?:right|power|authority|permission|liberty|option)\sto\s",
         "may "),
        (r"\b(?:shall\shave|has|have|will\shave)\s(?:the|a)\s(?:duty|obligation)\sto\s", "shall "),
        (rf"\b(?:shall|is|are|will|must)\snot\s(?:be\s)?{_FREE}\sto\s", "may not "),
        (rf"\b{_BE}\s{_FREE}\sto\s", "may "),
        (rf"\b{_BE}\s{_BOUND}\sto\s", "shall "),
        (r"\b(?:undertakes?|agrees?|covenants?|promises?|warrants?)\sthat\s(?:it|he|she|they)\s(?:will|shall)\s"
         r"(?:not|never)\s", "may not "),
        (r"\b(?:undertakes?|agrees?|covenants?|promises?|warrants?)\sthat\s(?:it|he|she|they)\s(?:will|shall)\s",
         "shall "),
        (r"\b(?:undertakes?|agrees?|covenants?|promises?)\s(?:not|never)\sto\s", "may not "),
        (r"\b(?:undertakes?|agrees?|covenants?|promises?)\sto\s", "shall "),
        (r"\b(?:shall|must|will)\s(?P<verb>[a-z]{3,20})\sno\s", r"may not \g<verb> "),
    )
)  # fmt: skip


def plainly_put(line: str) -> str:
    """Return a sentence with what is owed, allowed and forbidden said by plain modals; linear."""
    for pattern, put in _PUT:
        line = pattern.sub(put, line, count=1)
    return line
