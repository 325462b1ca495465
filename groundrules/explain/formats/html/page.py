"""The page: a report, or several, as one file that reaches nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from groundrules.explain.findings import (
    DECIDED,
    STANDINGS,
    UNREAD,
    counted,
    standing,
    told_least,
    told_open,
)
from groundrules.explain.formats import Look
from groundrules.explain.formats.html import diagrams, reading, record
from groundrules.explain.formats.html.cards import card, claims_elsewhere, elsewhere, sources_of
from groundrules.explain.formats.html.markup import Html, element, join, quoted, whole_page
from groundrules.explain.formats.html.words import MARKS, NAMES, ORDER
from groundrules.explain.listing import UNSETTLED_PAGE
from groundrules.terms import Conclusion, Outcome, Report, Severity

_FILLS = {
    Outcome.ERROR: "#33363b",
    Outcome.UNVERIFIABLE: "#596575",
    Outcome.REFUTED: "#a8380f",
    Outcome.CONFLICTING: "#7a3f8c",
    Outcome.NOT_ENOUGH_INFO: "#94690a",
    Outcome.SUPPORTED: "#00694f",
}
_DECIDED = "#3b6ea5"
#: What is said of a text: a mark, words and the name of a colour.
CONCLUSIONS = {
    Conclusion.PASSES: ("✓", "Passes", "yes"),
    Conclusion.FAILS: ("✗", "Does not pass", "no"),
    Conclusion.NOT_SETTLED: ("?", "Not settled", "unsettled"),
    Conclusion.NOT_CHECKED: ("–", "Could not be fully checked", "open"),
}
#: The reports that need a person first come first.
_RANKS = (Conclusion.NOT_CHECKED, Conclusion.FAILS, Conclusion.NOT_SETTLED, Conclusion.PASSES)
_SUPPORT = "Support is the probability that the sources say what a statement says."
_REDACTED = (
    "Texts, names and messages are kept out of this copy: places, rules and verdicts are "
    "those of the whole report."
)


def write(reports: Sequence[Report], look: Look, *, paper: bool = False) -> str:
    """Return the page of some reports; several have an index at the top.

    `paper` lays it out with what a formatter of paged media does fast: no grids.
    """
    style, script = _asset("page.css"), _asset("page.js")
    if paper:
        style = f"{style}\n{_asset('paper.css')}"
    names = [report.source for report in reports]
    title = names[0] if len(names) == 1 else counted(len(names), "text")
    several = len(reports) > 1
    parts = [
        _report(report, f"r{number}-" if several else "", look)
        for number, report in enumerate(reports, 1)
    ]
    return whole_page(
        f"Check of {title}",
        diagrams.patterns(),
        _index(reports) if several else None,
        element("main", *parts),
        element("footer", element("p", "Made by groundrules: one file that asks for nothing.")),
        _help(),
        style=style,
        script=script,
        images="data:",
    )


@cache
def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").strip()


def _index(reports: Sequence[Report]) -> Html:
    """Return the reports with their verdicts, those first that could not be fully checked."""
    listed = sorted(enumerate(reports, 1), key=lambda one: _rank(one[1]))
    rows = [
        element(
            "tr",
            element("td", element("a", quoted(report.source), href=f"#r{number}-top")),
            element("td", _verdict(report)),
            element("td", _bar(report)),
            element("td", _outcomes(report)),
        )
        for number, report in listed
    ]
    names = ("text", "verdict", "outcomes", "statements")
    head = element("tr", *(element("th", name, scope="col") for name in names))
    table = element("table", element("thead", head), element("tbody", *rows), class_="index")
    title = element("h1", "Check of ", counted(len(reports), "text"))
    scrolled = element("div", table, class_="scroll")
    return element("nav", title, scrolled, class_="index", aria_label="Reports")


def _rank(report: Report) -> int:
    # one that fails is behind those that could not be fully checked only where it was
    return _RANKS.index(report.conclusion) if report.complete else 0


def _verdict(report: Report) -> Html:
    """Return whether a text passes, as a mark and in words."""
    mark, told, name = CONCLUSIONS[report.conclusion]
    return element(
        "span",
        element("span", mark, class_="mark", aria_hidden="true"),
        f" {told}",
        class_=f"verdict {name}",
    )


def _bar(report: Report) -> Html:
    found, _ = record.counts(report)
    parts = [(one.value, found[one], _FILLS[one]) for one in ORDER if found[one]]
    parts += [("decided", number, _DECIDED) for number in record.decisions(report).values()]
    return diagrams.tally(parts, _outcomes(report))


def _outcomes(report: Report) -> str:
    found, noun = record.counts(report)
    aside = record.decisions(report)
    told = [f"{found[one]} {NAMES[one].lower()}" for one in ORDER if found[one]]
    told += [f"{number} {STANDINGS[kind]}" for kind, number in aside.items()]
    total = sum(found.values()) + sum(aside.values())
    return f"{counted(total, noun)}: {', '.join(told)}" if told else f"no {noun}"


def _report(report: Report, prefix: str, look: Look) -> Html:
    return element(
        "article",
        _head(report, prefix, redacted=look.redact),
        _body(report, prefix),
        record.sections(report, prefix, look),
        class_="report",
        id=f"{prefix}top",
    )


def _head(report: Report, prefix: str, *, redacted: bool) -> Html:
    """Return the top of a report: what was not checked, the verdict, what was checked, figures."""
    left = record.unchecked(report, prefix)
    found, _ = record.counts(report)
    linked = prefix if report.statements else None
    legend = [_counted_as(one, found[one], linked) for one in ORDER if found[one]]
    legend += [
        element("li", element("a", element("b", f"{number} "), STANDINGS[kind],
                              href=f"#{prefix}g-{kind}"))
        for kind, number in record.decisions(report).items()
    ]  # fmt: skip
    version = f"groundrules {report.run.version}, " if report.run.version else ""
    link = element("a", "record", href=f"#{prefix}a1")
    parts: list[Html | None] = [
        element("p", "Check of a text against its sources", class_="kind"),
        element("h1", quoted(report.source)),
        element("p", f"{version}checked at {report.run.at or 'a time not kept'}", class_="dim"),
        element("p", _REDACTED, class_="notice") if redacted else None,
    ]
    if left:
        title = element("h2", "What could not be checked")
        parts.append(element("section", title, element("ul", *left), class_="unchecked"))
    parts += [
        element(
            "section",
            element("p", _verdict(report), class_="conclusion"),
            element("p", why(report)),
            _what_to_do(report),
            _bar(report),
            element("ul", *legend, class_="legend") if legend else None,
            class_=f"outcome {CONCLUSIONS[report.conclusion][2]}",
        ),
        element(
            "section",
            element("h2", "What was checked, against what"),
            record.inputs(report),
            element("p", "Packs, models and settings are in the ", link, ".", class_="dim"),
            class_="about",
        ),
    ]
    if figures := record.metrics(report):
        title = element("h2", "Figures of the whole text")
        parts.append(element("section", title, figures, class_="about"))
    return element("header", *parts, class_="top")


def _what_to_do(report: Report) -> Html | None:
    if report.conclusion is not Conclusion.NOT_SETTLED:
        return None
    return element("p", element("a", "What to do about it", href=UNSETTLED_PAGE))


def _counted_as(outcome: Outcome, number: int, prefix: str | None) -> Html:
    """Return a count with the mark of its outcome, linked to its group where there is one."""
    mark = element("span", MARKS[outcome], class_=f"mark {outcome.value}", aria_hidden="true")
    told = join(mark, element("b", f" {number} "), NAMES[outcome].lower())
    if prefix is None:
        return element("li", told)
    return element("li", element("a", told, href=f"#{prefix}g-{outcome.value}"))


def why(report: Report) -> str:
    """Return in a sentence what the verdict on a text rests on."""
    found, noun = record.counts(report)
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
    _, noun = record.counts(report)
    found = (
        Counter(report.outcome_of(one) for one in report.statements if not report.set_aside(one))
        or record.counts(report)[0]
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


def _body(report: Report, prefix: str) -> Html:
    """Return the text beside the cards of its statements."""
    verdicts = {one.claim.id: one for one in report.verdicts}
    groups: list[Html] = []
    first = True
    for kind in (*(one.value for one in ORDER), *DECIDED):
        own = [one for one in report.statements if standing(one, report) == kind]
        if not own:
            continue
        cards = [
            card(one, report, verdicts, prefix, opened=first and number == 0)
            for number, one in enumerate(own)
        ]
        first = False
        title = STANDINGS[kind].capitalize() if kind in DECIDED else NAMES[Outcome(kind)]
        groups.append(_group(f"{title} ({len(own)})", cards, f"{prefix}g-{kind}"))
    if others := elsewhere(report, prefix):
        title = f"Findings in no statement ({len(others)})"
        groups.append(_group(title, others, f"{prefix}g-other"))
    if claims := claims_elsewhere(report, verdicts):
        listed = element("section", element("ul", *claims), class_="claims")
        groups.append(_group(f"Claims ({len(claims)})", [listed], f"{prefix}g-claims"))
    text = element(
        "section",
        element("h2", "The text", id=f"{prefix}text"),
        reading.text(report, prefix) if report.text else element("p", "The text is empty."),
        class_="reading",
    )
    listed = element(
        "section",
        element("h2", "Statement by statement" if report.statements else "What was found"),
        element("p", _SUPPORT, _least(report), class_="dim") if report.statements else None,
        _filters(report),
        *(groups or [element("p", "There is none.")]),
        class_="cards",
        tabindex=0,
        aria_label=f"Statements of {prefix}{report.source}",
    )
    return element("div", text, listed, class_="columns")


def _least(report: Report) -> str | None:
    threshold = dict(report.run.params).get("threshold", "")
    return f" From {float(threshold):.2f} on it counts." if record.is_number(threshold) else None


def _group(title: str, cards: Sequence[Html], name: str) -> Html:
    return element("section", element("h3", title), *cards, class_="group", id=name)


def _filters(report: Report) -> Html:
    """Return what the script filters by; it is hidden where there is none."""
    found = Counter(map(report.outcome_of, report.statements))
    rules = sorted({one.rule for one in report.violations})
    verdicts = [(one.value, NAMES[one]) for one in ORDER if found[one] and report.statements]
    return element(
        "div",
        _select("verdict", "Verdict", verdicts),
        _select("rule", "Rule", [(one, one) for one in rules]),
        _select("source", "Source", [(one, one) for one in sources_of(report)]),
        element("label", "Words", element("input", type="search", name="words")),
        element("button", "Keys", type="button", class_="keys", title="Keyboard (?)"),
        element("p", "", class_="dim shown", aria_live="polite"),
        class_="filters",
        hidden=True,
    )


def _select(name: str, title: str, options: Sequence[tuple[str, str]]) -> Html | None:
    if len(options) < 2:
        return None
    made = [element("option", told, value=value) for value, told in options]
    return element(
        "label", title, element("select", element("option", "all", value=""), *made, name=name)
    )


def _help() -> Html:
    keys = (
        ("j, k", "next and previous statement"),
        ("Enter", "open or close it"),
        ("t", "show it in the text"),
        ("Escape", "close it, or drop the filter"),
        ("/", "look for words"),
        ("?", "this list"),
    )
    rows = [
        element("div", element("dt", element("kbd", key)), element("dd", told))
        for key, told in keys
    ]
    return element(
        "dialog",
        element("h2", "Keyboard"),
        element("dl", *rows),
        element("button", "Close", type="button"),
        aria_label="Keyboard",
    )
