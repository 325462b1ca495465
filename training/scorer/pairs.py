"""Sentences for the premise / hypothesis pairs that the scorer is trained on.

A sentence of a document is kept or compressed (supported) or broken in one place (not supported):
a name, a number, a date, the polarity, two roles, an opposite. No document of a set that the
benchmarks report on is read.

Labels: 0 entailment, 1 neutral, 2 contradiction, 3 not entailment (neutral or contradiction).
"""

from __future__ import annotations

import gzip
import io
import itertools
import json
import random
import re
import tarfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from groundrules.align.words.passages import Passages, index_passages, nearest_passages

SEED = 20261121
ENTAILMENT, NEUTRAL, CONTRADICTION, UNSUPPORTED = range(4)
_LABELS = {
    "entailment": ENTAILMENT,
    "neutral": NEUTRAL,
    "contradiction": CONTRADICTION,
    "not_entailment": UNSUPPORTED,
    "SUPPORTS": ENTAILMENT,
    "REFUTES": CONTRADICTION,
}
#: Premise sentences, hypothesis, label, origin, and the true sentence a broken one was made from.
Pair = tuple[list[str], str, int, str, str]


def _open(path: Path) -> io.TextIOBase:
    return io.TextIOWrapper(gzip.open(path), encoding="utf-8-sig")  # type: ignore[arg-type]


def _jsonl(path: Path) -> Iterator[Any]:
    with _open(path) as lines:
        for line in lines:
            yield json.loads(line)


def _untag(text: str) -> str:
    """Undo the bracket and quote escapes of the Penn Treebank."""
    for tag, sign in (("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]")):
        text = text.replace(tag, sign)
    return re.sub(r"\s+", " ", text.replace("``", '"').replace("''", '"')).strip()


def split_sentences(text: str) -> list[str]:
    """Split a document by punctuation and line ends: enough for training."""
    parts = re.split(r"(?<=[.!?;])[\"”')]*\s+(?=[\"“(]?[A-Z0-9a-z])|\n+", text)
    return [part.strip() for part in parts if part and len(part.split()) > 2]


def premise_for(claim: str, passages: Passages) -> list[str]:
    """Return the passages near the claim, in the order of the source."""
    return [passages.texts[place] for place in sorted(nearest_passages(claim, passages))]


# --- statements made from relation annotations ------------------------------------------------


_DATED = {
    "P569": ["[X] was born on [Y].", "[X]'s date of birth is [Y]."],
    "P570": ["[X] died on [Y].", "[X] passed away on [Y]."],
    "P571": ["[X] was founded in [Y].", "[X] was established in [Y].", "[X] dates from [Y]."],
    "P577": ["[X] was released on [Y].", "[X] was published on [Y].", "[X] came out on [Y]."],
    "P580": ["[X] began in [Y].", "[X] started in [Y]."],
    "P582": ["[X] ended in [Y].", "[X] came to an end in [Y]."],
}


def relation_pairs(data: Path, rng: random.Random) -> Iterator[Pair]:
    """Yield statements in ParaRel's words about annotated entity pairs, and broken ones.

    Broken: subject and object exchanged, or one of them replaced by another name of the text.
    """
    patterns: dict[str, list[str]] = {}
    for path in sorted((data / "open/pararel/pattern_data/graphs_json").glob("P*.jsonl")):
        rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
        patterns[path.stem] = [row["pattern"] for row in rows]
    for relation, phrases in _DATED.items():
        patterns.setdefault(relation, []).extend(phrases)
    symmetric = {"P47", "P190", "P530", "P1412"}
    foreign: dict[str, list[str]] = defaultdict(list)

    def say(relation: str, subject: str, object_: str) -> str:
        pattern = rng.choice(patterns[relation])
        return pattern.replace("[X]", subject).replace("[Y]", object_)

    with tarfile.open(data / "extract/redocred.tar.gz") as archive:
        docs: list[Any] = []
        for name in ("redocred/dev_revised.json", "redocred/test_revised.json"):
            member = archive.extractfile(name)
            assert member is not None
            docs += json.load(member)
    for doc in docs:
        sentences = [_detokenise(tokens) for tokens in doc["sents"]]
        passages = index_passages([sentences])
        names = [max((m["name"] for m in entity), key=len) for entity in doc["vertexSet"]]
        kinds = [entity[0]["type"] for entity in doc["vertexSet"]]
        facts = {(label["h"], label["r"], label["t"]) for label in doc["labels"]}
        usable = sorted(fact for fact in facts if fact[1] in patterns)
        for head, relation, tail in rng.sample(usable, min(6, len(usable))):
            claim = say(relation, names[head], names[tail])
            yield premise_for(claim, passages), claim, ENTAILMENT, "redocred", ""
            elsewhere = [n for n in foreign[kinds[tail]] if n not in names]
            if elsewhere and rng.random() < 0.7:
                if kinds[tail] == "TIME" and rng.random() < 0.7:
                    moved = break_number(claim, rng)
                    claim = moved[0] if moved else claim
                else:
                    claim = say(relation, names[head], rng.choice(elsewhere))
                yield premise_for(claim, passages), claim, UNSUPPORTED, "redocred", ""
            others = [
                other
                for other, kind in enumerate(kinds)
                if kind == kinds[tail]
                and (head, relation, other) not in facts
                and other not in (head, tail)
            ]
            if others:
                claim = say(relation, names[head], names[rng.choice(others)])
                yield premise_for(claim, passages), claim, UNSUPPORTED, "redocred", ""
            turned = (tail, relation, head)
            if kinds[head] == kinds[tail] and relation not in symmetric and turned not in facts:
                claim = say(relation, names[tail], names[head])
                yield premise_for(claim, passages), claim, UNSUPPORTED, "redocred", ""
        for name, kind in zip(names, kinds, strict=True):
            foreign[kind] = [*foreign[kind], name][-300:]


def _detokenise(tokens: Sequence[str]) -> str:
    text = " ".join(tokens)
    text = re.sub(r" ([.,;:!?)\]%]|'s\b|n't\b)", r"\1", text)
    return re.sub(r"([(\[$]) ", r"\1", text)


# --- sentences broken in one place ------------------------------------------------------------

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w])")
_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_MONTH = re.compile(r"\b(" + "|".join(_MONTHS) + r")\b", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|will|would|can|could|has|have|had|may|shall|should|must|does|do|did)\b"
)
_NAME = re.compile(r"\b[A-Z][\w'&-]*(?:\s+(?:of|de|van|&)?\s*[A-Z][\w'&.-]*)*")
WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
_OPPOSITE = {
    a: b
    for pair in WORDS["opposites"].split()
    for x, y in [pair.split("/")]
    for a, b in ((x, y), (y, x))
}
_WORD = re.compile(r"[A-Za-z]+")
_LIMITING = frozenset(
    "not never no former alleged only nearly almost half other first last next previous".split()
)
_LIMITS = re.compile(r"\b(?:not|never|no|nor|neither|only|if|unless|except)\b", re.IGNORECASE)
_PREPOSITION = re.compile(r" (?:in|on|at|for|with|by|from|after|before|during|since|under) ")


def word_classes(parse: Path) -> dict[str, str]:
    """Return the commonest Penn tag of each word form of the UD treebank's training part."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    with _open(parse / "en_ewt-ud-train.conllu.gz") as lines:
        for line in lines:
            cells = line.split("\t")
            if len(cells) > 4 and cells[0].isdigit():
                counts[cells[1].lower()][cells[4]] += 1
    return {word: max(tags, key=lambda tag: tags[tag]) for word, tags in counts.items()}


def compress(sentence: str, classes: dict[str, str], rng: random.Random) -> str:
    """Return a shorter sentence that the whole one entails (nearly always)."""
    text = re.sub(r"\s*\([^()]*\)", "", sentence) if rng.random() < 0.7 else sentence
    if rng.random() < 0.5:
        text = re.sub(r",\s+(?:which|who|whose|where)\b[^,.;]*,?", "", text)
    if rng.random() < 0.4:
        text = re.sub(r"^(?:In|On|At|After|Before|During|Since|By)\b[^,]{3,60},\s*", "", text)
    kept = []
    for token in text.split():
        tag = classes.get(token.lower().strip(".,;"), "")
        bare = token.isalpha() and token.lower() not in _LIMITING
        if bare and tag in ("RB", "JJ") and rng.random() < 0.25:
            continue
        kept.append(token)
    text = _shortened(" ".join(kept), rng)
    return text[:1].upper() + text[1:]


def _shortened(text: str, rng: random.Random) -> str:
    """Leave out what stands between two commas, and a last phrase that a preposition opens."""
    parts = text.split(", ")
    inner = [part for part in parts[1:-1] if rng.random() < 0.5 or _LIMITS.search(part)]
    text = ", ".join([parts[0], *inner, *parts[1:][-1:]])
    last = [m for m in _PREPOSITION.finditer(text) if len(text[: m.start()].split()) >= 6]
    if last and rng.random() < 0.5 and not _LIMITS.search(text[last[-1].start() :]):
        text = text[: last[-1].start()].rstrip(" ,") + "."
    return text


def _replace(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def break_name(
    text: str,
    names: Sequence[tuple[str, str]],
    foreign: Sequence[tuple[str, str]],
    rng: random.Random,
) -> tuple[str, int] | None:
    """Replace a name by another one of the same kind, of the document or foreign."""
    here = [(name, kind) for name, kind in names if name in text]
    rng.shuffle(here)
    for name, kind in here:
        others = [
            other
            for other, k in (foreign if rng.random() < 0.6 else names)
            if k == kind and other not in text and other not in name and name not in other
        ]
        if others:
            start = text.index(name)
            return _replace(text, start, start + len(name), rng.choice(others)), UNSUPPORTED
    return None


def break_roles(
    text: str, names: Sequence[tuple[str, str]], rng: random.Random
) -> tuple[str, int] | None:
    """Exchange two names of the same kind that a verb stands between."""
    here = sorted({(text.index(n), n, k) for n, k in names if text.count(n) == 1})
    pairs = [
        (a, b)
        for a, b in itertools.combinations(here, 2)
        if a[2] == b[2]
        and a[0] + len(a[1]) < b[0]
        and not re.fullmatch(r"\W*(?:and|or|,)?\W*", text[a[0] + len(a[1]) : b[0]])
        and not re.search(r"\b(?:and|with|between)\b", text[a[0] + len(a[1]) : b[0]])
    ]
    if not pairs:
        return None
    (i, first, _), (j, second, _) = rng.choice(pairs)
    middle = text[i + len(first) : j]
    return text[:i] + second + middle + first + text[j + len(second) :], UNSUPPORTED


def break_number(text: str, rng: random.Random) -> tuple[str, int] | None:
    """Change a number or the name of a month."""
    places = list(_NUMBER.finditer(text)) + list(_MONTH.finditer(text))
    if not places:
        return None
    place = rng.choice(places)
    old = place.group()
    if old[0].isalpha():
        new = rng.choice([m for m in _MONTHS if m.lower() != old.lower()])
    else:
        whole = old.replace(",", "")
        value = float(whole) if whole.count(".") <= 1 else 0.0
        if value.is_integer() and 1000 <= value <= 2100 and len(whole) == 4:
            new = str(int(value) + rng.choice([-20, -10, -3, -2, -1, 1, 2, 3, 10]))
        elif value.is_integer():
            new = str(max(0, int(value) + rng.choice([-5, -3, -2, -1, 1, 2, 3, 5, 10])))
            new = str(int(value) * 2 + 1) if new == whole else new
        else:
            new = f"{value * rng.choice([0.5, 1.1, 1.5, 2]):.1f}"
    return _replace(text, place.start(), place.end(), new), CONTRADICTION


def break_polarity(text: str, rng: random.Random) -> tuple[str, int] | None:
    """Drop or insert a negation."""
    negated = re.search(r"\b(not|never|n't)\b ?| (?:did|does|do) not\b", text)
    if negated:
        return _replace(text, negated.start(), negated.end(), ""), CONTRADICTION
    places = list(_AUXILIARY.finditer(text))
    if not places:
        return None
    place = rng.choice(places)
    word = rng.choice([" not", " never"]) if rng.random() < 0.9 else " no longer"
    return _replace(text, place.end(), place.end(), word), CONTRADICTION


def break_opposite(text: str, rng: random.Random) -> tuple[str, int] | None:
    """Replace a word by its opposite."""
    places = [m for m in _WORD.finditer(text) if m.group().lower() in _OPPOSITE]
    if not places:
        return None
    place = rng.choice(places)
    new = _OPPOSITE[place.group().lower()]
    new = new.capitalize() if place.group()[0].isupper() else new
    return _replace(text, place.start(), place.end(), new), CONTRADICTION


def newswire(text: str) -> str:
    """Write a text as summary data sets do: tokens apart, lower case."""
    return " ".join(re.findall(r"\w+(?:'\w+)?|[^\w\s]", text)).lower()


def _bare(name: str) -> str:
    """Return a file's name by its letters and digits: the sets write one document differently."""
    return re.sub(r"[\W_]", "", re.sub(r"\.txt(\.gz)?$", "", name)).lower()


def _documents(data: Path) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """Yield (sentences, names with kinds) of texts that may be used for training."""
    with tarfile.open(data / "extract/redocred.tar.gz") as archive:
        for name in ("redocred/dev_revised.json", "redocred/test_revised.json"):
            member = archive.extractfile(name)
            assert member is not None
            for doc in json.load(member):
                names = {
                    (_detokenise(m["name"].split()), m["type"])
                    for entity in doc["vertexSet"]
                    for m in entity
                }
                yield [_detokenise(tokens) for tokens in doc["sents"]], sorted(names)
    texts = [row["doc"] for row in _jsonl(data / "closed/foolmetwice.jsonl.gz")]
    reported = {_bare(row["doc_id"]) for row in _jsonl(data / "legal/contract_qa.jsonl.gz")}
    for path in sorted((data / "legal/contracts").glob("*.txt.gz")):
        if _bare(path.name) in reported:
            continue  # a document the benchmarks report on
        with _open(path) as lines:
            whole = lines.read()
        texts += [whole[i : i + 6000] for i in range(0, min(len(whole), 120_000), 6000)]
    for text in texts:
        sentences = split_sentences(text)
        names = {
            (match.group(), "NAME")
            for sentence in sentences
            for match in _NAME.finditer(sentence, 1)
            if len(match.group()) > 3
        }
        yield sentences, sorted(names)
