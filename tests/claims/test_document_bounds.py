"""A document has bounds on its parts, not on its bytes alone; below them reading is linear."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from groundrules.claims.documents import document
from groundrules.claims.documents.document import from_bytes
from groundrules.claims.documents.formats import docx as docx_files
from groundrules.claims.documents.formats import pdf as pdf_files
from groundrules.errors import SourceError
from tests.work import assert_linear

_HEAD = (
    '<?xml version="1.0"?><w:document '
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
)


def docx(body: str) -> bytes:
    """Return a docx of a body, whose parts are stored and so pass every bound on packing."""
    import docx as library

    made, out = io.BytesIO(), io.BytesIO()
    library.Document().save(made)
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "word/document.xml":
                data = f"{_HEAD}{body}</w:body></w:document>".encode()
            target.writestr(name, data)
    return out.getvalue()


def pdf(pages: int, stream: bytes, forms: int = 0) -> bytes:
    """Return a PDF whose pages all show one stream; each of its forms shows the next ten times."""
    used = b"/Resources<</Font<</F 3 0 R>>/XObject<</X %d 0 R>>>>"
    form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]" + used
    bodies = [(b"<<", stream)]
    bodies += [(form % (6 + n), b"/X Do " * 10) for n in range(forms)]
    bodies += [(form % 4, b"BT /F 9 Tf (x) Tj ET ")]
    parts = [b"%b/Length %d>>stream\n%b\nendstream" % (a, len(b), b) for a, b in bodies]
    first = 3 + len(parts) + 1
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R" + used % 5 + b">>"
    kids = b" ".join(b"%d 0 R" % n for n in range(first, first + pages))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%b]>>" % (pages, kids),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *parts,
        *[page] * pages,
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%bendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    return out + head + table + tail


_LINE = b"BT /F 9 Tf (The rent is due.) Tj ET\n"


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("a.docx", lambda: docx("<w:p/>" * 2_000_000),
         "has 2,000,000 paragraphs and cells; at most 200,000; split it"),
        ("a.docx", lambda: docx("<w:tbl><w:tr>" + "<w:tc/>" * 200_001 + "</w:tr></w:tbl>"),
         "has 200,001 paragraphs and cells; at most 200,000; split it"),
        ("a.docx", lambda: docx("<w:p>" + "<w:r><w:t>a</w:t></w:r>" * 600_000 + "</w:p>"),
         "elements; at most 1,000,000; split it"),
        ("a.html", lambda: b"<html><body>" + b"<b></b>" * 1_000_000 + b"a</body></html>",
         "has 1,000,002 elements; at most 1,000,000; split it"),
        ("a.pdf", lambda: pdf(5_001, _LINE), "has 5,001 pages; at most 5,000; split it"),
        ("a.pdf", lambda: pdf(1, _LINE * 20_001),
         "has 20,001 pieces of text on page 1; at most 20,000; split it"),
    ],
    ids=["paragraphs", "cells", "runs", "tags", "pages", "lines"],
)  # fmt: skip
def test_what_has_too_many_parts_is_refused_in_one_line_before_it_is_read(
    name: str, make: Callable[[], bytes], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = make()
    assert len(data) < document.MAX_BYTES
    monkeypatch.setattr("docx.Document", None)
    monkeypatch.setattr("lxml.html.document_fromstring", None)
    monkeypatch.setattr(pdf_files, "_is_unread", None)  # the first page is not read to its end

    with pytest.raises(SourceError) as caught:
        from_bytes(data, name)

    assert str(caught.value).startswith(f"{name}: has ")
    assert str(caught.value).endswith(message)


def test_the_pieces_of_all_pages_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_files, "MAX_PIECES", 50)

    with pytest.raises(SourceError, match="has 51 pieces of text; at most 50; split it"):
        from_bytes(pdf(20, _LINE * 3), "a.pdf")


@pytest.mark.parametrize(
    "stream",
    [b"q Q " * 51_000, b"1 1 Td " * 101_000, b"0 0 m 1 1 l S " * 34_000, b"% a remark\n" * 200_000],
    ids=["states", "moves", "lines", "remarks"],
)
def test_a_page_of_more_operators_than_are_read_is_unread_and_named(
    stream: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pdf(1, _LINE), pdf(1, _LINE + stream)
    assert from_bytes(first, "a.pdf").unread == ()
    monkeypatch.setattr(pdf_files, "_part", None)  # it is not parsed

    with pytest.raises(SourceError, match="page 1 of 1 has more operators than are read"):
        from_bytes(second, "a.pdf")


def test_the_other_pages_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_files, "MAX_OPERATORS", 9)
    found = from_bytes(pdf(4, _LINE), "a.pdf")  # of five operators each, with the end of a page

    assert found.text.count("The rent is due.") == 2
    assert found.unread == ("pages 3 to 4 of 4 have more operators than are read",)


def test_operators_of_forms_that_draw_each_other_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pdf_files, "MAX_OPERATORS_OF_PAGE", 50)

    with pytest.raises(SourceError, match="page 1 of 1 has more operators than are read"):
        from_bytes(pdf(1, b"/X Do ", forms=2), "a.pdf")


def test_what_forms_show_is_counted_where_they_show_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert from_bytes(pdf(1, b"/X Do ", forms=2), "a.pdf").text.count("x") == 100
    monkeypatch.setattr(pdf_files, "MAX_PIECES_OF_PAGE", 50)

    with pytest.raises(SourceError, match="has 51 pieces of text on page 1; at most 50; split it"):
        from_bytes(pdf(1, b"/X Do ", forms=2), "a.pdf")


def test_what_is_within_the_bounds_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docx_files, "MAX_PARAGRAPHS", 1_000)
    monkeypatch.setattr(pdf_files, "MAX_PAGES", 10)
    monkeypatch.setattr(pdf_files, "MAX_PIECES_OF_PAGE", 5)

    said = "".join(f"<w:p><w:r><w:t>Line {n}.</w:t></w:r></w:p>" for n in range(900))
    assert len(from_bytes(docx(said), "a.docx").text.splitlines()) == 900
    assert from_bytes(pdf(10, _LINE * 5), "a.pdf").text.count("The rent is due.") == 50


def test_the_cost_is_linear_in_the_runs_of_a_paragraph() -> None:
    files = {
        runs: docx("<w:p>" + f"<w:r><w:t>{'a word ' * 10}</w:t></w:r>" * runs + "</w:p>")
        for runs in (125, 1_000, 4_000)
    }

    def run(runs: int) -> None:
        assert len(from_bytes(files[runs], "a.docx").text) == runs * 70 + 1

    assert_linear(run, 1_000)
