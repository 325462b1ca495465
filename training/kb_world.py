"""Make tests/kb/data/world.ttl: a small world cut from a subset of Wikidata (CC0).

    groundrules kb build ../shared/data/open/wikidata_subset.nt.gz -o STORE
    python training/kb_world.py STORE

Of each thing of `_THINGS`: names, a description, and what is stated of it by `_PROPERTIES` where
the value is a literal, one of the things or a class; of classes, of which of `_TOPS` they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pyoxigraph as ox

_OUT = Path(__file__).parents[1] / "tests" / "kb" / "data" / "world.ttl"
_WD = "http://www.wikidata.org/entity/"
_WDT = "http://www.wikidata.org/prop/direct/"
_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
_NAMES = (_LABEL, ox.NamedNode("http://www.w3.org/2004/02/skos/core#altLabel"))
_ABOVE = ox.NamedNode(f"{_WDT}P279")
_ABOUT = ox.NamedNode("http://schema.org/description")
_THINGS = """
    Q937 Q76346 Q123371 Q76 Q13133 Q567 Q254 Q692 Q905 Q892 Q1744 Q44221 Q5383 Q1299 Q15869 Q15862
    Q41421 Q230 Q1428 Q90 Q3181341 Q350 Q49111 Q517 Q1048 Q1405 Q859 Q868 Q8409 Q44578 Q42574
    Q10305062 Q47703 Q56094 Q193628 Q27178 Q1033 Q8673 Q3787 Q5284 Q19837 Q935 Q584 Q15180 Q586
    Q713750 Q183 Q142 Q43 Q406 Q408 Q3130 Q3114 Q3141 Q155 Q8678 Q1203 Q117012 Q2599 Q9061 Q5928
    Q855 Q91 Q7245 Q3012 Q138518 Q21578 Q64 Q72 Q1741 Q28513 Q39 Q41304 Q43287 Q1297 Q13371 Q312
    Q49088 Q62 Q47265 Q24639 Q37701 Q34217 Q258 Q218023 Q12439 Q5083 Q24826 Q1490 Q60 Q65 Q1085
    Q40 Q38 Q220 Q16554 Q3138 Q11299 Q213 Q30 Q145 Q15174 Q1439 Q1581 Q99 Q18125 Q1335 Q36600
    Q1780 Q652 Q173813 Q1283268 Q438537 Q172415 Q994 Q12560 Q2844 Q34713 Q1558 Q22
""".split()
_PROPERTIES = """
    P17 P19 P20 P22 P25 P26 P27 P30 P31 P36 P40 P57 P69 P106 P108 P119 P131 P161 P175 P551 P569
    P150 P276 P527 P570 P571 P576 P577 P706 P800 P802 P1066 P1376 P2043 P2048 P279 P361 P1971
""".split()
_TOPS = frozenset({"Q486972", "Q515", "Q6256", "Q56061", "Q5"})
_MOST_NAMES, _MOST_VALUES = 4, 4
_PREFIXES = {
    "wd": _WD,
    "wdt": _WDT,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def cut(store: ox.Store) -> Iterator[tuple[ox.NamedNode, ox.NamedNode, ox.Term]]:
    """Yield the triples of the world."""
    things = [ox.NamedNode(_WD + number) for number in dict.fromkeys(_THINGS)]
    classes: dict[ox.NamedNode, None] = {}
    for thing in things:
        yield from _named(store, thing, _MOST_NAMES)
        for number in _PROPERTIES:
            predicate = ox.NamedNode(_WDT + number)
            values = _values(store, thing, predicate)
            if number in {"P31", "P106"}:
                values = [value for value in values if _values(store, value, _NAMES[0])]
                # those first that say what sort of thing it is
                values.sort(key=lambda value: not _kinds(store, value))
                classes |= dict.fromkeys(values[:_MOST_VALUES])
            else:
                values = [v for v in values if isinstance(v, ox.Literal) or v in things]
            yield from ((thing, predicate, value) for value in values[:_MOST_VALUES])
    for kind in classes:
        yield from _named(store, kind, 1)
        yield from ((kind, _ABOVE, top) for top in _kinds(store, kind) if top != kind)


def _values(store: ox.Store, thing: ox.NamedNode, predicate: ox.NamedNode) -> list[ox.Term]:
    return sorted((q.object for q in store.quads_for_pattern(thing, predicate, None)), key=str)


def _named(
    store: ox.Store, thing: ox.NamedNode, most: int
) -> Iterator[tuple[ox.NamedNode, ox.NamedNode, ox.Term]]:
    for predicate, number in ((_NAMES[0], 1), (_NAMES[1], most - 1), (_ABOUT, min(most - 1, 1))):
        for name in _values(store, thing, predicate)[:number]:
            yield thing, predicate, name


def _kinds(store: ox.Store, kind: ox.NamedNode) -> list[ox.NamedNode]:
    """Return of which of the classes at the top a class is a kind."""
    found, fringe = {kind}, [kind]
    while fringe:
        fringe = [v for one in fringe for v in _values(store, one, _ABOVE) if v not in found]
        found |= set(fringe)
    return sorted((one for one in found if one.value.removeprefix(_WD) in _TOPS), key=str)


def _short(term: ox.Term) -> str:
    if isinstance(term, ox.Literal) and term.datatype.value.startswith(_PREFIXES["xsd"]):
        return str(term).replace(f"<{_PREFIXES['xsd']}", "xsd:").removesuffix(">")
    for prefix, start in _PREFIXES.items():
        if isinstance(term, ox.NamedNode) and term.value.startswith(start):
            return f"{prefix}:{term.value.removeprefix(start)}"
    return str(term)


def main() -> None:
    """Write the world."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    store = ox.Store.read_only(str(parser.parse_args().store / "graph"))
    lines = ["# Cut from Wikidata (CC0) by training/kb_world.py."]
    lines += [f"@prefix {prefix}: <{start}> ." for prefix, start in _PREFIXES.items()]
    for subject, group in groupby(dict.fromkeys(cut(store)), key=lambda triple: triple[0]):
        lines.append(_short(subject))
        for predicate, triples in groupby(group, key=lambda triple: triple[1]):
            lines.append(f"  {_short(predicate)} {', '.join(_short(t[2]) for t in triples)} ;")
        lines.append(".")
    text = "\n".join(lines) + "\n"
    _OUT.write_text(text, encoding="utf-8")
    print(f"{len(text.encode())} bytes")


if __name__ == "__main__":
    main()
