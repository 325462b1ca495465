"""Every parser of what somebody else wrote, with a small good input of each."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from groundrules.errors import GroundrulesError
from tests.fuzz import readers

CORPUS = Path(__file__).parent / "corpus"
_REPORT = Path(__file__).parents[1] / "golden" / "lease" / "json"


@dataclass(frozen=True, slots=True)
class Parser:
    """What reads a file, what the file is called, and good files of it."""

    file: str
    read: readers.Read
    seeds: tuple[bytes, ...]


def hold(kind: str, data: bytes) -> None:
    """Fail unless a parser returns or raises one of our errors, of one line."""
    parser = PARSERS[kind]
    folder = Path(tempfile.mkdtemp(prefix="groundrules-fuzz-"))
    said = ""
    try:
        (folder / parser.file).write_bytes(data)
        parser.read(folder / parser.file)
    except GroundrulesError as error:
        said = str(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert "\n" not in said, said


def kept(kind: str) -> list[Path]:
    """Return the inputs of the corpus for a parser."""
    return sorted((CORPUS / kind.replace(" ", "-")).glob("*"))


def _docx() -> bytes:
    from docx import Document

    word = Document()
    word.add_heading("Lease", 1)
    word.add_paragraph("The rent is $5.", style="List Number")
    word.add_table(1, 2).rows[0].cells[0].text = "May 1, 2021"
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


_PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>
endobj
4 0 obj<</Length 44>>stream
BT /F 12 Tf 9 9 Td (The rent is due.) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
"""
_HTML = b"""<!doctype html><html><head><meta charset="utf-8"><title>t</title>
</head><body><h1>Lease</h1>
<p hidden>x</p><ul><li>The rent is &#36;5.</li></ul><table><tr><td>May 1</td></tr></table></body>"""
_MD = b"""---
title: x
---
# Lease

> The **rent** is [due](http://x.example "t") on `May 1`.

| a | b |
|---|---|
| 1 | 2 |

<!-- note --> Text[^1] ~~old~~ \\*
"""
_CONFIG = b"""select = ["GR"]
disable = ["GR304"]
threshold = 0.4
kb = ["facts.ttl"]
[align]
h = 2
metric = "cosine"
[llm]
model = "never"
timeout = 20.5
max_calls = 3
[rules.GR301]
severity = "warning"
"""
_RULE = b"""id = "XX101"
name = "house"
summary = "A rule of the house"
message = "{s} is named"
severity = "warning"
select = '''
SELECT ?claim ?s WHERE { ?claim a gr:Claim ; rdf:subject ?s FILTER(?s != $other) }
'''
[params]
other = "x"
[prefixes]
ex = "http://example.org/"
[[test]]
text = "The rent is due."
source = "The rent is due."
expect = []
"""
_SHAPES = b"""@prefix sh: <http://www.w3.org/ns/shacl#> .
<http://x/GR1> a sh:NodeShape ; sh:name "n" ; sh:targetNode <http://a> ;
  sh:property [ sh:path [ sh:inversePath ( <http://p> <http://q> ) ] ; sh:minCount 1 ;
    sh:in ( 1 2 ) ; sh:pattern "^a+" ; sh:message "{?this} lacks it" ] ;
  sh:sparql [ sh:select "SELECT $this ?value { $this <http://p> ?value }" ] .
"""
_TURTLE = b"""@prefix ex: <http://example.org/> .
ex:Lease a owl:Class ; rdfs:label "lease"@en ; rdfs:subClassOf ex:Contract,
  [ a owl:Restriction ; owl:onProperty ex:rent ; owl:someValuesFrom xsd:decimal ],
  [ owl:unionOf ( ex:A [ owl:complementOf ex:B ] ) ] .
ex:rent a owl:DatatypeProperty ; rdfs:domain ex:Lease ; rdfs:range xsd:decimal .
ex:one a ex:Lease ; ex:rent "4850.00"^^xsd:decimal ; ex:note "a \\u00e9 \\" b" .
"""
_GRAPH = _TURTLE.replace(
    b"@prefix ex:",
    b"@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    b"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    b"@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n@prefix ex:",
)
_RDFXML = b"""<?xml version="1.0"?>
<!DOCTYPE r [<!ENTITY e "http://example.org/">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://example.org/">
<ex:Lease rdf:about="&e;one"><ex:rent rdf:datatype="http://www.w3.org/2001/XMLSchema#decimal">5</ex:rent>
<ex:of rdf:parseType="Collection"><rdf:Description rdf:about="&e;a"/></ex:of></ex:Lease></rdf:RDF>
"""
_JSONLD = b"""{"@context": {"ex": "http://example.org/", "rent": {"@id": "ex:rent"}},
"@graph": [{"@id": "ex:one", "@type": "ex:Lease", "rent": [5, {"@value": "6", "@language": "en"}],
"ex:list": {"@list": [1, 2]}, "@reverse": {"ex:of": {"@id": "ex:two"}}}]}"""
_OWX = b"""<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://a/">
<Declaration><Class IRI="#A"/></Declaration><SubClassOf><Class IRI="#A"/><ObjectUnionOf>
<Class IRI="#B"/><Class IRI="#C"/></ObjectUnionOf></SubClassOf></Ontology>"""
_LEXICON = b"""[prefixes]
ex = "http://example.org/"
[[sign]]
name = "CONTRACT"
class = "ex:Lease"
definite = "(?:the|this) lease"
node = "lease"
[[role]]
property = "ex:landlord"
of = "CONTRACT"
words = ["landlord"]
[[relation]]
property = "ex:amends"
words = ["amend"]
unless = "subject to [0-9]{1,5}"
[[test]]
text = "The lease costs $5."
expect = []
"""


def _lines(*rows: object) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def _json(data: object) -> bytes:
    return json.dumps(data).encode()


_ENDPOINT = {
    "head": {"vars": ["a"]},
    "results": {"bindings": [{
        "a": {"type": "uri", "value": "http://a"}, "b": {"type": "bnode", "value": "b"},
        "c": {"type": "literal", "value": "x", "xml:lang": "en"},
        "d": {"type": "typed-literal", "value": "5",
              "datatype": "http://www.w3.org/2001/XMLSchema#integer"},
    }]},
}  # fmt: skip
_SCHEMA = {
    "title": "Lease", "type": "object", "$defs": {"Value": {"type": "object", "properties": {
        "value": {"type": "string", "format": "date"}, "context": {"type": "string"},
        "section": {"type": "string"}}}},
    "properties": {"start": {"$ref": "#/$defs/Value"}, "rent": {"anyOf": [
        {"type": "number"}, {"type": "null"}]}, "parties": {"type": "array", "items": {
            "type": "object", "properties": {"name": {"type": "string", "enum": ["a", "b"]}}}}},
}  # fmt: skip
_VOLUME = [
    ["a.txt", "The rent is $5. It is due.", "txt", []],
    [["a.txt", "", "txt", []], [[0, 15], [16, 26]], [0], []],
]
GRADES = {
    "grades": [
        {"statement": 1, "quote": "The roof was repaired by Northgate", "reason": "r",
         "grade": "contradicted", "wrong": "insures"},
        {"statement": 4, "quote": "The Tenant shall pay a base rent", "reason": "r",
         "grade": "entailed", "wrong": ""},
    ]
}  # fmt: skip
TRIPLES = {
    f"text{n}": [
        {"subject": "Northgate", "relation": "repaired", "object": "roof", "evidence": evidence,
         "polarity": "positive", "modality": "asserted", "attribution": None, "time": "May 2020"}
    ]
    for n, evidence in ((1, "Northgate insures the roof."),
                        (2, "The roof was repaired by Northgate in May 2020."))
}  # fmt: skip
_ANSWERS = (_json(GRADES), _json(TRIPLES), _json({"explanation": "It says so."}),
            b"```json\n" + _json(GRADES)[:-9] + b"\n```")  # fmt: skip


PARSERS: Mapping[str, Parser] = {
    "txt": Parser("a.txt", readers.document, (b"\xef\xbb\xbfThe rent is $5.\r\n", b"\xff\xfeT\0")),
    "md": Parser("a.md", readers.document, (_MD,)),
    "html": Parser("a.html", readers.document, (_HTML,)),
    "docx": Parser("a.docx", readers.document, (_docx(),)),
    "pdf": Parser("a.pdf", readers.document, (_PDF,)),
    "config": Parser("groundrules.toml", readers.config, (_CONFIG,)),
    "project": Parser("pyproject.toml", readers.config, (b"[tool.groundrules]\nselect = ['GR']",)),
    "rule": Parser("house.toml", readers.rule, (_RULE,)),
    "shapes": Parser("a.shacl.ttl", readers.shapes, (_SHAPES,)),
    "ontology": Parser("a.ttl", readers.ontology, (_TURTLE,)),
    "ontology xml": Parser("a.owl", readers.ontology, (_RDFXML, _OWX)),
    "ontology json": Parser("a.jsonld", readers.ontology, (_JSONLD,)),
    "lexicon": Parser("own.lexicon.toml", readers.lexicon, (_LEXICON,)),
    "graph": Parser("a.ttl", readers.graph, (_GRAPH,)),
    "graph quads": Parser("a.nq", readers.graph, (b'<http://a> <http://p> "x"@en <http://g> .',)),
    "graph xml": Parser("a.rdf", readers.graph, (_RDFXML,)),
    "graph json": Parser("a.jsonld", readers.graph, (_JSONLD,)),
    "rows": Parser("a.jsonl", readers.rows, (
        _lines({"doc": "d", "claim": "c", "label": 1, "label3": "Entailment"},
               {"doc": "d", "answer": [{"s": "It is.", "label": 0, "span": "is"}]}),)),
    "kb rows": Parser("a.jsonl", readers.kb_rows, (_lines({"text": "t", "label": 1, "s": "Q1"}),)),
    "runs": Parser("a.jsonl", readers.runs, (
        _lines({"model": "m", "type": "t", "value": "v", "context": "c", "doc": "d", "human": 1},
               {"model": "m", "type": "t", "value": 5.0, "document": "no.txt"}),)),
    "labels": Parser("a.jsonl", readers.labels, (
        _lines({"premise": "p", "type": "t", "value": "v", "label": 1, "doc_id": 5},
               {"context": "p", "hypothesis": "h", "label": None}),)),
    "schema": Parser("a.json", readers.schema, (_json(_SCHEMA),)),
    "head": Parser("head.json", readers.head, (
        _json({"scorer": "s", "weights": [0.5, 1], "bias": 0}),)),
    "corpus": Parser("index.json", readers.corpus, (
        _json({"groundrules": "0.1.0", "format": 1,
               "documents": [{"file": "a.txt", "sha256": "", "kept": "0"}]}),)),
    "kept": Parser("volume.json", readers.kept, (_json(_VOLUME),)),
    "build": Parser("build.json", readers.build, (
        _json({"schema": 1, "languages": ["en"], "complete": True, "statements": 5, "dumps": [
            {"name": "a.ttl", "form": "Turtle", "count": 5, "digest": "d", "whole": True}]}),)),
    "report": Parser("a.json", readers.report, (_REPORT.read_bytes(),)),
    "recorded": Parser("a.jsonl", readers.recorded, (
        _lines({"key": "k", "job": "values", "texts": ["a"], "answer": {"a": [1]},
                "prompt_tokens": 5, "completion_tokens": 6}),)),
    "endpoint": Parser("a.json", readers.endpoint, (_json(_ENDPOINT),)),
    "response": Parser("a.json", readers.response, (
        _json({"choices": [{"message": {"content": _ANSWERS[0].decode(), "refusal": None},
                            "finish_reason": "stop"}],
               "usage": {"prompt_tokens": 5, "completion_tokens": 6}}),)),
    "answer": Parser("a.txt", readers.answer, _ANSWERS),
}  # fmt: skip
