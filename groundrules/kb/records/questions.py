"""What a question asks of records, and what they state in answer, each statement as a sentence.

A question is about things, by their numbers or by what retrieval finds, and about one property of
them or about none: then it is open. Kinds of question are data (`questions.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib.namespace import RDF, RDFS
from rdflib.term import Node, URIRef

from groundrules.claims.english.fillers import OF_KINDS_OF_QUESTIONS
from groundrules.claims.english.stems import uninflected
from groundrules.dataset import TripleStore
from groundrules.domain import domains
from groundrules.errors import ConfigError
from groundrules.kb.link.properties import local_name
from groundrules.kb.records.formats import DCTERMS, SCHEMA
from groundrules.kb.records.naming import Naming, Part, read_naming
from groundrules.kb.search.neighbourhood import called, natural
from groundrules.kb.search.retrieval import Hit, TextIndex
from groundrules.kb.sources.source import Fault, KnowledgeSource
from groundrules.models.encoder import embedded
from groundrules.terms import Triple

if TYPE_CHECKING:
    from groundrules.models.encoder import Vectors

_WHO = re.compile(r"(?i)\bwho(?:m|se)?\b")
#: The least cosine of a question and the nearest example of its kind, where they share a word;
#: chosen on half of the wordings, see benchmarks/reports/questions.md.
ASKED = 0.8
#: The same where they share none: it is the example but for its thing.
SAME = 0.97
#: Parts that are given where some are asked for.
SOME = 5

_SENTENCE = re.compile(r"\[([XYN])\]")
#: What a kind of question may lack, by the names of its fields.
_OPTIONAL = {"of", "part"}
_WORD = re.compile(r"[^\W_]+")
_COUNTS = re.compile(r"\bhow\s+(?:many|often)\b|\b(?:the\s+)?number\s+of\b|\bcount\b", re.I)
_ALL = re.compile(r"\b(?:all|every|each|complete|full|whole)\b", re.I)


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
class Intent:
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


@cache
def _words(text: str) -> frozenset[str]:
    """Return the words that tell one kind of question from another, uninflected."""
    return frozenset(uninflected(w.casefold()) for w in _WORD.findall(text)) - _EMPTY


#: Words that do not tell one kind of question from another by themselves.
_EMPTY = OF_KINDS_OF_QUESTIONS | {"x"}


@cache
def _vectors(known: tuple[Kind, ...]) -> tuple[list[tuple[Kind, str]], Vectors]:
    rows = [(kind, ask) for kind in known for ask in kind.asks]
    texts = [masked(ask).replace("[X]", _called(kind)) for kind, ask in rows]
    return rows, embedded().encode(texts)


def kind_of(question: str, *, part: bool = False) -> Kind | None:
    """Return what kind of question one is, None where it is like no example.

    It is of the kind of the example nearest in meaning, of those that have a word of it: "who
    examined [X]" means much the same as "who filed [X]", and is not it.
    """
    shown = masked(question).rstrip(" ?.!")
    of, rows = _vectors(kinds())
    asks_who = _WHO.search(shown)
    fitting = [
        kind
        for kind in kinds()
        if bool(kind.of) == part and (not asks_who or any(map(_WHO.search, kind.asks)))
    ]
    spoken = list(dict.fromkeys(map(_called, fitting)))
    asked = embedded().encode([shown.replace("[X]", one) for one in spoken])
    cosines = {one: (rows @ vector).tolist() for one, vector in zip(spoken, asked, strict=True)}
    said, named = _words(shown), frozenset().union(*(_words(one) for one in spoken))
    near = [
        (cosine, n)
        for n, (kind, ask) in enumerate(of)
        if kind in fitting
        and (cosine := cosines[_called(kind)][n]) >= (ASKED if said & _words(ask) - named else SAME)
    ]
    return of[max(near)[1]][0] if near else None


def _called(kind: Kind) -> str:
    return f"the {kind.of}" if kind.of else kind.naming.spoken


def read_question(question: str, index: TextIndex, store: TripleStore, *, most: int = 10) -> Intent:
    """Return what a question asks, and what it is about: what bears a number in it."""
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
        wholes = dict.fromkeys((*things, *partners(store, things)))
        found = (one for whole in wholes for one in _parts(store, part, whole))
        things = tuple(one for one, n in found if n == number)[:1]
        if not things:
            missing = (*missing, f"{part.word} {number}")
    kind = kind_of(question, part=bool(number)) if things else None
    if not (named or missing or number):
        shown, bearers = _by_name(question, store, [hit.node for hit in hits])
        told = kind_of(shown) if bearers else None
        if told is not None and not told.part and any(_ends(store, told, one) for one in bearers):
            things, kind = bearers, told
    count, every = (bool(one.search(question)) for one in (_COUNTS, _ALL))
    return Intent(things, kind, hits, count, every, missing)


def _by_name(
    question: str, store: TripleStore, nodes: Iterable[URIRef]
) -> tuple[str, tuple[URIRef, ...]]:
    """Return a question with [X] for the longest name of things in it, and what bears that.

    A name is a label of at least two words.
    """
    named: dict[str, list[URIRef]] = {}
    for node in dict.fromkeys(nodes):
        for label in _values(store, node, RDFS.label):
            words = re.findall(r"\w+", str(label))
            pattern = r"\b" + r"\W+".join(map(re.escape, words)) + r"\b"
            if len(words) > 1 and re.search(pattern, question, re.I):
                named.setdefault(pattern, []).append(node)
    if not named:
        return question, ()
    longest = max(named, key=lambda pattern: (len(pattern), pattern))
    return re.sub(longest, "[X]", question, flags=re.I), tuple(sorted(set(named[longest])))


def _values(store: TripleStore, thing: Node, predicate: URIRef, back: bool = False) -> list[Node]:
    """Return what is stated of a thing, or what that is stated of, in an order of its own."""
    if back:
        found = [t.subject for t in store.triples(predicate=predicate, object=thing)]
    else:
        found = [t.object for t in store.triples(thing, predicate)]
    return sorted(found, key=lambda node: natural(str(node)))


def _ends(store: TripleStore, kind: Kind, thing: URIRef, otherwise: bool = False) -> list[Node]:
    """Return what answers a kind of question of a thing."""
    predicate = kind.otherwise if otherwise else kind.property
    return _values(store, thing, predicate, kind.back) if predicate else []


def _parts(store: TripleStore, part: Part, thing: URIRef) -> Iterator[tuple[URIRef, int]]:
    """Yield the parts of a thing, and it if it is one, each with its number."""
    own = [thing] if _values(store, thing, part.whole) else []
    for one in (*own, *_values(store, thing, part.whole, back=True)):
        for number in _values(store, one, part.number):
            if isinstance(one, URIRef) and str(number).isdecimal():
                yield one, int(str(number))


def partners(store: TripleStore, things: Iterable[URIRef]) -> tuple[URIRef, ...]:
    """Return the other papers of things, both ways."""
    joins = [naming.papers for naming in namings() if naming.papers]
    found = {
        node
        for thing in things
        for join in joins
        for back in (False, True)
        for node in _values(store, thing, join, back)
    }
    return tuple(sorted(node for node in found if isinstance(node, URIRef)))


def state(asked: Intent, source: KnowledgeSource, store: TripleStore) -> tuple[Fact, ...]:
    """Return what is stated in answer to a question of a kind, () for nothing.

    What one paper of a thing does not state another may.
    """
    kind = asked.kind
    if kind is None or not asked.things:
        return ()
    around = [asked.things] if kind.of else [asked.things, partners(store, asked.things)]
    told = _told if kind.part and kind.naming.part else _stated
    things, found = next(
        ((things, found) for things in around if (found := told(kind, things, source, store))),
        (asked.things, ()),
    )
    if not found and kind.none and not asked.count:
        return _none(kind, asked.things, source, store)
    if found and asked.count and kind.counts:
        slots = (("X", labels(source, things)[things[0]]), ("N", str(len(found))))
        counted = replace(found[0].triple, predicate=kind.property)
        words = kind.counts_one if len(found) == 1 else kind.counts
        return (Fact(things[0], counted, words, slots),)
    return found[:SOME] if kind.part and not asked.all else found


def _told(
    kind: Kind, things: Sequence[URIRef], source: KnowledgeSource, store: TripleStore
) -> tuple[Fact, ...]:
    """Return the texts of the parts that a kind of question asks for."""
    part, names = kind.naming.part, labels(source, things)
    assert part is not None
    out = []
    for thing in things:
        found = {one: number for one, number in _parts(store, part, thing) if one != thing}
        for one, number in sorted(found.items(), key=lambda pair: pair[1]):
            texts = _values(store, one, SCHEMA.text)
            if set(_values(store, one, RDF.type)).isdisjoint(kind.classes) or not texts:
                continue
            slots = (("X", names[thing]), ("Y", shown_text(str(texts[0]))), ("N", str(number)))
            out.append(Fact(one, Triple(one, SCHEMA.text, texts[0]), kind.says, slots))
    # two papers may state the same parts: those of one document
    first = str(out[0].thing).rpartition(f"/{part.word}/")[0] if out else ""
    return tuple(one for one in out if str(one.thing).startswith(f"{first}/"))


def _stated(
    kind: Kind, things: Sequence[URIRef], source: KnowledgeSource, store: TripleStore
) -> tuple[Fact, ...]:
    for otherwise in (False, True):
        rows = [(s, o) for s in things for o in _ends(store, kind, s, otherwise)]
        names = labels(source, [*things, *(o for _, o in rows if isinstance(o, URIRef))])
        predicate = (otherwise and kind.otherwise) or kind.property
        told: dict[str, Fact] = {}
        for s, o in rows:
            value = names[o] if isinstance(o, URIRef) else shown_text(str(o))
            triple = Triple(o, predicate, s) if kind.back else Triple(s, predicate, o)
            thing = o if kind.back and isinstance(o, URIRef) else s
            fact = Fact(thing, triple, kind.says, (("X", names[s]), ("Y", value)))
            told.setdefault(fact.text.casefold(), fact)
        if told:
            return tuple(told.values())
    return ()


def _none(
    kind: Kind, things: Sequence[URIRef], source: KnowledgeSource, store: TripleStore
) -> tuple[Fact, ...]:
    """Return that a thing is of the class that has no such value."""
    names, lacking = labels(source, things), kind.lacking
    return tuple(
        Fact(one, Triple(one, RDF.type, lacking), kind.none, (("X", names[one]),))
        for one in things
        if lacking and lacking in _values(store, one, RDF.type)
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
    """Return what things are called; SourceError where the source could not be asked."""
    out = {}
    for iri, entity in source.resolve(dict.fromkeys(things)).items():
        if isinstance(entity, Fault):
            raise entity.error(source.name)
        out[iri] = " ".join(entity.label.split()) or called(iri)
    return out


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
