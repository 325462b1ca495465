"""Depth costs no crash: what is nested without end is read, or refused in one line."""

from __future__ import annotations

import inspect
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from groundrules.claims.documents.document import from_text, plain, read
from groundrules.claims.facts.offline import extract
from groundrules.claims.units.blocks import Block
from groundrules.errors import GroundrulesError
from tests.fuzz import readers
from tests.rows import each, read_rows
from tests.strategies import every

#: Shallow, past each bound of ours, about where Python's own stack ends, and past all of these.
DEPTHS = (100, 2_000, 30_000)


def refused_or_read(read: Callable[[], object]) -> None:
    said = ""
    try:
        read()
    except GroundrulesError as error:
        said = str(error)
    assert "\n" not in said


def nested(opening: str, inner: str, closing: str) -> Callable[[int], str]:
    return lambda depth: opening * depth + inner + closing * depth


def about_the_end_of_the_stack() -> Iterator[int]:
    most = sys.getrecursionlimit()
    yield from (*DEPTHS, *range(most - 120, most + 3, 6))


# --- files ------------------------------------------------------------------------------------

LISTS = nested("[", "1", "]")


@each("name reader before opening inner closing after less")
def test_a_file_that_is_nested_without_end_is_read_or_refused_in_a_line(
    name: str, reader: str, before: str, opening: str, inner: str, closing: str, after: str,
    less: int, tmp_path: Path,
) -> None:  # fmt: skip
    read = getattr(readers, reader)
    for depth in about_the_end_of_the_stack() if ".json" in name else DEPTHS:
        times = depth // less
        text = before + opening * times + inner + closing * times + after
        (tmp_path / name).write_text(text, encoding="utf-8")
        refused_or_read(lambda: read(tmp_path / name))


@pytest.mark.parametrize("length", [2, 5_000])
def test_an_axiom_that_has_itself_for_a_part_is_worded_as_far_as_it_goes(length: int) -> None:
    from rdflib.namespace import OWL
    from rdflib.term import BNode, URIRef

    from groundrules.ontology.axioms import worded
    from groundrules.terms import Triple

    parts = [URIRef("http://a"), *(BNode(f"part{n}") for n in range(length)), BNode("part0")]
    axiom = tuple(Triple(one, OWL.complementOf, of) for one, of in pairwise(parts))
    assert "http://a" in worded(axiom, {})


# --- queries ----------------------------------------------------------------------------------


def test_no_query_that_is_nested_without_end_takes_a_process_down() -> None:
    own = "test_no_query_that_is_nested_without_end_takes_a_process_down"
    rows = read_rows(Path(__file__).with_name("rows.jsonl"))
    chains = [row for name, *row in rows if name == own]
    queries = {
        kind: opening + part * ((19_900 - len(opening + closing)) // len(part)) + closing
        for kind, opening, part, closing in chains
    }
    program = """
import json, sys
from groundrules.dataset import Dataset
from groundrules.errors import RuleError
for kind, query in json.load(sys.stdin).items():
    print(kind, flush=True)
    try:
        Dataset().query(query)
    except RuleError:
        pass
"""

    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(queries), text=True, capture_output=True, check=False,
    )  # fmt: skip

    # where it goes down, the last one told is at fault
    assert done.stdout.splitlines() == [*queries]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("depth", [10, 30, 62, 64, 100, 1000])
@pytest.mark.parametrize("sign", ["()", "{}"])
def test_a_query_of_a_shape_is_run_or_refused(sign: str, depth: int, tmp_path: Path) -> None:
    opening, closing = (mark * depth for mark in sign)
    inner = "BOUND(?value)" if sign == "()" else "$this <http://p> ?value"
    deep = f"{opening}{inner}{closing}"
    group = f"$this <http://p> ?value FILTER{deep}" if sign == "()" else deep
    (tmp_path / "own.shacl.ttl").write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . <http://x/GR1> a sh:NodeShape ; "
        f'sh:targetNode <http://a> ; sh:sparql [ sh:select "SELECT $this ?value {{ {group} }}" ] .',
        encoding="utf-8",
    )

    refused_or_read(lambda: readers.shapes(tmp_path / "own.shacl.ttl"))


# --- texts and documents ----------------------------------------------------------------------


@pytest.mark.parametrize("place", ["text", "context"])
@pytest.mark.parametrize("part", ["🔥of ", "🔥's ", "the 🔥 of it and ", "🔥, ", '"(['])
def test_a_phrase_without_end_is_checked(part: str, place: str) -> None:
    from groundrules import api

    texts = [part * 500 + ".", "The Tenant pays $5."]
    source, context = texts if place == "text" else reversed(texts)

    assert api.check(from_text(source), context=[from_text(context, "c")]).text == source


DEPENDENCIES = (
    "acl acomp advcl advmod agent amod appos attr aux auxpass case cc ccomp compound conj csubj "
    "csubjpass dative dep det dobj expl mark neg nmod npadvmod nsubj nsubjpass nummod oprd "
    "parataxis pcomp pobj poss preconj prep quantmod relcl xcomp"
).split()
TAGS = {"NN": "NOUN", "NNP": "PROPN", "VBN": "VERB", "VB": "VERB", "IN": "ADP", "PRP$": "PRON"}


@pytest.fixture(scope="module")
def read_before() -> None:
    """Have all that reading imports and makes but once."""
    extract(from_text("The chief of staff of the company said that it was sold on May 1, 2021."))


@pytest.fixture
def low(read_before: None) -> Iterator[None]:
    """A stack of so few frames that none is left for one of each word."""
    most = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 170)
    yield
    sys.setrecursionlimit(most)


@pytest.mark.parametrize("leftwards", [False, True])
@pytest.mark.parametrize("dependency", DEPENDENCIES)
def test_a_sentence_of_any_depth_has_claims_read(
    dependency: str, leftwards: bool, low: None
) -> None:
    from spacy.tokens import Doc

    from groundrules.claims.facts.offline import assemble, load

    count = 200
    step = every(3)
    for at, word in enumerate(("of", "its", "said", "fire", "not"), DEPENDENCIES.index(dependency)):
        # of three dependencies in a row each has another third of the tags
        for tag, kind in list(TAGS.items())[at % step :: step]:
            text = " ".join([word] * count)
            step = len(word) + 1
            heads = [min(i + 1, count - 1) if leftwards else max(i - 1, 0) for i in range(count)]
            root = count - 1 if leftwards else 0
            # every other word a preposition, as in "chief of staff of state"
            other = "prep" if dependency == "pobj" else dependency
            deps = [other if i % 2 else dependency for i in range(count)]
            deps[root] = "ROOT"
            doc = Doc(
                load().vocab, words=[word] * count, heads=heads, deps=deps, tags=[tag] * count,
                pos=[kind] * count, lemmas=[word] * count,
            )  # fmt: skip
            offsets = tuple((i * step, i * step + len(word)) for i in range(count))
            assemble(from_text(text), [Block(doc, offsets)], ())


def docx(path: Path, body: str) -> Path:
    from docx import Document as Word

    whole = io.BytesIO()
    Word().save(whole)
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w") as new:
        for item in old.infolist():
            data = old.read(item)
            if item.filename == "word/document.xml":
                before, _, rest = data.partition(b"<w:body>")
                data = before + b"<w:body>" + body.encode() + rest
            new.writestr(item, data)
    return path


RUN_ = "<w:p><w:r><w:t>The rent is due.</w:t></w:r></w:p>"
BODIES = {
    "tables": nested("<w:tbl><w:tr><w:tc>", RUN_, "</w:tc></w:tr></w:tbl>"),
    "controls": nested("<w:sdt><w:sdtContent>", RUN_, "</w:sdtContent></w:sdt>"),
    "boxes": nested("<w:p><w:r><w:pict><w:txbxContent>", RUN_,
                    "</w:txbxContent></w:pict></w:r></w:p>"),
}  # fmt: skip


@pytest.mark.parametrize("depth", [30, 60, 80, 300, 30_000])
@pytest.mark.parametrize("kind", BODIES)
def test_a_docx_that_is_nested_without_end_is_read_or_refused(
    kind: str, depth: int, tmp_path: Path
) -> None:
    path = docx(tmp_path / "deep.docx", BODIES[kind](depth))

    refused_or_read(lambda: read(path))


@each("name before opening inner closing")
def test_a_page_that_is_nested_without_end_is_read_or_refused(
    name: str, before: str, opening: str, inner: str, closing: str, tmp_path: Path
) -> None:
    for depth in (200, 256, 1_000, 2_000):
        text = before + opening * depth + inner + closing * depth
        (tmp_path / name).write_text(text, encoding="utf-8")
        refused_or_read(lambda: extract(from_text(plain(read(tmp_path / name))[:20_000])))


PDF = """%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources{resources}>>endobj
4 0 obj<</Type/XObject/Subtype/Form/Resources<</XObject<</a 4 0 R>>>>>>endobj
trailer<</Root 1 0 R>>
"""


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("deep", [LISTS, nested("<</a ", "1", ">>")])
def test_a_pdf_that_is_nested_without_end_is_refused(
    deep: Callable[[int], str], depth: int, tmp_path: Path
) -> None:
    (tmp_path / "deep.pdf").write_text(PDF.format(resources=deep(depth)), encoding="utf-8")

    refused_or_read(lambda: read(tmp_path / "deep.pdf"))


def test_a_form_of_a_pdf_that_draws_itself_ends(tmp_path: Path) -> None:
    forms = "<</XObject<</a 4 0 R/b 4 0 R>>>>"
    (tmp_path / "own.pdf").write_text(PDF.format(resources=forms), encoding="utf-8")

    refused_or_read(lambda: read(tmp_path / "own.pdf"))


def test_a_patent_of_any_depth_is_read() -> None:
    from lxml import etree

    from groundrules.legal.uspto import _ordered

    for depth in (10, 100, 250):  # the parser reads no deeper than 256
        text = "<b>" * depth + "claim" + "</b>" * depth
        assert "".join(_ordered(etree.fromstring(text))) == "claim"


# --- answers ----------------------------------------------------------------------------------

SAID = {"arrays": LISTS, "objects": nested('{"a": ', "1", "}"), "open": nested("[", "", ""),
        "cut": nested('{"a": [', '"b"', ""),
        "beside": lambda depth: f"Here: {LISTS(depth)}"}  # fmt: skip


@pytest.mark.parametrize("kind", SAID)
def test_an_answer_of_a_model_of_any_depth_is_read_or_malformed(kind: str) -> None:
    from groundrules.llm.structured import MalformedError, read_answer, validator

    validate = validator({"type": ["object", "array"]})
    for depth in about_the_end_of_the_stack():
        try:
            read_answer(SAID[kind](depth), validate)
        except MalformedError:
            continue
        assert depth <= 100


def test_a_response_of_an_endpoint_of_any_depth_is_a_fault() -> None:
    from groundrules.kb.sources.bindings import read_rows
    from groundrules.kb.sources.exchange import FaultError
    from groundrules.llm.transport import RequestError, read_reply

    for depth in about_the_end_of_the_stack():
        deep = LISTS(depth)
        for body in (deep, f'{{"choices": [{deep}]}}', f'{{"choices": [{{"message": {deep}}}]}}'):
            with pytest.raises(RequestError):
                read_reply(body.encode(), 1)
        for body in (deep, f'{{"results": {{"bindings": {deep}}}}}',
                     f'{{"results": {{"bindings": [{{"a": {deep}}}]}}}}'):  # fmt: skip
            with pytest.raises(FaultError):
                read_rows(body.encode())


def test_what_is_kept_of_any_depth_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundrules import cache
    from groundrules.claims.facts.corpus import Volume

    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path))
    for depth in about_the_end_of_the_stack():
        body = LISTS(depth).encode()
        cache.save(tmp_path / "kept" / "name", body)
        assert cache.read(Volume, "name") is None
