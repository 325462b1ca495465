"""Contrastive explanations: what was claimed, what was expected instead, and because of what.

After Miller, "Explanation in Artificial Intelligence" (2019): a why-question has a fact and a
foil. Both are told in the words of the texts, quoted; the cause is the reason why both cannot hold.
A triple is told as one only where no text has words for it. Nothing here decides; it only says.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote

from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.explain.place import cite, quote, source_name, source_text
from groundrules.terms import (
    ENTITY,
    GR,
    RELATION,
    Claim,
    EditOperation,
    Evidence,
    Explanation,
    Modality,
    Override,
    Report,
    Severity,
    Span,
    Triple,
    Violation,
)

#: What is quoted of a passage, and what of it stands in a headline, in code points.
LONGEST = 300
_SHORT = 100
#: Longest verb and object that are quoted together.
_TOGETHER = 60
#: Why a statement is left open.
NOTHING_CARRIES = "no passage supports it"
#: Letters of the shortest verb that is quoted with its object; prepositions are shorter.
_VERB = 4

_MODE = {
    Modality.OBLIGATION: "must",
    Modality.PERMISSION: "may",
    Modality.POSSIBILITY: "possibly",
    Modality.CONDITION: "conditionally",
}
#: The origin of the focus node of a rule on statements.
_STATEMENT = "statement"
_WORD = re.compile(r"\S+")
#: What stands before an item of a list and is none of its words.
_MARKS = ("-", "*", "•", "–", "|")
_STATES = {
    "obligation": "an obligation",
    "permission": "a permission",
    "possibility": "a possibility",
    "condition": "a condition",
    "asserted": "a fact",
}


def decided(override: Override) -> str:
    """Return what was decided, by whom, when and why, in a line."""
    if override.kind == "baseline":
        return "set aside: baseline"
    if override.kind == "inline":
        return f"set aside in the text: {override.why}"
    outcome = override.outcome and override.outcome.value.replace("_", " ")
    who = ", ".join(filter(None, (override.by, override.at[:10])))
    return f"{f'overridden to {outcome}' if outcome else 'set aside'} by {who}: {override.why}"


def label(node: Node, labels: Mapping[Node, str]) -> str:
    """Return how the texts name a node, else the readable end of its IRI or its literal form."""
    if node in labels:
        return " ".join(labels[node].split())
    if not isinstance(node, URIRef):
        return " ".join(str(node).split())
    for namespace in (ENTITY, RELATION):
        if node.startswith(namespace):
            return unquote(node[len(namespace) :].replace("-", " "))
    tail = node.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    return unquote(tail) or str(node)


def phrase(
    triple: Triple, labels: Mapping[Node, str], *, negative: bool = False, mode: str = ""
) -> str:
    """Return `subject · predicate · object` in the words of the texts, with `not` and mode."""
    predicate = label(triple.predicate, labels)
    marks = [mark for mark in (mode, "not" if negative else "") if mark]
    marks = [mark for mark in marks if mark not in predicate.split()]
    return " · ".join(
        (label(triple.subject, labels), " ".join([*marks, predicate]), label(triple.object, labels))
    )


def claimed_triple(violation: Violation, report: Report) -> str:
    """Return the claimed triple with its polarity and mode, empty where there is none."""
    claim = violation.claim
    if claim is None or claim.origin == _STATEMENT:
        return ""
    return spoken(claim, report)


def spoken(claim: Claim, report: Report) -> str:
    """Return the triple of a claim with its polarity and mode."""
    mode = _MODE.get(claim.modality, "")
    return phrase(claim.triple, report.labels, negative=claim.polarity == "negative", mode=mode)


def source_triple(violation: Violation, report: Report) -> str:
    """Return the triple that stands against the claimed one, or the nearest; empty if none does."""
    claim = violation.claim
    if claim is None or claim.origin == _STATEMENT or passage(violation):
        return ""
    if opposes(violation):
        return _opposite(violation, claim, report)
    if foil := added(violation):
        # An edit keeps the mode of the claim, so the foil reads as the claim would.
        negative, mode = claim.polarity == "negative", _MODE.get(claim.modality, "")
        return phrase(foil, report.labels, negative=negative, mode=mode)
    triples = dict.fromkeys(item.triple for item in violation.evidence)
    return " or ".join(phrase(triple, report.labels) for triple in list(triples)[:3])


def fact(violation: Violation, report: Report, room: int = LONGEST) -> str:
    """Return the words of the claim, around its fault where they are long.

    The message where the whole text fails, the triple where the text has no words for it.
    """
    claim = violation.claim
    if claim is None:
        return violation.message
    words = clip(claim.span, focus(violation), report, room)
    if words is None and claim.origin == _STATEMENT:
        words = " ".join(str(claim.triple.object).split())[:room]
    return f"“{words}”" if words else claimed_triple(violation, report)


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
    if mark is None or mark.source != span.source or not span.start <= mark.start <= span.end:
        mark = Span(span.source, span.start, span.start)
    # A sentence may have megabytes: look no further than could be shown.
    low = max(span.start, mark.start - 2 * room)
    high = min(span.end, max(mark.end, mark.start) + 2 * room)
    words = [(m[0], low + m.start(), low + m.end()) for m in _WORD.finditer(text[low:high])]
    if len(words) > 1 and low == span.start and words[0][0] in _MARKS:
        del words[0]
        span = Span(span.source, words[0][1], span.end)
    if not words:
        return None
    a = next((n for n, word in enumerate(words) if word[2] > mark.start), len(words) - 1)
    b = max(a + 1, sum(word[1] < mark.end for word in words))

    def joined(a: int, b: int) -> str:
        before = "… " if words[a][1] > span.start and text[span.start : words[a][1]].strip() else ""
        after = " …" if text[words[b - 1][2] : span.end][: 2 * room].strip() else ""
        return before + " ".join(word[0] for word in words[a:b]) + after

    whole = joined(0, len(words))
    if len(whole) + len("… ") + len(" …") <= room:  # so all on the way to it fits as well
        return whole
    while True:
        wider = [
            (x, y)
            for x, y in ((a, b + 1), (a - 1, b))
            if x >= 0 and y <= len(words) and len(joined(x, y)) <= room
        ]
        if not wider:
            break
        a, b = wider[0] if len(wider) == 1 or b - a < 2 or _right(words, mark, a, b) else wider[1]
    shown = joined(a, b)
    return shown if len(shown) <= room else shown[: room - 1].rstrip() + "…"


def _right(words: Sequence[tuple[str, int, int]], mark: Span, a: int, b: int) -> bool:
    """Return whether less is shown after the mark than before it."""
    return words[b - 1][2] - mark.end <= mark.start - words[a][1]


def added(violation: Violation) -> Triple | None:
    """Return the triple the edit puts in the claim's place, or None."""
    return next((op.triple for op in _operations(violation, "ADD")), None)


def differing(one: Triple, other: Triple) -> tuple[int, ...]:
    """Return which parts differ: 0 subject, 1 predicate, 2 object."""
    pairs = zip(parts_of(one), parts_of(other), strict=True)
    return tuple(index for index, (a, b) in enumerate(pairs) if a != b)


def swapped(one: Triple, other: Triple) -> bool:
    """Return whether subject and object are exchanged, under whatever predicate."""
    return one.subject != one.object and (one.subject, one.object) == (other.object, other.subject)


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
    other = _foil_triple(violation)
    if other and not swapped(claim.triple, other):
        differ = differing(claim.triple, other)
        if differ[-2:] == (1, 2) and _values(claim, other):
            differ = (2,)  # two values, whatever they are called
        if len(differ) == 1 and (span := claim.parts[differ[0]]):
            return span
    if other is None:
        entity = _entity(violation)
        for part, span in zip(parts_of(claim.triple), claim.parts, strict=True):
            if span and part == entity:
                return span
    return claim.span


def _widened(named: Span, claim: Claim, quoted: str) -> Span:
    """Return the place of what a statement's finding quotes around the words that a rule names."""
    words = str(claim.triple.object)
    if claim.origin != _STATEMENT or not quoted or len(words) != claim.span.end - claim.span.start:
        return named
    pattern = r"\s+".join(map(re.escape, quoted.split()))
    for found in re.finditer(pattern, words):
        start, end = claim.span.start + found.start(), claim.span.start + found.end()
        if start <= named.start and named.end <= end <= claim.span.end:
            return Span(named.source, start, end)
    return named


def headline(violation: Violation, report: Report) -> str:
    """Return the finding in one line; that of a rule on triples of two texts quotes both.

    The message stands where the rule itself quotes, where it is no rule on two texts, and where
    the source has no words to quote.
    """
    claim = violation.claim
    if claim is None or claim.origin == _STATEMENT or not violation.traits.finds:
        return violation.message
    if _entity(violation) is not None and not violation.evidence:
        return _because(violation, report)
    if not contradicts(violation):
        words = clip(claim.span, focus(violation), report, _SHORT)
        return f"“{words}”: {_because(violation, report)}" if words else violation.message
    claimed, stated = _pair(violation, report)
    if not (claimed and stated):
        return violation.message
    who = "the text itself" if own(violation, report) else "the source"
    return f"“{claimed}”; {who} says “{stated}”"


def own(violation: Violation, report: Report) -> bool:
    """Return whether all that stands against the claim stands in the checked text itself."""
    sources = {source_name(item.span.source) for item in violation.evidence if item.span}
    return sources == {report.source}


def _pair(violation: Violation, report: Report) -> tuple[str, str]:
    """Return the words of the claim and those of the source in their place, empty if unknown."""
    claim, other = violation.claim, _foil_triple(violation)
    assert claim is not None
    first = next((item for item in violation.evidence if item.span), None)
    if other and first and not opposes(violation) and not swapped(claim.triple, other):
        differ = differing(claim.triple, other)
        span = claim.parts[differ[0]] if len(differ) == 1 else None
        old, new = quote(span, report), quote(counterpart(violation, first, report), report)
        if span and old and new and old.casefold() != new.casefold():
            verb = claim.parts[1] if differ == (2,) else None
            if verb and verb.end - verb.start >= _VERB and verb.end <= span.start:
                both = quote(Span(span.source, verb.start, span.end), report) or ""
                old = both if 0 < len(both) <= _TOGETHER else old
            return old, new
    stated = clip(first.span, None, report, _SHORT) if first else None
    return clip(claim.span, focus(violation), report, _SHORT) or "", stated or ""


def counterpart(violation: Violation, item: Evidence, report: Report) -> Span | None:
    """Return where the evidence has the words that stand in place of those at fault, or None."""
    claim, span = violation.claim, item.span
    text = source_text(report, span.source) if span else None
    if claim is None or span is None or text is None or span.end > len(text):
        return None
    stated = dict(violation.bindings).get("stated")
    name = str(stated) if stated is not None else ""
    other = _foil_triple(violation)
    if not name and other and claim.origin != _STATEMENT and not opposes(violation):
        differ = differing(claim.triple, other)
        name = label(parts_of(other)[differ[0]], report.labels) if len(differ) == 1 else ""
    pattern = r"\s+".join(re.escape(word) for word in name.split())
    found = pattern and re.compile(rf"(?<!\w){pattern}(?!\w)", re.I).search(
        text, span.start, span.end
    )
    return Span(span.source, found.start(), found.end()) if found else None


def explain(violation: Violation, report: Report) -> Explanation:
    """Return fact, foil, cause and one plain sentence of a violation.

    Where the rule names no replacement, the foils are the nearest statements of the evidence
    (score below 1), and the explanation answers "why not supported".
    """
    claimed = fact(violation, report)
    if violation.claim is None:
        return Explanation(claimed, "", "", claimed)
    said, because = foil(violation, report), _because(violation, report)
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
    # that both are quoted says why already
    why = "" if told and because == violation.message else f"; because {because}"
    return Explanation(claimed, said, because, f"claimed {claimed}{told}{why}")


def change(violation: Violation, report: Report) -> str:
    """Return in words what the edit does to the text, empty where there is none."""
    claim, edit = violation.claim, violation.edit
    if claim is None or edit is None or not edit.operations:
        return ""
    words = {
        one.action: one.triple.object for one in edit.operations if one.triple.predicate == GR.words
    }
    match words:
        case {"DELETE": old, "ADD": new}:
            return f"replace “{label(old, {})}” by “{label(new, {})}”"
        case {"DELETE": old}:
            return f"take out “{label(old, {})}”"
        case {"ADD": new}:
            return f"add “{label(new, {})}”"
    match opposes(violation):
        case "polarity":
            return "say the opposite"
        case "modality":
            return f"state it as {_STATES[known_mode(violation).value]}"
    other = added(violation)
    if other is None:
        return "leave it out"
    if swapped(claim.triple, other):
        return f"exchange {_part(claim, 0, report)} and {_part(claim, 2, report)}"
    differ = differing(claim.triple, other)
    if len(differ) != 1:
        return f"state instead: {source_triple(violation, report)}"
    by = _instead(violation, other, differ[0], report)
    return f"replace {_part(claim, differ[0], report)} by “{by}”"


def changes(violation: Violation, report: Report) -> tuple[tuple[Span, str], ...]:
    """Return which words the edit puts where in the text, none where it takes what is there out.

    Empty where the edit is no exchange or removal of words.
    """
    claim, edit = violation.claim, violation.edit
    if claim is None or edit is None or not edit.operations:
        return ()
    words = {
        one.action: str(one.triple.object)
        for one in edit.operations
        if one.triple.predicate == GR.words
    }
    if words:
        span = focus(violation)
        said = quote(span, report)
        found = span and said == " ".join(words.get("DELETE", "").split())
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
    part = claim.parts[differ[0]] if len(differ) == 1 else None
    return ((part, _instead(violation, other, differ[0], report)),) if part else ()


def _instead(violation: Violation, other: Triple, part: int, report: Report) -> str:
    """Return the words of the evidence for the part of a triple that replaces another."""
    places = (counterpart(violation, item, report) for item in violation.evidence)
    written = next((text for place in places if (text := quote(place, report))), None)
    return written or label(parts_of(other)[part], report.labels)


def _part(claim: Claim, index: int, report: Report) -> str:
    """Return a part of a claim in the words of the text, in quotation marks."""
    words = quote(claim.parts[index], report)
    return f"“{words or label(parts_of(claim.triple)[index], report.labels)}”"


def warrant(violation: Violation) -> str:
    """Return what makes fact and foil exclude each other: an axiom, a similarity, or nothing.

    An axiom is one that stands in an ontology or pack: the rule has shown it, or named its kind.
    """
    claim, foil = violation.claim, added(violation)
    if violation.axioms:
        return "; ".join(_axioms(violation.axioms))
    if claim is None or foil is None or opposes(violation) or swapped(claim.triple, foil):
        return ""
    if _values(claim, foil):
        return ""
    if (similarity := _similarity(violation)) is not None:
        return f"similarity {similarity:.2f}"
    kind = _axiom(violation)
    return _compact(kind) if kind is not None else ""


def _axiom(violation: Violation) -> Node | None:
    """Return the kind of axiom by which the rule excludes the claim, its column ?axiom."""
    return dict(violation.bindings).get("axiom")


def _axioms(axioms: tuple[Triple, ...]) -> Iterator[str]:
    """Yield axioms in words, a list by its members: "Citation owl:hasKey (reporter, page)"."""
    firsts = {t.subject: t.object for t in axioms if t.predicate == RDF.first}
    rests = {t.subject: t.object for t in axioms if t.predicate == RDF.rest}
    for axiom in axioms:
        if axiom.predicate in (RDF.first, RDF.rest):
            continue
        *words, last = parts_of(axiom)
        members: list[str] = []
        at = last
        while at in firsts and len(members) < len(firsts):
            members.append(_compact(firsts[at]))
            at = rests.get(at, RDF.nil)
        shown = f"({', '.join(members)})" if members else _compact(last)
        yield " ".join([*map(_compact, words), shown])


def _compact(node: Node) -> str:
    """Return a term of an axiom: `owl:disjointWith`, `gr:precedes`, or the local name."""
    tail = label(node, {})
    spaces = {"owl": str(OWL), "gr": str(GR._NS)}
    prefix = next((p for p, space in spaces.items() if str(node).startswith(space)), "")
    return f"{prefix}:{tail}" if prefix else tail


def _similarity(violation: Violation) -> float | None:
    """Return how near the statement is that the claim was set beside, None under an axiom."""
    value = dict(violation.bindings).get("similarity")
    return float(str(value)) if isinstance(value, Literal) else None


def parts_of(triple: Triple) -> tuple[Node, Node, Node]:
    """Return subject, predicate and object."""
    return triple.subject, triple.predicate, triple.object


def opposes(violation: Violation) -> str:
    """Return `polarity` or `modality` if the source states the triple in another mode, else ""."""
    claim = violation.claim.id if violation.claim else None
    if violation.claim is not None and violation.claim.origin == _STATEMENT:
        return ""
    for operation in violation.edit.operations if violation.edit else ():
        if operation.triple.subject == claim:
            for predicate, word in ((GR.polarity, "polarity"), (GR.modality, "modality")):
                if operation.triple.predicate == predicate:
                    return word
    return next((word for word in ("polarity", "modality") if word in violation.name), "")


def known_mode(violation: Violation) -> Modality:
    """Return the mode in which the source states the claim, as the edit or the row says."""
    claim = violation.claim
    values = [
        str(operation.triple.object)
        for operation in (violation.edit.operations if violation.edit else ())
        if claim and operation.action == "ADD" and operation.triple.subject == claim.id
    ]
    values += [str(value) for _, value in violation.bindings if isinstance(value, Literal)]
    modes = [mode for mode in Modality if mode.value in values]
    claimed = claim.modality if claim else Modality.ASSERTED
    return next((mode for mode in modes if mode is not claimed), Modality.ASSERTED)


def _operations(violation: Violation, action: str) -> list[EditOperation]:
    """Return the operations on the triple of the claim; those on its mode have it as subject."""
    claim = violation.claim.id if violation.claim else None
    operations = violation.edit.operations if violation.edit else ()
    return [op for op in operations if op.action == action and op.triple.subject != claim]


def contradicts(violation: Violation) -> bool:
    """Return whether the evidence contradicts the claim rather than only standing near it."""
    if violation.claim is not None and violation.claim.origin == _STATEMENT:
        row = dict(violation.bindings)
        return violation.severity is not Severity.INFO and bool(row.keys() & {"stated", "how"})
    certain = any(item.score >= 1 for item in violation.evidence)
    return certain or added(violation) is not None or bool(opposes(violation))


def passage(violation: Violation) -> bool:
    """Return whether the evidence is the passage that was given for the claim, no statement."""
    claim, evidence = violation.claim, violation.evidence
    given = claim is not None and all(item.triple == claim.triple for item in evidence)
    return bool(evidence) and given and added(violation) is None and not opposes(violation)


def _foil_triple(violation: Violation) -> Triple | None:
    if other := added(violation):
        return other
    return violation.evidence[0].triple if violation.evidence else None


def _opposite(violation: Violation, claim: Claim, report: Report) -> str:
    negative = claim.polarity == "negative"
    if opposes(violation) == "polarity":
        mode = _MODE.get(claim.modality, "")
        return phrase(claim.triple, report.labels, negative=not negative, mode=mode)
    known = known_mode(violation)
    return phrase(claim.triple, report.labels, negative=negative, mode=_MODE.get(known, ""))


def _because(violation: Violation, report: Report) -> str:
    claim = violation.claim
    assert claim is not None
    if violation.because:
        return violation.because
    if claim.origin == _STATEMENT:
        how = dict(violation.bindings).get("how")
        if how is None and violation.evidence and not contradicts(violation):
            return NOTHING_CARRIES
        return label(how, {}) if how is not None else violation.message
    if opposes(violation) == "polarity":
        return "the source states the opposite"
    if opposes(violation) == "modality":
        known = _STATES[known_mode(violation).value]
        return f"the source states {known} and the claim {_STATES[claim.modality.value]}"
    other = added(violation)
    if other is None:
        return _unsupported(violation, report)
    if swapped(claim.triple, other):
        return f"the roles of {_part(claim, 0, report)} and {_part(claim, 2, report)} are exchanged"
    differ = differing(claim.triple, other)
    if differ == (2,) and _values(claim, other):
        return "the two values differ by more than their precision allows"
    if len(differ) == 1 and _similarity(violation) is not None:
        return "the two agree in all else"
    match differ if _axiom(violation) is not None else ():
        case (0,):
            return f"“{label(other.predicate, report.labels)}” has one subject for each object"
        case (1,):
            old, new = (label(t.predicate, report.labels) for t in (claim.triple, other))
            return f"“{old}” and “{new}” exclude each other"
        case (2,):
            return f"“{label(other.predicate, report.labels)}” takes one value"
    return violation.message


def _entity(violation: Violation) -> Node | None:
    """Return the entity at fault, the column ?e of the rule."""
    return dict(violation.bindings).get("e")


def _values(claim: Claim, foil: Triple) -> bool:
    return isinstance(foil.object, Literal) and isinstance(claim.triple.object, Literal)


def _unsupported(violation: Violation, report: Report) -> str:
    entity = _entity(violation)
    if contradicts(violation):
        of_texts = violation.traits.finds
        return "the two cannot both hold" if of_texts else violation.message
    if entity is not None:
        return f"no source mentions “{label(entity, report.labels)}”"
    return "no source states it"


def with_nearest(
    violations: Sequence[Violation], statements: Iterable[Claim], limit: int = 2
) -> tuple[Violation, ...]:
    """Return the violations, those without evidence or replacement with the nearest statements.

    An entity that no source mentions has none: what stands near speaks of another.

    `statements` are the claims of the sources. Near are those that differ in one part, the object
    first, then the subject, then the predicate; each gets the score 2/3, the share of the parts in
    common, so that none passes for a contradiction.
    """
    index: dict[tuple[int, Node, Node], list[Claim]] = {}
    for statement in statements:
        for slot, one, other in _keys(statement.triple):
            index.setdefault((slot, one, other), []).append(statement)

    def near(triple: Triple) -> tuple[Evidence, ...]:
        found = (
            Evidence(other.triple, other.span.source, other.span, 2 / 3)
            for key in _keys(triple)
            for other in index.get(key, ())
            if other.triple != triple and other.polarity == "positive"
        )
        return tuple(itertools.islice(found, limit))

    return tuple(
        replace(violation, evidence=near(violation.claim.triple))
        if violation.claim
        and violation.claim.origin != _STATEMENT
        and not (violation.evidence or added(violation) or _entity(violation))
        else violation
        for violation in violations
    )


def _keys(triple: Triple) -> tuple[tuple[int, Node, Node], ...]:
    s, p, o = parts_of(triple)
    return (2, s, p), (0, p, o), (1, s, o)
