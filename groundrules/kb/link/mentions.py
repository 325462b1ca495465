"""Link names to entities: candidates, features, a logistic model, a status with its reason.

What coreference made one thing is linked as one thing, by its fullest name. The model is a
conditional logit: the candidates of a name and "none of them" share the probability, so it says
how sure a link is and how near the second comes. No feature sees what a knowledge base states of
the candidates, else every false claim would drift to the reading that makes it true.

Weights and thresholds are data (`models/linker/weights.json`), fitted by
`training/linker/train.py`.
"""

from __future__ import annotations

import difflib
import functools
import json
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import IRREGULAR_PLURALS, singular
from groundrules.claims.english.alternations import BEFORE_A_NAME
from groundrules.claims.english.fillers import KINDS_BY_ANOTHER_NAME
from groundrules.claims.english.stems import LETTERS
from groundrules.errors import ModelError
from groundrules.kb.link.aliases import normalise
from groundrules.kb.sources.source import Entity, Fault
from groundrules.models import logistic
from groundrules.models.shipped import folder, words
from groundrules.terms import Mention, Span

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

#: What bears each name, the likeliest first: `KnowledgeSource.named`.
Named = Callable[[Iterable[str]], Mapping[str, tuple[Entity, ...] | Fault]]
#: Which of the classes each entity is an instance of: `KnowledgeSource.types`.
Types = Callable[[Iterable[URIRef], Iterable[URIRef]], Mapping[URIRef, frozenset[URIRef] | Fault]]
#: Unit vectors of texts (n, d): `groundrules.models.embed.encode`.
Encode = Callable[[Sequence[str]], "Vectors"]

#: Candidates that are scored, readings that are kept, sentences that are context.
LIMIT, READINGS, CONTEXT = 12, 4, 3

FEATURES: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("features.toml").read_text("utf-8")
)
#: The features that need an encoder.
ENCODED = frozenset({"cosine", "lead"})

_FOLDER = folder("linker")
_NO_MENTIONS = frozenset(words("linker")["no_mentions"])
#: Words of a title that keep their small letter.
_SMALL = frozenset("of the and for in".split())
_NO_MENTIONS_CAPITAL = frozenset(words("linker")["no_mentions_capital"])
_NAMES = ("PERSON", "ORG", "LOC", "MISC")
_WIKIDATA = "http://www.wikidata.org/entity/"
_PAGE = "PAGE"  # types of what is a page about names, and no thing of the world

_ARTICLE = re.compile(rf"(?:{BEFORE_A_NAME})\s+(?=\S)", re.I)
_POSSESSIVE = re.compile(r"(?<=\w)(?:['’]s|(?<=s)['’])$")
_QUOTES = "\"'“”‘’«»`„ "
_TAKEN_OFF = tomllib.loads(Path(__file__).with_name("names.toml").read_text("utf-8"))
#: What is put after a name to say what it is, the form of a firm behind it, a title before it.
_CLASS_NOUN = re.compile(rf"(?<=\w)\s+(?:{'|'.join(_TAKEN_OFF['class_nouns'].split())})$", re.I)
_FIRM = re.compile(rf"(?:,|(?<!\s))\s+(?:{'|'.join(_TAKEN_OFF['firms'])})\.?$", re.I)
_TITLE = re.compile(rf"(?:{'|'.join(_TAKEN_OFF['titles'])})\.?\s+(?=\S)", re.I)
_WORD = re.compile(r"\w+")


def is_common(key: str) -> bool:
    """Return whether a lower-case name is a word that names nothing by itself: she, time."""
    return key in _NO_MENTIONS


class LinkStatus(StrEnum):
    """What came of linking a name."""

    LINKED = "linked"
    AMBIGUOUS = "ambiguous"  # several readings: a verdict counts if all of them give it
    NIL_LOW_SCORE = "nil_low_score"  # something is so named, and it is not what is meant
    NIL_NO_CANDIDATE = "nil_no_candidate"  # nothing is so named
    FAILED = "failed"  # the source was not asked, or could not be


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a name may mean, how probably it does, and by which features."""

    entity: Entity
    probability: float
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """What a thing of a text is in a knowledge base, with the reason.

    `mention` is the fullest name of the thing. `candidates` are its readings: one if LINKED, two
    to four within the margin if AMBIGUOUS, else none. `others` are the next best, to four in all:
    the namesakes with which a refutation is tried again, or what was too unlikely. The thresholds
    of `Model` are for `probability`, that the right one is among the readings.
    """

    mention: Mention
    status: LinkStatus
    reason: str
    candidates: tuple[Candidate, ...] = ()
    others: tuple[Candidate, ...] = ()
    fault: Fault | None = None

    @property
    def probability(self) -> float:
        """How probably one of the readings is what the text means, 0 without any."""
        return sum(c.probability for c in self.candidates)


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of a thing with their features (`FEATURES`); none if `fault` or no name."""

    mention: Mention
    entities: tuple[Entity, ...] = ()
    features: tuple[Mapping[str, float], ...] = ()
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """Weights and thresholds, and the digest of their file.

    Candidates no further than `margin` from the best are readings too; where their probabilities
    come to less than `t_nil`, nothing is linked. For the caller: a verdict SUPPORTED asks for links
    of a probability of at least `t_support`, REFUTED for `t_refute`, which is the greater.
    """

    weights: Mapping[str, float]
    intercept: float
    t_nil: float
    margin: float
    t_support: float
    t_refute: float
    digest: str

    def probabilities(self, rows: Sequence[Mapping[str, float]]) -> list[float]:
        """Return the probability of each candidate; what is missing to 1 is that of none."""
        logits = [logistic.log_odds(self.weights, self.intercept, row) for row in rows]
        top = max([0.0, *logits])
        scale = math.exp(-top) + sum(math.exp(logit - top) for logit in logits)
        return [math.exp(logit - top) / scale for logit in logits]


def link(
    mentions: Sequence[Mention],
    sentences: Sequence[str],
    named: Named,
    *,
    encode: Encode | None = None,
    expected: Mapping[Node, frozenset[URIRef]] | None = None,
    types: Types | None = None,
) -> tuple[Link, ...]:
    """Return one link for each thing that the mentions name, in the order of the text.

    `sentences` gives the sentence each mention stands in. Values (mentions whose node is a
    literal) are left out. `named` is asked once for all names, `types` once for the classes in
    `expected`, by node, any of which will do; without it the direct types count. The order of the
    mentions does not matter. What `encode` is decides which of the two weight sets is used.

    Raises:
        ModelError: the weights cannot be read.
        ValueError: there are not as many sentences as mentions.
    """
    model = load_model(encoded=encode is not None)
    pools = gather(mentions, sentences, named, encode=encode, expected=expected, types=types)
    return tuple(decide(pool, model) for pool in pools)


def decide(pool: Pool, model: Model) -> Link:
    """Return the link that a model makes of a pool."""
    name = pool.mention.text
    if pool.fault is not None:
        reason = f"{name!r} could not be looked up: {pool.fault.message or pool.fault.code}"
        return Link(pool.mention, LinkStatus.FAILED, reason, fault=pool.fault)
    if not pool.entities:
        why = f"{name!r} is a common word" if _common(name) else f"nothing is called {name!r}"
        return Link(pool.mention, LinkStatus.NIL_NO_CANDIDATE, why)
    ranked = sorted(
        map(Candidate, pool.entities, model.probabilities(pool.features), pool.features),
        key=lambda c: (-c.probability, -c.entity.prior, c.entity.iri),
    )
    best = ranked[0]
    within = [c for c in ranked if best.probability - c.probability <= model.margin]
    near, rest = tuple(within[:READINGS]), tuple(ranked[:READINGS])
    total = sum(c.probability for c in within)
    shown = " or ".join(map(_shown, near))
    if total < model.t_nil:
        reason = f"{shown}: too unlikely, below {model.t_nil:.2f}"
        return Link(pool.mention, LinkStatus.NIL_LOW_SCORE, reason, others=rest)
    if len(within) > READINGS:
        reason = f"{len(within)} are about as likely as {_shown(best)}"
        return Link(pool.mention, LinkStatus.NIL_LOW_SCORE, reason, others=rest)
    status = LinkStatus.AMBIGUOUS if len(within) > 1 else LinkStatus.LINKED
    return Link(pool.mention, status, shown, near, rest[len(near) :])


def gather(
    mentions: Sequence[Mention],
    sentences: Sequence[str],
    named: Named,
    *,
    encode: Encode | None = None,
    expected: Mapping[Node, frozenset[URIRef]] | None = None,
    types: Types | None = None,
) -> tuple[Pool, ...]:
    """Return the candidates of each thing that the mentions name; the arguments are `link`'s."""
    expected = expected or {}
    things = _things(mentions, sentences)
    asked = {thing.mention.node: forms(thing.mention.text) for thing in things}
    names = sorted({n for levels in asked.values() for level in levels for n in level})
    answers = named(names) if names else {}
    found = [_find(asked[thing.mention.node], answers) for thing in things]
    of_class = _of_class(
        [
            (e, expected.get(thing.mention.node, frozenset()))
            for thing, hits in zip(things, found, strict=True)
            if not isinstance(hits, Fault)
            for e, _ in hits
        ],
        types,
    )
    pools = []
    for thing, hits in zip(things, found, strict=True):
        if isinstance(hits, Fault):
            pools.append(Pool(thing.mention, fault=hits))
            continue
        wanted = expected.get(thing.mention.node, frozenset())
        rows = _features(thing, hits, wanted, of_class)
        pools.append(Pool(thing.mention, tuple(e for e, _ in hits), tuple(rows)))
    return tuple(_encoded(pools, things, encode) if encode is not None else pools)


def forms(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the names to look a name up by: as it stands, then changed once, then twice.

    Taken off: articles, titles, the form of a firm, a noun that says what it is ("hip hop music
    music", "Lutheranism religion"), the plural. The first level that finds something counts.
    Empty for what names nothing: common words, and what has no letter.
    """
    name = _POSSESSIVE.sub("", " ".join(name.split()).strip(_QUOTES)).strip(_QUOTES)
    if _common(name) or not any(c.isalpha() for c in name):
        return ()
    levels: list[tuple[str, ...]] = [(name,)]
    seen = {name}
    for _ in range(2):
        fresh = dict.fromkeys(
            form for known in levels[-1] for form in _changed(known) if not _common(form)
        )
        level = tuple(form for form in fresh if form not in seen)
        if not level:
            break
        seen.update(level)
        levels.append(level)
    return tuple(levels)


def together(*sources: Named) -> Named:
    """Return a source of candidates that has those of all, each entity as its first source says.

    A name that the first source cannot look up stays so; what the others cannot, they do not add.
    """

    def named(names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        names = list(names)
        out = dict(sources[0](names))
        for source in sources[1:]:
            for name, more in source(names).items():
                known = out.get(name, ())
                if isinstance(known, Fault) or isinstance(more, Fault):
                    continue
                have = {entity.iri for entity in known}
                out[name] = (*known, *(entity for entity in more if entity.iri not in have))
        return out

    return named


@functools.cache
def load_model(*, encoded: bool) -> Model:
    """Return the weights for use with or without an encoder; ModelError where damaged."""
    build = functools.partial(_model, encoded)
    return logistic.load(_FOLDER / "weights.json", "the linking model", build)


def _model(encoded: bool, models: Mapping[str, Any], digest: str) -> Model:
    data = models["encoder" if encoded else "plain"]
    names = ("intercept", "t_nil", "margin", "t_support", "t_refute")
    figures = {name: logistic.finite(data[name]) for name in names}
    known = FEATURES.keys() - (frozenset() if encoded else ENCODED)
    return Model(logistic.weights_of(data, known), **figures, digest=digest)


@dataclass(frozen=True, slots=True)
class _Thing:
    mention: Mention  # its fullest name
    context: tuple[str, ...]


def _things(mentions: Sequence[Mention], sentences: Sequence[str]) -> list[_Thing]:
    """Return what the mentions name, in the order of the text."""
    groups: dict[Node, list[tuple[Mention, str]]] = {}
    for mention, sentence in zip(mentions, sentences, strict=True):
        if not isinstance(mention.node, Literal):
            groups.setdefault(mention.node, []).append((mention, sentence))
    out: list[tuple[Span, str, _Thing]] = []
    for group in groups.values():
        group.sort(key=lambda pair: (pair[0].span, pair[0].text, pair[0].kind, pair[1]))
        fullest = min((mention for mention, _ in group), key=_fullness)
        context = tuple(dict.fromkeys(sentence for _, sentence in group))[:CONTEXT]
        out.append((group[0][0].span, str(fullest.node), _Thing(fullest, context)))
    return [thing for *_, thing in sorted(out, key=lambda row: row[:2])]


def _fullness(mention: Mention) -> tuple[bool, bool, int]:
    return _common(mention.text), mention.kind not in _NAMES, -len(mention.text)


def _common(name: str) -> bool:
    lowered = name.casefold()
    return lowered in _NO_MENTIONS and (
        name.islower() or (lowered in _NO_MENTIONS_CAPITAL and name.istitle())
    )


def _changed(name: str) -> list[str]:
    """Return a name with one thing taken off."""
    out = [pattern.sub("", name) for pattern in (_CLASS_NOUN, _FIRM)]
    out += [name[m.end() :] for p in (_ARTICLE, _TITLE) if (m := p.match(name))]
    *head, last = name.split(" ")
    out.append(" ".join([*head, IRREGULAR_PLURALS.get(last.casefold()) or singular(last)]))
    out.append(KINDS_BY_ANOTHER_NAME.get(name, ""))
    if " of " in name and name[:1].islower():  # an office as its title: "mayor of Ulm"
        out.append(" ".join(w if w in _SMALL else w[:1].upper() + w[1:] for w in name.split()))
    return [form for form in out if form and form != name]


def _find(
    levels: tuple[tuple[str, ...], ...], answers: Mapping[str, tuple[Entity, ...] | Fault]
) -> list[tuple[Entity, str]] | Fault:
    """Return what bears the first form that anything bears, with that form.

    Of things that are equally well known the descriptions are left out: that one is described
    tells nothing of which is meant.
    """
    for level in levels:
        hits: dict[URIRef, tuple[Entity, str]] = {}
        for form in level:
            answer = answers.get(form, ())
            if isinstance(answer, Fault):
                return answer
            for entity in answer:
                if not _unfit(entity, form):
                    hits.setdefault(entity.iri, (entity, form))
        if len({entity.prior for entity, _ in hits.values()}) == 1 < len(hits):
            hits = {iri: (replace(e, description=""), form) for iri, (e, form) in hits.items()}
        if hits:
            return sorted(hits.values(), key=lambda hit: (-hit[0].prior, hit[0].iri))[:LIMIT]
    return []


def _unfit(entity: Entity, form: str) -> bool:
    """Whether it cannot be meant: a page about names, or a lower-case word spelled otherwise."""
    if _PAGE in kinds_of(entity):
        return True
    return form.islower() and " " not in form and form not in (entity.label, *entity.aliases)


def _features(
    thing: _Thing,
    hits: Sequence[tuple[Entity, str]],
    wanted: frozenset[URIRef],
    of_class: Mapping[URIRef, frozenset[URIRef]],
) -> list[dict[str, float]]:
    name = _POSSESSIVE.sub("", thing.mention.text.strip(_QUOTES))
    total = sum(entity.prior + 1 for entity, _ in hits)
    most = max((entity.prior for entity, _ in hits), default=0)
    any_described = any(entity.description for entity, _ in hits)
    text = " ".join(thing.context)
    rows = []
    for entity, form in hits:
        names = (entity.label, *entity.aliases)
        described = _beginnings(entity.description) - _beginnings(form)
        words = _beginnings(text) - _beginnings(form)
        kinds = kinds_of(entity)
        typed = entity.iri in of_class
        rows.append(
            {
                "prior": min(1.0, math.log1p(entity.prior) / 5),
                "share": math.log((entity.prior + 1) / total) / 5,
                "first": float(entity.prior == most),
                "label": float(normalise(form) == normalise(entity.label)),
                "casing": float(form in names),
                "likeness": max(_likeness(form, other) for other in names),
                "changed": float(form != name),
                "single": float(" " not in form),
                "lower": float(name.islower()),
                "rivals": math.log(len(hits)) / 3,
                "described": float(bool(entity.description) or not any_described),
                "words": len(described & words) / len(described) if described else 0.0,
                "kind": float(thing.mention.kind in kinds),
                "kind_clash": float(
                    thing.mention.kind in ("PERSON", "ORG", "LOC")
                    and bool(kinds)
                    and thing.mention.kind not in kinds
                ),
                "expected": float(typed and bool(of_class[entity.iri] & wanted)),
                "unexpected": float(typed and bool(wanted) and not of_class[entity.iri] & wanted),
                "cosine": 0.0,
                "lead": 0.0,
            }
        )
    return rows


def _of_class(
    pairs: Sequence[tuple[Entity, frozenset[URIRef]]], types: Types | None
) -> dict[URIRef, frozenset[URIRef]]:
    """Return of which wanted classes each entity is an instance; unknown ones are left out."""
    pairs = [(entity, wanted) for entity, wanted in pairs if wanted]
    if types is None:
        return {entity.iri: frozenset(entity.types) for entity, _ in pairs if entity.types}
    if not pairs:
        return {}
    classes = sorted({c for _, wanted in pairs for c in wanted})
    found = types(sorted({entity.iri for entity, _ in pairs}), classes)
    out = {}
    for entity, _ in pairs:
        answer = found.get(entity.iri, frozenset())
        # without any type it is not known to be of none of the classes
        if not isinstance(answer, Fault) and (answer or entity.types):
            out[entity.iri] = answer
    return out


def _encoded(pools: Sequence[Pool], things: Sequence[_Thing], encode: Encode) -> list[Pool]:
    """Return the pools with the features that need an encoder."""
    # beside a description a bare label says no more than that the name stands there
    glosses = {
        e.iri: f"{e.label}: {e.description}" if e.description else e.label
        for pool in pools
        for e, row in zip(pool.entities, pool.features, strict=True)
        if row["described"]
    }
    texts = sorted({*glosses.values(), *(s for t in things for s in t.context)} if glosses else ())
    vectors = dict(zip(texts, encode(texts), strict=True)) if texts else {}
    out = []
    for pool, thing in zip(pools, things, strict=True):
        cosines = [
            max(float(vectors[glosses[entity.iri]] @ vectors[text]) for text in thing.context)
            if row["described"]
            else None
            for entity, row in zip(pool.entities, pool.features, strict=True)
        ]
        rows = []
        for at, (row, cosine) in enumerate(zip(pool.features, cosines, strict=True)):
            if cosine is not None:
                others = [c for c in cosines[:at] + cosines[at + 1 :] if c is not None]
                row = {**row, "cosine": cosine, "lead": cosine - max(others, default=cosine)}
            rows.append(row)
        out.append(Pool(pool.mention, pool.entities, tuple(rows), pool.fault))
    return out


def _beginnings(text: str) -> frozenset[str]:
    return frozenset(w[:LETTERS] for w in _WORD.findall(text.casefold()) if len(w) > 3)


@functools.lru_cache(4096)
def _likeness(name: str, other: str) -> float:
    a, b = name.casefold(), other.casefold()
    return 1.0 if a == b else difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def kinds_of(entity: Entity) -> frozenset[str]:
    """Return the kinds (PERSON, ORG, LOC, OTHER, PAGE) of an entity's types, as far as known."""
    table = _table()
    return frozenset(kind for c in entity.types for kind in table.get(str(c), ()))


@functools.cache
def _table() -> Mapping[str, tuple[str, ...]]:
    """Return the kinds of classes; an id without scheme is Wikidata's."""
    path = _FOLDER / "kinds.json"
    try:
        data = json.loads(path.read_text("utf-8"))
        return {
            c if ":" in c else _WIKIDATA + c: tuple(kinds.split())
            for kinds, classes in data.items()
            for c in classes
        }
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise ModelError(
            f"the table of kinds cannot be read ({type(error).__name__}); reinstall groundrules",
            path=str(path),
        ) from error


def _shown(candidate: Candidate) -> str:
    entity = candidate.entity
    ident = entity.iri.rsplit("/", 1)[-1]
    return f"{entity.label or ident} ({ident}) at {candidate.probability:.2f}"
