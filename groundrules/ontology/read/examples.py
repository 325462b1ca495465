"""The tests that a lexicon carries: what is read of a text, as lines to compare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rdflib.term import Literal, Node

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.resolve import resolve
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.lexicon import Example, read_lexicon
from groundrules.ontology.read.reader import read_terms
from groundrules.terms import Claim


def failing(ontology: Ontology) -> Iterator[tuple[Example, int, str]]:
    """Yield each line that a test of the lexicon of an ontology expects and that is not read.

    Before it stand the test and the line of the file where that begins, after it what is read.
    """
    if ontology.lexicon is None:
        return
    tests = read_lexicon(ontology).tests
    lines = ontology.lexicon.read_text("utf-8").split("\n")
    heads = [n for n, one in enumerate(lines, 1) if re.match(r"\s*\[\[\s*test\s*\]\]", one)]
    for number, example in enumerate(tests):
        for told in failures(ontology, example):
            yield example, heads[number] if number < len(heads) else 1, told


def failures(ontology: Ontology, example: Example) -> list[str]:
    """Return the lines that an example expects and that are not read, each with what is."""
    prefixes = read_lexicon(ontology).prefixes
    texts = filter(None, (example.text, example.source))
    found = resolve([extract(from_text(text, f"text{n}")) for n, text in enumerate(texts)])
    reading = read_terms(found[0], found[1:], ontology)
    labels = {**reading.labels, **found[0].labels}
    read = [line(claim, labels, prefixes) for claim in reading.assertions]
    return [
        f"{wanted!r} is not read, but {read}" for wanted in example.expect if wanted not in read
    ]


def line(claim: Claim, labels: Mapping[Node, str], prefixes: Mapping[str, str]) -> str:
    """Return an assertion as its mode where it is no plain one, subject, property and object."""
    mode = "" if claim.polarity == "positive" else "not "
    mode += f"{claim.modality} " if claim.modality in {"possibility", "condition"} else ""
    t = claim.triple
    object_ = str(t.object) if isinstance(t.object, Literal) else labels.get(t.object, t.object)
    predicate = str(t.predicate)
    for prefix, space in prefixes.items():
        if predicate.startswith(space):
            predicate = f"{prefix}:{predicate.removeprefix(space)}"
    return f"{mode}{labels.get(t.subject, t.subject)} {predicate} {object_}"
