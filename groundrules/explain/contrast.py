"""Contrastive explanations: what was claimed, what was expected instead, and because of what.

After Miller, "Explanation in Artificial Intelligence" (2019): a why-question has a fact and a
foil. Both are told in the words of the texts, quoted; the cause is the reason why both cannot hold.
A triple is told as one only where no text has words for it. Nothing here decides; it only says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundrules.explain.foil import (
    added,
    are_values,
    contradicts,
    differing,
    foil_triple,
    known_mode,
    label,
    of_statement,
    opposes,
    parts_of,
    passage,
    source_triple,
    spoken,
    swapped,
)
from groundrules.explain.place import cite, quote, source_name, source_text
from groundrules.explain.words import WORDS
from groundrules.terms import Claim, Evidence, Override, Report, Span, Violation

#: What is quoted of a passage, and what of it stands in a headline, in code points.
LONGEST = 300
_SHORT = 100
STATES: dict[str, str] = WORDS["states"]
#: What stands before an item of a list and is none of its words.
_MARK = re.compile(r"[-*•–|]\s+")


@dataclass(frozen=True, slots=True)
class Explanation:
    """A contrastive explanation: the fact claimed, the foil expected, and because of what."""

    fact: str
    foil: str
    because: str
    text: str


def decided(override: Override) -> str:
    """Return what was decided, by whom, when and why, in a line."""
    if override.kind == "baseline":
        return "set aside: baseline"
    if override.kind == "disabled":
        return f"set aside: {override.why} ({override.by})"
    if override.kind == "inline":
        return f"set aside in the text: {override.why}"
    outcome = override.outcome and override.outcome.value.replace("_", " ")
    who = ", ".join(filter(None, (override.by, override.at[:10])))
    return f"{f'overridden to {outcome}' if outcome else 'set aside'} by {who}: {override.why}"


def fact(violation: Violation, report: Report, room: int = LONGEST) -> str:
    """Return the words of the claim, around its fault where they are long.

    The message where the whole text fails, the triple where the text has no words for it.
    """
    claim = violation.claim
    if claim is None:
        return violation.message
    words = clip(claim.span, focus(violation), report, room)
    if words is None and of_statement(violation):
        words = " ".join(str(claim.triple.object).split())[:room]
    return f"“{words}”" if words else spoken(claim, report)


def foil(violation: Violation, report: Report, room: int = LONGEST) -> str:
    """Return the words of the evidence, around what differs where they are long.

    The triple where the source has no words, as a knowledge base; empty without evidence.
    """
    if violation.claim is None:
        return ""
    marked = ((one.span, counterpart(violation, one, report)) for one in violation.evidence)
    cut = (clip(*one, report, room) for one in marked)
    found = dict.fromkeys(f"“{words}”" for words in cut if words)
    if not (disputed := violation.traits.rests_on == "sources"):
        found.pop(fact(violation, report, room), None)  # the same words say the other thing too
    # Two statements rule a claim out together; of those that say otherwise one is enough.
    most = 2 if disputed or violation.axioms or passage(violation) else 1
    return " and ".join(list(found)[:most]) or source_triple(violation, report)


def places_of(violation: Violation, report: Report) -> str:
    """Return where the evidence stands, of more than two places how many more there are."""
    places = list(dict.fromkeys(cite(item, report) for item in violation.evidence))
    return " and ".join(places[:2]) + f" and {len(places) - 2} more" * (len(places) > 2)


def clip(span: Span | None, mark: Span | None, report: Report, room: int) -> str | None:
    """Return the words of a span on one line in at most `room` code points, or None.

    What is left out is left out around the mark, and shown as an ellipsis.
    """
    text = source_text(report, span.source) if span else None
    if span is None or text is None or span.end > len(text):
        return None
    # A sentence may have megabytes: look no further than could be shown.
    at = mark.start if mark and mark.source == span.source else span.start
    at = at if span.start <= at <= span.end else span.start
    low, high = max(span.start, at - 2 * room), min(span.end, at + 3 * room)
    bullet = _MARK.match(text, low, high) if low == span.start else None
    low = bullet.end() if bullet else low
    words = [(m[0], m.start()) for m in re.compile(r"\S+").finditer(text, low, high)]
    whole = " ".join(word for word, _ in words)
    if len(whole) <= room and high == span.end and (low == span.start or bullet):
        return whole or None
    first = next((n for n, (word, start) in enumerate(words) if start + len(word) > at), 0)
    a, b, left = first, first, room - len("… ") - len(" …")
    while a or b < len(words):
        behind = b < len(words) and (not a or b - first <= first - a)
        left -= 1 + len(words[b if behind else a - 1][0])
        if left < 0 and b > a:
            break
        a, b = (a, b + 1) if behind else (a - 1, b)
    before = "… " if a or not (low == span.start or bullet) else ""
    after = " …" if b < len(words) or high < span.end else ""
    shown = before + " ".join(word for word, _ in words[a:b]) + after
    return shown if len(shown) <= room else shown[: room - 1].rstrip() + "…"


def focus(violation: Violation) -> Span | None:
    """Return the span at fault: what the rule names, the part that differs, or the whole claim."""
    claim = violation.claim
    if claim is None:
        return None
    row = dict(violation.bindings)
    try:
        named = Span(claim.span.source, int(str(row["start"])), int(str(row["end"])))
    except (KeyError, ValueError):
        pass
    else:
        return _widened(named, claim, str(row.get("claimed", "")))
    if opposes(violation):
        return claim.parts[1] or claim.span
    other = foil_triple(violation)
    if other is None:
        found = zip(parts_of(claim.triple), claim.parts, strict=True)
        at = next((span for part, span in found if span and part == row.get("e")), None)
        return at or claim.span
    if swapped(claim.triple, other):
        return claim.span
    differ = differing(claim.triple, other)
    if differ[-2:] == (1, 2) and are_values(claim.triple, other):
        differ = (2,)  # two values, whatever they are called
    return (len(differ) == 1 and claim.parts[differ[0]]) or claim.span


def _widened(named: Span, claim: Claim, quoted: str) -> Span:
    """Return the place of what a statement's finding quotes around the words that a rule names."""
    words = str(claim.triple.object)
    whole = len(words) == claim.span.end - claim.span.start
    if claim.origin != "statement" or not quoted or not whole:
        return named
    for found in re.finditer(r"\s+".join(map(re.escape, quoted.split())), words):
        start, end = claim.span.start + found.start(), claim.span.start + found.end()
        if start <= named.start and named.end <= end <= claim.span.end:
            return Span(named.source, start, end)
    return named


def headline(violation: Violation, report: Report, *, beside: bool = False) -> str:
    """Return the finding in one line; that of a rule on triples of two texts quotes both.

    The message stands where the rule itself quotes, where it is no rule on two texts, and where
    the source has no words to quote. What stands beside its sentence does not quote all of it.
    """
    claim = violation.claim
    if claim is None or of_statement(violation) or not violation.traits.finds:
        return violation.message
    fault = because(violation, report) or _unsupported(violation, report)
    if "e" in dict(violation.bindings) and not violation.evidence:
        return fault
    if not contradicts(violation):
        words = clip(claim.span, focus(violation), report, _SHORT)
        bare = beside and words == quote(claim.span, report)
        return fault if bare else f"“{words}”: {fault}" if words else violation.message
    claimed, stated = _pair(violation, claim, report)
    if not (claimed and stated):
        return violation.message
    says = f"{'the text itself' if own(violation, report) else 'the source'} says “{stated}”"
    bare = beside and claimed == quote(claim.span, report)
    return says if bare else f"“{claimed}”; {says}"


def own(violation: Violation, report: Report) -> bool:
    """Return whether all that stands against the claim stands in the checked text itself."""
    sources = {source_name(item.span.source) for item in violation.evidence if item.span}
    return sources == {report.source}


def _pair(violation: Violation, claim: Claim, report: Report) -> tuple[str, str]:
    """Return the words of the claim and those of the source in their place, empty if unknown."""
    first = next((item for item in violation.evidence if item.span), None)
    if first is None:
        return "", ""
    old, new = quote(focus(violation), report), quote(counterpart(violation, first, report), report)
    if old and new and old.casefold() != new.casefold():
        return old, new
    stated = clip(first.span, None, report, _SHORT)
    return clip(claim.span, focus(violation), report, _SHORT) or "", stated or ""


def counterpart(violation: Violation, item: Evidence, report: Report) -> Span | None:
    """Return where the evidence has the words that stand in place of those at fault, or None."""
    claim, span = violation.claim, item.span
    text = source_text(report, span.source) if span else None
    if claim is None or span is None or text is None or span.end > len(text):
        return None
    name = str(dict(violation.bindings).get("stated", ""))
    other = foil_triple(violation)
    if not name and other and not (of_statement(violation) or opposes(violation)):
        differ = () if swapped(claim.triple, other) else differing(claim.triple, other)
        name = label(parts_of(other)[differ[0]], report.labels) if len(differ) == 1 else ""
    pattern = r"\s+".join(re.escape(word) for word in name.split())
    found = pattern and re.compile(rf"(?<!\w){pattern}(?!\w)", re.I).search(
        text, span.start, span.end
    )
    return Span(span.source, found.start(), found.end()) if found else None


def explain(violation: Violation, report: Report) -> Explanation:
    """Return fact, foil, cause and one plain sentence of a violation.

    Where the rule names no replacement, the foils are the nearest statements of the evidence
    (score below 1), and the explanation answers "why not supported". The cause is empty where both
    quoted say it.
    """
    claimed = fact(violation, report)
    if violation.claim is None:
        return Explanation(claimed, "", "", claimed)
    said, cause = foil(violation, report), because(violation, report)
    where = places_of(violation, report)
    if said and passage(violation):
        told = f"; its passage, {where}, is {said}"
    elif said and contradicts(violation):
        verb = "say" if " and " in where else "says"
        told = f"; {where or 'the source'} {verb} {said}"
    elif said:
        told = f"; nearest, {where} has {said}" if where else f"; the nearest is {said}"
    else:
        told = ""
    if not (cause or (told and contradicts(violation) and violation.traits.finds)):
        cause = _unsupported(violation, report)
    why = f"; because {cause}" if cause else ""
    lead = f"{violation.message}: " if violation.because and not violation.traits.finds else ""
    return Explanation(claimed, said, cause, f"{lead}claimed {claimed}{told}{why}")


def because(violation: Violation, report: Report) -> str:
    """Return why the two exclude each other, empty where both quoted beside each other say it."""
    claim, other = violation.claim, added(violation)
    if claim is None or violation.because:
        return violation.because
    if of_statement(violation):
        return label(how, {}) if (how := dict(violation.bindings).get("how")) is not None else ""
    match opposes(violation):
        case "polarity":
            return ""
        case "modality":
            known = STATES[known_mode(violation)]
            return f"the source states {known} and the claim {STATES[claim.modality]}"
    if other is None:
        return ""
    if swapped(claim.triple, other):
        return f"the roles of {part(claim, 0, report)} and {part(claim, 2, report)} are exchanged"
    if are_values(claim.triple, other) or dict(violation.bindings).get("axiom") is None:
        return ""
    match differing(claim.triple, other):
        case (0,):
            return f"“{label(other.predicate, report.labels)}” has one subject for each object"
        case (1,):
            old, new = (label(t.predicate, report.labels) for t in (claim.triple, other))
            return f"“{old}” and “{new}” exclude each other"
        case (2,):
            return f"“{label(other.predicate, report.labels)}” takes one value"
    return ""


def _unsupported(violation: Violation, report: Report) -> str:
    """Return what is the matter where nothing is said against a claim."""
    entity = dict(violation.bindings).get("e")
    if of_statement(violation):
        near = violation.evidence and not contradicts(violation)
        return "no passage supports it" if near else violation.message
    if contradicts(violation):
        return "the two cannot both hold" if violation.traits.finds else violation.message
    if entity is not None:
        return f"no source mentions “{label(entity, report.labels)}”"
    return "no source states it"


def part(claim: Claim, index: int, report: Report) -> str:
    """Return a part of a claim in the words of the text, in quotation marks."""
    words = quote(claim.parts[index], report)
    return f"“{words or label(parts_of(claim.triple)[index], report.labels)}”"
