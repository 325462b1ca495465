"""What is told of an answer, and what a policy leaves of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from groundrules.guardrail import NO_SOURCE
from groundrules.service.work import Check, Decided

Json = dict[str, Any]

UNCHECKED = "not_checked"
#: What is said in place of an answer that is withheld.
REFUSAL = "The answer is withheld: its sources do not carry it."
_NO_CONTEXT = (
    "no context was given; expected a header X-Groundrules-Context, sources under groundrules, or "
    "a service that was started with --context"
)
CALLS = "it calls tools and says nothing besides"
NO_TEXT = "it has no text"
_NOT_READ = "it is not checked"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be done with an answer: the check of it.

    `context` is what its sources are known by, `whole` asks for the whole report.
    """

    check: Check
    context: str = ""
    whole: bool = False

    @property
    def on_fail(self) -> str:
        """What is done with an answer that does not pass."""
        return str(self.check.policy.on_fail) if self.check.policy else "report"

    @property
    def sourced(self) -> bool:
        """Whether there is a source to check an answer against."""
        return bool(self.check.sources or self.check.known)

    @property
    def held(self) -> bool:
        """Whether all of a stream must be there before any of it passes."""
        return self.on_fail != "report"


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a choice and its key, whether it calls tools, and what is decided of it."""

    text: str
    key: str
    calls: bool
    decided: Decided | str

    @property
    def again(self) -> str:
        """What asks for another answer; empty where none is wanted."""
        return "" if self.calls or isinstance(self.decided, str) else self.decided.again


def told_of(decided: Decided | str, wanted: Wanted, changed: bool, left_out: Iterable[str]) -> Json:
    """Return what is told of an answer: offsets are those of the text that the report is of."""
    if isinstance(decided, str):
        return with_left_out({"decision": UNCHECKED, "reason": decided}, left_out)
    report = decided.report
    told: Json = {"decision": decided.decision}
    if NO_SOURCE in report["unread"]:
        told["reason"] = _NO_CONTEXT if not wanted.sourced else NO_SOURCE
    elif decided.reason:
        told["reason"] = decided.reason
    if decided.fixed:
        told["fixed"] = decided.fixed
    told |= {
        "conforms": report["conforms"],
        "conclusion": report["conclusion"],
        "changed": changed,
        "statements": [
            {"start": one["span"]["start"], "end": one["span"]["end"], "outcome": one["outcome"]}
            for one in report["statements"]
        ],
        "findings": [
            {key: one[key] for key in ("rule", "name", "severity", "message", "statement")}
            for one in report["violations"]
            if one["severity"] != "info"
        ],
    }
    if words := decided.withheld:  # the words themselves only where all is wanted
        told["withheld"] = [
            {"text": one.text, "why": one.why} if wanted.whole else {"why": one.why}
            for one in words
        ]
    if wanted.whole:
        told["report"] = report
    return with_left_out(told, left_out)


def with_left_out(told: Json, names: Iterable[str]) -> Json:
    """Return what is told with the fields of an answer that a client does not get."""
    more = [{"field": name, "why": _NOT_READ} for name in dict.fromkeys(names)]
    return {**told, "withheld": [*told.get("withheld", ()), *more]} if more else told


def set_text(choice: Json, read: Reply) -> bool:
    """Put the text that a policy leaves in its place; return whether it is another one."""
    message, decided = choice["message"], read.decided
    if isinstance(decided, str):
        return False
    if decided.refrained and read.calls:  # the calls are what it answers
        message["content"] = message["refusal"] = None
    elif decided.refrained:
        message["content"] = message["refusal"] = REFUSAL
        choice["finish_reason"] = "content_filter"
    else:
        message[read.key] = decided.text
    return decided.refrained or decided.text != read.text
