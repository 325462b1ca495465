"""Replacements: words of the text that an edit of triples exchanges or takes out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rdflib.term import Literal

from groundrules.align.coverage import has_figures
from groundrules.align.parses import parse
from groundrules.claims.english import PARTICLES, SCALES
from groundrules.claims.literals import Value, find_values
from groundrules.explain.contrast import focus
from groundrules.explain.edits import Replacement, Replacements, exchanged_words, shifted, written
from groundrules.explain.foil import added, differing, label, opposes, swapped
from groundrules.explain.place import source_text
from groundrules.rules.wording import article
from groundrules.terms import ENTITY, Claim, Report, Span, Statement, Violation

_SENTENCE_END = ".!?:;\"'”’)]"
_NAMED = frozenset({"NNP", "NNPS"})
_NOUNS = frozenset({"NN", "NNS", *_NAMED})
#: Parts that make a longer name or another word of what they stand beside.
_MODIFIERS = frozenset("amod compound nmod poss nummod quantmod npadvmod advmod predet".split())
#: Words within a name that have no capital.
_JOINERS = PARTICLES | {"of", "and", "&", "for", "the"}
_ONES = frozenset({"1", "one", "a", "an"})
_SCALES = SCALES.keys() | {"hundred", "dozen"}
_FIGURE = r"\.?\d+(?:[.,\s]\d+)*"
#: Kinds of values whose words tell one from many.
_COUNTED = frozenset({"NUMBER", "QUANTITY", "DURATION", "MONEY"})


def statement_of(report: Report, claim: Claim | None) -> Statement | None:
    """Return the statement that a claim was read from."""
    if claim is None:
        return None
    # statements stand in the order of their numbers, some of which assert nothing
    at = bisect_left(report.statements, claim.sentence, key=lambda one: one.number)
    found = report.statements[at : at + 1]
    return found[0] if found and found[0].number == claim.sentence else None


def exchange(report: Report, violation: Violation) -> Replacements:
    """Return the exchange of values or names that an edit is, nothing where it is another.

    The new words are those of the evidence at its place. Nothing too where the sentence would not
    be English, as far as can be told.
    """
    claim, edit = violation.claim, violation.edit
    statement = statement_of(report, claim)
    if claim is None or edit is None or statement is None or opposes(violation):
        return ()
    place = statement.span  # of which a file may have other words than are shown
    scene = _Scene(report.text[place.start : place.end], place.start)
    passages = tuple(_passages(report, violation))
    if len(said := exchanged_words(edit)) == len(("DELETE", "ADD")):
        span = focus(violation)
        if span is None or report.text[span.start : span.end] != said["DELETE"]:
            return ()
        figures = (one for one in _figures(scene, span, passages) if one[0] == said["ADD"])
        return _value(scene, span, figures) or _name(scene, span, passages, said["ADD"])
    foil = added(violation)
    if foil is None:
        return ()
    subject, _, object_ = claim.parts
    if swapped(claim.triple, foil):
        same = claim.triple.predicate == foil.predicate
        return _swap(scene, subject, object_) if same and subject and object_ else ()
    differ = differing(claim.triple, foil)
    span = claim.parts[differ[0]] if len(differ) == 1 else None
    if span is None or differ[0] == 1:
        return ()  # a verb cannot be exchanged without its sentence
    old, new = ((t.subject, t.predicate, t.object)[differ[0]] for t in (claim.triple, foil))
    if isinstance(old, Literal) and isinstance(new, Literal):
        told = [one for one in _figures(scene, span, passages) if one[1] == new]
        # a knowledge base has values and no text
        return _value(scene, span, told if passages else [(label(new, report.labels), new)])
    if isinstance(old, Literal) or isinstance(new, Literal):
        return ()
    if not passages and not str(new).startswith(str(ENTITY)):
        passages = (label(new, report.labels),)  # nor text but its names
    return _name(scene, span, passages, label(new, report.labels))


def placed(report: Report, violation: Violation) -> Replacements:
    """Return what an edit does to the text: an exchange, or the removal of a sentence."""
    return exchange(report, violation) or removal(report, violation)


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
        return tuple(shifted(place, self.offset) for place in places)


def _figures(scene: _Scene, span: Span, passages: Iterable[str]) -> Iterator[tuple[str, Literal]]:
    """Yield the values of passages that tell of the case of a place, in their words on one line."""
    place = scene.within(span) or (0, 0)
    for passage in passages:
        if has_figures(scene.text, passage, place):
            for one in _values(passage):
                yield " ".join(passage[one.start : one.end].split()), one.literal


def _value(scene: _Scene, span: Span, figures: Iterable[tuple[str, Literal]]) -> Replacements:
    """Return the exchange of a value for the first of others that reads as well in its place."""
    place = scene.within(span)
    old = next((one for one in _values(scene.text) if (one.start, one.end) == place), None)
    if not old:
        return ()
    for said, literal in figures:
        made = _worded(scene.text, old.start, old.end, said)
        if made is None or literal.datatype != old.literal.datatype:
            continue
        new = Value(made.start + len(made.text) - len(said), made.start + len(made.text),
                    old.kind, literal)  # fmt: skip
        if _agrees(scene.text, old, said) and new in _values(written(scene.text, [made])):
            return scene.made(made)
    return ()


@lru_cache(maxsize=512)
def _values(text: str) -> tuple[Value, ...]:
    return find_values(text)


def _agrees(text: str, old: Value, said: str) -> bool:
    """Return whether other words for a value fit its place: of one form, one of one, many of many.

    A date may have another form where the sentence has none of its own: not "the 1st of June".
    """
    was = text[old.start : old.end]
    if _shape(was) == _shape(said):
        return _is_one(was) == _is_one(said)
    free = _neighbours(text, old.start, old.end)[0] not in ("the", "this", "that", "last", "next")
    return old.kind not in _COUNTED and free and text[old.end : old.end + 1] not in tuple("'’-")


def _shape(said: str) -> str:
    """Return the form of a value: its marks and small words, figures and months left out."""
    words = re.sub(rf"{_FIGURE}|\b[A-Z]\w+", "0", said).casefold()
    return re.sub(r"[a-z-]+", lambda found: "0" if _is_number(found[0]) else found[0], words)


def _is_number(word: str) -> bool:
    found = _values(word)
    return len(found) == 1 and found[0].kind == "NUMBER" and found[0].end == len(word)


def _is_one(said: str) -> bool:
    """Return whether the words of a value count one thing."""
    found = re.findall(rf"{_FIGURE}|[^\W\d_]+(?:-[^\W\d_]+)*", said.casefold())
    return bool(found) and found[0] in _ONES and (len(found) < 2 or found[1] not in _SCALES)


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
    changed, moved = written(text, [place for place, _ in made]), 0
    for place, new in made:
        end = place.start + moved + len(place.text)
        moved += len(place.text) - (place.end - place.start)
        if not _name_at(changed, end - len(new.words), end, known=True):
            return False
    return True


def _worded(text: str, start: int, end: int, said: str) -> Replacement | None:
    """Return the exchange of words; None where they may need another "a" or "an" before them."""
    if re.search(r"(?<!\w)an?\s+$", text[:start], re.IGNORECASE):
        alike = article(text[start:end]) == article(said)
        spelt = all(
            re.match(r"[A-Z]?[a-z]+\b|[$£€]?[2-79]", one) for one in (text[start:end], said)
        )
        return _checked(text, Replacement(start, end, said)) if alike and spelt else None
    if _opens(text, start) and text[start : start + 1].isupper():
        said = said[:1].upper() + said[1:]
    return _checked(text, Replacement(start, end, said))


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


def removal(report: Report, violation: Violation) -> Replacements:
    """Return the removal of the sentence that a claim is all of, with the space behind it."""
    claim, edit, text = violation.claim, violation.edit, report.text
    if claim is None or edit is None or any(o.action == "ADD" for o in edit.operations):
        return ()
    start, end = claim.span.start, claim.span.end
    if end > len(text):
        return ()
    before = text[max(0, start - 99) : start].rstrip()[-1:]
    while end < len(text) and text[end] in _SENTENCE_END:
        end += 1
    ended = text[start:end].rstrip()[-1:] in (".", "!", "?", "”", '"')
    if not ended or (before and before not in _SENTENCE_END):
        return ()
    while end < len(text) and text[end] == " ":
        end += 1
    return (Replacement(start, end, ""),)
