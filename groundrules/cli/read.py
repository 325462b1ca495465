"""`groundrules read`: what a text says as it is read, proposition by proposition."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundrules.claims.quantifiers import TIMES
from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.terminal import columns, progress, write_as
from groundrules.cli.terminal import plain as one_line
from groundrules.errors import SourceError

if TYPE_CHECKING:
    from groundrules.claims.document import Document
    from groundrules.claims.segments import Segment
from groundrules.claims.slots import Bounds, Slot, Term

#: The longest line that is read, in code points: the time and memory of a parse grow with it.
_LONGEST_LINE = 100_000
#: Determiners that say no more than the words do.
_PLAIN = frozenset({"", "bare", "name", "part"})


@dataclass(frozen=True, slots=True)
class _Read:
    """A segment with the line it begins in, what it says, and its words that nothing holds."""

    line: int
    segment: Segment
    terms: tuple[Term, ...]
    unread: tuple[str, ...]


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "read",
        "Show what a text says as it is read, line by line: its propositions, what fills their "
        "slots, and the words that no proposition holds.",
        (
            "groundrules read lease.txt",
            "echo 'Dogs are not admitted.' | groundrules read -",
            "groundrules read lease.pdf --output-format json",
        ),
    )
    result.add_argument(
        "file", metavar="FILE", help="a document: txt, md, html, pdf, docx; - is stdin"
    )
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.claims import document

    form = output_format(args)
    read = document.read(args.file)
    for what in read.unread:
        print(f"groundrules: {one_line(read.name)}: not read: {one_line(what)}", file=sys.stderr)
    found = _reading(read)
    write_as(form, lambda: [_encode(one) for one in found], lambda: _text(read.name, found))
    return 0


def _reading(document: Document) -> list[_Read]:
    """Return what each segment of a document says; SourceError where one is too long to parse."""
    from groundrules.align.deductions import read_segment
    from groundrules.align.parses import parse
    from groundrules.claims.asserted import unread
    from groundrules.claims.document import plain
    from groundrules.claims.segments import segments
    from groundrules.explain.place import line_column

    parts = []
    for segment in segments(plain(document), parse):
        line, _ = line_column(document.text, segment.start)
        if len(segment.text) > _LONGEST_LINE:
            raise SourceError(
                f"a line of more than {_LONGEST_LINE:,} characters; expected shorter ones",
                path=document.name,
                line=line,
            )
        parts.append((line, segment))
    found = []
    for line, segment in progress(parts, total=len(parts), label="lines"):
        terms = read_segment(segment)
        left = tuple(unread(parse(segment.text), terms))
        found.append(_Read(line, segment, terms, left))
    return found


# --- text -------------------------------------------------------------------------------------


def _text(name: str, found: Sequence[_Read]) -> str:
    """Return the lines that say something, each proposition as a table, and how many there are."""
    lines: list[str] = []
    said = [one for one in found if one.terms]
    for one in said:
        lines.append(f"{name}:{one.line}: {one.segment.text}")
        for term in one.terms:
            lines += (f"  {line}" for line in _proposition(term))
        lines += [f"  unread  {', '.join(one.unread)}"] if one.unread else []
        lines.append("")
    count = sum(len(one.terms) for one in said)
    what = "1 proposition" if count == 1 else f"{count:,} propositions"
    of = "1 line" if len(found) == 1 else f"{len(found):,} lines"
    lines.append(f"{what} in {len(said):,} of {of}")
    most = columns(sys.stdout)
    return "".join(_fitted(line, most) + "\n" for line in lines)


def _fitted(line: str, most: int | None) -> str:
    """Return a line without what steers a terminal, cut to the width of one."""
    shown = "".join(c if c.isprintable() else " " for c in line)
    return shown if most is None or len(shown) <= most else shown[: most - 1] + "…"


def _proposition(term: Term) -> Iterator[str]:
    yield _predicate(term)
    yield from (f"  {line}" for line in _rows(term.slots))


def _rows(slots: Sequence[Slot]) -> Iterator[str]:
    """Yield a line for each slot, and below it, further in, what its clauses say."""
    width = max((len(slot.role) for slot in slots), default=0)
    for slot in slots:
        yield f"{slot.role:<{width}}  {_filler(slot)}"
        inner = slot.filler.slots if _is_clause(slot) else tuple(_clauses(slot.filler))
        yield from (f"  {line}" for line in _rows(inner))
        for other in slot.filler.joined if _is_clause(slot) else ():
            yield f"{'or' if slot.filler.alternative else 'and':<{width}}  {_predicate(other)}"
            yield from (f"  {line}" for line in _rows(other.slots))


def _is_clause(slot: Slot) -> bool:
    """Return whether a slot is filled with what has slots of its own to show."""
    one = slot.filler
    marks = one.kind == "property" and slot.role == "mod"
    return one.clausal and bool(one.slots or one.joined) and not marks


def _clauses(term: Term) -> Iterator[Slot]:
    """Yield the slots of a thing, at any depth, that are filled with clauses."""
    for slot in term.slots:
        if _is_clause(slot):
            yield slot
        else:
            yield from _clauses(slot.filler)
    for other in term.joined:
        yield from _clauses(other)


def _filler(slot: Slot) -> str:
    return _predicate(slot.filler) if _is_clause(slot) else _words(slot.filler)


def _predicate(term: Term) -> str:
    """Return an event with its marks: "not may pay", "find (past)"."""
    return _marked(term) + (f" ({term.tense})" if term.tense else "")


def _marked(term: Term) -> str:
    marks = ["not"] if term.denied else []
    marks += [term.force] if term.force != "fact" else []
    return " ".join([*marks, term.head.strip() or "–"])


def _words(term: Term) -> str:
    """Return what fills a slot in a few words: "the old tower", "≤10 book of the library".

    Words are lemmas, as they are compared; clauses are left to lines of their own.
    """
    if term.clausal:
        first = _predicate(term)
    else:
        alone = term.determiner == "the" and len(term.text.split()) == 1  # a pronoun
        first = "" if alone or term.determiner in _PLAIN else term.determiner
    before: list[str] = []
    behind: list[str] = []
    for slot in term.slots:
        if _is_clause(slot):
            continue
        if slot.role in {"mod", "compound", "degree"}:
            (before if slot.filler.at < term.at else behind).append(_words(slot.filler))
        elif slot.role == "only" and slot.filler.head == term.head:
            before.append("only")
        else:
            behind.append(f"{slot.role} {_words(slot.filler)}")
    said = [*before, first] if term.clausal else [first, *before, _counted(term)]
    sign = " or " if term.alternative else " and "
    return sign.join([" ".join(filter(None, [*said, *behind])), *map(_words, term.joined)])


def _counted(term: Term) -> str:
    """Return the head of a thing with how many there are, once where the head is that number."""
    head = term.head.strip() or "–"
    if term.head == "ratio" and term.bounds:
        return _compared(term.bounds)
    if term.measure and term.determiner == "part":
        whole = f"{_number(term.bounds)} {head}" if term.bounds else head
        return f"{_number(term.measure.bounds)} of {whole}"
    if term.measure and term.measure.unit in TIMES:
        return _plain_words(term)
    if term.bounds is None:
        return head
    number = _number(term.bounds)
    return number if head[:1].isdigit() else f"{number} {head}"


def _compared(ratio: Bounds) -> str:
    """Return how many times as much one side of a comparison has as the other."""
    low, high = ratio
    if low == high:
        return "as much" if low == 1 else f"{low:g} times"
    if high < 1 or low > 1:
        return "less" if high < 1 else "more"
    return "at least as much" if low == 1 else "at most as much"


def _plain_words(term: Term) -> str:
    """Return the words of a time: "8 May"."""
    words = term.text.split()
    return " ".join(words[: len(term.words)]) or term.head


def _number(bounds: Bounds) -> str:
    low, high = bounds
    if low == high:
        return f"{low:,g}" if low < 1e6 else f"{low:,.0f}"
    if math.isinf(low):
        return f"≤{high:g}"
    return f"≥{low:g}" if math.isinf(high) else f"{low:g}–{high:g}"


# --- JSON -------------------------------------------------------------------------------------


def _encode(one: _Read) -> dict[str, Any]:
    return {
        "line": one.line,
        "start": one.segment.start,
        "end": one.segment.end,
        "text": one.segment.text,
        "propositions": [_encode_term(term, one.segment) for term in one.terms],
        "unread": list(one.unread),
    }


def _encode_term(term: Term, segment: Segment) -> dict[str, Any]:
    """Return a term with what fills its slots; a bound that there is not is null."""
    bounds = term.bounds and [None if math.isinf(bound) else bound for bound in term.bounds]
    start, end = term.place
    return {
        "head": term.head,
        "kind": term.kind,
        "determiner": term.determiner,
        "bounds": bounds,
        "denied": term.denied,
        "force": term.force,
        "tense": term.tense,
        "place": segment.place(start, end) if start < end else None,
        "slots": [
            {"role": slot.role, "filler": _encode_term(slot.filler, segment)} for slot in term.slots
        ],
        "joined": [_encode_term(other, segment) for other in term.joined],
    }
