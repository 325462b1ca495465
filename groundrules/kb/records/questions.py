"""What a question asks of records, and what they state in answer, each statement as a sentence.

A question is about things, by their numbers or by what retrieval finds, and about one property of
them or about none: then it is open. Kinds of question are data (`questions.toml`).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib.namespace import RDF, RDFS
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english.fillers import OF_KINDS_OF_QUESTIONS, THIN
from groundrules.claims.english.stems import uninflected
from groundrules.domain import domains
from groundrules.errors import ConfigError
from groundrules.kb.link.properties import local_name
from groundrules.kb.records.formats import DCTERMS, SCHEMA
from groundrules.kb.records.naming import Naming, Part, read_naming
from groundrules.kb.search.neighbourhood import called, natural
from groundrules.kb.search.retrieval import Hit, TextIndex
from groundrules.kb.sources.source import Entity, Fault, Graph, KnowledgeSource, Query
from groundrules.models.encoder import embedded
from groundrules.terms import Triple

if TYPE_CHECKING:
    from groundrules.models.encoder import Vectors

#: How much of a kind's nearest example a question must share with it, as a cosine; measured on
#: half of the wordings, see benchmarks/reports/questions.md.
ASKED = 0.45
#: The same where meaning counts besides, of two.
MEANT = 0.75
#: Parts that are given where some are asked for.
SOME = 5

_SENTENCE = re.compile(r"\[([XYN])\]")
#: What a kind of question may lack, by the names of its fields.
_OPTIONAL = {"of", "part"}
_WORD = re.compile(r"\[X\]|[^\W_]+")
_COUNTS = re.compile(r"\bhow\s+(?:many|often)\b|\b(?:the\s+)?number\s+of\b|\bcount\b", re.I)
_ALL = re.compile(r"\b(?:all|every|each|complete|full|whole)\b", re.I)
_NUMBERED = """SELECT ?s ?o WHERE {
  { VALUES (?s ?whole ?bears ?number) { $parts } ?o ?whole ?s ; ?bears ?number }
  UNION { VALUES (?s ?whole ?bears ?number) { $parts }
          ?s ?whole ?of ; ?bears ?number . BIND(?s AS ?o) } }"""
_OUT = "SELECT ?s ?o WHERE { VALUES (?s ?p) { $pairs } ?s ?p ?o }"
_BACK = "SELECT ?s ?o WHERE { VALUES (?s ?p) { $pairs } ?o ?p ?s }"
_PARTS = """PREFIX schema: <http://schema.org/>
SELECT ?s ?o ?text ?number WHERE { VALUES (?s ?kind ?whole ?bears) { $parts }
  ?o ?whole ?s ; a ?kind ; schema:text ?text ; ?bears ?number }"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: a property, back if its values are the subjects, and its wordings.

    `of` is the part that it is about, empty for the whole. `says` states a value, `counts` how many
    there are, `none` that something of the class `lacking` has none: each in the wording that
    answers have, and then in others.
    """

    property: URIRef
    back: bool
    asks: tuple[str, ...]
    says: tuple[str, ...]
    counts: tuple[str, ...] = ()
    counts_one: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    of: str = ""
    otherwise: URIRef | None = None
    classes: tuple[URIRef, ...] = ()
    part: bool = False
    lacking: URIRef | None = None
    naming: Naming = field(default_factory=Naming)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks: of which things, what kind, None for an open question.

    `missing` are the numbers in it that nothing bears; `hits` what retrieval found, the best first.
    """

    things: tuple[URIRef, ...]
    kind: Kind | None
    hits: tuple[Hit, ...]
    count: bool = False
    all: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement in wordings with slots, and what fills these.

    `thing` is what it is read from, a part for its words.
    """

    thing: URIRef
    triple: Triple
    says: tuple[str, ...]
    slots: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The statement as a sentence."""
        return _filled(self.says[0], dict(self.slots))


class UnansweredError(Exception):
    """Something could not be asked, and why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message or fault.code)
        self.fault = fault


def kinds() -> tuple[Kind, ...]:
    """Return the kinds of question of the domains (`questions.toml`), in their order."""
    return _kinds(tuple(one.questions for one in domains() if one.questions))


@cache
def _kinds(paths: tuple[Path, ...]) -> tuple[Kind, ...]:
    return tuple(kind for path in paths for kind in _read_kinds(path))


def _read_kinds(path: Path) -> tuple[Kind, ...]:
    try:
        return _kinds_of(tomllib.loads(path.read_text("utf-8")))
    except (KeyError, TypeError, AttributeError, ValueError, re.error) as error:
        kind = "lacks the key " if isinstance(error, KeyError) else ""
        raise ConfigError(f"no file of questions: {kind}{error}", path=str(path)) from None


def _kinds_of(data: Mapping[str, Any]) -> tuple[Kind, ...]:
    prefixes = data["prefixes"]

    def iri(name: str) -> URIRef:
        prefix, _, local = name.removeprefix("^").partition(":")
        return URIRef(f"{prefixes[prefix]}{local}")

    naming = read_naming(data, iri)
    return tuple(
        Kind(
            iri(one["property"]),
            one["property"].startswith("^"),
            tuple(one["asks"]),
            _listed(one["says"]),
            _listed(one.get("counts", ())),
            _listed(one.get("counts_one", ())),
            _listed(one.get("none", ())),
            otherwise=iri(one["else"]) if "else" in one else None,
            classes=tuple(map(iri, one.get("classes", ()))),
            lacking=iri(one["lacking"]) if "lacking" in one else None,
            naming=naming,
            **{key: one[key] for key in _OPTIONAL & one.keys()},
        )
        for one in data["kind"]
    )


def _listed(texts: str | Sequence[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)


def namings() -> tuple[Naming, ...]:
    """Return how the questions of each domain name things."""
    return tuple(dict.fromkeys(kind.naming for kind in kinds()))


def masked(question: str) -> str:
    """Return a question with [X] for the parts, numbers and documents it names, case folded."""
    shown = question
    for naming in namings():
        shown = naming.number.sub(" [X] ", shown) if naming.number else shown
        for pattern in naming.part.patterns() if naming.part else ():
            shown = pattern.sub(" [X] ", shown)
    shown = _COUNTS.sub(" ", shown)
    shown = re.sub(r"\[X\](?:[\s,]*+(?:(?:of|in|from|under)\s*+)?\[X\])+", " [X] ", shown)
    return " ".join(shown.replace("[X]", "\0").casefold().replace("\0", "[X]").split())


def _features(text: str) -> Counter[str]:
    words = [w if w == "[X]" else uninflected(w.casefold()) for w in _WORD.findall(text)]
    found = Counter(words)
    plain = [w for w in words if w not in THIN]
    found.update(f"{a} {b}" for a, b in pairwise(plain))
    return found


#: Words that do not tell one kind of question from another by themselves.
_EMPTY = OF_KINDS_OF_QUESTIONS | {"[X]"}


@cache
def _examples(
    known: tuple[Kind, ...],
) -> tuple[list[tuple[int, dict[str, float], float]], dict[str, float]]:
    """Return the examples as weighted features with their length, and the weights."""
    rows = [(n, _features(ask)) for n, kind in enumerate(known) for ask in kind.asks]
    # in how many kinds a feature is found says how little it tells
    found: dict[str, set[int]] = {}
    for number, features in rows:
        for one in features:
            found.setdefault(one, set()).add(number)
    weights = {
        one: math.log((1 + len(known)) / (1 + len(told))) + 0.1 for one, told in found.items()
    }
    out = []
    for number, features in rows:
        vector = {one: weights[one] for one in features}
        out.append((number, vector, math.sqrt(sum(v * v for v in vector.values()))))
    return out, weights


def kind_of(question: str, *, part: bool = False, named: bool = True) -> Kind | None:
    """Return what kind of question one is, None where it is like no example.

    By words, and where these do not tell, by meaning; that only of questions about something
    `named`, since whoever names nothing asks what fits.
    """
    best, kind = max(_by_words(question, part), key=lambda pair: pair[0])
    if best >= ASKED:
        return kind
    if not named:
        return None
    mixed = [
        (best + cosine, kind)
        for (best, kind), cosine in zip(
            _by_words(question, part), _by_meaning(question, part), strict=True
        )
        if best  # "who examined [X]" means much the same as "who filed [X]", and is not it
    ]
    best, kind = max(mixed, key=lambda pair: pair[0], default=(0.0, kind))
    return kind if best >= MEANT else None


def _by_words(question: str, part: bool) -> list[tuple[float, Kind]]:
    """Return how like its nearest example a question is, for each kind."""
    examples, weights = _examples(kinds())
    features = _features(masked(question))
    # a word that no example has counts as one that few have, and lightly: it may be of the thing
    vector = {one: weights.get(one, 0.7 if " " not in one else 0.0) for one in features}
    size = math.sqrt(sum(v * v for v in vector.values())) or 1.0
    found = dict.fromkeys(_fitting(part), 0.0)
    content = {one for one in vector if " " not in one} - _EMPTY
    for number, example, length in examples:
        # "inventors has [X]" is not like "claims has [X]"
        if number in found and (not content or not content.isdisjoint(example)):
            score = sum(vector[one] * v for one, v in example.items() if one in vector)
            found[number] = max(found[number], score / (size * length))
    return [(score, kinds()[number]) for number, score in found.items()]


def _by_meaning(question: str, part: bool) -> list[float]:
    rows = _vectors(kinds())
    shown = masked(question)
    found = dict.fromkeys(_fitting(part), 0.0)
    for spoken in dict.fromkeys(_called(kinds()[number]) for number in found):
        asked = embedded().encode([shown.replace("[X]", spoken)])[0]
        for number, cosine in zip(rows[0], (rows[1] @ asked).tolist(), strict=True):
            if number in found and _called(kinds()[number]) == spoken:
                found[number] = max(found[number], cosine)
    return list(found.values())


def _fitting(part: bool) -> list[int]:
    return [n for n, kind in enumerate(kinds()) if bool(kind.of) == part]


@cache
def _vectors(known: tuple[Kind, ...]) -> tuple[list[int], Vectors]:
    rows = [(n, ask.replace("[X]", _called(kind))) for n, kind in enumerate(known)
            for ask in kind.asks]  # fmt: skip
    return [number for number, _ in rows], embedded().encode([text for _, text in rows])


def _called(kind: Kind) -> str:
    return f"the {kind.of}" if kind.of else kind.naming.spoken


def read_question(question: str, index: TextIndex, graph: Graph, *, most: int = 10) -> Asked:
    """Return what a question asks, and what it is about: what bears a number in it.

    Raises:
        UnansweredError: the graph could not be asked.
        SourceError: the index cannot be read.
    """
    hits = tuple(index.search(question, most))
    named = tuple(hit.node for hit in hits if hit.how == "identifier")
    missing = tuple(
        number
        for naming in namings()
        if naming.number
        for match in naming.number.finditer(question)
        if (number := match["number"].strip(" ,/"))
        and not index.identified(number)
        and len(re.sub(r"\D", "", number)) >= 6
    )
    parts = (naming.part for naming in namings() if naming.part)
    part, number = next(((p, n) for p in parts if (n := p.find(question))), (None, 0))
    things = named
    if part and things:
        wholes = tuple(dict.fromkeys((*things, *partners(graph, things))))
        things = _numbered(graph, wholes, part, number)
        if not things:
            missing = (*missing, f"{part.word} {number}")
    kind = kind_of(question, part=bool(number), named=bool(things))
    if not (named or missing or number):
        shown, bearers = _by_name(question, graph, [hit.node for hit in hits])
        told = kind_of(shown, named=False) if bearers else None
        if told is not None and not told.part and _has_statement(told, bearers, graph):
            things, kind = bearers, told
    count, every = (bool(one.search(question)) for one in (_COUNTS, _ALL))
    return Asked(things, kind, hits, count, every, missing)


def _by_name(
    question: str, graph: Graph, nodes: Iterable[URIRef]
) -> tuple[str, tuple[URIRef, ...]]:
    """Return a question with [X] for the longest name of things in it, and what bears that.

    A name is a label of at least two words.
    """
    rows = select(graph, _OUT, "pairs", [(one, RDFS.label) for one in dict.fromkeys(nodes)])
    named: dict[str, list[URIRef]] = {}
    for row in rows:
        words = re.findall(r"\w+", str(row["o"]))
        pattern = r"\b" + r"\W+".join(map(re.escape, words)) + r"\b"
        if len(words) > 1 and isinstance(row["s"], URIRef) and re.search(pattern, question, re.I):
            named.setdefault(pattern, []).append(row["s"])
    if not named:
        return question, ()
    longest = max(named, key=lambda pattern: (len(pattern), pattern))
    return re.sub(longest, "[X]", question, flags=re.I), tuple(sorted(named[longest]))


def _has_statement(kind: Kind, things: Sequence[URIRef], graph: Graph) -> bool:
    """Return whether something is stated of things in answer to a kind of question."""
    pairs = [(thing, p) for thing in things for p in (kind.property, kind.otherwise) if p]
    return bool(select(graph, _BACK if kind.back else _OUT, "pairs", pairs))


def select(graph: Graph, text: str, block: str, rows: Sequence[tuple[Node, ...]]) -> list[Any]:
    """Return the rows of a query; UnansweredError where it could not be asked."""
    if not rows:
        return []
    answer = graph.select(Query(text, {block: rows}, block))
    for fault in answer.faults.values():
        raise UnansweredError(fault)
    return list(answer.rows)


def partners(graph: Graph, things: Iterable[URIRef]) -> tuple[URIRef, ...]:
    """Return the other papers of things, both ways."""
    joins = [naming.papers for naming in namings() if naming.papers]
    pairs = [(one, join) for one in things for join in joins]
    rows = [row for text in (_OUT, _BACK) for row in select(graph, text, "pairs", pairs)]
    return tuple(sorted({row["o"] for row in rows if isinstance(row["o"], URIRef)}))


def _numbered(
    graph: Graph, things: Sequence[URIRef], part: Part, number: int
) -> tuple[URIRef, ...]:
    """Return the part of that number, of the first thing that has one."""
    parts = [(one, part.whole, part.number, Literal(number)) for one in things]
    rows = select(graph, _NUMBERED, "parts", parts)
    found = {row["s"]: row["o"] for row in rows if isinstance(row["o"], URIRef)}
    return next(((found[one],) for one in things if one in found), ())


def state(asked: Asked, source: KnowledgeSource, graph: Graph) -> tuple[Fact, ...]:
    """Return what is stated in answer to a question of a kind, () for nothing.

    What one paper of a thing does not state another may.

    Raises:
        UnansweredError: the graph could not be asked.
    """
    kind = asked.kind
    if kind is None or not asked.things:
        return ()
    around: tuple[tuple[URIRef, ...], ...] = (asked.things,)
    if not kind.of:
        around = (asked.things, partners(graph, asked.things))
    for things in around:
        found = _stated(kind, things, source, graph)
        if found:
            break
    else:
        if kind.none and asked.things and not asked.count:
            return _none(kind, asked.things, source, graph)
        return ()
    if asked.count and kind.counts:
        first = found[0]
        label = labels(source, [things[0]])[things[0]]
        slots = (("X", label), ("N", str(len(found))))
        counted = replace(first.triple, predicate=kind.property)
        words = kind.counts_one if len(found) == 1 else kind.counts
        return (Fact(things[0], counted, words, slots),)
    if kind.part and not asked.all:
        return found[:SOME]
    return found


def _stated(
    kind: Kind, things: Sequence[URIRef], source: KnowledgeSource, graph: Graph
) -> tuple[Fact, ...]:
    out = []
    part = kind.naming.part
    if kind.part and part:
        parts = [(thing, one, part.whole, part.number) for thing in things for one in kind.classes]
        rows = select(graph, _PARTS, "parts", parts)
        names = labels(source, things)
        rows.sort(key=lambda row: (things.index(row["s"]), int(str(row["number"]))))
        for row in rows:
            number = str(row["number"])
            slots = (("X", names[row["s"]]), ("Y", shown_text(row["text"])), ("N", number))
            triple = Triple(row["o"], SCHEMA.text, row["text"])
            out.append(Fact(row["o"], triple, kind.says, slots))
        # two papers may state the same parts: those of one document
        mark = f"/{part.word}/"
        first = str(out[0].thing).rpartition(mark)[0] if out else ""
        return tuple(one for one in out if str(one.thing).startswith(f"{first}/"))
    for predicate in filter(None, (kind.property, kind.otherwise)):
        pairs = [(thing, predicate) for thing in things]
        rows = select(graph, _BACK if kind.back else _OUT, "pairs", pairs)
        ends = [row["o"] for row in rows if isinstance(row["o"], URIRef)]
        names = labels(source, [*things, *ends])
        told: dict[str, Fact] = {}
        for row in sorted(rows, key=lambda row: (things.index(row["s"]), natural(str(row["o"])))):
            s, o = row["s"], row["o"]
            value = names[o] if isinstance(o, URIRef) else shown_text(o)
            triple = Triple(o, predicate, s) if kind.back else Triple(s, predicate, o)
            thing = o if kind.back and isinstance(o, URIRef) else s
            fact = Fact(thing, triple, kind.says, (("X", names[s]), ("Y", value)))
            told.setdefault(fact.text.casefold(), fact)
        if told:
            return tuple(told.values())
    return ()


def _none(
    kind: Kind, things: Sequence[URIRef], source: KnowledgeSource, graph: Graph
) -> tuple[Fact, ...]:
    """Return that a thing is of the class that has no such value."""
    rows = select(graph, _OUT, "pairs", [(one, RDF.type) for one in things])
    names = labels(source, things)
    return tuple(
        Fact(row["s"], Triple(row["s"], RDF.type, row["o"]), kind.none, (("X", names[row["s"]]),))
        for row in rows
        if row["o"] == kind.lacking
    )


def wordings(facts: Iterable[Fact]) -> list[str]:
    """Return statements in all their wordings, those of one thing together besides.

    "The inventors of [X] are [Y]" has all of them, however often each is said by itself.
    """
    out: dict[str, None] = {}
    groups: dict[tuple[str, str, str], dict[str, None]] = {}
    for fact in facts:
        slots = dict(fact.slots)
        whole = slots.get("X", "").partition(" of ")[2]
        if whole and slots.get("Y", "").endswith(f" of {whole}"):  # "claim 2 of it is of claim 1"
            slots["Y"] = slots["Y"].removesuffix(f" of {whole}")
        for text in fact.says:
            out[_filled(text, slots)] = None
            for one, other in (("X", "Y"), ("Y", "X")) if slots.keys() == {"X", "Y"} else ():
                groups.setdefault((text, one, slots[one]), {})[slots[other]] = None
    for (text, one, value), others in groups.items():
        if len(others) > 1:
            *most, last = others
            rest = f"{', '.join(most)} and {last}"
            out[_filled(text, {one: value, "Y" if one == "X" else "X": rest})] = None
    return list(out)


def _filled(text: str, values: Mapping[str, str]) -> str:
    """Return a sentence with its slots filled, once: what is filled in has no slots."""
    said = _SENTENCE.sub(lambda m: values.get(m[1], m[0]), text)
    said = f"{said[:1].upper()}{said[1:]}"
    return said if not said.endswith("..") else said[:-1]


def labels(source: KnowledgeSource, things: Iterable[URIRef]) -> dict[URIRef, str]:
    """Return what things are called.

    Raises:
        UnansweredError: the source could not be asked.
    """
    distinct = list(dict.fromkeys(things))
    out = {}
    for iri, entity in source.resolve(distinct).items() if distinct else ():
        if isinstance(entity, Fault):
            raise UnansweredError(entity)
        assert isinstance(entity, Entity)
        out[iri] = " ".join(entity.label.split()) or called(iri)
    return {one: out.get(one) or called(one) for one in distinct}


#: Words that a relation begins with where it is read as it stands: "[X] decides [Y]."
_VERBS = frozenset(
    "amends applies cites claims decides depends describes interprets overrules refers repeals "
    "reverses uses affirms".split()
)


def said_of(predicate: URIRef, label: str) -> tuple[str, ...]:
    """Return the wordings of a statement: those of its kind, else one of its label."""
    for kind in kinds():
        if predicate in (kind.property, kind.otherwise) and not (kind.back or kind.part):
            return kind.says
    words = label.strip() or local_name(predicate)
    if words.partition(" ")[0] in _VERBS:
        return (f"[X] {words} [Y].",)
    if words.endswith((" of", " by", " on", " in")):
        return (f"[X] is {words} [Y].",)
    return (f"The {words.removeprefix('has ')} of [X] is [Y].",)


def shown_text(value: str) -> str:
    """Return a literal on one line; the number that the text of a part begins with is its name."""
    return re.sub(r"^\d+\s*\.\s+", "", " ".join(value.split()))


def is_text(predicate: Node) -> bool:
    """Return whether the values of a property are texts: titles, abstracts, claims."""
    return predicate in (DCTERMS.title, DCTERMS.abstract, SCHEMA.text, SCHEMA.description)
