"""What a rule sees of a text: the case of a check, and what the engine adds to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rdflib.term import Literal

from groundrules.checks.case import Case, build
from groundrules.checks.clock import Clock
from groundrules.checks.documents import case_of, compare, read
from groundrules.checks.judge import run
from groundrules.checks.plan import make_plan, text_rules
from groundrules.claims.documents.document import Document
from groundrules.config import Config
from groundrules.ontology.load import prefixes
from groundrules.terms import GR, METRIC, Span, Triple


@dataclass(frozen=True, slots=True)
class Facts:
    """The case of a text, and the metrics and derived statements that rules add to it.

    `sentences` are the places of those of the text, `unread` says by number why one that names a
    term of the ontology was not read.

    `derived` are by the id of the rule; `texts` are those of the text and its sources, by name;
    `prefixes` those that the files of the ontology declare.
    The axioms of the ontology are left out of the case: its files have them.
    """

    case: Case
    metrics: tuple[Triple, ...] = ()
    derived: tuple[tuple[str, Triple], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[Span, ...] = ()
    unread: Mapping[int, str] = field(default_factory=dict)


def facts_of(
    document: Document, contexts: Sequence[Document], config: Config, *, question: str = ""
) -> Facts:
    """Return what the rules of a configuration see of a text beside documents, or beside none.

    Errors as for `api.check`, but that there may be nothing to check against.
    """
    clock = Clock()
    plan = make_plan(document, contexts, config, question=question, bare=True)
    beside = compare(read(document, plan, clock), plan, clock)
    case = case_of(
        beside.grounding,
        beside.reading,
        plan.ontology,
        statements=beside.statements,
        texts=beside.texts,
    )
    found = run(case, text_rules(plan), build(case))
    metrics = tuple(
        Triple(METRIC[one.name], GR.value, Literal(one.value))
        for one in found.metrics
        if one.value is not None
    )
    texts = {document.name: document.text, **{one.name: one.text for one in plan.contexts}}
    names = prefixes([plan.ontology.path]) if plan.ontology else {}
    stem = re.sub(r"\W", "-", plan.ontology.path.stem) if plan.ontology else ""
    names = {name or stem: base for name, base in names.items()}
    return Facts(
        replace(case, axioms=(), relations=()), metrics, found.derived, texts, names,
        beside.text.sentences, beside.reading.unread,
    )  # fmt: skip
