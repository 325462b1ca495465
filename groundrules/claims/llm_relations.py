"""The relation of a triple by a language model, in the words that a text has for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundrules.claims.english import BE, DOUBT, HAVE, IF, NEGATIVE, PREPOSITIONS
from groundrules.claims.english.fillers import OF_VALUES
from groundrules.claims.english.signals import RELATION_MODALITIES
from groundrules.claims.llm_ends import Part
from groundrules.claims.lookup import DropError, Lookup, is_same
from groundrules.claims.moods import TURNING
from groundrules.claims.parsed import Word
from groundrules.claims.phrases import normalised
from groundrules.terms import Modality, Span

#: The most words of a relation that only the model names.
WORDIEST = 5
_BEING = BE | {"am", "'s"}
#: Verbs before others that leave open whether it is so.
_UNSURE = frozenset(
    word for word, mode in RELATION_MODALITIES.items() if mode is not Modality.ASSERTED
)
#: Why a triple is dropped, as the notes say it.
DENIED = "whose relation only the model names where the text denies or doubts"
#: Words of a relation that its label leaves out.
_SILENT = OF_VALUES | NEGATIVE | frozenset(RELATION_MODALITIES)


def relation_of(
    text: Lookup, words: str, passage: tuple[int, int], subject: Part, object_: Part
) -> tuple[str, Span | None, bool, bool] | None:
    """Return label, place, whether it is denied and whether it is passive with an agent.

    None where the passage has no such words, or relates the two by others.
    """
    tokens = [t.casefold() for t in re.findall(r"[^\W_]+(?:['’][^\W_]+)?", normalised(words))]
    denied = any(t in NEGATIVE or t.endswith(("n't", "n’t")) for t in tokens)
    if not 0 < len(tokens) <= 12:
        return None
    here = text.within(*passage)
    label: list[str] = []
    places: list[int] = []
    passive = False
    anchor = object_.span.start
    for token in tokens:
        if token in _BEING:
            label = [] if label == ["have"] else label
            label.append("be")
        elif token in HAVE:
            label.append("have")
        elif token in PREPOSITIONS:
            if token not in {"of", "to"} and all(word.text != token for word in here):
                return None
            label.append(token)
        elif token in _SILENT or token.endswith(("n't", "n’t")):
            continue
        else:
            matching = [n for n, word in enumerate(here) if is_same(token, word)]
            if not matching:
                return None
            place = min(matching, key=lambda n: (abs(here[n].start - anchor), n))
            places.append(place)
            label = _worded(text, label, here, place)
    if places:
        passive = len(label) > 2 and label[0] == "be" and label[-1] == "by"
        if passive:
            label = [here[places[0]].lemma, *label[2:-1]]
        near = [n for n in places if abs(n - places[0]) <= 6]
        first, last = here[min(near)], here[max(near)]
        span = Span(text.extraction.document.name, first.start, last.end)
        return " ".join(label), span, denied, passive
    if not label:
        return None
    return _copula(text.extraction.document.name, label, here, subject, object_, denied)


def named_relation(
    text: Lookup, words: str, passage: tuple[int, int]
) -> tuple[str, Span | None, bool, bool] | None:
    """Return a relation by the name that the model gives it; see `relation_of`.

    DropError where the passage denies or doubts something, or the name does.
    """
    tokens = [token.casefold() for token in re.findall(r"[^\W_]+", normalised(words))]
    if not 0 < len(tokens) <= WORDIEST:
        return None
    here = text.within(*passage)
    said = {*tokens, *(word.text for word in here)}
    source = text.extraction.document.name
    turned = any(word.lemma in TURNING for word in here if word.tag.startswith("VB"))
    places = (Span(source, place, place) for place in (passage[0], passage[1] - 1))
    first, last = map(text.sentence_at, places)
    doubted = not text.doubted.isdisjoint(range(first, last + 1))
    if doubted or turned or said & (NEGATIVE | DOUBT | IF | _UNSURE):
        raise DropError(DENIED)
    return " ".join(tokens), None, False, False


def _worded(text: Lookup, label: list[str], here: Sequence[Word], place: int) -> list[str]:
    """Return a label with one word more, as the parser words relations."""
    word = here[place]
    written = normalised(text.plain[word.start : word.end])
    verb = word.tag.startswith("VB")
    if label == ["have"] and verb:
        return [word.lemma]
    if not label and word.tag == "VBN" and _is_passive(here, place):
        return ["be", word.text]
    if label == ["be"]:
        if word.tag == "VBG":
            return [word.lemma]
        if word.tag.startswith("NN"):
            return [written]
        return ["be", word.text]
    return [*label, word.lemma if verb else written]


def _copula(
    source: str,
    label: Sequence[str],
    here: Sequence[Word],
    subject: Part,
    object_: Part,
    denied: bool,
) -> tuple[str, Span | None, bool, bool] | None:
    """Return a relation of `be`, `have` or a preposition: one that no other verb parts."""
    first, last = sorted((subject.span, object_.span))
    between = [w for w in here if first.end <= w.start and w.end <= last.start]
    verbs = [w for w in between if w.tag.startswith(("VB", "MD"))]
    verb = next((w for w in verbs if w.lemma == label[0]), None)
    if (verb is None and "have" in label) or any(w.lemma != label[0] for w in verbs):
        return None
    place = Span(source, verb.start, verb.end) if verb else None
    return " ".join(label), place, denied, False


def _is_passive(here: Sequence[Word], place: int) -> bool:
    """Return whether a participle tells what is done to its subject: no "have" stands before it."""
    before = [word.text for word in here[max(0, place - 3) : place]]
    auxiliary = next((text for text in reversed(before) if text in _BEING | HAVE), "be")
    return auxiliary in _BEING
