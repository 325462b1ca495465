"""Which parts of the messages of a request are sources, and which are not."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from groundrules.service import promptsources
from groundrules.service.promptsources import sources_in
from tests.work import assert_linear

FACT = "The Otter was built in 1994."


@pytest.mark.parametrize(
    ("role", "content"),
    [
        ("tool", FACT),
        ("function", [{"type": "text", "text": FACT}]),
        ("system", f"Answer from this.\n<context>\n{FACT}\n</context>"),
        ("user", f'<documents><document index="1">{FACT}</document></documents> When was that?'),
        ("developer", f"<source id='a'>{FACT}</source>"),
        # the prompt of LlamaIndex
        ("user", "Context information is below.\n---------------------\n"
                 f"{FACT}\n---------------------\nGiven the context information and not prior "
                 "knowledge, answer the query.\nQuery: When was it built?\nAnswer: "),
        ("user", "Answer the question based only on the following context:\n"
                 f"{FACT}\n\nQuestion: When was it built?\n"),
        ("system", f"Be brief. Use these retrieved passages:\n\n{FACT}"),
        # that of LangChain
        ("user", "You are an assistant. Use the following context.\nQuestion: When was it built? \n"
                 f"Context: {FACT} \nAnswer:"),
    ],
)  # fmt: skip
def test_a_part_that_is_marked_is_a_source(role: str, content: Any) -> None:
    found = sources_in([{"role": role, "content": content}])

    assert [one.text and one.text.strip() for one in found] == [FACT]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": f"{FACT} Is that so?"},
        {"role": "assistant", "content": f"<context>{FACT}</context>"},
        {"role": "system", "content": "You are helpful."},
        {"role": "user", "content": f"In the following context: {FACT}"},
        {"role": "user", "content": f"Translate the following:\n{FACT}"},
        {"role": "user", "content": "<context></context>"},
        {"role": "user", "content": f"<context>{FACT}"},
        {"role": "user"},
        {"content": FACT},
        "text",
        None,
    ],
)
def test_what_is_not_marked_is_none(message: Any) -> None:
    assert sources_in([message]) == []


@pytest.mark.parametrize("messages", [None, "text", {}, 3])
def test_messages_that_are_none_have_no_source(messages: Any) -> None:
    assert sources_in(messages) == []


def test_a_text_is_a_source_once_and_each_has_a_name_of_its_own() -> None:
    said = f"<context>{FACT}</context> <context>It sails.</context> <context>{FACT}</context>"
    found = sources_in([{"role": "user", "content": said}, {"role": "tool", "content": FACT}])

    assert [(one.name, one.text) for one in found] == [
        ("message 1, part 1", FACT),
        ("message 1, part 2", "It sails."),
    ]


@pytest.mark.parametrize("mark", ["<context>", "-----\n", "Context:\n", "following "])
def test_the_cost_is_linear_in_hostile_marks(mark: str) -> None:
    assert_linear(lambda marks: sources_in([{"role": "user", "content": mark * marks}]), 500)


def test_what_would_close_a_mark_is_looked_for_once_where_nothing_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[str] = []
    real = re.compile

    def compiled(pattern: str, flags: int) -> re.Pattern[str]:
        looked.append(pattern)
        return real(pattern, flags)

    monkeypatch.setattr(promptsources, "re", SimpleNamespace(compile=compiled, I=re.I))
    assert sources_in([{"role": "user", "content": "<context><source>" * 500}]) == []
    assert looked == ["</context>", "</source>"]
