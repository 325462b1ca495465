"""What a statement leaves over beside the sentences of its sources, and the one difference.

In: a statement and its passages. Out: the words left over, and what refutes it where that alone
differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from groundrules.align.accounts import Contrast, Figure
from groundrules.align.clauses.coverage import (
    LeftOver,
    bind_alike,
    compare,
    has_figures,
    is_near,
    lacking,
    wordings,
)
from groundrules.align.clauses.difference import Difference, crossed, difference
from groundrules.align.clauses.variants import variants
from groundrules.align.sums.derivations import Operand, derive, every_cue
from groundrules.align.words.bearing import OPENING
from groundrules.align.words.normal_words import tables
from groundrules.align.words.parses import parse
from groundrules.align.words.passages import stems, words
from groundrules.align.words.source_sentences import SourceSentence, sentences_around
from groundrules.claims.english import MONTHS, ORDINALS, WEEKDAYS
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.values.measures import agree
from groundrules.claims.values.numbers import read_numbers
from groundrules.terms import Span

#: By the names of sources, what each calls the things that a statement names.
Names = Mapping[str, Mapping[tuple[int, int], frozenset[str]]]
#: Behind a sentence so many characters may tell of another what it tells of one.
NEAR = 120
#: Beside how many sentences, those that lack the fewest of its words, what is left over is sought.
_NEAREST = 4
#: So many words may two sentences not share of which one has the other's place.
_FEW = 8
#: So many words stand beside a figure that refutes.
_BESIDE = 2
#: What tells one thing from others of its name: "Loan A", "Phase II".
_LABELLED = re.compile(r"\b[^\W\d_]{2,}\s(?:[A-Z]|[IVX]{2,5})\b")
#: What tells documents of one kind from each other over their sentences, the number of a heading
#: apart, and in them; and what tells of another version of one.
_LABEL = re.compile(r"(?<![\w.])(?!\A)(?:\d[\d./-]*|[A-Z]|[IVX]{2,5})\b")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_VERSION = re.compile(
    r"(?i)(?<![^\W_])(?:amend|restat|supersed|revis|version|draft|previous|former)"
)
#: The kinds of names by which it is told whom and what a document is about.
_WHOSE = frozenset({"PERSON", "ORG", "LOC"})


def one_difference(
    text: str,
    passages: Sequence[Span],
    sources: Sequence[Extraction],
    names: Names,
    account: Callable[[], Sequence[Figure]],
) -> tuple[LeftOver, tuple[Difference, tuple[int, int, int]] | None]:
    """Return what a statement leaves over, and its one difference where it has just one.

    `account` is asked for the figures of the statement only where no sentence differs in one place.
    """
    left, passage = _least_left_over(text, passages, sources, names)
    single = _single(text, passages, sources, names)
    return left, single or _other_figure(text, left, passage, account(), passages, sources)


def within(passages: Sequence[Span], source: Extraction) -> list[tuple[int, int]]:
    """Return the ranges of those passages that are of a source."""
    return [(p.start, p.end) for p in passages if p.source == source.document.name]


def _least_left_over(
    text: str, passages: Sequence[Span], sources: Sequence[Extraction], names: Names
) -> tuple[LeftOver, str]:
    """Return the least that a statement and one sentence of the sources leave over, and that.

    Of sentences that are all far from it only the words that the nearest lacks are told.
    """
    beside = [
        (one, names[source.document.name])
        for source in sources
        if source.document.name in names
        for one in sentences_around(source.document.text, within(passages, source))
    ]
    pairs = [
        (wording, one.text, one.before)
        for one, called in beside
        for wording in wordings(text, called)
        if is_near(wording, one.text, one.before)
    ]
    nearest = sorted(
        pairs, key=lambda pair: (lacking(*pair[:2]), lacking(pair[1], pair[0]), len(pair[1]))
    )[:_NEAREST]
    if not nearest:
        said = re.findall(r"\w+", text)
        there = [set(stems(one.text)) for one, _ in beside]
        lacks = [tuple(w for w in said if not one.issuperset(stems(w))) for one in there]
        return LeftOver(min(lacks, key=len, default=tuple(said)), ()), ""
    return min(
        ((compare(*pair, entailed=True, tied=False), pair[1]) for pair in nearest),
        key=lambda one: (len(one[0].statement), len(one[0].source)),
    )


def keep_conflicts(
    figures: Sequence[tuple[Figure, tuple[Span, ...]]],
    left: Sequence[str],
    sources: Sequence[Extraction],
) -> list[tuple[Figure, tuple[Span, ...]]]:
    """Return figures, as absent those that a source gives otherwise beside other words.

    A figure is refuted only where it is the one difference from what a sentence of a source says.
    """
    wrong = [figure.text for figure, _ in figures if figure.account == "conflict"]
    parts = {word for text in wrong for word in (text, *text.split())}
    alone = bool(left) and parts.issuperset(left)  # else the sentence has the figure, too
    return [
        (one, places)
        if one.account != "conflict" or (alone and not _is_end_of_range(one, sources))
        else (replace(one, account="absent"), places)
        for one, places in figures
    ]


def _is_end_of_range(figure: Figure, sources: Sequence[Extraction]) -> bool:
    """Return whether what tells against a figure is the other end of a range: "2 to 3"."""
    for number, start, end in figure.places:
        text = sources[number].document.text
        behind = [*text[end : end + NEAR].split()[:2], "", ""]
        ahead = ["", "", *text[max(0, start - NEAR) : start].split()[-2:]]
        ends = [(behind[0], behind[1].rstrip(",.;")), (ahead[-1], ahead[-2])]
        if any(by in {"to", "-", "–"} and has_figures(figure.text, end) for by, end in ends):
            return True
    return False


def _other_figure(
    text: str,
    left: LeftOver,
    passage: str,
    figures: Sequence[Figure],
    passages: Sequence[Span],
    sources: Sequence[Extraction],
) -> tuple[Difference, tuple[int, int, int]] | None:
    """Return the figure in place of one that no source gives, where that is all that is left over.

    It is the only one of its kind there, what binds both sentences is the same, and no sum gives
    the statement's.
    """
    bodies = {source.document.name: source.document.text for source in sources}
    for one in figures:
        own = {one.text, *one.text.split()}
        dated = one.account == "derived" and one.kind == "DATE"  # the sentence tells its own day
        if not (dated or one.account == "absent"):
            continue
        if not left.statement or not own.issuperset(left.statement):
            continue
        if len(words(text)) - len(words(one.text)) < _BESIDE:
            continue  # an answer of one figure says nothing of what
        said = read_numbers(text)
        mine = next(n for n in said if n.start == one.start)
        others = [n for n in read_numbers(passage) if n.kind == mine.kind and not n.soft]
        others = [
            n for n in others if not any(agree(m, n) == "same" for m in said if m is not mine)
        ]
        others = [n for n in others if n.unit == mine.unit or n.kind != "DATE"]  # a decade is vague
        others = [n for n in others if mine.noun and n.noun == mine.noun] or others
        held = (
            n
            for place in passages
            for n in read_numbers(bodies[place.source][place.start : place.end])
        )
        if not dated and derive(mine, [Operand(n, None, 0) for n in held], every_cue()):
            continue  # the words for a sum may only have been missed
        labels = set(_LABELLED.findall(text)) - set(_LABELLED.findall(passage))
        if (
            labels
            or has_figures(one.text, passage)
            or len(others) != 1
            or agree(others[0], mine)
            or not bind_alike(text, [passage], (one.start, one.end))
        ):
            continue
        for number, source in enumerate(sources):
            at = source.document.text.find(passage)
            if at >= 0:
                start, end = at + others[0].start, at + others[0].end
                stated = source.document.text[start:end]
                return Difference("figure", one.text, stated, 0), (number, start, end)
    return None


def _single(
    own: str, passages: Sequence[Span], sources: Sequence[Extraction], names: Names
) -> tuple[Difference, tuple[int, int, int]] | None:
    """Return the one difference of a statement from a sentence of the sources, and where it is."""
    found = []
    for number, source in enumerate(sources):
        text = source.document.text
        beside = sentences_around(text, within(passages, source))
        for said in beside:
            if not is_near(own, said.text, said.before):
                continue
            one = difference(own, said.text, said.before)
            if one is not None and one.kind == "negation" and _is_repaired(own, said, beside):
                continue
            if one is not None and one.kind == "figure" and _is_elsewhere(own, said, beside):
                continue
            if (
                one is None
                or _is_told(one, own, said.text, text[said.end : said.end + NEAR])
                or (one.kind == "value" and not one.exchanged and _are_beside(one, text))
            ):
                one = crossed(own, said.text, said.before)
            if one is None or _is_called_so(one, own, names.get(source.document.name, {})):
                continue
            if not one.claimed:  # "not" alone tells nobody what is denied
                one = replace(one, stated=said.text)
            at = text.find(one.stated, said.start, said.end) if one.stated else -1
            place = (said.start, said.end) if at < 0 else (at, at + len(one.stated))
            found.append((one, (number, *place)))
    return max(found, key=lambda pair: pair[0].others, default=None)


def disputed(
    text: str, passages: Sequence[Span], carrying: Collection[str], sources: Sequence[Extraction]
) -> tuple[Difference, tuple[int, int, int]] | None:
    """Return the one difference of a statement that some sources carry from what another says.

    Both say it of the same, as far as what stands over it and whom the documents name tells.
    """
    by_name = {source.document.name: source for source in sources}
    own = [place for place in passages if place.source in carrying]
    for place in passages if own else ():
        other = by_name[place.source]
        said = other.document.text[place.start : place.end]
        apart = set(words(text)) ^ set(words(said))
        if place.source in carrying or len(apart) > _FEW:
            continue
        alike = any(_is_of_one(by_name[one.source], one, other, place) for one in own)
        if not alike or (single := _single(text, [place], sources, {})) is None:
            continue
        # "was" is told of another time than "is"
        if single[0].kind == "negation" or apart <= {
            *words(single[0].claimed),
            *words(single[0].stated),
        }:
            return single
    return None


def _is_of_one(one: Extraction, place: Span, other: Extraction, there: Span) -> bool:
    """Return whether two sentences of two documents tell of the same thing in the same version."""
    labels, named = zip(_setting(one, place), _setting(other, there), strict=True)
    rivals = named[0] - named[1] and named[1] - named[0]
    versions = any(
        _VERSION.search(d.document.name) or _VERSION.search(d.document.text, 0, OPENING)
        for d in (one, other)
    )
    return labels[0] == labels[1] and not rivals and not versions


def _setting(source: Extraction, place: Span) -> tuple[set[str], set[str]]:
    """Return what is told over a sentence, and whom and which years its document names."""
    text, name = source.document.text, source.document.name
    opening = text.lstrip().partition("\n")[0]
    above = [*text[: place.start].split("\n")[:-1], ""]
    heading = next((line for line in reversed(above) if line.startswith("#")), "")
    titles = [line.strip("# ") for line in (opening, heading) if opening.strip()[-1:] not in ".!?"]
    labels = {found for line in titles for found in _LABEL.findall(line)}
    names = {
        m.text.casefold() for m in source.mentions if m.kind in _WHOSE and m.span.start < OPENING
    }
    return labels | set(_YEAR.findall(name)), names | set(_YEAR.findall(text, 0, OPENING))


def _is_repaired(statement: str, denial: SourceSentence, beside: Sequence[SourceSentence]) -> bool:
    """Return whether another sentence of the same verb has as much of a statement as its denial."""
    lacks = lacking(statement, denial.text)
    verb = next((t.lemma_ for t in parse(statement) if t.head.i == t.i), "")
    others = (one for one in beside if lacks and one.text != denial.text)
    return any(
        lacking(statement, one.text) <= lacks and verb in {t.lemma_ for t in parse(one.text)}
        for one in others
    )


def _is_elsewhere(statement: str, said: SourceSentence, beside: Sequence[SourceSentence]) -> bool:
    """Return whether another sentence, or a clause of one, has all words of a statement."""
    return any(
        not lacking(statement, part)
        for one in beside
        for part, _ in variants(one.text, one.before)
        if one is not said or len(part) < len(one.text) - 1
    )


def _are_beside(one: Difference, text: str) -> bool:
    """Return whether two names stand close together, of which one may be the other's.

    "Mark Twain, whose real name was Samuel Clemens", "the Queen, Margrethe", "Bolt is the lessee".
    """
    alone = one.stated.removeprefix("Only ").removeprefix("the ")
    if alone == one.stated and not (one.claimed[:1].isupper() and one.stated[:1].isupper()):
        return False
    names = [re.escape(name) for name in (one.claimed, alone)]
    ends = (rf"(?i)\b{a}\b[^.;:!?\n]{{0,40}}\b{b}\b" for a, b in (names, names[::-1]))
    return any(re.search(pattern, text) for pattern in ends)


def _is_called_so(
    one: Difference, statement: str, names: Mapping[tuple[int, int], frozenset[str]]
) -> bool:
    """Return whether a source calls what a statement names by the name that stands there."""
    at = statement.find(one.claimed)
    return any(
        start < at + len(one.claimed) and at < end and one.stated in others
        for (start, end), others in names.items()
    )


def _is_told(one: Difference, statement: str, sentence: str, behind: str) -> bool:
    """Return whether a source has the name, day or ordinal beside the other: then both may hold.

    Behind the sentence it is told of what the statement says only with a word of it besides its
    names. So may two figures that are one hold: "3.2m" and "3.2 million".
    """
    if one.exchanged:
        return False  # the sentence has both, each in its place
    word = one.claimed.casefold()
    told = set(re.findall(r"\w+", behind.casefold()))
    if word in told and not tables()["alike"].isdisjoint(told):
        return True  # "so must Ward 8"
    if one.kind == "figure":
        mine, theirs = read_numbers(one.claimed), read_numbers(one.stated)
        points = "point" in one.claimed, "point" in one.stated  # a share is no difference of shares
        return points[0] == points[1] and any(agree(a, b) for a in mine for b in theirs)
    single = one.claimed[:1].isupper() or word in {*ORDINALS, *MONTHS, *WEEKDAYS}
    if not single or one.kind not in {"value", "opposite"}:
        return False
    common = {stem for stem in stems(statement) if stem.title() not in statement}
    again = word in behind.casefold() and not common.isdisjoint(stems(behind))
    return word in sentence.casefold() or again


def figures_with(
    figures: Sequence[tuple[Figure, tuple[Span, ...]]],
    single: Difference,
    place: tuple[int, int, int],
    sources: Sequence[Extraction],
) -> Iterator[tuple[Figure, tuple[Span, ...]]]:
    """Yield figures, the one in which a statement differs from a source as it is given there."""
    for figure, places in figures:
        meets = figure.text in single.claimed or single.claimed in figure.text
        # stated it may be of another thing, and an equal sentence tells its own day
        if meets and (figure.account != "derived" or figure.kind == "DATE"):
            other = replace(
                figure,
                account="conflict",
                how="",
                rather=single.stated,
                similarity=1.0,
                places=(place,),
            )
            yield other, (Span(sources[place[0]].document.name, *place[1:]),)
        else:
            yield figure, places


def contrasts_with(
    text: str, single: Difference, place: tuple[int, int, int]
) -> Iterator[Contrast]:
    """Yield the contrast of the one difference, of a denial by the whole sentences."""
    start = text.find(single.claimed) if single.claimed else -1
    here = (start, start + len(single.claimed)) if start >= 0 else (0, len(text))
    claimed = single.claimed if start >= 0 else text
    yield Contrast(single.kind, *here, claimed, single.stated, 0, (place,))
