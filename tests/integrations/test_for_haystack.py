"""Haystack: the component in a pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest
from haystack import Document, Pipeline
from haystack.components.builders import PromptBuilder
from haystack.components.generators.chat import MockChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore

from groundrules import ConfigError, GuardError
from groundrules.integrations.for_haystack import ClaimGuard

SOURCE = "The Otter was built in 1994. The Otter carries 80 passengers."
RIGHT = "The Otter carries 80 passengers."
WRONG = "The Otter carries 120 passengers."
FLEET = [Document(content=SOURCE, meta={"file_path": "fleet.txt"})]


def rag(*answers: str, **guard: object) -> Pipeline:
    """Return the smallest real pipeline: retrieve, prompt, ask a model, guard."""
    store = InMemoryDocumentStore()
    store.write_documents(FLEET)
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store))
    pipeline.add_component("prompt", PromptBuilder("{{documents[0].content}} {{query}}"))
    pipeline.add_component("llm", MockChatGenerator(responses=list(answers)))
    pipeline.add_component("guard", ClaimGuard(**guard))
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("retriever.documents", "guard.documents")
    pipeline.connect("prompt.prompt", "llm.messages")
    pipeline.connect("llm.replies", "guard.replies")
    return pipeline


def run(pipeline: Pipeline) -> dict[str, list[object]]:
    query = "How many passengers does the Otter carry?"
    asked = {one: {"query": query} for one in ("retriever", "prompt", "guard")}
    found: dict[str, list[object]] = pipeline.run(asked)["guard"]
    return found


def test_in_a_pipeline_a_reply_that_holds_passes_and_another_is_set_apart() -> None:
    right, wrong = run(rag(RIGHT)), run(rag(WRONG))

    assert (right["replies"], right["rejected"]) == ([RIGHT], [])
    assert (wrong["replies"], wrong["rejected"]) == ([], [WRONG])
    (guarded,) = wrong["guarded"]
    assert guarded.decision == "fix"
    assert guarded.report.run.question == "How many passengers does the Otter carry?"
    assert set(guarded.report.sources) == {"answer", "fleet.txt"}


def test_the_policy_is_plain_data_and_stays_when_a_pipeline_is_written() -> None:
    pipeline = rag(WRONG, policy={"on_fail": "fix", "block": ["GR3"]})
    again = Pipeline.loads(
        pipeline.dumps(), allowed_modules=["groundrules.integrations.for_haystack"]
    )

    assert run(pipeline)["replies"] == [RIGHT]
    assert again.get_component("guard").policy == {"on_fail": "fix", "block": ["GR3"]}
    assert run(again)["replies"] == [RIGHT]


def test_the_settings_of_a_file_count(tmp_path: Path) -> None:
    (tmp_path / "groundrules.toml").write_text('select = ["GR2"]\n')
    guard = ClaimGuard(config=str(tmp_path / "groundrules.toml"))

    (found,) = guard.run(replies=[WRONG], documents=FLEET)["guarded"]
    assert "GR306" not in [one.rule for one in found.report.violations]


@pytest.mark.parametrize("documents", [[], [Document(content="")], [Document(content=None)]])
def test_where_nothing_was_retrieved_a_reply_is_set_apart(documents: list[Document]) -> None:
    found = ClaimGuard().run(replies=[RIGHT], documents=documents)

    assert (found["replies"], found["rejected"]) == ([], [RIGHT])
    assert [one.decision for one in found["guarded"]] == ["retrieve_again"]


def test_chat_messages_are_replies_too() -> None:
    found = ClaimGuard().run(replies=[ChatMessage.from_assistant(RIGHT)], documents=FLEET)

    assert found["replies"] == [RIGHT]


def test_what_the_policy_raises_ends_the_pipeline() -> None:
    with pytest.raises(Exception, match="80 passengers") as caught:
        run(rag(WRONG, policy={"on_fail": "exception"}))

    assert isinstance(caught.value.__cause__ or caught.value, GuardError)


def test_a_policy_that_is_none_is_refused_when_it_is_made() -> None:
    with pytest.raises(ConfigError, match="policy on_fail is 'mend'; expected report"):
        ClaimGuard(policy={"on_fail": "mend"})
