"""Reports written by hand, one for each kind of thing a person may have to read."""

from __future__ import annotations

from rdflib.namespace import XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.terms import (
    ENTITY,
    GR,
    RELATION,
    STATEMENT,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Metric,
    Modality,
    Outcome,
    Report,
    Run,
    Severity,
    Span,
    Triple,
    Verdict,
    Violation,
    mint,
)

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
    places = []
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
        ("The term commences on 1 April 2021.", ("The term", "commences on", "1 April 2021"),
         triple("term", "commence on", day("2021-04-01")), {}),
        ("The Tenant shall assign the lease.", ("The Tenant", "assign", "the lease"),
         triple("tenant", "assign", "lease"), {"modality": Modality.OBLIGATION}),
        ("The Tenant shall pay the Landlord a fee.", ("The Tenant", "pay", "the Landlord"),
         triple("tenant", "pay", "landlord"), {"modality": Modality.OBLIGATION}),
        ("The Guarantor waives notice under the lease.", ("The Guarantor", "waives", "notice"),
         triple("guarantor", "waive", "notice"), {}),
        ("Harbor Books Inc. is the Tenant.", ("Harbor Books Inc.", "is", "the Tenant"),
         triple("harbor books inc.", "be", "tenant"), {}),
    ]  # fmt: skip
    claims = [
        claim(answer, sentence, parts, t, number=index, **mode)
        for index, (sentence, parts, t, mode) in enumerate(facts)
    ]
    term, assign, pay, waive, _ = claims
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
        Violation(
            "GR301", "date-mismatch", Severity.ERROR,
            "the term commences on 1 March 2021, not 1 April 2021", term,
            (seen(start, "The term commences on 1 March 2021."),),
            edit(term.triple, start, "safe", True),
        ),
        Violation(
            "GR205", "polarity-conflict", Severity.ERROR,
            "a source denies that Tenant assign lease", assign,
            (seen(assign.triple, "The Tenant shall not assign the lease."),),
            mode_edit(assign.id, GR.polarity, "positive", "negative"),
        ),
        Violation(
            "GR204", "role-swap", Severity.ERROR,
            "Landlord pay Tenant, not the other way round", pay,
            (seen(payment, "The Landlord shall pay the Tenant a fee of $500."),),
            edit(pay.triple, payment, "safe", True),
        ),
        Violation(
            "GR101", "ungrounded-entity", Severity.ERROR,
            "Guarantor is not mentioned in any context (best match 0.31)", waive, (),
            edit(waive.triple, None, "unsafe", True), 0.31,
            (("e", mint(ENTITY, "guarantor")), ("score", Literal(0.31))),
        ),
        Violation(
            "GR102", "unsupported-relation", Severity.WARNING,
            "no context says that Guarantor waives notice", waive,
            (seen(triple("tenant", "waive", "notice"), "The Tenant", 2 / 3),),
            edit(waive.triple, None, "unsafe", None), 0.0,
        ),
        Violation(
            "GR900", "low-fidelity", Severity.ERROR, "CFI is 0.55: EG 0.90, RP 0.20",
            score=0.55,
        ),
    )  # fmt: skip
    outcomes = (Outcome.REFUTED,) * 3 + (Outcome.NOT_ENOUGH_INFO, Outcome.SUPPORTED)
    stages = ("values", "rules", "rules", "support", "exact")
    return Report(
        "answer.txt",
        answer,
        tuple(claims),
        tuple(
            Verdict(one, outcome, stage, stage, 0.5)
            for one, outcome, stage in zip(claims, outcomes, stages, strict=True)
        ),
        violations,
        (Metric("EG", 0.9, 10), Metric("RP", None, 0), Metric("CFI", 0.55, 1)),
        0.125,
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
        ),
    )


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
            Violation(
                "GR201", "object-conflict", Severity.ERROR, f"the object is {value}", item,
                (Evidence(new, "契約.txt", None),), edit(item.triple, new, "safe", False),
            )
        )  # fmt: skip
    labels: dict[Node, str] = {mint(ENTITY, "鈴木"): "鈴木", mint(ENTITY, "家主"): "家主"}
    return Report("回答.txt", answer, (one, two, three), (), tuple(found), (), None, labels)


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
        "brief.md", answer, (one, two), (),
        (
            Violation("GR203", "subject-conflict", Severity.WARNING,
                      "the Wade case was decided by another court", one,
                      (Evidence(court, "opinion.txt"), Evidence(court, "digest.txt"),
                       Evidence(court, "note.txt")),
                      edit(one.triple, court, "unsafe", None)),
            Violation("GR102", "unsupported-relation", Severity.INFO, "no source says so", two),
        ),
    )  # fmt: skip


def empty() -> Report:
    """A report of a text without claims."""
    return Report("empty.txt", "", metrics=(Metric("EG", None), Metric("RP", None)))


CASES = {"lease": lease, "wide": wide, "long": long, "empty": empty}
