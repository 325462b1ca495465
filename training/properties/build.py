"""Make groundrules/kb/sources/properties.json: what is known of the properties of Wikidata.

    python training/properties/build.py --data ../shared/data

Labels and aliases are those of two lists of 2016 and 2017 and of the properties in a subset of
Wikidata; domain and range come from the schema of YAGO 4.5; what sort of values a property has,
from the subset; the rest is `curated.toml`. The card is groundrules/kb/sources/properties.md.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import rdflib
from rdflib.namespace import RDFS, SKOS

_HERE = Path(__file__).parent
_OUT = _HERE.parents[1] / "groundrules" / "kb" / "sources"
_DIRECT = "http://www.wikidata.org/prop/direct/"
_WD = "http://www.wikidata.org/entity/"
_XSD = "http://www.w3.org/2001/XMLSchema"
_TRIPLE = re.compile(r'<([^>]*)> <([^>]*)> (?:<([^>]*)>|"(.*)"(?:@([a-z-]+)|\^\^<([^>]*)>)?) \.')
#: Labels that say that the values are names in somebody else's catalogue.
_IDENTIFIER = re.compile(r"\b(?:IDs?|identifier|code|number|ISBN.*|ISSN|DOI|URL)$")
_UNFIT = re.compile(r"(?i)sandbox|obsolete|deprecated|image$|category|wikimedia|wikidata")
_MOST_ALIASES = 40


def names(folder: Path, subset: Path) -> dict[str, list[str]]:
    """Return the names of each property, its label first: the newest that the sources have."""
    labels: dict[str, str] = {}
    aliases: dict[str, dict[str, None]] = defaultdict(dict)
    for line in (folder / "wikidata-properties.csv").read_text(encoding="utf-8").splitlines():
        iri, kind, text = line.split("\t")
        number, name = iri.removeprefix(_DIRECT), json.loads(text)
        if kind.endswith("label"):
            labels[number] = name
        else:
            aliases[number][name] = None
    later = json.loads((folder / "properties_en_2017.json").read_text(encoding="utf-8"))
    for newer in (later, dict(_told(subset, str(RDFS.label)))):
        for number, name in newer.items():
            if labels.get(number, name) != name:
                aliases[number][labels[number]] = None
            labels[number] = name
    for number, name in _told(subset, str(SKOS.altLabel)):
        aliases[number][name] = None
    return {
        number: [labels[number], *(name for name in aliases[number] if name != labels[number])]
        for number in sorted(labels, key=lambda number: int(number[1:]))
        if not _UNFIT.search(labels[number])
    }


def _told(subset: Path, predicate: str) -> Iterable[tuple[str, str]]:
    """Yield what the subset says of the properties themselves."""
    with gzip.open(subset, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(f"<{_WD}P") and f"<{predicate}>" in line:
                match = _TRIPLE.match(line)
                if match and match[4] is not None and match[5] in ("en", "mul", None):
                    yield match[1].removeprefix(_WD), json.loads(f'"{match[4]}"')


def kinds(subset: Path) -> dict[str, str]:
    """Return what sort of value each property of the subset mostly has."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with gzip.open(subset, "rt", encoding="utf-8") as lines:
        for line in lines:
            match = _TRIPLE.match(line)
            if match and match[2].startswith(_DIRECT):
                datatype = (match[6] or "").rpartition("#")[2]
                kind = "item" if match[3] else _kind(datatype)
                counts[match[2].removeprefix(_DIRECT)][kind] += 1
    return {number: count.most_common(1)[0][0] for number, count in counts.items()}


def _kind(datatype: str) -> str:
    if datatype.startswith(("date", "gYear")):
        return "time"
    if datatype in ("decimal", "integer", "double"):
        return "quantity"
    return "coordinate" if datatype.startswith("wkt") else "text"


def yago(path: Path) -> dict[str, dict[str, Any]]:
    """Return domain, range and sort of value by property, as YAGO's shapes have them.

    The file ends its namespaces without a hash, so the terms are written as it writes them.
    """
    graph = rdflib.Graph().parse(path)
    sh = {
        n: rdflib.URIRef(f"http://www.w3.org/ns/shacl{n}")
        for n in ("property", "class", "or", "datatype")
    }
    mapped = rdflib.URIRef("http://yago-knowledge.org/schemafromProperty")
    of_class = rdflib.URIRef("http://yago-knowledge.org/schemafromClass")

    def classes(shape: Any) -> list[str]:
        return [str(c).removeprefix(_WD) for c in graph.objects(shape, of_class)]

    domains: dict[str, list[Any]] = defaultdict(list)
    ranges: dict[str, list[Any]] = defaultdict(list)
    sorts: dict[str, set[str]] = defaultdict(set)
    for shape, constraint in graph.subject_objects(sh["property"]):
        options = [constraint]
        for alternatives in graph.objects(constraint, sh["or"]):
            options += graph.items(alternatives)
        numbers = [str(p).removeprefix(_DIRECT) for p in graph.objects(constraint, mapped)]
        for number in numbers:
            if not re.fullmatch("P[0-9]+", number):
                continue
            domains[number].append(classes(shape))
            for option in options:
                for kind in graph.objects(option, sh["class"]):
                    ranges[number].append(classes(kind))
                    sorts[number].add("item")
                for datatype in graph.objects(option, sh["datatype"]):
                    sorts[number].add(_kind(str(datatype).removeprefix(_XSD).removeprefix("#")))
    found: dict[str, dict[str, Any]] = {}
    for number in domains:
        known = found.setdefault(number, {})
        # a shape without classes is YAGO's Thing: anything will do
        for name, lists in (("domain", domains[number]), ("range", ranges[number])):
            if lists and all(lists):
                known[name] = sorted({c for several in lists for c in several})
        if len(sorts[number]) == 1:
            known["kind"] = next(iter(sorts[number]))
    return found


def build(data: Path) -> dict[str, dict[str, Any]]:
    """Return what is known of each property, leaving out what goes without saying."""
    folder, subset = data / "open" / "wikidata_properties", data / "open" / "wikidata_subset.nt.gz"
    curated = tomllib.loads((_HERE / "curated.toml").read_text(encoding="utf-8"))
    called, measured, shaped = (
        names(folder, subset),
        kinds(subset),
        yago(folder / "yago-schema.ttl"),
    )
    said = {n: kind for kind, numbers in curated["kinds"].items() for n in numbers}
    inverse = {**{b: a for a, b in curated["inverse"].items()}, **curated["inverse"]}
    called.setdefault("P8810", ["parent"])
    found: dict[str, dict[str, Any]] = {}
    for number, texts in called.items():
        kind = said.get(number) or measured.get(number) or shaped.get(number, {}).get("kind")
        if kind is None and _IDENTIFIER.search(texts[0]):
            kind = "identifier"
        known: dict[str, Any] = {"label": texts[0]}
        if len(texts) > 1:
            known["aliases"] = curated["aliases"].get(number, texts[1 : 1 + _MOST_ALIASES])
        if kind and kind != "item":
            known["kind"] = kind
        for functional in ("strict", "single", "single_best"):
            if number in curated[functional]:
                known["functional"] = functional
        for flag in ("temporal", "symmetric"):
            if number in curated[flag]:
                known[flag] = True
        if number in inverse:
            known["inverse"] = inverse[number]
        for table in ("narrower", "exceptions"):
            if number in curated[table]:
                known[table] = curated[table][number]
        for name in ("domain", "range"):
            if shaped.get(number, {}).get(name) and (
                name == "domain" or not kind or kind == "item"
            ):
                known[name] = shaped[number][name]
        ways = [sort for sort, numbers in curated["values"].items() if number in numbers]
        if ways:
            known["within"] = list(dict.fromkeys(w for way in ways for w in curated["within"][way]))
        found[number] = known
    missing = _mentioned(curated) - set(found)
    assert not missing, f"no label for {sorted(missing)}"
    return found


def _mentioned(curated: Mapping[str, Any]) -> set[str]:
    tables = ("strict", "single", "single_best", "temporal", "symmetric", "inverse", "narrower")
    return {number for table in tables for number in curated[table]}


def main() -> None:
    """Write properties.json and the figures of its card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data
    if not data.exists():
        raise SystemExit(f"{data} is absent: properties.json can be made only where the data is")
    found = build(data)
    lines = (f"{json.dumps(n)}: {json.dumps(k, ensure_ascii=False)}" for n, k in found.items())
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (_OUT / "properties.json").write_text(text, encoding="utf-8", newline="\n")
    with_domain = sum("domain" in known or "range" in known for known in found.values())
    print(
        f"{len(found)} properties, {with_domain} with a domain or range, {len(text):,} characters"
    )
    print(f"SHA-256 {hashlib.sha256(text.encode()).hexdigest()}")


if __name__ == "__main__":
    main()
