"""How the values of a store relate to true and false claims about it, by property.

    python training/properties/measure.py --data ../shared/data

The claims of CoDEx, by their ids, against the subset of Wikidata they are about: how many values
match, lie in the one claimed ("entails"), hold it ("coarser"), or are others.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter, defaultdict
from pathlib import Path

from rdflib.term import URIRef

from groundrules.kb.sources.source import Facts, Pair
from groundrules.kb.sources.triplestore import open_graph
from groundrules.kb.sources.wikidata import WD, WDT, WikidataSource


def relation(facts: Facts, claimed: URIRef) -> str:
    """Return how the values of a pair relate to one that is claimed."""
    values = {statement.value.node for statement in facts.statements}
    if claimed in values:
        return "match"
    if any((value, claimed) in facts.within for value in values):
        return "entails"
    if any((claimed, value) in facts.within for value in values):
        return "coarser"
    return "one other" if len(values) == 1 else "others" if values else "none"


def main() -> None:
    """Print a table: property, then for true and false claims how many relate how."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data / "open"
    if not data.exists():
        raise SystemExit(f"{data} is absent")
    source = WikidataSource(open_graph(data / "wikidata_subset.nt.gz"))
    with gzip.open(data / "codex_claims.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    claimed: dict[Pair, list[URIRef]] = defaultdict(list)
    for row in rows:
        claimed[WD[row["s"]], WDT[row["p"]]].append(WD[row["o"]])
    found = source.statements(claimed, claimed)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        kind = relation(found[WD[row["s"]], WDT[row["p"]]], WD[row["o"]])
        for name in (row["p"], "all"):
            counts[name][f"{'true' if row['label'] else 'false'} {kind}"] += 1
    for name, count in sorted(counts.items(), key=lambda pair: -pair[1].total()):
        told = source.properties().get(WDT[name])
        print(name, told.label if told else "", dict(sorted(count.items())))


if __name__ == "__main__":
    main()
