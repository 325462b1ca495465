"""Entity grounding: how well the sources know what a text names."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from rdflib.term import Literal, Node, URIRef

from groundrules import domain
from groundrules.align.cluster import are_distinct
from groundrules.align.limits import SPELLED_ALIKE
from groundrules.align.passages import stems, words
from groundrules.align.select import NAMED
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.names.names import lists
from groundrules.terms import Claim

#: The letter or code of one thing of a kind.
_LETTER = re.compile(r"[a-z]\d{0,3}|\d{1,3}[a-z]?")
_NAME_WORD = re.compile(r"\w+(?:[.,]\d+)*")
# a text is read again with its edits, beside the same sources
_SMALL = re.compile(r"\b[a-z]{2,}\b")
_DOING = re.compile(r"\w+(?:ing|ed)")


def grounding_of(
    text: Extraction,
    claims: Sequence[Claim],
    sources: Sequence[Extraction],
    kinds: Mapping[Node, str],
    labels: Mapping[Node, str],
    merged: Mapping[Node, Node],
) -> dict[Node, float]:
    """Return how well each thing of the claims is mentioned in the sources, 0..1.

    1 for a node the sources share or a label that stands in their text, else the share of the
    label's words that do; a name counts only whole, or spelled nearly so. No name is what the
    sources have in small letters, word by word ("Confidential Information"), nor a role by what it
    does ("Receiving Party").
    """
    shared = {mention.node for source in sources for mention in source.mentions}
    shared |= {merged.get(node, node) for node in shared}
    texts = tuple(source.document.text for source in sources)
    places = _words_of(texts)
    names = _spellings(sources)
    roles = domain.words().roles
    nodes = dict.fromkeys(
        node
        for claim in claims
        for node in (claim.triple.subject, claim.triple.object)
        if isinstance(node, URIRef)
    )
    nodes |= dict.fromkeys(
        mention.node
        for mention in text.mentions
        if mention.kind in NAMED and isinstance(mention.node, URIRef)
    )
    out: dict[Node, float] = {}
    for node in nodes:
        label = words(labels.get(node, ""))
        term = len(label) > 1 and kinds.get(node) != "PERSON" and _are_common(label, texts)
        term = term or (len(label) == 2 and label[1] in roles and bool(_DOING.fullmatch(label[0])))
        if node in shared or not label or term or _stands(label, places):
            out[node] = 1.0
        elif kinds.get(node) in NAMED:
            out[node] = _nearest_spelling(label, names)
        else:
            out[node] = sum([word] in places for word in label) / len(label)
    return out


def _are_common(label: Sequence[str], texts: tuple[str, ...]) -> bool:
    """Return whether some texts have each of some words, in any form, in small letters."""
    return all(not _small_stems(texts).isdisjoint(stems(word)) for word in label)


@lru_cache(maxsize=4)
def _small_stems(texts: tuple[str, ...]) -> frozenset[str]:
    found = {word for text in texts for word in _SMALL.findall(text)}
    return frozenset(stem for word in found for stem in stems(word))


def known_names(text: Extraction, sources: Sequence[Extraction]) -> dict[Node, float]:
    """Return for each thing that the text names whether the sources have all parts of its name.

    A part is a run of capitalised words: of "Imke Torres of Green Aldermere" there are two. The
    capital of the first word of a sentence tells nothing, so that word is no part by itself.
    """
    places = _words_of(tuple(source.document.text for source in sources))
    starts = [span.start for span in text.sentences]
    body = text.document.text
    out: dict[Node, float] = {}
    for mention in text.mentions:
        part = body[max(0, mention.span.start - 1) : mention.span.start] in ("-", "’", "'")
        if mention.kind not in NAMED or isinstance(mention.node, Literal) or part:
            continue
        first = bisect_right(starts, mention.span.start) - 1
        opens = first >= 0 and not words(body[starts[first] : mention.span.start])
        runs = _runs(mention.text, opens=opens)
        if runs:
            known = min(_known(run, places) for run in runs)
            out[mention.node] = max(known, out.get(mention.node, 0.0))
    return out


def _runs(name: str, *, opens: bool) -> list[list[str]]:
    """Return the runs of capitalised words; `opens` says that it opens a sentence."""
    from spacy.lang.en.stop_words import STOP_WORDS

    found = _NAME_WORD.findall(name)
    runs: list[list[str]] = [[]]
    for number, word in enumerate(found):
        follows = found[number + 1 : number + 2]
        joined = bool(follows) and follows[0][0].isupper() and word.casefold() not in STOP_WORDS
        if word in ("v", "vs") and runs[-1]:
            runs[-1].append(word)  # the two parties of a case are one name
        elif not word[0].isupper() and not word[0].isdigit():
            runs.append([])
        elif number or not opens or joined or not word[1:].islower():
            runs[-1].append(word.casefold())
    return [run for run in runs if run]


def _known(run: Sequence[str], places: _Words) -> float:
    """Return whether the sources have a run of words, the last of them maybe in the singular.

    A single word that they lack may be common knowledge, so it is half known, as is a thing by its
    letter ("Button F") where they have the letter.
    """
    if _stands(run, places) or (run[-1].endswith("s") and [*run[:-1], run[-1][:-1]] in places):
        return 1.0
    lettered = len(run) == 2 and _LETTER.fullmatch(run[1]) and run[1:] in places
    return 0.5 if len(run) == 1 or lettered else 0.0


def _stands(phrase: Sequence[str], places: _Words) -> bool:
    """Return whether texts have a phrase, or the country of its adjective ("Danish", "Denmark")."""
    return phrase in places or any(other in places for other in _nations().get(tuple(phrase), ()))


@cache
def _nations() -> Mapping[tuple[str, ...], list[list[str]]]:
    """Return the words for a country by those of its adjective, and the other way round."""
    found: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    for adjective, country in lists()["nationalities"].items():
        found[adjective,].append(words(country))
        found[tuple(words(country))].append([adjective])
    return found


class _Words:
    """The words of texts by their places; a phrase is in it if it stands in one of the texts."""

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        self._words: list[str] = []
        for text in texts:
            self._words += [*text, "\n"]  # no phrase crosses from one text to the next
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(self._words):
            self._places[word].append(place)

    def __contains__(self, phrase: Sequence[str]) -> bool:
        """Return whether the phrase stands in a text; the cost is that of its rarest word."""
        places = [self._places.get(word, []) for word in phrase]
        offset = min(range(len(phrase)), key=lambda n: len(places[n]))
        return any(
            self._words[place - offset : place - offset + len(phrase)] == list(phrase)
            for place in places[offset]
            if place >= offset
        )


@lru_cache(maxsize=2)
def _words_of(texts: tuple[str, ...]) -> _Words:
    return _Words(map(words, texts))


def _spellings(sources: Sequence[Extraction]) -> dict[int, list[str]]:
    """Return the names the sources use, by their length."""
    found = {
        " ".join(words(mention.text))
        for source in sources
        for mention in source.mentions
        if mention.kind in NAMED
    }
    out: dict[int, list[str]] = defaultdict(list)
    for name in sorted(found):
        out[len(name)].append(name)
    return out


def _nearest_spelling(label: Sequence[str], names: Mapping[int, Sequence[str]]) -> float:
    """Return how nearly one of the names is spelled like this, 0 below `SPELLED_ALIKE`.

    Names of one word count only whole (Austria, Australia), and so do short words and numbers
    within longer ones (Exhibit A, Exhibit B).
    """
    import difflib

    spelled = " ".join(label)
    if len(label) < 2:
        return 0.0
    size = len(spelled)
    # no name of another length can come up to the ratio
    shorter = SPELLED_ALIKE / (2 - SPELLED_ALIKE)
    low, high = math.ceil(size * shorter), int(size / shorter)
    matcher = difflib.SequenceMatcher(None, "", spelled, autojunk=False)
    best = 0.0
    for name in (name for length in range(low, high + 1) for name in names.get(length, ())):
        matcher.set_seq1(name)
        if (
            matcher.quick_ratio() >= max(best, SPELLED_ALIKE)
            and all(len(word) > 3 for word in {*label} ^ {*name.split()})
            and not are_distinct(spelled, name)
        ):
            best = max(best, matcher.ratio())
    return best if best >= SPELLED_ALIKE else 0.0
