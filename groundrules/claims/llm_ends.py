"""The ends of a triple by a language model: names and values looked up where a text has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rdflib.term import Literal, Node

from groundrules.claims.english import DEMONSTRATIVES, POSSESSIVES, PREPOSITIONS, PRONOUNS
from groundrules.claims.english.fillers import OF_VALUES
from groundrules.claims.equivalence import compare
from groundrules.claims.literals import find_values
from groundrules.claims.lookup import NAMED, Lookup, is_same, meets, overlaps
from groundrules.claims.parsed import Word
from groundrules.claims.phrases import normalised
from groundrules.terms import ENTITY, Mention, Span, mint

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
