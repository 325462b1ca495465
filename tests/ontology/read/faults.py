"""What readers and rules make of texts, without the extractor."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import Extraction
from groundrules.dataset import Dataset
from groundrules.ontology.load import load
from groundrules.ontology.read.assertions import Assertions
from groundrules.rules import engine
from groundrules.rules.packs import load_packs
from groundrules.rules.rule import Rule
from groundrules.terms import STATEMENT, Claim, Span, Violation, source_iri

Reader = Callable[[Assertions], None]


def stated(text: str, reader: Reader, name: str = "text") -> Assertions:
    assertions = Assertions(Extraction(from_text(text, name), (), (), (), {}))
    reader(assertions)
    return assertions


def said(text: str, reader: Reader) -> set[tuple[str, str, str]]:
    """Return the triples of a text, each term by the end of its name."""
    return {
        (_end(c.triple.subject), _end(c.triple.predicate), _end(c.triple.object))
        for c in stated(text, reader).claims()
    }


def _end(term: object) -> str:
    return str(term).rpartition("#")[2].removeprefix("urn:groundrules:entity:")


@lru_cache(maxsize=1)
def _rules() -> tuple[Rule, ...]:
    return tuple(rule for pack in load_packs(("legal",)) for rule in pack.rules)


def violations(
    text: str, reader: Reader, rules: Sequence[str], sources: Sequence[str] = ()
) -> tuple[Violation, ...]:
    """Return what rules of pack legal, by prefixes of their ids, find in a text."""
    found = [stated(text, reader)]
    found += [stated(source, reader, f"source{n}") for n, source in enumerate(sources)]
    dataset = Dataset()
    dataset.add_assertions(found[0].claims())
    dataset.add(load("legal").axioms)
    for assertions in found:
        name = assertions.extraction.document.name
        for work, triples in assertions.background.items():
            known = (
                Claim(STATEMENT[f"{work}:{name}:{n}".replace(" ", "-")], triple, Span(work, 0, 0))
                for n, triple in enumerate(triples)
            )
            dataset.add_evidence(known, source_iri(work))
        if assertions is not found[0]:
            dataset.add_evidence(assertions.claims(), source_iri(name))
    return engine.check(
        dataset,
        [rule for rule in _rules() if rule.id.startswith(tuple(rules))],
        claims={claim.id: claim for claim in found[0].claims()},
    ).violations


def ids(text: str, reader: Reader, rules: Sequence[str], sources: Sequence[str] = ()) -> set[str]:
    return {violation.rule for violation in violations(text, reader, rules, sources)}
