"""The record: the ten sections that an auditor looks for, what is unknown said to be unknown."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

from groundrules.explain.contrast import headline
from groundrules.explain.findings import (
    DECIDED,
    STANDINGS,
    UNREAD,
    counted,
    left_out,
    standing,
    why_open,
)
from groundrules.explain.formats import Look
from groundrules.explain.formats.html.cards import badge
from groundrules.explain.formats.html.findings import decided
from groundrules.explain.formats.html.markup import Html, code, element, join, quoted
from groundrules.explain.formats.html.passages import place
from groundrules.explain.formats.html.words import MEANING, METRICS, NAMES, ORDER, rule_link
from groundrules.explain.place import locate, source_name
from groundrules.terms import LLM, Evidence, Logged, Metric, Outcome, Report, Severity

_LISTED = 8  # reasons why something could not be checked
_UNKNOWN = Html('<em class="unknown">unknown</em>')


def sections(report: Report, prefix: str, look: Look) -> Html:
    """Return the ten sections."""
    made: tuple[tuple[str, Callable[[Report, str], Iterable[Html | None]]], ...] = (
        ("Scope and method", _scope),
        ("Summary", _summary),
        ("Findings", _findings),
        ("Quality of the evidence", _evidence),
        ("Thresholds and calibration", _thresholds),
        ("Errors", _errors),
        ("Overrides and suppressions", _overrides),
        ("Reproduction", partial(_reproduction, look)),
        ("Integrity", partial(_integrity, look)),
        ("Limits", _limits),
    )
    parts = [
        element("section", element("h3", f"{number}. {title}"), *make(report, prefix),
                id=f"{prefix}a{number}")
        for number, (title, make) in enumerate(made, 1)
    ]  # fmt: skip
    return element("section", element("h2", "Record of the check"), *parts, class_="record")


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


def inputs(report: Report) -> Html:
    """Return what was checked against what, with names and hashes."""
    given = report.run.inputs
    rows = [
        element(
            "tr",
            element("th", "text checked" if one.role == "text" else one.role, scope="row"),
            element(
                "td",
                quoted(one.name),
                f" ({one.format})" if one.format else None,
                element("br"),
                code(f"SHA-256 {one.sha256}") if one.sha256 else "no hash is given",
            ),
        )
        for one in given
    ]
    if not any(one.role == "text" for one in given):
        rows.insert(0, _named("text checked", report.source))
    if not given:
        others = sorted(name for name in report.sources if name != report.source)
        rows += [_named("source", name) for name in others]
    return _table(element("tbody", *rows), class_="inputs")


def _named(role: str, name: str) -> Html:
    return element(
        "tr",
        element("th", role, scope="row"),
        element("td", quoted(name), ", SHA-256 ", _UNKNOWN),
    )


def metrics(report: Report) -> Html | None:
    """Return each figure of the whole text with what it means."""
    if not report.metrics:
        return None
    params = dict(report.run.params)
    rows = []
    for one in report.metrics:
        value = "undefined" if one.value is None else f"{one.value:.2f}"
        told = METRICS.get(one.name, "A figure of a rule of your own.")
        cells = element("td", value, class_="figure"), element("td", told, _least(one, params))
        rows.append(element("tr", element("th", one.name, scope="row"), *cells))
    return _table(element("tbody", *rows), class_="metrics")


def _least(metric: Metric, params: dict[str, str]) -> str | None:
    threshold = params.get(f"{metric.name}.threshold")
    # a threshold is that of one check; of a mean over several it says nothing
    if threshold is None or metric.checks != 1 or not is_number(threshold):
        return None
    return f" Passes from {float(threshold):.2f}."


def is_number(value: str) -> bool:
    """Return whether a parameter is a number above 0, as thresholds that hold are."""
    try:
        return float(value) > 0
    except ValueError:
        return False


def unchecked(report: Report, prefix: str) -> list[Html]:
    """Return what could not be checked and why, each with a link to where it stands."""
    return [
        element(
            "li",
            quoted(what) if number is None else what,
            element("a", quoted(why), href=f"#{prefix}s{number}") if why else None,
        )
        for what, why, number in gaps(report)
    ]


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
    for why, number in listed:
        parts.append((f"{counted(number, 'statement')}: ", why, first[why].number))
    if more := len(left) - sum(number for _, number in listed):
        told = f"{counted(more, 'statement')} for other reasons: see the cards"
        parts.append((told, "", None))
    return parts or [(one, "", None) for one in left_out(report)]


# --- the sections -----------------------------------------------------------------------------


def _scope(report: Report, prefix: str) -> Iterable[Html | None]:
    run = report.run
    yield inputs(report)
    rows: list[tuple[str, str | Html | None]] = [
        ("checked at", run.at or join(_UNKNOWN, ": the run kept no time")),
        ("version", f"groundrules {run.version}" if run.version else _UNKNOWN),
        ("question", quoted(run.question) if run.question else "none was given"),
        ("rule packs", _digests(run.packs)),
        ("models", _digests(run.models)),
        ("settings that are not the default", _pairs(run.settings) or "none"),
        (
            "fails besides",
            ", ".join(NAMES[Outcome(one)].lower() for one in report.policy)
            or "nothing but what is refuted, conflicting or an error of a rule",
        ),
        ("may go unchecked", f"{report.unverifiable:.0%} of the statements"),
        ("must be supported to pass", f"{report.settled:.0%} of the statements"),
    ]
    yield _facts(rows)
    more = f", and {counted(len(report.assertions), 'assertion')} in the terms of what was asked"
    yield element(
        "p",
        "In scope is each sentence, list item and table row that asserts something: ",
        f"{counted(len(report.statements), 'statement')}, from which ",
        f"{counted(len(report.claims), 'triple')} were read{more if report.assertions else ''}",
        ". Headings and lead-ins that assert nothing are not.",
    )
    left = unchecked(report, prefix)
    yield element("h4", "What was not checked, and why")
    if left:
        yield element("ul", *left)
    else:
        yield element("p", "All that asserts something was read and put to the sources.")


def _summary(report: Report, _: str) -> Iterable[Html | None]:
    found, noun = counts(report)
    aside = decisions(report)
    total = sum(found.values()) + sum(aside.values())
    rows = [
        element(
            "tr",
            element("th", badge(outcome), scope="row"),
            element("td", f"{found[outcome]:,}", class_="figure"),
            element("td", f"{found[outcome] / total:.0%}" if total else "", class_="figure"),
            element("td", MEANING[outcome]),
        )
        for outcome in ORDER
    ] + [
        element(
            "tr",
            element("th", STANDINGS[kind], scope="row"),
            element("td", f"{number:,}", class_="figure"),
            element("td", f"{number / total:.0%}", class_="figure"),
            element("td", "see what was decided, and why"),
        )
        for kind, number in aside.items()
    ]
    yield _table(element("tbody", *rows), class_="outcomes")
    settled = sum(found[o] for o in (Outcome.SUPPORTED, Outcome.REFUTED, Outcome.CONFLICTING))
    share = f"{settled / total:.0%}" if total else "undefined"
    rows_: list[tuple[str, str | Html | None]] = [
        ("coverage", f"{share}: {settled} of {counted(total, noun)} settled either way"),
        ("recall of the reading",
         join(_UNKNOWN, ": no run measures which statements of a text it has not seen")),
        ("what to do with the text", f"{report.guardrail} (guardrail of HalluGraph)"
         if any(one.name == "CFI" for one in report.metrics) else None),
        ("probability that no statement is wrong",
         None if report.probability is None else f"{report.probability:.2f}"),
        ("settled by", ", ".join(f"{name} {number}" for name, number in report.run.stages) or None),
    ]  # fmt: skip
    yield _facts(rows_)


def _findings(report: Report, prefix: str) -> Iterable[Html | None]:
    order = list(Severity)
    found = sorted(report.violations, key=lambda one: order.index(one.severity))
    if not found:
        yield element("p", "No rule found anything.")
        return
    numbers = {one.number for one in report.statements}
    rows = []
    for one in found:
        claim = one.claim
        where = quoted("the whole text") if claim is None else place(claim.span, report)
        if claim is not None and claim.sentence in numbers:
            where = element("a", str(claim.sentence + 1), href=f"#{prefix}s{claim.sentence}")
        level = one.severity.value
        stands = None if report.stands(one) else " (does not count: see 7)"
        rows.append(
            element(
                "tr",
                element("td", element("span", level, class_=f"level {level}"), stands),
                element("td", rule_link(one)),
                element("td", where),
                element("td", quoted(headline(one, report))),
                element("td", code(one.fingerprint)),
            )
        )
    names = ("severity", "rule", "statement", "finding", "fingerprint")
    head = element("tr", *(element("th", name, scope="col") for name in names))
    yield element("p", "The most severe first; the card of each statement has its evidence.")
    yield _table(element("thead", head), element("tbody", *rows), class_="list")


def _evidence(report: Report, _: str) -> Iterable[Html | None]:
    found: list[Evidence] = [item for one in report.violations for item in one.evidence]
    found += [item for one in report.verdicts for item in one.evidence]
    by = Counter(source_name(item.span.source if item.span else item.source) for item in found)
    placed = sum(item.span is not None and locate(item.span, report) is not None for item in found)
    pinned = sum(item.pin is not None for item in found)
    asked = [(name, number) for name, number in report.run.calls if not name.startswith(LLM)]
    bases = [one.name for one in report.run.inputs if one.role == "knowledge base"]
    snapshots = [one for one in report.run.inputs if one.role == "snapshot"]
    listed = join(
        *(join(", " if n else None, quoted(name), f" {number}") for n, (name, number) in
          enumerate(sorted(by.items(), key=lambda item: (-item[1], item[0]))[:12]))
    )  # fmt: skip
    rows: list[tuple[str, str | Html | None]] = [
        ("pieces of evidence", f"{len(found)}, of findings and verdicts"),
        ("by source", listed or "none"),
        ("with a place in a text", str(placed)),
        ("pinned to a revision", str(pinned)),
        ("without references of their own",
         join(_UNKNOWN, ": a report keeps no references of statements of a knowledge base")
         if bases else "does not apply: no knowledge base was asked"),
        ("endpoints and bases", join(*(join(", " if n else None, quoted(b)) for n, b in
                                       enumerate(bases))) or "none"),
        ("age of the snapshot", join(_UNKNOWN, ": see the file named above") if snapshots
         else "does not apply: no snapshot was used"),
        ("requests", ", ".join(f"{name} {number:,}" for name, number in asked) or "none"),
    ]  # fmt: skip
    yield _facts(rows)


def _thresholds(report: Report, _: str) -> Iterable[Html | None]:
    yield _facts([(name, value) for name, value in report.run.params])
    fitted = [one for one in report.run.inputs if one.role == "calibration"]
    yield element(
        "p",
        "Support was calibrated with the file named above. "
        if fitted
        else "Support is as the weights that ship were fitted; no calibration was given. ",
        "A reliability table is ",
        _UNKNOWN,
        " for these texts: it takes labelled rows of the same kind (groundrules eval --calibrate).",
    )
    yield element(
        "p",
        "Known weak classes: what is said in quite other words than its source is left open rather "
        "than supported; a scorer alone refutes nothing; numbers in a "
        "sentence that the tagger misreads may be tied to the wrong thing.",
    )


def _errors(report: Report, _: str) -> Iterable[Html | None]:
    unread = [*report.unasked, *report.unread]
    failed = [one for one in report.statements if one.outcome is Outcome.ERROR]
    yield element("ul", *(element("li", quoted(one)) for one in unread)) if unread else None
    told = counted(len(failed), "statement") if failed else "No statement"
    yield element("p", f"{told} could not be put to a source.")
    if report.run.notes:
        yield element("h4", "Notes of the run")
        yield element("ul", *(element("li", quoted(note)) for note in report.run.notes))
    calls = ", ".join(f"{name} {number:,}" for name, number in report.run.calls)
    yield element("p", "Calls, with retries: ", calls or "none were made", ".")


def _overrides(report: Report, prefix: str) -> Iterable[Html | None]:
    if not report.overrides:
        yield element("p", "None: every verdict is that of the check.")
        return
    about = {one.fingerprint: one for one in report.statements}
    rows = []
    for one in report.overrides:
        mine = about.get(one.fingerprint)
        link = (
            element("a", f"statement {mine.number + 1}", href=f"#{prefix}s{mine.number}")
            if mine
            else None
        )
        rows.append(element("li", code(one.fingerprint), " ", link, decided(one)))
    yield element("ul", *rows, class_="decided")


def _reproduction(look: Look, report: Report, _: str) -> Iterable[Html | None]:
    run = report.run
    if look.command:
        yield element("p", "With the same files in place, in the folder where it was given:")
        yield element("pre", look.command)
    else:
        yield element(
            "p",
            "No command made it, but a program: it comes out again where a check is given texts "
            "with the hashes of section 1, and its settings.",
        )
    if report.logged:
        replay = ["groundrules", "replay", look.log or report.logged.log, "--text", report.source]
        yield element("p", "Without the files, from what was kept beside the log:")
        yield element("pre", shlex.join(replay))
    yield _facts(
        [
            ("version", run.version or _UNKNOWN),
            ("dataset of the check (SHA-256)", code(run.dataset) if run.dataset else _UNKNOWN),
            ("result of a replay", _replayed(report.logged)),
        ]
    )


def _integrity(look: Look, report: Report, _: str) -> Iterable[Html | None]:
    hashed = sum(bool(one.sha256) for one in report.run.inputs)
    yield _facts(
        [
            ("inputs with a hash", f"{hashed} of {len(report.run.inputs)}"),
            *(_chain(look, report.logged) if report.logged else [("log", "not logged")]),
        ]
    )


def _chain(look: Look, logged: Logged) -> list[tuple[str, str | Html | None]]:
    log = look.log or logged.log
    verify = ["groundrules", "log", "verify", log, "--head", logged.head]
    if look.public_key:
        verify += ["--public-key", look.public_key]
    return [
        ("log", quoted(log)),
        ("head of the log", code(logged.head)),
        ("signed by", code(logged.key) if logged.key else "not signed"),
        ("how to verify", element("pre", shlex.join(verify))),
    ]


def _replayed(logged: Logged | None) -> str:
    if logged is None:
        return "not logged, so there is nothing to replay"
    return {
        None: "not replayed",
        True: "identical: checked again from what was kept, the same report came out",
        False: "differs: this is what came out when it was checked again",
    }[logged.replayed]


def _limits(report: Report, _: str) -> Iterable[Html | None]:
    told = (
        "The world is open: what no source states is left open and is not held to be false; that "
        "nothing was found wrong says nothing beyond these sources.",
        "The sources are taken as they are: whether they are true, in force or complete was not "
        "checked.",
        "Language: English. What is in another language or script is told as not checkable.",
        "Time: dates are compared as written; what held when the sources were written may not hold "
        "now.",
        "A language model graded statements; whether the words it quotes decide is its judgement."
        if any(name.startswith(LLM) for name, _ in report.run.calls)
        else "No language model was asked.",
        "This is no legal advice, and no statement that a text or a process conforms to a law.",
    )
    yield element("ul", *(element("li", one) for one in told))


def _facts(rows: Iterable[tuple[str, str | Html | None]]) -> Html:
    return element(
        "dl",
        *(element("div", element("dt", name), element("dd", told)) for name, told in rows if told),
        class_="facts-list",
    )


def _digests(pairs: Iterable[tuple[str, str]]) -> Html:
    told = [element("div", name, " ", code(value)) for name, value in pairs]
    return join(*told) if told else element("span", "none")


def _pairs(pairs: Iterable[tuple[str, str]]) -> Html:
    return join(*(join(", " if n else None, code(f"{name} = {value}"))
                  for n, (name, value) in enumerate(pairs)))  # fmt: skip


def _table(*parts: Html, class_: str) -> Html:
    return element("div", element("table", *parts, class_=class_), class_="scroll")
