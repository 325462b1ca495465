"""Repair: edits tried in the dataset, read again as text, and made where they can be trusted.

An edit is safe only where it exchanges one value or one name for another and leaves the rest of
its sentence, where the sentence stays English, and where the text with the edit in its place is
supported by the same sources and nothing is found in it. All else is shown and never made.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from rdflib.term import URIRef

from groundrules.align.words.passages import words
from groundrules.dataset import Dataset
from groundrules.errors import SourceError
from groundrules.explain.edits import Replacement, Replacements, exchanged_words, shifted, written
from groundrules.explain.replacements import exchange, removal, statement_of
from groundrules.rules import engine
from groundrules.rules.rule import Rule
from groundrules.terms import Claim, EditOperation, Outcome, Report, Statement, Violation

Key = engine.Fired

PASSES = 10


def verify_all(
    violations: Sequence[Violation],
    dataset: Dataset,
    rules: Sequence[Rule],
    result: engine.Result,
    *,
    claims: Mapping[URIRef, Claim] | None = None,
    overrides: Mapping[str, Mapping[str, object]] | None = None,
    select: Sequence[str] = (),
    tried: Collection[Key] = (),
) -> tuple[Violation, ...]:
    """Return the violations in their order, each edit of a triple tried in the dataset.

    It is verified iff its rule is then silent on the claim and no rule, shown or hidden, fires that
    was silent in `result`, which the same rules, overrides and selection gave. Edits of different
    claims are tried in one run of the rules, so that the cost grows with the text and not with its
    square; where such a run starts a rule, the edits of the claims it starts on fail, and the rest
    are tried in halves until the cause is found. Edits of words only a second reading can try, see
    `settle`. Those of the rules and claims in `tried` are left as they are.
    """
    before = {key_of(one) for one in (*result.violations, *result.hidden)}

    def run(batch: Sequence[Violation]) -> set[Key]:
        with dataset.trying():
            engine.apply_edits(
                dataset, {one.claim.id: one.edit for one in batch if one.claim and one.edit}
            )
            return engine.fired(dataset, rules, claims=claims, overrides=overrides, select=select)

    def try_all(waiting: list[list[list[int]]]) -> None:
        """Split each batch until no run of it starts a rule, or one edit alone does."""
        while waiting:
            batch = waiting.pop()
            if not batch:
                continue
            after = run([violations[alike[0]] for alike in batch])
            started = {claim for _, claim in after - before}
            own = [alike for alike in batch if key_of(violations[alike[0]])[1] in started]
            if not started or len(batch) == 1:
                for index in itertools.chain(*batch):
                    verified[index] = not started and key_of(violations[index]) not in after
            elif own:
                verified.update(dict.fromkeys(itertools.chain(*own), False))
                waiting.append([alike for alike in batch if alike not in own])
            else:
                waiting += [batch[len(batch) // 2 :], batch[: len(batch) // 2]]

    verified: dict[int, bool] = {}
    #: By claim, and by what is changed of it: what several violations ask for is tried once.
    wanted: dict[URIRef, dict[tuple[EditOperation, ...], list[int]]] = {}
    for index, violation in enumerate(violations):
        edit = violation.edit
        if violation.claim is None or key_of(violation) in tried:
            continue
        if edit and edit.operations and len(exchanged_words(edit)) < 2:
            alike = wanted.setdefault(violation.claim.id, {}).setdefault(edit.operations, [])
            alike.append(index)
    for batch in itertools.zip_longest(*(edits.values() for edits in wanted.values())):
        try_all([[alike for alike in batch if alike]])
    return tuple(
        replace(violation, edit=replace(violation.edit, verified=verified[index]))
        if violation.edit and index in verified
        else violation
        for index, violation in enumerate(violations)
    )


def key_of(violation: Violation) -> Key:
    """Return the rule of a violation and the claim that it is about."""
    return violation.rule, violation.claim.id if violation.claim else None


def settle(report: Report, recheck: Callable[[str], Report]) -> Report:
    """Return the report with each edit as far as it can be trusted.

    `recheck` reads a text with the same sources and verifies no edits. All exchanges are made at
    once and the text is read again; where some fail, it is read once more without them. Those left
    are read again in turns, see `_turns`: what holds only beside another edit is not safe, nor is
    one half of an exchange of figures. What a source has word for word is offered no edit. A text
    without an exchange is not read again.
    """
    verbatim = _verbatim(report)
    graded = [_graded(violation, report, verbatim) for violation in report.violations]
    offers: dict[int, Replacements] = {}
    for index, violation in enumerate(graded):
        edit = violation.edit
        if edit and edit.applicability == "safe" and edit.verified is not False:
            offers[index] = exchange(report, violation)
    chosen = _compatible(offers)
    tried = set(chosen)
    for _ in range(2):
        if not chosen:
            break
        failed = _failing(report, chosen, recheck)
        chosen = {index: made for index, made in chosen.items() if index not in failed}
        if not failed:
            break
    turns = _turns(report, chosen)
    for turn in turns if len(turns) > 1 else ():
        for index in _failing(report, turn, recheck):
            chosen.pop(index, None)
    while half := _halves(report, chosen):
        chosen = {index: made for index, made in chosen.items() if index not in half}
    for index, violation in enumerate(graded):
        edit = violation.edit
        if edit is None or edit.applicability != "safe":
            continue
        holds = index in chosen
        failed_before = index in tried or edit.verified is False
        graded[index] = replace(
            violation,
            edit=replace(
                edit,
                applicability="safe" if holds else "display",
                verified=True if holds else False if failed_before else None,
            ),
        )
    held = {made for made in chosen.values() if made}
    return replace(report, violations=tuple(_as_held(one, report, held) for one in graded))


def _halves(report: Report, chosen: Mapping[int, Replacements]) -> set[int]:
    """Return the edits that put in a figure which a refuted statement has that none of them mends.

    Two figures that were exchanged are put right together, or else both statements have one.
    """
    claims = [report.violations[index].claim for index in chosen]
    mended = {claim.sentence for claim in claims if claim}
    left = [
        _in_words(one.text)
        for one in report.statements
        if one.outcome in (Outcome.REFUTED, Outcome.CONFLICTING) and one.number not in mended
    ]
    return {
        index
        for index, made in chosen.items()
        for place in made
        if any(map(str.isdigit, place.text)) and any(_in_words(place.text) in one for one in left)
    }


def _turns(report: Report, chosen: Mapping[int, Replacements]) -> list[dict[int, Replacements]]:
    """Return the edits in turns, of which none changes a statement twice, nor two in a row."""
    turns: list[dict[int, Replacements]] = []
    last: list[tuple[Replacements, int]] = []  # of each turn the edit that changes the last one
    for index, made in sorted(chosen.items(), key=lambda one: one[1]):
        claim = report.violations[index].claim
        number = claim.sentence if claim else 0
        fits = (n for n, (one, there) in enumerate(last) if one == made or there < number - 1)
        at = next(fits, len(turns))
        turns[at:] = turns[at:] or [{}]
        last[at : at + 1] = [(made, number)]
        turns[at][index] = made
    return turns


def _as_held(violation: Violation, report: Report, held: Collection[Replacements]) -> Violation:
    """Return a violation with its edit safe where the same change was made for another and held."""
    edit = violation.edit
    if edit is None or edit.applicability != "display" or edit.verified is not None or not held:
        return violation
    if exchange(report, violation) not in held:
        return violation
    return replace(violation, edit=replace(edit, applicability="safe", verified=True))


def _graded(violation: Violation, report: Report, verbatim: frozenset[int]) -> Violation:
    """Return a violation whose edit is safe at most as an exchange, unsafe only as a removal."""
    edit = violation.edit
    if edit is None or not edit.operations:
        return violation
    if violation.claim is not None and violation.claim.sentence in verbatim:
        return replace(violation, edit=None)
    failed = False if edit.verified is False else None
    if any(operation.action == "ADD" for operation in edit.operations):
        if edit.applicability == "safe":
            return violation
        return replace(violation, edit=replace(edit, applicability="display", verified=failed))
    whole = edit.applicability != "display" and bool(removal(report, violation))
    edit = replace(edit, applicability="unsafe" if whole else "display", verified=failed)
    return replace(violation, edit=edit)


def _verbatim(report: Report) -> frozenset[int]:
    """Return the numbers of the statements with an edit whose words a source has in a row."""
    edited = {v.claim.sentence for v in report.violations if v.claim and v.edit}
    if not edited:
        return frozenset()
    sources = [_in_words(text) for name, text in report.sources.items() if name != report.source]
    said = {one.number: _in_words(one.text) for one in report.statements if one.number in edited}
    found = {
        text: any(text in source for source in sources)
        for text in dict.fromkeys(said.values())
        if text.strip()
    }
    return frozenset(number for number, text in said.items() if found.get(text))


def _in_words(text: str) -> str:
    return f" {' '.join(words(text))} "


def _compatible(offers: Mapping[int, Replacements]) -> dict[int, Replacements]:
    """Return the offers that can be made together; equal ones are one.

    Of two that overlap the one that changes more places prevails: an exchange of roles says more
    than a wrong subject. Where they change as many, nothing says which is right, and both go.
    """
    wanted = {made for made in offers.values() if made}
    places = sorted((place, made) for made in wanted for place in made)
    lost: set[Replacements] = set()
    for n, (place, made) in enumerate(places):
        for m in range(n + 1, len(places)):
            other, beside = places[m]
            if not _overlap(place, other):
                break
            if made != beside:
                lost |= {made} if len(beside) >= len(made) else set()
                lost |= {beside} if len(made) >= len(beside) else set()
    return {index: made for index, made in offers.items() if made and made not in lost}


def _overlap(one: Replacement, other: Replacement) -> bool:
    return one.start == other.start or (one.start < other.end and other.start < one.end)


def _failing(
    report: Report, offers: Mapping[int, Replacements], recheck: Callable[[str], Report]
) -> set[int]:
    """Return which edits leave their statement unsupported or start a finding.

    A finding that starts elsewhere counts against the edits of the nearest changed statement before
    it, that of a whole text against all.
    """
    places = sorted({one for made in offers.values() for one in made})
    try:
        again = recheck(written(report.text, places))
    except SourceError:  # longer by a word than what can be read
        return set(offers)
    read = {(one.span.start, one.text): one for one in again.statements}
    counterpart: dict[int, Statement | None] = {}
    changed: dict[int, set[int]] = {}
    makers: dict[Replacement, set[int]] = defaultdict(set)
    for index, made in offers.items():
        for place in made:
            makers[place].add(index)
    # the places lie apart, so that their ends are in order too
    starts, ends = [p.start for p in places], [p.end for p in places]
    gains = [0, *itertools.accumulate(len(p.text) - (p.end - p.start) for p in places)]
    for one in report.statements:
        first, last = bisect_left(starts, one.span.start), bisect_right(ends, one.span.end)
        own = places[first:last]
        moved = gains[bisect_right(ends, one.span.start)]
        text = written(one.text, [shifted(p, -one.span.start) for p in own])
        counterpart[one.number] = read.get((one.span.start + moved, text))
        if own:
            changed[one.number] = set().union(*(makers[place] for place in own))
    failed: set[int] = set()
    faulty = {violation.claim.sentence for violation in again.violations if violation.claim}
    for number, edits in changed.items():
        found = counterpart[number]
        if found is None or found.outcome is not Outcome.SUPPORTED or found.number in faulty:
            failed |= edits
    whole = (statement_of(report, violation.claim) for violation in report.violations)
    before = {
        (violation.rule, one.number if one else None)
        for violation, one in zip(report.violations, whole, strict=True)
    }
    numbers = {found.number: number for number, found in counterpart.items() if found}
    order = sorted(changed)
    for violation in again.violations:
        about = numbers.get(violation.claim.sentence) if violation.claim else None
        if about in changed or (violation.rule, about) in before:
            continue
        if about is None or about < order[0]:
            return set(offers)
        failed |= changed[order[bisect_left(order, about) - 1]]
    return failed


def rewrite(report: Report) -> str:
    """Return the text with the edits made that were verified; what was set aside is not edited."""
    offers = {
        index: exchange(report, one)
        for index, one in enumerate(report.violations)
        if one.edit
        and one.edit.applicability == "safe"
        and one.edit.verified
        and report.stands(one)
    }
    return written(report.text, sorted({p for made in _compatible(offers).values() for p in made}))


def fixed(report: Report) -> str | None:
    """Return the text with its safe edits made, None where there are none."""
    made = rewrite(report)
    return None if made == report.text else made


def fix(report: Report, check: Callable[[str], Report]) -> tuple[Report, int]:
    """Return the report of the text once no edit changes it, and the number of passes.

    Each pass is checked again. One that leaves more violations than before is not taken. Stops
    after 10 passes, and where a text comes back that was seen before.
    """
    seen = {report.text}
    for count in range(PASSES):
        text = rewrite(report)
        if text in seen:
            return report, count
        seen.add(text)
        better = check(text)
        if len(better.violations) > len(report.violations):
            return report, count + 1
        report = better
    return report, PASSES
