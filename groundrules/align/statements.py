"""A statement held against its passages: its figures accounted for, what it turns, whom it names.

A statement is a sentence, a list item or a table row. What is found here are facts; the rules
decide which of them are faults.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from rdflib.term import Literal, Node

from groundrules.align.accounts import Contrast, Figure
from groundrules.align.cells import by_cells
from groundrules.align.closest_sentences import (
    NEAR,
    Names,
    contrasts_with,
    disputed,
    figures_with,
    keep_conflicts,
    one_difference,
    within,
)
from groundrules.align.coverage import LeftOver, bind_alike, covers, lacking
from groundrules.align.difference import Difference
from groundrules.align.exchanges import is_reordered
from groundrules.align.figures import account
from groundrules.align.grounding import Grounding
from groundrules.align.limits import KNOWN
from groundrules.align.normal_words import tables
from groundrules.align.parses import parse, parse_ahead
from groundrules.align.passages import stems, words
from groundrules.align.places import FigureIndex, index_figures, sense
from groundrules.align.projection import Relation
from groundrules.align.rows import Rows, beside_rows, names_columns
from groundrules.align.select import NAMED
from groundrules.align.source_sentences import sentences_around
from groundrules.claims.blocks import LONGEST
from groundrules.claims.english import WEEKDAYS
from groundrules.claims.legibility import foreign, language, unreadable
from groundrules.claims.literals import find_values
from groundrules.claims.offline import Extraction
from groundrules.claims.tongues import OTHER, is_language
from groundrules.terms import GR, RELATION, STATEMENT, Claim, Mention, Span, Triple

if TYPE_CHECKING:
    from groundrules.claims.grades import Grade
    from groundrules.models.readers import Entailment

_T = TypeVar("_T")

#: Statements before one that are read with it: what "that" and "the latter" speak of, and those
#: whose things its pronouns may stand for.
_BEFORE = 3
#: Words of a line without a full stop that can be a heading.
_HEADING = 14
_ENDS = ".!?;…"
#: A word; what stands in no group is an auxiliary cut short, which is no content: "shouldn't".
_WORD = re.compile(r"[^\W\d_]+n['\u2019]t\b|['\u2019](?:ll|re|ve)\b|([^\W\d_]{2,})")
#: A figure as any language writes it: "1.250,50", "1 250".
_FIGURE = re.compile(r"\d+(?:[.,'’]\d+|[ \u00a0\u202f]\d{3}(?!\d)){0,30}")
#: How a figure is accounted for that speaks for the statement.
ACCOUNTED = ("stated", "derived")
#: Words that no passage has, as many are shown.
_SHOWN = 4
#: The number of a heading: "## 3.2 ", "Section 12", "(4)", and the word before it.
_NUMBERED = re.compile(
    r"^\s*(?:#+\s*)?(?:(?P<part>[^\W\d]+) |§+ ?|(?<=#)|(?<=# )|(?=\S{0,9}[.):]))"
    r"\(?\d{1,3}(?:\.\d{1,3})*\b[.):]*(?=\s+[^\W\d_a-z]|\s*$)"
)
_LIST_MARK = ("-", "*", "•", "–", "|")
#: What follows a line that stands alone.
_ALONE = re.compile(r"[ \t*_]*+\n|\s*+\Z")
#: A heading under which nothing is asserted, and what takes back the sentence before it.
_UNSAID = re.compile(
    r"(?i)\b(?:drafts?|myths?|cancelled|repealed|superseded|void|proposals?|proposed|examples?|rejected)\b"
)
_TAKEN_BACK = re.compile(
    r"(?i)(?:no|not|false|wrong|untrue)\b[.!]|(?:this|that|it|so|which)\b[^.!?\n]{0,60}"
    r"\b(?:void|false|untrue|wrong|myth|cancelled|repealed|not true|says|said|claims?|rumou?r)\b"
)
#: How many lines above a sentence a heading of so many words is looked for.
_LINES, _SHORT = 40, 6
#: How many findings on statements are kept, of some sources each.
_KEPT = 12_288
#: For how many sets of sources that is kept, the last of them.
_SOURCES = 64
#: The kinds of mentions that stand for one thing in any words.
_WHO = frozenset({*NAMED, "TERM"})
#: Those of somebody or of a place.
_SOMEBODY = frozenset({"PERSON", "ORG", "LOC"})
#: How many statements are parsed together with their passages.
_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Naming:
    """A name in a statement and how well the sources know it, 0..1."""

    mention: Mention
    similarity: float


@dataclass(frozen=True, slots=True)
class AlignedStatement:
    """A statement beside its passages, of which that numbered `nearest` is the one to quote.

    `unreadable` says why it could not be read, empty if it could: in another language, the
    `tongue`, a `figure` whose digits no source has is absent. `verbatim` are the sources that have
    a sentence of the same words, `restated` those that entail it in other words
    (`align/coverage.py`), `excluded` those that exclude it, `added` what binds the nearest sentence
    and the statement leaves out: a condition, a restriction. It was `compared` where there is
    anything to hold it against, and is `exact` where its words or triples are all there. With each
    figure stand the places of the values that it rests on;
    `missing_words` are the content words that no passage has, figures and known names excepted.
    `phrased` says that a source has all
    its claims in a fixed phrase (`claims/phrases.py`); `left_over` are the words that the sentence
    nearest to it does not account for, `adds` those of it that the statement does not
    (`align/coverage.py`). `grade` is what a language model says
    of it, None where none was asked or what it says does not hold, or what a licensed reader
    decides. `read_by` is the reader that has read it, in whatever language, and `doubted` what one
    that doubts it found.
    """

    claim: Claim
    number: int
    text: str
    passages: tuple[Span, ...]
    compared: bool
    exact: bool
    figures: tuple[tuple[Figure, tuple[Span, ...]], ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    names: tuple[Naming, ...] = ()
    missing_words: tuple[str, ...] = ()
    unreadable: str = ""
    tongue: str = ""
    verbatim: frozenset[str] = frozenset()
    restated: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    added: str = ""
    grade: Grade | None = None
    read_by: str = ""
    doubted: Entailment | None = None
    phrased: bool = False
    left_over: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    nearest: int = 0

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.claim.span

    @property
    def lack(self) -> str:
        """What no source has, where none carries it."""
        if self.missing_words:
            return f"no passage has {quoted(self.missing_words)}"
        carried = self.verbatim or self.restated or self.phrased
        return "" if carried else "no one passage says all of it"

    @property
    def unstated(self) -> bool:
        """Whether it is in English and has a figure that no source gives, nor those that it has."""
        return not self.tongue and any(figure.account == "absent" for figure, _ in self.figures)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A statement with the texts of its passages, what was said before, and the names in it."""

    text: str
    passages: tuple[str, ...]
    before: tuple[str, ...]
    mentions: tuple[Mention, ...]

    def to_parse(self) -> tuple[str, ...]:
        """Return what is to be parsed for it, nothing where it is copied."""
        return () if any(self.copied()) else (self.text, *self.passages)

    def copied(self) -> list[bool]:
        """Return of each passage whether it has just the words and values of the statement."""
        own = words(self.text)
        values = [one.literal for one in find_values(self.text)]
        return [
            words(passage) == own and [one.literal for one in find_values(passage)] == values
            for passage in self.passages
        ]


def _frozen(names: Names) -> frozenset[tuple[str, frozenset[object]]]:
    return frozenset((source, frozenset(called.items())) for source, called in names.items())


@dataclass(frozen=True, slots=True)
class _Comparisons:
    """The figures of some sources, and what was found of statements held against them.

    A text repeats itself, and is read again with its edits: what a statement is beside the same
    passages, after the same statements, is found once.
    """

    index: FigureIndex
    known: dict[tuple[object, ...], Any] = field(default_factory=dict)

    def _once(self, key: tuple[object, ...], make: Callable[[], _T]) -> _T:
        """Return what is known by a key, made where it is not; the oldest makes room."""
        if key not in self.known:
            while len(self.known) >= _KEPT:
                del self.known[next(iter(self.known))]
            self.known[key] = make()
        found: _T = self.known[key]
        return found

    def account(self, statement: str, before: tuple[str, ...]) -> tuple[Figure, ...]:
        """Return how the sources account for the numbers of a statement."""
        return self._once(
            ("figures", statement, before), lambda: account(statement, self.index, before=before)
        )

    def cells_of(
        self, asked: _Asked, passages: tuple[Span, ...], sources: Sequence[Extraction]
    ) -> tuple[Contrast, ...]:
        """Return where the rows of tables exclude a statement."""
        return self._once(
            ("cells", asked.text, passages), lambda: tuple(_in_cells(asked.text, passages, sources))
        )

    def left_of(
        self, asked: _Asked, passages: tuple[Span, ...], sources: Sequence[Extraction], names: Names
    ) -> tuple[LeftOver, tuple[Difference, tuple[int, int, int]] | None]:
        """Return what a statement leaves over, and its one difference where it has just one."""
        return self._once(
            ("left", asked.text, passages, _frozen(names)),
            lambda: one_difference(
                asked.text, passages, sources, names, lambda: self.account(asked.text, ())
            ),
        )

    def covering(
        self, asked: _Asked, passages: tuple[Span, ...], sources: Sequence[Extraction], names: Names
    ) -> frozenset[str]:
        """Return the sources that bear a statement out word by word."""
        return self._once(
            ("covering", asked.text, passages, _frozen(names)),
            lambda: _covering(asked.text, passages, sources, names),
        )

    def knows(self, asked: _Asked, passages: tuple[Span, ...]) -> bool:
        """Return whether a statement was held against its passages before."""
        return ("cells", asked.text, passages) in self.known


class _Mentions:
    """The mentions of a document, found by where they begin."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self._placed = sorted(enumerate(mentions), key=lambda pair: pair[1].span.start)
        self._starts = [mention.span.start for _, mention in self._placed]

    def within(self, start: int, end: int) -> list[Mention]:
        """Return those that begin in a range, in the order of the document's."""
        own = self._placed[bisect_left(self._starts, start) : bisect_left(self._starts, end)]
        return [mention for _, mention in sorted(own, key=lambda pair: pair[0])]


@lru_cache(maxsize=_SOURCES)
def _comparisons_with(
    texts: tuple[str, ...], sentences: tuple[tuple[Span, ...], ...]
) -> _Comparisons:
    return _Comparisons(
        index_figures(texts, [[(span.start, span.end) for span in own] for own in sentences])
    )


def read_sources(sources: Sequence[Extraction]) -> None:
    """Read of sources now what statements are held against, which else waits for the first."""
    _comparisons_with(*_beside(sources))
    for source in sources:
        body = source.document.text
        places = [(span.start, span.end) for span in source.sentences]
        sentences = [body[start:end] for start, end in places]
        parse_ahead(sentences)
        sentences_around(body, places)


def index_of(sources: Sequence[Extraction]) -> FigureIndex:
    """Return the index of the numbers of sources, which is made once for each set of them."""
    return _comparisons_with(*_beside(sources)).index


def _beside(sources: Sequence[Extraction]) -> tuple[tuple[str, ...], tuple[tuple[Span, ...], ...]]:
    """Return the texts of sources and where their sentences stand."""
    return (
        tuple(source.document.text for source in sources),
        tuple(tuple(source.sentences) for source in sources),
    )


def align_statements(
    text: Extraction,
    sources: Sequence[Extraction],
    grounding: Grounding | None,
    cut: Sequence[tuple[int, int]] = (),
) -> tuple[AlignedStatement, ...]:
    """Return the statements of a text in order, each held against the sources.

    Without a grounding they are only read. Headings, which assert nothing, are left out. `cut`
    are the ranges of words too long to be read, in order; a statement with one is unreadable.
    """
    body = text.document.text
    around, strange = language(body), foreign(source.document.text for source in sources)
    grounded = {s.start: s for s in grounding.sentences} if grounding else {}
    comparisons = _comparisons_with(*_beside(sources))
    mentions = _Mentions(text.mentions)
    bodies = {source.document.name: source.document.text for source in sources}
    said: list[str] = []
    out: list[AlignedStatement] = []
    waiting: list[tuple[int, _Asked]] = []
    spoken: dict[int, list[Claim]] = defaultdict(list)
    for claim in text.claims:
        spoken[claim.sentence].append(claim)
    phrased = _phrased(sources)
    for number, span in enumerate(text.sentences):
        sentence = body[span.start : span.end]
        if not words(sentence) and not sentence.strip(" \t\n-*_=#|:.,•–—"):
            continue
        reason = unreadable(sentence, around, strange) or _too_long(span, cut)
        reason = reason or _is_cut(body, text.sentences, number)
        if not reason and number not in spoken and _is_heading(body, span, sentence, sources):
            continue
        if names_columns(body, span.start, sources):
            continue
        beside = grounded.get(span.start)
        passages = tuple(Span(*place) for place in beside.passages) if beside else ()
        aligned = AlignedStatement(
            statement_claim(text.document.name, number, span, sentence),
            number,
            sentence,
            passages,
            beside is not None,
            beside is not None and beside.exact,
            unreadable=reason,
        )
        if beside is not None and is_language(reason):
            aligned = _of_a_tongue(aligned, strange, sources)
        if not reason and beside is not None and grounding is not None:
            named = mentions.within(span.start, span.end)
            texts = tuple(bodies[p.source][p.start : p.end] for p in passages)
            asked = _Asked(sentence, texts, tuple(said), tuple(named))
            rows = beside_rows(body, span.start, span.end, sources)
            if rows is None:
                waiting.append((len(out), asked))
            else:
                aligned = _beside_rows(aligned, asked, rows, sources, comparisons)
        out.append(aligned)
        said.insert(0, sentence)
        del said[_BEFORE:]
    for at in range(0, len(waiting), _AT_ONCE):
        batch = waiting[at : at + _AT_ONCE]
        fresh = [one for at, one in batch if not comparisons.knows(one, out[at].passages)]
        parse_ahead([text for one in fresh for text in one.to_parse()])
        for place, one in batch:
            assert grounding is not None
            aligned = _compared(out[place], one, sources, comparisons, grounding)
            own = spoken.get(aligned.number, ())
            told = _is_phrased(own, phrased) and bind_alike(one.text, one.passages)
            told = told and _is_named_alike(one, aligned, own)
            out[place] = replace(aligned, phrased=told)
    return tuple(out)


def _of_a_tongue(
    aligned: AlignedStatement, strange: Sequence[str], sources: Sequence[Extraction]
) -> AlignedStatement:
    """Return a statement in a language that is not read, for a reader that is licensed for it.

    A figure whose digits no source has is absent. One of which only is known that it is no English
    is taken for one in the language of the sources.
    """
    tongues = {language(text) for text in strange}
    tongue = aligned.unreadable
    if tongue == OTHER and len(tongues) == 1:
        tongue = tongues.pop() or tongue
    there = frozenset().union(*(_digits_of(one.document.text) for one in sources))
    figures = tuple(
        (Figure(*m.span(), m[0], "NUMBER", "stated" if own <= there else "absent"), ())
        for m in _FIGURE.finditer(aligned.text)
        if (own := _digits_of(m[0]))
    )
    hint = f"{aligned.unreadable}; a reader that is licensed for it may read it"
    return replace(aligned, figures=figures, tongue=tongue, unreadable=hint)


@lru_cache(maxsize=_SOURCES)
def _digits_of(text: str) -> frozenset[str]:
    """Return the figures of a text by their digits alone, decimals of nought left out."""
    found = (re.sub(r"[.,]0+$", "", one) for one in _FIGURE.findall(text))
    return frozenset(re.sub(r"\D", "", one) for one in found)


def statement_claim(name: str, number: int, span: Span, text: str) -> Claim:
    """Return a statement as a focus node of rules: `id gr:text "its words"`."""
    node = STATEMENT[f"{quote(name, safe='', errors='surrogatepass')}:sentence:{number}"]
    triple = Triple(node, GR.text, Literal(text))
    return Claim(node, triple, span, origin="statement", sentence=number)


def _too_long(span: Span, cut: Sequence[tuple[int, int]]) -> str:
    """Return that a sentence has a word too long to be read, empty where it has none."""
    at = bisect_left(cut, (span.start, 0))
    if at == len(cut) or cut[at][0] >= span.end:
        return ""
    start, end = cut[at]
    return f"a word of {end - start:,} characters"


#: What ends a sentence, or a clause that is read by itself.
_ENDS = ".?!:;\"'”’)]}*–—…"


def _is_cut(body: str, sentences: Sequence[Span], number: int) -> str:
    """Return that a sentence is a part of one that is too long to be parsed, empty if it is none.

    A parser is given no more than `LONGEST` characters, which end within a line then.
    """
    for before, after in ((number - 1, number), (number, number + 1)):
        if before < 0 or after >= len(sentences):
            continue
        end, start = sentences[before].end, sentences[after].start
        whole = body[sentences[before].start : sentences[after].end]
        if (
            len(whole) > LONGEST
            and body[end - 1 : end] not in _ENDS
            and not re.search(r"[^ \t]", body[end:start])
        ):
            return f"a part of a sentence of more than {LONGEST:,} characters"
    return ""


def _is_heading(body: str, span: Span, sentence: str, sources: Sequence[Extraction]) -> bool:
    """Return whether a line without a claim is a title or a lead-in, which asserts nothing.

    A word and a number are one where they count the parts of a text, "Section 5", or a source has
    them: "Plant 9" may say how much.
    """
    if not _ALONE.match(body, span.end):
        return False
    line = body[body.rfind("\n", 0, span.start) + 1 : span.start] + sentence
    stripped = line.strip().strip("*_")
    if stripped.startswith(_LIST_MARK):
        return False
    if re.search(r"\d", _NUMBERED.sub("", stripped)):  # "Leave: 25 days" states something
        return False
    part = (numbered := _NUMBERED.match(stripped)) and numbered["part"]
    if part and part.lower() not in tables()["numbered"]:
        said = f" {' '.join(stripped.strip('# ').split())} "
        if not any(said in f" {' '.join(one.document.text.split())} " for one in sources):
            return False
    if stripped.startswith("#") or stripped.endswith(":"):
        return True
    return not stripped.endswith(tuple(_ENDS)) and len(stripped.split()) <= _HEADING


def _compared(
    aligned: AlignedStatement,
    asked: _Asked,
    sources: Sequence[Extraction],
    comparisons: _Comparisons,
    grounding: Grounding,
) -> AlignedStatement:
    texts, before = asked.passages, asked.before
    verbatim = frozenset(
        p.source for p, copied in zip(aligned.passages, asked.copied(), strict=True) if copied
    )
    figures = [
        (
            figure,
            tuple(Span(sources[n].document.name, start, end) for n, start, end in figure.places),
        )
        for figure in comparisons.account(aligned.text, before)
    ]
    called = {
        source.document.name: _names_in(source, asked.mentions, aligned.span.start)
        for source in sources
        if within(aligned.passages, source)
    }
    left, single = LeftOver((), ()), None
    reordered = any(is_reordered(asked.text, passage) for passage in texts)
    if not (verbatim or reordered):
        left, single = comparisons.left_of(asked, aligned.passages, sources, called)
    if reordered:  # each figure stands with what it is of
        figures = [(replace(one, account="stated"), places) for one, places in figures]
    figures = keep_conflicts(figures, left.statement, sources)
    if len(asked.text.split()) <= _SHORT and not asked.text.rstrip().endswith(tuple(_ENDS)):
        figures = [_with_its_thing(one, asked) for one in figures]
    names = tuple(
        Naming(m, max(grounding.entities[m.node], grounding.named.get(m.node, 0.0)))
        for m in asked.mentions
        if m.kind in NAMED and m.node in grounding.entities
    )
    covering = comparisons.covering(asked, aligned.passages, sources, called)
    if any(figure.account in {"absent", "conflict"} for figure, _ in figures):
        covering &= verbatim  # a figure that the sources give of another thing, or not at all
    restated, verbatim = covering - verbatim, covering & verbatim
    if single is not None and single[0].kind == "figure" and not (restated or verbatim):
        figures = list(figures_with(figures, *single, sources))
    excluding: tuple[Contrast, ...] = ()
    if not (verbatim or restated):
        excluding = comparisons.cells_of(asked, aligned.passages, sources)
        if single is not None and single[0].kind != "figure":
            excluding = (*excluding, *contrasts_with(asked.text, *single))
    other = disputed(asked.text, aligned.passages, verbatim | restated, sources)
    found = excluding
    if other is not None:
        found = (*found, *contrasts_with(asked.text, replace(other[0], kind="dispute"), other[1]))
    values = [place for figure, _ in figures for place in figure.places]
    values += [place for contrast in found for place in contrast.places]
    around = {place: _sentence_of(sources[place[0]], place[1]) for place in values}
    passages = tuple(dict.fromkeys([*aligned.passages, *around.values()]))
    missing_words = tuple(dict.fromkeys(_missing_words(aligned, texts, figures, names)))
    copied = bool(verbatim or restated)
    near = not (copied or left.statement) and len(left.source) <= len(words(asked.text)) / 2
    return replace(
        aligned,
        passages=passages,
        figures=tuple(figures),
        # of two values that were compared the first stands for both
        contrasts=tuple(
            replace(one, passage=passages.index(around[one.places[0]])) if one.places else one
            for one in found
        ),
        names=names,
        missing_words=() if copied else missing_words,
        verbatim=verbatim,
        restated=restated,
        excluded=frozenset(
            sources[place[0]].document.name for one in excluding for place in one.places
        ),
        added=left.adds if near else "",
        left_over=left.statement,
        adds=left.source if single is None else (),  # it was compared with another sentence
        nearest=_nearest(aligned.text, passages, figures, sources),
    )


def _with_its_thing(
    pair: tuple[Figure, tuple[Span, ...]], asked: _Asked
) -> tuple[Figure, tuple[Span, ...]]:
    """Return a figure of a line of few words, as absent where no passage has it of their thing."""
    figure, places = pair
    own = set(stems(asked.text[: figure.start] + asked.text[figure.end :]))
    there = [one for one in asked.passages if {*words(figure.text)} <= {*words(one)}]
    told = any("|" in one or own.intersection(stems(one)) for one in there)
    if figure.account != "stated" or not own or told:
        return pair
    return replace(figure, account="absent"), places


def _is_unsaid(text: str, passage: str) -> bool:
    """Return whether what stands around a sentence takes it back: a heading, or what follows it."""
    at = text.find(passage)
    behind = text[at + len(passage) :].lstrip()[:NEAR].partition("\n")[0] if at >= 0 else ""
    if _TAKEN_BACK.match(behind):
        return True
    for line in reversed(text[: max(at, 0)].split("\n")[-_LINES:]):
        said = line.strip()
        short = bool(said) and said[-1] not in ".?!;,|”" and len(said.split()) <= _SHORT
        if said.startswith("#") or short:
            return bool(_UNSAID.search(said))
    return False


def _covering(
    text: str, passages: Sequence[Span], sources: Sequence[Extraction], names: Names
) -> frozenset[str]:
    """Return the sources that bear a statement out word by word, in words of one meaning too."""
    known = set()
    for source in sources:
        name, body = source.document.name, source.document.text
        if name not in names:
            continue
        said = [
            (one.text, one.before)
            for one in sentences_around(body, within(passages, source))
            if not _is_unsaid(body, one.text)
        ]
        own = " ".join(text.split())
        copied = [
            there for one in passages
            if one.source == name
            for there in (body[one.start : one.end],)
            if " ".join(there.split()) == own and not _is_unsaid(body, there)
        ]  # fmt: skip
        if (
            copied
            or ("|" in body and by_cells(body, parse(text))[0] is Relation.SAME)
            or covers(text, said, names[name], entailed=False)
            or covers(text, said, names[name], entailed=True)
        ):
            known.add(name)
    return frozenset(known)


def _beside_rows(
    aligned: AlignedStatement,
    asked: _Asked,
    rows: Rows,
    sources: Sequence[Extraction],
    comparisons: _Comparisons,
) -> AlignedStatement:
    """Return a row of a table that the rows of sources carry, or differ from."""
    places = rows.carrying or [place for one in rows.contrasts for place in one.places]
    beside = [Span(sources[number].document.name, *place) for number, *place in places]
    figures = comparisons.account(aligned.text, asked.before) if not beside else ()
    held = tuple(
        (one, tuple(Span(sources[n].document.name, start, end) for n, start, end in one.places))
        for one in figures
    )
    return replace(
        aligned,
        passages=tuple(dict.fromkeys([*beside, *aligned.passages])),
        figures=held,
        contrasts=rows.contrasts,
        missing_words=()
        if beside
        else tuple(dict.fromkeys(_missing_words(aligned, asked.passages, held, ()))),
        verbatim=frozenset(sources[number].document.name for number, *_ in rows.carrying),
    )


def _names_in(
    source: Extraction, mentions: Sequence[Mention], start: int
) -> dict[tuple[int, int], frozenset[str]]:
    """Return what a source calls the things that a statement, which begins at `start`, names."""
    called: dict[Node, set[str]] = defaultdict(set)
    asked = {one.node for one in mentions if one.kind in _WHO}
    for one in source.mentions if asked else ():
        if one.node in asked and one.kind in _WHO:
            called[one.node].add(one.text)
    return {
        (one.span.start - start, one.span.end - start): frozenset(called[one.node] - {one.text})
        for one in mentions
        if called.get(one.node, set()) - {one.text}
    }


def _in_cells(
    text: str, passages: Sequence[Span], sources: Sequence[Extraction]
) -> Iterator[Contrast]:
    """Yield the rows of tables that have all but one of the values of a statement."""
    for number, source in enumerate(sources):
        body = source.document.text
        relation, row = by_cells(body, parse(text)) if "|" in body else (Relation.OPEN, None)
        if row is not None and relation.refutes and within(passages, source):
            stated = body[slice(*row)]
            yield Contrast("value", 0, len(text), text, stated, 0, ((number, *row),))


def _nearest(
    text: str,
    passages: Sequence[Span],
    figures: Sequence[tuple[Figure, tuple[Span, ...]]],
    sources: Sequence[Extraction],
) -> int:
    """Return which passage has the most words and figures of a statement, the first of several."""
    own = set(stems(text))
    bodies = {source.document.name: source.document.text for source in sources}

    def shared(number: int) -> int:
        name, start, end = astuple(passages[number])
        stated = (
            any(place.source == name and start <= place.start < end for place in places)
            for _, places in figures
        )
        return len(own.intersection(stems(bodies[name][start:end]))) + sum(stated)

    return max(range(len(passages)), key=shared, default=0)


def _missing_words(
    aligned: AlignedStatement,
    passages: Sequence[str],
    figures: Iterable[tuple[Figure, object]],
    names: Iterable[Naming],
) -> Iterator[str]:
    """Yield the content words of a statement that no passage has, in any form or of one meaning."""
    there = {form for passage in passages for word in words(passage) for form in _forms(word)}
    if any("°" in passage for passage in passages):
        there |= _forms("degree") | _forms("degrees")
    short = {word for passage in passages for word in re.findall(r"\b[A-Z][a-z]{2}\b", passage)}
    there |= {form for day in WEEKDAYS if day[:3].title() in short for form in _forms(day)}
    spared = [(figure.start, figure.end) for figure, _ in figures]
    spared += [
        (n.mention.span.start - aligned.span.start, n.mention.span.end - aligned.span.start)
        for n in names
        if n.similarity >= KNOWN
    ]
    for word, _ in _content(aligned.text, spared):
        if there.isdisjoint(_forms(word)):
            yield word


def _phrased(sources: Iterable[Extraction]) -> dict[tuple[object, ...], bool]:
    """Return what the sources claim, and whether a fixed phrase says it in words of its own."""
    out: dict[tuple[object, ...], bool] = {}
    for source in sources:
        for claim in source.claims:
            out[_content_key(claim)] = out.get(_content_key(claim), False) or claim.parts[1] is None
    return out


def _content_key(claim: Claim) -> tuple[object, ...]:
    return claim.triple, claim.polarity, claim.modality, claim.attribution


def _is_named_alike(asked: _Asked, aligned: AlignedStatement, claims: Iterable[Claim]) -> bool:
    """Return whether a fixed phrase has its names as a source has: none more, in the same order.

    Those of somebody, whom its claims tell of, are compared by them. Nor is a word left over that
    binds, counts or turns, and where nothing is, no name of the source that may limit what it says:
    "firms in Norway".
    """
    at, left = aligned.span.start, aligned.left_over
    ends = [end for claim in claims for end in (claim.parts[0], claim.parts[2]) if end is not None]
    told = [
        (m.span.start - at, m.span.end - at)
        for m in asked.mentions
        if m.kind in _SOMEBODY
        and any(e.start <= m.span.start and m.span.end == e.end for e in ends)
    ]
    first, *others = re.finditer(r"\w+", asked.text)
    own = [
        (n, word[0].casefold())
        for n, word in enumerate(others)
        if word[0][0].isupper() and not any(a <= word.start() < b for a, b in told)
    ]
    if any(word.lower() in _binding() for word in left):
        return False
    if not left and any(word[:1].isupper() for word in aligned.adds):
        return False
    alone = not own or own[-1][0] - own[0][0] == len(own) - 1  # else two may be exchanged
    nearest = sorted(asked.passages, key=lambda passage: lacking(asked.text, passage))
    for passage in nearest if alone else nearest[:1]:
        there = re.findall(r"\w+", passage.casefold())
        opening = [first[0].casefold()] if first[0].casefold() in there else []
        places = iter(there)
        if all(name in places for name in opening + [name for _, name in own]):
            return True
    return False


def may_bind(word: str) -> bool:
    """Return whether a word of a statement may limit, count or turn what it says: no plain word."""
    limits = _binding() - tables()["forces"].keys()
    return word[:1].isupper() or any(map(str.isdigit, word)) or word.lower() in limits


@lru_cache(maxsize=1)
def _binding() -> frozenset[str]:
    names = ("universal", "limiting", "joining", "few", "seldom", "rare", "some", "shares")
    rows = [frozenset(tables()[name]) for name in names]
    return frozenset().union(*rows, *tables()["turns"], tables()["forces"]) - {"a", "an", "with"}


def _is_phrased(claims: Iterable[Claim], known: Mapping[tuple[object, ...], bool]) -> bool:
    """Return whether the sources claim by a fixed phrase just what a statement claims.

    "Delaware law governs this contract" and "shall be construed under the laws of Delaware" are
    one claim, though hardly a word is tied alike.
    """
    told = [c for c in claims if c.parts[1] is None or isinstance(c.triple.object, Literal)]
    told = [c for c in told if c.triple.predicate != RELATION["be"]]  # "the tanker Brila"
    return bool(told) and all(
        _content_key(c) in known and (c.parts[1] is None or known[_content_key(c)]) for c in told
    )


def _content(text: str, spared: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int]]:
    """Yield the content words of a statement with their places, those in some ranges apart."""
    from spacy.lang.en.stop_words import STOP_WORDS

    for match in _WORD.finditer(text):
        word = match[1]
        if word is None or word.casefold() in STOP_WORDS or not stems(word):
            continue
        if not any(start < match.end() and match.start() < end for start, end in spared):
            yield word, match.start()


@lru_cache(maxsize=16384)
def _forms(word: str) -> frozenset[str]:
    """Return by what a word is found: its beginning, the mark of its meaning, its singular."""
    return frozenset({*stems(word), sense(word), word.casefold().removesuffix("s")})


def _sentence_of(source: Extraction, place: int) -> Span:
    """Return the sentence of a source that a place lies in, or the last before it."""
    number = bisect_right(source.sentences, place, key=lambda span: span.start) - 1
    span = source.sentences[max(number, 0)]
    return Span(source.document.name, span.start, span.end)


def quoted(found: Sequence[str]) -> str:
    """Return the first of some words in quotation marks, in their order."""
    shown = ", ".join(f"“{word}”" for word in found[:_SHOWN])
    more = len(found) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
