"""Read the treebank and the named-entity sets, and give them to spaCy."""

from __future__ import annotations

import gzip
import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from convert import ROOT, Sentence, convert, read_conllu
from spacy.tokens import Doc
from spacy.vocab import Vocab

# The four labels of the pipeline, and what each data set calls them. Concepts that are no names
# (fields, tasks, genres, substances) are left unmarked.
ENTITY_LABELS = {
    "PERSON": "per person writer politician scientist musicalartist researcher",
    "ORG": "org corporation group organisation politicalparty band university",
    "LOC": "loc location country astronomicalobject",
    "MISC": """misc product creative-work book album song award event election conference
        programlang magazine poem academicjournal""",
}
LABEL_OF = {name: label for label, names in ENTITY_LABELS.items() for name in names.split()}

CROSSNER = ("ai", "literature", "music", "politics", "science")

Item = TypeVar("Item")
TaggedToken = tuple[str, str]
TaggedSentence = list[TaggedToken]
TaggedDocument = list[TaggedSentence]

NO_SPACE_BEFORE = frozenset(". , ; : ? ! ) ] } % 's n't 're 've 'll 'd 'm ' ’s '' ...".split())
NO_SPACE_AFTER = frozenset("( [ { $ # ``".split())


def open_text(path: Path) -> Iterator[str]:
    """Yield the lines of a text file, gzipped or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf8") as lines:
        yield from lines


def read_treebank(path: Path) -> list[list[Sentence]]:
    """Return the converted trees of a CoNLL-U file, one list of sentences a document."""
    documents: dict[str, list[Sentence]] = {}
    for name, sentence in read_conllu(open_text(path)):
        documents.setdefault(name, []).append(convert(sentence))
    return list(documents.values())


def read_treebanks(folder: Path) -> list[list[Sentence]]:
    """Return the converted trees of all CoNLL-U files of a folder."""
    return [d for path in sorted(folder.glob("*.conllu*")) for d in read_treebank(path)]


def tree_doc(vocab: Vocab, sentences: list[Sentence]) -> Doc:
    """One Doc with tags, parts of speech, lemmas, heads and labels of several sentences."""
    tokens = [token for sentence in sentences for token in sentence]
    heads: list[int] = []
    for sentence in sentences:
        base = len(heads)
        heads.extend(base + (i if t.head == ROOT else t.head) for i, t in enumerate(sentence))
    return Doc(
        vocab,
        words=[t.form for t in tokens],
        spaces=[t.space_after for t in tokens],
        tags=[t.xpos for t in tokens],
        pos=[t.upos for t in tokens],
        lemmas=[t.lemma if t.lemma != "_" else t.form for t in tokens],
        heads=heads,
        deps=[t.rel for t in tokens],
    )


def read_tagged(path: Path) -> list[TaggedDocument]:
    """Return the documents of a named-entity file in any of the column formats used here."""
    documents: list[TaggedDocument] = [[]]
    sentence: TaggedSentence = []
    for raw in open_text(path):
        line = raw.rstrip("\n")
        cells = line.split("\t") if "\t" in line else line.split()
        if line.startswith(("# newdoc", "-DOCSTART-")):
            documents.append([])
        if line.startswith(("# ", "-DOCSTART-")) or len(cells) < 2:
            if sentence:
                documents[-1].append(sentence)
            sentence = []
        elif not cells[0].strip():
            continue
        elif path.name.endswith(".iob2.gz"):
            sentence.append((cells[1], cells[2]))
        else:
            # Emerging entities carry several labels for one mention: the first one counts.
            sentence.append((cells[0], cells[-1].split(",")[0]))
    if sentence:
        documents[-1].append(sentence)
    return [document for document in documents if document]


def entity_tags(sentence: TaggedSentence) -> list[str]:
    """Return the sentence's tags in BIO form with the pipeline's labels."""
    tags, previous = [], ""
    for _, raw in sentence:
        prefix, _, name = raw.partition("-")
        label = LABEL_OF.get(name.lower(), "")
        if not label:
            tags.append("O")
        elif prefix == "B" or previous != name:
            tags.append(f"B-{label}")
        else:
            tags.append(f"I-{label}")
        previous = name if label else ""
    return tags


def spacing(words: list[str]) -> list[bool]:
    """Whether a space follows each token of text that was split at every token."""
    after = [True] * len(words)
    for index, word in enumerate(words):
        if word in NO_SPACE_AFTER:
            after[index] = False
        if index and word.lower() in NO_SPACE_BEFORE:
            after[index - 1] = False
    return after


def entity_doc(vocab: Vocab, sentences: list[TaggedSentence]) -> Doc:
    """One Doc with the named entities of several sentences."""
    words = [word for sentence in sentences for word, _ in sentence]
    tags = [tag for sentence in sentences for tag in entity_tags(sentence)]
    return Doc(vocab, words=words, spaces=spacing(words), ents=tags)


def fold(document: TaggedDocument) -> int:
    """Return a number from 0 to 9 that depends on the document's first words alone."""
    text = " ".join(word for word, _ in document[0][:20])
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 10


def entity_sets(data: Path) -> dict[str, dict[str, list[TaggedDocument]]]:
    """Return the documents for training, development and each test set."""
    folder = data / "train" / "ner"
    wikigold = read_tagged(folder / "wikigold.conll.gz")
    train = [
        *read_tagged(folder / "wnut17train.conll.gz"),
        *read_tagged(folder / "sec-train-FIN5.txt.gz"),
        *read_tagged(folder / "en_ewt-ud-dev.iob2.gz"),
    ]
    crossner_test = []
    for domain in CROSSNER:
        for part in ("train", "dev"):
            train += read_tagged(folder / f"crossner-{domain}-{part}.txt.gz")
        crossner_test += read_tagged(folder / f"crossner-{domain}-test.txt.gz")
    # Files without document marks are cut into single sentences, so that folds mix their topics.
    train = [[s] for d in train if len(d) > 60 for s in d] + [d for d in train if len(d) <= 60]
    return {
        "train": {
            "sets": [d for d in train if fold(d) != 0],
            "wikigold": [d for d in wikigold if fold(d) > 1],
        },
        "dev": {
            "sets": [d for d in train if fold(d) == 0],
            "WNUT17": read_tagged(folder / "emerging.dev.conll.gz"),
            "wikigold": [d for d in wikigold if fold(d) == 0],
        },
        "test": {
            "WNUT17 emerging entities": read_tagged(folder / "emerging.test.conll.gz"),
            "SEC filings (FIN3)": read_tagged(folder / "sec-test-FIN3.txt.gz"),
            "CrossNER": crossner_test,
            "UNER EWT": read_tagged(folder / "en_ewt-ud-test.iob2.gz"),
            "wikigold, held out": [d for d in wikigold if fold(d) == 1],
        },
    }


def groups(items: list[Item], largest: int, dice: random.Random) -> Iterator[list[Item]]:
    """Cut a document into runs of one to `largest` sentences."""
    start = 0
    while start < len(items):
        size = dice.randint(1, largest)
        yield items[start : start + size]
        start += size
