"""LangChain: a Runnable that guards an answer, a callback handler that checks what a model says.

chain = retrieve | RunnablePassthrough.assign(answer=generate) | ClaimGuard()
chain.invoke(question, config={"callbacks": [ClaimHandler(print)]})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from groundrules.config import Config
from groundrules.guardrail import DEFAULT, Guarded, Policy, guard
from groundrules.integrations.grounds import documents, missing

try:
    from langchain_core.callbacks import BaseCallbackHandler
    from langchain_core.documents import Document
    from langchain_core.outputs import LLMResult
    from langchain_core.runnables import Runnable, RunnableConfig
except ImportError:
    raise missing("LangChain", "'groundrules[langchain]'") from None


class ClaimGuard(Runnable[dict[str, Any], dict[str, Any]]):
    """Guards `answer` by `context` (documents or texts), and gives the input with two keys more.

    `answer` is then the text to use and `guarded` the `Guarded`. The question is `question` or
    `input`. Where `context` is empty or None the decision is "retrieve_again". There is no model
    here to ask again: of policies, those that reask only report.
    """

    def __init__(self, policy: Policy = DEFAULT, settings: Config | None = None) -> None:
        self.policy, self.settings = policy, settings

    def invoke(
        self,
        input: dict[str, Any],  # noqa: A002 - the name that LangChain gives it
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Guard an answer; GuardError where the policy says "exception"."""
        found: dict[str, Any] = self._call_with_config(self._guard, input, config, **kwargs)
        return found

    def _guard(self, given: dict[str, Any]) -> dict[str, Any]:
        answer = given["answer"]
        found = guard(
            answer if isinstance(answer, str) else answer.text,
            context=_sources(given["context"] or ()),
            policy=self.policy,
            config=self.settings,
            question=str(given.get("question") or given.get("input") or ""),
        )
        return {**given, "answer": found.text, "guarded": found}


class ClaimHandler(BaseCallbackHandler):
    """Checks what a model says against the documents that its run has retrieved, and tells.

    `tell` is given a `Guarded` of each answer: "retrieve_again" where a retriever found nothing. An
    answer before which no retriever ran is not checked. What the policy raises ends the run.
    """

    def __init__(
        self,
        tell: Callable[[Guarded], object],
        policy: Policy = DEFAULT,
        settings: Config | None = None,
    ) -> None:
        self._tell, self._policy, self._settings = tell, policy, settings
        self.raise_error = policy.on_fail == "exception"
        self._parents: dict[UUID, UUID] = {}
        self._runs: dict[UUID, tuple[str, list[Document]]] = {}

    def on_chain_start(self, *_: Any, run_id: UUID, parent_run_id: UUID | None = None,
                       **__: Any) -> None:  # fmt: skip
        """Note which run is part of which."""
        if parent_run_id:
            self._parents[run_id] = parent_run_id

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Forget a run that has ended."""
        self._parents.pop(run_id, None)
        self._runs.pop(run_id, None)

    on_chain_error = on_chain_end

    def on_retriever_start(self, serialized: Any, query: str, *, run_id: UUID,
                           parent_run_id: UUID | None = None, **_: Any) -> None:  # fmt: skip
        """Note what was asked."""
        self._runs.setdefault(self._root(parent_run_id or run_id), (query, []))

    def on_retriever_end(self, documents: Iterable[Document], *, run_id: UUID,
                         parent_run_id: UUID | None = None, **_: Any) -> None:  # fmt: skip
        """Note what was found."""
        self._runs[self._root(parent_run_id or run_id)][1].extend(documents)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID,
                   parent_run_id: UUID | None = None, **_: Any) -> None:  # fmt: skip
        """Check each answer."""
        root = self._root(parent_run_id or run_id)
        if root not in self._runs:
            return
        question, retrieved = self._runs[root]
        for answers in response.generations:
            for answer in answers:
                self._tell(
                    guard(
                        answer.text,
                        context=_sources(retrieved),
                        policy=self._policy,
                        config=self._settings,
                        question=question,
                    )
                )

    def _root(self, run: UUID) -> UUID:
        while run in self._parents:
            run = self._parents[run]
        return run


def _sources(context: str | Document | Iterable[str | Document]) -> list[Any]:
    given = [context] if isinstance(context, str | Document) else context
    return documents(
        ("", one) if isinstance(one, str) else (one.metadata.get("source"), one.page_content)
        for one in given
    )
