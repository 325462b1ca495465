"""A guard behind a generator: an answer passes, is fixed, asked for again, or shown to a person.

HalluGraph's place is after generation: the answer is checked against its context, and a policy
turns the report into a decision. Nothing here decides what is true.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, get_args
from typing import Literal as OneOf

from groundrules import api
from groundrules.checks.inputs import Source, contexts_of
from groundrules.claims.declining import declines
from groundrules.claims.document import Document, from_text
from groundrules.config import Config
from groundrules.errors import ConfigError, GroundrulesError
from groundrules.explain import repair
from groundrules.explain.contrast import explain
from groundrules.explain.findings import told_open
from groundrules.terms import Conclusion, Outcome, Report, Severity, Statement, Violation

if TYPE_CHECKING:
    from groundrules.llm.budget import Budget
    from groundrules.llm.client import Client

#: What to do with an answer, the mildest first: let it pass, take it for a refusal, make its safe
#: edits, look for more sources, ask a person.
Decision = OneOf["pass", "refusal", "fix", "retrieve_again", "review"]
OnFail = OneOf["report", "exception", "fix", "filter", "reask", "refrain"]
#: What answers a prompt, by whatever means.
Generate = Callable[[str], str]

_ORDER: tuple[Decision, ...] = ("pass", "refusal", "fix", "retrieve_again", "review")
#: What a policy may say of a statement.
_RULINGS: tuple[Decision, ...] = ("pass", "retrieve_again", "review")
#: What the report notes of an answer that there was nothing to check against.
NO_SOURCE = "there is no source to check it against"
_DECLINES = "it declines to answer"
_NOTHING_STATED = "nothing in it states what could be checked"
_PASSES: tuple[Decision, str] = ("pass", "")
_FAULTS = (
    "It was checked against its sources, and this does not hold:\n{faults}\n\nAnswer again. Say "
    "only what the sources say; leave out what they do not."
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a report decides.

    `refuted` is for statements that a source contradicts, `unsupported` for those that none
    carries, `doubted` for those of them that have a figure or a name that no source gives, or that
    a warning speaks against, other than the word of a model alone, which never decides, and
    `unread` for what could not be read or asked about.
    `unsettled` is for an answer of which too few statements are supported (`Report.settled`).
    `fidelity` is the least CFI, below which more sources are looked for; None is no least. What
    does not pass is dealt with by `on_fail`: reported, raised as GuardError, fixed by its safe
    edits, filtered (its statements left out), asked for again with the faults told, at most
    `reasks` times, or refrained from.
    """

    refuted: Decision = "review"
    doubted: Decision = "review"
    unsupported: Decision = "pass"
    unread: Decision = "review"
    unsettled: Decision = "review"
    fidelity: float | None = None
    on_fail: OnFail = "report"
    reasks: int = 1

    def __post_init__(self) -> None:
        for name in ("refuted", "doubted", "unsupported", "unread", "unsettled"):
            value = getattr(self, name)
            if value not in _RULINGS:
                raise ConfigError(
                    f"policy {name} is {value!r}; expected pass, retrieve_again or review"
                )
        if self.on_fail not in get_args(OnFail):
            expected = ", ".join(get_args(OnFail))
            raise ConfigError(f"policy on_fail is {self.on_fail!r}; expected {expected}")


@dataclass(frozen=True, slots=True)
class Withheld:
    """Words of an answer that are not in the text to use, and why not."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Guarded:
    """What came of an answer: the decision, the text to use, and the report on it.

    `failing` are the statements that decided; `earlier` are the reports of the answers before a
    reask, an edit or a filter, the oldest first. `withheld` are the words of the answer that are
    left out of the text. A `refrained` answer has no text. `reason` says why it does not pass;
    `fixed` is the answer with its safe edits, where the decision is "fix" and `text` has none.
    """

    decision: Decision
    text: str
    report: Report
    failing: tuple[Statement, ...] = ()
    earlier: tuple[Report, ...] = field(default=(), repr=False)
    refrained: bool = False
    withheld: tuple[Withheld, ...] = ()
    reason: str = ""
    fixed: str = ""

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
        super().__init__(f"{guarded.decision}: {faults[0] if faults else guarded.reason}")
        self.guarded = guarded


def decide(report: Report, policy: Policy) -> Guarded:
    """Return what a policy makes of a report, by the gravest of its statements and figures.

    Where too few statements are supported, those that are left open decide. An answer that only
    declines is a refusal; one without a source asks for sources, whatever the policy.
    """
    if declines(report.text):
        return Guarded("refusal", report.text, report, reason=_DECLINES)
    if NO_SOURCE in report.unread:
        return Guarded("retrieve_again", report.text, report, reason=NO_SOURCE)
    if not report.enough_supported:
        policy = replace(
            policy,
            unsupported=_graver(policy.unsupported, policy.unsettled),
            unread=_graver(policy.unread, policy.unsettled),
        )
    grounds = list(_grounds(report, policy))
    decision, reason = max(grounds, key=lambda one: _ORDER.index(one[0]), default=_PASSES)
    own = [one for one in report.statements if _of_statement(one, report, policy) != "pass"]
    return Guarded(decision, report.text, report, tuple(own), reason=reason)


def _grounds(report: Report, policy: Policy) -> Iterator[tuple[Decision, str]]:
    """Yield what a report asks for, each with the reason; of what weighs the same the first."""
    yield _PASSES
    if report.unread or report.unasked or not report.statements:
        yield policy.unread, "; ".join((*report.unread, *report.unasked)) or _NOTHING_STATED
    for one in report.violations:
        if one.claim is None and _stands(one, Severity.ERROR, report):
            yield policy.refuted, one.message
    for statement in report.statements:
        own = _of_statement(statement, report, policy)
        if own != "pass":
            open_ = not _is_against(statement, report) and not report.enough_supported
            yield own, told_open(report) if open_ else _fault(statement, report)
    fidelity = report.metric("CFI").value
    if policy.fidelity is not None and fidelity is None:
        yield policy.unread, "its CFI is undefined"
    elif policy.fidelity is not None and fidelity is not None and fidelity < policy.fidelity:
        yield "retrieve_again", f"its CFI is {fidelity:.2f}, below {policy.fidelity:g}"


def _is_against(statement: Statement, report: Report) -> bool:
    return report.outcome_of(statement) in (Outcome.REFUTED, Outcome.CONFLICTING)


def _of_statement(statement: Statement, report: Report, policy: Policy) -> Decision:
    found = report.findings_of(statement)
    if _is_against(statement, report) or any(_stands(o, Severity.ERROR, report) for o in found):
        return policy.refuted
    outcome = report.outcome_of(statement)
    if outcome is Outcome.SUPPORTED:
        return "pass"
    own = policy.unsupported if outcome is Outcome.NOT_ENOUGH_INFO else policy.unread
    # the word of a model alone never decides
    doubted = report.invents(statement) or any(
        _stands(one, Severity.WARNING, report) and not one.traits.of_a_model for one in found
    )
    return _graver(own, policy.doubted) if doubted else own


def _stands(violation: Violation, severity: Severity, report: Report) -> bool:
    return violation.severity is severity and report.stands(violation)


def _graver(one: Decision, other: Decision) -> Decision:
    return max(one, other, key=_ORDER.index)


def faults_of(guarded: Guarded) -> tuple[str, ...]:
    """Return what is wrong with an answer, a sentence a finding, in the words of the texts."""
    report = guarded.report
    if guarded.decision == "refusal":
        return (_DECLINES,)
    unsettled = report.conclusion is Conclusion.NOT_SETTLED and not guarded.passes
    lines = [told_open(report)] if unsettled else []
    lines += [_fault(one, report) for one in guarded.failing]
    return (*report.unasked, *report.unread, *dict.fromkeys(lines))


def _fault(statement: Statement, report: Report) -> str:
    found = [one for one in report.findings_of(statement) if one.severity is Severity.ERROR]
    why = explain(found[0], report).text if found else ""
    note = why or statement.note or "no source says so"
    return note if why else f"“{' '.join(statement.text.split())}”: {note}"


def guard(
    generator: Generate | str,
    prompt: str = "",
    *,
    context: Source | Iterable[Source] = (),
    policy: Policy = DEFAULT,
    config: Config | None = None,
    question: str = "",
    client: Client | None = None,
    budget: Budget | None = None,
) -> Guarded:
    """Ask a generator, check its answer against a context, and decide what becomes of it.

    `generator` is any function from a prompt to an answer, or the answer itself, which cannot be
    asked for again. `question` is what the answer answers, where the prompt says more than that.
    Where nothing in the context has a word, and no knowledge base or ontology is set, it decides
    "retrieve_again". A language model that `config` names, or `client` in its place, is one for all
    checks of the answer; `budget` is what it and readers at endpoints may take together.

    Raises:
        GuardError: the answer does not pass, and the policy says "exception".
        SourceError, ConfigError, RuleError, ModelError: as `check`.
    """
    if isinstance(generator, str):
        policy = replace(policy, reasks=0)
    steps = _steps(prompt, policy, checker(context, config, question, client, budget))
    wanted = _advance(steps, None)
    while isinstance(wanted, str):
        wanted = _advance(steps, generator if isinstance(generator, str) else generator(wanted))
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
            if found.passes or not can_be_mended(found):
                break
            again = decide(check((yield _asked_again(prompt, found))), policy)
            found = replace(again, earlier=(*found.earlier, found.report))
    if found.passes:
        return found
    if found.decision == "refusal" and policy.on_fail in ("fix", "filter", "reask", "refrain"):
        return found
    mended = _mended(found, policy, check)
    if policy.on_fail == "fix" and mended is not None:
        found = mended
    elif policy.on_fail == "filter":
        found = _filtered(found, policy, check)
    elif mended is not None and mended.passes:
        found = replace(found, decision="fix", fixed=mended.text)
    if found.passes:
        return found
    if policy.on_fail == "exception":
        raise GuardError(found)
    if policy.on_fail == "refrain":
        return _refrained(found)
    return found


def can_be_mended(found: Guarded) -> bool:
    """Return whether another answer could do better: there is a source, and it says something."""
    return found.decision != "refusal" and NO_SOURCE not in found.report.unread


def _refrained(found: Guarded) -> Guarded:
    why = "; ".join(faults_of(found)) or found.reason
    withheld = (*found.withheld, Withheld(found.report.text, why))
    return replace(found, text="", refrained=True, withheld=withheld)


def _mended(found: Guarded, policy: Policy, check: Callable[[str], Report]) -> Guarded | None:
    """Return what is decided of the answer with its safe edits made; None where there are none."""
    report, passes = repair.fix(found.report, check)
    if not passes or report.text == found.report.text:
        return None
    return replace(decide(report, policy), earlier=(*found.earlier, found.report))


def _filtered(found: Guarded, policy: Policy, check: Callable[[str], Report]) -> Guarded:
    """Return what is decided of the answer without the statements that fail, if any is left.

    First go those that fail by themselves; what is left open goes where the rest is not settled.
    """
    alone = decide(found.report, replace(policy, unsettled="pass")).failing
    gone = alone or found.failing
    text = found.report.text
    for span in sorted({one.span for one in gone}, key=lambda span: span.start, reverse=True):
        rest = text[span.end :]
        text = text[: span.start] + (rest.lstrip(" ") if span.start else rest.lstrip())
    if not gone or not text.strip():
        return _refrained(found)
    withheld = tuple(Withheld(one.text, _fault(one, found.report)) for one in gone)
    left = replace(
        decide(check(text), policy),
        earlier=(*found.earlier, found.report),
        withheld=(*found.withheld, *withheld),
    )
    return _filtered(left, policy, check) if left.failing else left


def ask_again(found: Guarded) -> str:
    """Return the words that ask for another answer and tell what is wrong with the first."""
    faults = "\n".join(f"- {line}" for line in faults_of(found)) or f"- {found.reason}"
    return _FAULTS.format(faults=faults)


def _asked_again(prompt: str, found: Guarded) -> str:
    return f"{prompt}\n\nYour answer was:\n{found.report.text}\n\n{ask_again(found)}"


def checker(
    context: Source | Iterable[Source],
    config: Config | None,
    question: str,
    client: Client | None = None,
    budget: Budget | None = None,
) -> Callable[[str], Report]:
    """Return the check of an answer against a context, which is read now.

    Where there is no source the report says so, and nothing else. All its checks have one client of
    a language model, whose limits hold for them together: that of the configuration, where none is
    given.
    """
    given = contexts_of(context)
    if not has_source(given, config or Config()):
        return lambda text: unsourced(from_text(text, "answer"))
    if client is None and config is not None and config.llm.model != "never":
        from groundrules.llm.client import connect

        client = connect(config.llm, budget)

    def check(text: str) -> Report:
        return api.check(
            from_text(text, "answer"),
            context=given,
            config=config,
            question=question,
            client=client,
            budget=budget,
        )

    return check


def has_source(contexts: Sequence[Document], config: Config) -> bool:
    """Return whether there is anything to check against; what could not be read is a source."""
    return bool(config.kb or config.ontology) or any(
        one.text.strip() or one.unread for one in contexts
    )


def unsourced(document: Document) -> Report:
    """Return the report of a text that there is nothing to check against: it only says so."""
    name, text = document.name, document.text
    return Report(name, text, sources={name: text}, unread=(NO_SOURCE,))
