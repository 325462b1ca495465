"""docx: headers, body with its list numbers and tables, notes and footers."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from groundrules.claims.documents.formats.bounds import MAX_ELEMENTS, first_line, refuse_more
from groundrules.claims.documents.markup import lowered, raised
from groundrules.claims.values.roman import write_roman
from groundrules.errors import SourceError

#: The most a docx may unpack to, in bytes; the most files in it; the most one may grow.
MAX_UNPACKED = 200 * 2**20
MAX_MEMBERS = 10_000
MAX_RATIO = 500
#: The most paragraphs and cells of a docx.
MAX_PARAGRAPHS = 200_000
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DRAWINGML = "{http://schemas.openxmlformats.org/drawingml/2006/%s}%s"
#: What is shown by other means than text, as a report names it.
_DRAWN = {
    "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath": "formula{s} of Word",
    _DRAWINGML % ("chart", "chart"): "chart{s}",
    _DRAWINGML % ("diagram", "relIds"): "diagram{s}",
    "{urn:schemas-microsoft-com:vml}textpath": "drawn line{s} of words",
    f"{_W}altChunk": "part{s} in another format",
    f"{_W}rt": "reading{s} above other words",
    f"{_W}sym": "sign{s} of a font of signs",
    f"{_W}ddList": "list{s} of a form",
}
#: Fonts of signs that say nothing: boxes, arrows, bullets.
_PICTURES = ("wingdings", "webdings")
#: Colours that are not seen on white paper; the smallest letters that are, in half points.
_WHITE = re.compile(r"(?i)(?:f[0-9a-f]){3}")
_SMALLEST = 7
#: Where a paragraph or a cell begins, whatever the prefix.
_PARAGRAPH = re.compile(rb"<(?:[\w.-]+:)?(?:p|tc)[\s/>]")
#: How a property says that it is on.
_ON = frozenset({"1", "true", "on"})
_SKIPPED = frozenset(
    {f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText"}
    # the fallback says again what the choice says
    | {"{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
)


def read_docx(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return headers, body with list numbers and tables, footnotes, footers, and what has none."""
    _check_zip(data, name)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml import etree

    try:
        document = docx.Document(io.BytesIO(data))
        styles = _Styles(document)
        body = document.element.body
        drawn: Counter[str] = Counter()
        lines = [
            *_part_text(document, "header", styles, drawn),
            *_paragraphs(body, styles, drawn, _Numbering(document, styles)),
            *(line for kind in ("footnotes", "endnotes", "footer")
              for line in _part_text(document, kind, styles, drawn)),
        ]  # fmt: skip
    except (MemoryError, SourceError):
        raise
    except (OpcError, etree.LxmlError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise SourceError(f"is a broken docx: {first_line(error)}", path=name) from None
    except Exception as error:  # a part of an odd type: AttributeError, zlib.error, RecursionError
        raise SourceError(f"is a broken docx: {first_line(error)}", path=name) from None
    text = "\n".join(lines)
    unread = (f"{count} {what}".format(s="s" * (count > 1)) for what, count in drawn.items())
    return text + "\n" if text else text, tuple(unread)


def _check_zip(data: bytes, name: str) -> None:
    """Refuse what is no docx or unpacks to too much; zipfile reads no more than is declared."""
    if data.startswith(OLE):
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
        reason = first_line(error)
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
    refuse_more(paragraphs, MAX_PARAGRAPHS, "paragraphs and cells", name)
    refuse_more(elements, MAX_ELEMENTS, "elements", name)


def _part_text(document: Any, kind: str, styles: _Styles, drawn: Counter[str]) -> list[str]:
    """Return the lines of the parts of a kind (header, footer, footnotes), each text once."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    seen: dict[str, None] = {}
    found = (one for one in document.part.rels.values() if not one.is_external)
    named = (one.target_part for one in found if one.reltype.endswith(f"/{kind}"))
    for part in {id(one): one for one in named}.values():
        root = etree.fromstring(part.blob, parser)
        lines = [line for line in _paragraphs(root, styles, drawn) if line.strip()]
        if lines:
            seen.setdefault("\n".join(lines))
    return list(seen)


def _paragraphs(
    root: Any, styles: _Styles, drawn: Counter[str], numbers: _Numbering | None = None
) -> list[str]:
    """Return the paragraphs under an element; the cells of a table row share a line.

    What is shown by other means than text is counted in `drawn`.

    What is struck out stands between ~~ and ~~, figures above the line are raised digits.
    """
    from lxml import etree

    lines: list[str] = []
    run: list[list[str]] = []
    looks: list[tuple[str, bool]] = []  # of the runs within each other: level, and if struck out
    rows: list[list[str]] = []
    begun: list[int] = []
    skipped = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag
        if event == "start":
            hidden = tag == f"{_W}tr" and element.find(f"{_W}trPr/{_W}hidden") is not None
            if skipped or hidden or _is_drawn(element, drawn) or tag in _SKIPPED:
                skipped += 1
            elif tag == f"{_W}r":
                if styles.is_on(element, "vanish"):
                    skipped += 1
                    continue
                struck = styles.is_on(element, "strike") or styles.is_on(element, "dstrike")
                looks.append((styles.level(element), struck))
                drawn.update(_faults(element, styles))
            elif tag == f"{_W}p":
                run.append([(numbers.label(element) if numbers else "") or ""])
            elif tag == f"{_W}tc":
                rows.append([])
            elif tag == f"{_W}tr":
                begun.append(len(run))
            continue
        if skipped:
            skipped -= 1
        elif tag == f"{_W}r":
            looks.pop()
        elif tag == f"{_W}t" and run:
            level, struck = looks[-1] if looks else ("", False)
            run[-1].append(_said(element.text or "", run[-1][-1], level, struck=struck))
        elif tag in {f"{_W}tab", f"{_W}ptab"} and run and element.getparent().tag == f"{_W}r":
            run[-1].append("\t")
        elif tag in {f"{_W}br", f"{_W}cr"} and run:
            run[-1].append("\n")
        elif tag == f"{_W}noBreakHyphen" and run:
            run[-1].append("\u2011")
        elif tag == f"{_W}p":
            (rows[-1] if rows else lines).append("".join(run.pop()).replace("~~~~", ""))
        elif tag == f"{_W}tc":
            run.append([" ".join(rows.pop())])
        elif tag == f"{_W}tr":
            first = begun.pop()
            line = "\t".join(map("".join, run[first:]))
            del run[first:]
            (rows[-1] if rows else lines).append(line)
    return lines


def _faults(run: Any, styles: _Styles) -> Iterator[str]:
    """Yield how the words of a run are drawn so that nobody reads them as they stand."""
    said = "".join(one.text or "" for one in run.iter(f"{_W}t"))
    if not said.strip():
        return
    if _WHITE.fullmatch(styles.of(run, "color") or "") and not styles.is_shaded(run):
        yield "white run{s} of words"
    if (size := styles.of(run, "sz") or "").isdecimal() and int(size) < _SMALLEST:
        yield "run{s} of words too small to read"
    if styles.is_on(run, "rtl") and re.search("[0-9A-Za-z]", said):
        yield "run{s} of words from right to left"


def _is_drawn(element: Any, drawn: Counter[str]) -> bool:
    """Return whether an element is no text, and count it where it shows something."""
    what = _DRAWN.get(element.tag)
    if element.tag == f"{_W}instrText" and (element.text or "").lstrip()[:3].upper() == "EQ ":
        what = "formula{s} of Word"
    if what is None or (element.get(f"{_W}font") or "").casefold().startswith(_PICTURES):
        return False
    drawn[what] += 1
    return True


def _said(text: str, before: str, level: str, *, struck: bool) -> str:
    """Return the text of a run as it is written on one line behind what was said."""
    if level == "superscript":
        text = raised(text, before)
    elif level == "subscript":
        text = lowered(text, before)
    inner = text.strip()
    if struck and inner:
        start = text.index(inner)
        text = f"{text[:start]}~~{inner}~~{text[start + len(inner) :]}"
    return text


class _Styles:
    """The styles of a docx: what a run is by its own word, else by that of a style."""

    def __init__(self, document: Any) -> None:
        found = [*document.styles.element.iter(f"{_W}style")]
        self._named = {style.get(f"{_W}styleId"): style for style in found}
        normal = [one for one in found if one.get(f"{_W}type") == "paragraph"
                  and one.get(f"{_W}default") in _ON]  # fmt: skip
        self._normal = normal[0].get(f"{_W}styleId") if normal else None

    def chain(self, name: str | None) -> Iterator[tuple[str, Any]]:
        """Yield a style with its name, and those that it is based on."""
        for _ in range(20):
            style = self._named.get(name or "")
            if style is None:
                return
            yield name or "", style
            name = _attribute(style, "basedOn")

    def of(self, run: Any, name: str) -> str | None:
        """Return the value of a property of a run, "" where it has none, None where none is set."""
        paragraph = next(run.iterancestors(f"{_W}p"), None)
        styles = (
            _attribute(run.find(f"{_W}rPr"), "rStyle"),
            _attribute(None if paragraph is None else paragraph.find(f"{_W}pPr"), "pStyle")
            or self._normal,
        )
        holders = (run, *(style for one in styles for _, style in self.chain(one)))
        for holder in holders:
            mark = holder.find(f"{_W}rPr/{_W}{name}")
            if mark is not None:
                return str(mark.get(f"{_W}val", ""))
        return None

    def level(self, run: Any) -> str:
        """Return whether a run is written above or below the line."""
        raised = int(self.of(run, "position") or 0)
        moved = "superscript" if raised > 0 else "subscript" if raised < 0 else ""
        return self.of(run, "vertAlign") or moved

    def is_shaded(self, run: Any) -> bool:
        """Return whether a run has a ground of its own, or its paragraph or cell has."""
        around = ("p", "tc", "tbl", "txbxContent")
        for one in run.iterancestors(*(f"{_W}{name}" for name in around)):
            marks = (f"{_W}pPr/{_W}shd", f"{_W}tcPr/{_W}shd", f"{_W}tblPr/{_W}shd")
            styled = one.find(f"{_W}tblPr/{_W}tblStyle") is not None
            if (
                styled
                or one.tag == f"{_W}txbxContent"
                or any(one.find(mark) is not None for mark in marks)
            ):
                return True
        return any(self.of(run, name) is not None for name in ("highlight", "shd"))

    def is_on(self, run: Any, name: str) -> bool:
        """Return whether a run has a property that is on or off."""
        return self.of(run, name) in {"", *_ON}


class _Numbering:
    """The list numbers of a docx, which Word computes and the file does not hold."""

    def __init__(self, document: Any, styles: _Styles) -> None:
        self._levels: dict[tuple[str, int], tuple[int, str, str]] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._lists: dict[str, str] = {}
        self._linked: dict[tuple[str, str], int] = {}
        self._styles = styles
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
        style = _attribute(paragraph.find(f"{_W}pPr"), "pStyle")
        for name, holder in (("", paragraph), *self._styles.chain(style)):
            properties = holder.find(f"{_W}pPr")
            mark = None if properties is None else properties.find(f"{_W}numPr")
            number = _attribute(mark, "numId")
            if number is not None:
                depth = _attribute(mark, "ilvl")
                linked = self._linked.get((self._lists.get(number, ""), name), 0)
                return number, linked if depth is None else int(depth)
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
        roman = write_roman(number)
        return roman.lower() if form == "lowerRoman" else roman
    return f"{number:02d}" if form == "decimalZero" else str(number)
