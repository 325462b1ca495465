"""What sentences and claims say in the properties of an ontology."""

from __future__ import annotations

from functools import cache

import pytest

from groundrules.claims.document import from_text
from groundrules.claims.offline import extract
from groundrules.claims.resolve import resolve
from groundrules.ontology.load import Ontology, load
from groundrules.reading.lexicon import Example, read_lexicon
from groundrules.reading.reader import read_terms


@cache
def legal() -> Ontology:
    return load("legal")


def said(text: str, source: str = "") -> list[str]:
    """Return the assertions of a text as lines, in the prefix of the ontology."""
    documents = [from_text(text, "text"), *([from_text(source, "source")] if source else [])]
    extraction, *sources = resolve([extract(document) for document in documents])
    reading = read_terms(extraction, sources, legal())
    labels = {**reading.labels, **extraction.labels}
    lines = []
    for claim in reading.assertions:
        mode = "" if claim.polarity == "positive" else "not "
        mode += f"{claim.modality} " if claim.modality in {"possibility", "condition"} else ""
        parts = (
            str(labels.get(node, node)) if not hasattr(node, "datatype") else str(node)
            for node in (claim.triple.subject, claim.triple.predicate, claim.triple.object)
        )
        line = mode + " ".join(parts)
        lines.append(line.replace("https://w3id.org/groundrules/legal#", "lx:"))
    return lines


@pytest.mark.parametrize("example", read_lexicon(load("legal")).tests, ids=lambda e: e.text[:60])
def test_lexicon_reads_its_own_examples(example: Example) -> None:
    lines = said(example.text, example.source)
    missing = [line for line in example.expect if line not in lines]
    assert not missing, lines
