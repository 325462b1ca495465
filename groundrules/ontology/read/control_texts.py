"""Texts of which it is known what they say in the terms of an ontology.

They are the tests of its lexicon, which our own reading meets (`failing`), and the controls of
another reader (`known_texts`). An ontology without a lexicon has texts that are made of the labels
of its terms and of names that nothing has. Of each two, one says it plainly, and one denies it or
leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.resolve import resolve
from groundrules.dataset import stance
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.lexicon import Example, read_lexicon
from groundrules.ontology.read.reader import read_terms
from groundrules.ontology.termlist import PropertyTerm, Vocabulary
from groundrules.terms import Claim

#: Names of things that no text is likely to have.
_NAMES = "Aldrenna Bostrel Carvith Dunlowe Everash Farrowin Gristaline Holvane".split()
_DAYS = (("3 May 2019", "2019-05-03"), ("17 October 2008", "2008-10-17"))
_MODES = {"not": "denied", "possibility": "open", "condition": "open"}


@dataclass(frozen=True, slots=True)
class Known:
    """A text, and what it says: how, by which property, and of what value, by its label."""

    text: str
    says: tuple[tuple[str, URIRef, str], ...]
    functional: frozenset[URIRef] = frozenset()

    def amiss(self, read: Iterable[Claim], labels: Mapping[Node, str]) -> str:
        """Return what somebody has read amiss of it, empty where nothing is.

        All that it says must be there, and no other value of what has one.
        """
        found = [
            (
                "open" if c.attribution else stance(c.polarity, c.modality),
                c.triple.predicate,
                _shown(c.triple.object, labels),
            )
            for c in read
            if c.triple.predicate != RDF.type
        ]
        for how, predicate, value in self.says:
            theirs = [(h, v) for h, p, v in found if p == predicate]
            if not any(h == how and _is_same(v, value) for h, v in theirs):
                return f"it does not have the value {value}"
            for _, other in theirs if predicate in self.functional else ():
                if not _is_same(other, value):
                    return f"it has the value {other} for {value}"
        return ""


def _shown(node: Node, labels: Mapping[Node, str]) -> str:
    return str(node) if isinstance(node, Literal) else labels.get(node, str(node))


def _is_same(one: str, other: str) -> bool:
    """Return whether a name is the other, with or without words before and behind it."""
    first, second = (" ".join(re.findall(r"\w+", words.casefold())) for words in (one, other))
    return bool(first) and bool(second) and (first in second or second in first)


def known_texts(ontology: Ontology, terms: Vocabulary, draw: int) -> tuple[Known, ...]:
    """Return two texts of which it is known what they say, drawn by a number."""
    functional = read_lexicon(ontology).functional
    found = [
        Known(one.text, one.says, functional)
        for one in [*_of_tests(ontology)] or [*_made(terms, draw)]
    ]
    plain = [one for one in found if {how for how, _, _ in one.says} == {"affirmed"}]
    others = [one for one in found if one not in plain]
    return tuple(kind[draw % len(kind)] for kind in (plain, others) if kind)


def _of_tests(ontology: Ontology) -> Iterator[Known]:
    """Yield the tests of a lexicon that say all by a date, or a name which their text has.

    Each by a property of its own: who says a thing twice asks for a choice.
    """
    if ontology.lexicon is None:
        return
    lexicon = read_lexicon(ontology)
    for example in lexicon.tests:
        says = [*_says(example, lexicon.prefixes)]
        once = len({predicate for _, predicate, _ in says}) == len(example.expect)
        if not example.source and says and once:
            yield Known(example.text, tuple(says))


def _says(example: Example, prefixes: Mapping[str, str]) -> Iterator[tuple[str, URIRef, str]]:
    for line in example.expect:
        words = line.split(" ")
        at = next((n for n, one in enumerate(words) if one.split(":")[0] in prefixes and n), 0)
        prefix, colon, local = words[at].partition(":")
        value = " ".join(words[at + 1 :])
        if not (at and colon and value):
            continue
        mode = _MODES.get(words[0], "affirmed")
        named = " ".join(re.findall(r"\w+", value)) in " ".join(re.findall(r"\w+", example.text))
        if named or re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            yield mode, URIRef(prefixes[prefix] + local), value


def _made(terms: Vocabulary, draw: int) -> Iterator[Known]:
    """Yield texts made of labels: one says a thing of another, or its day, and one denies it."""
    properties = [
        one
        for one in terms.properties.values()
        if one.domain and (one.kind == "date" or (one.kind == "thing" and one.range))
    ]
    if not properties:
        return
    for number, denied in enumerate((False, True)):
        term = properties[(draw // (number + 1)) % len(properties)]
        yield _record(term, terms, draw + number, denied=denied)


def _record(term: PropertyTerm, terms: Vocabulary, draw: int, *, denied: bool) -> Known:
    name, other = (_NAMES[(draw + step) % len(_NAMES)] for step in (0, 3))
    day, date = _DAYS[draw % len(_DAYS)]
    value, shown = (day, date) if term.kind == "date" else (other, other)
    about = f"the {_label(terms.classes[term.domain[0]].called, term.domain[0])} “{name}”"
    what = f"“{_label(term.called, term.name)}” is {value}"
    if term.kind == "thing":
        kind = _label(terms.classes[term.range[0]].called, term.range[0])
        what = f"“{_label(term.called, term.name)}” is the {kind} “{value}”"
    text = f"Of {about} it is not true that its {what}." if denied else f"Of {about}, {what}."
    return Known(text, (("denied" if denied else "affirmed", term.iri, shown),))


def _label(called: Sequence[str], name: str) -> str:
    return called[0] if called else name


# --- the tests of a lexicon -----------------------------------------------------------------------


def failing(ontology: Ontology) -> Iterator[tuple[Example, int, str]]:
    """Yield each line that a test of the lexicon of an ontology expects and that is not read.

    Before it stand the test and the line of the file where that begins, after it what is read.
    """
    if ontology.lexicon is None:
        return
    tests = read_lexicon(ontology).tests
    lines = ontology.lexicon.read_text("utf-8").split("\n")
    heads = [n for n, one in enumerate(lines, 1) if re.match(r"\s*\[\[\s*test\s*\]\]", one)]
    for number, example in enumerate(tests):
        for told in failures(ontology, example):
            yield example, heads[number] if number < len(heads) else 1, told


def failures(ontology: Ontology, example: Example) -> list[str]:
    """Return the lines that an example expects and that are not read, each with what is."""
    prefixes = read_lexicon(ontology).prefixes
    texts = filter(None, (example.text, example.source))
    found = resolve([extract(from_text(text, f"text{n}")) for n, text in enumerate(texts)])
    reading = read_terms(found[0], found[1:], ontology)
    labels = {**reading.labels, **found[0].labels}
    read = [line(claim, labels, prefixes) for claim in reading.assertions]
    return [
        f"{wanted!r} is not read, but {read}" for wanted in example.expect if wanted not in read
    ]


def line(claim: Claim, labels: Mapping[Node, str], prefixes: Mapping[str, str]) -> str:
    """Return an assertion as its mode where it is no plain one, subject, property and object."""
    mode = "" if claim.polarity == "positive" else "not "
    mode += f"{claim.modality} " if claim.modality in {"possibility", "condition"} else ""
    t = claim.triple
    object_ = str(t.object) if isinstance(t.object, Literal) else labels.get(t.object, t.object)
    predicate = str(t.predicate)
    for prefix, space in prefixes.items():
        if predicate.startswith(space):
            predicate = f"{prefix}:{predicate.removeprefix(space)}"
    return f"{mode}{labels.get(t.subject, t.subject)} {predicate} {object_}"
