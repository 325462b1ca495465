"""Documents: a name, a format and the text that every span counts in."""

from __future__ import annotations

import codecs
import hashlib
import io
import itertools
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from groundrules.claims.markup import STRUCK, blank_marks, markdown, raised
from groundrules.errors import SourceError, did_you_mean
from groundrules.files import read_bounded

#: The largest file that is read, in bytes.
MAX_BYTES = 64 * 2**20
#: The most a docx may unpack to, in bytes; the most files in it; the most one may grow.
MAX_UNPACKED = 200 * 2**20
MAX_MEMBERS = 10_000
MAX_RATIO = 500
#: The most elements of a docx or of html; the most paragraphs and cells of a docx; the most pages
#: of a PDF; the most pieces of text, and pictures, that it shows, on one page and in all.
MAX_ELEMENTS = 1_000_000
MAX_PARAGRAPHS = 200_000
MAX_PAGES = 5_000
MAX_PIECES_OF_PAGE = 20_000
MAX_PIECES = 500_000

#: The longest word that is read, in code points: a longer one is data, not language. Of a longer
#: one so many stay, to be shown.
LONGEST_WORD = 1_000
_STUB = 60

FORMATS = ("txt", "md", "html", "pdf", "docx")
_SUFFIXES = {
    ".txt": "txt", ".text": "txt", ".md": "md", ".markdown": "md", ".html": "html", ".htm": "html",
    ".xhtml": "html", ".pdf": "pdf", ".docx": "docx",
}  # fmt: skip
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its name; spans are code points of `text`.

    For txt and md the text is the file itself, so a span is a place in the file; for html, pdf
    and docx it is the text extracted from the file. `unread` says what of the file has no text
    that could be read, "page 3 of 7 has no text". `sha256` is that of the file, empty for a text
    that was read from none. `shown` says that the text is what a reader is shown, see
    `claims.shown`, and not the file.
    """

    name: str
    text: str
    format: str = "txt"
    unread: tuple[str, ...] = ()
    sha256: str = field(default="", compare=False)
    shown: bool = False


def read(path: str | Path, *, stdin_name: str | None = None) -> Document:
    """Return the document in a file, or on standard input if the path is "-".

    The format is told by the suffix, else by the content: txt and md (UTF-8, or UTF-16 and UTF-32
    with a byte order mark), html, pdf, docx. Newlines stay as they are; the byte order mark goes.

    Raises SourceError if there is no such file, it is empty, larger than `MAX_BYTES`, not of its
    format, RTF, encrypted, a decompression bomb or has no text; line and column are of the first
    undecodable byte.
    """
    if str(path) == "-":
        name = stdin_name or "<stdin>"
        data = _bounded(sys.stdin.buffer.read(MAX_BYTES + 1), name)
    else:
        name = str(path)
        data = _load(Path(path))
    return from_bytes(data, name)


def from_bytes(data: bytes, name: str) -> Document:
    """Return the document that the bytes of a file are; see `read` for formats and errors."""
    if not data:
        raise SourceError("is empty; expected a text", path=name)
    if data[:1024].removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{\\rtf"):
        expected = "txt, md, html, pdf or docx"
        raise SourceError(f"RTF is not read; expected {expected}; save it as docx", path=name)
    form = _SUFFIXES.get(Path(name).suffix.lower()) or _sniff(data)
    unread: tuple[str, ...] = ()
    if form == "pdf":
        text, unread = _pdf(data, name)
    elif form == "docx":
        text, unread = _docx(data, name)
    else:
        text = _decode(data, name, form)
        if form == "html":
            text, unread = _html(text, name)
    if not text.strip():
        raise SourceError("holds no text; expected at least a word", path=name)
    return Document(name, text, form, unread, hashlib.sha256(data).hexdigest())


def from_text(text: str, name: str = "text", format: str = "txt") -> Document:  # noqa: A002
    """Return a text as a document; for html, pdf and docx it is the text already extracted.

    Raises SourceError for a lone surrogate, which no file can hold, ValueError for a format that
    is not one of `FORMATS`.
    """
    if format not in FORMATS:
        raise ValueError(f"no format {format!r}; expected one of {', '.join(FORMATS)}")
    surrogate = re.search("[\ud800-\udfff]", text)
    if surrogate:
        line, column = position(text, surrogate.start())
        raise SourceError(
            f"lone surrogate U+{ord(surrogate[0]):04X}; expected Unicode text",
            path=name,
            line=line,
            column=column,
        )
    return Document(name, text, format)


def parts(document: Document) -> tuple[str, ...]:
    """Return all that a document is, as parts of a key."""
    form = f"{document.format}, shown" if document.shown else document.format
    return document.name, form, document.text, repr(document.unread)


def position(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of an offset, both from 1, columns in code points.

    LF, CR LF and CR end a line and belong to it. Raises ValueError outside 0..len(text).
    """
    if not 0 <= offset <= len(text):
        raise ValueError(f"offset {offset} is outside 0..{len(text)}")
    end = offset
    if text[offset - 1 : offset + 1] == "\r\n" and offset:
        end -= 1  # between CR and LF the line goes on
    breaks = text.count("\n", 0, end) + text.count("\r", 0, end) - text.count("\r\n", 0, end)
    start = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
    return breaks + 1, offset - start + 1


# --- files and encodings ----------------------------------------------------------------------


def _load(path: Path) -> bytes:
    name = str(path)
    try:
        if path.is_dir():
            raise SourceError("is a folder; expected a file", path=name)
        return _bounded(read_bounded(path, MAX_BYTES), name)
    except FileNotFoundError:
        raise SourceError(f"no such file{_near(path)}", path=name) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"cannot be read: {reason}", path=name) from None


def _near(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"; there is no folder {str(folder)!r}"
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError:
        return ""
    return did_you_mean(path.name, names[:10_000])


def _bounded(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        limit = MAX_BYTES // 2**20
        raise SourceError(f"is larger than {limit} MiB; split it, or check parts", path=name)
    return data


def _bound(count: int, most: int, what: str, name: str) -> None:
    if count > most:
        raise SourceError(f"has {count:,} {what}; at most {most:,}; split it", path=name)


def _sniff(data: bytes) -> str:
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if data.startswith((b"PK\x03\x04", _OLE)):
        return "docx"
    return "html" if head.startswith((b"<!doctype html", b"<html")) else "txt"


def _decode(data: bytes, name: str, form: str) -> str:
    encoding = "utf-8"
    for mark, named in (
        (codecs.BOM_UTF32_LE, "utf-32"),  # begins with the mark of UTF-16
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
        (codecs.BOM_UTF8, "utf-8-sig"),
    ):
        if data.startswith(mark):
            encoding = named
            break
    else:
        if form == "html":
            encoding = _charset(data, name)
        if b"\0" in data:
            kind = _binary(data)
            offset = data.index(b"\0")
            raise SourceError(
                f"is {kind} (NUL byte at offset {offset}); expected text, html, pdf or docx",
                path=name,
            )
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "replace").removeprefix("\ufeff")
        line, column = position(before, len(before))
        raise SourceError(
            f"byte 0x{data[error.start]:02X} at offset {error.start} is not {encoding.upper()}; "
            "expected UTF-8, or UTF-16 with a byte order mark",
            path=name,
            line=line,
            column=column,
        ) from None


def _binary(data: bytes) -> str:
    for mark, kind in (
        (b"%PDF-", "a PDF under another name"),
        (b"PK\x03\x04", "a zip or docx under another name"),
        (_OLE, "an old Word file"),
    ):
        if data.startswith(mark):
            return kind
    return "a binary file"


# as browsers read them (WHATWG Encoding); utf-16 that can be declared in ASCII is not utf-16
_ALIASES = dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii"), "cp1252")
_ALIASES |= dict.fromkeys(("utf-16", "utf-16le", "utf-16be", "utf-32"), "utf-8")


def _charset(data: bytes, name: str) -> str:
    declared = re.search(
        rb"(?i)(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([\w.:-]{1,40})", data[:4096]
    )
    if declared is None:
        return "utf-8"
    charset = declared[1].decode("ascii", "replace").lower()
    charset = _ALIASES.get(charset, charset)
    try:
        if not codecs.lookup(charset)._is_text_encoding:
            raise LookupError
    except LookupError:
        raise SourceError(f"unknown charset {charset!r}; expected utf-8", path=name) from None
    return charset


# --- html -------------------------------------------------------------------------------------

_DROPPED = frozenset(
    "head script style template noscript svg math iframe object audio video canvas".split()
)
_PARAGRAPHS = frozenset(
    "p h1 h2 h3 h4 h5 h6 blockquote ul ol dl table section article pre header footer main nav "
    "aside figure form fieldset address body".split()
)
_LINES = frozenset("div li dt dd tr caption figcaption br hr option summary details legend".split())
_UNSEEN = re.compile(r"(?i)display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden")


def _html(text: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the visible text of a page, and what of it is drawn and not written."""
    from lxml import etree, html

    _bound(text.count("<") - text.count("</"), MAX_ELEMENTS, "elements", name)
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_pis=True)
    try:
        root = html.document_fromstring(text.encode(), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise SourceError(f"is not readable as html: {_first_line(error)}", path=name) from None
    for entry in parser.error_log:
        if entry.level_name == "FATAL" or "depth" in entry.message.lower():
            problem = entry.message
            if "depth" in problem.lower():
                problem = "elements nest deeper than 256"
            raise SourceError(
                f"is not readable as html: {problem}", path=name, line=entry.line or None
            )
    return _flatten(root), tuple(_drawn(root))


def _drawn(root: Any) -> Iterator[str]:
    """Yield what a page shows by other means than text: formulas, and words in drawings."""
    formulas = sum(bool(_said(one)) and not _is_beside_text(one) for one in root.iter("math"))
    if formulas:
        yield f"{formulas} formula{'s' * (formulas > 1)} in MathML"
    drawings = sum(any(_said(part) for part in one.iter("text")) for one in root.iter("svg"))
    if drawings:
        yield f"{drawings} drawing{'s' * (drawings > 1)} with words in SVG"


def _said(element: Any) -> str:
    return "".join(element.itertext()).strip()


def _is_beside_text(formula: Any) -> bool:
    """Return whether a formula is for a screen reader, and what is shown stands beside it."""
    above = [*itertools.islice(formula.iterancestors(), 3)]
    return any(
        part.get("aria-hidden") == "true" or _UNSEEN.search(part.get("style") or "")
        for one in above
        for part in (one, *one)
        if isinstance(part.tag, str)
    )


def _flatten(root: Any) -> str:
    """Return the visible text; walks with events, so that depth costs no stack.

    What is struck out stands between ~~ and ~~, figures above the line are raised digits.
    """
    from lxml import etree

    out: list[str] = []
    hidden = preformatted = above = 0
    breaks = 2  # newlines at the end of what is out

    def say(text: str | None) -> None:
        nonlocal breaks
        if not text or hidden:
            return
        if not preformatted:
            text = re.sub(r"[ \t\r\n\f]+", " ", raised(text) if above else text)
            if text[0] == " " and (breaks or out[-1][-1] in " \t"):
                text = text[1:]
        if text:
            out.append(text)
            breaks = len(text[-2:]) - len(text[-2:].rstrip("\n"))

    def pause(newlines: int) -> None:
        nonlocal breaks
        if hidden or breaks >= newlines:
            return
        if out and out[-1] in {" ", "\t"}:
            out.pop()
        elif out:
            out[-1] = out[-1].rstrip(" ")
        out.append("\n" * (newlines - breaks))
        breaks = newlines

    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start" and tag:
            if hidden or _is_hidden(element, tag):
                hidden += 1
                continue
            if tag in _PARAGRAPHS:
                pause(2)
            elif tag in _LINES:
                pause(1)
            preformatted += tag in {"pre", "textarea"}
            above += tag == "sup"
            if tag in STRUCK:
                say("~~")
            say(element.text)
        elif event == "end" and tag:
            if hidden:
                hidden -= 1
            else:
                preformatted -= tag in {"pre", "textarea"}
                above -= tag == "sup"
                if tag in STRUCK:
                    say("~~")
                if tag in _PARAGRAPHS:
                    pause(2)
                elif tag in _LINES and tag != "br":
                    pause(1)
                elif tag in {"td", "th"} and not breaks:
                    out.append("\t")
            say(element.tail)
        else:
            say(element.tail)
    return "".join(out).strip("\n\t ") + "\n"


def _is_hidden(element: Any, tag: str) -> bool:
    return (
        tag in _DROPPED
        or "hidden" in element.attrib
        or (tag == "input")
        or bool(_UNSEEN.search(element.get("style") or ""))
    )


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# --- pdf --------------------------------------------------------------------------------------

_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
    | {"\0": "\ufffd", "\u00ad": ""}
)


#: A page with fewer words and a picture of at least so many pixels is a scan with a stamp on it.
_SCANNED_WORDS, _SCANNED_PIXELS = 12, 400_000
#: What shows something in a PDF: text that is more than blanks; areas, lines, shades, pictures.
_WRITES = re.compile(rb"(?:\([^()]{0,200}[^()\s][^()]{0,200}\)|>|\])\s{0,9}(?:Tj|TJ|'|\")(?=\s|$)")
_DRAWS = re.compile(rb"(?:^|\s)(?:[fF]\*?|[bB]\*?|[sS]|sh|Do|BI)(?=\s|$)")


def _pdf(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the text layer, pages parted by a blank line, and which pages have none."""
    import logging
    import warnings

    import pypdf

    if b"%PDF-" not in data[:1024]:
        raise SourceError("is not a PDF: it does not begin with %PDF-", path=name)
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it reports every oddity to stderr
    pages: list[str] = []
    unseen: list[int] = []
    locked = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = pypdf.PdfReader(io.BytesIO(data))
            locked = bool(reader.is_encrypted) and not reader.decrypt("")
            if not locked:
                _bound(len(reader.pages), MAX_PAGES, "pages", name)
                shown = _Shown(name)
                for number, page in enumerate(reader.pages, 1):
                    shown.begin(number)
                    pages.append(page.extract_text(visitor_operand_before=shown.count))
                    shown.check()
                    if _is_unread(page, pages[-1]):
                        unseen.append(number)
    except (MemoryError, SourceError):
        raise
    except Exception as error:  # pypdf raises what it comes upon: KeyError, RecursionError, ...
        if "crypt" in f"{type(error).__name__} {error}".lower():
            locked = True
        else:
            raise SourceError(f"is a broken PDF: {_first_line(error)}", path=name) from None
    if locked:
        raise SourceError("is encrypted; expected a PDF that opens without a password", path=name)
    text = "\n\n".join(page.strip("\n") for page in pages).translate(_LIGATURES)
    if not text.strip():
        raise SourceError(
            f"has no text layer ({len(pages)} pages); needs OCR before it can be checked", path=name
        )
    return re.sub("[\ud800-\udfff]", "\ufffd", text), tuple(_of_pages(unseen, len(pages)))


class _Shown:
    """Counts the pieces of text and the pictures that a PDF shows, which may show each other."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._all = self._here = self._page = 0

    def begin(self, page: int) -> None:
        self._page, self._here = page, 0

    def count(self, operator: bytes, *_: object) -> None:
        """Count what an operator shows; SourceError where it is more than anybody reads."""
        if operator in (b"Tj", b"TJ", b"'", b'"', b"Do"):
            self.check()
            self._all += 1
            self._here += 1
            self.check()

    def check(self) -> None:
        """Raise the SourceError again, which pypdf passes over within a form."""
        page = f"pieces of text on page {self._page}"
        _bound(self._here, MAX_PIECES_OF_PAGE, page, self._name)
        _bound(self._all, MAX_PIECES, "pieces of text", self._name)


_WORD = re.compile(r"[^\W_]+")
_PAGE_NUMBER = re.compile(r"(?i)(?:page )?(?:\d{1,4}|[ivxl]{1,6})?(?: (?:of )?\d{1,4})?")


def _is_unread(page: Any, text: str) -> bool:
    """Return whether a page shows what its text does not say; a blank one shows nothing."""
    said = _WORD.findall(text)
    words = sum(len(word) > 1 and not word.isdigit() for word in said)
    if words >= _SCANNED_WORDS:
        return False
    numbered = _PAGE_NUMBER.fullmatch(" ".join(said))
    try:
        if any(pixels >= _SCANNED_PIXELS for pixels in _pictures(page.get("/Resources"))):
            return True
        if not numbered:
            return False
        content = page.get_contents()
        drawn = content.get_data() if content is not None else b""
        notes = page.get("/Annots") or ()
        return bool(
            _DRAWS.search(drawn)
            or (not said and _WRITES.search(drawn))
            or any(note.get_object().get("/Subtype") != "/Link" for note in notes)
        )
    except MemoryError:
        raise
    except Exception:  # what a page draws is broken, its text is not
        return not words


def _pictures(resources: Any, depth: int = 0) -> Iterator[int]:
    """Yield the pixels of the pictures that a page or a form on it may draw."""
    found = resources.get_object().get("/XObject") if resources is not None else None
    for reference in (found.get_object() if found is not None else {}).values():
        thing = reference.get_object()
        if thing.get("/Subtype") == "/Image":
            yield int(thing.get("/Width", 0)) * int(thing.get("/Height", 0))
        elif thing.get("/Subtype") == "/Form" and depth < 3:
            yield from _pictures(thing.get("/Resources"), depth + 1)


def _of_pages(numbers: list[int], total: int) -> Iterator[str]:
    """Yield what is said of pages without text, neighbours together."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    for first, *others in runs:
        if others:
            yield f"pages {first} to {others[-1]} of {total} have no text"
        else:
            yield f"page {first} of {total} has no text"


# --- docx -------------------------------------------------------------------------------------

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
#: Where a paragraph or a cell begins, whatever the prefix.
_PARAGRAPH = re.compile(rb"<(?:[\w.-]+:)?(?:p|tc)[\s/>]")
_SKIPPED = frozenset(
    {f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText"}
    # the fallback says again what the choice says
    | {"{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
)


#: A picture of so many square millimetres, half a page, may be a scan; the words that a text has
#: for each if it is no mere row of scans.
_LARGE_PICTURE, _WORDS_A_PICTURE = 30_000, 50


def _docx(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return headers, body with list numbers and tables, footnotes, footers, and what has none."""
    _check_zip(data, name)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml import etree

    try:
        document = docx.Document(io.BytesIO(data))
        numbers = _Numbering(document)
        body = _paragraphs(document.element.body, numbers)
        notes = _part_text(document, "footnotes") + _part_text(document, "endnotes")
        pictures = _large_pictures(document.element.body)
        lines = [
            *_part_text(document, "header"), *body, *notes, *_part_text(document, "footer")
        ]  # fmt: skip
    except (MemoryError, SourceError):
        raise
    except (OpcError, etree.LxmlError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise SourceError(f"is a broken docx: {_first_line(error)}", path=name) from None
    except Exception as error:  # a part of an odd type: AttributeError, zlib.error, RecursionError
        raise SourceError(f"is a broken docx: {_first_line(error)}", path=name) from None
    text = "\n".join(lines)
    unread: tuple[str, ...] = ()
    if pictures and len(text.split()) < _WORDS_A_PICTURE * pictures:
        unread = (f"{pictures} image{'s' * (pictures > 1)} without text",)
    return text + "\n" if text else text, unread


def _large_pictures(body: Any) -> int:
    """Return how many pictures take half a page or more."""
    drawing = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}extent"
    sides = ((extent.get("cx"), extent.get("cy")) for extent in body.iter(drawing))
    return sum(
        int(width) * int(height) >= _LARGE_PICTURE * 36_000**2  # 36,000 EMU are a millimetre
        for width, height in sides
        if width and height
    )


def _check_zip(data: bytes, name: str) -> None:
    """Refuse what is no docx or unpacks to too much; zipfile reads no more than is declared."""
    if data.startswith(_OLE):
        raise SourceError(
            "is an old Word file or an encrypted docx; expected a docx without a password",
            path=name,
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) <= MAX_UNPACKED:
                _count_parts(archive, members, name)
    except (
        zipfile.BadZipFile,
        ValueError,
        OSError,
        NotImplementedError,
        EOFError,
        OverflowError,
    ) as error:
        reason = _first_line(error)
        raise SourceError(f"is not a docx: {reason}; expected a zip archive", path=name) from None
    if len(members) > MAX_MEMBERS:
        raise SourceError(f"is a docx of {len(members)} files; at most {MAX_MEMBERS}", path=name)
    size = sum(member.file_size for member in members)
    if size > MAX_UNPACKED:
        limit = MAX_UNPACKED // 2**20
        raise SourceError(
            f"would unpack to {size // 2**20} MiB; at most {limit} MiB (a zip bomb?)", path=name
        )
    for member in members:
        if member.file_size > 2**20 and member.file_size > MAX_RATIO * max(1, member.compress_size):
            raise SourceError(
                f"packs {member.filename!r} more than {MAX_RATIO} to 1 (a zip bomb?)", path=name
            )
        if member.flag_bits & 1:
            raise SourceError("is encrypted; expected a docx without a password", path=name)
    names = {member.filename for member in members}
    if "word/document.xml" not in names and "[Content_Types].xml" not in names:
        raise SourceError("is a zip archive but no docx: it has no [Content_Types].xml", path=name)


def _count_parts(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], name: str) -> None:
    """Refuse what has too many parts, before they are read."""
    elements = paragraphs = 0
    for member in members:
        if not member.filename.endswith((".xml", ".rels")) or member.flag_bits & 1:
            continue
        try:
            data = archive.read(member)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
            continue  # what reads it says what is wrong
        elements += data.count(b"<") - data.count(b"</")
        paragraphs += sum(1 for _ in _PARAGRAPH.finditer(data))
    _bound(paragraphs, MAX_PARAGRAPHS, "paragraphs and cells", name)
    _bound(elements, MAX_ELEMENTS, "elements", name)


def _part_text(document: Any, kind: str) -> list[str]:
    """Return the lines of the parts of a kind (header, footer, footnotes), each text once."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    seen: dict[str, None] = {}
    found = (one for one in document.part.rels.values() if not one.is_external)
    named = (one.target_part for one in found if one.reltype.endswith(f"/{kind}"))
    for part in {id(one): one for one in named}.values():
        root = etree.fromstring(part.blob, parser)
        lines = [line for line in _paragraphs(root, None) if line.strip()]
        if lines:
            seen.setdefault("\n".join(lines))
    return list(seen)


def _paragraphs(root: Any, numbers: _Numbering | None) -> list[str]:
    """Return the paragraphs under an element; the cells of a table row share a line."""
    from lxml import etree

    lines: list[str] = []
    run: list[list[str]] = []
    rows: list[list[str]] = []
    begun: list[int] = []
    skipped = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag
        if event == "start":
            if skipped or tag in _SKIPPED or (tag == f"{_W}r" and _vanishes(element)):
                skipped += 1
            elif tag == f"{_W}p":
                run.append([(numbers.label(element) if numbers else "") or ""])
            elif tag == f"{_W}tc":
                rows.append([])
            elif tag == f"{_W}tr":
                begun.append(len(run))
            continue
        if skipped:
            skipped -= 1
        elif tag == f"{_W}t" and run:
            run[-1].append(element.text or "")
        elif tag in {f"{_W}tab", f"{_W}ptab"} and run and element.getparent().tag == f"{_W}r":
            run[-1].append("\t")
        elif tag in {f"{_W}br", f"{_W}cr"} and run:
            run[-1].append("\n")
        elif tag in {f"{_W}noBreakHyphen"} and run:
            run[-1].append("\u2011")
        elif tag == f"{_W}p":
            (rows[-1] if rows else lines).append("".join(run.pop()))
        elif tag == f"{_W}tc":
            run.append([" ".join(rows.pop())])
        elif tag == f"{_W}tr":
            first = begun.pop()
            line = "\t".join(map("".join, run[first:]))
            del run[first:]
            (rows[-1] if rows else lines).append(line)
    return lines


def _vanishes(run: Any) -> bool:
    mark = run.find(f"{_W}rPr/{_W}vanish")
    return mark is not None and mark.get(f"{_W}val") not in {"0", "false"}


class _Numbering:
    """The list numbers of a docx, which Word computes and the file does not hold."""

    def __init__(self, document: Any) -> None:
        self._levels: dict[tuple[str, int], tuple[int, str, str]] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._lists: dict[str, str] = {}
        self._linked: dict[tuple[str, str], int] = {}
        self._styles: dict[str, Any] = {}
        for style in document.styles.element.iter(f"{_W}style"):
            self._styles[style.get(f"{_W}styleId")] = style
        for relation in document.part.rels.values():
            if not relation.is_external and relation.reltype.endswith("/numbering"):
                self._define(relation.target_part.element)

    def _define(self, root: Any) -> None:
        for abstract in root.iter(f"{_W}abstractNum"):
            number = abstract.get(f"{_W}abstractNumId")
            for level in abstract.iter(f"{_W}lvl"):
                depth = int(level.get(f"{_W}ilvl"))
                if style := _attribute(level, "pStyle"):
                    self._linked[number, style] = depth
                start = int(_attribute(level, "start") or 1)
                form = _attribute(level, "numFmt") or "decimal"
                self._levels[number, depth] = (start, form, _attribute(level, "lvlText") or "")
        for number in root.iter(f"{_W}num"):
            self._lists[number.get(f"{_W}numId")] = _attribute(number, "abstractNumId") or ""

    def label(self, paragraph: Any) -> str:
        """Return the number of a paragraph with a space, "" if it has none; counts on."""
        number, depth = self._place(paragraph)
        abstract = self._lists.get(number or "")
        if abstract is None or (abstract, depth) not in self._levels:
            return ""
        start, form, shape = self._levels[abstract, depth]
        self._counts[abstract, depth] = self._counts.get((abstract, depth), start - 1) + 1
        for deeper in range(depth + 1, 9):
            self._counts.pop((abstract, deeper), None)
        if form in {"bullet", "none"}:
            return ""

        def shown(match: re.Match[str]) -> str:
            level = int(match[1]) - 1
            first, kind, _ = self._levels.get((abstract, level), (1, "decimal", ""))
            return _ordinal(self._counts.get((abstract, level), first), kind)

        label = re.sub(r"%([1-9])", shown, shape)
        return f"{label} " if label else ""

    def _place(self, paragraph: Any) -> tuple[str | None, int]:
        """Return list and level, from the paragraph or the nearest style that has them."""
        name = ""
        holder, style = paragraph, _attribute(paragraph.find(f"{_W}pPr"), "pStyle")
        for _ in range(20):
            properties = holder.find(f"{_W}pPr")
            mark = None if properties is None else properties.find(f"{_W}numPr")
            number = _attribute(mark, "numId")
            if number is not None:
                depth = _attribute(mark, "ilvl")
                linked = self._linked.get((self._lists.get(number, ""), name), 0)
                return number, linked if depth is None else int(depth)
            holder, name = self._styles.get(style or ""), style or ""
            if holder is None:
                break
            style = _attribute(holder, "basedOn")
        return None, 0


def _attribute(element: Any, child: str) -> str | None:
    found = None if element is None else element.find(f"{_W}{child}")
    value: str | None = None if found is None else found.get(f"{_W}val")
    return value


def _ordinal(number: int, form: str) -> str:
    """Return a list number in a w:numFmt form, figures where the form is not known."""
    if form in {"lowerLetter", "upperLetter"} and number > 0:
        letter = chr(97 + (number - 1) % 26) * min(1 + (number - 1) // 26, 9)
        return letter if form == "lowerLetter" else letter.upper()
    if form in {"lowerRoman", "upperRoman"} and 0 < number < 4000:
        roman = ""
        for value, sign in zip(
            (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
            ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
            strict=True,
        ):
            times, number = divmod(number, value)
            roman += sign * times
        return roman if form == "lowerRoman" else roman.upper()
    return f"{number:02d}" if form == "decimalZero" else str(number)


# --- markdown ---------------------------------------------------------------------------------


def plain(document: Document) -> str:
    """Return the text with its Markdown markup blanked by spaces: same length, same offsets.

    Emphasis, heading and quote marks, bullets, link targets, table pipes, code fences, html tags,
    comments and what is struck out go; list numbers stay. A document of another format is its text.
    """
    if document.format != "md":
        return document.text
    return blank_marks(document.text) if document.shown else markdown(document.text)[0]


# Thai, Lao, Burmese, Khmer, Chinese and Japanese part words by no space
_RUN = re.compile(
    r"[^\s\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60"
    r"\U00020000-\U0003ffff]++"
)


def _word(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range of a run without space, less the marks that end its sentence."""
    last = text[max(start, end - 3) : end]
    return start, end - len(last) + len(last.rstrip(".,;:!?\"'”’)]"))


def shortened(document: Document) -> tuple[Document, tuple[tuple[int, int], ...]]:
    """Return a document with words of more than `LONGEST_WORD` code points cut, and their ranges.

    What is cut is blank, so that all else keeps its place. What Markdown hides is no word.
    """
    if max(map(len, document.text.split()), default=0) <= LONGEST_WORD:
        return document, ()
    text = plain(document)
    words = (_word(text, *match.span()) for match in _RUN.finditer(text))
    ranges = tuple((start, end) for start, end in words if end - start > LONGEST_WORD)
    parts: list[str] = []
    end = 0
    for start, stop in ranges:
        parts += (document.text[end : start + _STUB], " " * (stop - start - _STUB))
        end = stop
    return replace(document, text="".join((*parts, document.text[end:]))), ranges
