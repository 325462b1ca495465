"""Edits in words: what one does to the text, and whether it can be trusted."""

from __future__ import annotations

from groundrules.explain.contrast import STATES, counterpart, focus, part
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
from groundrules.terms import GR, Edit, Report, Span, Triple, Violation


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


def changes(violation: Violation, report: Report) -> tuple[tuple[Span, str], ...]:
    """Return which words the edit puts where in the text, none where it takes what is there out.

    Empty where the edit is no exchange or removal of words.
    """
    claim, edit = violation.claim, violation.edit
    if claim is None or edit is None or not edit.operations:
        return ()
    if words := exchanged_words(edit):
        span = focus(violation)
        found = span and quote(span, report) == " ".join(words.get("DELETE", "").split())
        return ((span, words.get("ADD", "")),) if span and found else ()
    if opposes(violation):
        return ()
    other = added(violation)
    if other is None:
        return ((claim.span, ""),)
    subject, _, object_ = claim.parts
    if swapped(claim.triple, other):
        one, two = quote(subject, report), quote(object_, report)
        if subject and object_ and one and two:
            return ((subject, two), (object_, one))
        return ()
    differ = differing(claim.triple, other)
    place = claim.parts[differ[0]] if len(differ) == 1 else None
    return ((place, _instead(violation, other, differ[0], report)),) if place else ()


def _instead(violation: Violation, other: Triple, index: int, report: Report) -> str:
    """Return the words of the evidence for the part of a triple that replaces another."""
    places = (counterpart(violation, item, report) for item in violation.evidence)
    written = next((text for place in places if (text := quote(place, report))), None)
    return written or label(parts_of(other)[index], report.labels)
