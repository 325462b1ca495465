"""Measure a pipeline on the test sets and write its card."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import spacy
from assemble import SOURCES, artefact_files, digest, record
from convert import Sentence
from corpora import (
    TaggedDocument,
    entity_doc,
    entity_sets,
    read_treebank,
    read_treebanks,
    tree_doc,
)
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example

LABELS = ("PERSON", "ORG", "LOC", "MISC")
RELATIONS = "nsubj nsubjpass dobj pobj prep agent attr acomp conj appos relcl acl poss".split()
Counts = Counter[tuple[str, str]]


def fscore(right: int, wrong: int, missed: int) -> tuple[float, float, float]:
    """Precision, recall and F1 from counts."""
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def score_trees(nlp: Language, treebank: list[list[Sentence]]) -> dict[str, float]:
    """Accuracy of tags, parts of speech, lemmas, trees and sentences.

    Of raw text, each document as one string; under "apart …" of raw text, each paragraph as one,
    as groundrules reads; and under "gold …" of gold words and sentences.
    """
    documents = [tree_doc(nlp.vocab, document) for document in treebank]
    result = scores_of([Example(nlp(doc.text), doc) for doc in documents])
    parts = [tree_doc(nlp.vocab, part) for document in treebank for part in paragraphs(document)]
    apart = scores_of([Example(nlp(doc.text), doc) for doc in parts])
    result |= {f"apart {name}": value for name, value in apart.items()}
    given: list[Example] = []
    for document in documents:
        for sentence in document.sents:
            gold = sentence.as_doc()
            starts = [place == 0 for place in range(len(gold))]
            spaces = [bool(token.whitespace_) for token in gold]
            guess = Doc(nlp.vocab, [t.text for t in gold], spaces=spaces, sent_starts=starts)
            for _, pipe in nlp.pipeline:
                guess = pipe(guess)
            given.append(Example(guess, gold))
    return result | {f"gold {name}": value for name, value in scores_of(given).items()}


def paragraphs(document: list[Sentence]) -> list[list[Sentence]]:
    """Cut a document where the treebank notes a new paragraph."""
    parts: list[list[Sentence]] = []
    for sentence in document:
        if not parts or sentence[0].new_paragraph:
            parts.append([])
        parts[-1].append(sentence)
    return parts


def scores_of(examples: list[Example]) -> dict[str, float]:
    """Return the accuracies of some read documents."""
    scores = Scorer().score(examples)
    names = ("token_f", "tag_acc", "pos_acc", "dep_uas", "dep_las", "sents_f")
    result = {name: float(scores[name]) for name in names}
    result |= Scorer.score_token_attr(examples, "lemma")
    result["lemma_acc_caseless"] = caseless_lemmas(examples)
    for label, values in sorted(scores["dep_las_per_type"].items()):
        result[f"las {label}"] = float(values["f"])
    return result


def caseless_lemmas(examples: list[Example]) -> float:
    """Return the share of aligned tokens whose lemma is right when case is ignored."""
    right = total = 0
    for example in examples:
        gold = example.get_aligned("LEMMA", as_string=True)
        for token, lemma in zip(example.predicted, gold, strict=True):
            if lemma is not None:
                total += 1
                right += token.lemma_.lower() == lemma.lower()
    return right / total


def passages(documents: list[TaggedDocument]) -> list[TaggedDocument]:
    """Documents as they are; files without document marks sentence by sentence."""
    return [part for d in documents for part in ([[s] for s in d] if len(d) > 60 else [d])]


def count_entities(nlp: Language, golds: Iterable[Doc], labels: tuple[str, ...]) -> Counts:
    """Right, wrong and missed entities for each label."""
    counts: Counts = Counter()
    docs = list(golds)
    for gold, guess in zip(docs, nlp.pipe(doc.text for doc in docs), strict=True):
        want = {(e.start_char, e.end_char, e.label_) for e in gold.ents if e.label_ in labels}
        have = {(e.start_char, e.end_char, e.label_) for e in guess.ents if e.label_ in labels}
        kinds = {"right": want & have, "wrong": have - want, "missed": want - have}
        for name, found in kinds.items():
            counts.update((label, name) for _, _, label in found)
    return counts


def summary(counts: Counts, labels: Iterable[str] = LABELS) -> dict[str, float]:
    """Precision, recall, F1 and the number of entities over some labels."""
    chosen = list(labels)
    right = sum(counts[label, "right"] for label in chosen)
    wrong = sum(counts[label, "wrong"] for label in chosen)
    missed = sum(counts[label, "missed"] for label in chosen)
    precision, recall, f1 = fscore(right, wrong, missed)
    return {"p": precision, "r": recall, "f": f1, "n": right + missed}


def score_names(nlp: Language, data: Path, part: str = "test") -> dict[str, dict[str, float]]:
    """Exact-match scores of named entities for each set, in total and for each label."""
    result: dict[str, dict[str, float]] = {}
    everything: Counts = Counter()
    with nlp.select_pipes(enable=["groundrules_reader"]):
        for name, documents in entity_sets(data)[part].items():
            # UNER marks no MISC: what we find of it there is neither right nor wrong.
            labels = LABELS[:3] if name.startswith("UNER") else LABELS
            golds = (entity_doc(nlp.vocab, d) for d in passages(documents))
            counts = count_entities(nlp, golds, labels)
            result[name] = summary(counts)
            everything += counts
    result["all sets"] = summary(everything)
    for label in LABELS:
        result[label] = summary(everything, [label])
    return result


def measure_speed(path: Path, treebank: list[list[Sentence]]) -> float:
    """Return words a CPU second over the texts of a treebank, the best of three runs."""
    best = 0.0
    for _ in range(3):
        nlp = spacy.load(path)  # afresh, for it keeps what it has read
        texts = [tree_doc(nlp.vocab, document).text for document in treebank]
        start = time.process_time()
        words = sum(len(doc) for doc in nlp.pipe(texts))
        best = max(best, words / (time.process_time() - start))
    return best


def load_time(path: Path) -> float:
    """Return the CPU seconds to load the artefact, the best of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        spacy.load(path)
        times.append(time.process_time() - start)
    return min(times)


def table(header: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent(value: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * value:.1f}"


def card(
    trees: dict[str, dict[str, float]], names: dict[str, dict[str, float]], facts: dict[str, Any]
) -> str:
    """Return the artefact's card; the first treebank is told in full."""
    measures = {
        "token_f": "tokens, F1",
        "tag_acc": "Penn tags, accuracy",
        "pos_acc": "parts of speech, accuracy",
        "lemma_acc": "lemmas, accuracy",
        "lemma_acc_caseless": "lemmas, case ignored",
        "dep_uas": "unlabelled attachment (UAS)",
        "dep_las": "labelled attachment (LAS)",
        "sents_f": "sentences, F1",
    }
    first = next(iter(trees.values()))
    rows = [
        [label, *(percent(first[of + name]) for of in ("", "apart ", "gold "))]
        for name, label in measures.items()
    ]
    relations = [
        [label, *(percent(first.get(f"{of}las {label}", 0.0)) for of in ("", "apart ", "gold "))]
        for label in RELATIONS
    ]
    attached = [
        [name, *(percent(found[of + "dep_las"]) for of in ("", "apart ", "gold "))]
        for name, found in trees.items()
    ]
    entities = [
        [name, percent(s["p"]), percent(s["r"]), percent(s["f"]), str(int(s["n"]))]
        for name, s in names.items()
    ]
    given = ("raw text, %", "paragraphs apart, %", "gold words and sentences, %")
    sources = [[s["name"], s["license"], s["author"], s["url"]] for s in SOURCES]
    return (
        Path(__file__)
        .with_name("card.txt")
        .read_text("utf-8")
        .format(
            version=spacy.__version__,
            of_sources=table(["what", "licence", "authors", "from"], sources),
            of_syntax=table(["measure", *given], rows),
            of_attached=table(["test set", *given], attached),
            of_relations=table(["relation", *given], relations),
            of_names=table(["set", "P %", "R %", "F1 %", "entities"], entities),
            megabytes=facts["bytes"] / 1000000.0,
            files=facts["files"],
            speed=facts["speed"],
            machine=facts["machine"],
            load=facts["load"],
            digest=facts["digest"],
        )
    )


def processor() -> str:
    """Return the processor's name."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "an unknown processor"


def measure(path: Path, data: Path, more: Path | None) -> None:
    """Score the artefact, write its metadata and its card."""
    nlp = spacy.load(path)
    test = read_treebank(data / "train" / "parse" / "en_ewt-ud-test.conllu.gz")
    trees = {"UD English EWT": score_trees(nlp, test)}
    for part, name in (("test", "GUM"), ("gentle", "GENTLE")):
        if more is not None:
            trees[name] = score_trees(nlp, read_treebanks(more / part))
    names = score_names(nlp, data)
    facts: dict[str, Any] = {"speed": measure_speed(path, test), "load": load_time(path)}
    record(path, {"trees": next(iter(trees.values())), "names": names})
    files = artefact_files(path)
    facts |= {"bytes": sum(f.stat().st_size for f in files), "files": len(files)}
    facts |= {"digest": digest(path), "machine": processor()}
    (path / "CARD.md").write_text(card(trees, names, facts))


def main() -> None:
    """Score an artefact from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=Path("groundrules/models/english"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--more", type=Path, help="a folder of further treebanks")
    options = parser.parse_args()
    measure(options.model, options.data, options.more)


if __name__ == "__main__":
    main()
