"""The ends and the relation of a triple by a language model, looked up where a text has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rdflib.term import Literal, Node

from groundrules.claims.english import (
    BE,
    DEMONSTRATIVES,
    DOUBT,
    HAVE,
    IF,
    NEGATIVE,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
)
from groundrules.claims.english.fillers import OF_VALUES
from groundrules.claims.english.signals import RELATION_MODALITIES
from groundrules.claims.facts.moods import TURNING
from groundrules.claims.facts.parsed import NAMED, DropError, Lookup, Word, is_same, meets, overlaps
from groundrules.claims.facts.phrases import normalised
from groundrules.claims.values.equivalence import compare
from groundrules.claims.values.value_reader import find_values
from groundrules.terms import ENTITY, Mention, Modality, Span, mint

#: Longest words that are looked up, in code points.
LONGEST = 1000
_DEFINITE = DEMONSTRATIVES | POSSESSIVES | {"the", "said", "such"}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Part:
    """A subject or an object: what stands at a place of the document.

    `stands_for` is True where the words at the place are a pronoun or a description of the node.
    """

    node: Node
    label: str
    kind: str
    span: Span
    stands_for: bool = False


@dataclass(frozen=True, slots=True)
class Ends:
    """Looks up the ends of triples in one of several texts."""

    text: Lookup
    texts: Sequence[Lookup]

    @property
    def source(self) -> str:
        """The name of the text."""
        return self.text.extraction.document.name

    def part(self, name: str, passage: tuple[int, int], taken: Span | None) -> Part | None:
        """Return what a name stands for in a passage, None where it is not there."""
        name = normalised(name[:LONGEST])
        wanted = [word.casefold() for word in _WORD.findall(name) if word != "s"]
        if not wanted or len(wanted) > 40:
            return None
        values = find_values(name)
        if len(values) == 1 and all(
            word in OF_VALUES | PREPOSITIONS
            for word in _WORD.findall(
                (name[: values[0].start] + " " + name[values[0].end :]).casefold()
            )
        ):
            return self.valued(values[0].literal, passage)
        return (
            self._written(wanted, passage, taken)
            or self._aliased(name, passage, taken)
            or self._described(name, passage, taken)
        )

    def valued(self, value: Literal, passage: tuple[int, int]) -> Part | None:
        """Return the value of a passage that is equal to one, None where there is none."""
        for mention in self.text.mentioned(*passage):
            if isinstance(mention.node, Literal) and compare(value, mention.node) == "equal":
                return Part(mention.node, one_line(mention.text), mention.kind, mention.span)
        return None

    def _written(
        self, wanted: Sequence[str], passage: tuple[int, int], taken: Span | None
    ) -> Part | None:
        """Return the part whose words stand in the passage, near each other and in order."""
        words = self.text.within(*passage)
        content = [w for w in wanted if w not in OF_VALUES] or list(wanted)
        best: tuple[int, int] | None = None
        for first, word in enumerate(words):
            if not is_same(content[0], word):
                continue
            last = first
            for one in content[1:]:
                following = range(last + 1, min(last + 4, len(words)))
                last = next((n for n in following if is_same(one, words[n])), -1)
                if last < 0:
                    break
            if last < 0 or (taken and overlaps(words[first], words[last], taken)):
                continue
            if best is None or last - first < best[1] - best[0]:
                best = first, last
        if best is None:
            return None
        return self.at(words[best[0] : best[1] + 1])

    def at(self, words: Sequence[Word]) -> Part:
        """Return what stands at some words: the parser's mention, else a name of those words."""
        start, end = words[0].start, words[-1].end
        near = self.text.mentioned(start - 20, end)
        label = normalised(self.text.plain[start:end])
        for mention in near:
            exact = (mention.span.start, mention.span.end) == (start, end)
            if exact or (
                mention.span.start < end
                and start < mention.span.end
                and normalised(mention.text).casefold() == label.casefold()
            ):
                known = self.text.extraction.labels.get(mention.node, label)
                pronoun = mention.text.casefold() in PRONOUNS
                return Part(mention.node, known, mention.kind, mention.span, pronoun)
        last = words[-1]
        if last.tag in {"NN", "NNS"} and label.endswith(last.text):
            # as the parser names nouns
            label = label[: len(label) - len(last.text)] + last.lemma
        kinds = [m.kind for m in near if start <= m.span.start < end and m.kind in NAMED]
        capital = all(self.text.plain[word.start].isupper() for word in words)
        kind = kinds[0] if len(kinds) == 1 and capital else "MISC" if capital else "NOUN"
        return Part(mint(ENTITY, label), label, kind, Span(self.source, start, end))

    def _aliased(self, name: str, passage: tuple[int, int], taken: Span | None) -> Part | None:
        """Return the short name, defined term or pronoun that is resolved to the name."""
        node = mint(ENTITY, name)
        target = next(
            (text.known[node] for text in (self.text, *self.texts) if node in text.known), node
        )
        for mention in self.text.mentioned(*passage):
            resolved = self.text.known.get(mention.node, mention.node)
            free = taken is None or not meets(mention.span, taken)
            if free and target in (resolved, mention.node):
                label = self.text.extraction.labels.get(mention.node, mention.text)
                return Part(mention.node, label, mention.kind, mention.span)
        return None

    def _described(self, name: str, passage: tuple[int, int], taken: Span | None) -> Part | None:
        """Return the thing named elsewhere in the text for which a word of the passage stands.

        The word is a pronoun, or a description such as `the company` that names nothing itself.
        """
        held = self.text.named.get(name.casefold())
        if held is None:
            return None
        label = self.text.extraction.labels.get(held.node, held.text)
        named = Part(held.node, label, held.kind, held.span)
        mentions = self.text.mentioned(*passage)
        none = Word(0, 0, "", "", "")
        words = [none, *self.text.within(*passage), none]
        for before, word, after in zip(words, words[1:], words[2:], strict=False):
            span = Span(self.source, word.start, word.end)
            if taken is not None and meets(span, taken):
                continue
            # "the head of Northgate" is described in full, and stands for nothing named before
            of_its_own = after.text == "of"
            described = before.text in _DEFINITE and word.tag in {"NN", "NNS"} and not of_its_own
            if word.text in PRONOUNS:
                return replace(named, span=span, stands_for=True)
            if described and not any(
                meets(m.span, span) and self._names_another(m, named.node) for m in mentions
            ):
                return replace(named, span=span, stands_for=True)
        return None

    def _names_another(self, mention: Mention, node: Node) -> bool:
        """Return whether a mention is of a thing with a name, and of another than the node."""
        resolved = self.text.known.get(mention.node, mention.node)
        if resolved in (node, self.text.known.get(node, node)):
            return False
        return resolved != mention.node or mention.kind in NAMED


def one_line(text: str) -> str:
    """Return a text with one blank for each white space."""
    return " ".join(text.split())


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
