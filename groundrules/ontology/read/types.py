"""Types: of what class the things are that a text and its sources name.

One thing has one type by its name, whatever the recogniser makes of single places: a suffix
(`Inc.`) or the word for an institution goes before a title (`Judge`), that before the kind of
most of its mentions. So a type that a name bears never contradicts itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.names.names import is_contest, lists
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.lexicon import Lexicon
from groundrules.terms import Mention

_COMPANY = re.compile(
    r"(?i)(?:\b(?:inc|incorporated|llc|l\.l\.c|ltd|limited|gmbh|ag|corp|corporation|plc|lp|l\.p|llp"
    r"|l\.l\.p|n\.a|s\.a|s\.p\.a|b\.v|n\.v|pty|pte|sarl|ab|oy|oyj|a/s|aps|kg|kgaa|sas|srl|spa|bv|nv|se|asa|kk)\.?)$"
)
_TITLE = re.compile(r"(?i)\b(?:mr|mrs|ms|miss|dr|prof|professor|judge|justice|magistrate)\.? $")


def read_types(documents: Sequence[Assertions], lexicon: Lexicon) -> None:
    """State a type of each thing that a document names, where its name tells."""
    kinds: dict[Node, Counter[str]] = {}
    labels: dict[Node, str] = {}
    titled: set[Node] = set()
    for assertions in documents:
        text = assertions.extraction.document.text
        labels |= assertions.extraction.labels
        for m in assertions.extraction.mentions:
            if isinstance(m.node, Literal) or m.kind not in {"PERSON", "ORG", "LOC", "MISC"}:
                continue
            kinds.setdefault(m.node, Counter())[m.kind] += 1
            if _TITLE.search(text[max(0, m.span.start - 12) : m.span.start]):
                titled.add(m.node)
    known = {
        node: class_
        for node, count in kinds.items()
        if (kind := _kind(labels.get(node, ""), count, node in titled))
        and (class_ := lexicon.types.get(kind)) is not None
    }
    for assertions in documents:
        seen: set[Node] = set()
        for m in assertions.extraction.mentions:
            if m.node in known and m.node not in seen:
                seen.add(m.node)
                _state(assertions, m, known[m.node])


def _state(assertions: Assertions, mention: Mention, class_: URIRef) -> None:
    span = mention.span
    assertions.state(mention.node, RDF.type, class_, span, parts=(span, None, None))


def _kind(label: str, count: Counter[str], titled: bool) -> str:
    """Return PERSON or ORG where a name tells, else nothing."""
    words = label.casefold().replace(",", "").split()
    if not words or is_contest(label):
        return ""
    if _COMPANY.search(label.rstrip()) and count["PERSON"] <= count["ORG"] + count["MISC"]:
        return "ORG"
    if {*words} & (lists()["institutions"] | lists()["suffixes"]):
        return ""
    given = lists()["given"]
    first = words[0] in given["male"] or words[0] in given["female"]
    people = count["PERSON"]
    if titled or (first and 2 <= len(words) <= 4 and people and people >= count["ORG"]):
        return "PERSON"
    return ""
