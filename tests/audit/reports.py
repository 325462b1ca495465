"""A few reports for a store: two days, a decision in between, knowledge bases that disagree."""

from __future__ import annotations

from dataclasses import replace

from groundrules.terms import (
    Evidence,
    Input,
    Outcome,
    Override,
    Report,
    Run,
    Severity,
    Statement,
    Verdict,
)
from tests.explain import cases

FIRST, SECOND = "2026-03-01T09:30:00Z", "2026-03-02T09:30:00Z"


def reports() -> tuple[Report, ...]:
    """Return the lease of two days, of which the second has decisions, a policy and a life."""
    lease = cases.lease()
    false_alarm, known = lease.violations[3], lease.violations[4]
    later = replace(
        lease,
        run=replace(lease.run, at=SECOND),
        overrides=(
            Override(false_alarm.fingerprint, "override", "the deed names him", "Ann", SECOND),
            Override(known.fingerprint, "baseline", "there before"),
            Override(lease.statements[4].fingerprint, "override", "read the deed", "Ann", SECOND,
                     Outcome.SUPPORTED),
        ),
    )  # fmt: skip
    policy = replace(cases.policy(), source="policy-answer.txt", run=Run("0.1.0", at=FIRST))
    return lease, later, policy, life()


def life() -> Report:
    """A text on which two knowledge bases were asked: one refutes it, the two disagree."""
    text = "Ada was born in Paris. Ada died in Warsaw. Was she tall?"
    born, died = (
        cases.claim(text, sentence, (None, None, None), said, source="life.txt", number=n)
        for n, (sentence, said) in enumerate([
            ("Ada was born in Paris.", cases.triple("ada", "born in", "paris")),
            ("Ada died in Warsaw.", cases.triple("ada", "died in", "warsaw")),
        ])
    )  # fmt: skip
    warsaw = Evidence(
        cases.triple("ada", "born in", "warsaw"),
        "facts.ttl",
        pin="https://kb.example/s1, revision 111, read 2026-03-01T09:00:00Z",
    )
    there = Evidence(died.triple, "facts.ttl", pin="https://kb.example/s2, revision 112")
    elsewhere = Evidence(cases.triple("ada", "died in", "paris"), "https://kb.example/sparql")
    said = [
        cases.statement(text, text[one.span.start : one.span.end], one.sentence, outcome, reason,
                        source="life.txt")
        for one, outcome, reason in (
            (born, Outcome.REFUTED, "KB401"), (died, Outcome.CONFLICTING, "merge"))
    ]  # fmt: skip
    asked: Statement = cases.statement(
        text, "Was she tall?", 2, Outcome.UNVERIFIABLE, "no-claim", source="life.txt",
        note="nothing in it could be asked about",
    )  # fmt: skip
    return Report(
        "life.txt",
        text,
        (*said, asked),
        (born, died),
        (
            Verdict(born, Outcome.REFUTED, "KB401", "kb", message="born in Warsaw",
                    evidence=(warsaw,)),
            Verdict(died, Outcome.CONFLICTING, "merge", "kb", evidence=(there, elsewhere)),
        ),
        (
            cases.violated("KB401", "other-value", Severity.ERROR, "born in Warsaw, not Paris",
                           born, (warsaw,)),
        ),
        labels={
            born.triple.subject: "Ada",
            born.triple.object: "Paris",
            died.triple.object: "Warsaw",
        },
        run=Run("0.1.0", inputs=(Input("facts.ttl", "knowledge base", "56" * 32),), at=SECOND),
    )  # fmt: skip
