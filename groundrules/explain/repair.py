"""Repair: edits tried on a copy, read again as text, and made where they can be trusted.

An edit is safe only where it exchanges one value or one name for another and leaves the rest of
its sentence, where the sentence stays English, and where the text with the edit in its place is
supported by the same sources and nothing is found in it. All else is shown and never made, but
for the removal of whole sentences, which is unsafe and made where asked for.
"""

from __future__ import annotations

import difflib
import itertools
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from rdflib.term import Literal, URIRef

from groundrules.align.parses import parse
from groundrules.align.passages import words
from groundrules.claims.english import PARTICLES, SCALES
from groundrules.claims.english.signals import WHATEVER_NUMBER
from groundrules.claims.literals import Value, find_values
from groundrules.dataset import Dataset
from groundrules.errors import SourceError
from groundrules.explain.contrast import added, differing, label, opposes, swapped
from groundrules.explain.place import source_text
from groundrules.rules import engine
from groundrules.rules.rule import Rule
from groundrules.rules.wording import article
from groundrules.terms import (
    ENTITY,
    GR,
    Claim,
    Edit,
    Outcome,
    Report,
    Span,
    Statement,
    Violation,
)

#: A rule and the claim that it is about.
Key = tuple[str, URIRef | None]

PASSES = 10
#: Code points of a stretch, about a sentence.
_STRETCH = 128

_SENTENCE_END = ".!?:;\"'”’)]"
_NAMED = frozenset({"NNP", "NNPS"})
_NOUNS = frozenset({"NN", "NNS", *_NAMED})
#: Parts that make a longer name or another word of what they stand beside.
_MODIFIERS = frozenset("amod compound nmod poss nummod quantmod npadvmod advmod predet".split())
#: Words within a name that have no capital.
_JOINERS = PARTICLES | {"of", "and", "&", "for", "the"}
#: Words in common that two changes of a text may have between them and still be told as one, and
#: the marks that are not told with a change.
_BETWEEN = 2
_STOPS = " ,;:.!?"
_ONES = frozenset({"1", "one", "a", "an"})
_SCALES = SCALES.keys() | {"hundred", "dozen"}
#: Kinds of values whose words tell one from many.
_COUNTED = frozenset({"NUMBER", "QUANTITY", "DURATION", "MONEY"})


def verify_all(
    violations: Sequence[Violation],
    dataset: Dataset,
    rules: Sequence[Rule],
    result: engine.Result,
    *,
    claims: Mapping[URIRef, Claim] | None = None,
    overrides: Mapping[str, Mapping[str, object]] | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    tried: Collection[Key] = (),
) -> tuple[Violation, ...]:
    """Return the violations in their order, each edit of a triple tried on a copy of the dataset.

    It is verified iff its rule is then silent on the claim and no rule, shown or hidden, fires that
    was silent in `result`, which the same rules, overrides and selection gave. Edits of different
    claims are tried in one run of the rules, so that the cost grows with the text and not with its
    square; where such a run starts a rule, the edits of the claims it starts on fail, and the rest
    are tried in halves until the cause is found. Edits of words only a second reading can try, see
    `settle`. Those of the rules and claims in `tried` are left as they are.
    """
    before = _fired((*result.violations, *result.hidden))

    def run(batch: Sequence[Violation]) -> set[Key]:
        trial = dataset.copy()
        engine.apply_edits(
            trial, {one.claim.id: one.edit for one in batch if one.claim and one.edit}
        )
        after = engine.check(
            trial, rules, claims=claims, overrides=overrides, select=select, ignore=ignore
        )
        return _fired((*after.violations, *after.hidden))

    def try_all(waiting: list[list[int]]) -> None:
        """Split each batch until no run of it starts a rule, or one edit alone does."""
        while waiting:
            batch = waiting.pop()
            if not batch:
                continue
            after = run([violations[index] for index in batch])
            started = {claim for _, claim in after - before}
            own = {index for index in batch if key_of(violations[index])[1] in started}
            if not started or len(batch) == 1:
                for index in batch:
                    verified[index] = not started and key_of(violations[index]) not in after
            elif own:
                verified.update(dict.fromkeys(own, False))
                waiting.append([index for index in batch if index not in own])
            else:
                waiting += [batch[len(batch) // 2 :], batch[: len(batch) // 2]]

    verified: dict[int, bool] = {}
    waiting: dict[URIRef, list[int]] = {}
    for index, violation in enumerate(violations):
        edit = violation.edit
        if violation.claim is None or key_of(violation) in tried:
            continue
        if edit and edit.operations and _exchanged_words(edit) is None:
            waiting.setdefault(violation.claim.id, []).append(index)
    for rank in range(max(map(len, waiting.values()), default=0)):
        try_all([[indices[rank] for indices in waiting.values() if rank < len(indices)]])
    return tuple(
        replace(violation, edit=replace(violation.edit, verified=verified[index]))
        if violation.edit and index in verified
        else violation
        for index, violation in enumerate(violations)
    )


def key_of(violation: Violation) -> Key:
    """Return the rule of a violation and the claim that it is about."""
    return violation.rule, violation.claim.id if violation.claim else None


def _fired(violations: Iterable[Violation]) -> set[Key]:
    return {key_of(violation) for violation in violations}


def _exchanged_words(edit: Edit) -> tuple[str, str] | None:
    """Return the words that an edit takes out and those it puts in, None for one of triples."""
    found = {o.action: str(o.triple.object) for o in edit.operations
             if o.triple.predicate == GR.words}  # fmt: skip
    return (found["DELETE"], found["ADD"]) if len(found) == 2 else None


# --- the second reading -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """New words for a half-open range of code points of the checked text."""

    start: int
    end: int
    text: str


Replacements = tuple[Replacement, ...]


def settle(report: Report, recheck: Callable[[str], Report]) -> Report:
    """Return the report with each edit as far as it can be trusted.

    `recheck` reads a text with the same sources and verifies no edits. All exchanges are made at
    once and the text is read again; where some fail, it is read once more without them. What a
    source has word for word is offered no edit. A text without an exchange is not read again.
    """
    verbatim = _verbatim(report)
    graded = [_graded(violation, report, verbatim) for violation in report.violations]
    offers: dict[int, Replacements] = {}
    for index, violation in enumerate(graded):
        edit = violation.edit
        if edit and edit.applicability == "safe" and edit.verified is not False:
            offers[index] = exchange(report, violation)
    chosen = _compatible(offers)
    tried = set(chosen)
    for _ in range(2):
        if not chosen:
            break
        failed = _failing(report, chosen, recheck)
        chosen = {index: made for index, made in chosen.items() if index not in failed}
        if not failed:
            break
    for index, violation in enumerate(graded):
        edit = violation.edit
        if edit is None or edit.applicability != "safe":
            continue
        holds = index in chosen
        failed_before = index in tried or edit.verified is False
        graded[index] = replace(
            violation,
            edit=replace(
                edit,
                applicability="safe" if holds else "display",
                verified=True if holds else False if failed_before else None,
            ),
        )
    held = {made for made in chosen.values() if made}
    return replace(report, violations=tuple(_as_held(one, report, held) for one in graded))


def _as_held(violation: Violation, report: Report, held: Collection[Replacements]) -> Violation:
    """Return a violation with its edit safe where the same change was made for another and held."""
    edit = violation.edit
    if edit is None or edit.applicability != "display" or edit.verified is not None or not held:
        return violation
    if exchange(report, violation) not in held:
        return violation
    return replace(violation, edit=replace(edit, applicability="safe", verified=True))


def _graded(violation: Violation, report: Report, verbatim: frozenset[int]) -> Violation:
    """Return a violation whose edit is safe at most as an exchange, unsafe only as a removal."""
    edit = violation.edit
    if edit is None or not edit.operations:
        return violation
    if violation.claim is not None and violation.claim.sentence in verbatim:
        return replace(violation, edit=None)
    failed = False if edit.verified is False else None
    if any(operation.action == "ADD" for operation in edit.operations):
        if edit.applicability == "safe":
            return violation
        return replace(violation, edit=replace(edit, applicability="display", verified=failed))
    whole = edit.applicability != "display" and bool(removal(report, violation))
    edit = replace(edit, applicability="unsafe" if whole else "display", verified=failed)
    return replace(violation, edit=edit)


def _statement(report: Report, claim: Claim | None) -> Statement | None:
    """Return the statement that a claim was read from."""
    if claim is None:
        return None
    # statements stand in the order of their numbers, some of which assert nothing
    at = bisect_left(report.statements, claim.sentence, key=lambda one: one.number)
    found = report.statements[at : at + 1]
    return found[0] if found and found[0].number == claim.sentence else None


def _verbatim(report: Report) -> frozenset[int]:
    """Return the numbers of the statements with an edit whose words a source has in a row."""
    edited = {v.claim.sentence for v in report.violations if v.claim and v.edit}
    if not edited:
        return frozenset()
    sources = [_in_words(text) for name, text in report.sources.items() if name != report.source]
    said = {one.number: _in_words(one.text) for one in report.statements if one.number in edited}
    found = {
        text: any(text in source for source in sources)
        for text in dict.fromkeys(said.values())
        if text.strip()
    }
    return frozenset(number for number, text in said.items() if found.get(text))


def _in_words(text: str) -> str:
    return f" {' '.join(words(text))} "


def _compatible(offers: Mapping[int, Replacements]) -> dict[int, Replacements]:
    """Return the offers that can be made together; equal ones are one.

    Of two that overlap the one that changes more places prevails: an exchange of roles says more
    than a wrong subject. Where they change as many, nothing says which is right, and both go.
    """
    wanted = {made for made in offers.values() if made}
    near: dict[int, set[Replacements]] = defaultdict(set)  # what overlaps has a stretch in common
    for made in wanted:
        for stretch in _stretches(made):
            near[stretch].add(made)
    fits = {
        one
        for one in wanted
        if not any(
            other != one and len(other) >= len(one) and _clash(one, other)
            for stretch in _stretches(one)
            for other in near[stretch]
        )
    }
    return {index: made for index, made in offers.items() if made in fits}


def _stretches(made: Replacements) -> set[int]:
    """Return the numbers of the stretches of text, of one length, that places reach into."""
    return {
        stretch
        for one in made
        for stretch in range(one.start // _STRETCH, max(one.start, one.end - 1) // _STRETCH + 1)
    }


def _clash(some: Replacements, others: Replacements) -> bool:
    return any(_overlap(one, other) for one in some for other in others)


def _overlap(one: Replacement, other: Replacement) -> bool:
    if one.start == other.start:
        return True
    return one.start < other.end and other.start < one.end


def _failing(
    report: Report, offers: Mapping[int, Replacements], recheck: Callable[[str], Report]
) -> set[int]:
    """Return which edits leave their statement unsupported or start a finding.

    A finding that starts elsewhere counts against the edits of the nearest changed statement before
    it, that of a whole text against all.
    """
    places = sorted({one for made in offers.values() for one in made})
    try:
        again = recheck(_with(report.text, places))
    except SourceError:  # longer by a word than what can be read
        return set(offers)
    read = {(one.span.start, one.text): one for one in again.statements}
    counterpart: dict[int, Statement | None] = {}
    changed: dict[int, set[int]] = {}
    makers: dict[Replacement, set[int]] = defaultdict(set)
    for index, made in offers.items():
        for place in made:
            makers[place].add(index)
    # the places lie apart, so that their ends are in order too
    starts, ends = [p.start for p in places], [p.end for p in places]
    gains = [0, *itertools.accumulate(len(p.text) - (p.end - p.start) for p in places)]
    for one in report.statements:
        first, last = bisect_left(starts, one.span.start), bisect_right(ends, one.span.end)
        own = places[first:last]
        moved = gains[bisect_right(ends, one.span.start)]
        text = _with(one.text, [_moved(p, -one.span.start) for p in own])
        counterpart[one.number] = read.get((one.span.start + moved, text))
        if own:
            changed[one.number] = set().union(*(makers[place] for place in own))
    failed: set[int] = set()
    faulty = {violation.claim.sentence for violation in again.violations if violation.claim}
    for number, edits in changed.items():
        found = counterpart[number]
        if found is None or found.outcome is not Outcome.SUPPORTED or found.number in faulty:
            failed |= edits
    whole = (_statement(report, violation.claim) for violation in report.violations)
    before = {
        (violation.rule, one.number if one else None)
        for violation, one in zip(report.violations, whole, strict=True)
    }
    numbers = {found.number: number for number, found in counterpart.items() if found}
    order = sorted(changed)
    for violation in again.violations:
        about = numbers.get(violation.claim.sentence) if violation.claim else None
        if about in changed or (violation.rule, about) in before:
            continue
        if about is None or about < order[0]:
            return set(offers)
        failed |= changed[order[bisect_left(order, about) - 1]]
    return failed


def _moved(place: Replacement, by: int) -> Replacement:
    return Replacement(place.start + by, place.end + by, place.text)


def _with(text: str, places: Sequence[Replacement]) -> str:
    """Return the text with its places, which lie apart, filled anew."""
    parts: list[str] = []
    end = 0
    for place in sorted(places):
        parts += (text[end : place.start], place.text)
        end = place.end
    return "".join((*parts, text[end:]))


# --- what an edit does to the text ------------------------------------------------------------


def exchange(report: Report, violation: Violation) -> Replacements:
    """Return the exchange of values or names that an edit is, nothing where it is another.

    The new words are those of the evidence at its place. Nothing too where the sentence would not
    be English, as far as can be told.
    """
    claim, edit = violation.claim, violation.edit
    statement = _statement(report, claim)
    if claim is None or edit is None or statement is None or opposes(violation):
        return ()
    place = statement.span  # of which a file may have other words than are shown
    scene = _Scene(report.text[place.start : place.end], place.start)
    passages = tuple(_passages(report, violation))
    if said := _exchanged_words(edit):
        span = _words_place(violation, claim)
        if span is None or report.text[span.start : span.end] != said[0]:
            return ()
        figures = (one for one in _figures(passages) if one[0] == said[1])
        return _value(scene, span, figures) or _name(scene, span, passages, said[1])
    foil = added(violation)
    if foil is None:
        return ()
    subject, _, object_ = claim.parts
    if swapped(claim.triple, foil):
        same = claim.triple.predicate == foil.predicate
        return _swap(scene, subject, object_) if same and subject and object_ else ()
    differ = differing(claim.triple, foil)
    if len(differ) != 1 or differ[0] == 1:
        return ()  # a verb cannot be exchanged without its sentence
    span = claim.parts[differ[0]]
    old, new = ((t.subject, t.predicate, t.object)[differ[0]] for t in (claim.triple, foil))
    if span is None:
        return ()
    if isinstance(old, Literal) and isinstance(new, Literal):
        if not passages:  # a knowledge base has values and no text
            return _value(scene, span, [(label(new, report.labels), new)])
        return _value(scene, span, (one for one in _figures(passages) if one[1] == new))
    if isinstance(old, Literal) or isinstance(new, Literal):
        return ()
    if not passages and not str(new).startswith(str(ENTITY)):
        passages = (label(new, report.labels),)  # nor text but its names
    return _name(scene, span, passages, label(new, report.labels))


def _words_place(violation: Violation, claim: Claim) -> Span | None:
    """Return where the words stand that an edit exchanges, as its rule says."""
    row = dict(violation.bindings)
    try:
        start, end = (int(str(row[name])) for name in ("start", "end"))
        return Span(claim.span.source, start, end)
    except (KeyError, ValueError):
        return None


def _passages(report: Report, violation: Violation) -> Iterator[str]:
    """Yield the texts of the evidence at its places."""
    for item in violation.evidence:
        text = source_text(report, item.span.source) if item.span else None
        if text is not None and item.span is not None and item.span.end <= len(text):
            yield text[item.span.start : item.span.end]


@dataclass(frozen=True, slots=True)
class _Scene:
    """The words of a statement in the checked text, and where they begin."""

    text: str
    offset: int

    def within(self, span: Span) -> tuple[int, int] | None:
        """Return a place of the checked text in those words, None if it is not inside."""
        start, end = span.start - self.offset, span.end - self.offset
        return (start, end) if 0 <= start < end <= len(self.text) else None

    def made(self, *places: Replacement) -> Replacements:
        """Return changes of those words as changes of the checked text."""
        return tuple(_moved(place, self.offset) for place in places)


# --- values -----------------------------------------------------------------------------------


def _figures(passages: Iterable[str]) -> Iterator[tuple[str, Literal]]:
    """Yield the values of passages in their words, on one line."""
    for passage in passages:
        for one in _values(passage):
            yield " ".join(passage[one.start : one.end].split()), one.literal


def _value(scene: _Scene, span: Span, figures: Iterable[tuple[str, Literal]]) -> Replacements:
    """Return the exchange of a value for the first of others that reads as well in its place."""
    place = scene.within(span)
    old = place and _value_at(scene.text, *place)
    if not old:
        return ()
    for said, literal in figures:
        made = _worded(scene.text, old.start, old.end, said)
        if made is None or literal.datatype != old.literal.datatype:
            continue
        new = Value(made.start + len(made.text) - len(said), made.start + len(made.text),
                    old.kind, literal)  # fmt: skip
        if _agrees(scene.text, old, said) and new in _values(_with(scene.text, [made])):
            return scene.made(made)
    return ()


@lru_cache(maxsize=512)
def _values(text: str) -> tuple[Value, ...]:
    return find_values(text)


def _value_at(text: str, start: int, end: int) -> Value | None:
    """Return the value whose words stand just there."""
    return next((one for one in _values(text) if (one.start, one.end) == (start, end)), None)


def _agrees(text: str, old: Value, said: str) -> bool:
    """Return whether other words for a value keep the grammatical number and form of its place."""
    was = text[old.start : old.end]
    before, after = _neighbours(text, old.start, old.end)
    if text[old.end : old.end + 1] in ("'", "’", "-"):
        return _skeleton(was) == _skeleton(said)
    if old.kind not in _COUNTED:
        # "the 1st of June", "mid-June": the form of the date belongs to the sentence
        return before not in ("the", "this", "that", "last", "next") or (
            _skeleton(was) == _skeleton(said)
        )
    unit, one = _unit(was), _is_one(was)
    other_unit, other_one = _unit(said), _is_one(said)
    if bool(unit) != bool(other_unit) and old.kind != "MONEY":
        return False
    if unit and (re.search(r"\w[-‐‑]\s?[^\W\d]+$", was) or (not one and _is_singular(unit))):
        return one == other_one and _skeleton(was) == _skeleton(said)  # "a 2-year term"
    if other_unit and other_one != _is_singular(other_unit) and other_unit != unit:
        return False
    if one == other_one:
        return True
    fits = not after or not after[0].isalpha() or after in WHATEVER_NUMBER
    return bool(unit and other_unit) and before in WHATEVER_NUMBER | {"is", "was", "be"} and fits


def _skeleton(said: str) -> str:
    """Return the shape of a value: its marks and small words, the figures and months left out."""
    return re.sub(r"\d+(?:[.,]\d+)*|\b[A-Z]\w+", "0", said).casefold()


def _unit(said: str) -> str:
    """Return the word of the unit that a value ends in, empty if it has none."""
    match = re.search(r"(?<![^\W\d_])[^\W\d_]+\.?$", said)
    unit = match[0].casefold() if match else ""
    return "" if unit in _SCALES | _ONES or _is_number(unit) else unit


def _is_number(word: str) -> bool:
    found = find_values(word)
    return len(found) == 1 and found[0].kind == "NUMBER" and found[0].end == len(word)


def _is_one(said: str) -> bool:
    """Return whether the words of a value count one thing."""
    found = re.findall(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:-[^\W\d_]+)*", said.casefold())
    return bool(found) and found[0] in _ONES and (len(found) < 2 or found[1] not in _SCALES)


def _is_singular(unit: str) -> bool:
    """Return whether a word for a unit is that of one; what has no plural of its own is none."""
    return unit.isalpha() and len(unit) > 2 and unit != "feet" and not unit.endswith("s")


# --- names ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Named:
    """A whole name in a text: its words without their article, and that article."""

    start: int
    end: int
    words: str
    article: str = ""

    @property
    def plural(self) -> bool:
        """Whether a verb beside it stands in the plural, as far as its form tells."""
        if re.search(r"\band\b", self.words):
            return True
        return self.article == "the" and bool(re.search(r"[^s]s$", self.words))


def _name(scene: _Scene, span: Span, passages: Iterable[str], wanted: str) -> Replacements:
    """Return the exchange of a name for another, as a passage words it."""
    place = scene.within(span)
    old = place and _name_at(scene.text, *place)
    if not old:
        return ()
    for passage in passages:
        for new in _names(passage, wanted):
            made = _renamed(scene.text, old, new)
            if made and new.plural == old.plural and _stays_whole(scene.text, [(made, new)]):
                return scene.made(made)
    return ()


def _swap(scene: _Scene, one: Span, other: Span) -> Replacements:
    """Return the exchange of two names for each other, each with its article."""
    places = [scene.within(span) for span in sorted((one, other))]
    if places[0] is None or places[1] is None or places[0][1] > places[1][0]:
        return ()
    first, second = (_name_at(scene.text, *place) for place in places if place)
    if first is None or second is None or first.plural != second.plural:
        return ()
    made = _renamed(scene.text, first, second), _renamed(scene.text, second, first)
    if made[0] is None or made[1] is None or made[0].end > made[1].start:
        return ()
    whole = _stays_whole(scene.text, [(made[0], second), (made[1], first)])
    return scene.made(made[0], made[1]) if whole else ()


def _names(passage: str, wanted: str) -> Iterator[_Named]:
    """Yield where a passage has a name whole, in its own words."""
    name = r",?\s+".join(map(re.escape, wanted.split()))
    if passage == wanted:
        yield _Named(0, len(passage), wanted)
        return
    for match in re.finditer(rf"(?<!\w){name}(?!\w)", passage, re.IGNORECASE) if name else ():
        if found := _name_at(passage, match.start(), match.end()):
            yield found


def _name_at(text: str, start: int, end: int, *, known: bool = False) -> _Named | None:
    """Return the name that stands just there, None if it is no name or part of a longer phrase.

    `known` is a name of which another text has shown that it is one.
    """
    if found := re.match(r"(?i)(?:the|an?)\s+", text[start:end]):
        start += found.end()
    said = text[start:end]
    own = [w for w in re.findall(r"[\w&'’.-]+", said) if w.casefold() not in _JOINERS]
    if not own or find_values(said) or not all(w[0].isupper() or w[0].isdigit() for w in own):
        return None
    if len(own) > 1 and text != said and all(w.isupper() for w in own) and len(said) > 8:
        return None  # a heading or a signature says little of how the name is written
    doc = parse(re.sub(r"\s", " ", text))
    span = doc.char_span(start, end)
    if span is None or not (known or _is_noun(doc, span)) or not _is_whole(doc, span):
        return None
    determiner = doc[span.start - 1] if span.start else None
    if determiner is None or determiner.tag_ not in ("DT", "PRP$", "PDT", "WP$"):
        return _Named(start, end, " ".join(said.split()))
    if determiner.lower_ not in ("the", "a", "an"):
        return None
    return _Named(start, end, " ".join(said.split()), determiner.lower_)


def _is_noun(doc: Any, span: Any) -> bool:
    """Return whether the words of a span are tagged as a name, or as a noun with a capital."""
    # the capital of one word that opens a sentence tells nothing
    told = len(span) > 1 or (span.start and not doc[span.start - 1].is_sent_end)
    return any(t.tag_ in _NAMED or (t.tag_ in _NOUNS and told) for t in span)


def _is_whole(doc: Any, span: Any) -> bool:
    """Return whether the words of a span modify nothing beside it, and nothing modifies them."""
    inside = range(span.start, span.end)
    if any(token.dep_ in _MODIFIERS and token.head.i not in inside for token in span):
        return False
    if any(
        child.i not in inside and child.dep_ in _MODIFIERS
        for token in span
        for child in token.children
    ):
        return False
    if span.start:
        before = doc[span.start - 1]
        if before.tag_ in _NOUNS | {"HYPH", "JJ", "$", "#"} or before.text in ("&", "/"):
            return False
    if span.end < len(doc):
        after = doc[span.end]
        if after.tag_ in _NOUNS | {"HYPH", "POS", "CD"} or after.lower_ in ("&", "/", "of"):
            return False
        if after.text[:1] in ("'", "’", "-"):
            return False
    return True


def _renamed(text: str, old: _Named, new: _Named) -> Replacement | None:
    """Return the exchange of a name with its article, None where the article cannot be told."""
    start = old.start
    if old.article:
        start = len(text[: old.start].rstrip()) - len(old.article)
    if old.article in ("a", "an") or new.article in ("a", "an"):
        if not (old.article in ("a", "an") and new.article in ("a", "an")):
            return None
        return _worded(text, old.start, old.end, new.words)
    said = f"{new.article} {new.words}".strip()
    if _opens(text, start):
        said = said[:1].upper() + said[1:]
    return _checked(text, Replacement(start, old.end, said))


def _stays_whole(text: str, made: Sequence[tuple[Replacement, _Named]]) -> bool:
    """Return whether the new names stand whole in the changed text."""
    changed, moved = _with(text, [place for place, _ in made]), 0
    for place, new in made:
        end = place.start + moved + len(place.text)
        moved += len(place.text) - (place.end - place.start)
        if not _name_at(changed, end - len(new.words), end, known=True):
            return False
    return True


# --- English ----------------------------------------------------------------------------------


def _worded(text: str, start: int, end: int, said: str) -> Replacement | None:
    """Return the exchange of words, "a" or "an" before them as they need it, or None."""
    before = re.search(r"(?<!\w)(an?)(\s+)$", text[:start], re.IGNORECASE)
    if before is None:
        if _opens(text, start) and text[start : start + 1].isupper():
            said = said[:1].upper() + said[1:]
        return _checked(text, Replacement(start, end, said))
    was, wanted = _article(text[start:end]), _article(said)
    if wanted is None or was != before[1].casefold():
        return None
    if wanted == was:
        return _checked(text, Replacement(start, end, said))
    wanted = wanted.capitalize() if before[1][0].isupper() else wanted
    return _checked(text, Replacement(before.start(), end, f"{wanted}{before[2]}{said}"))


def _article(said: str) -> str | None:
    """Return "a" or "an" as the words are spoken, None where that is not plain."""
    bare = said.lstrip("$£€¥₹#")
    if digits := re.match(r"\d+(?:,\d{3})*", bare):
        figure = digits[0].replace(",", "")
        if re.fullmatch(r"1[18]\d\d", figure):
            return None  # "eleven hundred" or "one thousand one hundred"
        leading = len(figure) % 3 or 3
        eleven = figure[:leading] in ("11", "18")
        return "an" if figure[0] == "8" or eleven else "a"
    first = re.split(r"[\s.-]", bare, maxsplit=1)[0]
    if not first[:1].isalpha() or (first.isupper() and len(first) <= 5) or "." in said[:3]:
        return None  # letters may be spelt
    return article(first)


def _checked(text: str, made: Replacement) -> Replacement | None:
    """Return an exchange, None if it changes nothing or doubles a word or a mark beside it."""
    if text[made.start : made.end] == made.text:
        return None
    said = re.findall(r"\w+|[^\w\s]", made.text.casefold())
    before, after = _neighbours(text, made.start, made.end)
    if not said or said[0] == before or said[-1] == after:
        return None
    return made


def _neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the words or marks beside a place."""
    before = re.search(r"((?<!\w)\w+|[^\w\s])\s*$", text[:start])
    after = re.match(r"\s*(\w+|[^\w\s])", text[end:])
    return before[1].casefold() if before else "", after[1].casefold() if after else ""


def _opens(text: str, start: int) -> bool:
    """Return whether a place opens a sentence."""
    before = text[:start].rstrip(" \t\r\n-*•>#|\"“'‘(")
    return not before or before[-1] in ".!?:"


# --- texts rewritten --------------------------------------------------------------------------


def removal(report: Report, violation: Violation) -> Replacements:
    """Return the removal of the sentence that a claim is all of, with the space behind it."""
    claim, edit, text = violation.claim, violation.edit, report.text
    if claim is None or edit is None or any(o.action == "ADD" for o in edit.operations):
        return ()
    start, end = claim.span.start, claim.span.end
    if end > len(text):
        return ()
    last = start - 1
    while last >= 0 and text[last].isspace():
        last -= 1
    while end < len(text) and text[end] in _SENTENCE_END:
        end += 1
    ended = text[start:end].rstrip()[-1:] in (".", "!", "?", "”", '"')
    if not ended or (last >= 0 and text[last] not in _SENTENCE_END):
        return ()
    while end < len(text) and text[end] == " ":
        end += 1
    return (Replacement(start, end, ""),)


def rewrite(report: Report, *, unsafe: bool = False) -> str:
    """Return the text with the edits made that were verified, sentences removed too if asked.

    A sentence in which a verified edit is made is not removed.
    """
    offers: dict[int, Replacements] = {}
    removals: list[Replacements] = []
    for index, violation in enumerate(report.violations):
        edit = violation.edit
        if edit is None:
            continue
        if edit.applicability == "safe" and edit.verified:
            offers[index] = exchange(report, violation)
        elif edit.applicability == "unsafe" and unsafe and edit.verified is not False:
            removals.append(removal(report, violation))
    made: set[Replacement] = set()
    near: dict[int, set[Replacement]] = defaultdict(set)

    def make(wanted: Replacements) -> None:
        made.update(wanted)
        for one in wanted:
            for stretch in _stretches((one,)):
                near[stretch].add(one)

    for wanted in _compatible(offers).values():
        make(wanted)
    for wanted in removals:
        if not any(_clash(wanted, tuple(near[stretch])) for stretch in _stretches(wanted)):
            make(wanted)
    return _with(report.text, sorted(made))


def fix(
    report: Report, check: Callable[[str], Report], *, unsafe: bool = False
) -> tuple[Report, int]:
    """Return the report of the text once no edit changes it, and the number of passes.

    Each pass is checked again. One that leaves more violations than before is not taken; where it
    removed sentences, the next removes none. Stops after 10 passes, and where a text comes back
    that was seen before.
    """
    seen = {report.text}
    for count in range(PASSES):
        text = rewrite(report, unsafe=unsafe)
        if text in seen:
            return report, count
        seen.add(text)
        better = check(text)
        if len(better.violations) <= len(report.violations):
            report = better
        elif unsafe:
            unsafe = False
        else:
            return report, count + 1
    return report, PASSES


def exchanged(old: str, new: str) -> list[tuple[str, str]]:
    """Return the words of a text that another has others for, and these, in order.

    What has one or two words in common between changes is one change.
    """
    before, after = old.split(), new.split()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    found: list[list[int]] = []
    for kind, *place in matcher.get_opcodes():
        if kind == "equal":
            continue
        if found and place[0] - found[-1][1] <= _BETWEEN:
            found[-1][1::2] = place[1::2]
        else:
            found.append(place)
    return [
        (" ".join(before[a:b]).strip(_STOPS), " ".join(after[c:d]).strip(_STOPS))
        for a, b, c, d in found
    ]


def diff(old: str, new: str, name: str) -> str:
    """Return a unified diff, empty if nothing changed."""
    missing = "\n\\ No newline at end of file\n"
    lines = difflib.unified_diff(_lines(old), _lines(new), name, name)
    return "".join(line if line.endswith("\n") else line + missing for line in lines)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
