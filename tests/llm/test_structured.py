"""Laws of reading what a model wrote: nothing is invented, nothing cut off is completed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.errors import ConfigError
from groundrules.llm.structured import MalformedError, read_answer, validator
from tests.rows import each

texts = st.text(st.characters(codec="utf-8"), max_size=12)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, width=32) | texts
values = st.recursive(
    scalars.filter(lambda value: value not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(texts, values, min_size=1, max_size=4)


def anything(value: object) -> None:
    """Accept every value."""


def read(text: str) -> Any:
    return read_answer(text, anything)[0]


@given(values)
def test_json_is_read_as_it_is(value: Any) -> None:
    assert read_answer(json.dumps(value), anything) == (value, False)


@given(objects, st.sampled_from(["```json\n{}\n```", "Here it is: {}\nIs that all?", " {} ```"]))
def test_json_in_a_fence_or_in_prose_is_read_as_it_is(value: Any, frame: str) -> None:
    assert read_answer(frame.replace("{}", json.dumps(value)), anything) == (value, False)


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for name, part in value.items() for leaf in (name, *leaves(part))]
    if isinstance(value, list):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


@given(st.lists(objects, min_size=1, max_size=4), st.data())
def test_what_is_cut_off_is_a_prefix_of_whole_items(items: list[Any], data: st.DataObject) -> None:
    text = json.dumps({"items": items}, ensure_ascii=data.draw(st.booleans()))
    end = data.draw(st.integers(0, len(text) - 1))
    try:
        found, repair = read_answer(text[:end], anything)
    except MalformedError:
        # nothing whole was there to be kept
        assert text[:end] != text
        return
    assert repair
    assert found["items"] == items[: len(found["items"])]


@given(objects, st.data())
def test_a_cut_object_has_no_value_that_the_whole_had_not(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    end = data.draw(st.integers(0, len(text) - 1))
    try:
        found = read(text[:end])
    except MalformedError:
        return
    whole = [json.dumps(leaf) for leaf in leaves(value)]
    assert all(json.dumps(leaf) in whole for leaf in leaves(found))


@each("text value")
def test_what_stands_amid_other_words_is_read(text: str, value: object) -> None:
    schema = {"type": "object"}
    assert read_answer(text, validator(schema)) == (value, False)


@each("text value")
def test_the_item_that_the_text_ends_in_is_left_out(text: str, value: object) -> None:
    assert read_answer(text, anything) == (value, True)


@each("text")
def test_what_can_be_meant_in_two_ways_or_none_is_malformed(text: str) -> None:
    with pytest.raises(MalformedError):
        read(text)


def test_a_schema_decides_which_value_in_the_prose_is_the_answer() -> None:
    schema = {"type": "object", "required": ["name"]}
    text = 'For {"a": 1}, see ["x"]: {"name": "Smith"}'
    assert read_answer(text, validator(schema)) == ({"name": "Smith"}, False)


def test_what_breaks_the_schema_is_named_with_its_place() -> None:
    schema = {"properties": {"items": {"items": {"required": ["name"]}}}}
    with pytest.raises(MalformedError, match=r"\$\.items\[1\]: 'name' is a required property"):
        read_answer('{"items": [{"name": 1}, {}]}', validator(schema))


def test_a_long_value_is_not_repeated_in_full() -> None:
    with pytest.raises(MalformedError) as caught:
        read_answer(json.dumps("x" * 10_000), validator({"type": "object"}))
    assert len(str(caught.value)) < 300


@each("schema message")
def test_a_schema_that_is_none_is_a_fault_of_the_configuration(
    schema: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        validator(schema)({})


# What the PyPI package json-repair 0.64.5 made of these, in its strict mode too; each is a false
# claim once a linter believes it, so repair is our own.
