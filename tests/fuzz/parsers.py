"""Every parser of what somebody else wrote, with small good inputs of each in `seeds`."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from groundrules.errors import GroundrulesError
from tests.fuzz import readers

CORPUS = Path(__file__).parent / "corpus"
_REPORT = Path(__file__).parents[1] / "golden" / "lease" / "json"

#: What a file is called, and what reads it.
PARSERS: Mapping[str, tuple[str, readers.Read]] = {
    "txt": ("a.txt", readers.document),
    "md": ("a.md", readers.document),
    "html": ("a.html", readers.document),
    "docx": ("a.docx", readers.document),
    "pdf": ("a.pdf", readers.document),
    "config": ("groundrules.toml", readers.config),
    "project": ("pyproject.toml", readers.config),
    "rule": ("house.toml", readers.rule),
    "shapes": ("a.shacl.ttl", readers.shapes),
    "ontology": ("a.ttl", readers.ontology),
    "ontology-xml": ("a.owl", readers.ontology),
    "ontology-json": ("a.jsonld", readers.ontology),
    "lexicon": ("own.lexicon.toml", readers.lexicon),
    "graph": ("a.ttl", readers.graph),
    "graph-quads": ("a.nq", readers.graph),
    "graph-xml": ("a.rdf", readers.graph),
    "graph-json": ("a.jsonld", readers.graph),
    "rows": ("a.jsonl", readers.rows),
    "kb-rows": ("a.jsonl", readers.kb_rows),
    "runs": ("a.jsonl", readers.runs),
    "labels": ("a.jsonl", readers.labels),
    "schema": ("a.json", readers.schema),
    "head": ("head.json", readers.head),
    "corpus": ("index.json", readers.corpus),
    "kept": ("volume.json", readers.kept),
    "build": ("build.json", readers.build),
    "report": ("a.json", readers.report),
    "recorded": ("a.jsonl", readers.recorded),
    "endpoint": ("a.json", readers.endpoint),
    "response": ("a.json", readers.response),
    "answer": ("a.txt", readers.answer),
}


def seeds(kind: str) -> tuple[bytes, ...]:
    """Return good inputs of a parser."""
    if kind == "docx":
        return (_docx(),)
    if kind == "report":
        return (_REPORT.read_bytes(),)
    found = sorted((Path(__file__).parent / "seeds").glob(f"{kind}.*"))
    assert found, kind
    return tuple(path.read_bytes() for path in found)


def hold(kind: str, data: bytes) -> None:
    """Fail unless a parser returns or raises one of our errors, of one line."""
    name, read = PARSERS[kind]
    folder = Path(tempfile.mkdtemp(prefix="groundrules-fuzz-"))
    said = ""
    try:
        (folder / name).write_bytes(data)
        read(folder / name)
    except GroundrulesError as error:
        said = str(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert "\n" not in said, said


def kept(kind: str) -> list[Path]:
    """Return the inputs of the corpus for a parser."""
    return sorted((CORPUS / kind).glob("*"))


def _docx() -> bytes:
    from docx import Document

    word = Document()
    word.add_heading("Lease", 1)
    word.add_paragraph("The rent is $5.", style="List Number")
    word.add_table(1, 2).rows[0].cells[0].text = "May 1, 2021"
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()
