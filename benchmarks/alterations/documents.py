"""The documents whose sentences are altered: a part of each, in whole paragraphs."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.alterations.operators import abbreviations, compiled

#: The most words of a document that its sentences are checked beside.
WORDS = 800
#: The most documents of a file.
MOST = 60
#: The files of ../shared/data, and the kind of their documents.
FILES = {
    "legal/contract_qa.jsonl.gz": "contract",
    "closed/bump.jsonl.gz": "news",
    "closed/summeval.jsonl.gz": "news",
    "closed/wice.jsonl.gz": "web",
    "closed/foolmetwice.jsonl.gz": "web",
    "field/dev.jsonl.gz": "field",
    "patents/patenteval_c2a.json.gz": "patent",
}
_CONTRACTS = "legal/contracts"
_HERE = Path(__file__).parent
#: The files of benchmarks/prose whose documents are altered where no data sets are.
OWN_FILES = ("near.jsonl", "near-2.jsonl", "unseen.jsonl")
_BINDING = re.compile("contract|lease|terms|rules|agreement")


@dataclass(frozen=True, slots=True)
class Document:
    """A part of a document, and what kind of text it is."""

    name: str
    kind: str
    text: str


def read_documents(data: Path | None, seed: int) -> list[Document]:
    """Return the documents of a folder of data sets, or those that the project has of its own."""
    if data is None:
        return _own()
    out = []
    for name, kind in FILES.items():
        if (data / name).exists():
            texts = dict.fromkeys(_texts(data / name))
            chosen = sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())[:MOST]
            out += [_part(f"{name}#{n}", kind, text, seed) for n, text in enumerate(chosen)]
    for path in sorted((data / _CONTRACTS).glob("*.txt.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            out.append(_part(path.stem, "contract", file.read(), seed))
    if not out:
        raise SystemExit(f"{data} has none of {', '.join(FILES)}")
    return out


def _own() -> list[Document]:
    """Return the documents of sets of prose that stand here, and parts of contracts."""
    out = [
        Document(path.stem, "contract", path.read_text("utf-8").strip())
        for path in sorted((_HERE / "contracts").glob("*.txt"))
    ]
    for name in OWN_FILES:
        for line in (_HERE.parent / "prose" / name).read_text("utf-8").splitlines():
            row = json.loads(line)
            kind = "contract" if _BINDING.search(row["genre"]) else "field"
            out.append(Document(row["id"], kind, row["doc"]))
    return out


def _texts(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        if path.name.endswith(".jsonl.gz"):
            for line in file:
                yield _pressed(json.loads(line)["doc"])
        else:
            rows: list[dict[str, Any]] = json.load(file)
            yield from (f"{row['output2']}\n\n{row['input_claim']}" for row in rows)


def _pressed(text: str) -> str:
    """Return a text without the blanks that a tokenizer put before marks."""
    text = re.sub(r"(?<=\w) ’ (?=s\b|t\b)", "’", text)
    if " ." not in text or " ," not in text:
        return text
    text = re.sub(r" (?=(?:[.,;:!?)%]|'s\b|'t\b|n't\b|'re\b|'ll\b|'ve\b)(?:\s|$|[.,]))", "", text)
    text = re.sub(r"(?<=[([$£]) ", "", text)
    return re.sub(r"`` ?|(?<=\s)'' | ''(?=\s|$)", '"', text)


def _part(name: str, kind: str, text: str, seed: int) -> Document:
    """Return whole paragraphs of a document, of `WORDS` words or the first that is longer."""
    pieces = [one for one in re.split(r"\n\s*\n|\n(?=\S)", text) if one.strip()]
    if len(pieces) == 1:
        pieces = [" ".join(one) for one in _by(_sentences(text), 5)]
    sizes = [len(one.split()) for one in pieces]
    at = 0
    if sum(sizes) > WORDS:
        last = next(
            n for n in range(len(sizes), 0, -1) if sum(sizes[n - 1 :]) >= min(WORDS, sum(sizes))
        )
        at = random.Random(f"{seed} {name}").randrange(last)
    end, total = at, 0
    while end < len(pieces) and (total + sizes[end] <= WORDS or end == at):
        total += sizes[end]
        end += 1
    joint = "\n\n" if "\n" in text else " "
    return Document(name, kind, joint.join(one.strip() for one in pieces[at:end]))


def _by(items: list[str], size: int) -> list[list[str]]:
    return [items[at : at + size] for at in range(0, len(items), size)]


def sentences_of(text: str) -> list[str]:
    """Return the whole sentences of a text that stand in one line, each once."""
    out = []
    for line in text.split("\n"):
        out += [one for one in _sentences(line) if _is_whole(one)]
    return list(dict.fromkeys(out))


_END = re.compile(r"[.!?][\"”’')]*\s+(?=[\"“‘(]?[A-Z0-9])")


def _sentences(line: str) -> list[str]:
    out, at = [], 0
    for match in _END.finditer(line):
        word = re.split(r"[\s(\"“]", line[at : match.start() + 1])[-1]
        if word.rstrip(".") in abbreviations() or re.fullmatch(r"(?:[A-Z]\.)+|\w?\d*\.", word):
            continue
        out.append(line[at : match.end()].strip())
        at = match.end()
    return [*out, line[at:].strip()]


def _is_whole(sentence: str) -> bool:
    words = sentence.split()
    return (
        6 <= len(words) <= 45
        and sentence.endswith(".")
        and bool(re.match(r"[A-Z][a-z]*\b(?!\.|\))", sentence))
        and not compiled("<BROKEN>").search(sentence)
        and sentence.count("(") == sentence.count(")")
        and sentence.count('"') % 2 == 0
        and sentence.count("“") == sentence.count("”")
        and sum(one.islower() for one in sentence) > 0.6 * len(sentence)
        and bool(compiled("<FINITE>").search(sentence))
    )
