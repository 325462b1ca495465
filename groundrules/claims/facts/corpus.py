"""Corpus: a folder with documents that were read and outlined once, to be checked against often.

The folder stands alone: it holds the texts, not the files. It says of each document which file it
was read from; where that file is there and has changed, the corpus is stale.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from groundrules.cache import loaded, pack, release, save, unpack
from groundrules.claims.documents.document import Document, from_text, read
from groundrules.claims.documents.shown import shown
from groundrules.claims.facts.outline import Outline, outline
from groundrules.errors import SourceError

#: The file that makes a folder a corpus.
CONTENTS = "index.json"
_FORMAT = 1
_AGAIN = "build it again with `groundrules index`"


@dataclass(frozen=True, slots=True)
class Volume:
    """A document of a corpus with its outline, whose own document is left empty."""

    document: Document
    outline: Outline


def is_corpus(folder: Path) -> bool:
    """Return whether a folder was written by `write_corpus`."""
    return (folder / CONTENTS).is_file()


def write_corpus(paths: Sequence[Path], folder: Path) -> tuple[Document, ...]:
    """Read files, outline them and write them to a folder, which is new, empty or a corpus.

    Raises:
        SourceError: a file cannot be read, or the folder not be written.
    """
    if folder.exists() and not is_corpus(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise SourceError(
            "is no index of documents; expected a new or an empty folder", path=str(folder)
        )
    documents, rows = [], []
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", path=str(folder)) from None
    try:
        for number, path in enumerate(paths, 1):
            before = _digest(path) if path.is_file() else ""
            document = read(path)
            found = outline(shown(document).document)
            bare = replace(found, document=replace(found.document, text=""))
            body = pack(Volume, Volume(document, bare))
            save(part / f"{number}.kept", body)
            documents.append(document)
            digest = hashlib.sha256(body).hexdigest()
            rows.append({"file": str(path.absolute()), "sha256": before, "kept": digest})
        contents = {"groundrules": release(), "format": _FORMAT, "documents": rows}
        (part / CONTENTS).write_text(json.dumps(contents, indent=1) + "\n", encoding="utf-8")
        old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        if folder.exists():
            folder.replace(old)  # empty so far; after a crash here the old corpus stands there
        part.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", path=str(folder)) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return tuple(documents)


def read_corpus(folder: Path) -> tuple[Volume, ...]:
    """Return what a corpus holds.

    Raises:
        SourceError: it is damaged, was built by another release, or a file has changed since.
    """
    name = str(folder)
    damaged = f"is damaged; expected an index as it was written: {_AGAIN}"
    try:
        contents: Any = json.loads((folder / CONTENTS).read_text(encoding="utf-8"))
        written, layout = contents["groundrules"], contents["format"]
        rows = [(row["file"], row["sha256"], row["kept"]) for row in contents["documents"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise SourceError(damaged, path=name) from None
    if (written, layout) != (release(), _FORMAT):
        raise SourceError(
            f"was built by groundrules {written}; expected {release()}: {_AGAIN}", path=name
        )
    out = []
    for number, (file, digest, kept) in enumerate(rows, 1):
        try:
            body = loaded(folder / f"{number}.kept")
            if hashlib.sha256(body).hexdigest() != kept:
                raise ValueError
            volume = unpack(Volume, body)
            held = volume.document
            from_text(held.text, held.name, held.format)  # it may be of somebody's own making
        except (OSError, ValueError, TypeError, KeyError, RecursionError, SourceError):
            raise SourceError(damaged, path=name) from None
        try:
            stale = bool(digest) and Path(file).is_file() and _digest(Path(file)) != digest
        except OSError:
            stale = False
        if stale:
            raise SourceError(
                f"is stale, {volume.document.name} has changed; expected the file that was read: "
                f"{_AGAIN}",
                path=name,
            )
        out.append(volume)
    return tuple(out)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
