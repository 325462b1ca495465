"""PDF: the text layer of each page, and the pages that have none."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from groundrules.claims.formats.bounds import first_line, refuse_more
from groundrules.errors import SourceError

#: The most pages of a PDF; the most pieces of text, and pictures, that it shows, on one page and
#: in all.
MAX_PAGES = 5_000
MAX_PIECES_OF_PAGE = 20_000
MAX_PIECES = 500_000
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
    | {"\0": "\ufffd", "\u00ad": ""}
)
#: A page with fewer words and a picture of at least so many pixels is a scan with a stamp on it.
_SCANNED_WORDS, _SCANNED_PIXELS = 12, 400_000
#: What shows something in a PDF: text that is more than blanks; areas, lines, shades, pictures.
_WRITES = re.compile(rb"(?:\([^()]{0,200}[^()\s][^()]{0,200}\)|>|\])\s{0,9}(?:Tj|TJ|'|\")(?=\s|$)")
_DRAWS = re.compile(rb"(?:^|\s)(?:[fF]\*?|[bB]\*?|[sS]|sh|Do|BI)(?=\s|$)")


def read_pdf(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
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
                refuse_more(len(reader.pages), MAX_PAGES, "pages", name)
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
            raise SourceError(f"is a broken PDF: {first_line(error)}", path=name) from None
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
        refuse_more(self._here, MAX_PIECES_OF_PAGE, page, self._name)
        refuse_more(self._all, MAX_PIECES, "pieces of text", self._name)


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
