"""A statement held against its passages: its figures accounted for, what it turns, whom it names.

A statement is a sentence, a list item or a table row. What is found here are facts; the rules
decide which of them are faults.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from rdflib.term import Literal, Node

from groundrules.align.accounts import Contrast, Figure
from groundrules.align.alignments import SHORT, Comparisons, Hypothesis, comparisons_with
from groundrules.align.clauses.coverage import LeftOver
from groundrules.align.closest_sentences import (
    contrasts_with,
    disputed,
    figures_with,
    keep_conflicts,
    within,
)
from groundrules.align.graphs.grounding import Grounding
from groundrules.align.graphs.select import NAMED
from groundrules.align.limits import KNOWN
from groundrules.align.missing_words import missing_words, quoted
from groundrules.align.phrased import is_told, phrased_claims
from groundrules.align.rows import Rows, beside_rows, names_columns
from groundrules.align.unasserted import ENDS, is_cut, is_heading, too_long
from groundrules.align.words.exchanges import is_reordered
from groundrules.align.words.parses import parse_ahead
from groundrules.align.words.passages import stems, words
from groundrules.claims.documents.legibility import foreign, language, unreadable
from groundrules.claims.documents.tongues import OTHER, is_language
from groundrules.claims.facts.offline import Extraction
from groundrules.terms import GR, STATEMENT, Claim, Mention, Span, Triple

if TYPE_CHECKING:
    from groundrules.claims.models.grades import Grade
    from groundrules.models.readers import Entailment

#: Statements before one that are read with it: what "that" and "the latter" speak of, and those
#: whose things its pronouns may stand for.
_BEFORE = 3
#: A figure as any language writes it: "1.250,50", "1 250".
_FIGURE = re.compile(r"\d+(?:[.,'’]\d+|[ \u00a0\u202f]\d{3}(?!\d)){0,30}")
#: How a figure is accounted for that speaks for the statement.
ACCOUNTED = ("stated", "derived")
#: For how many sources the figures are kept that they have in whatever language.
_SOURCES = 64
#: The kinds of mentions that stand for one thing in any words.
_WHO = frozenset({*NAMED, "TERM"})
#: How many statements are parsed together with their passages.
_AT_ONCE = 64

#: A figure with the places of the values that it rests on.
Placed = tuple[Figure, tuple[Span, ...]]


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
    (`coverage.py`), `excluded` those that exclude it, `added` what binds the nearest sentence
    and the statement leaves out: a condition, a restriction. It was `compared` where there is
    anything to hold it against, and is `exact` where its words or triples are all there. With each
    figure stand the places of the values that it rests on;
    `missing_words` are the content words that no passage has, figures and known names excepted.
    `phrased` says that a source has all
    its claims in a fixed phrase (`claims/facts/phrases.py`); `left_over` are the words that the
    sentence
    nearest to it does not account for, `adds` those of it that the statement does not
    (`clauses/coverage.py`). `grade` is what a language model says
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
    figures: tuple[Placed, ...] = ()
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


class _Mentions:
    """The mentions of a document, found by where they begin."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self._placed = sorted(enumerate(mentions), key=lambda pair: pair[1].span.start)
        self._starts = [mention.span.start for _, mention in self._placed]

    def within(self, start: int, end: int) -> list[Mention]:
        """Return those that begin in a range, in the order of the document's."""
        own = self._placed[bisect_left(self._starts, start) : bisect_left(self._starts, end)]
        return [mention for _, mention in sorted(own, key=lambda pair: pair[0])]


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
    comparisons = comparisons_with(sources)
    mentions = _Mentions(text.mentions)
    bodies = {source.document.name: source.document.text for source in sources}
    said: list[str] = []
    out: list[AlignedStatement] = []
    waiting: list[tuple[int, Hypothesis]] = []
    spoken: dict[int, list[Claim]] = defaultdict(list)
    for claim in text.claims:
        spoken[claim.sentence].append(claim)
    phrased = phrased_claims(sources)
    for number, span in enumerate(text.sentences):
        sentence = body[span.start : span.end]
        if not words(sentence) and not sentence.strip(" \t\n-*_=#|:.,•–—"):
            continue
        reason = unreadable(sentence, around, strange) or too_long(span, cut)
        reason = reason or is_cut(body, text.sentences, number)
        if not reason and number not in spoken and is_heading(body, span, sentence, sources):
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
            asked = Hypothesis(sentence, texts, tuple(said), tuple(named))
            rows = beside_rows(body, span.start, span.end, sources)
            if rows is None:
                waiting.append((len(out), asked))
            else:
                aligned = _beside_rows(aligned, asked, rows, sources, comparisons)
        out.append(aligned)
        said.insert(0, sentence)
        del said[_BEFORE:]
    if grounding is None:
        return tuple(out)
    for at in range(0, len(waiting), _AT_ONCE):
        batch = waiting[at : at + _AT_ONCE]
        fresh = [one for place, one in batch if not comparisons.knows(one, out[place].passages)]
        parse_ahead([text for one in fresh for text in one.to_parse()])
        for place, one in batch:
            aligned = _compared(out[place], one, sources, comparisons, grounding)
            left = LeftOver(aligned.left_over, aligned.adds)
            own = spoken.get(aligned.number, ())
            told = is_told(one, aligned.span.start, left, own, phrased)
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


def _compared(
    aligned: AlignedStatement,
    asked: Hypothesis,
    sources: Sequence[Extraction],
    comparisons: Comparisons,
    grounding: Grounding,
) -> AlignedStatement:
    verbatim = frozenset(
        p.source for p, copied in zip(aligned.passages, asked.copied(), strict=True) if copied
    )
    figures = _placed(comparisons.account(aligned.text, asked.before), sources)
    called = {
        source.document.name: _names_in(source, asked.mentions, aligned.span.start)
        for source in sources
        if within(aligned.passages, source)
    }
    left, single = LeftOver((), ()), None
    reordered = any(is_reordered(asked.text, passage) for passage in asked.passages)
    if not (verbatim or reordered):
        left, single = comparisons.left_of(asked, aligned.passages, sources, called)
    if reordered:  # each figure stands with what it is of
        figures = [(replace(one, account="stated"), places) for one, places in figures]
    figures = keep_conflicts(figures, left.statement, sources)
    if len(asked.text.split()) <= SHORT and not asked.text.rstrip().endswith(tuple(ENDS)):
        figures = [_with_its_thing(one, asked) for one in figures]
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
    names = _namings(asked, grounding)
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
        missing_words=() if copied else _missing_words(aligned, asked.passages, figures, names),
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


def _namings(asked: Hypothesis, grounding: Grounding) -> tuple[Naming, ...]:
    """Return the names in a statement, each with how well the sources know it."""
    return tuple(
        Naming(m, max(grounding.entities[m.node], grounding.named.get(m.node, 0.0)))
        for m in asked.mentions
        if m.kind in NAMED and m.node in grounding.entities
    )


def _with_its_thing(pair: Placed, asked: Hypothesis) -> Placed:
    """Return a figure of a line of few words, as absent where no passage has it of their thing."""
    figure, places = pair
    own = set(stems(asked.text[: figure.start] + asked.text[figure.end :]))
    there = [one for one in asked.passages if {*words(figure.text)} <= {*words(one)}]
    told = any("|" in one or own.intersection(stems(one)) for one in there)
    if figure.account != "stated" or not own or told:
        return pair
    return replace(figure, account="absent"), places


def _beside_rows(
    aligned: AlignedStatement,
    asked: Hypothesis,
    rows: Rows,
    sources: Sequence[Extraction],
    comparisons: Comparisons,
) -> AlignedStatement:
    """Return a row of a table that the rows of sources carry, or differ from."""
    places = rows.carrying or [place for one in rows.contrasts for place in one.places]
    beside = [Span(sources[number].document.name, *place) for number, *place in places]
    figures = comparisons.account(aligned.text, asked.before) if not beside else ()
    held = tuple(_placed(figures, sources))
    return replace(
        aligned,
        passages=tuple(dict.fromkeys([*beside, *aligned.passages])),
        figures=held,
        contrasts=rows.contrasts,
        missing_words=() if beside else _missing_words(aligned, asked.passages, held, ()),
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


def _nearest(
    text: str,
    passages: Sequence[Span],
    figures: Sequence[Placed],
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


def _placed(
    figures: Sequence[Figure], sources: Sequence[Extraction]
) -> list[tuple[Figure, tuple[Span, ...]]]:
    """Return figures with the places of the values that they rest on."""
    names = [source.document.name for source in sources]
    return [(one, tuple(Span(names[n], a, b) for n, a, b in one.places)) for one in figures]


def _missing_words(
    aligned: AlignedStatement,
    passages: Sequence[str],
    figures: Sequence[Placed],
    names: Sequence[Naming],
) -> tuple[str, ...]:
    """Return the content words that no passage has, figures and known names excepted."""
    at = aligned.span.start
    known = (one.mention.span for one in names if one.similarity >= KNOWN)
    spared = [(figure.start, figure.end) for figure, _ in figures]
    spared += [(span.start - at, span.end - at) for span in known]
    return tuple(dict.fromkeys(missing_words(aligned.text, passages, spared)))


def _sentence_of(source: Extraction, place: int) -> Span:
    """Return the sentence of a source that a place lies in, or the last before it."""
    number = bisect_right(source.sentences, place, key=lambda span: span.start) - 1
    span = source.sentences[max(number, 0)]
    return Span(source.document.name, span.start, span.end)
