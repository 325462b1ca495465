"""Documents: a name, a format and the text that every span counts in."""

from __future__ import annotations

import codecs
import hashlib
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

from groundrules.claims.documents.formats.docx import OLE, read_docx
from groundrules.claims.documents.formats.html import read_html
from groundrules.claims.documents.formats.pdf import read_pdf
from groundrules.claims.documents.markup import blank_marks, markdown
from groundrules.errors import SourceError, did_you_mean
from groundrules.files import read_bounded

#: The largest file that is read, in bytes.
MAX_BYTES = 64 * 2**20
#: The longest word that is read, in code points; of a longer one so many stay, to be shown.
LONGEST_WORD = 1_000
_STUB = 60
#: What shows that a text is a page and not the words of one.
_HTML = re.compile(r"<(?:!doctype|[a-z][a-z1-6]*)[\s>/]", re.I)
FORMATS = ("txt", "md", "html", "pdf", "docx")
_SUFFIXES = {
    ".txt": "txt", ".text": "txt", ".md": "md", ".markdown": "md", ".html": "html", ".htm": "html",
    ".xhtml": "html", ".pdf": "pdf", ".docx": "docx",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its name; spans are code points of `text`.

    For txt and md the text is the file itself, so a span is a place in the file; for html, pdf
    and docx it is the text extracted from the file. `unread` says what of the file has no text
    that could be read, "page 3 of 7 has no text". `sha256` is that of the file, empty for a text
    that was read from none. `shown` says that the text is what a reader is shown, see
    `claims.documents.shown`, and not the file.
    """

    name: str
    text: str
    format: str = ""
    unread: tuple[str, ...] = ()
    sha256: str = field(default="", compare=False)
    shown: bool = False

    def __post_init__(self) -> None:  # the name tells md and html where no format is given
        form = self.format or _SUFFIXES.get(Path(self.name[-255:]).suffix.lower(), "txt")
        if form == "html" and not self.format and _HTML.search(self.text):
            text, unread = read_html(self.text, self.name)
            object.__setattr__(self, "text", text)
            object.__setattr__(self, "unread", self.unread + unread)
        elif not self.format and form != "md":
            form = "txt"
        object.__setattr__(self, "format", form)


def read(path: str | Path, *, stdin_name: str | None = None, blank: bool = False) -> Document:
    """Return the document in a file, or on standard input if the path is "-".

    The format is told by the suffix, else by the content: txt and md (UTF-8, or UTF-16 and UTF-32
    with a byte order mark), html, pdf, docx. Newlines stay as they are; the byte order mark goes.

    Raises SourceError with the reason, and of an undecodable byte its line and column. Only txt and
    md may be `blank`.
    """
    if str(path) == "-":
        name = stdin_name or "<stdin>"
        data = _bounded(sys.stdin.buffer.read(MAX_BYTES + 1), name)
    else:
        name = str(path)
        data = _load(Path(path))
    return from_bytes(data, name, blank=blank)


def from_bytes(data: bytes, name: str, *, blank: bool = False) -> Document:
    """Return the document that the bytes of a file are; see `read` for formats and errors."""
    if data[:1024].removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{\\rtf"):
        expected = "txt, md, html, pdf or docx"
        raise SourceError(f"RTF is not read; expected {expected}; save it as docx", path=name)
    form = _SUFFIXES.get(Path(name).suffix.lower()) or _sniff(data)
    unread: tuple[str, ...] = ()
    if form == "pdf":
        text, unread = read_pdf(data, name)
    elif form == "docx":
        text, unread = read_docx(data, name)
    else:
        text = _decode(data, name, form)
        if form == "html":
            text, unread = read_html(text, name)
    if not (text.strip() or (blank and form in ("txt", "md"))):
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
        told = f"lone surrogate U+{ord(surrogate[0]):04X}; expected Unicode text"
        raise SourceError(told, path=name, line=line, column=column)
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


def _sniff(data: bytes) -> str:
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if data.startswith((b"PK\x03\x04", OLE)):
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
            f"{not_decoded(error)}, or UTF-16 with a byte order mark",
            path=name,
            line=line,
            column=column,
        ) from None


def not_decoded(error: UnicodeDecodeError) -> str:
    """Return what is wrong with bytes that are no text of an encoding, and what was expected."""
    found = f"byte 0x{error.object[error.start]:02X} at offset {error.start}"
    encoding = error.encoding.upper().removesuffix("-LE").removesuffix("-BE")
    high = re.findall(rb"[\x80-\xff]+", error.object)
    # letters of the West stand alone, and none of them is a character of UTF-8
    latin = len(high) > 0.7 * sum(map(len, high)) and not re.search(
        rb"[\xc2-\xf4][\x80-\xbf]", error.object
    )
    if encoding != "UTF-8" or not latin:
        return f"{found} is not {encoding}; expected UTF-8"
    return (
        f"{found} is not UTF-8; it looks like Windows-1252 or Latin-1: "
        "`iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW`; expected UTF-8"
    )


def _binary(data: bytes) -> str:
    for mark, kind in (
        (b"%PDF-", "a PDF under another name"),
        (b"PK\x03\x04", "a zip or docx under another name"),
        (OLE, "an old Word file"),
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
