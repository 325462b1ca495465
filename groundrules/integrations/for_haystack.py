"""Haystack: a component that guards replies by the documents that they were written from.

pipeline.add_component("guard", ClaimGuard(policy={"on_fail": "fix"}))
pipeline.connect("retriever.documents", "guard.documents")
pipeline.connect("llm.replies", "guard.replies")
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from groundrules.config import Config, read
from groundrules.guardrail import Guarded, Policy, guard
from groundrules.integrations.grounds import documents as sources_of
from groundrules.integrations.grounds import missing

try:
    from haystack import Document, component
    from haystack.dataclasses import ChatMessage
except ImportError:
    raise missing("Haystack", "'groundrules[haystack]'") from None


@component
class ClaimGuard:
    """Gives of replies those that pass, with what was decided of each.

    `policy` has the keys of `Policy`, `config` is the path of a config file: plain data, as a
    pipeline is written to YAML.
    """

    def __init__(self, policy: dict[str, Any] | None = None, config: str | None = None) -> None:
        self.policy, self.config = policy, config
        plain: dict[str, Any] = {
            key: tuple(one) if isinstance(one, list) else one for key, one in (policy or {}).items()
        }
        self._policy = Policy(**plain)
        self._settings = read(Path(config)) if config else Config()

    @component.output_types(replies=list[str], rejected=list[str], guarded=list[Guarded])
    def run(
        self, replies: list[str] | list[ChatMessage], documents: list[Document], query: str = ""
    ) -> dict[str, Any]:
        """Guard replies; GuardError where the policy says "exception"."""
        sources = sources_of((one.meta.get("file_path"), one.content or "") for one in documents)
        guarded = [
            guard(
                reply if isinstance(reply, str) else reply.text or "",
                context=sources,
                policy=self._policy,
                config=self._settings,
                question=query,
            )
            for reply in replies
        ]
        return {
            "replies": [one.text for one in guarded if one.passes],
            "rejected": [one.text for one in guarded if not one.passes],
            "guarded": guarded,
        }
