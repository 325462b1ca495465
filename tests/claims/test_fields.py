"""Extraction: what a model answers about the parts of a document becomes one list of values."""

from __future__ import annotations

import pytest

from groundrules.claims.documents.document import from_text
from groundrules.claims.evidence.fields import dotted, extract
from groundrules.claims.evidence.schemas import read_schema
from tests.recorded import blank, client

NAMED = {"properties": {"value": {"type": "string"}, "context": {"type": "string"}}}
SCHEMA = read_schema(
    {
        "title": "Lease",
        "properties": {
            "landlord": NAMED,
            "rent": {"type": "number"},
            "renews": {"type": "boolean"},
            "tenants": {"type": "array", "items": NAMED},
            "payments": {
                "type": "array",
                "items": {"properties": {"due": NAMED, "amount": NAMED}},
            },
            "site": {"properties": {"city": NAMED, "kind": {"enum": ["office", "shop"]}}},
        },
    }
)


def said(value, context):
    return {"value": value, "context": context}


def found(tmp_path, documents, answer, **limits):
    asked = client(tmp_path / "answers.jsonl", documents, SCHEMA, answer, **limits)
    return extract(documents, SCHEMA, asked, threshold=0.6)


def values(fields):
    return [(field.name, field.value) for field in fields]


@pytest.fixture
def lease():
    return from_text("The landlord is Alpine Holdings LLC. The tenant is Ann Lee.", "lease.txt")


@pytest.fixture
def long():
    """A document of three chunks, each sentence in one place but those where two chunks meet."""
    filler = "\n\n".join(f"{n}. Nothing of note is agreed in clause {n}." for n in range(700))
    half = len(filler) // 2
    return from_text(
        "The landlord is Alpine Holdings LLC. The rent is $100.\n\n" + filler[:half]
        + "\n\nThe tenant Ann Lee pays $5 on May 1, 2021.\n\n" + filler[half:]
        + "\n\nThe rent is $200. The tenant is Bob Roe. The landlord is ALPINE Holdings LLC.",
        "long.txt",
    )  # fmt: skip


def test_an_answer_is_a_list_of_values_in_the_order_of_the_schema(tmp_path, lease):
    answer = {
        "landlord": said("Alpine Holdings LLC", "The landlord is Alpine Holdings LLC."),
        "rent": None,
        "renews": said(False, "no"),
        "tenants": [said("Ann Lee", "The tenant is Ann Lee.")],
        "payments": [{"due": None, "amount": said("$5", "pays $5")}, None],
        "site": {"city": None, "kind": said("shop", "a shop")},
    }
    answer["payments"].pop()
    fields, faults = found(tmp_path, [lease], lambda part: answer)
    assert faults == ()
    assert values(fields) == [
        ("landlord", "Alpine Holdings LLC"),
        ("renews", False),
        ("tenants[0]", "Ann Lee"),
        ("payments[0].amount", "$5"),
        ("site.kind", "shop"),
    ]
    by_name = {field.name: field for field in fields}
    assert by_name["payments[0].amount"].type == "Payment amount"
    assert [f.name for f in fields if f.worded] == ["renews", "site.kind"]
    assert by_name["renews"].said == "no"
    (quote,) = by_name["landlord"].quotes
    assert (quote.text, quote.document) == ("The landlord is Alpine Holdings LLC.", "lease.txt")
    assert quote.shown == (0, len(lease.text))


def test_what_the_parts_of_a_text_repeat_is_one(tmp_path, long):
    def answer(part):
        data = blank(SCHEMA)
        if "pays $5" in part:
            clause = "The tenant Ann Lee pays $5 on May 1, 2021."
            data["payments"] = [{"due": said("May 1, 2021", clause), "amount": said("$5", clause)}]
            data["tenants"] = [said("Ann Lee", clause)]
        if "Bob Roe" in part:
            data["tenants"] = [*data["tenants"], said("Bob Roe", "The tenant is Bob Roe.")]
        for name in ("Alpine", "ALPINE"):
            if name in part:
                words = f"The landlord is {name} Holdings LLC."
                data["landlord"] = said(f"{name} Holdings LLC", words)
        return data

    fields, _ = found(tmp_path, [long], answer)
    assert values(fields) == [
        ("landlord", "Alpine Holdings LLC"),
        ("tenants[0]", "Ann Lee"),
        ("tenants[1]", "Bob Roe"),
        ("payments[0].due", "May 1, 2021"),
        ("payments[0].amount", "$5"),
    ]
    # one value in two places has two passages
    assert [len(field.quotes) for field in fields] == [2, 1, 1, 1, 1]


def test_two_values_for_one_place_are_both_kept(tmp_path, long):
    def answer(part):
        data = blank(SCHEMA)
        for amount in (100, 200):
            if f"The rent is ${amount}." in part:
                data["rent"] = said(amount, f"The rent is ${amount}.")
        return data

    fields, _ = found(tmp_path, [long], answer)
    assert values(fields) == [("rent", 100), ("rent", 200)]


def test_equal_amounts_of_two_places_stay_two(tmp_path):
    filler = "Nothing is agreed here. " * 900
    text = from_text(f"On May 1, 2021 pay $5. {filler} On May 2, 2021 pay $5.", "two.txt")

    def answer(part):
        data = blank(SCHEMA)
        for day in (1, 2):
            clause = f"On May {day}, 2021 pay $5."
            if clause in part:
                data["payments"] = [*data["payments"], {"due": None, "amount": said("$5", clause)}]
        return data

    fields, _ = found(tmp_path, [text], answer)
    assert values(fields) == [("payments[0].amount", "$5"), ("payments[1].amount", "$5")]


def test_a_part_that_could_not_be_asked_about_is_told_and_the_rest_stands(tmp_path, long):
    def answer(part):
        return blank(SCHEMA) | {"renews": said(True, "x")} if "Alpine" in part else None

    fields, faults = found(tmp_path, [long], answer)
    assert values(fields) == [("renews", True)]
    assert faults
    assert {fault.document for fault in faults} == {"long.txt"}
    assert {fault.error.kind for fault in faults} == {"unreachable"}
    assert all(0 < fault.start < fault.end <= len(long.text) for fault in faults)


def test_a_limit_of_calls_leaves_parts_unasked(tmp_path, long):
    _, faults = found(tmp_path, [long], lambda part: blank(SCHEMA), max_calls=1)
    assert {fault.error.kind for fault in faults} == {"budget"}


def test_hostile_answers_become_values_that_can_be_written(tmp_path, lease):
    answer = blank(SCHEMA) | {
        "landlord": said("\ud800\x00\u202e", "\udfff" * 10),
        "rent": said(1e300, ""),
        "tenants": [said("", "empty"), said("x" * 100_000, "y" * 100_000)],
    }
    fields, _ = found(tmp_path, [lease], lambda part: answer)
    assert values(fields) == [
        ("landlord", "\ufffd\x00\u202e"), ("rent", 1e300), ("tenants[0]", "x" * 100_000)
    ]  # fmt: skip
    assert all(quote.text.isascii() or "\ufffd" in quote.text for f in fields for quote in f.quotes)


def test_the_model_is_not_told_where_a_document_lies(tmp_path):
    document = from_text("The tenant is Ann Lee.", "/home/me/secret/lease.txt")
    fields, faults = found(tmp_path, [document], lambda part: blank(SCHEMA))
    assert (fields, faults) == ((), ())
    recorded = (tmp_path / "answers.jsonl").read_text()
    assert '"texts": ["lease.txt"]' in recorded


def test_a_path_is_written_with_dots_and_brackets():
    assert dotted(("tenants", 0, "name")) == "tenants[0].name"
    assert dotted(()) == ""


def test_a_value_has_the_format_that_the_schema_declares_at_its_place(tmp_path, lease):
    day = {"type": "string", "format": "date"}
    dated = {"properties": {"value": day, "context": {"type": "string"}}}
    schema = read_schema(
        {
            "properties": {
                "signed": day,
                "landlord": {"type": "string"},
                "payments": {"type": "array", "items": {"properties": {"due": dated}}},
            }
        }
    )
    answer = {
        "signed": said("2021-05-01", "on May 1"),
        "landlord": said("Alpine", "Alpine"),
        "payments": [{"due": said("May 2", "by May 2")}],
    }
    asked = client(tmp_path / "answers.jsonl", [lease], schema, lambda part: answer)
    fields, _ = extract([lease], schema, asked, threshold=0.6)
    assert {field.name: field.format for field in fields} == {
        "signed": "date", "landlord": "", "payments[0].due": "date",
    }  # fmt: skip
