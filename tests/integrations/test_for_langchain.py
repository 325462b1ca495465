"""LangChain: the guard in a chain, and the handler that listens to one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore

from groundrules import GuardError, Policy
from groundrules.integrations.for_langchain import ClaimGuard

SOURCE = "The Otter is a ferry. It was built in 1994. The Otter carries 80 passengers."
RIGHT = "The Otter was built in 1994."
WRONG = "The Otter carries 120 passengers."
PROMPT = ChatPromptTemplate.from_template("By {context}, answer: {question}")


def rag(*answers: str) -> Runnable[str, dict[str, Any]]:
    """Return the smallest real chain: retrieve, prompt, ask a model."""
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    store.add_documents([Document(SOURCE, metadata={"source": "fleet.txt"})])
    retrieve = {"context": store.as_retriever(), "question": RunnablePassthrough()}
    model = PROMPT | FakeListChatModel(responses=list(answers))
    return retrieve | RunnablePassthrough.assign(answer=model)


def test_in_a_chain_it_gives_the_text_to_use_and_the_outcome() -> None:
    chain = rag(WRONG, RIGHT) | ClaimGuard(Policy(on_fail="fix"))
    mended, kept = chain.invoke("What is the Otter?"), chain.invoke("What is the Otter?")

    assert (mended["answer"], kept["answer"]) == ("The Otter carries 80 passengers.", RIGHT)
    assert [one["guarded"].decision for one in (mended, kept)] == ["pass", "pass"]
    assert mended["question"] == mended["guarded"].report.run.question == "What is the Otter?"
    assert set(mended["guarded"].report.sources) == {"answer", "fleet.txt"}


def test_awaited_and_in_batches_it_gives_the_same() -> None:
    given = [{"answer": text, "context": SOURCE} for text in (WRONG, RIGHT)]
    guard = ClaimGuard()
    expected = [guard.invoke(one)["guarded"].decision for one in given]

    async def awaited() -> list[dict[str, Any]]:
        return await guard.abatch(given)

    assert expected == ["fix", "pass"]
    assert [one["guarded"].decision for one in guard.batch(given)] == expected
    assert [one["guarded"].decision for one in asyncio.run(awaited())] == expected


def test_what_the_policy_raises_ends_the_chain_and_a_fallback_answers() -> None:
    strict = ClaimGuard(Policy(on_fail="exception"))
    refusal = RunnableLambda(lambda _: {"answer": "I do not know."})

    with pytest.raises(GuardError, match="80 passengers"):
        strict.invoke({"answer": WRONG, "context": [SOURCE]})

    answer = strict.with_fallbacks([refusal]).invoke({"answer": WRONG, "context": [SOURCE]})
    assert answer == {"answer": "I do not know."}


@pytest.mark.parametrize("context", [[], [Document("")], None])
def test_where_nothing_was_retrieved_the_guard_asks_for_sources(context: Any) -> None:
    found = ClaimGuard().invoke({"answer": RIGHT, "context": context})["guarded"]

    assert (found.decision, found.text) == ("retrieve_again", RIGHT)
