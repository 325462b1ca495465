"""A linter for claims: what a text asserts, checked against its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundrules.api import ask, check, extract
    from groundrules.claims.documents.document import Document
    from groundrules.config import Config
    from groundrules.errors import (
        ConfigError,
        GroundrulesError,
        LLMError,
        ModelError,
        RuleError,
        SourceError,
    )
    from groundrules.guardrail import Guarded, GuardError, Policy, aguard, guard
    from groundrules.terms import (
        Account,
        Claim,
        Conclusion,
        Edit,
        EditOperation,
        Evidence,
        Mention,
        Metric,
        Modality,
        Outcome,
        Report,
        Run,
        Severity,
        Span,
        Statement,
        Triple,
        Verdict,
        Violation,
    )

__version__ = "0.1.0"

__all__ = [
    "Account",
    "Claim",
    "Conclusion",
    "Config",
    "ConfigError",
    "Document",
    "Edit",
    "EditOperation",
    "Evidence",
    "GroundrulesError",
    "GuardError",
    "Guarded",
    "LLMError",
    "Mention",
    "Metric",
    "Modality",
    "ModelError",
    "Outcome",
    "Policy",
    "Report",
    "RuleError",
    "Run",
    "Severity",
    "SourceError",
    "Span",
    "Statement",
    "Triple",
    "Verdict",
    "Violation",
    "__version__",
    "aguard",
    "ask",
    "check",
    "extract",
    "guard",
]

_ELSEWHERE = {
    "ask": "api",
    "check": "api",
    "extract": "api",
    "Config": "config",
    "Document": "claims.documents.document",
    **dict.fromkeys(("GuardError", "Guarded", "Policy", "aguard", "guard"), "guardrail"),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import groundrules` stays light."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    # not kept: a test, or a reload, may put another module in its place
    module = _ELSEWHERE.get(name, "errors" if name.endswith("Error") else "terms")
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
