"""Reports written by hand, one for each kind of thing a person may have to read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rdflib.namespace import OWL, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.rules.packs import built_in, load_packs, traits_of
from groundrules.terms import (
    ENTITY,
    GR,
    RELATION,
    STATEMENT,
    Account,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Input,
    Metric,
    Modality,
    Outcome,
    Report,
    Run,
    Severity,
    Span,
    Statement,
    Traits,
    Triple,
    Verdict,
    Violation,
    mint,
)

_TRAITS = traits_of(load_packs(built_in()))


def violated(rule: str, *parts: Any, **more: Any) -> Violation:
    """Return a violation as the rule of that id makes it, if one that ships has it."""
    return Violation(rule, *parts, **{"traits": _TRAITS.get(rule, Traits()), **more})


LEASE = (
    "LEASE\n\n"
    "1. The Tenant is Harbor Books Inc.\n"
    "2. The term commences on 1 March 2021.\n"
    "3. The Tenant shall not assign the lease.\n"
    "4. The Landlord shall pay the Tenant a fee of $500.\n"
)


def span(text: str, words: str, source: str, nth: int = 0) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Span(source, start, start + len(words))


def claim(
    text: str,
    sentence: str,
    parts: tuple[str | None, str | None, str | None],
    triple: Triple,
    *,
    source: str = "answer.txt",
    number: int = 0,
    **mode: object,
) -> Claim:
    whole = span(text, sentence, source)
    places: list[Span | None] = []
    for part in parts:
        if part is None:
            places.append(None)
            continue
        inner = span(sentence, part, source)
        places.append(Span(source, whole.start + inner.start, whole.start + inner.end))
    return Claim(
        URIRef(f"{STATEMENT}{source}:{whole.start}:{number}"),
        triple,
        whole,
        (places[0], places[1], places[2]),
        sentence=number,
        **mode,  # type: ignore[arg-type]
    )


def statement(
    text: str,
    words: str,
    number: int,
    outcome: Outcome,
    reason: str = "",
    *,
    source: str = "answer.txt",
    **more: object,
) -> Statement:
    node = URIRef(f"{STATEMENT}{source}:sentence:{number}")
    return Statement(
        node,
        number,
        words,
        span(text, words, source),
        outcome,
        reason,
        **more,  # type: ignore[arg-type]
    )


def finding(
    on: Statement,
    rule: str,
    name: str,
    severity: Severity,
    message: str,
    *,
    evidence: Span | None = None,
    words: str = "",
    edit: Edit | None = None,
    **row: str,
) -> Violation:
    """A finding of a rule on statements, of which `claimed` are the wrong words."""
    said = Triple(on.id, GR.text, Literal(on.text))
    bindings = [(key, Literal(value)) for key, value in row.items()]
    if claimed := row.get("claimed"):
        start = on.span.start + on.text.index(claimed)
        bindings += [("start", Literal(start)), ("end", Literal(start + len(claimed)))]
    passage = URIRef(f"{STATEMENT}passage")
    found = (
        (Evidence(Triple(passage, GR.text, Literal(words)), evidence.source, evidence, 0.9),)
        if evidence
        else ()
    )
    return violated(
        rule,
        name,
        severity,
        message,
        Claim(on.id, said, on.span, origin="statement", sentence=on.number),
        found,
        edit,
        bindings=tuple(bindings),
    )


def words_edit(on: Statement, old: str, new: str, verified: bool | None) -> Edit:
    return Edit(
        (
            EditOperation("DELETE", Triple(on.id, GR.words, Literal(old))),
            EditOperation("ADD", Triple(on.id, GR.words, Literal(new))),
        ),
        "safe",
        verified,
    )


def triple(s: str, p: str, o: str | Literal) -> Triple:
    return Triple(
        mint(ENTITY, s), mint(RELATION, p), o if isinstance(o, Literal) else mint(ENTITY, o)
    )


def edit(old: Triple, new: Triple | None, applicability: str, verified: bool | None) -> Edit:
    operations = [EditOperation("DELETE", old)]
    if new:
        operations.append(EditOperation("ADD", new))
    return Edit(tuple(operations), applicability, verified)  # type: ignore[arg-type]


def mode_edit(node: URIRef, what: URIRef, old: str, new: str) -> Edit:
    return Edit(
        (
            EditOperation("DELETE", Triple(node, what, Literal(old))),
            EditOperation("ADD", Triple(node, what, Literal(new))),
        ),
        "safe",
        True,
    )


def day(value: str) -> Literal:
    return Literal(value, datatype=XSD.date)


def lease() -> Report:
    """A report with each kind of violation: value, polarity, swap, unsupported, unknown name."""
    answer = (
        "Harbor Books Inc. is the Tenant.\n"
        "The term commences on 1 April 2021.\r\n"
        "The Tenant shall assign the lease. The Tenant shall pay the Landlord a fee.\n"
        "\tThe Guarantor waives notice under the lease.\n"
    )
    facts = [
        ("Harbor Books Inc. is the Tenant.", ("Harbor Books Inc.", "is", "the Tenant"),
         triple("harbor books inc.", "be", "tenant"), {}),
        ("The term commences on 1 April 2021.", ("The term", "commences on", "1 April 2021"),
         triple("term", "commence on", day("2021-04-01")), {}),
        ("The Tenant shall assign the lease.", ("The Tenant", "assign", "the lease"),
         triple("tenant", "assign", "lease"), {"modality": Modality.OBLIGATION}),
        ("The Tenant shall pay the Landlord a fee.", ("The Tenant", "pay", "the Landlord"),
         triple("tenant", "pay", "landlord"), {"modality": Modality.OBLIGATION}),
        ("The Guarantor waives notice under the lease.", ("The Guarantor", "waives", "notice"),
         triple("guarantor", "waive", "notice"), {}),
    ]  # fmt: skip
    claims = [
        claim(answer, sentence, parts, t, number=index, **mode)
        for index, (sentence, parts, t, mode) in enumerate(facts)
    ]
    _, term, assign, pay, waive = claims
    start = triple("term", "commence on", day("2021-03-01"))
    payment = triple("landlord", "pay", "tenant")
    labels: dict[Node, str] = {
        mint(ENTITY, "term"): "the term",
        mint(ENTITY, "tenant"): "Tenant",
        mint(ENTITY, "landlord"): "Landlord",
        mint(ENTITY, "lease"): "lease",
        mint(ENTITY, "guarantor"): "Guarantor",
        mint(RELATION, "commence on"): "commences on",
        mint(RELATION, "assign"): "assign",
        mint(RELATION, "pay"): "pay",
        mint(RELATION, "waive"): "waives",
        day("2021-03-01"): "1 March 2021",
        day("2021-04-01"): "1 April 2021",
    }

    def seen(t: Triple, words: str, score: float = 1.0) -> Evidence:
        return Evidence(t, "lease.txt", span(LEASE, words, "lease.txt"), score)

    violations = (
        violated(
            "GR301", "date-mismatch", Severity.ERROR,
            "the term commences on 1 March 2021, not 1 April 2021", term,
            (seen(start, "The term commences on 1 March 2021."),),
            edit(term.triple, start, "safe", True),
        ),
        violated(
            "GR205", "polarity-conflict", Severity.ERROR,
            "a source denies that Tenant assign lease", assign,
            (seen(assign.triple, "The Tenant shall not assign the lease."),),
            mode_edit(assign.id, GR.polarity, "positive", "negative"),
        ),
        violated(
            "GR204", "role-swap", Severity.ERROR,
            "Landlord pay Tenant, not the other way round", pay,
            (seen(payment, "The Landlord shall pay the Tenant a fee of $500."),),
            edit(pay.triple, payment, "safe", True),
        ),
        violated(
            "GR101", "ungrounded-entity", Severity.ERROR,
            "no source mentions “Guarantor”", waive, (),
            edit(waive.triple, None, "unsafe", True), 0.31,
            (("e", mint(ENTITY, "guarantor")), ("score", Literal(0.31))),
        ),
        violated(
            "GR901", "lost-relations", Severity.WARNING,
            "no source relates “Guarantor” and “notice” like this", waive,
            (seen(triple("tenant", "waive", "notice"), "The Tenant", 2 / 3),),
            edit(waive.triple, None, "unsafe", None), 0.0,
        ),
        violated(
            "GR900", "low-fidelity", Severity.ERROR, "CFI is 0.55: EG 0.90, RP 0.20",
            score=0.55,
        ),
    )  # fmt: skip
    outcomes = (Outcome.SUPPORTED, *(Outcome.REFUTED,) * 3, Outcome.NOT_ENOUGH_INFO)
    stages = ("exact", "values", "rules", "rules", "support")
    reasons = ("exact", "GR301", "GR205", "GR204", "GR101")
    return Report(
        "answer.txt",
        answer,
        tuple(
            statement(answer, sentence, index, outcomes[index], reasons[index],
                      passages=(span(LEASE, "The Tenant is Harbor Books Inc.", "lease.txt"),))
            for index, (sentence, *_) in enumerate(facts)
        ),
        tuple(claims),
        tuple(
            Verdict(one, outcome, stage, stage)
            for one, outcome, stage in zip(claims, outcomes, stages, strict=True)
        ),
        violations,
        (Metric("EG", 0.9, 10), Metric("RP", None, 0), Metric("CFI", 0.55, 1)),
        labels,
        {"lease.txt": LEASE},
        Run(
            "0.1.0",
            (("core", "ab" * 32),),
            (("english", "cd" * 32),),
            (("CFI.threshold", "0.7"), ("rules", "12")),
            "ef" * 32,
            (("exact", 1), ("values", 1), ("rules", 2), ("support", 1)),
            (("extract", 0.125), ("GR101", 0.0012), ("total", 0.21)),
            ("sparse: 44 words of source, fewer than 400",),
            inputs=(Input("answer.txt", "text", "12" * 32, "txt"),
                    Input("lease.txt", "context", "34" * 32, "txt")),
            settings=(("packs", '["core"]'),),
            question="Who leases what?",
            at="2026-03-01T09:30:00Z",
        ),
    )  # fmt: skip


POLICY = (
    "The policy covers fire, storm and theft. Damage caused by flooding is not covered. "
    "The sum insured shall not exceed £11,400 in any one year.\n"
    "Of the 400 policyholders asked, 57 had made a claim. "
    "The number of policies rose from 350 to 2,300.\n"
)


def policy() -> Report:
    """An answer in free words: every outcome, figures with their sums, edits of words."""
    answer = (
        "The policy covers fire, storm and theft. Floods are covered too. "
        "The sum insured is capped at £14,100 per year.\n\n"
        "- Of those asked, 14.25 % had made a claim.\n"
        "- The number of policies roughly tripled.\n"
        "- The Society was founded by Quakers.\n\n"
        "Der Beitrag wird jährlich angepasst.\n"
    )

    def place(words: str) -> Span:
        return span(POLICY, words, "policy.txt")

    flood, limit = "Damage caused by flooding is not covered.", "The sum insured shall not exceed"
    limit_place = place(f"{limit} £11,400 in any one year.")
    share, rise = place(POLICY.splitlines()[1][:52]), place("The number of policies rose")
    first = statement(
        answer,
        "The policy covers fire, storm and theft.",
        0,
        Outcome.SUPPORTED,
        "exact",
        passages=(Span("policy.txt", 0, 40),),
    )
    floods = statement(
        answer,
        "Floods are covered too.",
        1,
        Outcome.REFUTED,
        "GR210",
        note="“are covered”; the source says the opposite, “is not covered”",
        passages=(place(flood),),
    )
    capped = statement(
        answer,
        "The sum insured is capped at £14,100 per year.",
        2,
        Outcome.REFUTED,
        "GR306",
        passages=(limit_place,),
        accounts=(
            Account(
                span(answer, "£14,100", "answer.txt"),
                "£14,100",
                "conflict",
                places=(place("£11,400"),),
            ),
        ),
    )
    asked = statement(
        answer,
        "Of those asked, 14.25 % had made a claim.",
        3,
        Outcome.SUPPORTED,
        "phrase",
        passages=(share,),
        accounts=(
            Account(
                span(answer, "14.25 %", "answer.txt"),
                "14.25 %",
                "derived",
                "57 of 400",
                (place("400 policyholders"), place("57")),
            ),
        ),
    )
    tripled = statement(
        answer,
        "The number of policies roughly tripled.",
        4,
        Outcome.REFUTED,
        "GR307",
        passages=(rise,),
        accounts=(
            Account(
                span(answer, "tripled", "answer.txt"),
                "tripled",
                "miscalculated",
                "350 to 2,300 is 6.6 times, not 3",
                (place("350"), place("2,300")),
            ),
        ),
    )
    quakers = statement(
        answer,
        "The Society was founded by Quakers.",
        5,
        Outcome.NOT_ENOUGH_INFO,
        "support",
        passages=(rise,),
    )
    german = statement(
        answer,
        "Der Beitrag wird jährlich angepasst.",
        6,
        Outcome.UNVERIFIABLE,
        "unread",
        note="German",
    )

    def unsupported(on: Statement, where: Span) -> Violation:
        words = POLICY[where.start : where.end]
        return finding(
            on,
            "GR102",
            "unsupported-statement",
            Severity.INFO,
            f"no one passage says all of this; the nearest is “{words}”",
            evidence=where,
            words=words,
        )

    violations = (
        unsupported(floods, place(flood)),
        finding(
            floods,
            "GR210",
            "lost-negation",
            Severity.ERROR,
            floods.note,
            evidence=place(flood),
            words=flood,
            claimed="are covered",
            stated="is not covered",
        ),
        finding(
            capped,
            "GR306",
            "other-figure",
            Severity.ERROR,
            "“£14,100”; the source says “£11,400”",
            evidence=limit_place,
            words=limit,
            claimed="£14,100",
            stated="£11,400",
            edit=words_edit(capped, "£14,100", "£11,400", True),
        ),
        finding(
            tripled,
            "GR307",
            "wrong-sum",
            Severity.ERROR,
            "“tripled” does not follow: 350 to 2,300 is 6.6 times, not 3",
            evidence=rise,
            words="The number of policies rose",
            claimed="tripled",
            stated="6.6 times",
            how="350 to 2,300 is 6.6 times, not 3",
            edit=words_edit(tripled, "tripled", "6.6 times", False),
        ),
        unsupported(quakers, rise),
        violated("GR900", "low-fidelity", Severity.INFO, "CFI is 0.61: EG 0.80, RP 0.42"),
    )
    return Report(
        "answer.txt", answer, (first, floods, capped, asked, tripled, quakers, german),
        violations=violations, metrics=(Metric("EG", 0.8, 10), Metric("CFI", 0.61, 1)),
        sources={"policy.txt": POLICY},
        unread=("policy.txt: page 3 has no text",), policy=("not_enough_info",),
    )  # fmt: skip


def wide() -> Report:
    """Violations whose excerpt has emoji, CJK, combining marks, tabs and terminal controls."""
    answer = (
        "家主は東京の山田太郎です。\n"
        "👩‍👩‍👧 Café\u0301s: the rent 🏠 is 1,000 € per month.\n"
        "\tA\x1b[31mB\u202e is owned by Acme\u200b Ltd.\n"
    )
    one = claim(answer, "家主は東京の山田太郎です。", ("家主", None, "山田太郎"),
                triple("家主", "です", "山田太郎"), source="回答.txt")  # fmt: skip
    two = claim(answer, "the rent 🏠 is 1,000 € per month.", ("the rent 🏠", "is", "1,000 €"),
                triple("rent", "be", Literal("1000.00 EUR")),
                source="回答.txt", number=1)  # fmt: skip
    three = claim(answer, "A\x1b[31mB\u202e is owned by Acme\u200b Ltd.",
                  ("A\x1b[31mB\u202e", "owned by", "Acme\u200b Ltd."),
                  triple("a\x1b[31mb", "own by", "acme"), source="回答.txt", number=2)  # fmt: skip
    found = []
    for item, value in zip((one, two, three), ("鈴木", "rent", "Beta"), strict=True):
        new = Triple(item.triple.subject, item.triple.predicate, mint(ENTITY, value))
        found.append(
            violated(
                "GR201", "object-conflict", Severity.ERROR, f"the object is {value}", item,
                (Evidence(new, "契約.txt", None),), edit(item.triple, new, "safe", False),
                bindings=(("axiom", OWL.FunctionalProperty),),
            )
        )  # fmt: skip
    labels: dict[Node, str] = {mint(ENTITY, "鈴木"): "鈴木", mint(ENTITY, "家主"): "家主"}
    statements = [
        statement(
            answer,
            answer[c.span.start : c.span.end],
            c.sentence,
            Outcome.REFUTED,
            "GR201",
            source="回答.txt",
        )
        for c in (one, two, three)
    ]
    steering = replace(
        statements[2],
        id=URIRef(f"{STATEMENT}4"),
        number=4,
        note="\x1b[2Jgone",
        outcome=Outcome.UNVERIFIABLE,
        reason="unread",
    )
    return Report("回答.txt", answer, (*statements, steering), (one, two, three),
                  violations=tuple(found), labels=labels,
                  unread=("a\x9b31m.pdf: page 1",))  # fmt: skip


def long() -> Report:
    """A violation in the middle of a line of 10,000 characters, and one over five lines."""
    words = " ".join(f"word{n}" for n in range(1200))
    line = words.replace("word600 ", "the Fifth Circuit decided the Wade case ")
    answer = line + "\nIt was\ndecided\nin the\nyear of\n1973.\n"
    one = claim(answer, "the Fifth Circuit decided the Wade case",
                ("the Fifth Circuit", "decided", "the Wade case"),
                triple("fifth circuit", "decide", "wade case"), source="brief.md")  # fmt: skip
    two = claim(answer, "It was\ndecided\nin the\nyear of\n1973.", ("It", None, None),
                triple("case", "decide in", "1973"), source="brief.md", number=1)  # fmt: skip
    court = triple("supreme court", "decide", "wade case")
    return Report(
        "brief.md", answer, (), (one, two),
        violations=(
            violated("GR203", "subject-conflict", Severity.WARNING,
                      "the Wade case was decided by another court", one,
                      (Evidence(court, "opinion.txt"), Evidence(court, "digest.txt"),
                       Evidence(court, "note.txt")),
                      edit(one.triple, court, "unsafe", None),
                      bindings=(("axiom", OWL.InverseFunctionalProperty),)),
            violated("GR901", "lost-relations", Severity.INFO, "no source says so", two),
        ),
    )  # fmt: skip


def empty() -> Report:
    """A report of a text without claims."""
    return Report("empty.txt", "", metrics=(Metric("EG", None), Metric("RP", None)))


CASES = {"lease": lease, "policy": policy, "wide": wide, "long": long, "empty": empty}
