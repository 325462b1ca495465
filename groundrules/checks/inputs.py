"""Texts and sources as they are given: read, bounded, and each with a name of its own."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from groundrules.checks.extractions import keep_outline, length
from groundrules.claims.documents.document import Document, from_text, read, shortened
from groundrules.claims.documents.shown import shown
from groundrules.config import Config
from groundrules.errors import SourceError, without_secrets
from groundrules.ontology.load import place
from groundrules.reserved import path_of
from groundrules.terms import Input

#: What is given to be read: a text, the path of a file, a document.
Source = str | Path | Document

#: Longest text that is checked at once, about 200 pages, and what its contexts may have in all.
MAX_WORDS = 100_000
MAX_CONTEXT_WORDS = 1_000_000

#: Longest text that can be the name of a file.
_LONGEST_NAME = 1024


def document_of(source: object, name: str) -> Document:
    """Return what is given as a document, a text under a name; SourceError where it is none."""
    if isinstance(source, Document):
        return source
    if not isinstance(source, str | Path):
        raise SourceError(f"{source!r} is no source; expected a str, a Path or a Document")
    if isinstance(source, str) and _names_a_file(source):
        raise SourceError(
            f"a str is the text itself, and {source!r} names a file; expected "
            f"Path({source!r}) to read the file, or Document('text', {source!r}) for these words"
        )
    blank = name == "text"  # what is checked may say nothing, as what a model answers may
    return read(source, blank=blank) if isinstance(source, Path) else from_text(source, name)


def contexts_of(context: object) -> list[Document]:
    """Return the contexts as documents; SourceError where one is none."""
    if isinstance(context, str | Path | Document):
        context = [context]
    if not isinstance(context, Iterable) or isinstance(context, bytes | Mapping):
        raise SourceError(
            f"context is {context!r}; expected a str, a Path, a Document or a list of them"
        )
    out: list[Document] = []
    for n, item in enumerate(context, 1):
        volumes = _volumes(item) if isinstance(item, Path) else []
        out += volumes or [document_of(item, f"context{n}")]
    return out


def question_of(question: object, names: Collection[str]) -> Document | None:
    """Return the question as a document with a name of its own, None where there is none."""
    if not isinstance(question, str):
        raise SourceError(f"question is {question!r}; expected a str")
    if not question.strip():
        return None
    found = from_text(question, distinct_name("question", names))
    bound([found], MAX_WORDS)
    return shortened(found)[0]


def _names_a_file(text: str) -> bool:
    """Return whether a text is the name of an existing file, which nobody wants to be checked."""
    if not text or len(text) > _LONGEST_NAME or "\n" in text:
        return False
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _volumes(folder: Path) -> list[Document]:
    """Return the documents of a corpus, whose outlines are known now; none of anything else."""
    if not os.path.isdir(folder):  # noqa: PTH112 - it raises nothing, whatever the name
        return []
    from groundrules.claims.facts.corpus import is_corpus, read_corpus

    if not is_corpus(folder):
        raise SourceError(
            f"is a folder and no index; expected files, or `groundrules index {folder}/* -o DIR` "
            "first and that folder",
            path=str(folder),
        )
    volumes = read_corpus(folder)
    for volume in volumes:
        keep_outline(replace(shown(volume.document).document, name=""), volume.outline)
    return [volume.document for volume in volumes]


def bound(documents: Sequence[Document], most: int) -> None:
    """Raise SourceError where documents are so long that a check would take hours."""
    count = 0
    for document in documents:
        count += length(shortened(document)[0].text)
        if count > most:
            what = "a text" if most == MAX_WORDS else "all contexts together"
            raise SourceError(
                f"is too long: expected at most {most:,} words in {what}; split it",
                path=document.name,
            )


def distinct(documents: Sequence[Document], first: Document | None = None) -> tuple[Document, ...]:
    """Return the documents sorted, with names of their own: places are told apart by name."""
    taken = {first.name} if first else set()
    out = []
    for document in sorted(documents, key=lambda d: (d.name, d.text, d.format)):
        name = distinct_name(document.name, taken)
        taken.add(name)
        out.append(document if name == document.name else replace(document, name=name))
    return tuple(out)


def distinct_name(name: str, taken: Collection[str]) -> str:
    """Return a name, numbered where it is taken."""
    others = (f"{name}#{number}" for number in itertools.count(2))
    return next(one for one in itertools.chain([name], others) if one not in taken)


def inputs_of(
    document: Document, contexts: Sequence[Document], config: Config, question: str
) -> Iterator[Input]:
    """Yield what a check is given, each by its hash; folders and endpoints have none."""
    for role, found in (("text", [document]), ("context", contexts)):
        for one in found:
            yield Input(one.name, role, one.sha256 or hash_of(one.text), one.format)
    if question:
        yield Input("question", "question", hash_of(question), "txt")
    for role, name, at in (
        *(("knowledge base", spec, path_of("kb", spec)) for spec in config.bases),
        ("ontology", config.ontology, place(config.ontology, config.base)),
        ("snapshot", config.offline, path_of("offline", config.offline, config.base)),
    ):
        if name:
            yield Input(without_secrets(name), role, _file_hash(at) if at and at.is_file() else "")


def hash_of(text: str) -> str:
    """Return the SHA-256 of the UTF-8 of a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _file_hash(path: Path) -> str:
    state = path.stat()
    return _hash_of_file(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _hash_of_file(path: Path, _changed: int, _size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unread(document: Document, contexts: Sequence[Document]) -> Iterable[str]:
    """Yield what of the text and its contexts had no text that could be read."""
    from groundrules.claims.documents.legibility import language

    for one in (document, *contexts):
        yield from (f"{one.name}: {what}" for what in one.unread)
    for one in contexts:
        if not one.text.strip():
            yield f"{one.name}: has no text"
        for start, end in shortened(one)[1]:
            yield f"{one.name}: a word of {end - start:,} characters is not read"
        if foreign := language(one.text):
            yield f"{one.name}: {foreign}"
