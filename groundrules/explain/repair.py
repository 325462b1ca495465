"""Repair: edits tried on a copy, and texts rewritten where an edit is safe."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rdflib.term import Node, URIRef

from groundrules.dataset import Dataset
from groundrules.explain.contrast import added, differing, label, opposes, swapped
from groundrules.explain.place import source_text
from groundrules.rules import engine
from groundrules.rules.rule import Rule
from groundrules.terms import Claim, Edit, Report, Span, Violation

PASSES = 10

_DETERMINER = re.compile(
    r"(?:the|an?|this|that|these|those|its|his|her|their|our|my|your)\s+", re.IGNORECASE
)
_AUXILIARY = re.compile(
    r"\b(?:shall|must|may|will|can|should|would|could|might|is|are|was|were|has|have|had|does|do|did)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"(?<=\w)\s+(?:not|never)\b|(?<=\bcan)not\b", re.IGNORECASE)
_SENTENCE_END = ".!?:;\"'”’)]"


def verify(
    violation: Violation,
    dataset: Dataset,
    rules: Sequence[Rule],
    result: engine.Result,
    *,
    claims: Mapping[URIRef, Claim] | None = None,
    overrides: Mapping[str, Mapping[str, object]] | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> Edit | None:
    """Return the edit of a violation, `verified` set; None where there is no edit.

    The edit is applied to a copy of the dataset (`engine.apply_edit`). It is verified iff its rule
    is then silent on the claim and no rule fires that was silent in `result`, which the same
    rules, overrides and selection gave.
    """
    (tried,) = verify_all(
        [violation],
        dataset,
        rules,
        result,
        claims=claims,
        overrides=overrides,
        select=select,
        ignore=ignore,
    )
    return tried.edit


def verify_all(
    violations: Sequence[Violation],
    dataset: Dataset,
    rules: Sequence[Rule],
    result: engine.Result,
    *,
    claims: Mapping[URIRef, Claim] | None = None,
    overrides: Mapping[str, Mapping[str, object]] | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> tuple[Violation, ...]:
    """Return the violations in their order, each edit verified.

    Edits of different claims are tried in one run of the rules, so that the cost grows with the
    text and not with its square; where such a run starts a rule, the edits of the claims it starts
    on fail, and the rest are tried in halves until the cause is found. See `verify`.
    """
    before = _fired(result.violations)

    def run(batch: Sequence[Violation]) -> set[tuple[str, URIRef | None]]:
        trial = dataset.copy()
        for violation in batch:
            assert violation.edit
            assert violation.claim
            engine.apply_edit(trial, violation.edit, violation.claim.id)
        after = engine.check(
            trial, rules, claims=claims, overrides=overrides, select=select, ignore=ignore
        )
        return _fired(after.violations)

    def settle(batch: Sequence[int]) -> None:
        """Split the batch until no run of it starts a rule, or one edit alone does."""
        if not batch:
            return
        after = run([violations[index] for index in batch])
        started = {claim for _, claim in after - before}
        own = {index for index in batch if _key(violations[index])[1] in started}
        if not started or len(batch) == 1:
            for index in batch:
                verified[index] = not started and _key(violations[index]) not in after
        elif own:
            verified.update(dict.fromkeys(own, False))
            settle([index for index in batch if index not in own])
        else:
            settle(batch[: len(batch) // 2])
            settle(batch[len(batch) // 2 :])

    verified: dict[int, bool] = {}
    waiting: dict[URIRef, list[int]] = {}
    for index, violation in enumerate(violations):
        if violation.claim and violation.edit and violation.edit.operations:
            waiting.setdefault(violation.claim.id, []).append(index)
    for rank in range(max(map(len, waiting.values()), default=0)):
        settle([indices[rank] for indices in waiting.values() if rank < len(indices)])
    return tuple(
        replace(violation, edit=replace(violation.edit, verified=verified[index]))
        if violation.edit and index in verified
        else violation
        for index, violation in enumerate(violations)
    )


def _key(violation: Violation) -> tuple[str, URIRef | None]:
    return violation.rule, violation.claim.id if violation.claim else None


def _fired(violations: Iterable[Violation]) -> set[tuple[str, URIRef | None]]:
    return {_key(violation) for violation in violations}


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """New words for a half-open range of code points of the checked text."""

    start: int
    end: int
    text: str


def wording(report: Report, violation: Violation) -> dict[Node, str]:
    """Return how the evidence words each node of the triple to add, its article included."""
    triple = added(violation)
    if triple is None:
        return {}
    passages = []
    for item in violation.evidence:
        text = source_text(report, item.span.source) if item.span else None
        if text is not None and item.span is not None:
            passages.append(" ".join(text[item.span.start : item.span.end].split()))
    words = {}
    for node in (triple.subject, triple.predicate, triple.object):
        name = label(node, report.labels)
        words[node] = next((found for p in passages if (found := _as_written(name, p))), name)
    return words


def _as_written(name: str, passage: str) -> str | None:
    pattern = rf"(?<!\w)(?:{_DETERMINER.pattern})?{re.escape(name)}(?!\w)"
    match = re.search(pattern, passage, re.IGNORECASE) if name else None
    return match[0] if match else None


def replacements(
    text: str, violation: Violation, quotes: Mapping[Node, str]
) -> tuple[Replacement, ...]:
    """Return what the edit of a violation does to the text; nothing where no span is known.

    `quotes` says how the evidence words a node. An exchange of subject and object exchanges
    their spans. An edit that only deletes removes the sentence, if the claim is all of it.
    """
    claim, edit = violation.claim, violation.edit
    if claim is None or edit is None or not edit.operations:
        return ()
    match opposes(violation):
        case "polarity":
            return _negated(text, claim)
        case "modality":
            return ()  # "must" for "may" is a matter of the whole sentence
    foil = added(violation)
    if foil is None:
        return _without(text, claim)
    subject, _, object_ = claim.parts
    if swapped(claim.triple, foil):
        if subject and object_ and claim.triple.predicate == foil.predicate:
            return _exchanged(text, claim.span, subject, object_)
        return ()
    differ = differing(claim.triple, foil)
    if len(differ) != 1 or differ[0] == 1:
        return ()  # a verb cannot be exchanged without its sentence
    span = claim.parts[differ[0]]
    words = quotes.get((foil.subject, foil.predicate, foil.object)[differ[0]])
    if span is None or not words or span.end > len(text):
        return ()
    start = span.start
    article = _after_determiner(text, start)
    if article and article.strip().lower() == "the" and _is_name(words):
        start -= len(article)  # "the Tenant" gives way to "Maria Gomez", not to "the Maria Gomez"
        return (Replacement(start, span.end, _cased(words, text, start)),)
    old = text[start : span.end]
    bare = words[found.end() :] if (found := _DETERMINER.match(words)) else words
    new = words if _DETERMINER.match(old) else bare
    if start and not _DETERMINER.match(old) and not article:
        new = words if found and old[:1].islower() else bare
    return (Replacement(start, span.end, _cased(new, text, start)),)


def _is_name(words: str) -> bool:
    """Say whether words the source has without an article are a name of several words."""
    parts = words.split()
    return len(parts) > 1 and all(part[0].isupper() for part in parts)


def rewrite(
    text: str,
    violations: Iterable[Violation],
    quotes: Callable[[Violation], Mapping[Node, str]],
    *,
    unsafe: bool = False,
) -> str:
    """Return the text with the safe edits made, the unsafe too if asked, none that overlap.

    Edits of `display` and edits that failed verification are never made. Of two that overlap
    the one that changes more places is made (an exchange of roles says more than a wrong subject),
    else the first in the text; check again for the other.
    """
    taken: list[Replacement] = []
    offers: list[tuple[Replacement, ...]] = []
    for violation in violations:
        edit = violation.edit
        if edit is None or edit.verified is False or edit.applicability == "display":
            continue
        if edit.applicability == "unsafe" and not unsafe:
            continue
        offers.append(replacements(text, violation, quotes(violation)))
    for wanted in sorted(offers, key=len, reverse=True):
        if wanted and not any(_overlap(one, other) for one in wanted for other in taken):
            taken += wanted
    for item in sorted(taken, reverse=True):
        text = text[: item.start] + item.text + text[item.end :]
    return text


def fix(
    report: Report, check: Callable[[str], Report], *, unsafe: bool = False
) -> tuple[Report, int]:
    """Return the report of the text once no edit changes it, and the number of passes.

    Words may belong to several claims, so each pass is checked again: where the text comes out
    with more violations than before, its edits are made one by one and those at fault left out.
    Stops after 10 passes, and where a text comes back that was seen before.
    """
    seen = {report.text}
    refused: set[str] = set()
    for count in range(PASSES):
        quotes = partial(wording, report)
        edits = [v for v in report.violations if v.edit and v.fingerprint not in refused]
        text = rewrite(report.text, edits, quotes, unsafe=unsafe)
        if text in seen:
            return report, count
        better = check(text)
        if len(better.violations) <= len(report.violations):
            report = better
        else:
            for edit in edits:
                text = rewrite(report.text, [edit], quotes, unsafe=unsafe)
                if text == report.text:
                    continue
                better = check(text)
                if len(better.violations) <= len(report.violations):
                    report = better
                    break  # the spans of the others have moved
                refused.add(edit.fingerprint)
        seen.add(report.text)
    return report, PASSES


def diff(old: str, new: str, name: str) -> str:
    """Return a unified diff, empty if nothing changed."""
    missing = "\n\\ No newline at end of file\n"
    lines = difflib.unified_diff(_lines(old), _lines(new), name, name)
    return "".join(line if line.endswith("\n") else line + missing for line in lines)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _overlap(one: Replacement, other: Replacement) -> bool:
    if one.start == other.start:
        return True
    return one.start < other.end and other.start < one.end


def _exchanged(
    text: str, sentence: Span, one: Span, other: Span
) -> tuple[Replacement, Replacement] | tuple[()]:
    if (one.start < other.end and other.start < one.end) or max(one.end, other.end) > len(text):
        return ()
    first, second = sorted((one, other), key=lambda span: span.start)
    a, b = text[first.start : first.end], text[second.start : second.end]
    return (
        Replacement(first.start, first.end, _cased(_inner(b), text, first.start)),
        Replacement(second.start, second.end, _cased(_inner(a), text, second.start)),
    )


def _inner(words: str) -> str:
    """Return the words as they read inside a sentence: an article loses its capital."""
    return words[0].lower() + words[1:] if _DETERMINER.match(words) else words


def _cased(words: str, text: str, start: int) -> str:
    """Return the words with a capital where they open a sentence that had one."""
    before = text[:start].rstrip()
    opens = not before or before[-1] in _SENTENCE_END or "\n\n" in text[len(before) : start]
    if opens and text[start : start + 1].isupper():
        return words[:1].upper() + words[1:]
    return _inner(words) if words else words


def _after_determiner(text: str, start: int) -> str | None:
    match = re.search(rf"(?<!\w)(?:{_DETERMINER.pattern})$", text[max(0, start - 12) : start], re.I)
    return match[0] if match else None


def _without(text: str, claim: Claim) -> tuple[Replacement, ...]:
    """Return the removal of a sentence with the space behind it, or nothing if it is a part."""
    start, end = claim.span.start, claim.span.end
    if end > len(text):
        return ()
    before = text[:start].rstrip()
    while end < len(text) and text[end] in _SENTENCE_END:
        end += 1
    whole = (not before or before[-1] in _SENTENCE_END) and text[start:end].rstrip()[-1:] in (
        ".",
        "!",
        "?",
        "”",
        '"',
    )
    if not whole:
        return ()
    while end < len(text) and text[end] == " ":
        end += 1
    return (Replacement(start, end, ""),)


def _negated(text: str, claim: Claim) -> tuple[Replacement, ...]:
    """Return the removal or insertion of the one negation, or nothing where it is not plain."""
    start, end = claim.span.start, min(claim.span.end, len(text))
    negations = list(_NEGATION.finditer(text, start, end))
    if claim.polarity == "negative":
        if len(negations) != 1:
            return ()
        return (Replacement(negations[0].start(), negations[0].end(), ""),)
    auxiliaries = list(_AUXILIARY.finditer(text, start, end))
    if negations or len(auxiliaries) != 1:
        return ()
    at = auxiliaries[0].end()
    return (Replacement(at, at, " not"),)
