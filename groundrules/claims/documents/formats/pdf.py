"""PDF: the text layer of each page, and the pages that have none."""

from __future__ import annotations

import io
import itertools
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from groundrules.claims.documents.formats.bounds import first_line, refuse_more
from groundrules.claims.documents.markup import lowered, raised
from groundrules.errors import SourceError

#: The most pages of a PDF; the most pieces of text, and pictures, that it shows, on one page and
#: in all.
MAX_PAGES = 5_000
MAX_PIECES_OF_PAGE = 20_000
MAX_PIECES = 500_000
#: The most operators of a page that is read, and of all pages; the most bytes that draw a page.
MAX_OPERATORS_OF_PAGE = 100_000
MAX_OPERATORS = 1_000_000
MAX_DRAWN = 2 * 2**20
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
    | {"\0": "\ufffd", "\u00ad": ""}
)
#: A page with fewer words and a picture of at least so many pixels is a scan with a stamp on it.
_SCANNED_WORDS, _SCANNED_PIXELS = 12, 400_000
#: What a string shows, and what may be an operator beside it.
_STRING = re.compile(rb"\([^()]*+\)")
_OPERATOR = re.compile(rb"(?<![A-Za-z'\"*/])[A-Za-z'\"*]++(?=[\s/\[(<]|\Z)")
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
    heavy: list[int] = []
    notes = 0
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
                    notes += sum(_has_words(note) for note in page.get("/Annots") or ())
                    text = _text_of(page, shown)
                    pages.append("" if text is None else text)
                    if text is None:
                        heavy.append(number)
                    elif _is_unread(page, text):
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
    unread = [*_of_pages(heavy, len(pages), "more operators than are read")]
    if heavy and not text.strip():
        raise SourceError(f"cannot be read: {unread[0]}", path=name)
    if not text.strip():
        raise SourceError(
            f"has no text layer ({len(pages)} pages); needs OCR before it can be checked", path=name
        )
    unread += _of_pages(unseen, len(pages), "no text")
    if notes:
        unread.append(f"{notes} note{'s' * (notes > 1)} or fields of a form with words")
    return re.sub("[\ud800-\udfff]", "\ufffd", text), tuple(unread)


def _has_words(reference: Any) -> bool:
    """Return whether a note or a field of a form shows words on its page."""
    with suppress(AttributeError, TypeError, ValueError):
        note = reference.get_object()
        shown = {"/FreeText": "/Contents", "/Widget": "/V"}.get(note.get("/Subtype"))
        words = note.get(shown) if shown and not int(note.get("/F", 0)) & 2 else None
        return isinstance(words, str) and bool(words.strip()) and not words.startswith("/")
    return False


def _text_of(page: Any, shown: _Shown) -> str | None:
    """Return the text of a page, None where its operators are more than are read."""
    size, contents = 0, page.get_contents()
    drawn = [contents.get_data()] if contents is not None else []
    forms = (o for o in _things(page.get("/Resources")) if o.get("/Subtype") == "/Form")
    for one in itertools.chain(drawn, (form.get_data() for form in forms)):
        size += len(one)
        if size > MAX_DRAWN or _operators(one) > MAX_OPERATORS_OF_PAGE:
            return None
    if shown.is_full:
        return None
    _part(page)
    try:
        text = page.extract_text(visitor_operand_before=shown.count, visitor_text=shown.say)
    except _TooManyError:
        return None
    shown.check()
    return None if shown.is_full else shown.text(text)


def _operators(drawn: bytes) -> int:
    return len(_OPERATOR.findall(_STRING.sub(b"()", drawn)))


class _TooManyError(Exception):
    """A page has more operators than are read."""


def _part(page: Any) -> None:
    """Have the font set anew wherever letters change their size, so that a piece has one size."""
    from pypdf.generic import NameObject

    with suppress(KeyError, AttributeError):  # of a page without contents no text comes
        content = page.get_contents()
        made: list[Any] = []
        fonts: list[Any] = []
        font = shape = None
        for operands, operator in content.operations:
            made.append((operands, operator))
            if operator == b"q":
                fonts.append(font)
            elif operator == b"Q":
                font = fonts.pop() if fonts else None
            elif operator == b"Tf":
                font = operands
            elif operator == b"Tm" and font and operands[:4] != shape:
                made.append((font, b"Tf"))
                shape = operands[:4]
        content.operations = made
        page[NameObject("/Contents")] = content


class _Shown:
    """Counts the pieces of text and the pictures that a PDF shows, which may show each other.

    Of the text it keeps the pieces, in which small figures above or below the line are such.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._all = self._here = self._page = 0
        self._done = self._before = 0
        self._rise = self._risen = 0.0
        self._line = (0.0, 0.0)  # size and base of the last large piece
        self._pieces: list[tuple[str, str]] = []

    def begin(self, page: int) -> None:
        self._page, self._here, self._before = page, 0, self._done
        self._line, self._pieces = (0.0, 0.0), []

    @property
    def is_full(self) -> bool:
        """Whether the page, or all pages, had more operators than are read."""
        here = self._done - self._before
        return here > MAX_OPERATORS_OF_PAGE or self._done > MAX_OPERATORS

    def say(self, text: str, cm: list[float], tm: list[float], _: object, size: float) -> None:
        """Keep a piece of text, as pypdf gives it wherever the font changes."""
        inner, said = text.strip(), text
        scale = math.hypot(tm[2] * cm[0] + tm[3] * cm[2], tm[2] * cm[1] + tm[3] * cm[3])
        height = size * scale
        base = tm[4] * cm[1] + tm[5] * cm[3] + cm[5] + self._risen * scale
        large, line = self._line
        before = self._pieces[-1][0] if self._pieces else "\n"
        if _SMALL.fullmatch(inner) and height < _SMALLER * large and before[-1] != "\n":
            above = (base - line) / large
            if _SHIFT < above < 1:
                said = text.replace(inner, raised(inner, "0"))
            elif _SHIFT < -above < 1:
                said = text.replace(inner, lowered(inner, before))
        if inner and said == text:
            self._line = (height, base)
        if text:
            self._pieces.append((text, said))
        self._risen = 0.0

    def text(self, whole: str) -> str:
        """Return the text of a page, in which small figures above and below the line are such."""
        same = "".join(plain for plain, _ in self._pieces) == whole
        return "".join(said for _, said in self._pieces) if same else whole

    def count(self, operator: bytes, operands: list[Any], *_: object) -> None:
        """Count an operator and what it shows; SourceError where that is more than anybody reads.

        Within a form pypdf passes over that there are too many operators, and comes here again.
        """
        self._done += 1
        if self.is_full:
            raise _TooManyError
        if operator == b"Ts":
            self._rise = float(operands[0])
        if operator in (b"Tj", b"TJ", b"'", b'"', b"Do"):
            self.check()
            self._risen = self._rise
            self._all += 1
            self._here += 1
            self.check()

    def check(self) -> None:
        """Raise the SourceError again, which pypdf passes over within a form."""
        page = f"pieces of text on page {self._page}"
        refuse_more(self._here, MAX_PIECES_OF_PAGE, page, self._name)
        refuse_more(self._all, MAX_PIECES, "pieces of text", self._name)


#: A figure that is smaller by so much than what stands before it, and so much of that off its line.
_SMALL = re.compile(r"[+\-−]?[0-9]{1,4}(?:[,–-][0-9]{1,4}){0,9}")
_SMALLER, _SHIFT = 0.9, 0.08
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
        pictures = (o for o in _things(page.get("/Resources")) if o.get("/Subtype") == "/Image")
        if any(_pixels(one) >= _SCANNED_PIXELS for one in pictures):
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


def _pixels(picture: Any) -> int:
    return int(picture.get("/Width", 0)) * int(picture.get("/Height", 0))


def _things(resources: Any, depth: int = 0) -> Iterator[Any]:
    """Yield the pictures and forms that a page or a form on it may draw."""
    found = resources.get_object().get("/XObject") if resources is not None else None
    for reference in (found.get_object() if found is not None else {}).values():
        thing = reference.get_object()
        yield thing
        if thing.get("/Subtype") == "/Form" and depth < 3:
            yield from _things(thing.get("/Resources"), depth + 1)


def _of_pages(numbers: list[int], total: int, what: str) -> Iterator[str]:
    """Yield what is said of pages that are not read, neighbours together."""
    for _, run in itertools.groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        first, *others = (number for _, number in run)
        told = f"pages {first} to {others[-1]}" if others else f"page {first}"
        yield f"{told} of {total} {'have' if others else 'has'} {what}"
