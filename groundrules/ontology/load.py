"""Ontologies read from files: untrusted data, bounded in size, never fetched unasked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from groundrules.dataset import parse_turtle
from groundrules.errors import SourceError
from groundrules.terms import Triple

#: The ontologies that ship, by name.
SHIPPED = ("legal",)
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Ontology:
    """A terminology: what is stated of its classes and properties, and what follows.

    `axioms` are closed (see `close`); `individuals` are the statements about things that are
    neither classes nor properties; `lexicon` is the TOML file that says how texts word the terms,
    None where there is none; `digest` is the SHA-256 of the file.
    """

    name: str
    path: Path
    axioms: tuple[Triple, ...]
    individuals: tuple[Triple, ...] = ()
    lexicon: Path | None = None
    packs: tuple[str, ...] = ("owl",)
    digest: str = ""


def load(name: str | Path, base: Path | str = ".") -> Ontology:
    """Return a shipped ontology by name, or that of a file relative to `base`.

    Raises SourceError where the file cannot be read.
    """
    shipped = str(name) in SHIPPED
    path = _FOLDER / f"{name}.ttl" if shipped else Path(base, name)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
    lexicon = path.with_suffix(".lexicon.toml")
    return Ontology(
        str(name) if shipped else path.name,
        path,
        tuple(parse_turtle(data.decode(), path=str(path))),
        lexicon=lexicon if lexicon.is_file() else None,
        packs=("owl", "legal") if str(name) == "legal" else ("owl",),
        digest=hashlib.sha256(data).hexdigest(),
    )
