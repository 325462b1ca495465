"""A guard behind a generator: an answer passes, is fixed, asked for again, or shown to a person.

HalluGraph's place is after generation: the answer is checked against its context, and a policy
turns the report into a decision. Nothing here decides what is true.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
)
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args
from typing import Literal as OneOf

from groundrules import api
from groundrules.checks.inputs import Source
from groundrules.claims.document import Document, from_text
from groundrules.config import Config
from groundrules.errors import ConfigError, GroundrulesError
from groundrules.explain import repair
from groundrules.explain.contrast import explain
from groundrules.terms import Outcome, Report, Severity, Statement, Violation

#: What to do with an answer, the mildest first: let it pass, make its safe edits, look for more
#: sources, ask a person.
Decision = OneOf["pass", "fix", "retrieve_again", "review"]
OnFail = OneOf["report", "exception", "fix", "filter", "reask", "refrain"]
#: What answers a prompt, by whatever means.
Generate = Callable[[str], str]

_ORDER: tuple[Decision, ...] = ("pass", "fix", "retrieve_again", "review")
_FAULTS = (
    "It was checked against its sources, and this does not hold:\n{faults}\n\nAnswer again. Say "
    "only what the sources say; leave out what they do not."
)
#: Where a sentence may have ended; whether it did the parser tells.
_END = re.compile(r"[.!?:;][\"'”’)\]]*\s|\n")
_WORD = re.compile(r"\s*\S+\s")


@dataclass(frozen=True, slots=True)
class Policy:
    """What a report decides.

    `refuted` is for statements that a source contradicts, `unsupported` for those that none
    carries, `doubted` for those of them that a warning speaks against, other than the word of a
    model alone, which never decides, and `unread` for what could not be read or asked about.
    Findings of rules in `block` (prefixes of their ids) count as refuted whatever their severity,
    those of rules in `warn` do not count. `fidelity` is the least CFI, below which more sources are
    looked for; None is no least. What does not pass is dealt with by `on_fail`: reported, raised as
    GuardError, fixed by its safe edits, filtered (its statements left out), asked for again with
    the faults told, at most `reasks` times, or refrained from; a function is given the outcome and
    returns another.
    """

    refuted: Decision = "review"
    doubted: Decision = "review"
    unsupported: Decision = "pass"
    unread: Decision = "review"
    fidelity: float | None = None
    block: tuple[str, ...] = ()
    warn: tuple[str, ...] = ()
    on_fail: OnFail | Callable[[Guarded], Guarded] = "report"
    reasks: int = 1

    def __post_init__(self) -> None:
        for name in ("refuted", "doubted", "unsupported", "unread"):
            value = getattr(self, name)
            if value not in _ORDER or value == "fix":
                raise ConfigError(
                    f"policy {name} is {value!r}; expected pass, retrieve_again or review"
                )
        if not callable(self.on_fail) and self.on_fail not in get_args(OnFail):
            expected = ", ".join(get_args(OnFail))
            raise ConfigError(f"policy on_fail is {self.on_fail!r}; expected {expected}")


@dataclass(frozen=True, slots=True)
class Guarded:
    """What came of an answer: the decision, the text to use, and the report on it.

    `failing` are the statements that decided; `earlier` are the reports of the answers before a
    reask or an edit, the oldest first. A `refrained` answer has no text.
    """

    decision: Decision
    text: str
    report: Report
    failing: tuple[Statement, ...] = ()
    earlier: tuple[Report, ...] = field(default=(), repr=False)
    refrained: bool = False

    @property
    def passes(self) -> bool:
        """Whether the text may be used."""
        return self.decision == "pass"


#: Refuted and unread answers go to a person; what no source carries passes.
DEFAULT = Policy()


class GuardError(GroundrulesError):
    """An answer that does not pass; `guarded` has the report."""

    def __init__(self, guarded: Guarded) -> None:
        faults = faults_of(guarded)
        super().__init__(
            f"{guarded.decision}: {faults[0] if faults else 'not all could be checked'}"
        )
        self.guarded = guarded


def decide(report: Report, policy: Policy) -> Guarded:
    """Return what a policy makes of a report, by the gravest of its statements and figures."""
    decision: Decision = "pass"
    failing = []
    for statement in report.statements:
        own = _of_statement(statement, report, policy)
        if own != "pass":
            failing.append(statement)
        decision = _graver(decision, own)
    if report.unread or report.unasked or not report.statements:
        decision = _graver(decision, policy.unread)
    if any(_blocks(one, report, policy) for one in report.violations if one.claim is None):
        decision = _graver(decision, policy.refuted)
    fidelity = report.metric("CFI").value
    if policy.fidelity is not None and (fidelity is None or fidelity < policy.fidelity):
        decision = _graver(decision, "retrieve_again" if fidelity is not None else policy.unread)
    return Guarded(decision, report.text, report, tuple(failing))


def _of_statement(statement: Statement, report: Report, policy: Policy) -> Decision:
    found = report.findings_of(statement)
    if any(_blocks(one, report, policy) for one in found):
        return policy.refuted
    outcome = report.outcome_of(statement)
    if outcome in (Outcome.REFUTED, Outcome.CONFLICTING):
        # where all that speaks against it is of rules that only warn, nothing does
        grave = [one for one in found if one.severity is Severity.ERROR]
        warned = grave and all(one.rule.startswith(policy.warn) for one in grave)
        return policy.unsupported if warned else policy.refuted
    if outcome is Outcome.NOT_ENOUGH_INFO:
        doubted = any(_warns(one, report, policy) for one in found)
        return _graver(policy.unsupported, policy.doubted) if doubted else policy.unsupported
    return "pass" if outcome is Outcome.SUPPORTED else policy.unread


def _blocks(violation: Violation, report: Report, policy: Policy) -> bool:
    """Return whether a finding speaks against its statement."""
    if not report.stands(violation):
        return False
    if policy.block and violation.rule.startswith(policy.block):
        return True
    return violation.severity is Severity.ERROR and not (
        policy.warn and violation.rule.startswith(policy.warn)
    )


def _warns(violation: Violation, report: Report, policy: Policy) -> bool:
    """Return whether a warning speaks against its statement that is no word of a model alone."""
    return (
        violation.severity is Severity.WARNING
        and not violation.traits.of_a_model
        and report.stands(violation)
        and not (policy.warn and violation.rule.startswith(policy.warn))
    )


def _graver(one: Decision, other: Decision) -> Decision:
    return max(one, other, key=_ORDER.index)


def faults_of(guarded: Guarded) -> tuple[str, ...]:
    """Return what is wrong with an answer, a sentence a finding, in the words of the texts."""
    report = guarded.report
    lines = []
    for statement in guarded.failing:
        found = [one for one in report.findings_of(statement) if one.severity is Severity.ERROR]
        why = explain(found[0], report).text if found else ""
        note = why or statement.note or "no source says so"
        lines.append(note if why else f"“{' '.join(statement.text.split())}”: {note}")
    return (*report.unasked, *report.unread, *dict.fromkeys(lines))


def guard(
    generator: Generate | str,
    prompt: str = "",
    *,
    context: Source | Iterable[Source] = (),
    policy: Policy = DEFAULT,
    config: Config | None = None,
    question: str = "",
) -> Guarded:
    """Ask a generator, check its answer against a context, and decide what becomes of it.

    `generator` is any function from a prompt to an answer, such as `openai_generator` makes, or the
    answer itself, which cannot be asked for again. `question` is what the answer answers, where the
    prompt says more than that.

    Raises:
        GuardError: the answer does not pass, and the policy says "exception".
        SourceError, ConfigError, RuleError, ModelError: as `check`.
    """
    if isinstance(generator, str):
        answer, policy = generator, replace(policy, reasks=0)
        return guard(
            lambda _: answer, context=context, policy=policy, config=config, question=question
        )
    steps = _steps(prompt, policy, checker(context, config, question))
    wanted = _advance(steps, None)
    while isinstance(wanted, str):
        wanted = _advance(steps, generator(wanted))
    return wanted


async def aguard(
    generator: Callable[[str], Awaitable[str]],
    prompt: str = "",
    *,
    context: Source | Iterable[Source] = (),
    policy: Policy = DEFAULT,
    config: Config | None = None,
    question: str = "",
) -> Guarded:
    """Do as `guard` with a generator that is awaited; the checks run in a thread."""
    steps = _steps(prompt, policy, checker(context, config, question))
    wanted = _advance(steps, None)
    while isinstance(wanted, str):
        wanted = await asyncio.to_thread(_advance, steps, await generator(wanted))
    return wanted


def _advance(steps: Generator[str, str, Guarded], answer: str | None) -> str | Guarded:
    """Return the next prompt, or what came of it all."""
    try:
        return next(steps) if answer is None else steps.send(answer)
    except StopIteration as end:
        result: Guarded = end.value
        return result


def _steps(
    prompt: str, policy: Policy, check: Callable[[str], Report]
) -> Generator[str, str, Guarded]:
    """Yield prompts, take answers, and return what came of the last."""
    found = decide(check((yield prompt)), policy)
    if policy.on_fail == "reask":
        for _ in range(policy.reasks):
            if found.passes:
                break
            again = decide(check((yield _asked_again(prompt, found))), policy)
            found = replace(again, earlier=(*found.earlier, found.report))
    if found.passes:
        return found
    mended = _mended(found, policy, check)
    if policy.on_fail == "fix" and mended is not None:
        found = mended
    elif policy.on_fail == "filter":
        found = _filtered(found, policy, check)
    elif mended is not None and mended.passes:
        found = replace(found, decision="fix")
    if found.passes:
        return found
    if callable(policy.on_fail):
        return policy.on_fail(found)
    if policy.on_fail == "exception":
        raise GuardError(found)
    if policy.on_fail == "refrain":
        return replace(found, text="", refrained=True)
    return found


def _mended(found: Guarded, policy: Policy, check: Callable[[str], Report]) -> Guarded | None:
    """Return what is decided of the answer with its safe edits made; None where there are none."""
    report, passes = repair.fix(found.report, check)
    if not passes or report.text == found.report.text:
        return None
    return replace(decide(report, policy), earlier=(*found.earlier, found.report))


def _filtered(found: Guarded, policy: Policy, check: Callable[[str], Report]) -> Guarded:
    """Return what is decided of the answer without the statements that decided, if any is left."""
    text, gone = found.report.text, {one.span for one in found.failing}
    for span in sorted(gone, key=lambda span: span.start, reverse=True):
        rest = text[span.end :]
        text = text[: span.start] + (rest.lstrip(" ") if span.start else rest.lstrip())
    if not gone or not text.strip():
        return replace(found, text="", refrained=True)
    return replace(decide(check(text), policy), earlier=(*found.earlier, found.report))


def ask_again(found: Guarded) -> str:
    """Return the words that ask for another answer and tell what is wrong with the first."""
    faults = "\n".join(f"- {line}" for line in faults_of(found)) or "- it could not be checked"
    return _FAULTS.format(faults=faults)


def _asked_again(prompt: str, found: Guarded) -> str:
    return f"{prompt}\n\nYour answer was:\n{found.report.text}\n\n{ask_again(found)}"


def checker(
    context: Source | Iterable[Source], config: Config | None, question: str
) -> Callable[[str], Report]:
    """Return the check of an answer against a context."""
    given = [context] if isinstance(context, str | Path | Document) else list(context)

    def check(text: str) -> Report:
        document = from_text(text, "answer")
        return api.check(document, context=given, config=config, question=question)

    return check


def stream(
    chunks: Iterable[str],
    *,
    context: Source | Iterable[Source] = (),
    policy: Policy = DEFAULT,
    config: Config | None = None,
    question: str = "",
) -> Iterator[str]:
    """Yield an answer sentence by sentence, as each is complete and passes; the last is held back.

    A sentence is read together with those that passed before it. One that fails is left out where
    the policy says "filter", raises GuardError where it says "exception", and otherwise ends the
    stream; what fixes or asks again needs the whole answer. `policy.fidelity` is of the whole
    answer too, and is not looked at.
    """
    admit = Admission(checker(context, config, question), policy, config or Config())
    for chunk in chunks:
        yield from admit.add(chunk)
        if admit.ended:
            return
    yield from admit.end()


async def astream(
    chunks: AsyncIterable[str],
    *,
    context: Source | Iterable[Source] = (),
    policy: Policy = DEFAULT,
    config: Config | None = None,
    question: str = "",
) -> AsyncIterator[str]:
    """Do as `stream` with chunks that are awaited; the checks run in a thread."""
    admit = Admission(checker(context, config, question), policy, config or Config())
    async for chunk in chunks:
        for sentence in await asyncio.to_thread(admit.add, chunk):
            yield sentence
        if admit.ended:
            return
    for sentence in await asyncio.to_thread(admit.end):
        yield sentence


def last_end(text: str) -> int:
    """Return where a sentence last may have ended that a word follows, 0 where none has."""
    return max(
        (one.end() for one in _END.finditer(text) if _WORD.match(text, one.end())), default=0
    )


class Admission:
    """What of a stream has `passed`, and the words that are `waiting` for their sentence's end."""

    def __init__(
        self, check: Callable[[str], Report], policy: Policy, config: Config, passed: str = ""
    ) -> None:
        self._check, self._config = check, config
        self._policy = replace(policy, fidelity=None)
        self.passed, self.waiting, self.ended = passed, "", False

    def add(self, chunk: str) -> list[str]:
        """Return the sentences that a chunk completes and that pass."""
        self.waiting += chunk
        if not _END.search(self.waiting):
            return []
        *_, last = api.sentences(self.waiting, self._config) or ("",)
        at = self.waiting.rfind(last) if last else 0
        return self._admitted(at) if at else []

    def end(self) -> list[str]:
        """Return what is left, if it passes."""
        return self._admitted(len(self.waiting)) if self.waiting.strip() else []

    def _admitted(self, at: int) -> list[str]:
        complete, self.waiting = self.waiting[:at], self.waiting[at:]
        start = 0
        passed: list[str] = []
        for sentence in api.sentences(complete, self._config):
            end = complete.find(sentence, start) + len(sentence)
            end += len(complete[end:]) - len(complete[end:].lstrip())
            part, start = complete[start:end], end
            found = decide(self._check(self.passed + part), self._policy)
            failing = [s for s in found.failing if s.span.end > len(self.passed)]
            if not failing and not found.report.unasked:
                self.passed += part
                passed.append(part)
            elif self._policy.on_fail == "exception":
                raise GuardError(replace(found, failing=tuple(failing)))
            elif self._policy.on_fail != "filter":
                self.ended = True
                break
        return passed


def openai_generator(client: Any, model: str, **options: Any) -> Generate:
    """Return a generator that asks a client of the package `openai`, or one like it."""

    def generate(prompt: str) -> str:
        messages = [{"role": "user", "content": prompt}]
        answer = client.chat.completions.create(model=model, messages=messages, **options)
        return answer.choices[0].message.content or ""

    return generate
