"""The claims of a sentence, put together where the extractor splits what English says in one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rdflib.term import Literal, Node

from groundrules.claims.english.signals import OBJECT_PREPOSITIONS
from groundrules.kb.link.properties import words
from groundrules.kb.read.relational import (
    BOUND,
    Clause,
    Exclusion,
    Relational,
    Sentence,
    exclusion_in,
    is_current,
    meet,
    moment_of,
    timeless,
)
from groundrules.kb.read.timing import Relation
from groundrules.terms import Claim, Modality, Span

#: What comes before a subject where the clause is another's, of a story, or about a part of it.
_SAY = (
    "say|said|claim|think|thought|believe|write|wrote|argue|deny|denie|doubt|report|suggest|insist"
    "|assert|imagine|suppose|pretend|allege|state|declare|maintain|dispute|reject|dream|joke"
)
_REPORTED = re.compile(
    r"(?i)(?<!known )(?<!true )(?<!fact )\bthat\s+(?:the\s+)?$"
    rf"|\b(?:{_SAY})[sd]?[,:]?\s+(?:the\s+)?$|[“\"]\s*$"
    r"|\bas [\w ]{1,150} (?:put|puts|has|had|have|says?|said|claims?|claimed|tells?|told)(?: it)?"
    r",\s*$"
    r"|\bin [\w ]{1,150}(?:['’]s?)? (?:view|opinion|words|account|eyes|mind),\s*$"
    r"|^\s*(?:myth|false|fiction|wrong|rumou?r|claim|fake|lie)s?:\s*$"
)
_WRONG = re.compile(r"\b(?:wrong|false|untrue|incorrect|inaccurate|mistaken|a lie|a myth)\b")
_FICTION = re.compile(
    r"(?i)\bin (?:\w+ )?(?:\w+ )?(?:films?|movies?|novels?|books?|stor(?:y|ies)|tales?|series|game"
    r"|play|myth|legend|history|universe|world|dream|version)(?: [^,]{1,80})?,\s*(?:the\s+)?$"
)
_PART = re.compile(
    r"(?i)\b(?:who|which|that|whom|where|whose)\b[^,;]{0,150}\w\s*$"
    r"|\b(?:other|another|different)\s+$"
    r"|\b(?:instead of|rather than|unlike|without)\b[^,;]{0,150}$"
    r"|\b(?:day|night|year|moment|time)\s+$"
)
#: What holds before or after a date need not hold at it.
_BEYOND = re.compile(r"(?i)\b(?:before|after|prior to|by)\s+[\w ,]{0,40}\d")
_GERUND = re.compile(r"(?i)\b(?:of|about|from|without) (?:being |having )?\w+ing\b")
_OR = re.compile(r"\bor (?:the |an? )?\[[XY]\]|\[[XY]\],? or\b|\b[Ee]ither\b")
#: How many possessors are told apart: "cause of death of Sharif" has one.
_DEEPEST = 20
#: How much of what stands before a subject is looked at, in characters.
_LEAD = 150


def joined(sentence: Sentence) -> Iterator[Relational]:
    """Read the claims, those put together that only say something together."""
    for claim in sentence.claims:
        predicate = sentence.label(claim.triple.predicate)
        if predicate in OBJECT_PREPOSITIONS or predicate.startswith("be according"):
            continue
        subject, _, object_ = claim.parts
        subject = subject or sentence.mention(claim.triple.subject)
        if subject is None or object_ is None:
            continue
        if _in_hyphenated(sentence, subject) or (
            _in_hyphenated(sentence, object_) and not is_aside(claim)
        ):
            continue
        owner = _owner(sentence, claim, claim.triple.subject)
        if owner:
            noun, last = owner
            yield from _claim(sentence, claim, last, f"{noun} of [X] {predicate} [Y]", object_)
            continue
        kind = predicate == "be" and any(
            _indefinite(sentence, other.parts[2])
            for other in sentence.claims
            if other.triple.subject == claim.triple.subject
            and other.triple.predicate == claim.triple.predicate
        )
        article = "a " if kind else ""
        found = f"[X] {predicate} {article}[Y]"
        owner = _owner(sentence, claim, claim.triple.object)
        if owner:
            noun, last = owner
            longer = f"[X] {predicate} {noun} of [Y]"
            yield from _claim(sentence, claim, subject, longer, last)
            if sentence.relations.knows(longer) and not sentence.relations.knows(found):
                continue
        yield from _claim(sentence, claim, subject, found, object_)
        if owner:
            continue
        for other in _about(sentence, claim.triple.object):
            link = sentence.label(other.triple.predicate)
            noun = sentence.label(claim.triple.object)
            if other.parts[2] is None or claim.triple.object in _named(sentence):
                continue
            if link in OBJECT_PREPOSITIONS:
                phrase = f"[X] {predicate} {noun} {link} [Y]"
            elif link == "be" and predicate == "have":
                phrase = f"[X] have {noun} of [Y]"
            else:
                continue
            yield from _claim(sentence, claim, subject, phrase, other.parts[2])


def _claim(
    sentence: Sentence, claim: Claim, subject: Span, phrase: str, end: Span
) -> Iterator[Relational]:
    end = sentence.trimmed(end)
    outer = end
    if " a [Y]" in phrase:
        end = sentence.kind(end)
    if meet(subject, end):
        return
    value = sentence.value(end)
    text = sentence.extraction.document.text
    low, high = sorted((subject, end))
    outside = (
        f"{text[sentence.place.start : low.start]} [X] {text[low.end : high.start]} [Y] "
        f"{text[high.end : sentence.place.end]}"
    )
    modality = claim.modality
    outside = f"{outside} {sentence.plain(subject)} {sentence.plain(outer)}"
    exclusion = "question" if "?" in outside else sentence.openness()
    if not exclusion and modality is not Modality.ASSERTED:
        exclusion = "conditional" if modality is Modality.CONDITION else "modal"
    exclusion = exclusion or exclusion_in(outside)
    exclusion = exclusion or _aside(sentence, claim, phrase, low, high, outside)
    at, to, how = (None, None, "holding") if claim.time == value else _when(sentence, claim, high)
    said = Relational(
        subject,
        phrase,
        end,
        value,
        claim.polarity,
        modality,
        claim.attribution,
        is_current(outside),
        at,
        to,
        how,
        moment_of(phrase),
        exclusion=exclusion,
        claim=claim,
    )
    day = next((m.span for m in sentence.mentions if m.node == at), None) if to is None else None
    if (
        at is None
        or day is None
        or meet(day, end)
        or how != "holding"
        or claim.polarity == "negative"
        or not sentence.relations.dates(phrase)
    ):
        yield said
        return
    yield timeless(said)
    if not any(meet(other.parts[2], day) for other in _about(sentence, claim.triple.subject)):
        yield replace(timeless(said), object=day, value=at, claim=None)


def _when(
    sentence: Sentence, claim: Claim, high: Span
) -> tuple[Literal | None, Literal | None, Relation]:
    """Return the date of a claim, or the ends of its period, and what they are to it."""
    text = sentence.text(sentence.place)
    whole = Clause(text, tuple(range(sentence.place.start, sentence.place.end)))
    behind = high.end - sentence.place.start
    for start, _, first, last, how in sentence.periods(whole):
        if claim.time in (first, last) or (
            claim.time is None and claim.parts[2] == high and not text[behind:start].strip()
        ):
            return first, last, how
    return claim.time, None, sentence.lead(claim.time) if claim.time is not None else "holding"


def says_wrong(words: str) -> bool:
    """Return whether words say of what follows that it is false: "it is a myth that"."""
    return bool(_WRONG.search(words))


def framed(lead: str, outside: str) -> Exclusion:
    """Say what words before a statement make of it: what somebody says, or a story tells."""
    if _REPORTED.search(lead) or says_wrong(outside):
        return "reported"
    return "fiction" if _FICTION.search(lead) else ""


def _aside(
    sentence: Sentence, claim: Claim, phrase: str, low: Span, high: Span, outside: str
) -> Exclusion:
    """Say what keeps the words around two ends from stating what a claim states."""
    text = sentence.extraction.document.text
    # of a long lead the end says enough, and is soon searched
    lead = text[max(sentence.place.start, low.start - _LEAD) : low.start]
    between = text[low.end : high.start]
    if between[:1] in {'"', "”"}:
        lead = lead.rstrip('"“')  # a title
    if claim.attribution:
        return "reported"
    if frame := framed(lead, outside):
        return frame
    if _PART.search(lead) or (re.search(r"(?i)\bwhose\b", between) and "'s" not in words(phrase)):
        return "part"
    if claim.polarity == "positive" and (
        any(
            low.end <= turn.place.start < high.start
            for turn in sentence.turned("negation", "denial")
        )
        or _GERUND.search(between)
    ):
        return "part"
    bound = BOUND if claim.polarity == "negative" else _BEYOND
    if (claim.polarity == "negative" or claim.time is not None) and bound.search(outside):
        return "part"
    return "alternative" if _OR.search(outside) else ""


def _owner(sentence: Sentence, claim: Claim, node: Node, depth: int = 0) -> tuple[str, Span] | None:
    """Split "cause of death of Sharif" into the noun and the place of what it is of."""
    label = sentence.label(node)
    if node in _named(sentence):
        return None
    for other in _about(sentence, node):
        noun = label.removesuffix(f" of {sentence.label(other.triple.object)}")
        if sentence.label(other.triple.predicate) == "of" and noun != label and other is not claim:
            # of a shorter label: it ends
            if depth < _DEEPEST and (
                deeper := _owner(sentence, other, other.triple.object, depth + 1)
            ):
                return f"{noun} of {deeper[0]}", deeper[1]
            if other.parts[2] is not None:
                return noun, other.parts[2]
    return None


def _about(sentence: Sentence, node: Node) -> Iterator[Claim]:
    return (c for c in sentence.claims if c.triple.subject == node)


def _named(sentence: Sentence) -> frozenset[Node]:
    """Give the things that have a name of their own: those are not taken apart."""
    kinds = {"PERSON", "ORG", "LOC", "MISC"}
    return frozenset(m.node for m in sentence.mentions if m.kind in kinds)


def _in_hyphenated(sentence: Sentence, span: Span) -> bool:
    """Whether it is part of a hyphenated word: the father of "father-in-law"."""
    text = sentence.extraction.document.text
    return "-" in (text[max(span.start - 1, 0) : span.start], text[span.end : span.end + 1])


def _indefinite(sentence: Sentence, span: Span | None) -> bool:
    if span is None:
        return False
    before = sentence.extraction.document.text[sentence.place.start : span.start]
    return bool(re.search(r"(?i)\ban?\s+$", before)) or bool(
        re.match(r"(?i)an?\s", sentence.text(span))
    )


def is_aside(claim: Claim) -> bool:
    """Return whether a claim is told by no words of the clause, as a birth in brackets is."""
    return claim.parts[1] is None and isinstance(claim.triple.object, Literal)
