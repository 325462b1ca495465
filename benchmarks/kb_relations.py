"""Figures of the relation matcher: property, direction and abstention, each on rows apart.

    python benchmarks/kb_relations.py [--data ../shared/data] [--json FILE] [--rows 60]

(i) FewRel (Han et al., EMNLP 2018): sentences of 16 Wikidata relations with their two ends marked;
what is read between exactly those ends is matched. Most sentences only imply their relation, and
many read well as another ("a soprano" by occupation), so that few are answered. (ii) ParaRel
(Elazar et al., TACL 2021): every second pattern of each property is taken out of the lexicon, with
every wording that has the same key and every noun in it, and matched. (iii) the sentences of CoDEx
claims (Safavi and Koutra, EMNLP 2020), most of them in patterns of ParaRel, so that they show the
reading and not the lexicon.
Matched without types. No row of it was tuned on; two conditions on types were mended after its
figures by property had been seen.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rdflib.term import URIRef

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.resolve import resolve
from groundrules.kb.link.properties import Match, Relations, bare, key, lexicon, nominal, words
from groundrules.kb.read.propositions import read_phrases
from groundrules.kb.sources.source import Property
from groundrules.kb.sources.wikidata import load_properties
from groundrules.terms import Span

#: Properties that say the same of the same pair, one being wider or more exact.
_SAME = {
    "P1376": {"P36"}, "P36": {"P1376"}, "P22": {"P40"}, "P25": {"P40"}, "P40": {"P22", "P25"},
}  # fmt: skip

_SYMMETRIC = {"P26", "P47", "P190", "P530", "P3373", "P451"}


def short(iri: URIRef) -> str:
    """Return the number of a Wikidata property."""
    return iri.rsplit("/", 1)[-1]


def judge(match: Match, pid: str, backwards: bool = False) -> tuple[str, bool]:
    """Return right, turned (wrong direction), wrong or abstained; and if it was among the first.

    `backwards`: the subject of the property stands for [Y]. An inverse property counts as right
    the other way about.
    """
    if match.reason:
        return "abstained", False
    verdicts = []
    for candidate in match.candidates:
        found = short(candidate.property)
        if found == pid:
            right = pid in _SYMMETRIC or candidate.inverse == backwards
            verdicts.append("right" if right else "turned")
        elif found in _SAME.get(pid, ()):
            verdicts.append("right" if candidate.inverse != backwards else "turned")
        else:
            verdicts.append("wrong")
    return verdicts[0], "right" in verdicts


def figures(rows: Iterable[tuple[str, bool]]) -> dict[str, float]:
    """Return the shares: R@1 over all, precision and direction over those that were answered."""
    rows = list(rows)
    count = Counter(verdict for verdict, _ in rows)
    answered = len(rows) - count["abstained"]
    property_right = count["right"] + count["turned"]
    return {
        "rows": len(rows),
        "answered": round(answered / max(len(rows), 1), 4),
        "recall at 1": round(count["right"] / max(len(rows), 1), 4),
        "precision at 1": round(count["right"] / max(answered, 1), 4),
        "precision, any candidate": round(sum(any_ for _, any_ in rows) / max(answered, 1), 4),
        "direction": round(count["right"] / max(property_right, 1), 4),
    }


# --- FewRel -------------------------------------------------------------------------------------


def fewrel(data: Path, relations: Relations, rows: int) -> dict[str, Any]:
    """Match what is read between the marked ends; `rows` sentences of each relation."""
    with tarfile.open(data / "extract" / "fewrel.tar.gz") as archive:
        file = archive.extractfile("fewrel/val_wiki.json")
        assert file is not None
        loaded: dict[str, list[dict[str, Any]]] = json.load(io.TextIOWrapper(file, "utf-8"))
    verdicts: list[tuple[str, bool]] = []
    bands: Counter[str] = Counter()
    read = 0
    for pid, sentences in loaded.items():
        for row in sentences[:rows]:
            found = between(row, relations)
            if found is None:
                verdicts.append(("abstained", False))
                continue
            read += 1
            match, backwards = found
            verdict = judge(match, pid, backwards)
            verdicts.append(verdict)
            if match.candidates and not match.reason:
                bands[f"{match.candidates[0].band} {verdict[0]}"] += 1
    return {**figures(verdicts), "read": round(read / len(verdicts), 4), "bands": dict(bands)}


def between(row: Mapping[str, Any], relations: Relations) -> tuple[Match, bool] | None:
    """Return the match of what a sentence reads between its marked ends, head first or not."""
    text, places = "", []
    for token in row["tokens"]:
        places.append((len(text), len(text) + len(token)))
        text += f"{token} "
    ends: list[Span] = []
    for end in ("h", "t"):
        place = row[end][2][0]
        ends.append(Span("text", places[place[0]][0], places[place[-1]][1]))
    extraction = resolve([extract(from_text(text))])[0]
    best: tuple[Match, bool] | None = None
    for number, place in enumerate(extraction.sentences):
        names = [m.span for m in extraction.mentions if place.start <= m.span.start < place.end]
        for found in read_phrases(extraction, number, [*names, *ends], relations):
            read = [found.subject, found.object]
            backwards = read == ends[::-1]
            if found.exclusion or (read != ends and not backwards):
                continue
            match = relations.match(found.phrase, object_kind=found.kind)
            if best is None or (best[0].reason and not match.reason):
                best = match, backwards
    return best


# --- ParaRel ------------------------------------------------------------------------------------


def pararel(data: Path) -> Iterator[tuple[str, str, bool]]:
    """Give property, pattern and whether it is held out: every second one of its property."""
    for path in sorted(
        (data / "open" / "pararel" / "pattern_data" / "graphs_json").glob("*.jsonl")
    ):
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file):
                yield path.stem, json.loads(line)["pattern"], number % 2 == 1


def held_out(data: Path, properties: Mapping[URIRef, Property]) -> dict[str, Any]:
    """Match one half of the patterns with a lexicon that has none of its wordings."""
    rows = [(pid, text) for pid, text, odd in pararel(data) if odd]
    keys = {found[0] for _, text in rows if (found := key(text))}
    nouns = {bare(noun) for form in keys for noun, _ in nominal(form)}
    left = []
    for pattern in lexicon():
        found = key(pattern.text) if "[X]" in pattern.text else None
        if found is None:
            known = bare(words(pattern.text)) in nouns
        else:
            known = found[0] in keys or without_be(found[0]) in keys
        if not known:
            left.append(pattern)
    relations = Relations(properties, patterns=left)
    verdicts, bands = [], Counter[str]()
    for pid, text in rows:
        match = relations.match(text)
        verdicts.append(judge(match, pid))
        if not match.reason:
            bands[f"{match.candidates[0].band} {verdicts[-1][0]}"] += 1
    return {**figures(verdicts), "bands": dict(bands)}


def without_be(form: tuple[str, ...]) -> tuple[str, ...]:
    """Return the key of the same words as an apposition."""
    return tuple(word for word in form if word != "be")


# --- CoDEx --------------------------------------------------------------------------------------


def codex(data: Path, relations: Relations, field: str) -> dict[str, Any]:
    """Match what the sentences say between their two labels, names as the extractor finds them."""
    verdicts = []
    read: Counter[str] = Counter()
    with gzip.open(data / "open" / "codex_claims.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if not row[field]:
                continue
            extraction = resolve([extract(from_text(row[field]))])[0]
            names = [m.span for m in extraction.mentions]
            found = read_phrases(extraction, 0, names, relations)
            text = row[field]
            ends = {
                (text[r.subject.start : r.subject.end], text[r.object.start : r.object.end]): r
                for r in found
            }
            labels = (row["s_label"].removeprefix("the "), row["o_label"].removeprefix("the "))
            relational = ends.get(labels) or ends.get(labels[::-1])
            read["exact ends" if relational else "other ends" if found else "nothing"] += 1
            if relational is None:
                verdicts.append(("abstained", False))
                continue
            match = relations.match(relational.phrase, object_kind=relational.kind)
            backwards = labels not in ends
            verdicts.append(judge(match, row["p"], backwards))
    return {**figures(verdicts), "read": dict(read)}


def main() -> None:
    """Print the figures, and write them where --json says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rows", type=int, default=60, help="sentences of each FewRel relation")
    arguments = parser.parse_args()
    data: Path = arguments.data
    if not data.is_dir():
        raise SystemExit(f"{data}: no such folder; the figures need the shared data")
    properties = load_properties()
    relations = Relations(properties)
    result = {
        "pararel, held out": held_out(data, properties),
        "pararel, whole lexicon": figures(
            judge(relations.match(text), pid) for pid, text, _ in pararel(data)
        ),
        "fewrel": fewrel(data, relations, arguments.rows),
        "codex text": codex(data, relations, "text"),
        "codex text_generic": codex(data, relations, "text_generic"),
    }
    for name, values in result.items():
        print(name)
        for key_, value in values.items():
            print(f"    {key_:28} {value}")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
