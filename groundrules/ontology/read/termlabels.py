"""The words that an ontology itself has for its terms: labels, and how texts inflect them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rdflib.namespace import OWL, RDF, RDFS, SKOS
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import IRREGULAR_VERBS, PREPOSITIONS, singular
from groundrules.claims.english.alternations import AFTER_A_VERB
from groundrules.ontology.load import Ontology

__all__ = ["Axioms", "lemmas", "local_words"]

_NAMES = (RDFS.label, SKOS.prefLabel, SKOS.altLabel)


class Axioms:
    """What an ontology says of its terms, indexed once."""

    def __init__(self, ontology: Ontology) -> None:
        self.by: dict[Node, list[tuple[Node, Node]]] = {}
        self.of: dict[tuple[Node, Node], list[Node]] = {}
        self.types: dict[Node, set[Node]] = {}
        for triple in (*ontology.axioms, *ontology.individuals):
            subject, predicate, object_ = triple.subject, triple.predicate, triple.object
            self.by.setdefault(predicate, []).append((subject, object_))
            self.of.setdefault((subject, predicate), []).append(object_)
            if predicate == RDF.type:
                self.types.setdefault(subject, set()).add(object_)

    def called(
        self, term: Node, predicates: Iterable[Node] = _NAMES, *, foreign: bool = False
    ) -> list[str]:
        """Return what is said of a term in English, or in no language; else `foreign` words."""
        found = (sorted(self.of.get((term, one), ()), key=str) for one in predicates)
        words = [one for part in found for one in part if isinstance(one, Literal)]
        english = [one for one in words if _english(one)]
        return [str(one) for one in english or (words if foreign else ())]

    def terms(self, kinds: Iterable[Node]) -> list[URIRef]:
        """Return the terms that are of one of some kinds."""
        wanted = set(kinds)
        return sorted(
            s for s, found in self.types.items() if found & wanted and isinstance(s, URIRef)
        )

    def words(self, term: URIRef) -> list[str]:
        """Return what a term is called: labels, other labels, its local name in words."""
        out = [*self.called(term), local_words(term)]
        return list(dict.fromkeys(" ".join(_split(word)).casefold() for word in out if word))

    def wordings(self) -> Iterable[tuple[URIRef, str, bool]]:
        """Yield properties with the relations that word them and whether they are backwards."""
        indexed = self.terms(
            (OWL.ObjectProperty, OWL.DatatypeProperty, RDF.Property, OWL.FunctionalProperty)
        )
        called = {term: self.words(term) for term in indexed}
        for term, words in called.items():
            for word in words:
                yield term, lemmas(word), False
                if done := re.fullmatch(r"(?:is |be )?(\w{2,40}?)e?d by", word):
                    # the extractor makes "A was repealed by B" the claim "B repeal A"
                    yield term, done[1], True
                    yield term, done[1] + "e", True
                if done := re.fullmatch(r"(?:is |be )?(\w{3,40}) by", word):
                    base = _IRREGULAR.get(done[1]) or IRREGULAR_VERBS.get(done[1])
                    yield from ((term, base, True) for base in [base] if base)
                for base in _bases(word):
                    yield term, base, False
                noun = re.sub(r"^(?:has|have|is) ", "", word)
                if noun != word or not _VERBAL.search(word):
                    yield term, lemmas(noun), False
                    yield term, f"have {noun}", False
                    yield term, f"{noun} of", True

    def nouns(self) -> dict[str, URIRef]:
        """Return the class of each noun phrase."""
        out: dict[str, URIRef] = {}
        for term in self.terms((OWL.Class, RDFS.Class)):
            for word in self.words(term):
                out.setdefault(word, term)
        return out

    def labels(self) -> dict[URIRef, str]:
        """Return what each term is called first."""
        known = self.terms(
            (OWL.Class, RDFS.Class, OWL.ObjectProperty, OWL.DatatypeProperty, RDF.Property)
        )
        return {term: words[0] for term in known if (words := self.words(term))}

    def ends(self, predicate: Node) -> dict[URIRef, frozenset[URIRef]]:
        """Return the classes of which a property's subject, or object, is one, or of a union.

        The closure states the classes above as well: only the narrowest say what fits, and a union
        above one of them nothing.
        """
        above = self.above()
        out: dict[URIRef, frozenset[URIRef]] = {}
        for subject in dict.fromkeys(one for one, _ in self.by.get(predicate, ())):
            stated = self.of[subject, predicate]
            implied = {up for one in stated for up in self.of.get((one, RDFS.subClassOf), ())}
            unions = (one for one in stated if one not in implied)
            members = {m for one in unions for m in self.members(one, OWL.unionOf)}
            found = {c for c in (*stated, *members) if isinstance(c, URIRef)}
            if isinstance(subject, URIRef):
                out[subject] = frozenset(c for c in found if not any(
                    c in above.get(d, ()) and d not in above.get(c, ()) for d in found
                ))  # fmt: skip
        return out

    def members(self, node: Node, predicate: Node) -> list[Node]:
        """Return the members of the RDF lists that a node has by a predicate, each once."""
        out: dict[Node, None] = {}
        seen: set[Node] = set()
        rest = list(self.of.get((node, predicate), ()))
        while rest:
            at = rest.pop()
            if at not in seen:
                seen.add(at)
                out |= dict.fromkeys(self.of.get((at, RDF.first), ()))
                rest += self.of.get((at, RDF.rest), ())
        return list(out)

    def above(self) -> dict[URIRef, frozenset[URIRef]]:
        """Return the classes above each class, itself included."""
        direct: dict[Node, set[Node]] = {}
        for sub, super_ in self.by.get(RDFS.subClassOf, ()):
            direct.setdefault(sub, set()).add(super_)
        out: dict[URIRef, frozenset[URIRef]] = {}
        for term in self.terms((OWL.Class, RDFS.Class)):
            seen: set[Node] = set()
            rest: list[Node] = [term]
            while rest:
                at = rest.pop()
                if at not in seen:
                    seen.add(at)
                    rest.extend(direct.get(at, ()))
            out[term] = frozenset(c for c in seen if isinstance(c, URIRef))
        return out


def _bases(word: str) -> Iterable[str]:
    """Yield how the extractor words a property called by a past tense or a participle.

    "acquired" is "acquire", "founded in" is "be founded in" or "found in". Which of the spellings
    is a verb does not matter: no text has the others.
    """
    first, _, rest = word.partition(" ")
    # "bought on" is "be bought on", as "founded in" is "be founded in"
    done = first in _IRREGULAR or first in IRREGULAR_VERBS
    if done and rest in PREPOSITIONS:
        yield f"be {word}"
    if not re.fullmatch(r"\w{2,40}ed", first):
        return
    stem = first[:-2]
    spellings = [stem, stem + "e", *([stem[:-1]] if stem[-1:] == stem[-2:-1] else [])]
    spellings += [stem[:-1] + "y"] if stem.endswith("i") else []
    if rest:
        yield f"be {word}"
    for spelling in spellings:
        yield f"{spelling} {rest}".rstrip()


#: Participles that a table of forms for other ends lacks.
_IRREGULAR = {
    "driven": "drive", "flown": "fly", "fed": "feed", "ridden": "ride", "bred": "breed",
    "grown": "grow", "sewn": "sew", "woven": "weave", "worn": "wear", "sung": "sing",
    "swept": "sweep", "shot": "shoot", "struck": "strike", "hung": "hang", "born": "bear",
    "drawn": "draw", "sown": "sow", "mown": "mow", "stolen": "steal", "bitten": "bite",
}  # fmt: skip


_VERBAL = re.compile(rf"(?:\b(?:{AFTER_A_VERB})$|^\w+s$|ed\b)")


def _english(label: Literal) -> bool:
    return label.language is None or label.language.casefold().startswith("en")


def local_words(term: URIRef) -> str:
    """Return the local name of an IRI in words: `hasLandlord` is "has landlord"."""
    local = re.split(r"[#/:]", str(term).rstrip("#/"))[-1]
    return " ".join(_split(local)).casefold()


def _split(name: str) -> Sequence[str]:
    return re.findall(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|[^\W_a-zA-Z]+", name)


def lemmas(phrase: str) -> str:
    """Return a phrase in the extractor's wording of relations: its first verb in the base form.

    "repealed by" is "be repealed by", "amends" is "amend", "is owned by" is "be owned by".
    """
    words = phrase.casefold().split()
    if not words:
        return ""
    first, rest = words[0], words[1:]
    if first in {"is", "was", "are", "were", "been"}:
        return " ".join(["be", *rest])
    if first in {"has", "had"}:
        return " ".join(["have", *rest])
    if rest[-1:] == ["by"] and first.endswith(("ed", "en", "wn")):
        return " ".join(["be", *words])
    return " ".join([singular(first), *rest])
