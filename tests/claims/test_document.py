from __future__ import annotations

import io
import logging
import os
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import docx
import docx.enum.style
import docx.oxml
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.documents import document as module
from groundrules.claims.documents.document import (
    Document,
    from_bytes,
    from_text,
    plain,
    position,
    read,
)
from groundrules.claims.documents.formats import docx as docx_files
from groundrules.claims.documents.shown import shown
from groundrules.claims.units.blocks import cut
from groundrules.errors import SourceError
from tests.claims.rows import rows
from tests.strategies import texts


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def fault(path: Path | str) -> str:
    """Return the one line that reading a file fails with, without the folder."""
    with pytest.raises(SourceError) as caught:
        read(path)
    line = str(caught.value)
    assert "\n" not in line
    assert caught.value.exit_code == 2
    return line.removeprefix(f"{Path(path).parent}{os.sep}")


# --- text -------------------------------------------------------------------------------------


@given(text=texts().filter(lambda t: t.strip() and "\0" not in t and t[0] != "\ufeff"))
@pytest.mark.parametrize("suffix", [".txt", ".md"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_text_file_is_read_code_point_for_code_point(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, encoding: str, text: str
) -> None:
    path = put(tmp_path_factory.getbasetemp(), f"a{suffix}", text.encode(encoding))
    assert read(path) == Document(str(path), text, suffix[1:])


def test_standard_input_is_read_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for data, name, form in (
        (b"One.", None, "txt"),
        (b"# One", "a.md", "md"),
        (b"<html>One", None, "html"),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        document = read("-", stdin_name=name)
        assert (document.name, document.format) == (name or "<stdin>", form)
        assert "One" in document.text


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("a.txt", b"", "a.txt: holds no text; expected at least a word"),
        ("a.txt", b" \r\n\t", "a.txt: holds no text; expected at least a word"),
        (
            "a.txt",
            b"a\0b",
            "a.txt: is a binary file (NUL byte at offset 1); expected text, html, pdf or docx",
        ),
        (
            "a.txt",
            b"%PDF-1.4\0",
            "a.txt: is a PDF under another name (NUL byte at offset 8); "
            "expected text, html, pdf or docx",
        ),
        (
            "a.txt",
            b"One.\r\n\xc3\xa9 \xff",
            "a.txt:2:3: byte 0xFF at offset 9 is not UTF-8; "
            "expected UTF-8, or UTF-16 with a byte order mark",
        ),
        (
            "a.txt",
            "Le café".encode("latin-1"),
            "a.txt:1:7: byte 0xE9 at offset 6 is not UTF-8; it looks like Windows-1252 or Latin-1: "
            "`iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW`; "
            "expected UTF-8, or UTF-16 with a byte order mark",
        ),
        (
            "a.txt",
            "ab".encode("utf-16") + b"\x00\xd8",
            "a.txt:1:3: byte 0x00 at offset 6 is not UTF-16; "
            "expected UTF-8, or UTF-16 with a byte order mark",
        ),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(
    tmp_path: Path, name: str, data: bytes, line: str
) -> None:
    assert fault(put(tmp_path, name, data)) == line


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    put(tmp_path, "lease.txt", b"x")
    assert fault(tmp_path / "leese.txt") == "leese.txt: no such file; did you mean 'lease.txt'?"
    assert "there is no folder" in fault(tmp_path / "none" / "a.txt")


def test_a_folder_and_an_impossible_name_are_refused(tmp_path: Path) -> None:
    assert fault(tmp_path).endswith(": is a folder; expected a file")
    assert "cannot be read" in fault("a\0b")
    assert "cannot be read" in fault("x" * 5000)


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 2**20)
    assert read(put(tmp_path, "a.txt", b"x" * 2**20)).text == "x" * 2**20
    assert "is larger than 1 MiB" in fault(put(tmp_path, "a.txt", b"x" * (2**20 + 1)))


@pytest.mark.slow
def test_a_line_of_a_megabyte_is_read(tmp_path: Path) -> None:
    line = "word *x* [a](b " * 70_000
    document = read(put(tmp_path, "a.md", line.encode()))
    assert document.text == line
    assert len(plain(document)) == len(line)


def test_a_lone_surrogate_is_refused_with_its_place() -> None:
    with pytest.raises(SourceError, match=r"^answer:2:1: lone surrogate U\+D800; expected Unicode"):
        from_text("a\n\ud800", "answer")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="no format 'rtf'"):
        from_text("a", format="rtf")


# --- places -----------------------------------------------------------------------------------


@given(texts())
def test_a_position_counts_lines_as_universal_newlines_do(text: str) -> None:
    lines = io.StringIO(text, newline="").readlines()
    offset = 0
    for number, line in enumerate(lines, 1):
        for column in range(1, len(line) + 1):
            assert position(text, offset) == (number, column)
            offset += 1
    ended = not lines or lines[-1].endswith(("\n", "\r"))
    last = (len(lines) + 1, 1) if ended else (len(lines), len(lines[-1]) + 1)
    assert position(text, len(text)) == last


@pytest.mark.parametrize("offset", [-1, 3])
def test_a_position_outside_the_text_is_an_error(offset: int) -> None:
    with pytest.raises(ValueError, match=r"outside 0\.\.2"):
        position("ab", offset)


# --- markdown ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "words"), rows("document.markup"))
def test_markup_is_blanked_and_words_stay(text: str, words: str) -> None:
    shown = plain(Document("a.md", text, "md"))
    assert shown.split() == words.split()


MARKUP = [
    "*", "_", "**", "[", "](", ")", "`", "```\n", "|", "# ", "> ", "<!--", "-->", "<b>", "\\",
    "---\n", "!",
]  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(MARKUP), texts()), max_size=20).map("".join))
def test_blanking_markup_keeps_every_offset(text: str) -> None:
    shown = plain(Document("a.md", text, "md"))
    assert len(shown) == len(text)
    assert all(a in (b, " ") for a, b in zip(shown, text, strict=True))
    assert [c for c in shown if c in "\r\n"] == [c for c in text if c in "\r\n"]


@pytest.mark.parametrize("heading", ["# Sheds and fires", "### Sheds and fires ###"])
def test_a_heading_is_read_apart_from_what_stands_below_it(heading: str) -> None:
    read = plain(Document("a.md", f"{heading}\nA shed may be put up.", "md"))
    said = ["Sheds and fires", "A shed may be put up."]
    assert [read[start:end] for start, end in cut(read)] == said


@given(texts())
def test_a_text_that_is_not_markdown_is_plain_already(text: str) -> None:
    assert plain(Document("a.txt", text)) is text


@pytest.mark.slow
@pytest.mark.parametrize("unit", [*MARKUP, "[", "![", "<a ", "| - ", "[a](", "[a]: "])
def test_markdown_of_two_hundred_thousand_characters_of_one_mark_is_read(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert len(plain(Document("a.md", text, "md"))) == len(text)


def test_a_text_named_as_a_page_is_read_as_one() -> None:
    page = "<style>p { margin: 0 }</style><p>The rent is due.</p><p hidden>No.</p>"
    assert Document("a.html", page).text == "The rent is due.\n"
    assert Document("a.html", "1 < 2 & 3").text == Document("a.html", "1 < 2 & 3", "html").text


# --- html -------------------------------------------------------------------------------------


def html(folder: Path, page: str | bytes) -> str:
    data = page if isinstance(page, bytes) else page.encode()
    return read(put(folder, "a.html", data)).text


def test_html_gives_its_visible_text_block_by_block(tmp_path: Path) -> None:
    page = """<!DOCTYPE html><html><head><title>no</title><style>no</style></head><body>
    <h1>Lease &amp; notice</h1><p>One <b>bold</b>
    word<br>next &euro;5<script>no()</script></p><p hidden>no</p>
    <div style="display: none"><p>no</p></div>after<!-- no --> all<ul><li>a<li>b</ul>
    <table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>
    <pre>a  b\n c</pre></body></html>"""
    assert html(tmp_path, page) == (
        "Lease & notice\n\nOne bold word\nnext €5\n\nafter all\n\na\nb\n\nx\ty\n1\t2\n\na  b\n c\n"
    )


def test_html_shows_what_is_struck_raised_or_hidden_from_screen_readers(tmp_path: Path) -> None:
    page = "<p>was <s>not</s> <del>5</del> <ins>6</ins> m<sup>2</sup>, 1<sup>st</sup></p>"
    assert html(tmp_path, page) == "was ~~not~~ ~~5~~ 6 m², 1st\n"
    assert html(tmp_path, "<p>is <span aria-hidden='true'>not</span> due</p>") == "is not due\n"


@pytest.mark.parametrize(("page", "text"), rows("document.figures"))
@pytest.mark.parametrize("form", ["html", "md", "docx"])
def test_figures_off_the_line_are_no_part_of_those_on_it(form: str, page: str, text: str) -> None:
    data = page.encode()
    if form == "docx":
        data = docx_of(page.replace("&frasl;", "⁄"))
    elif form == "html":
        data = b"<p>" + data + b"</p>"
    document = shown(from_bytes(data, f"a.{form}")).document
    assert document.text.removeprefix("HEAD\n").removesuffix("FOOT\n").strip() == text


def docx_of(page: str) -> bytes:
    """Write a docx of one paragraph, in whose runs <sup> and <sub> are levels."""
    runs, levels = "", {"sup": "superscript", "sub": "subscript"}
    for part in re.split(r"(<su[pb]>.*?</su[pb]>)", page):
        level = levels.get(part[1:4], "baseline") if part.startswith("<su") else "baseline"
        said = re.sub("<[^>]*>", "", part)
        runs += f'<w:r><w:rPr><w:vertAlign w:val="{level}"/></w:rPr><w:t xml:space="preserve">'
        runs += f"{said}</w:t></w:r>"
    return body(f"<w:p>{runs}</w:p>")


def test_what_html_draws_is_named_as_unread(tmp_path: Path) -> None:
    page = b"<p>x</p><math><mn>5</mn></math><svg><text>a</text></svg><svg><path/></svg>"
    assert read(put(tmp_path, "a.html", page)).unread == (
        "1 formula in MathML",
        "1 drawing with words in SVG",
    )


def test_html_is_decoded_as_it_declares(tmp_path: Path) -> None:
    assert html(tmp_path, "<p>café 😀</p>") == "café 😀\n"
    assert html(tmp_path, b"<meta charset='latin1'><p>caf\xe9 \x80</p>") == "café €\n"
    assert html(tmp_path, "<p>é</p>".encode("utf-16")) == "é\n"
    declared = b"<?xml version='1.0' encoding='utf-8'?><html><p>x</p></html>"
    assert html(tmp_path, declared) == "x\n"
    assert "unknown charset 'bogus'" in fault(put(tmp_path, "a.html", b"<meta charset=bogus>"))
    assert "a.html:1:4: byte 0xE9" in fault(put(tmp_path, "a.html", b"<p>\xe9"))


def test_html_without_visible_text_is_refused(tmp_path: Path) -> None:
    assert "holds no text" in fault(put(tmp_path, "a.html", b"<html><script>x</script></html>"))


def test_html_nested_beyond_reason_is_refused(tmp_path: Path) -> None:
    page = b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000
    assert "elements nest deeper than 256" in fault(put(tmp_path, "a.html", page))
    crowded = b"<p " + b" ".join(b"a%d='<'" % n for n in range(1_001)) + b">x</p>"
    assert "over 1,000 attributes" in fault(put(tmp_path, "a.html", crowded))


def test_html_declares_no_entities_of_its_own(tmp_path: Path) -> None:
    page = '<!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/passwd">]><p>x &a; y</p>'
    assert "root" not in html(tmp_path, page)


# --- pdf --------------------------------------------------------------------------------------


def pdf(*pages: str, trailer: str = "") -> bytes:
    """Write a PDF by hand: one Helvetica line a page."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for number, line in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({line}) Tj ET" if line else ""
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {5 + 2 * number} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>"
        )
        objects.append(f"<</Length {len(stream)}>>stream\n{stream}\nendstream")
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj{body}endobj\n".encode("latin1")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += f"trailer<</Size {len(objects) + 1}/Root 1 0 R{trailer}>>\n".encode()
    return out + f"startxref\n{start}\n%%EOF\n".encode()


@pytest.mark.parametrize(("note", "unread"), rows("document.notes"))
def test_notes_and_fields_that_a_pdf_shows_are_named_as_unread(note: str, unread: int) -> None:
    note = f"/Annots[<</Type/Annot/Subtype{note}/Rect[9 9 99 99]>>]"
    data = pdf("One.").replace(b"/MediaBox", note.encode() + b"/MediaBox", 1)
    told = from_bytes(data, "a.pdf").unread
    assert told == ("1 note or fields of a form with words",) * unread


def test_pdf_gives_its_text_layer_page_by_page(tmp_path: Path) -> None:
    document = read(put(tmp_path, "a.pdf", pdf("The rent is $1,850.", "It is due monthly.")))
    assert document.text == "The rent is $1,850.\n\nIt is due monthly."
    assert document.format == "pdf"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (pdf("", ""), "has no text layer (2 pages); needs OCR before it can be checked"),
        (b"not a pdf", "is not a PDF: it does not begin with %PDF-"),
        (b"%PDF-1.4\nnothing here", "is a broken PDF: "),
        (pdf("x")[:200], "is a broken PDF: "),
        (
            pdf(
                "x",
                trailer="/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -44"
                f"/O<{'11' * 32}>/U<{'22' * 32}>>>",
            ),
            "is encrypted; expected a PDF that opens without a password",
        ),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    data: bytes,
    problem: str,
) -> None:
    assert problem in fault(put(tmp_path, "a.pdf", data))
    assert capfd.readouterr() == ("", "")
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize(
    ("small", "text"),
    rows("document.small"),
)
def test_small_figures_off_the_line_of_a_pdf_are_no_part_of_those_on_it(
    small: str, text: str
) -> None:
    stream = f"BT /F1 12 Tf 72 720 Td (The rent is 120) Tj {small} /F1 12 Tf ( euros.) Tj ET"
    line = "(LINE) Tj"
    data = pdf("LINE")
    old = f"BT /F1 12 Tf 72 720 Td {line} ET"
    data = data.replace(f"/Length {len(old)}".encode(), f"/Length {len(stream)}".encode())
    document = from_bytes(data.replace(old.encode(), stream.encode()), "a.pdf")
    assert re.sub(r" (?=[³₃ ])", "", document.text) == f"The rent is {text}"


def picture_pdf(*pages: str, side: int = 1000) -> bytes:
    """Write a PDF of which the pages marked "scan" draw a picture, besides the rest of the mark."""
    data = pdf(*(page.removeprefix("scan") or "%" for page in pages))
    data = data.replace(b"(%) Tj", b"( ) Tj")
    picture = (
        f"<</XObject<</P<</Type/XObject/Subtype/Image/Width {side}/Height {side}>>>>"
        "/Font<</F1 3 0 R>>>>"
    )
    for number, page in enumerate(pages):
        if page.startswith("scan"):
            head = f"/Contents {5 + 2 * number} 0 R/Resources".encode()
            data = data.replace(head + b"<</Font<</F1 3 0 R>>>>", head + picture.encode())
    return data  # the places of the objects are wrong now, and pypdf finds them all the same


@pytest.mark.parametrize(("pages", "unread"), rows("document.pages"))
def test_pages_that_show_more_than_their_text_are_named(
    tmp_path: Path, pages: tuple[str, ...], unread: tuple[str, ...]
) -> None:
    document = read(put(tmp_path, "a.pdf", picture_pdf(*pages)))
    assert document.unread == unread


def test_a_logo_on_a_short_page_is_no_scan(tmp_path: Path) -> None:
    data = picture_pdf("The rent is due.", "scanEXHIBIT B", side=300)
    assert read(put(tmp_path, "a.pdf", data)).unread == ()


def test_a_document_is_the_same_with_what_of_it_was_not_read() -> None:
    whole = Document("a.pdf", "x", "pdf")
    part = replace(whole, unread=("page 2 of 2 has no text",))
    assert whole == Document("a.pdf", "x", "pdf", ())
    assert whole != part
    assert len({whole, part, replace(part)}) == 2
    assert replace(part, text="y").unread == part.unread


@pytest.mark.parametrize("name", ["a.rtf", "a.txt", "a", "a.docx"])
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\r\n"])
def test_rtf_is_refused_by_its_content(tmp_path: Path, name: str, before: bytes) -> None:
    assert fault(put(tmp_path, name, before + rb"{\rtf1\ansi The rent is due.}")) == (
        f"{name}: RTF is not read; expected txt, md, html, pdf or docx; save it as docx"
    )
    assert read(put(tmp_path, "b.txt", rb"A file that begins with {\rtf is RTF.")).text


# --- docx -------------------------------------------------------------------------------------


def packed(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def lease() -> bytes:
    made = docx.Document()
    made.add_heading("Lease", 1)
    made.add_paragraph("Rent is due.", style="List Number")
    made.add_paragraph("Notice is 60 days.", style="List Number")
    made.add_paragraph("a bullet", style="List Bullet")
    table = made.add_table(2, 2)
    for cell, text in zip((c for row in table.rows for c in row.cells), "abcd", strict=True):
        cell.text = text
    table.cell(1, 1).add_table(1, 2).cell(0, 0).text = "inner"
    after = made.add_paragraph("After ")
    after.add_run("bold 😀\tend").bold = True
    after.add_run("hidden").font.hidden = True
    made.sections[0].header.paragraphs[0].text = "HEAD"
    made.sections[0].footer.paragraphs[0].text = "FOOT"
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def replaced(member: str, data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(lease())) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return packed(**(files | {member: data}))


def body(content: str, doctype: str = "") -> bytes:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    xml = f'<w:document xmlns:w="{space}"><w:body>{content}</w:body></w:document>'
    return replaced("word/document.xml", (doctype + xml).encode())


def test_docx_gives_headers_lists_tables_and_footers(tmp_path: Path) -> None:
    document = read(put(tmp_path, "a.docx", lease()))
    assert document.text == (
        "HEAD\nLease\n1. Rent is due.\n2. Notice is 60 days.\na bullet\na\tb\nc\td inner\t \n"
        "After bold 😀\tend\nFOOT\n"
    )


def test_docx_leaves_out_what_was_deleted(tmp_path: Path) -> None:
    data = body(
        "<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
    )
    assert "kept new\n" in read(put(tmp_path, "a.docx", data)).text


def styled(name: str) -> bytes:
    """Write a docx whose words "secret" have a style with a property, by way of its parent."""
    made = docx.Document()
    parent = made.styles.add_style("Parent", docx.enum.style.WD_STYLE_TYPE.CHARACTER)
    parent.element.get_or_add_rPr().append(docx.oxml.OxmlElement(f"w:{name}"))
    made.styles.add_style("Own", docx.enum.style.WD_STYLE_TYPE.CHARACTER).base_style = parent
    paragraph = made.add_paragraph("The term is ")
    paragraph.add_run("secret ", style="Own")
    paragraph.add_run("known.")
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def test_docx_text_that_a_style_hides_is_not_read() -> None:
    assert from_bytes(styled("vanish"), "a.docx").text == "The term is known.\n"


@pytest.mark.parametrize("how", ["strike", "dstrike"])
def test_docx_text_that_is_struck_out_is_shown_and_not_said(how: str) -> None:
    mark = f"<w:rPr><w:{how}/></w:rPr>"
    own = from_bytes(body(
        "<w:p><w:r><w:t xml:space='preserve'>The term is </w:t></w:r>"
        f"<w:r>{mark}<w:t>sec</w:t></w:r><w:r>{mark}<w:t xml:space='preserve'>ret </w:t></w:r>"
        "<w:r><w:t>known.</w:t></w:r></w:p>"
    ), "a.docx")  # fmt: skip
    for found in (shown(own), shown(from_bytes(styled(how), "a.docx"))):
        assert "The term is  known." in found.document.text
        assert found.not_read == ("a.docx: “secret” is struck out or hidden",)


_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_FORMULA = f"<m:oMath xmlns:m='{_MATH}'><m:r><m:t>a=b</m:t></m:r></m:oMath>"
_ROW = "<w:tbl><w:tr>{}<w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
_SET = "<w:r><w:rPr>{}</w:rPr><w:t>{}</w:t></w:r>"
_FIELD = "<w:r><w:fldChar><w:ffData>{}</w:ffData></w:fldChar></w:r>"


@pytest.mark.parametrize(
    ("shown", "text", "unread"),
    [
        (f"{_FORMULA}<w:del>{_FORMULA}</w:del>", "", ("1 formula of Word",)),
        ("<w:r><w:instrText>EQ \\f(1,2)</w:instrText></w:r>", "", ("1 formula of Word",)),
        (f"<w:r><w:drawing><c:chart xmlns:c='{_CHART}'/></w:drawing></w:r>", "", ("1 chart",)),
        ("<w:altChunk/>", "", ("1 part in another format",)),
        ("<w:r><w:sym w:font='Wingdings' w:char='F0A8'/></w:r>", "", ()),
        ("<w:r><w:sym w:font='Symbol' w:char='F0A3'/></w:r>", "", ("1 sign of a font of signs",)),
        (
            _FIELD.format("<w:ddList><w:listEntry w:val='$9'/></w:ddList>"),
            "",
            ("1 list of a form",),
        ),
        (_SET.format("<w:position w:val='9'/>", "3"), "³", ()),
        (_SET.format("<w:color w:val='FFFFFE'/>", "not"), "not", ("1 white run of words",)),
        (_SET.format("<w:sz w:val='2'/>", "5"), "5", ("1 run of words too small to read",)),
        (_SET.format("<w:sz w:val='16'/><w:smallCaps/><w:caps/>", "a"), "a", ()),
        (_SET.format("<w:rtl/>", "15"), "15", ("1 run of words from right to left",)),
        (_ROW.format("<w:trPr><w:hidden/></w:trPr>"), "", ()),
    ],
)
def test_docx_that_shows_more_than_text_is_read_so_or_named(
    shown: str, text: str, unread: tuple[str, ...]
) -> None:
    document = from_bytes(body(f"<w:p><w:r><w:t>Here</w:t></w:r>{shown}</w:p>"), "a.docx")
    assert document.text.removeprefix("HEAD\nHere").removesuffix("FOOT\n").strip() == text
    assert document.unread == unread


def test_docx_is_told_by_its_content_without_a_suffix(tmp_path: Path) -> None:
    assert read(put(tmp_path, "lease", lease())).format == "docx"


LOL = "<!DOCTYPE x [<!ENTITY a0 'lol'>" + "".join(
    f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10)
)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"plain text", "is not a docx: File is not a zip file"),
        (lease()[:2000], "is not a docx: "),
        (packed(a=b"x"), "is a zip archive but no docx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "is an old Word file or an encrypted"),
        (replaced("word/document.xml", b"<w:oops"), "is a broken docx: "),
        (replaced("[Content_Types].xml", b"<Types/>"), "is a broken docx: "),
        (body("<w:p>" * 3000 + "</w:p>" * 3000), "is a broken docx: "),
        (body("<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>", LOL + "]>"), "is a broken docx: "),
        (packed(**{"word/document.xml": b"0" * 3_000_000}), "more than 500 to 1 (a zip bomb?)"),
    ],
    ids=["text", "cut", "zip", "doc", "xml", "types", "deep", "entities", "bomb"],
)
def test_a_docx_that_cannot_be_read_says_why(tmp_path: Path, data: bytes, problem: str) -> None:
    assert problem in fault(put(tmp_path, "a.docx", data))


def test_a_docx_that_unpacks_to_too_much_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docx_files, "MAX_UNPACKED", 2**20)
    monkeypatch.setattr(docx_files, "MAX_MEMBERS", 5)
    data = packed(**{"word/document.xml": os.urandom(2**21)})
    assert "would unpack to 2 MiB; at most 1 MiB" in fault(put(tmp_path, "a.docx", data))
    data = packed(**{f"{n}": b"x" for n in range(6)})
    assert "is a docx of 6 files; at most 5" in fault(put(tmp_path, "a.docx", data))


def test_a_docx_that_lies_about_its_sizes_is_refused(tmp_path: Path) -> None:
    honest = packed(**{"[Content_Types].xml": b"x", "word/document.xml": b"y" * 5000})
    size = (5000).to_bytes(4, "little")
    assert "is a broken docx" in fault(
        put(tmp_path, "a.docx", honest.replace(size, (50).to_bytes(4, "little")))
    )


@given(st.binary(max_size=200), st.sampled_from(["", ".txt", ".md", ".html", ".pdf", ".docx"]))
def test_any_bytes_give_a_document_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, suffix: str
) -> None:
    found = attempt(put(tmp_path_factory.getbasetemp(), f"fuzz{suffix}", data))
    if isinstance(found, Document):
        assert found.text.encode().strip()
    else:
        assert len(found.splitlines()) == 1


@given(st.integers(0, 3000), st.binary(min_size=1, max_size=8), st.sampled_from([".pdf", ".docx"]))
def test_a_damaged_file_gives_a_document_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, place: int, noise: bytes, suffix: str
) -> None:
    whole = WHOLE[suffix]
    data = whole[: place % len(whole)] + noise + whole[place % len(whole) + len(noise) :]
    found = attempt(put(tmp_path_factory.getbasetemp(), f"damaged{suffix}", data))
    if isinstance(found, Document):
        assert found.text.encode().strip()
    else:
        assert len(found.splitlines()) == 1


def attempt(path: Path) -> Document | str:
    """Return what a file holds, or the line that says why it cannot be read."""
    try:
        return read(path)
    except SourceError as error:
        return str(error)


WHOLE = {".pdf": pdf("The rent is $1,850.", "It is due."), ".docx": lease()}


@pytest.mark.parametrize(
    ("name", "form"), [("a.md", "md"), ("NOTES.MARKDOWN", "md"), ("a.txt", "txt"), ("text", "txt")]
)
def test_the_ending_of_a_name_tells_markdown_where_no_format_is_given(name: str, form: str) -> None:
    assert Document(name, "# Rent").format == form
    assert Document(name, "# Rent", "txt").format == "txt"
