"""What the parts for frameworks share: retrieved texts as sources, a score and a reason."""

from __future__ import annotations

from collections.abc import Iterable

from groundrules.claims.documents.document import Document, from_text
from groundrules.errors import ConfigError
from groundrules.guardrail import Guarded, faults_of
from groundrules.terms import Outcome, Report

#: Why an answer passes.
HOLDS = "nothing speaks against it"


def documents(texts: Iterable[tuple[object, str]]) -> list[Document]:
    """Return texts as sources, each with its name, a number where it has none; none that is empty.

    Where none is left, `guard` decides "retrieve_again". A text stays a text, also one that is the
    name of a file.
    """
    return [
        from_text(text, str(name or f"source{number}"))
        for number, (name, text) in enumerate(texts, 1)
        if text.strip()
    ]


def share_supported(report: Report) -> float:
    """Return the share of the statements that the sources carry, 0 where there is none."""
    outcomes = [report.outcome_of(one) for one in report.statements]
    return outcomes.count(Outcome.SUPPORTED) / len(outcomes) if outcomes else 0.0


def reason(guarded: Guarded) -> str:
    """Return what is wrong with an answer, in the words of the texts."""
    return "; ".join(faults_of(guarded)) or guarded.reason or HOLDS


def missing(package: str, install: str) -> ConfigError:
    """Return the error that a framework is not installed."""
    return ConfigError(f"{package} is not installed; run: pip install {install}")
