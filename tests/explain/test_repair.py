"""Edits tried on a copy of the dataset, and texts rewritten."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal, Node, URIRef

from groundrules.dataset import Dataset
from groundrules.explain import repair
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
    Report,
    Severity,
    Span,
    Triple,
    Violation,
    mint,
)
from tests.explain import cases

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
    rules = packed("object-conflict", "unsupported-relation", "ungrounded-entity")
    result = engine.check(data, rules)
    (violation,) = [v for v in result.violations if v.rule == "GR201"]

    edit = repair.verify(violation, data, rules, result)

    assert edit == replace(violation.edit, verified=True)  # type: ignore[type-var]
    assert engine.check(data, rules) == result, "the dataset is left as it was"


def test_an_edit_to_what_no_source_says_is_not_verified() -> None:
    other = cases.triple("roe", "decided by", "district court")
    claims = [named(0, WRONG)]
    data = dataset(claims, [ROE])
    rules = packed("object-conflict", "unsupported-relation")
    result = engine.check(data, rules)
    (violation,) = result.violations
    bad = Edit((EditOperation("DELETE", WRONG), EditOperation("ADD", other)), "safe")

    edit = repair.verify(replace(violation, edit=bad), data, rules, result)

    assert edit == replace(bad, verified=False)


def test_an_edit_that_leaves_its_rule_firing_is_not_verified() -> None:
    data = dataset([named(0, WRONG)], [ROE, cases.triple("roe", "decided by", "texas court")])
    rules = packed("object-conflict")
    result = engine.check(data, rules)
    (violation,) = result.violations
    same = Edit((EditOperation("DELETE", WRONG), EditOperation("ADD", WRONG)), "safe")

    edit = repair.verify(replace(violation, edit=same), data, rules, result)

    assert edit == replace(same, verified=False)


def test_a_deleted_claim_is_silent() -> None:
    data = dataset([named(0, cases.triple("roe", "sues", "nobody")), named(1, ROE)], [ROE])
    rules = packed("ungrounded-entity", "unsupported-relation", "low-fidelity")
    result = engine.check(data, rules)

    found = repair.verify_all(result.violations, data, rules, result)

    verdicts = {(v.rule, v.edit.verified if v.edit else None) for v in found}
    assert verdicts == {("GR101", True), ("GR102", True), ("GR900", None)}


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


def test_of_edits_tried_together_only_the_one_that_does_harm_fails() -> None:
    wrong = [
        cases.triple(f"case {n}", "decided by", "fifth circuit") for n in range(7)
    ]  # fmt: skip
    right = [cases.triple(f"case {n}", "decided by", "scotus") for n in range(7)]
    claims = [named(n, t) for n, t in enumerate([*wrong, right[3]])]
    data = dataset(claims, right)
    rules = [*packed("object-conflict"), parse_rule(ONE_EACH, "two-alike.toml")]
    result = engine.check(data, rules)

    found = repair.verify_all(result.violations, data, rules, result)

    verified = [v.edit.verified for v in found if v.edit]
    assert verified == [True, True, True, False, True, True, True]


@given(st.lists(st.sampled_from(["scotus", "fifth circuit", "texas court"]), max_size=6))
def test_a_verified_edit_silences_its_rule(objects: list[str]) -> None:
    claims = [named(n, cases.triple(f"c{n}", "decided by", o)) for n, o in enumerate(objects)]
    data = dataset(claims, [cases.triple(f"c{n}", "decided by", "scotus") for n in range(6)])
    rules = packed("object-conflict", "unsupported-relation")
    result = engine.check(data, rules)

    for violation in repair.verify_all(result.violations, data, rules, result):
        assert violation.edit
        assert violation.claim
        assert violation.edit.verified
        engine.apply_edit(data, violation.edit, violation.claim.id)
    assert engine.check(data, rules).violations == ()


def fixed(report: Report, *, unsafe: bool = False) -> str:
    return repair.rewrite(
        report.text, report.violations, lambda v: repair.wording(report, v), unsafe=unsafe
    )


def test_safe_edits_change_the_words_at_fault_and_no_others() -> None:
    assert fixed(cases.lease()) == (
        "Harbor Books Inc. is the Tenant.\n"
        "The term commences on 1 March 2021.\r\n"
        "The Tenant shall not assign the lease. The Landlord shall pay the Tenant a fee.\n"
        "\tThe Guarantor waives notice under the lease.\n"
    )


def test_unsafe_edits_remove_whole_sentences() -> None:
    assert fixed(cases.lease(), unsafe=True).endswith("the Tenant a fee.\n\t\n")


def one(text: str, parts: tuple[str, str, str], new: Triple, source: str) -> str:
    claim = cases.claim(text, text, parts, cases.triple("a", "p", "b"))
    edit = cases.edit(claim.triple, new, "safe", None)
    labels: dict[Node, str] = {mint(ENTITY, "c"): "Supreme Court", mint(ENTITY, "b"): "Bob"}
    evidence = Evidence(new, "s", Span("s", 0, len(source)))
    violation = Violation("X001", "x", Severity.ERROR, "m", claim, (evidence,), edit)
    return fixed(Report("answer.txt", text, (claim,), (), (violation,), (), None, labels,
                        {"s": source}))  # fmt: skip


@pytest.mark.parametrize(
    ("text", "part", "source", "expected"),
    [
        ("A pays the Fifth Circuit.", "the Fifth Circuit", "By the Supreme Court.",
         "A pays the Supreme Court."),
        ("A pays the Fifth Circuit.", "Fifth Circuit", "The Supreme Court did.",
         "A pays the Supreme Court."),
        ("A pays the Fifth Circuit.", "the Fifth Circuit", "SUPREME COURT OF",
         "A pays SUPREME COURT."),
        ("A pays Fifth 🏠 Circuit!", "Fifth 🏠 Circuit", "nothing", "A pays Supreme Court!"),
    ],
)  # fmt: skip
def test_a_part_is_replaced_in_the_words_of_the_source(
    text: str, part: str, source: str, expected: str
) -> None:
    new = cases.triple("a", "p", "c")

    assert one(text, ("A", "pays", part), new, source) == expected


@pytest.mark.parametrize(
    ("text", "part", "name", "expected"),
    [
        ("A pays Bob Lee.", "Bob Lee", "Maria Gomez", "A pays Maria Gomez."),
        ("A pays the Tenant.", "Tenant", "Maria Gomez", "A pays Maria Gomez."),
        ("A pays the Tenant.", "Tenant", "Landlord", "A pays the Landlord."),
        ("Alpha pays Bob.", "Bob", "Panama Trust", "Alpha pays Panama Trust."),
    ],
)
def test_a_name_is_put_in_whole_and_without_the_article_of_a_role(
    text: str, part: str, name: str, expected: str
) -> None:
    claim = cases.claim(text, text, (None, None, part), cases.triple("a", "p", "b"))
    edit = cases.edit(claim.triple, cases.triple("a", "p", "c"), "safe", None)
    violation = Violation("X001", "x", Severity.ERROR, "m", claim, edit=edit)
    (made,) = repair.replacements(text, violation, {mint(ENTITY, "c"): name})

    assert text[: made.start] + made.text + text[made.end :] == expected


def test_a_subject_keeps_the_capital_of_its_sentence() -> None:
    text = "The bank pays Bob."

    assert one(text, ("The bank", "pays", "Bob"), cases.triple("c", "p", "b"),
               "so the Supreme Court pays") == "The Supreme Court pays Bob."  # fmt: skip


def test_a_verb_is_not_exchanged() -> None:
    text = "A pays Bob."

    assert one(text, ("A", "pays", "Bob"), cases.triple("a", "q", "b"), "") == text


@pytest.mark.parametrize(
    ("polarity", "text", "expected"),
    [
        ("positive", "The Tenant may assign it.", "The Tenant may not assign it."),
        ("negative", "The Tenant shall not assign it.", "The Tenant shall assign it."),
        ("negative", "The Tenant cannot assign it.", "The Tenant can assign it."),
        ("negative", "It was never paid.", "It was paid."),
        ("positive", "The Tenant assigns it.", None),
        ("positive", "It may be or must be.", None),
        ("negative", "No tenant assigns it.", None),
    ],
)
def test_a_negation_is_added_or_removed_where_its_place_is_plain(
    polarity: str, text: str, expected: str | None
) -> None:
    claim = cases.claim(text, text, (None, None, None), cases.triple("a", "b", "c"),
                        polarity=polarity)  # fmt: skip
    other = "negative" if polarity == "positive" else "positive"
    edit = cases.mode_edit(claim.id, GR.polarity, polarity, other)
    violation = Violation("GR205", "polarity-conflict", Severity.ERROR, "m", claim, edit=edit)

    assert fixed(Report("answer.txt", text, (claim,), (), (violation,))) == (expected or text)


@pytest.mark.parametrize(
    ("applicability", "verified", "unsafe", "made"),
    [
        ("safe", True, False, True),
        ("safe", None, False, True),
        ("safe", False, True, False),
        ("unsafe", True, False, False),
        ("unsafe", True, True, True),
        ("display", True, True, False),
    ],
)
def test_an_edit_is_made_as_far_as_it_is_sure(
    applicability: str, verified: bool | None, unsafe: bool, made: bool
) -> None:
    report = cases.lease()
    first = report.violations[0]
    assert first.edit
    edit = replace(first.edit, applicability=applicability, verified=verified)  # type: ignore[arg-type]
    report = replace(report, violations=(replace(first, edit=edit),))

    assert ("1 March" in fixed(report, unsafe=unsafe)) is made


def test_of_two_edits_of_the_same_words_the_first_is_made() -> None:
    report = cases.lease()
    first = report.violations[0]
    assert first.claim
    new = Triple(first.claim.triple.subject, first.claim.triple.predicate, Literal("2 May 2021"))
    second = replace(first, edit=cases.edit(first.claim.triple, new, "safe", True))

    text = fixed(replace(report, violations=(first, second)))

    assert "1 March 2021" in text
    assert "2 May" not in text


def test_fixing_stops_when_nothing_changes() -> None:
    report = cases.lease()
    texts = []

    def check(text: str) -> Report:
        texts.append(text)
        return replace(report, text=text, violations=())

    found, passes = repair.fix(report, check)

    assert passes == 1
    assert texts == [found.text]


def test_fixing_stops_when_a_text_comes_back() -> None:
    report = cases.lease()
    first = report.violations[0]
    assert first.claim
    back = cases.triple("term", "commence on", cases.day("2021-04-01"))
    new = first.edit.operations[1].triple if first.edit else None
    assert new
    again = replace(
        first,
        claim=replace(first.claim, triple=new),
        edit=cases.edit(new, back, "safe", True),
        evidence=(),
    )
    forth, to_and_fro = replace(report, violations=(first,)), []

    def check(text: str) -> Report:
        to_and_fro.append(text)
        # "1 April" and "1 March" have equal length, so the spans stay.
        return replace(forth, text=text, violations=(again,))

    repair.fix(forth, check)

    assert len(to_and_fro) == 1


def test_a_diff_shows_the_lines_that_change() -> None:
    assert repair.diff("a\r\nb", "a\r\nc", "x.txt") == (
        "--- x.txt\n+++ x.txt\n@@ -1,2 +1,2 @@\n a\r\n-b\n\\ No newline at end of file\n"
        "+c\n\\ No newline at end of file\n"
    )
    assert repair.diff("a", "a", "x.txt") == ""


def moved(span: Span | None, by: int) -> Span | None:
    return span and Span(span.source, span.start + by, span.end + by)


def recheck(text: str) -> Report:
    """Find again what is left of the lease case; "not" does harm elsewhere."""
    report = cases.lease()
    left = []
    for violation in report.violations:
        claim = violation.claim
        if claim is None:
            continue
        words = report.text[claim.span.start : claim.span.end]
        if words in text:
            by = text.index(words) - claim.span.start
            span = moved(claim.span, by)
            assert span
            subject, predicate, object_ = (moved(part, by) for part in claim.parts)
            claim = replace(claim, span=span, parts=(subject, predicate, object_))
            left.append(replace(violation, claim=claim))
    if "shall not assign" in text:
        left += [Violation("X001", "x", Severity.ERROR, "m")] * 5
    return replace(report, text=text, violations=tuple(left))


def test_an_edit_that_makes_the_text_worse_is_left_out() -> None:
    start = recheck(cases.lease().text)

    found, _ = repair.fix(start, recheck)

    assert "1 March 2021" in found.text
    assert "The Landlord shall pay the Tenant" in found.text
    assert "The Tenant shall assign the lease." in found.text
    assert len(found.violations) < len(start.violations)


def test_fixing_twice_is_fixing_once() -> None:
    once, _ = repair.fix(recheck(cases.lease().text), recheck)

    twice, passes = repair.fix(recheck(once.text), recheck)

    assert twice.text == once.text
    assert passes <= 1
