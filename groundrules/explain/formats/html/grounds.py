"""What the verdict of a card rests on: passages, figures, the parts of its score, triples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rdflib.term import URIRef

from groundrules.explain.contrast import spoken
from groundrules.explain.findings import counted
from groundrules.explain.formats.html import diagrams
from groundrules.explain.formats.html.markup import Html, element, join, quoted
from groundrules.explain.formats.html.passages import figure, lit, places, stated
from groundrules.explain.formats.html.words import MARKS, NAMES, REASONS, WEIGHED
from groundrules.explain.place import source_text
from groundrules.terms import Account, Claim, Outcome, Report, Statement, Verdict, Violation

_SUPPORTED_CLAIMS = 4  # triples of a statement that nothing is wrong with
_LISTED = 12
_STATUS = {
    "stated": "a source states it",
    "derived": "it follows",
    "miscalculated": "the sources' figures give another result",
    "conflict": "a source gives another figure in its place",
    "absent": "no source gives it, and it follows from nothing near",
}


def nearest(statement: Statement, found: Iterable[Violation], report: Report) -> Html | None:
    """Return the passages that a statement was held against, but those of its findings."""
    used = {item.span for one in found for item in one.evidence}
    left = [span for span in statement.passages if span not in used]
    quoting = not used and statement.outcome is not Outcome.UNVERIFIABLE
    first = None
    if quoting and left:
        text = source_text(report, left[0].source)
        if text is not None and left[0].end <= len(text):
            words = lit(text, left[0].start, left[0].end, ())
            first = figure("Held against", words, left[0], report, "source")
            left = left[1:]
    rest = None
    if left:
        lead = "Also held against: " if first or used else "Held against: "
        rest = element("p", lead, places(left, report, 2), class_="dim")
    return join(first, rest) if first or rest else None


def accounts(accounts: Sequence[Account], report: Report) -> Html | None:
    """Return how the sources account for the figures of a statement."""
    if not accounts:
        return None
    rows = [
        element(
            "tr",
            element("td", quoted(one.text)),
            element("td", _STATUS.get(one.status, one.status), f": {one.how}" if one.how else None),
            element("td", places(one.places, report, 2)),
            class_=one.status,
        )
        for one in accounts[:_LISTED]
    ]
    return element("section", element("h4", "Figures"), element("table", *rows), class_="figures")


def confidence(statement: Statement) -> Html | None:
    """Return what the score of a statement is made of, a bar for each part."""
    if statement.support is None:
        return None
    told_by = REASONS.get(statement.reason)
    head = element(
        "p",
        element("b", f"Support {statement.support:.2f}"),
        f"; settled because {told_by}." if told_by else None,
    )
    told = [(name, value) for name, value in statement.contributions if round(value, 2)]
    most = max((abs(value) for _, value in told), default=0.0)
    rows = [
        element(
            "tr",
            element("td", diagrams.odds(value, most)),
            element("td", f"{value:+.2f}", class_="figure"),
            element("td", _weighed(name, value)),
        )
        for name, value in told
    ]
    table = element("table", *rows, class_="odds") if rows else None
    return element("section", element("h4", "Confidence"), head, table, class_="confidence")


def _weighed(name: str, value: float) -> str:
    if name in WEIGHED:
        return WEIGHED[name][value < 0]
    return f"a language model's grade: {name}" if "graded" in name else name


def claims_of(
    statement: Statement, report: Report, verdicts: Mapping[URIRef, Verdict]
) -> Html | None:
    """Return the triples that were read from a statement, with what a knowledge base says."""
    claims = [*report.claims_of(statement)]
    if not claims:
        return None
    most = _SUPPORTED_CLAIMS if statement.outcome is Outcome.SUPPORTED else _LISTED
    # a part may stand where the whole does not
    part = len(claims) > 1 and any(
        (verdict := verdicts.get(claim.id)) and verdict.outcome != statement.outcome
        for claim in claims
    )
    rows = [claim_of(claim, verdicts.get(claim.id), report, part=part) for claim in claims[:most]]
    more = f"and {len(claims) - most} more" if len(claims) > most else None
    return element(
        "section",
        element(
            "h4",
            "Read as ",
            counted(len(claims), "triple"),
            ", all of which it needs to be supported" if part else None,
        ),
        element("ul", *rows),
        element("p", more, class_="dim") if more else None,
        class_="claims",
    )


def claim_of(claim: Claim, verdict: Verdict | None, report: Report, *, part: bool = False) -> Html:
    """Return a triple with its verdict, if it has one, and what that rests on.

    Of a `part` it is said that its verdict is not that of the statement.
    """
    words = quoted(spoken(claim, report))
    if verdict is None:
        return element("li", words)
    outcome = verdict.outcome
    name = NAMES[outcome].lower()
    if part and outcome is Outcome.SUPPORTED:
        told = element("span", "this part alone is stated", class_="told")
    else:
        told = element("span", MARKS[outcome], " ", name, class_=f"told {outcome.value}")
    asked = None
    if verdict.message or verdict.evidence:
        said = [element("div", stated(one, report)) for one in verdict.evidence[:3]]
        told_ = element("div", quoted(verdict.message)) if verdict.message else None
        asked = element("div", told_, *said, class_="dim")
    by = element("span", f" {verdict.reason}", class_="dim") if verdict.message else None
    return element("li", words, " ", told, by, asked)
