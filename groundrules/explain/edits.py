"""Edits in words: what one does to the text, and whether it can be trusted; texts compared."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundrules.explain.contrast import STATES, counterpart, part
from groundrules.explain.foil import (
    added,
    differing,
    known_mode,
    label,
    opposes,
    parts_of,
    source_triple,
    swapped,
)
from groundrules.explain.place import quote
from groundrules.terms import GR, Edit, Report, Triple, Violation

#: Words in common that two changes of a text may have between them and still be told as one, and
#: the marks that are not told with a change.
_BETWEEN = 2
_STOPS = " ,;:.!?"


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """New words for a half-open range of code points of the checked text."""

    start: int
    end: int
    text: str


Replacements = tuple[Replacement, ...]


def shifted(place: Replacement, by: int) -> Replacement:
    """Return a replacement moved by so many code points."""
    return Replacement(place.start + by, place.end + by, place.text)


def written(text: str, places: Sequence[Replacement]) -> str:
    """Return the text with its places, which lie apart, filled anew."""
    parts: list[str] = []
    end = 0
    for place in sorted(places):
        parts += (text[end : place.start], place.text)
        end = place.end
    return "".join((*parts, text[end:]))


def standing_of(edit: Edit) -> str:
    """Return whether an edit is safe, and what came of trying it."""
    if edit.verified is None:
        hint = edit.applicability == "display"
        return "only a hint, not tried" if hint else f"{edit.applicability}, not tried"
    if not edit.verified:
        return "not safe: tried, and with it alone the sentence is not supported"
    if edit.applicability == "safe":
        return "safe: the changed sentence was checked again and is supported"
    return f"{edit.applicability}: tried on a copy, where no rule objects"


def exchanged_words(edit: Edit) -> dict[str, str]:
    """Return the words that an edit takes out, "DELETE", and puts in, "ADD"; of triples none."""
    return {
        one.action: str(one.triple.object)
        for one in edit.operations
        if one.triple.predicate == GR.words
    }


def change(violation: Violation, report: Report) -> str:
    """Return in words what the edit does to the text, empty where there is none."""
    claim, edit = violation.claim, violation.edit
    if claim is None or edit is None or not edit.operations:
        return ""
    match {key: " ".join(one.split()) for key, one in exchanged_words(edit).items()}:
        case {"DELETE": old, "ADD": new}:
            return f"replace “{old}” by “{new}”"
        case {"DELETE": old}:
            return f"take out “{old}”"
        case {"ADD": new}:
            return f"add “{new}”"
    match opposes(violation):
        case "polarity":
            return "say the opposite"
        case "modality":
            return f"state it as {STATES[known_mode(violation)]}"
    other = added(violation)
    if other is None:
        return "leave it out"
    if swapped(claim.triple, other):
        return f"exchange {part(claim, 0, report)} and {part(claim, 2, report)}"
    differ = differing(claim.triple, other)
    if len(differ) != 1:
        return f"state instead: {source_triple(violation, report)}"
    by = _instead(violation, other, differ[0], report)
    return f"replace {part(claim, differ[0], report)} by “{by}”"


def _instead(violation: Violation, other: Triple, index: int, report: Report) -> str:
    """Return the words of the evidence for the part of a triple that replaces another."""
    places = (counterpart(violation, item, report) for item in violation.evidence)
    written = next((text for place in places if (text := quote(place, report))), None)
    return written or label(parts_of(other)[index], report.labels)


def exchanged(old: str, new: str) -> list[tuple[str, str]]:
    """Return the words of a text that another has others for, and these, in order.

    What has one or two words in common between changes is one change.
    """
    before, after = old.split(), new.split()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    found: list[list[int]] = []
    for kind, *place in matcher.get_opcodes():
        if kind == "equal":
            continue
        if found and place[0] - found[-1][1] <= _BETWEEN:
            found[-1][1::2] = place[1::2]
        else:
            found.append(place)
    return [
        (" ".join(before[a:b]).strip(_STOPS), " ".join(after[c:d]).strip(_STOPS))
        for a, b, c, d in found
    ]


def diff(old: str, new: str, name: str) -> str:
    """Return a unified diff, empty if nothing changed."""
    missing = "\n\\ No newline at end of file\n"
    lines = difflib.unified_diff(_lines(old), _lines(new), name, name)
    return "".join(line if line.endswith("\n") else line + missing for line in lines)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
