"""How English tells how long before or after another day a day is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from groundrules.claims.english import WORDS

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
