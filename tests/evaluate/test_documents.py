"""Laws of the figures of answers: the join, what belongs to which sentence, rows, shares."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rdflib.term import Literal, URIRef

from groundrules import api
from groundrules.cli.terminal import encode
from groundrules.config import Config
from groundrules.errors import ConfigError
from groundrules.evaluate.documents import Accused, Part, check_row, evaluate, join
from groundrules.evaluate.rows import read_rows
from groundrules.terms import Claim, Outcome, Report, Severity, Span, Statement, Triple, Violation

Write = Callable[..., Path]


def labelled(s: str, label: int, error: str | None = None, span: str | None = None) -> Any:
    return {"s": s, "label": label, "error": error, "span": span, "abstraction": "paraphrase"}


#: Two answers of which one is right throughout.
LEASE = {
    "id": "lease",
    "genre": "contract",
    "doc": "The rent of the shop in Kelmouth is £900 a month. Osprey insures the shop.",
    "answer": [
        labelled("The rent is £900.", 1),
        labelled("Osprey pays £800 a month.", 0, "number", "£800"),
        labelled("- Osprey insures the shop.", 1),
        labelled("- Nobody in Leeds insures it.", 0, "negation", "Nobody in Leeds"),
    ],
}
NOTE = {
    "id": "note",
    "genre": "note",
    "doc": "The meeting of 3 May was short.",
    "answer": [labelled("The meeting was short.", 1), labelled("It was on 3 May.", 1)],
}
LEASE_TEXT = (
    "The rent is £900. Osprey pays £800 a month.\n- Osprey insures the shop.\n"
    "- Nobody in Leeds insures it."
)


@pytest.fixture
def file(tmp_path: Path) -> Write:
    def write(*rows: object, name: str = "rows.jsonl") -> Path:
        path = tmp_path / name
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    return write


# --- a report that is known -------------------------------------------------------------------


def stated(number: int, start: int, end: int, outcome: Outcome) -> Statement:
    node = URIRef(f"urn:test:{number}")
    return Statement(node, number, "", Span("answer", start, end), outcome, "test")


def violation(
    rule: str,
    severity: Severity,
    start: int,
    end: int,
    *,
    sentence: int = 0,
    at: tuple[int, int] | None = None,
) -> Violation:
    node = URIRef(f"urn:test:{start}")
    claim = Claim(
        node,
        Triple(node, node, Literal("")),
        Span("answer", start, end),
        origin="statement",
        sentence=sentence,
    )
    rows = tuple(zip(("start", "end"), map(Literal, at), strict=True)) if at else ()
    return Violation(rule, f"name of {rule}", severity, "", claim, bindings=rows)


def lease_report() -> Report:
    """The second sentence is cut in two, the fourth is taken for no statement."""
    assert LEASE_TEXT[18:43] == "Osprey pays £800 a month."
    return Report(
        "answer",
        LEASE_TEXT,
        statements=(
            stated(0, 0, 17, Outcome.SUPPORTED),
            stated(1, 18, 29, Outcome.SUPPORTED),
            stated(2, 30, 43, Outcome.REFUTED),
            stated(3, 46, 70, Outcome.NOT_ENOUGH_INFO),
        ),
        violations=(
            violation("GR306", Severity.ERROR, 30, 43, sentence=2, at=(30, 34)),
            violation("GR306", Severity.ERROR, 30, 43, sentence=2, at=(30, 34)),
            violation("GR307", Severity.ERROR, 30, 43, sentence=2, at=(30, 34)),
            violation("GR201", Severity.WARNING, 18, 29, sentence=1, at=(18, 24)),
            violation("GR101", Severity.ERROR, 46, 70, sentence=3),
            violation("GR102", Severity.INFO, 0, 17),
            Violation("GR900", "low-fidelity", Severity.ERROR, ""),
        ),
    )


def note_report() -> Report:
    return Report(
        "answer",
        "The meeting was short. It was on 3 May.",
        statements=(
            stated(0, 0, 22, Outcome.SUPPORTED),
            stated(1, 23, 39, Outcome.UNVERIFIABLE),
        ),
    )


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> list[Config]:
    """Return the known report for each answer, and note the configurations."""
    seen: list[Config] = []

    def check(source: Any, *, context: Any, config: Config, verify: bool) -> Report:
        assert not verify  # edits are not looked at
        report = lease_report() if source.text == LEASE_TEXT else note_report()
        assert source.text == report.text
        (doc,) = context
        assert doc.text in (LEASE["doc"], NOTE["doc"])
        seen.append(config)
        return report

    monkeypatch.setattr(api, "check", check)
    return seen


# --- from a row to its sentences --------------------------------------------------------------


def test_list_items_stand_on_lines_of_their_own() -> None:
    text, places = join(["A b.", "C.", "- d", "- e", "F."])
    assert text == "A b. C.\n- d\n- e\nF."
    assert [text[start:end] for start, end in places] == ["A b.", "C.", "- d", "- e", "F."]


@pytest.mark.usefixtures("known")
def test_a_sentence_has_the_worst_of_its_statements_and_the_findings_of_all(file: Write) -> None:
    (row,) = read_rows(file(LEASE))
    checked = check_row(row, Config())
    right, cut, accused, unread = checked.sentences
    assert (right.outcome, right.findings) == (Outcome.SUPPORTED, ())
    assert cut.outcome is Outcome.REFUTED
    assert [(one.rule, one.start, one.end) for one in cut.findings] == [
        ("GR306", 30, 34),
        ("GR307", 30, 34),
        ("GR201", 18, 24),
    ]
    assert cut.hit
    assert accused.error
    assert accused.hit is None  # no wrong words
    assert unread.outcome is Outcome.UNVERIFIABLE
    assert (unread.read, unread.hit) == (False, None)


def test_a_finding_about_joined_sentences_is_that_of_the_one_it_points_at(
    file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(source: Any, **_: object) -> Report:
        end = len(source.text)
        return Report(
            "answer",
            source.text,
            statements=(stated(0, 0, end, Outcome.REFUTED),),
            violations=(violation("GR306", Severity.ERROR, 0, end, at=(33, 38)),),
        )

    monkeypatch.setattr(api, "check", check)
    (row,) = read_rows(file(NOTE))
    first, second = check_row(row, Config()).sentences
    assert first.outcome is second.outcome is Outcome.REFUTED
    assert (first.findings, len(second.findings)) == ((), 1)


# --- figures ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("known")
def test_the_figures_are_those_counted_by_hand(file: Write) -> None:
    # wrong: the cut one, with an error, refuted; the unread one, without a finding
    # true: supported, accused, supported, unverifiable
    found = evaluate(file(LEASE, NOTE))
    assert (found.documents, found.statements, found.wrong, found.not_read) == (2, 6, 2, 1)
    assert (found.wrong_error, found.wrong_any) == (0.5, 0.5)
    assert (found.true_error, found.true_any) == (0.25, 0.25)
    assert found.precision_error == 0.5
    assert (found.wrong_supported, found.true_supported) == (0, 0.5)
    assert (found.figures_caught, found.span_hit) == (0.5, 1.0)
    assert found.outcomes == {
        "true": {"supported": 2, "not_enough_info": 1, "unverifiable": 1},
        "wrong": {"refuted": 1, "unverifiable": 1},
    }
    assert found.by_rule == {
        "GR101": Accused("name of GR101", 0, 1, 0.0),
        "GR201": Accused("name of GR201", 1, 0, 1.0),
        "GR306": Accused("name of GR306", 1, 0, 1.0),
        "GR307": Accused("name of GR307", 1, 0, 1.0),
    }
    assert found.by["error"]["number"] == Part(
        statements=5, wrong=1, wrong_error=1, wrong_any=1, wrong_supported=0,
        true_error=0.25, true_any=0.25, precision_error=0.5,
        figures_caught=1, span_hit=1, true_supported=0.5,
    )  # fmt: skip
    assert found.by["error"]["negation"].wrong_any == 0
    assert set(found.by["genre"]) == {"contract", "note"}
    assert found.by["genre"]["note"].wrong_error is None
    assert found.by["abstraction"]["paraphrase"].statements == 6
    assert set(found.ci) >= {"wrong_error", "wrong_any", "true_error", "true_any"}
    assert found.ci["true_any"] == (0, 0.5)
    assert found.seconds_per_row >= 0


@pytest.mark.usefixtures("known")
def test_the_figures_have_the_names_that_others_read(file: Write) -> None:
    data = encode(evaluate(file(LEASE, NOTE)))
    json.dumps(data, allow_nan=False)
    assert {
        "wrong_error", "wrong_any", "true_error", "true_any", "precision_error",
        "seconds_per_row", "documents", "statements", "wrong", "figures_caught", "span_hit",
        "outcomes", "ci", "by", "by_rule", "three_way",
    } <= set(data)  # fmt: skip


@pytest.mark.usefixtures("known")
def test_one_document_has_no_interval(file: Write) -> None:
    found = evaluate(file(NOTE))
    assert found.ci == {}
    assert found.wrong_error is found.precision_error is None
    assert found.three_way is None


# --- a whole check ----------------------------------------------------------------------------


def test_answers_are_judged_by_a_check(file: Write) -> None:
    found = evaluate(file(LEASE, NOTE))
    assert (found.documents, found.statements, found.wrong) == (2, 6, 2)
    assert found.not_read == 0
    assert found.true_supported
    assert found.wrong_supported == 0
    again = evaluate(file(LEASE, NOTE))
    assert (again.by, again.ci) == (found.by, found.ci)


def test_claims_are_judged_as_answers_of_one_sentence(file: Write) -> None:
    doc = "The term commences on June 1, 2021. Alpine Holdings LLC owns the Building."
    rows = [
        {"doc": doc, "claim": "The term commences on June 1, 2021.", "label3": "Entailment"},
        {"context": doc, "claim": "Alpine Holdings LLC owns the Building.", "label": 1},
        {"doc": doc, "claim": "The term commences on July 9, 2024.", "label3": "Contradiction",
         "kind": "date"},
        {"context": doc, "claim": "Helga Brandt sold the Building.", "label": 0, "kind": "deed"},
    ]  # fmt: skip
    path = file(*rows)
    found = evaluate(path, by="kind")
    assert (found.statements, found.wrong, found.ci) == (4, 2, {})
    assert found.wrong_supported == 0
    assert found.true_supported == 1
    assert found.three_way is not None
    assert (found.three_way.rows, found.three_way.right) == (2, 1)
    # a value that only wrong ones have is set against the true ones
    assert {value: part.statements for value, part in found.by["kind"].items()} == {
        "date": 3, "deed": 3,
    }  # fmt: skip
    with pytest.raises(ConfigError, match="no row has the field 'kin'; expected one of answer"):
        evaluate(path, by="kin")
