"""LlamaIndex: the evaluator and the post-processor in query engines."""

from __future__ import annotations

import pytest
from llama_index.core import Settings, SummaryIndex
from llama_index.core.bridge.pydantic import Field
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import RetryQueryEngine
from llama_index.core.schema import TextNode

from groundrules.integrations.for_llamaindex import ClaimEvaluator

SOURCE = "The Otter was built in 1994. The Otter carries 80 passengers."
WRONG = "The Otter was built in 1994. The Otter carries 120 passengers."


class Scripted(CustomLLM):
    """A model that gives its answers in order."""

    answers: list[str]
    asked: list[str] = Field(default_factory=list)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: object) -> CompletionResponse:
        self.asked.append(prompt)
        return CompletionResponse(text=self.answers[len(self.asked) - 1])

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **_: object) -> None:
        raise NotImplementedError


def test_a_response_passes_where_no_context_speaks_against_it() -> None:
    evaluator = ClaimEvaluator()
    right = evaluator.evaluate(response=SOURCE, contexts=[SOURCE], query="What is the Otter?")
    wrong = evaluator.evaluate(response=WRONG, contexts=["The Otter is a ferry.", SOURCE])

    assert (right.passing, right.score, right.invalid_result) == (True, 1.0, False)
    assert (wrong.passing, wrong.score) == (False, 0.5)
    assert right.query == "What is the Otter?"
    assert "80 passengers" in (wrong.feedback or "")


def test_a_response_without_a_statement_does_not_pass() -> None:
    found = ClaimEvaluator().evaluate(response="!", contexts=[SOURCE])

    assert (found.passing, found.invalid_result) == (False, True)


@pytest.mark.parametrize("contexts", [[], [" \n", ""]])
def test_a_response_for_which_nothing_was_retrieved_does_not_pass(contexts: list[str]) -> None:
    found = ClaimEvaluator().evaluate(response=SOURCE, contexts=contexts)

    assert (found.passing, found.score, found.invalid_result) == (False, 0.0, True)
    assert found.feedback == found.invalid_reason == "there is no source to check it against"


def test_a_query_engine_asks_again_until_the_response_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = Scripted(answers=[WRONG, SOURCE])
    monkeypatch.setattr(Settings, "_llm", model)
    engine = SummaryIndex([TextNode(text=SOURCE)]).as_query_engine(llm=model)
    retry = RetryQueryEngine(engine, ClaimEvaluator(), max_retries=1)

    assert str(retry.query("What is the Otter?")) == SOURCE
    assert len(model.asked) == 2
    assert "120 passengers" in model.asked[1]
