"""Edits tried on a copy of the dataset, and texts rewritten."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal, Node, URIRef

from groundrules import api
from groundrules.checks import report as checks_report
from groundrules.dataset import Dataset
from groundrules.explain import edits, repair
from groundrules.rules import engine
from groundrules.rules.rule import Rule, load_rule, parse_rule
from groundrules.terms import (
    ENTITY,
    GR,
    SOURCE,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Outcome,
    Report,
    Severity,
    Span,
    Statement,
    Triple,
    Violation,
    mint,
)
from tests.explain import cases
from tests.rows import each

LEASE = URIRef(f"{SOURCE}lease.txt")


def packed(*names: str) -> list[Rule]:
    folder = Path(str(files("groundrules.rules.packs.core")))
    return [load_rule(folder / f"{name}.toml") for name in names]


def named(number: int, triple: Triple, source: str = "answer.txt") -> Claim:
    return Claim(URIRef(f"urn:{source}:{number}"), triple, Span(source, number, number + 1))


def dataset(claims: list[Claim], evidence: list[Triple]) -> Dataset:
    data = Dataset()
    data.add_claims(claims)
    data.add_evidence([named(n, t, "lease.txt") for n, t in enumerate(evidence)], LEASE)
    data.parse("<urn:groundrules:relation:decided-by> a owl:FunctionalProperty .")
    return data


ROE = cases.triple("roe", "decided by", "scotus")
WRONG = cases.triple("roe", "decided by", "fifth circuit")


def test_an_edit_to_what_the_source_says_is_verified() -> None:
    claims = [named(0, WRONG)]
    data = dataset(claims, [ROE])
    rules = packed("object-conflict", "ungrounded-entity")
    result = engine.check(data, rules)
    (violation,) = [v for v in result.violations if v.rule == "GR201"]

    (tried,) = repair.verify_all([violation], data, rules, result)

    assert tried.edit == replace(violation.edit, verified=True)  # type: ignore[type-var]
    assert engine.check(data, rules) == result, "the dataset is left as it was"


def test_an_edit_to_what_no_source_says_is_not_verified() -> None:
    other = cases.triple("roe", "decided by", "district court")
    claims = [named(0, WRONG)]
    data = dataset(claims, [ROE])
    rules = packed("object-conflict")
    result = engine.check(data, rules)
    (violation,) = result.violations
    bad = Edit((EditOperation("DELETE", WRONG), EditOperation("ADD", other)), "safe")

    (tried,) = repair.verify_all([replace(violation, edit=bad)], data, rules, result)

    assert tried.edit == replace(bad, verified=False)


def test_a_deleted_claim_is_silent() -> None:
    data = dataset([named(0, cases.triple("roe", "sues", "nobody")), named(1, ROE)], [ROE])
    rules = packed("ungrounded-entity")
    result = engine.check(data, rules)

    found = repair.verify_all(result.violations, data, rules, result)

    verdicts = {(v.rule, v.edit.verified if v.edit else None) for v in found}
    assert verdicts == {("GR101", True)}


ONE_EACH = b"""
id = "XX001"
name = "two-alike"
summary = "Two claims are alike"
message = "two say the same"
select = '''
SELECT ?claim ?other WHERE {
  ?claim a gr:Claim ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o .
  ?other a gr:Claim ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o .
  FILTER (!sameTerm(?claim, ?other))
}
'''
"""


@pytest.mark.parametrize("shown", [{}, {"select": ("GR201",)}])
def test_of_edits_tried_together_only_the_one_that_does_harm_fails(
    shown: dict[str, tuple[str, ...]],
) -> None:
    """Also where the rule that it starts is hidden."""
    wrong = [
        cases.triple(f"case {n}", "decided by", "fifth circuit") for n in range(7)
    ]  # fmt: skip
    right = [cases.triple(f"case {n}", "decided by", "scotus") for n in range(7)]
    claims = [named(n, t) for n, t in enumerate([*wrong, right[3]])]
    data = dataset(claims, right)
    rules = [*packed("object-conflict"), parse_rule(ONE_EACH, "two-alike.toml")]
    result = engine.check(data, rules, **shown)

    found = repair.verify_all(result.violations, data, rules, result, **shown)

    verified = [v.edit.verified for v in found if v.edit]
    assert verified == [True, True, True, False, True, True, True]


@given(st.lists(st.sampled_from(["scotus", "fifth circuit", "texas court"]), max_size=6))
def test_a_verified_edit_silences_its_rule(objects: list[str]) -> None:
    claims = [named(n, cases.triple(f"c{n}", "decided by", o)) for n, o in enumerate(objects)]
    data = dataset(claims, [cases.triple(f"c{n}", "decided by", "scotus") for n in range(6)])
    rules = packed("object-conflict")
    result = engine.check(data, rules)

    for violation in repair.verify_all(result.violations, data, rules, result):
        assert violation.edit
        assert violation.claim
        assert violation.edit.verified
        engine.apply_edit(data, violation.edit, violation.claim.id)
    assert engine.check(data, rules).violations == ()


def test_an_edit_of_words_is_not_tried_on_the_dataset() -> None:
    data = dataset([named(0, WRONG)], [ROE])
    rules = packed("object-conflict")
    result = engine.check(data, rules)
    (violation,) = result.violations
    edit = words_edit(named(0, WRONG), "May", "June")

    (tried,) = repair.verify_all([replace(violation, edit=edit)], data, rules, result)

    assert tried.edit == edit


def words_edit(claim: Claim, old: str, new: str, applicability: str = "safe") -> Edit:
    return Edit(
        (
            EditOperation("DELETE", Triple(claim.id, GR.words, Literal(old))),
            EditOperation("ADD", Triple(claim.id, GR.words, Literal(new))),
        ),
        applicability,  # type: ignore[arg-type]
    )


def stated(text: str, outcome: Outcome = Outcome.REFUTED) -> tuple[Statement, ...]:
    """Return the sentences of a text as statements."""
    return tuple(
        Statement(URIRef(f"urn:s{n}"), n, m[0], Span("answer.txt", m.start(), m.end()), outcome)
        for n, m in enumerate(re.finditer(r"\S[^.]*\.(?:\d[^.]*\.)*", text))
    )


def report_of(
    text: str, source: str, *found: tuple[str, str], applicability: str = "safe"
) -> Report:
    """Return a report that would have the first words of each pair be the second."""
    statements = stated(text)
    violations = []
    for old, new in found:
        start = text.index(old)
        own = next(s for s in statements if s.span.start <= start < s.span.end)
        claim = Claim(own.id, Triple(own.id, GR.text, Literal(own.text)), own.span,
                      origin="statement", sentence=own.number)  # fmt: skip
        violations.append(
            Violation(
                "GR306", "other-figure", Severity.ERROR, "m", claim,
                (Evidence(claim.triple, "s", Span("s", 0, len(source))),),
                words_edit(claim, old, new, applicability),
                bindings=(("start", Literal(start)), ("end", Literal(start + len(old)))),
            )
        )  # fmt: skip
    return Report("answer.txt", text, statements, violations=tuple(violations),
                  sources={"answer.txt": text, "s": source})  # fmt: skip


def approving(*refused: str, read: list[str] | None = None) -> Callable[[str], Report]:
    """Return a second reading that supports every statement without the words refused."""

    def recheck(text: str) -> Report:
        if read is not None:
            read.append(text)
        found = tuple(
            replace(one, outcome=Outcome.REFUTED)
            if any(words in one.text for words in refused)
            else one
            for one in stated(text, Outcome.SUPPORTED)
        )
        return Report("answer.txt", text, found)

    return recheck


def settled(report: Report, *refused: str) -> tuple[str, list[tuple[str, bool | None]]]:
    """Return the text that the safe edits make, and how far each edit is trusted."""
    found = repair.settle(report, approving(*refused))
    edits = [(v.edit.applicability, v.edit.verified) for v in found.violations if v.edit]
    return repair.rewrite(found), edits


SAFE, SHOWN = ("safe", True), ("display", None)


@each("text old new source expected")
def test_a_value_or_name_gives_way_to_that_of_the_evidence_in_its_words(
    text: str, old: str, new: str, source: str, expected: str
) -> None:
    assert settled(report_of(text, source, (old, new))) == (expected, [SAFE])


@each("text old new source")
def test_an_adjective_or_a_part_of_a_name_is_never_exchanged(
    text: str, old: str, new: str, source: str
) -> None:
    assert settled(report_of(text, source, (old, new))) == (text, [SHOWN])


@each("text old new source")
def test_one_never_takes_the_place_of_many_where_the_sentence_would_show_it(
    text: str, old: str, new: str, source: str
) -> None:
    assert settled(report_of(text, source, (old, new))) == (text, [SHOWN])


@each("text old new expected")
def test_an_edit_that_needs_another_article_is_refused(
    text: str, old: str, new: str, expected: str | None
) -> None:
    report = report_of(text, f"It is {new} there.", (old, new))

    assert settled(report) == (expected or text, [SAFE if expected else SHOWN])


@each("text old new source")
def test_only_the_words_of_a_value_give_way_to_those_of_one_of_its_kind(
    text: str, old: str, new: str, source: str
) -> None:
    assert settled(report_of(text, source, (old, new))) == (text, [SHOWN])


def test_no_word_is_doubled() -> None:
    report = report_of("It is kept by Maria Lee.", "Lee Maria keeps it.", ("Lee", "Maria"))

    assert settled(report)[1] == [SHOWN]


def test_a_verbatim_statement_is_offered_no_edit() -> None:
    text = "The fee is $900. It is due."
    report = report_of(text, "The  fee is $900. Or: a fee of $800.", ("$900", "$800"))

    found = repair.settle(report, approving())

    assert [v.edit for v in found.violations] == [None]
    assert repair.rewrite(found) == text


@pytest.mark.parametrize("verdict", [Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED])
def test_an_edit_that_reads_unsupported_is_shown_and_never_made(verdict: Outcome) -> None:
    report = report_of("The fee is $900.", "A fee of $800.", ("$900", "$800"))

    def recheck(text: str) -> Report:
        return Report("answer.txt", text, stated(text, verdict))

    found = repair.settle(report, recheck)

    (edit,) = [v.edit for v in found.violations if v.edit]
    assert (edit.applicability, edit.verified) == ("display", False)
    assert repair.rewrite(found) == report.text


def test_an_edit_that_leaves_a_finding_is_not_made() -> None:
    report = report_of("The fee is $900.", "A fee of $800.", ("$900", "$800"))

    def recheck(text: str) -> Report:
        left = replace(report.violations[0], severity=Severity.INFO, edit=None)
        return replace(approving()(text), violations=(left,))

    (found,) = repair.settle(report, recheck).violations

    assert found.edit
    assert found.edit.verified is False


def test_a_finding_that_starts_in_what_follows_counts_against_the_edit() -> None:
    text = "The fee is $900. It is due. The rent is $700."
    report = report_of(text, "A fee of $800, a rent of $600.", ("$900", "$800"), ("$700", "$600"))
    second = report.statements[1]
    claim = replace(report.violations[0].claim, sentence=1, span=second.span)  # type: ignore[type-var]
    started = Violation("GR999", "x", Severity.ERROR, "m", claim)

    def recheck(text: str) -> Report:
        return replace(approving()(text), violations=(started,) if "$800" in text else ())

    found = repair.settle(report, recheck)

    assert [v.edit and v.edit.verified for v in found.violations] == [False, True]


def test_all_edits_are_read_again_at_once_and_once_more_without_those_that_fail() -> None:
    text = "The fee is $900. The rent is $700. The cap is $50."
    report = report_of(text, "A fee of $800, a rent of $600, a cap of $40.",
                       ("$900", "$800"), ("$700", "$600"), ("$50", "$40"))  # fmt: skip
    read: list[str] = []

    found = repair.settle(report, approving("$600", read=read))

    assert read == [
        "The fee is $800. The rent is $600. The cap is $40.",
        "The fee is $800. The rent is $700. The cap is $40.",
    ]
    assert repair.rewrite(found) == read[1]
    assert [v.edit and v.edit.verified for v in found.violations] == [True, False, True]


@pytest.mark.parametrize(
    "text",
    ["It makes 51 dB at low and 44 dB at high.", "It makes 51 dB at low. At high it makes 44 dB."],
)
def test_edits_that_hold_only_together_are_none_of_them_safe(text: str) -> None:
    report = report_of(text, "44 dB at low, 51 at high", ("51", "44"), ("44", "51"))
    both = "44 dB at low", "51 dB"

    def recheck(text: str) -> Report:
        holds = all(words in text for words in both)
        outcome = Outcome.SUPPORTED if holds else Outcome.REFUTED
        return Report("answer.txt", text, stated(text, outcome))

    found = repair.settle(report, recheck)

    assert [(v.edit.applicability, v.edit.verified) for v in found.violations if v.edit] == [
        ("display", False), ("display", False)
    ]  # fmt: skip
    assert repair.rewrite(found) == text


def test_of_two_edits_that_would_change_the_same_words_otherwise_none_is_made() -> None:
    source = "A fee of $800 or $850."
    report = report_of("The fee is $900.", source, ("$900", "$850"), ("$900", "$800"))

    assert settled(report) == (report.text, [SHOWN, SHOWN])


def test_an_exchange_of_roles_prevails_over_that_of_one_name() -> None:
    report = lease()
    swap = next(v for v in report.violations if v.name == "role-swap")
    assert swap.claim
    claim = swap.claim
    new = cases.triple("guarantor", "pay", "landlord")
    other = replace(swap, name="subject-conflict", edit=cases.edit(claim.triple, new, "safe", None),
                    evidence=(Evidence(new, "s", Span("s", 0, 21)),))  # fmt: skip
    report = replace(report, violations=(other, swap, *report.violations[-1:]),
                     sources={**report.sources, "s": "The Guarantor pays it."})  # fmt: skip

    found = repair.settle(report, reading)

    assert [v.edit.applicability for v in found.violations if v.edit] == ["display", "safe"]
    assert "The Landlord shall pay the Tenant" in repair.rewrite(found)


@pytest.mark.parametrize("applicability", ["unsafe", "display"])
def test_what_a_rule_does_not_call_safe_is_only_shown(applicability: str) -> None:
    report = report_of("The fee is $900.", "A fee of $800.", ("$900", "$800"),
                       applicability=applicability)  # fmt: skip

    assert settled(report) == (report.text, [SHOWN])


# --- edits of triples


def lease() -> Report:
    """The lease case as a check gives it: statements, and edits that nobody has read again."""
    report = cases.lease()
    statements = tuple(
        Statement(URIRef(f"urn:s{c.sentence}"), c.sentence,
                  report.text[c.span.start : c.span.end], c.span, Outcome.REFUTED)
        for c in sorted(report.claims, key=lambda c: c.span.start)
    )  # fmt: skip
    return replace(report, statements=statements)


def reading(text: str) -> Report:
    """Support whatever stands in a text of the lease case, and find what was not exchanged."""
    report = lease()
    statements = tuple(
        Statement(URIRef(f"urn:s{n}"), n, m[0], Span("answer.txt", m.start(), m.end()),
                  Outcome.SUPPORTED)
        for n, m in enumerate(re.finditer(r"[A-Z](?:Inc\.|[^.])*\.", text))
    )  # fmt: skip
    left = [v for v in report.violations if v.claim is None or v.claim.span.end > len(text)]
    return replace(report, text=text, statements=statements, violations=tuple(left))


def test_a_value_and_two_roles_are_exchanged_and_no_negation_is_put_in() -> None:
    found = repair.settle(lease(), reading)

    assert repair.rewrite(found) == (
        "Harbor Books Inc. is the Tenant.\n"
        "The term commences on 1 March 2021.\r\n"
        "The Tenant shall assign the lease. The Landlord shall pay the Tenant a fee.\n"
        "\tThe Guarantor waives notice under the lease.\n"
    )
    kinds = {v.name: (v.edit.applicability, v.edit.verified) for v in found.violations if v.edit}
    assert kinds["date-mismatch"] == kinds["role-swap"] == SAFE
    assert kinds["polarity-conflict"] == SHOWN
    assert kinds["ungrounded-entity"] == ("unsafe", None)


def test_a_finding_outside_all_statements_that_was_there_before_counts_against_nothing() -> None:
    report = report_of("The fee is $900.", "A fee of $800.", ("$900", "$800"))
    claim = report.violations[0].claim
    assert claim
    apart = Violation("GR999", "x", Severity.ERROR, "m", replace(claim, sentence=7))
    report = replace(report, violations=(*report.violations, apart))

    def recheck(text: str) -> Report:
        return replace(approving()(text), violations=(apart,))

    assert repair.rewrite(repair.settle(report, recheck)) == "The fee is $800."


def one(text: str, parts: tuple[str, str, str], new: Triple, source: str) -> str:
    claim = cases.claim(text, text, parts, cases.triple("a", "p", "b"))
    labels: dict[Node, str] = {mint(ENTITY, "c"): "Supreme Court", mint(ENTITY, "b"): "Bob"}
    evidence = Evidence(new, "s", Span("s", 0, len(source)))
    edit = cases.edit(claim.triple, new, "safe", True)
    violation = Violation("X001", "x", Severity.ERROR, "m", claim, (evidence,), edit)
    report = Report("answer.txt", text, stated(text), (claim,), violations=(violation,),
                    labels=labels, sources={"s": source})  # fmt: skip
    return repair.rewrite(repair.settle(report, approving()))


@each("text part source expected")
def test_a_part_is_replaced_in_the_words_of_the_source_and_no_label(
    text: str, part: str, source: str, expected: str | None
) -> None:
    assert one(text, ("Acme", "pays", part), cases.triple("a", "p", "c"), source) == (
        expected or text
    )


@pytest.mark.parametrize(
    ("behind", "expected", "standing"),
    [
        ("The fine is $800.", "The fee is $900.", ("display", False)),
        ("The fine is $700.", "The fee is $800.", SAFE),
    ],
)
def test_one_half_of_two_exchanged_figures_is_not_safe(
    behind: str, expected: str, standing: tuple[str, bool | None]
) -> None:
    report = report_of(f"The fee is $900. {behind}", "A fee of $800.", ("$900", "$800"))
    refuted = tuple(replace(one, outcome=Outcome.REFUTED) for one in report.statements)
    assert settled(replace(report, statements=refuted)) == (f"{expected} {behind}", [standing])


@each("text parts expected")
def test_two_names_change_places_with_their_articles(
    text: str, parts: tuple[str, str], expected: str | None
) -> None:
    new = cases.triple("b", "p", "a")

    assert one(text, (parts[0], text.split()[-2], parts[1]), new, "") == (expected or text)


@each("applicability verified made")
def test_an_edit_is_made_only_once_it_was_read_again(
    applicability: str, verified: bool | None, made: bool
) -> None:
    report = lease()
    first = report.violations[0]
    assert first.edit
    edit = replace(first.edit, applicability=applicability, verified=verified)  # type: ignore[arg-type]
    report = replace(report, violations=(replace(first, edit=edit),))

    assert ("1 March" in repair.rewrite(report)) is made


def test_fixing_twice_is_fixing_once() -> None:
    def check(text: str) -> Report:
        return replace(reading(text), violations=())

    once, _ = repair.fix(repair.settle(lease(), reading), check)
    twice, passes = repair.fix(once, check)

    assert twice.text == once.text
    assert passes == 0


def test_a_text_that_comes_out_worse_is_not_taken() -> None:
    report = repair.settle(lease(), reading)
    worse = (*report.violations, Violation("X001", "x", Severity.ERROR, "m"))

    def check(text: str) -> Report:
        return replace(reading(text), violations=worse)

    found, passes = repair.fix(report, check)

    assert (found, passes) == (report, 1)


@each("text source expected")
def test_what_a_check_makes_of_a_text_its_source_supports(
    text: str, source: str, expected: str | None
) -> None:
    report = api.check(text, context=source)

    made = repair.rewrite(report)

    assert made == (expected or text)
    if expected:
        again = api.check(made, context=source)
        assert {one.outcome for one in again.statements} == {Outcome.SUPPORTED}
        assert not again.violations


def test_a_check_reads_again_once_at_most_twice_and_never_its_own_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = []
    whole = checks_report.check_text

    def counted(*arguments: Any, **given: Any) -> Report:
        read.append(given.get("edits", True))
        return whole(*arguments, **given)

    monkeypatch.setattr(checks_report, "check_text", counted)
    api.check("The fee is $900.", context="The fee is $800.")
    assert read == [True, False]
    read.clear()
    api.check("The fee is $800.", context="The fee is $800.")
    assert read == [True]


def test_a_diff_shows_the_lines_that_change() -> None:
    assert edits.diff("a\r\nb", "a\r\nc", "x.txt") == (
        "--- x.txt\n+++ x.txt\n@@ -1,2 +1,2 @@\n a\r\n-b\n\\ No newline at end of file\n"
        "+c\n\\ No newline at end of file\n"
    )
    assert edits.diff("a", "a", "x.txt") == ""
