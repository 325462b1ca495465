"""The view of a report: what its page, the page of a service and a dossier show of it, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from markupsafe import Markup
from rdflib.term import URIRef

from groundrules.explain.contrast import (
    NOTHING_CARRIES,
    change,
    clip,
    contradicts,
    counterpart,
    explain,
    fact,
    focus,
    foil,
    headline,
    own,
    spoken,
    warrant,
)
from groundrules.explain.contrast import passage as is_passage
from groundrules.explain.findings import (
    DECIDED,
    STANDINGS,
    UNREAD,
    counted,
    findings_told,
    kind_of_evidence,
    left_out,
    standing,
    standing_of,
    told_least,
    told_open,
    why_open,
)
from groundrules.explain.formats.html.markup import joined, quoted, within
from groundrules.explain.formats.html.passages import Range, passage, stated, wrong
from groundrules.explain.formats.html.words import NAMES, ORDER, WEIGHED
from groundrules.explain.place import locate, quote, source_name, source_text
from groundrules.terms import (
    LLM,
    Claim,
    Conclusion,
    Evidence,
    Metric,
    Outcome,
    Report,
    Severity,
    Span,
    Statement,
    Verdict,
    Violation,
)

#: What is said of a text: a mark, words and the name of a colour.
CONCLUSIONS = {
    Conclusion.PASSES: ("✓", "Passes", "yes"),
    Conclusion.FAILS: ("✗", "Does not pass", "no"),
    Conclusion.NOT_SETTLED: ("?", "Not settled", "unsettled"),
    Conclusion.NOT_CHECKED: ("–", "Could not be fully checked", "open"),
}
#: The reports that need a person first come first.
_RANKS = (Conclusion.NOT_CHECKED, Conclusion.FAILS, Conclusion.NOT_SETTLED, Conclusion.PASSES)
SEVERITY = {Severity.ERROR: "Error", Severity.WARNING: "Warning", Severity.INFO: "Note"}
_SHORT = 150  # code points of a sentence in the head of its card
_LISTED = 8  # reasons why something could not be checked
_BETWEEN = "\u241f"  # names of sources, which may have spaces; the script parts them there


# --- the whole of a report --------------------------------------------------------------------


def ranked(reports: Sequence[Report]) -> list[tuple[int, Report]]:
    """Return the reports with their numbers, those first that could not be fully checked."""

    def rank(one: tuple[int, Report]) -> int:
        # one that fails is behind those that could not be fully checked only where it was
        return _RANKS.index(one[1].conclusion) if one[1].complete else 0

    return sorted(enumerate(reports, 1), key=rank)


def counts(report: Report) -> tuple[Counter[Outcome], str]:
    """Return how many statements have each outcome; claims where there are no statements.

    Those that were decided on are not among them: see `decisions`.
    """
    if report.statements or not report.verdicts:
        undecided = (one for one in report.statements if not report.override_of(one))
        return Counter(one.outcome for one in undecided), "statement"
    return Counter(one.outcome for one in report.verdicts), "claim"


def decisions(report: Report) -> dict[str, int]:
    """Return how many statements are hidden by a baseline or were decided on, by kind."""
    found = Counter(standing(one, report) for one in report.statements)
    return {kind: found[kind] for kind in DECIDED if found[kind]}


def outcomes(report: Report) -> str:
    """Return how many statements have which outcome, in words."""
    found, noun = counts(report)
    aside = decisions(report)
    told = [f"{found[one]} {NAMES[one].lower()}" for one in ORDER if found[one]]
    told += [f"{number} {STANDINGS[kind]}" for kind, number in aside.items()]
    total = sum(found.values()) + sum(aside.values())
    return f"{counted(total, noun)}: {', '.join(told)}" if told else f"no {noun}"


def bars(report: Report) -> Iterator[tuple[str, float, float]]:
    """Yield the shares of the outcomes in a bar 1000 wide: name, place and width."""
    found, _ = counts(report)
    parts = [(one.value, found[one]) for one in ORDER if found[one]]
    parts += [("decided", number) for number in decisions(report).values()]
    total, at = sum(number for _, number in parts), 0.0
    for name, number in parts:
        wide = 1000 * number / total
        yield name, at, max(wide - 2, 1)
        at += wide


def why(report: Report) -> str:
    """Return in a sentence what the verdict on a text rests on."""
    found, noun = counts(report)
    open_ = found[Outcome.NOT_ENOUGH_INFO]
    left = sum(found[one] for one in UNREAD)
    it, is_ = ("it", "is") if open_ == 1 else ("them", "are")
    carried = f" {counted(open_, noun)} {is_} left open: no source supports {it}."
    warnings = sum(
        one.severity is Severity.WARNING and report.stands(one) for one in report.violations
    )
    warned = f" {counted(warnings, 'warning')} of rules: see the cards." if warnings else ""
    match report.conclusion:
        case Conclusion.PASSES:
            told = "All was read and put to the sources, and none of them speaks against it."
            told += warned
        case Conclusion.NOT_SETTLED:
            told = told_open(report).partition(": ")[2]
            return (
                f"{told}: no source supports {it}, and none refutes {it}. That is no pass: "
                f"{told_least(report)}.{warned}"
            )
        case Conclusion.FAILS:
            told = _speaking_against(report)
            if not report.complete:
                told += " And not all could be checked."
        case _:
            told = "Nothing that could be read speaks against it, which says nothing of the rest."
            if not report.statements and not report.claims:
                told = "No statement was found in it, so nothing is known of it."
            elif left and left == sum(found.values()):
                told = "Nothing of it could be read or asked about, so nothing is known of it."
    return told + (carried if open_ else "")


def _speaking_against(report: Report) -> str:
    """Return what speaks against a text, counted."""
    _, noun = counts(report)
    found = (
        Counter(report.outcome_of(one) for one in report.statements if not report.set_aside(one))
        or counts(report)[0]
    )
    parts = [
        f"{counted(found[one], noun)} {'is' if found[one] == 1 else 'are'} {NAMES[one].lower()}"
        for one in (Outcome.REFUTED, Outcome.CONFLICTING)
        if found[one]
    ]
    if not parts:
        errors = sum(
            one.severity is Severity.ERROR and report.stands(one) for one in report.violations
        )
        parts = [counted(errors, "error") + " of rules"] if errors else ["The policy of the check"]
        return f"{parts[0]} {'stands' if errors < 2 else 'stand'} against it."
    return f"{', and '.join(parts)}."


def gaps(report: Report) -> list[tuple[str, str, int | None]]:
    """Return what could not be checked, why, and the number of the first statement of which.

    Why and number are empty and None where it is of no statement.
    """
    parts: list[tuple[str, str, int | None]] = [
        (cause, "", None) for cause in (*report.unasked, *report.unread)
    ]
    if report.complete:
        return parts
    left = [one for one in report.statements if report.outcome_of(one) in UNREAD]
    whys = Counter(why_open(one, report) or NAMES[one.outcome] for one in left)
    first = {(why_open(one, report) or NAMES[one.outcome]): one for one in reversed(left)}
    listed = whys.most_common(_LISTED)
    for told, number in listed:
        parts.append((f"{counted(number, 'statement')}: ", told, first[told].number))
    if more := len(left) - sum(number for _, number in listed):
        parts.append((f"{counted(more, 'statement')} for other reasons: see the cards", "", None))
    return parts or [(one, "", None) for one in left_out(report)]


def threshold(report: Report, name: str) -> float:
    """Return the least value that a parameter asks for, 0 where it is none."""
    try:
        return max(float(dict(report.run.params).get(name, "")), 0.0)
    except ValueError:
        return 0.0


def least(metric: Metric, report: Report) -> float:
    """Return the least value that passes; of a mean over several checks there is none."""
    return threshold(report, f"{metric.name}.threshold") if metric.checks == 1 else 0.0


def groups(report: Report) -> Iterator[tuple[str, str, list[Statement]]]:
    """Yield the statements by what they are counted as: kind, title and all of them."""
    for kind in (*(one.value for one in ORDER), *DECIDED):
        mine = [one for one in report.statements if standing(one, report) == kind]
        title = STANDINGS[kind].capitalize() if kind in DECIDED else NAMES[Outcome(kind)]
        if mine:
            yield kind, title, mine


def filters(report: Report) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield what cards can be filtered by: name, title and the values of each."""
    found = Counter(map(report.outcome_of, report.statements))
    rules = sorted({one.rule for one in report.violations})
    names = {name for one in report.statements for name in _sources(one, report)}
    yield "verdict", "Verdict", [(one.value, NAMES[one]) for one in ORDER if found[one]]
    yield "rule", "Rule", [(one, one) for one in rules]
    yield "source", "Source", [(one, one) for one in sorted(names)]


# --- a statement ------------------------------------------------------------------------------


def sources(statement: Statement, report: Report) -> str:
    """Return the names of the sources that a card names, as the script parts them."""
    return _BETWEEN.join(_sources(statement, report))


def _sources(statement: Statement, report: Report) -> list[str]:
    named = [source_name(span.source) for span in statement.passages[:1]]
    items = [item for one in report.findings_of(statement) for item in one.evidence]
    named += [source_name(item.span.source if item.span else item.source) for item in items]
    return [" ".join(name.split()) for name in dict.fromkeys(named)]


def head(statement: Statement, report: Report) -> str:
    """Return the words by which a statement is told in one line."""
    found = findings_told(statement, report)
    clipped = clip(statement.span, focus(found[0]) if found else None, report, _SHORT)
    return clipped or statement.text[:_SHORT]


def all_wrong(statement: Statement, report: Report) -> list[Range]:
    """Return the ranges of a statement that are at fault."""
    found = findings_told(statement, report)
    grave = [one for one in found if one.severity is not Severity.INFO]
    return [span for one in grave for span in wrong(one, report)]


def findings(statement: Statement, report: Report) -> Iterator[tuple[Violation, bool, bool]]:
    """Yield the findings, whether both texts were shown by one before, and whether it is lesser.

    On paper those that are lesser are their names alone: they are of the same place as one before
    them, or are notes of a statement against which something graver was found.
    """
    seen: set[object] = set()
    for violation in findings_told(statement, report):
        key = (tuple(wrong(violation, report)), *(item.span for item in violation.evidence))
        lesser = bool(seen) and violation.severity is Severity.INFO
        besides = (lesser or key in seen) and report.override_of(violation) is None
        yield violation, key in seen, besides
        seen.add(key)


def held(statement: Statement, report: Report) -> tuple[Span | None, list[Span], bool]:
    """Return the passage to show, the others a statement was held against, and if any was shown.

    Those of its findings are shown with them.
    """
    used = {item.span for one in findings_told(statement, report) for item in one.evidence}
    left = [span for span in statement.passages if span not in used]
    if left and not used and statement.outcome is not Outcome.UNVERIFIABLE:
        text = source_text(report, left[0].source)
        if text is not None and left[0].end <= len(text):
            return left[0], left[1:], True
    return None, left, bool(used)


def weighed(name: str, value: float) -> str:
    """Return what a part of a score says."""
    if name in WEIGHED:
        return WEIGHED[name][value < 0]
    return f"a language model's grade: {name}" if "graded" in name else name


# --- a finding --------------------------------------------------------------------------------


def pair(violation: Violation, report: Report) -> list[tuple[Markup, Span]]:
    """Return the passages to show beside a finding, none where its own sentence cannot be."""
    claim = violation.claim
    text = source_text(report, claim.span.source) if claim else None
    if claim is None or text is None or claim.span.end > len(text):
        return []
    return [
        (words, item.span)
        for item in distinct(violation.evidence)
        if (words := passage(violation, item, report)) and item.span
    ][:2]


def other_side(violation: Violation, report: Report) -> str:
    """Return what the passage beside a sentence is to it, as a title."""
    return {
        "passage": "Its passage",
        "against": "Against it",
        "nearest": "Nearest in the source",
        "text says": "The text itself says",
    }.get(kind_of_evidence(violation, report), "The source says")


def distinct(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return the evidence, the first of each place."""
    return list({item.span: item for item in reversed(list(evidence))}.values())[::-1]


def rows(violation: Violation, report: Report) -> Iterator[tuple[str, Markup]]:
    """Yield claimed, rather and because, the edit, and what a model makes of it."""
    for name, words, by in reasons(violation, report):
        yield name, joined(quoted(words), within("span", f" ({by})", "dim") if by else None)
    for other in dict.fromkeys(quote(one.span, report) for one in violation.others):
        if other:
            yield "at fault too", quoted(other)
    for item in distinct(violation.evidence)[:3]:
        if item.span is None or source_text(report, item.span.source) is None:
            yield "stated by", stated(item, report)
    if (done := change(violation, report)) and violation.edit:
        standing_ = within("span", f" ({standing_of(violation.edit)})", "dim")
        yield "edit", joined(quoted(done), standing_)
    if violation.phrased:
        yield "model's words", quoted(violation.phrased)


def reasons(violation: Violation, report: Report) -> list[tuple[str, str, str]]:
    """Return claimed, rather and because: each its name, its words and the axiom it rests on."""
    told = explain(violation, report)
    span = focus(violation)
    claimed, rather = quote(span, report) or "", ""
    for item in violation.evidence:
        rather = rather or quote(counterpart(violation, item, report), report) or ""
    claim = violation.claim
    assert claim is not None
    if not (claimed and rather and span != claim.span):
        as_triple = claim.origin != "statement" and spoken(claim, report)
        claimed = as_triple or fact(violation, report, _SHORT)
        rather = foil(violation, report, _SHORT)
    found: list[tuple[str, str, str]] = []
    if violation.severity is not Severity.INFO or claim.origin != "statement":
        found.append(("claimed", claimed, ""))
    if rather and (found or not violation.evidence):
        name = "rather" if contradicts(violation) else "nearest"
        if is_passage(violation):
            name = "passage"
        elif own(violation, report) and contradicts(violation):
            name = "but also"
        found.append((name, rather, ""))
    axiom = warrant(violation)
    both = rather and claimed in told.because and rather in told.because
    if axiom or not (both or told.because == NOTHING_CARRIES):
        found.append(("because", told.because, axiom))
    return found


def verdicts(report: Report) -> dict[URIRef, Verdict]:
    """Return the verdicts by their claims."""
    return {one.claim.id: one for one in report.verdicts}


def claims_elsewhere(report: Report) -> list[Claim]:
    """Return the claims that are read from no statement, as those of a record."""
    numbers = {statement.number for statement in report.statements}
    return [claim for claim in report.claims if claim.sentence not in numbers]


def differs(claims: Sequence[Claim], statement: Statement, found: Mapping[URIRef, Verdict]) -> bool:
    """Return whether a part of a statement has another verdict than the whole."""
    outcomes = [found[claim.id].outcome for claim in claims if claim.id in found]
    return len(claims) > 1 and any(one is not statement.outcome for one in outcomes)


def contributions(statement: Statement) -> list[tuple[str, float, int]]:
    """Return what a score is made of: name, log odds, and the width of its bar of sixty."""
    told = [(name, value) for name, value in statement.contributions if round(value, 2)]
    most = max((abs(value) for _, value in told), default=0.0)
    return [(name, value, round(60 * value / most)) for name, value in told]


# --- the record -------------------------------------------------------------------------------


def worst_first(report: Report) -> list[tuple[Violation, str]]:
    """Return the findings, the most severe first, each with its headline."""
    order = list(Severity)
    found = sorted(report.violations, key=lambda one: order.index(one.severity))
    return [(one, headline(one, report)) for one in found]


def evidence(report: Report) -> list[Evidence]:
    """Return the evidence of findings and verdicts."""
    found = [one.evidence for one in report.violations]
    return [item for each in (*found, *(one.evidence for one in report.verdicts)) for item in each]


def by_source(found: Iterable[Evidence]) -> list[tuple[str, int]]:
    """Return how much of the evidence is of each source, the most first, of twelve."""
    by = Counter(source_name(item.span.source if item.span else item.source) for item in found)
    return sorted(by.items(), key=lambda item: (-item[1], item[0]))[:12]


def placed(found: Iterable[Evidence], report: Report) -> int:
    """Return how much of the evidence has a place in a text."""
    return sum(item.span is not None and locate(item.span, report) is not None for item in found)


def calls(report: Report, *, models: bool) -> str:
    """Return what asking has cost, with what language models were asked or without."""
    kept = [(name, n) for name, n in report.run.calls if models or not name.startswith(LLM)]
    return ", ".join(f"{name} {number:,}" for name, number in kept)


def asked_a_model(report: Report) -> bool:
    """Return whether a language model was asked."""
    return any(name.startswith(LLM) for name, _ in report.run.calls)


def pairs(told: Iterable[tuple[str, object]]) -> str:
    """Return names with their values."""
    return ", ".join(f"{name} {value}" for name, value in told)


def named(policy: Iterable[str]) -> str:
    """Return the outcomes that a policy names."""
    return ", ".join(NAMES[Outcome(one)] for one in policy)
