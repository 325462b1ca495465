"""The view of a report: what its page, the page of a service and a dossier show of it, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from groundrules.explain.contrast import (
    headline,
)
from groundrules.explain.findings import (
    DECIDED,
    STANDINGS,
    UNREAD,
    counted,
    left_out,
    standing,
    told_least,
    told_open,
    why_open,
)
from groundrules.explain.formats.html.statement_view import source_names
from groundrules.explain.formats.html.words import NAMES, ORDER
from groundrules.explain.place import locate, source_name
from groundrules.terms import (
    LLM,
    Conclusion,
    Evidence,
    Metric,
    Outcome,
    Report,
    Severity,
    Statement,
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
_LISTED = 8  # reasons why something could not be checked


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
    names = {name for one in report.statements for name in source_names(one, report)}
    yield "verdict", "Verdict", [(one.value, NAMES[one]) for one in ORDER if found[one]]
    yield "rule", "Rule", [(one, one) for one in rules]
    yield "source", "Source", [(one, one) for one in sorted(names)]


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
