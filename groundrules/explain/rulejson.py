"""A rule as JSON, the keys as in its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rdflib.term import Node, URIRef

from groundrules.rules.rule import TRAITS, EditTemplate, Rule, variable
from groundrules.terms import Triple


def encode(found: Rule) -> dict[str, Any]:
    """Return a rule as JSON, the keys as in its file."""
    edit = found.edit
    return {
        "schema": 1,
        "id": found.id,
        "name": found.name,
        "summary": found.summary,
        "severity": found.severity.value if found.finds_faults else None,
        "verdict": found.verdict,
        "status": found.status,
        "source": found.source,
        "why": found.why,
        "message": found.message,
        "denied": found.denied or None,
        found.form: found.query,
        **{key: getattr(found.traits, key) or None for key in TRAITS},
        "params": dict(found.params),
        "metric": found.metric or None,
        "per": found.per or None,
        "supersedes": list(found.supersedes),
        "edit": edit
        and {"operations": operations(edit, found.prefixes), "applicability": edit.applicability},
        "tests": [test.name for test in found.tests],
        "path": found.path,
        "digest": found.digest,
    }


def operations(edit: EditTemplate, prefixes: Mapping[str, str]) -> list[str]:
    """Return the operations of an edit, one a line: `ADD ?s ?p ?known`."""
    lines = ["DELETE ?claim"] if edit.whole else []
    lines += [f"DELETE {pattern(triple, prefixes)}" for triple in edit.delete]
    return lines + [f"ADD {pattern(triple, prefixes)}" for triple in edit.add]


def pattern(triple: Triple, prefixes: Mapping[str, str]) -> str:
    """Return a triple as rules write it: `?s gr:start ?known`."""
    return " ".join(_term(n, prefixes) for n in (triple.subject, triple.predicate, triple.object))


def _term(node: Node, prefixes: Mapping[str, str]) -> str:
    if name := variable(node):
        return f"?{name}"
    if isinstance(node, URIRef):
        for prefix, iri in prefixes.items():
            if node.startswith(iri):
                return f"{prefix}:{node[len(iri) :]}"
    return node.n3()
