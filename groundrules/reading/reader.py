"""A text and its sources, read in the terms of an ontology."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rdflib.term import Node

from groundrules.claims.offline import Extraction
from groundrules.ontology.load import Ontology
from groundrules.reading.assertions import Assertions
from groundrules.reading.lexicon import read_lexicon
from groundrules.reading.relations import Things, read_relations
from groundrules.reading.types import read_types
from groundrules.terms import Claim

#: Readers of what only the shipped legal ontology has terms for.
LEGAL: tuple[Callable[[Assertions], None], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text and its sources say in the terms of an ontology.

    `references` gives the assertions of each source by its name; `labels` name the terms and
    nodes that the extraction does not; `counts` says how many claims of the text were read in
    which way: "lexical", "embedding", "abstained" (two properties were too near to choose
    between), "plain" (no property is near).
    """

    assertions: tuple[Claim, ...] = ()
    references: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    labels: Mapping[Node, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


def read_terms(text: Extraction, sources: Sequence[Extraction], ontology: Ontology) -> Reading:
    """Return what a text and its sources, resolved already, say in the terms of an ontology."""
    lexicon = read_lexicon(ontology)
    found = [Assertions(extraction) for extraction in (text, *sources)]
    counts = [Counter[str]() for _ in found]
    for assertions, count in zip(found, counts, strict=True):
        for read in LEGAL if ontology.name == "legal" else ():
            read(assertions)
        read_relations(Things(assertions, lexicon), count)
    read_types(found, lexicon)
    labels: dict[Node, str] = {}
    for assertions in found:
        labels |= assertions.labels
    first, *others = found
    return Reading(
        first.claims(),
        {a.extraction.document.name: a.claims() for a in others},
        labels,
        {name: counts[0][name] for name in ("lexical", "embedding", "abstained", "plain")},
    )
