"""The records of the cases of GROG as a store: an application, its patent, its claim, a pump."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from groundrules.config import Config
from groundrules.kb.search.retrieval import TEXTS, index_texts
from groundrules.kb.sources.triplestore import build_store, open_graph

_PREFIXES = """\
@prefix lx: <https://w3id.org/groundrules/legal#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix schema: <http://schema.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
_RECORD = "https://w3id.org/groundrules/record/"
#: The paper's edges, each with ours and whether it leads the other way.
_EDGES = {"HAS_PATENT": "lx:grantedOn", "HAS_CLAIM": "lx:partOf"}


def iri(name: str) -> str:
    """Return what a record of a case is called in a store: app:1, pat:US1B2, claim:US1B2:1."""
    kind, *numbers = name.split(":")
    digits = re.sub(r"^US|[A-Z]\d$", "", numbers[0])
    if kind == "app":
        return f"{_RECORD}us-application/{digits}"
    claim = f"/claim/{numbers[1]}" if kind == "claim" else ""
    return f"{_RECORD}us-patent/{digits}{claim}"


def turtle(records: Sequence[Mapping[str, Any]]) -> str:
    """Return the records in the terms of the legal ontology."""
    lines = [_PREFIXES]
    for record in records:
        node, kind = f"<{iri(record['id'])}>", record["type"]
        number = record["id"].split(":")[-1]
        digits = re.sub(r"^US|[A-Z]\d$", "", number)
        if kind == "Claim":
            lines.append(
                f"{node} a lx:IndependentClaim ; lx:claimNumber {number} ; "
                f'schema:text "{record["text"]}" .'
            )
        else:
            title = record["text"].partition(", ")[2].removesuffix(".")
            of = "patentNumber" if kind == "Patent" else "applicationNumber"
            sort = "GrantedPatent" if kind == "Patent" else "PatentApplication"
            lines.append(f'{node} a lx:{sort} ; lx:{of} "{digits}" ; dcterms:title "{title}" .')
        for edge, other in record["edges"]:
            lines.append(f"<{iri(other)}> {_EDGES[edge]} {node} .")
    return "\n".join(lines) + "\n"


def build(records: Sequence[Mapping[str, Any]], folder: Path) -> Config:
    """Build a store of records with the index of its texts; return a configuration that asks it."""
    (folder / "records.ttl").write_text(turtle(records), encoding="utf-8")
    store = folder / "store"
    build_store([folder / "records.ttl"], store)
    index_texts(open_graph(store), store / TEXTS)
    return Config(kb=(str(store),))
