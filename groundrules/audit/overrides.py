"""What was decided of statements and violations: a baseline of those known, and what people say.

Both are files of JSON lines, one decision each, by fingerprint. They hide nothing: a report that
they are applied to has all that it had, and says what was decided of it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from groundrules import api
from groundrules.api import Source
from groundrules.audit import canonical
from groundrules.errors import SourceError
from groundrules.files import read_bounded, write_atomically
from groundrules.terms import Outcome, Override, Report, Violation

#: The most bytes of a file of decisions.
MOST_BYTES = 64 * 2**20
#: The outcomes that a baseline sets aside: one that could not be checked stays so.
_ASIDE = (Outcome.REFUTED, Outcome.CONFLICTING, Outcome.NOT_ENOUGH_INFO)
_FINGERPRINT = r"^[0-9a-f]{16}$"


@dataclass(frozen=True, slots=True)
class Decision:
    """A line of a file: what is decided of whatever has a fingerprint, in one text or in all.

    A person gives `why` and `by`, and an `outcome` unless it is set aside. In a baseline `was` is
    the outcome that a statement had; a violation has its `rule`, and where it is on a whole
    sentence the fingerprint of that `statement`, for its own changes as the sentence is moved.
    """

    fingerprint: Annotated[str, Field(pattern=_FINGERPRINT)]
    outcome: Outcome | None = None
    why: str = ""
    by: str = ""
    at: str = ""
    text: str = ""
    rule: str = ""
    statement: str = ""
    was: Outcome | None = None
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", str_min_length=1, str_strip_whitespace=True
    )

    @property
    def known(self) -> bool:
        """Whether it is of a baseline."""
        return bool(self.was or self.rule)


_DECISION = TypeAdapter(Decision)


def check(source: Source, *, decisions: Sequence[Decision], **given: Any) -> Report:
    """Check a text as `api.check` does, and apply decisions to its report."""
    return apply(api.check(source, **given), decisions)


def apply(report: Report, decisions: Iterable[Decision]) -> Report:
    """Return a report with the decisions that bear on it, those of a person last."""
    own = sorted((d for d in decisions if d.text in ("", report.source)), key=_is_said)
    known = defaultdict(set)
    for decision in own:
        known[decision.fingerprint].add(decision.was)
    new = {s.fingerprint for s in report.statements
           if s.outcome in _ASIDE and s.outcome not in known[s.fingerprint]}  # fmt: skip
    found = list(report.overrides)
    for decision in own:
        # of sentences in the same words, one that is judged otherwise than before counts for all
        if not decision.was or decision.fingerprint not in new:
            found += (override_of(decision, mark) for mark in _marks(decision, report))
    return report.with_overrides(tuple(dict.fromkeys(found)))


def baseline(reports: Iterable[Report]) -> list[Decision]:
    """Return the decisions that set aside all that is found in reports.

    What could not be checked is not among them.
    """
    found: dict[Decision, None] = {}
    for report in reports:
        text = report.source
        for statement in report.statements:
            if statement.outcome in _ASIDE:
                found[Decision(statement.fingerprint, text=text, was=statement.outcome)] = None
        whole = {one.number: one.fingerprint for one in report.statements}
        for one in report.violations:
            on = whole.get(one.claim.sentence, "") if _is_on_a_statement(one) and one.claim else ""
            found[Decision(one.fingerprint, text=text, rule=one.rule, statement=on)] = None
    return list(found)


def unused(reports: Sequence[Report], decisions: Iterable[Decision]) -> Iterator[Decision]:
    """Yield the decisions on what no report has."""
    for decision in decisions:
        texts = (one for one in reports if decision.text in ("", one.source))
        if not any(next(_marks(decision, one), "") for one in texts):
            yield decision


def read(path: Path) -> tuple[Decision, ...]:
    """Return the decisions of a file; SourceError with the line of a bad one."""
    try:
        data = read_bounded(path, MOST_BYTES)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise SourceError(f"cannot be read: {reason}", path=str(path)) from None
    if len(data) > MOST_BYTES:
        raise SourceError(f"larger than {MOST_BYTES:,} bytes", path=str(path))
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append(_decision(line))
            except ValueError as error:
                raise SourceError(
                    f"{error}; expected a line of `groundrules override`, or of a baseline",
                    path=str(path),
                    line=number,
                ) from None
    return tuple(found)


def write(path: Path, decisions: Iterable[Decision]) -> None:
    """Write a file of decisions; SourceError where it cannot be."""
    try:
        write_atomically(path, "".join(map(_line, decisions)).encode())
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", path=str(path)) from None


def add(path: Path, decision: Decision) -> None:
    """Add a decision to a file, which is made if there is none; SourceError as for `read`."""
    before = path.exists() and read(path)
    try:
        with path.open("ab+") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
            cut = before and file.read(1) != b"\n"
            file.write(b"\n" * bool(cut) + _line(decision).encode())
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", path=str(path)) from None


def _marks(decision: Decision, report: Report) -> Iterator[str]:
    """Yield the fingerprints of a report that a decision is on."""
    mark = decision.fingerprint
    alike = [one for one in report.statements if one.fingerprint == mark]
    if decision.was:
        yield from dict.fromkeys(mark for one in alike if one.outcome is decision.was)
        return
    if alike and not decision.rule:
        yield mark
    numbers = {s.number for s in report.statements if s.fingerprint == decision.statement}
    for violation in report.violations:
        moved = (
            violation.rule == decision.rule
            and violation.claim is not None
            and violation.claim.sentence in numbers
            and _is_on_a_statement(violation)
        )
        if violation.fingerprint == mark or moved:
            yield violation.fingerprint


def _is_on_a_statement(violation: Violation) -> bool:
    return violation.claim is not None and violation.claim.origin == "statement"


def _is_said(decision: Decision) -> bool:
    return not decision.known


def override_of(decision: Decision, mark: str) -> Override:
    """Return a decision as a report has it, on what has a fingerprint."""
    if decision.known:
        return Override(mark, "baseline", "known before")
    return Override(mark, "override", decision.why, decision.by, decision.at, decision.outcome)


def _decision(line: str) -> Decision:
    """Return the decision of a line; ValueError where it is none."""
    try:
        decision = _DECISION.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(": ".join((*map(str, first["loc"]), first["msg"]))) from None
    if not decision.known and not (decision.why and decision.by):
        raise ValueError("nobody says why: why or by is missing")
    if decision.known and decision.outcome:
        raise ValueError("a baseline gives no outcome")
    return decision


def _line(decision: Decision) -> str:
    data = {one.name: value for one in fields(Decision) if (value := getattr(decision, one.name))}
    return canonical.dumps(data).decode() + "\n"
