"""Schemas: what can be asked for, in what words, and what is refused with its place."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

import jsonschema
import pytest
from pydantic import BaseModel, Field

from groundrules.claims.evidence.schemas import MAX_FIELDS, is_field, read_schema
from groundrules.errors import ConfigError

TEXT = {"type": "string"}


class Entity(BaseModel):
    value: str
    context: str


class Judge(Entity):
    pass


class Date(Entity):
    pass


class Kind(StrEnum):
    CIVIL = "civil"
    CRIMINAL = "criminal"


class Motion(BaseModel):
    filed_on: Date | None = None
    by: Entity


class Case(BaseModel):
    """A judgment."""

    judges: list[Judge]
    decided: Date = Field(title="Date of the decision")
    kind: Kind
    damages: Decimal | None = None
    hearing: dt.date
    sealed: bool = False
    instance: Literal["first", "second"]
    motions: list[Motion] = []


def titles(shape, path=""):
    if "anyOf" in shape:
        shape = shape["anyOf"][0]
    if shape["type"] == "array":
        yield from titles(shape["items"], f"{path}[]")
    elif is_field(shape):
        yield path, shape["title"]
    else:
        for name, child in shape["properties"].items():
            yield from titles(child, f"{path}.{name}".lstrip("."))


def at(shape, *path):
    for name in path:
        shape = shape["properties"][name]
        shape = shape["anyOf"][0] if "anyOf" in shape else shape
        shape = shape["items"] if shape.get("type") == "array" else shape
    return shape


def test_the_type_of_a_field_is_its_title_or_its_name_in_words():
    schema = read_schema(Case)
    assert schema.name == "Case"
    assert dict(titles(schema.shape)) == {
        "judges[]": "Judge",
        "decided": "Date of the decision",
        "kind": "Kind",
        "damages": "Damages",
        "hearing": "Hearing",
        "sealed": "Sealed",
        "instance": "Instance",
        "motions[].filed_on": "Motion filed on",
        "motions[].by": "Motion by",
    }


def test_a_plain_value_is_asked_for_with_its_context_like_a_field():
    shape = read_schema(Case).shape
    assert at(shape, "hearing", "value") == {"type": "string", "description": "as YYYY-MM-DD"}
    assert at(shape, "damages", "value") == {"type": "number"}
    assert at(shape, "kind", "value") == {"enum": ["civil", "criminal"]}
    assert at(shape, "instance", "value") == {"enum": ["first", "second"]}
    for name in ("hearing", "damages", "kind", "sealed", "decided"):
        assert at(shape, name)["required"][:2] == ["value", "context"]


def test_nothing_must_be_answered():
    shape = read_schema(Case).shape
    empty = dict.fromkeys(shape["required"]) | {"judges": [], "motions": []}
    jsonschema.validate(empty, shape)
    full = {"value": "Roe", "context": "Roe, J."}
    jsonschema.validate({**empty, "judges": [full]}, shape)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**empty, "judges": [{"value": "Roe"}]}, shape)


def test_the_schema_of_an_answer_is_one_that_strict_endpoints_take():
    def objects(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for child in node.values():
                yield from objects(child)
        elif isinstance(node, list):
            for child in node:
                yield from objects(child)

    shape = read_schema(Case).shape
    jsonschema.Draft202012Validator.check_schema(shape)
    assert "$ref" not in json.dumps(shape)
    for node in objects(shape):
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])


def test_a_model_its_json_schema_and_a_file_with_it_are_one(tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(Case.model_json_schema()), encoding="utf-8")
    assert read_schema(Case) == read_schema(Case.model_json_schema()) == read_schema(path)


def test_a_json_schema_without_titles_is_called_after_its_file(tmp_path):
    path = tmp_path / "lease.json"
    path.write_text(json.dumps({"properties": {"monthlyRent": {"type": "number"}}}))
    schema = read_schema(path)
    assert schema.name == "lease"
    assert dict(titles(schema.shape)) == {"monthlyRent": "Monthly rent"}


def ref(target):
    return {"$ref": target}


SELF = {
    "$defs": {"A": {"properties": {"a": ref("#/$defs/A")}}},
    "properties": {"a": ref("#/$defs/A")},
}
DEEP: dict[str, object] = {"type": "string"}
for _ in range(20):
    DEEP = {"properties": {"a": DEEP}}


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (SELF, "a.a: #/$defs/A contains itself"),
        ({"properties": {"a": ref("https://example.org/s.json")}}, "is not followed"),
        ({"properties": {"a": ref("other.json#/A")}}, "is not followed"),
        ({"properties": {"a": ref("#/$defs/B")}}, "no such definition"),
        ({"properties": {"a": ref("#/properties/a")}}, "contains itself"),
        ({"properties": {"a": {"type": "object"}}}, "a.value: is of type object; expected string"),
        ({"properties": {"a": {"type": ["string", "number"]}}}, "is of type string or number"),
        ({"properties": {"a": {"properties": {}}}}, "a: has no properties"),
        ({"properties": {"a": True}}, "a: True is no schema"),
        ({"properties": {"a": {"type": "array"}}}, "is a list of unlike things"),
        ({"properties": {"a": {"type": "array", "items": {"type": "array", "items": TEXT}}}},
         "is a list of lists"),
        ({"properties": {"a": {"oneOf": [{"properties": {"x": TEXT}}, {"enum": ["y"]}]}}},
         "a: oneOf of 2; expected one, or null"),
        ({"properties": {"a": {"enum": [["x"]]}}}, "enumerates what is no string"),
        ({"properties": {"a": {"properties": {"value": TEXT, "context": TEXT, "why": TEXT}}}},
         "a: has 'why' beside value and context"),
        ({"type": "string"}, "describes no record"),
        ({"type": "array", "items": TEXT}, "describes no record"),
        ({}, "has no type"),
        ({"properties": {"a": {"enum": [None]}}}, "enumerates what is no string"),
        ({"title": "\ud800", "properties": {"a": TEXT}}, "not JSON"),
        ({"properties": {"a": {"enum": ["\udfff"]}}}, "not JSON"),
        ({"properties": {"a": {"enum": [float("nan")]}}}, "not JSON"),
        ({"properties": {"a": {"enum": [b"x"]}}}, "not JSON"),
        (DEEP, "nested more than"),
        ({"properties": {f"f{n}": TEXT for n in range(MAX_FIELDS + 1)}}, "more than 500 fields"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_refused_with_its_place(schema, message):
    with pytest.raises(ConfigError, match=message.replace("$", r"\$")):
        read_schema(schema)


def test_an_enumeration_that_has_null_is_that_of_the_others():
    schema = read_schema({"properties": {"kind": {"enum": ["civil", None]}}})
    (kind, null) = schema.shape["properties"]["kind"]["anyOf"]
    assert kind["properties"]["value"]["enum"] == ["civil"]
    assert null == {"type": "null"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "not JSON: .*"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b"[1]", "not a JSON Schema"),
        (b"[" * 100_000, "not JSON"),
        (b'{"a": ' + b"1" * 5000 + b"}", "not JSON"),
        (b" " * 2_000_000, "larger than"),
    ],
)
def test_a_file_that_is_no_schema_is_refused_with_its_name(tmp_path, data, message):
    path = tmp_path / "lease.json"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=rf"lease\.json.*: {message}"):
        read_schema(path)


def test_a_class_that_is_no_model_is_refused():
    with pytest.raises(ConfigError, match="int is no schema; expected a pydantic model"):
        read_schema(int)


class Terms(BaseModel):
    signed: dt.date
    heard: dt.datetime
    notice: dt.timedelta
    opens: dt.time
    days: list[dt.date]
    rent: Annotated[str, Field(json_schema_extra={"format": "money"})]
    mail: Annotated[str, Field(json_schema_extra={"format": "email"})]
    begins: dt.date | str
    maybe: dt.date | None = None
    years: int


class Signed(Entity):
    value: dt.date


class Deed(BaseModel):
    terms: list[Terms]
    on: Signed


def test_the_kinds_that_a_schema_declares_are_known_by_their_place():
    schema = read_schema(Deed)
    assert schema.formats == {
        "terms[].signed": "date",
        "terms[].heard": "date-time",
        "terms[].notice": "duration",
        "terms[].opens": "time",
        "terms[].days[]": "date",
        "terms[].rent": "money",
        "terms[].maybe": "date",
        "on": "date",
    }
    assert read_schema(Deed.model_json_schema()).formats == schema.formats


def test_what_is_declared_is_asked_for_in_words_and_forced_on_no_answer():
    shape = read_schema(Deed).shape
    assert '"format"' not in json.dumps(shape)
    assert at(shape, "terms", "notice", "value")["description"].startswith("as an ISO 8601")
    assert "description" not in at(shape, "terms", "begins", "value")
