"""Pairs whose hypothesis is "{type}: {value}", as the check of extracted values asks them.

Types are relation labels (Text2KGBench, FewRel, Re-DocRED: all with sentences and their triples),
entity classes (the NER sets), what the agreements of ContractNLI say of themselves in set phrases
(law, court, dates, periods, parties, amounts) and those of the clauses that were written for it
(clauses.py). A value is broken by another of the same relation, by one that stands in the passage
in another role, by another number or month, or by a wrong type.
"""

from __future__ import annotations

import csv
import itertools
import json
import random
import re
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pairs
from clauses import clause_rows
from pairs import ENTAILMENT, UNSUPPORTED

_CLASSES: dict[str, str] = pairs.WORDS["classes"]
_NEAR = tuple(frozenset(group.split()) for group in pairs.WORDS["near_classes"])
_MONTH = pairs._MONTH.pattern
_PLACE = r"(?:(?:State|Commonwealth|Province|Republic) of )?[A-Z]\w+(?:,? (?:of )?[A-Z]\w+){0,3}"
_PERIOD = r"(?:[a-z-]+ \(\d{1,3}\)|\d{1,3}) (?:business |calendar )?(?:day|month|year)s?"
#: What agreements say in set phrases: the value's pattern, words of the passage, type names.
_CLAUSES = (
    ("place", rf"laws? of (?:the )?({_PLACE})", r"govern|constru",
     "governing law|applicable law|law of the agreement"),
    ("place", rf"courts? (?:of|in|located in|sitting in) (?:the )?({_PLACE})", r"court",
     "jurisdiction|court|venue|forum"),
    ("date", rf"({_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
     rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:day of )?{_MONTH},? \d{{4}})",
     r"effective|dated|as of|made|entered|between",
     "effective date|agreement date|date of agreement|commencement date"),
    ("period", rf"\b({_PERIOD}|(?:one|two|three|four|five|ten) (?:day|month|year)s?)\b",
     r"notice|notif", "notice period|period of notice"),
    ("period", rf"\b({_PERIOD}|(?:one|two|three|four|five|ten) (?:day|month|year)s?)\b",
     r"terminat|expir|in force|in effect|term of", "term|duration|term of agreement|expiration"),
    ("period", rf"\b({_PERIOD}|(?:one|two|three|four|five|ten) (?:day|month|year)s?)\b",
     r"surviv|confiden|oblig", "confidentiality period|survival period|period of obligation"),
    ("party", r"between:? ([A-Z][\w&.,' -]{3,60}?)(?: \(|, (?:a|an|with|having)\b| and )",
     r"between",
     "party|parties|contracting party|party to the agreement"),
    ("party", r" and ([A-Z][\w&.' -]{3,60}?)(?:,? (?:an? |\())", r"between",
     "party|parties|contracting party|party to the agreement"),
    ("amount", r"((?:US)?[$€£] ?\d[\d,]*(?:\.\d\d)?)", r".", "amount|sum|payment"),
    ("name", r"[(“\"](?:the )?[“\"]([A-Z][\w ]{2,30})[”\"]", r".", "defined term|term defined"),
)  # fmt: skip
#: premise, type, value, label, key of the part
Typed = tuple[str, str, str, int, str]


def _words(label: str) -> str:
    label = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label).replace("_", " ")
    return " ".join(label.split()).lower()


def _styled(kind: str, rng: random.Random) -> str:
    style = rng.random()
    if style < 0.4:
        return kind[:1].upper() + kind[1:]
    if style < 0.7:
        return kind.title().replace(" Of ", " of ").replace(" Or ", " or ")
    return kind


def _labels(data: Path) -> dict[str, list[str]]:
    """Return the label of each Wikidata property and up to three aliases."""
    known: dict[str, list[str]] = defaultdict(list)
    path = data / "open/wikidata_properties/wikidata-properties.csv"
    with path.open(encoding="utf-8") as lines:
        for subject, predicate, name in csv.reader(lines, delimiter="\t"):
            key = subject.rsplit("/", 1)[-1]
            if predicate.endswith(("#label", "#altLabel")) and len(known[key]) < 4:
                known[key].append(name)
    return known


def _described(data: Path) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Yield sentences with their (subject, relation, object) of Text2KGBench and FewRel."""
    with tarfile.open(data / "extract/text2kgbench.tar.gz") as archive:
        for member in archive:
            wanted = re.search(r"/(train|validation)/[^/]+\.jsonl$", member.name)
            file = archive.extractfile(member) if wanted else None
            for line in file or ():
                row = json.loads(line)
                facts = [
                    (t["sub"].replace("_", " "), _words(t["rel"]), t["obj"].replace("_", " "))
                    for t in row.get("triples", ())
                ]
                yield pairs._untag(row["sent"]), facts
    with tarfile.open(data / "extract/fewrel.tar.gz") as archive:
        names = json.load(archive.extractfile("fewrel/pid2name.json"))  # type: ignore[arg-type]
        rows = json.load(archive.extractfile("fewrel/val_wiki.json"))  # type: ignore[arg-type]
    for relation, found in rows.items():
        for row in found:
            head, tail = (
                pairs._detokenise([row["tokens"][place] for place in row[end][2][0]])
                for end in ("h", "t")
            )
            label = re.sub(r" \(.*?\)| / .*", "", names[relation][0])
            yield pairs._detokenise(row["tokens"]), [(head, label, tail)]


def _sentences(data: Path, rng: random.Random) -> Iterator[Typed]:
    """Yield pairs of single sentences."""
    pool: dict[str, list[str]] = defaultdict(list)
    relations: list[str] = []
    for text, facts in _described(data):
        here = [fact for fact in facts if _stands(fact[2], text)]
        true = {(relation, value) for _, relation, value in facts}
        said = {relation for relation, _ in true}
        for subject, relation, value in here[:3]:
            yield text, relation, value, ENTAILMENT, text
            ways: list[tuple[str, str]] = []
            other = [v for v in pool[relation] if not _stands(v, text)]
            if other:
                ways.append((relation, rng.choice(other)))
            role = [v for s, _, o in facts for v in (s, o) if (relation, v) not in true]
            role = [v for v in role if _stands(v, text)]
            if role:
                ways += [(relation, rng.choice(role))] * 2
            strange = [r for r in relations[-300:] if r not in said]
            if strange and subject:
                ways.append((rng.choice(strange), value))
            moved = pairs.break_number(value, rng)
            if moved and not _stands(moved[0], text):
                ways += [(relation, moved[0])] * 2
            if ways:
                kind, wrong = rng.choice(ways)
                yield text, kind, wrong, UNSUPPORTED, text
        for _, relation, value in here:
            pool[relation] = [*pool[relation], value][-60:]
            relations = [*relations, relation][-2000:]


def _stands(value: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.I) is not None


def _documents(data: Path, rng: random.Random) -> Iterator[Typed]:
    """Yield pairs of Re-DocRED: what stands in the evidence, in this role or in another."""
    labels = _labels(data)
    with tarfile.open(data / "extract/redocred.tar.gz") as archive:
        docs: list[Any] = []
        for name in ("redocred/dev_revised.json", "redocred/test_revised.json"):
            docs += json.load(archive.extractfile(name))  # type: ignore[arg-type]
    for doc in docs:
        sentences = [pairs._detokenise(tokens) for tokens in doc["sents"]]
        key = " ".join(sentences)
        kinds = [entity[0]["type"] for entity in doc["vertexSet"]]
        usable = [f for f in doc["labels"] if labels.get(f["r"]) and f.get("evidence")]
        held = {(f["r"], f["t"]) for f in doc["labels"]}
        for fact in rng.sample(usable, min(8, len(usable))):
            places = sorted(set(fact["evidence"]))[:3]
            premise = " ".join(sentences[place] for place in places)
            kind = rng.choice(labels[fact["r"]])
            named = _named(doc, fact["t"], places)
            if named is None:
                continue
            yield premise, kind, named, ENTAILMENT, key
            others = [
                name
                for other, its in enumerate(kinds)
                if its == kinds[fact["t"]] and (fact["r"], other) not in held
                for name in [_named(doc, other, places)]
                if name is not None and name != named
            ]
            if others:
                yield premise, kind, rng.choice(others), UNSUPPORTED, key
            elif moved := pairs.break_number(named, rng):
                yield premise, kind, moved[0], UNSUPPORTED, key


def _named(doc: Any, entity: int, places: list[int]) -> str | None:
    names = [m["name"] for m in doc["vertexSet"][entity] if m["sent_id"] in places]
    return str(names[0]) if names else None


def _classified(data: Path, rng: random.Random) -> Iterator[Typed]:
    """Yield pairs of the NER sets: a name with its class, or with one it cannot have."""
    for path in sorted((data / "train/ner").glob("*.gz")):
        if path.name.startswith("en_ewt") or "emerging" in path.name:
            continue
        with pairs._open(path) as lines:
            blocks = itertools.groupby(lines, key=lambda line: bool(line.strip()))
            found = [[line.split() for line in block] for full, block in blocks if full]
        classes = sorted({row[-1][2:].lower() for block in found for row in block} - {"", "misc"})
        for block in found:
            rows = [row for row in block if len(row) > 1 and not row[0].startswith("-DOCSTART")]
            if not 6 <= len(rows) <= 60:
                continue
            text = pairs._detokenise([row[0] for row in rows])
            names: list[tuple[str, str]] = []
            grouped = itertools.groupby(rows, key=lambda row: row[-1][2:].lower())
            for kind, group in grouped:
                if kind and kind != "misc":
                    names.append((kind, pairs._detokenise([row[0] for row in group])))
            here = {name for _, name in names}
            for kind, name in rng.sample(names, min(2, len(names))):
                yield text, _class(kind, rng), name, ENTAILMENT, text
                near = set().union(*(group for group in _NEAR if kind in group))
                far = [c for c in classes if c != kind and c not in near]
                same = [n for k, n in names if k not in (kind, *near) and n != name]
                if same and rng.random() < 0.5:
                    yield text, _class(kind, rng), rng.choice(same), UNSUPPORTED, text
                elif far and len(here) > 1:
                    yield text, _class(rng.choice(far), rng), name, UNSUPPORTED, text


def _class(kind: str, rng: random.Random) -> str:
    return rng.choice(_CLASSES.get(kind, kind).split("|"))


def _agreements(data: Path, rng: random.Random) -> Iterator[Typed]:
    """Yield pairs of ContractNLI's agreements: a value under its type, or under another's."""
    documents = {
        row["doc_id"]: row["doc"] for row in pairs._jsonl(data / "legal/contract_nli.jsonl.gz")
    }
    pool: dict[str, list[str]] = defaultdict(list)
    for text in [*documents.values(), *documents.values()]:  # twice, under other names
        sentences = pairs.split_sentences(text)
        key = " ".join(sentences)
        for place, sentence in enumerate(sentences):
            first = max(0, place - rng.choice([0, 0, 1]))
            premise = " ".join(" ".join(sentences[first : place + rng.choice([1, 1, 2])]).split())
            fit = [c for c in _CLAUSES if re.search(c[2], premise, re.I)]
            for kind, pattern, _, types in _CLAUSES:
                found = re.search(pattern, sentence)
                if found is None or not any(types == c[3] for c in fit):
                    continue
                value = " ".join(found[1].split()).strip(" ,.")
                yield premise, rng.choice(types.split("|")), value, ENTAILMENT, key
                absent = [c for c in _CLAUSES if c[3] not in {t[3] for t in fit} or c[0] != kind]
                wrong = rng.choice([c[3] for c in absent if c[0] not in ("name", kind)])
                yield premise, rng.choice(wrong.split("|")), value, UNSUPPORTED, key
                others = [v for v in pool[kind] if not _stands(v, premise)]
                moved = pairs.break_number(value, rng)
                said = rng.choice(types.split("|"))
                if moved and rng.random() < 0.5 and not _stands(moved[0], premise):
                    yield premise, said, moved[0], UNSUPPORTED, key
                elif others:
                    yield premise, said, rng.choice(others), UNSUPPORTED, key
                strange = [v for k in pool if k not in (kind, "name") for v in pool[k]]
                if strange and rng.random() < 0.5:
                    said = rng.choice(types.split("|"))
                    yield premise, said, rng.choice(strange), UNSUPPORTED, key
                pool[kind] = [*pool[kind], value][-200:]


def typed_rows(data: Path, rng: random.Random) -> Iterator[tuple[str, str, int, str, str, str]]:
    """Yield premise, "{type}: {value}", label, origin, the true hypothesis ("": unknown), key."""
    for origin, found in (
        ("typed_sentence", _sentences(data, rng)),
        ("typed_document", _documents(data, rng)),
        ("typed_class", _classified(data, rng)),
        ("typed_agreement", _agreements(data, rng)),
        ("typed_clause", clause_rows(rng)),
    ):
        for premise, kind, value, label, key in found:
            said = f"{_styled(kind, rng)}: {value}"
            yield premise, said, label, origin, "", key
