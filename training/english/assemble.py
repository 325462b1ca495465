"""Join the reader and the tables of words into one spaCy pipeline."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import spacy
from convert import TABLES, Sentence
from lexicon import add_lemmas, add_parts_of_speech
from spacy.language import Language

import groundrules.models.spacy_pipes  # noqa: F401  # registers the reader

SOURCES: list[dict[str, str]] = TABLES["sources"]
ABBREVIATIONS = tuple(TABLES["abbreviations"].split())


def tokenizer() -> Language:
    """Return a pipeline that cuts text into tokens and does nothing else."""
    nlp = spacy.blank("en")
    for word in ABBREVIATIONS:
        nlp.tokenizer.add_special_case(word, [{"ORTH": word}])
    return nlp


def assemble(reader: Path, sentences: list[Sentence]) -> Language:
    """Return the whole pipeline: the reader from its folder, parts of speech, lemmas."""
    nlp = tokenizer()
    nlp.add_pipe("groundrules_reader").from_disk(reader)
    add_parts_of_speech(nlp)
    add_lemmas(nlp, sentences)
    nlp.meta.update(
        name="groundrules",
        version="2.0.0",
        description="English tags, trees, lemmas, sentences and names for groundrules",
        author="the groundrules authors",
        license="CC BY-SA 4.0",
        sources=SOURCES,
        performance={},
    )
    return nlp


def write(nlp: Language, out: Path) -> None:
    """Replace the artefact on disk, keeping no words of the training texts."""
    card = out / "CARD.md"
    kept = card.read_bytes() if card.exists() else None
    if out.exists():
        shutil.rmtree(out)
    nlp.to_disk(out)
    # Components bring the strings they need; the rest are words met in training.
    (out / "vocab" / "strings.json").write_text("[]\n")
    if kept is not None:
        card.write_bytes(kept)


def record(out: Path, performance: dict[str, object]) -> None:
    """Write the measured scores into the artefact's metadata."""
    path = out / "meta.json"
    meta = json.loads(path.read_text())
    meta["performance"] = performance
    path.write_text(json.dumps(meta, indent=2, sort_keys=True) + "\n")


def artefact_files(out: Path) -> list[Path]:
    """Return the files of the artefact, without its card, in a fixed order."""
    return sorted(p for p in out.rglob("*") if p.is_file() and p.name != "CARD.md")


def digest(out: Path) -> str:
    """SHA-256 over the names and contents of the artefact's files."""
    total = hashlib.sha256()
    for path in artefact_files(out):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{content}  {path.relative_to(out).as_posix()}\n".encode())
    return total.hexdigest()
