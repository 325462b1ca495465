"""What a sentence about records says by its marks: numbers, days, parts, quotes, names and words.

How things are numbered and related is each domain's own (`kb.records.naming`); `Idiom` has that of
all of them together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rdflib.term import Node, URIRef

from groundrules.claims.english import MONTHS as _MONTHS
from groundrules.claims.english.fillers import FRAME, OF_RECORDS, UNCOUNTED
from groundrules.claims.english.signals import TURNED_RECORDS
from groundrules.claims.english.stems import uninflected
from groundrules.kb.records.naming import Relation
from groundrules.kb.records.questions import Kind, kinds

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
DAY = re.compile(
    rf"\b(?P<iso>\d{{4}})-(?P<iso_month>0[1-9]|1[0-2])(?:-(?P<iso_day>\d\d))?\b(?!-)"
    rf"|\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{_MONTH})\b\.?"
    r"(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?\b)?,?\s+(?:of\s+)?(?P<year>\d{4})\b"
    r"|\b(?P<first>\d{1,2})(?P<sign>[/.])(?P<second>\d{1,2})(?P=sign)(?P<last>\d{4})\b",
    re.I | re.A,
)
YEAR = re.compile(r"1[6-9]\d\d|20\d\d", re.A)
#: Figures of a number that names a document, at least.
LONG = 6
_NOTHING = "(?!)"
_NUMBERS = (
    r"(\d{1,3}(?:\s*(?:,\s*(?:and|or)|,|and|or|to|through|-|–)\s*\d{1,3}\b(?![,/]\d))*)(?:\s+of)?\b"
)
_COUNTING = {
    name: str(number)
    for number, name in [
        *enumerate(
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
            "sixteen seventeen eighteen nineteen twenty".split(), 2
        ),
        *((10 * n, name) for n, name in enumerate(
            "thirty forty fifty sixty seventy eighty ninety hundred".split(), 3)),
    ]
}  # fmt: skip
_BESIDE = re.compile(r"(?P<word>[^\W\d_]+)|(?P<figure>\d[\d,/.]*\d|\d)|(?P<gap>[\s(“‘\-]+)|.", re.S)
_QUOTED = re.compile(r"“([^”]+)(?:”|\Z)|\"([^\"]+)\"")
#: What a quote leaves out.
_LEFT_OUT = re.compile(r"…|\.{3}|\[[^\]]{0,1000}\]")


@dataclass(frozen=True, eq=False)
class Idiom:
    """How sentences speak of the records of all domains: what each of them names, taken together.

    `figures` are written numbers, `order` says which of two things came before, `parts` names
    parts by their numbers, `piece` ends the IRI of a part, `part` with its word and number.
    """

    kinds: tuple[Kind, ...]
    figures: re.Pattern[str]
    order: re.Pattern[str]
    parts: re.Pattern[str]
    piece: re.Pattern[str]
    part: re.Pattern[str]
    papers: frozenset[URIRef]
    earlier: tuple[tuple[URIRef, re.Pattern[str]], ...]
    dates: tuple[URIRef, ...]
    people: tuple[URIRef, ...]
    relations: tuple[Relation, ...]
    plain: frozenset[str]
    turning: frozenset[str]

    def document(self, node: Node) -> str:
        """Return the document that a thing is or is part of."""
        return self.piece.sub("", str(node))

    def part_of(self, node: Node) -> str:
        """Return what part a thing is, as `word#3`, empty if it is none."""
        found = self.part.search(str(node))
        return f"{found[1]}#{found[2]}" if found else ""

    def numbers(self, text: str) -> list[str]:
        """Return the numbers of a text that name documents, in figures alone."""
        every = (digits(m[1]) for m in self.figures.finditer(text))
        return [one for one in every if len(one) >= LONG]

    def parts_in(self, text: str) -> list[str]:
        """Return the parts that a text names, each of "chapters 1, 3 to 5"."""
        found: list[str] = []
        for match in self.parts.finditer(text):
            last = 0
            ends = list(re.finditer(r"\d+", match[2]))
            for number, end in enumerate(ends):
                between = match[2][ends[number - 1].end() : end.start()] if number else ""
                first = last + 1 if re.search("to|through|-|–", between) else int(end[0])
                last = int(end[0])
                found += (
                    f"{match[1].casefold()}#{one}" for one in range(min(first, last), last + 1)
                )
        return found

    def tokens(self, text: str) -> tuple[set[str], set[str]]:
        """Return the marks of a text (days, numbers, numbered parts) and the stems of its words."""
        marks: set[str] = set()

        def day(match: re.Match[str]) -> str:
            mark = _mark(match)
            marks.add(mark or match[0])
            return " "

        text = DAY.sub(day, text)
        marks.update(self.parts_in(text))
        text = self.parts.sub(" ", text)
        for match in self.figures.finditer(text):
            marks.add(re.sub(r"[,/.]", "", match[1]))
        text = self.figures.sub(" ", text)
        words = [word.casefold() for word in re.findall(r"[^\W\d_]+", text)]
        marks |= {_COUNTING[word] for word in words if word in _COUNTING}
        return marks, {
            uninflected(word) for word in words if len(word) > 1 and word not in _COUNTING
        }

    def counted(self, text: str) -> Iterator[set[tuple[str, str]]]:
        """Yield of each number that stands beside a word the two as pairs: rotor 12, four blades.

        Days, and the numbers of parts and documents, count nothing.
        """
        text = self.parts.sub(" ; ", DAY.sub(" ; ", text))
        text = self.figures.sub(lambda m: m[0] if len(digits(m[1])) < LONG else " ; ", text)
        found = [(m.lastgroup, m[0]) for m in _BESIDE.finditer(text)]
        # what stands beside another, past a gap
        tokens = [(kind, token) for kind, token in found if kind != "gap"]
        for place, (kind, token) in enumerate(tokens):
            word = token.casefold()
            number = _COUNTING.get(word, "") if kind == "word" else ""
            if kind == "figure" and len(digits(token)) < LONG and not YEAR.fullmatch(token):
                number = re.sub(r"[,/.]", "", token)
            if not number:
                continue
            pairs = set()
            before, after = tokens[max(0, place - 1) : place], tokens[place + 1 : place + 2]
            for beside, ahead in ((before, True), (after, False)):
                for sort, other in beside:
                    if sort == "word" and other.casefold() not in UNCOUNTED:
                        shown = uninflected(other.casefold())
                        pairs.add((shown, number) if ahead else (number, shown))
            if pairs:
                yield pairs

    def bare(self, sentence: str) -> str:
        """Return a sentence without its quotes; a name, a day or a denial in them is its own."""

        def own(match: re.Match[str]) -> str:
            parts = _LEFT_OUT.split(match[1] or match[2])
            kept = (p for p in parts if len(p.split()) < 2 or self.tokens(p)[1] <= self.plain)
            return f" {' '.join(kept)} "

        return _QUOTED.sub(own, sentence)

    def properties_in(self, text: str, group: Sequence[URIRef]) -> set[URIRef]:
        """Return the properties of a group that a text speaks of."""
        words, worded = self.tokens(text)[1], _worded(self)
        return {one for one in group if one in worded and worded[one] & words}

    def related(self, bare: str, relation: Relation) -> list[tuple[str, str, bool]]:
        """Return the things of which a sentence says that one is so related to the other.

        Documents are by their numbers, parts as `word#3`; the last says how clearly.
        """

        def find(text: str) -> list[str]:
            if not relation.of:
                return self.numbers(text)
            return [one for one in self.parts_in(text) if one.startswith(f"{relation.of}#")]

        clear = relation.clear is None or bool(relation.clear.search(bare))
        return [(s, o, clear) for s, o in _directed(bare, relation.verb, find)]


def idiom() -> Idiom:
    """Return how sentences speak of the records of the domains."""
    return _idiom(kinds())


@cache
def _idiom(known: tuple[Kind, ...]) -> Idiom:
    namings = tuple(dict.fromkeys(kind.naming for kind in known))
    parts = [one.part for one in namings if one.part]
    before, after, words = (
        "|".join(filter(None, (getattr(one, name) for one in namings))) or _NOTHING
        for name in ("before", "after", "words")
    )
    called = "|".join(re.escape(one.word) for one in parts) or _NOTHING
    pieces = "|".join(re.escape(piece) for one in parts for piece in one.pieces) or _NOTHING
    return Idiom(
        kinds=known,
        figures=re.compile(rf"(?<![\w@#])(?:{before})?\s?(\d[\d,/.]*\d|\d)(?:\s?(?:{after})\b)?"),
        order=re.compile(
            r"\b(?:before|after|earlier than|later than|prior to|older than|newer than)\s+"
            rf"(?:the\s+)?(?:(?:{words}|No\.)\s+)*\d[\d,/]{{4,}}\d",
            re.I,
        ),
        parts=re.compile(rf"\b({called})s?\s+{_NUMBERS}", re.I | re.A),
        piece=re.compile(rf"/(?:{pieces})/[^/]*$"),
        part=re.compile(rf"/({called})/(\d+)$"),
        papers=frozenset(one.papers for one in namings if one.papers),
        earlier=tuple(
            (one.earlier, one.goes_back) for one in namings if one.earlier and one.goes_back
        ),
        dates=tuple(date for one in namings for date in one.dates),
        people=tuple(person for one in namings for person in one.people),
        relations=tuple(relation for one in namings for relation in one.relations),
        plain=_stems([*FRAME, *(word for one in namings for word in one.plain)]),
        turning=_stems([*TURNED_RECORDS, *(word for one in namings for word in one.turning)]),
    )


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(uninflected(word) for word in words)


@cache
def _worded(idiom: Idiom) -> Mapping[URIRef, frozenset[str]]:
    """Return the words by which a sentence speaks of one of the properties that are alike."""
    out: dict[URIRef, frozenset[str]] = {}
    for group in (idiom.dates, idiom.people):
        told = {
            one.property: frozenset().union(
                *(idiom.tokens(ask)[1] for ask in (*one.asks, one.says))
            )
            for one in idiom.kinds
            if one.property in group and not one.back
        }
        for one, words in told.items():
            others = (w for other, w in told.items() if other != one)
            out[one] = words.difference(*others) - OF_RECORDS
    return out


def digits(text: str) -> str:
    """Return the figures of a text."""
    return re.sub(r"\D", "", text)


def spelled(mark: str) -> str:
    """Return a mark as a text has it: `word 3`, `2015-12-10`."""
    return mark.replace("#", " ").removeprefix("@")


def in_words(stems: str, sentence: str) -> str:
    """Return stems as the words that a sentence has of them."""
    words = {uninflected(word.casefold()): word for word in re.findall(r"[^\W\d_]+", sentence)}
    return " ".join(words.get(one, one) for one in stems.split())


def squashed(text: str) -> str:
    """Return a text without case and without what is neither letter nor figure."""
    return re.sub(r"[\W_]+", "", text.casefold())


def quotes(sentence: str) -> Iterable[str]:
    """Yield what a sentence quotes, of at least two words; what it leaves out parts a quote."""
    for match in _QUOTED.finditer(sentence):
        for part in _LEFT_OUT.split(match[1] or match[2]):
            if len(part.split()) >= 2:
                yield part.strip()


def capitals(text: str) -> Iterable[str]:
    """Yield the words of a sentence that are names, as capitals show that begin no sentence."""
    for match in re.finditer(r"(?<![.:“\"]\s)(?<![“\"])(?<=\s)([A-Z][^\W\d_]+)", text):
        yield match[1]


def _mark(match: re.Match[str]) -> str:
    """Return a day as @2015-12-10, as precise as it is written; empty if it can be two days."""
    if match["iso"]:
        return "-".join(filter(None, (f"@{match['iso']}", match["iso_month"], match["iso_day"])))
    if match["year"]:
        month = f"@{match['year']}-{_MONTHS[match['month'].lower()]:02}"
        day = match["day"] or match["after"]
        return f"{month}-{int(day):02}" if day else month
    first, second = int(match["first"]), int(match["second"])
    if match["sign"] == "." or first > 12:
        first, second = second, first
    elif second <= 12 and first != second:
        return ""
    return f"@{match['last']}-{first:02}-{second:02}"


def less_precise(mark: str) -> Iterator[str]:
    """Yield a day with its month and its year."""
    yield mark
    year, *rest = mark.removeprefix("@").split("-")
    yield year
    if rest:
        yield f"@{year}-{rest[0]}"


def _directed(
    sentence: str, verb: re.Pattern[str], find: Callable[[str], list[str]]
) -> list[tuple[str, str]]:
    """Return the pairs that a sentence relates by a verb, which may be passive."""
    found = verb.search(sentence)
    if found is None:
        return []
    passive = found["passive"]
    before, after = find(sentence[: found.start()]), find(sentence[found.end() :])
    if not before:
        # "the works that cite 9,800,001 are …", "among those cited by 9,800,001 are …"
        before, after = after[1:], after[:1]
    elif not after:
        # "in 9,800,001, 4,580,670 is cited", "what 9,800,001 cites is …"
        before, after = (before[1:], before[:1]) if passive else (before[-1:], before[:-1])
    if passive:
        before, after = after, before
    return [(s, o) for s in before for o in after]
