"""Resolve: short names, acronyms and defined terms become the thing they stand for."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rdflib.term import Literal, Node

from groundrules import domain, plugins
from groundrules.claims.documents.document import plain
from groundrules.claims.english import table, words
from groundrules.claims.names.definitions import definitions
from groundrules.claims.names.names import is_contest, lists
from groundrules.errors import type_of
from groundrules.terms import ENTITY, RELATION, Claim, Mention, Triple, mint

if TYPE_CHECKING:
    from groundrules.claims.facts.offline import Extraction

_FORMS = words("forms_of_resolve")
_SYNONYMS = table("synonyms")
_NAMED = frozenset({"PERSON", "ORG", "LOC", "MISC"})
#: What joins two names into one, or tells of two.
_AND = frozenset({"and", "&", "or"})
_VALUE_TERM = re.compile(r"(?:date|term|period|rent|price|fee|amount|deposit|payment|day)s?$", re.I)
_BE = mint(RELATION, "be")


@dataclass(frozen=True, slots=True)
class _Name:
    node: Node
    label: str
    kind: str
    words: tuple[str, ...]  # casefolded, without stops


def resolve(extractions: Sequence[Extraction]) -> tuple[Extraction, ...]:
    """Return the extractions with one node for each thing they name, in the order given.

    A document's own defined terms and short names come first, then those of the other documents;
    a term that two of them define differently is left alone.
    Two full names of people are never merged; a short form that fits two names stays apart.
    The role in `X be Landlord` is kept as it is, or nothing could be said about who has it.
    """
    everything: dict[Node, _Name] = {}
    own: list[dict[Node, _Name]] = []
    for extraction in extractions:
        named = _named(extraction)
        own.append(named)
        for node, name in named.items():
            everything.setdefault(node, name)
    special = _of_domains(extractions)
    shared = _aliases(everything)
    terms = [_terms(extraction) for extraction in extractions]
    common = _agreed(terms)
    roles = {m.node for e in extractions for m in e.mentions if m.kind == "TERM"}
    labels: dict[Node, str] = {}
    for extraction in extractions:
        for node, label in extraction.labels.items():
            labels.setdefault(node, label)
    out = []
    for place, (extraction, named, mine) in enumerate(zip(extractions, own, terms, strict=True)):
        mapping = {**shared, **_aliases(named, everything), **common, **mine}
        for known in special:
            mapping.update(known[place])
        out.append(_rewritten(extraction, _closed(mapping, shared), roles, labels))
    return tuple(out)


def _of_domains(extractions: Sequence[Extraction]) -> list[list[Mapping[Node, Node]]]:
    found = []
    for field in domain.domains():
        with plugins.blame(plugins.DOMAINS, field.name):
            for names in field.names:
                known = list(names(extractions))
                if len(known) != len(extractions):
                    raise TypeError(f"names of {len(known)} texts; expected {len(extractions)}")
                if wrong := [one for one in known if not isinstance(one, Mapping)]:
                    raise TypeError(f"names gave {type_of(wrong[0])}; expected a Mapping")
                plugins.expect(known, list[Mapping[Node, Node]])
                found.append(known)
    return found


def _named(extraction: Extraction) -> dict[Node, _Name]:
    out: dict[Node, _Name] = {}
    for m in extraction.mentions:
        if m.node in out or isinstance(m.node, Literal):
            continue
        label = extraction.labels.get(m.node, m.text)
        if is_contest(label):
            continue  # whose parties are no short names of it
        if m.kind in _NAMED or (m.kind == "NOUN" and label.istitle() and " " not in label):
            words = tuple(
                w.strip(".'’") for w in re.split(r"[\s\-/]+", label.casefold()) if w.strip(".'’")
            )
            if words:
                out[m.node] = _Name(m.node, label, m.kind, words)
    return out


def _aliases(
    names: Mapping[Node, _Name], wider: Mapping[Node, _Name] | None = None
) -> dict[Node, Node]:
    """Map each short form to the one name it fits; `wider` is asked where `names` has none."""
    index = _Index(names)
    fallback = _Index(wider) if wider is not None else None
    out: dict[Node, Node] = {}
    for name in names.values():
        full = index.fuller(name)
        if not full and fallback is not None:
            full = fallback.fuller(name)
        if len(full) == 1:
            out[name.node] = full[0].node
    return out


class _Index:
    """Names by their words, their bare form and their initials."""

    def __init__(self, names: Mapping[Node, _Name]) -> None:
        self.by_word: dict[str, list[_Name]] = {}
        self.by_key: dict[str, list[_Name]] = {}
        self.by_initials: dict[str, list[_Name]] = {}
        self.worded = {name.words for name in names.values()}
        for name in sorted(names.values(), key=lambda n: (-len(n.label), n.label)):
            for word in {*name.words}:
                self.by_word.setdefault(word, []).append(name)
            self.by_key.setdefault(_key(name), []).append(name)
            for initials in _initials(name):
                self.by_initials.setdefault(initials, []).append(name)

    def fuller(self, name: _Name) -> list[_Name]:
        """Give the longest names that a name can be short for; several where unclear."""
        same = [
            n
            for n in self.by_key.get(_key(name), [])
            if n.node != name.node and not _namesakes(name, n)
        ]
        if same and (len(same[0].label), same[0].label) > (len(name.label), name.label):
            return same[:1]
        found: list[_Name] = []
        for other in self.by_word.get(name.words[0], []) + (
            self.by_word.get(name.words[-1], []) if len(name.words) > 1 else []
        ):
            if (
                other.node != name.node
                and other not in found
                and _short_for(name, other)
                and not _namesakes(name, other)
                and not self._joins(other, name)
            ):
                found.append(other)
        if not found and name.label.isupper() and 2 <= len(name.label) <= 6:
            found = [
                n for n in self.by_initials.get(name.label.casefold(), []) if n.node != name.node
            ]
        keys = {_key(n) for n in found}
        if len(keys) > 1:
            # nested names count as one: "Merkel" < "Angela Merkel" < "Angela Dorothea Merkel"
            longest = found[0]
            for n in found:
                longest = n if len(n.words) > len(longest.words) else longest
            if all(n is longest or _short_for(n, longest) for n in found):
                return [longest]
            return found
        return found[:1]

    def _joins(self, full: _Name, part: _Name) -> bool:
        """Return whether a name is two joined, one of them the part.

        Both are names of the text, or of several words each: "Ingram Micro and Bay Capital, LLC".
        """
        for at, word in enumerate(full.words):
            if word in _AND:
                sides = {
                    full.words[:at],
                    full.words[at + 1 + (full.words[at + 1 : at + 2] == ("the",)) :],
                }
                whole = word != "&" and all(len(side) > 1 for side in sides)
                if part.words in sides and (whole or sides <= self.worded | {part.words}):
                    return True
        return False


def _namesakes(one: _Name, other: _Name) -> bool:
    """Return whether a person and a firm share a name: Robert Lee, Robert Lee Properties LLC."""
    for person, firm in ((one, other), (other, one)):
        full = person.kind == "PERSON" and len(person.words) > 1 and not {*person.words} & _FORMS
        if full and firm.kind == "ORG" and {*firm.words} & _FORMS:
            return True
    return False


def _key(name: _Name) -> str:
    kept = [re.sub(r"\W", "", w) for w in name.words]
    if " ".join(kept) in _SYNONYMS:
        return _SYNONYMS[" ".join(kept)]
    if name.kind == "PERSON":
        return " ".join(kept)
    bare = [w for w in kept if w not in _FORMS] or kept
    joined = " ".join(bare)
    return _SYNONYMS.get(joined, joined)


def _initials(name: _Name) -> set[str]:
    if len(name.words) < 2 or name.kind == "PERSON":
        return set()
    return {
        "".join(w[0] for w in name.words),
        "".join(w[0] for w in name.words if w not in _FORMS),
    }


def _short_for(short: _Name, full: _Name) -> bool:
    if len(short.words) >= len(full.words):
        return False
    if full.kind == "PERSON":
        if " ".join(short.words) in lists()["places"]:
            return False
        if len(short.words) == 1:
            return short.words[0] in {full.words[-1], full.words[0]} and len(short.words[0]) > 1
        return _initialled(short.words, full.words)
    if full.kind == "ORG":
        if " ".join(short.words) in lists()["places"]:
            return False
        size = len(short.words)
        return (
            full.words[:size] == short.words
            and not {*short.words} <= _FORMS
            and len(short.words[0]) > 2
        )
    return False


def _initialled(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """`J. Smith` or `John Smith` for `John Q. Smith`."""
    if short[-1] != full[-1]:
        return False
    rest = iter(full[:-1])
    return all(
        any(w == word or (len(w) == 1 and word.startswith(w)) for word in rest) for w in short[:-1]
    )


def _terms(extraction: Extraction) -> dict[Node, Node]:
    """Map each defined term to what its parenthesis names."""
    places = {d.place: d for d in definitions(plain(extraction.document))}
    out: dict[Node, Node] = {}
    doubtful: set[Node] = set()
    for claim in extraction.claims:
        if claim.triple.predicate != _BE:
            continue
        for term, place, thing, named in (
            (claim.triple.object, claim.parts[2], claim.triple.subject, claim.parts[0]),
            (claim.triple.subject, claim.parts[0], claim.triple.object, claim.parts[2]),
        ):
            if named and extraction.document.text[: named.start].endswith("per "):
                continue  # a price "per Share (the “Price”)" is no share
            if _is_paper(extraction.labels.get(term, "")):
                continue
            if isinstance(thing, Literal) and not _VALUE_TERM.search(
                extraction.labels.get(term, "")
            ):
                continue
            if place and (place.start, place.end) in places and term != thing:
                if out.setdefault(term, thing) != thing:
                    doubtful.add(term)
                break
    return {k: v for k, v in out.items() if k not in doubtful}


def _is_paper(label: str) -> bool:
    """Return whether a term is the paper or a side of it: (the "Agreement") names nothing else."""
    low = label.casefold()
    return any(low.endswith((word, f"{word}s")) for word in domain.words().papers)


def _agreed(terms: Sequence[Mapping[Node, Node]]) -> dict[Node, Node]:
    """Return the defined terms that mean the same in every document that defines them."""
    meant: dict[Node, set[Node]] = {}
    for mapping in terms:
        for term, thing in mapping.items():
            meant.setdefault(term, set()).add(thing)
    return {term: next(iter(things)) for term, things in meant.items() if len(things) == 1}


def _closed(mapping: Mapping[Node, Node], wider: Mapping[Node, Node]) -> dict[Node, Node]:
    """Follow each chain of aliases to its end; a circle ends at its least member."""
    out: dict[Node, Node] = {}
    for start in mapping:
        seen = [start]
        node = mapping[start]
        while node not in seen:
            seen.append(node)
            node = mapping.get(node, wider.get(node, node))
        end = (
            seen[-1]
            if mapping.get(seen[-1], wider.get(seen[-1])) is None
            else min(seen[seen.index(node) :], key=str)
        )
        if end != start:
            out[start] = end
    return out


def _rewritten(
    extraction: Extraction,
    mapping: Mapping[Node, Node],
    roles: Collection[Node],
    known: Mapping[Node, str],
) -> Extraction:
    labels = dict(extraction.labels)
    full = dict(mapping)
    for node, label in extraction.labels.items():
        head, of, tail = label.rpartition(" of ")
        if of and node not in full and not isinstance(node, Literal):
            target = full.get(mint(ENTITY, tail))
            if target is not None and not isinstance(target, Literal):
                renamed = f"{head} of {_label(target, labels, known)}"
                full[node] = mint(ENTITY, renamed)
                labels.setdefault(full[node], renamed)
    for target in full.values():
        if target not in labels:
            labels[target] = _label(target, labels, known)
    claims: list[Claim] = []
    for claim in extraction.claims:
        s, p, o = claim.triple.subject, claim.triple.predicate, claim.triple.object
        subject = full.get(s, s)
        if isinstance(subject, Literal):
            subject = s
        object_ = o if p == _BE and o in roles else full.get(o, o)
        if subject == object_:
            object_ = o
        if subject == object_:
            continue
        same = subject == s and object_ == o
        claims.append(claim if same else replace(claim, triple=Triple(subject, p, object_)))
    mentions: list[Mention] = [
        replace(m, node=full[m.node]) if m.node in full else m for m in extraction.mentions
    ]
    loops = []
    for claim in extraction.loops:
        node = full.get(claim.triple.subject, claim.triple.subject)
        loops.append(replace(claim, triple=Triple(node, claim.triple.predicate, node)))
    return replace(
        extraction,
        claims=tuple(claims),
        mentions=tuple(mentions),
        labels=labels,
        loops=tuple(loops),
    )


def _label(node: Node, labels: Mapping[Node, str], known: Mapping[Node, str]) -> str:
    from urllib.parse import unquote

    name = str(node).removeprefix(str(ENTITY)).replace("-", " ")
    return labels.get(node) or known.get(node) or unquote(name)
