"""What a clause obliges, permits, forbids or exempts, and how such clauses compare.

A norm is read from the words of a clause: its force (shall, may, shall not, does not apply, means)
and the terms of its action; synonyms of contract language count as one term. Who bears it is left
out, as are names: each contract has defined terms of its own. What a claim and a source say of the
same action meets in facts that rules decide on; how well a source carries a claim is a logistic
model over the features in `FEATURES`. Its weights and words are data (`models/norms`).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from groundrules.align.limits import PIECES_UNLIKE
from groundrules.claims.english.stems import LETTERS
from groundrules.models import logistic, shipped

if TYPE_CHECKING:
    from groundrules.models.embed import TokenVectors

_FOLDER = shipped.folder("norms")
_STOP = frozenset(shipped.words("norms")["stop"])
_NO_TERMS = frozenset(shipped.words("norms")["no_terms"])

FEATURES: dict[str, str] = {
    "covered": "share of the action, by weight, that the best clause words or means",
    "cosine": "cosine of the claim with the nearest clause",
    "both": "the greatest product of the two in one clause",
    "agreeing": "share of the action in the best clause whose force agrees",
}

#: Forces of a source that bear a claim of the force out, and that go against it. An obligation
#: permits what it obliges to (the axiom D of deontic logic), and so does an exemption from a duty.
AGREEING: Mapping[str, frozenset[str]] = {
    "obligation": frozenset({"obligation", "definition"}),
    "limitation": frozenset({"obligation", "definition"}),
    "permission": frozenset({"permission", "exemption", "obligation"}),
    "prohibition": frozenset({"prohibition"}),
}
#: So many clauses a force become facts, and so many sentences are embedded.
_FACTS = 3
_EMBEDDED = 8

_MODAL = r"(?:shall|will|must|may|should|can|could|would)"
_FORBIDS = re.compile(
    rf"\b(?:{_MODAL}\s+(?:\w+\s+){{0,2}}?(?:not|never|neither|no|nor)\b|cannot\b"
    r"|(?:can|won)['’]t\b|^\W*not\s+\w+|not\s+to\s+\w+"
    rf"|neither\b[^.;]{{0,80}}?\b{_MODAL}\b|nor\s+{_MODAL}\b"
    r"|(?:agrees?|undertakes?|covenants?|promises?)\s+(?:\w+\s+){0,3}?not\b"
    r"|refrain|prohibited|forbidden|without\s+retaining"
    r"|(?:is|are|be)\s+(?:\w+\s+)?not\s+(?:\w+\s+)?(?:permitted|allowed|entitled|authori[sz]ed)"
    rf"|no\s+(?:\w+\s+){{1,4}}?{_MODAL}\b)"
    r"|^\W*no\s+\w+",
    re.IGNORECASE,
)
_RESTRICTS = re.compile(
    r"\b(?:(?:keep|hold|maintain|treat|kept|held|maintained|treated)\b"
    r"[^.;]{0,120}?\b(?:confiden|secre|strict)"
    r"|(?:only|solely|exclusively)\s+(?:for|to|in|as)\b"
    r"|restrict\w*\s+(?:the\s+)?(?:disclosure|access|use))",
    re.IGNORECASE,
)
_EXEMPTS = re.compile(
    rf"\b(?:(?:{_MODAL}|do|does|is|are)\s+not\s+(?:be\s+)?(?:appl|extend|include|deemed|considered"
    r"|prevent|preclude|restrict|prohibit|limited|limit\s|constitute|obligate|oblige|required"
    r"|cover|bound|a\s+breach)"
    r"|no\s+(?:obligations?|restrictions?|liability|duty)\b|exclud|exclusions?\b"
    r"|nothing\b[^.;]{0,80}?\b(?:prevent|preclude|restrict|prohibit|limit|impair)"
    r"|free\s+to\b|need\s+not\b|(?:regardless\s+of\s+|irrespective\s+of\s+)?whether\s+or\s+not\b"
    r"|(?:regardless|irrespective)\s+of\s+whether\b)",
    re.IGNORECASE,
)
_PASSES = re.compile(
    r"\b(?:(?:only|solely|exclusively)\s+to\b|(?:restrict|limit)\w*\b[^.;]{0,80}?\bto\b)",
    re.IGNORECASE,
)
_PERMITS = re.compile(
    r"\b(?:may|can|(?:is|are|be)\s+(?:permitted|allowed|entitled|authori[sz]ed|free)"
    r"|permits?|allows?|rights?\s+to|retains?\s+the\s+right)\b",
    re.IGNORECASE,
)
_OBLIGES = re.compile(
    r"\b(?:shall|must|will|agrees?|undertakes?|covenants?|ensures?|warrants?|obligations?"
    r"|(?:is|are|be)\s+(?:required|obligated|obliged|bound)|(?:has|have)\s+to|to\s+be)\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"\b(?:means?|includes?|including|included|defined|refers?\s+to|consists?)\b", re.IGNORECASE
)
#: In the order in which one wording is taken before another: "shall not apply" forbids nothing.
_OPERATORS = (
    ("exemption", _EXEMPTS),
    ("prohibition", _FORBIDS),
    ("permission", _PASSES),
    ("prohibition", _RESTRICTS),
    ("permission", _PERMITS),
    ("obligation", _OBLIGES),
    ("definition", _DEFINES),
)
_EXCEPT = re.compile(
    r"^\W*(?:except|unless|other\s+than|save|however|provided|notwithstanding|but|only\s+to"
    r"|solely\s+to|to\s+the\s+extent)\b",
    re.IGNORECASE,
)
_CONSENT = re.compile(r"\b(?:consent|approval|permission|authori[sz])", re.IGNORECASE)
_CUT = re.compile(
    r"[;:]|\b(?=(?:except|unless|other\s+than|provided,?\s+(?:that|however)|however"
    r"|notwithstanding|only\s+to|solely\s+to|but\s+(?:not|only|shall|may)|save\s+(?:as|that|for)"
    r"|to\s+the\s+extent|in\s+the\s+event|without\s+(?:the\s+)?(?:prior|written|express))\b)"
    r"|(?<=[,;])\s(?=\(?(?:[a-h]|i{1,3}|iv|v|vi{1,3})\)\s)"
    r"|(?<=[a-z]),\s(?=(?:and|or|but)\s+(?:shall|may|will|not)\b)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\W*(?:\(?(?:[a-zA-Z]|\d{1,2}|[ivxIVX]{1,5})[.)]|[-•–>*·])\s|^[a-z]")
_OPENS = re.compile(r"(?::|\bthat|\bwhich|—)\s*$|:\s*\(?\w{1,3}\)[^:]{0,200}$")
_WORD = re.compile(r"[^\W_][\w'’-]*")
_NAME = re.compile(r"\b[A-Z][\w'’-]*")
_AUXILIARY = re.compile(r"\b(?:be|been|being|is|are)\s+(?:\w+\W+){0,7}$", re.IGNORECASE)
_FIRST_MODAL = re.compile(rf"\b(?:{_MODAL}|SHALL|WILL|MUST|MAY)\b")  # "May" begins a date
_NOT = re.compile(r"\s*(?:\w+\s+)?not\b", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
#: Quantified over all there is, so that nothing is left.
_WHOLE = re.compile(r"\b(?:all|any|every|entire|without\s+retaining|no\s+cop)", re.IGNORECASE)
_JOINED = re.compile(r"[,;]|\band\b|\bor\b")
_LIGHT = frozenset({"=create", "=make", "=take", "=have", "=give"})


@dataclass(frozen=True, slots=True)
class Norm:
    """A clause of a document: its forces, its own terms and those of the clauses it hangs on.

    `excepts`: it begins as an exception ("except", "provided that").
    """

    sentence: int
    text: str
    forces: frozenset[str]
    own: frozenset[str]
    inherited: frozenset[str]
    excepts: bool


@dataclass(frozen=True, slots=True)
class Action:
    """What a claim says of an action: force, terms, and the term of the verb.

    The force is that of a norm, or limitation for what happens "only" so.

    The place of a term that no entry of `words.toml` covers is where the word stands. `subject`
    holds the words before the modal verb.
    """

    force: str
    terms: Mapping[str, tuple[int, int] | None]
    head: str
    subject: frozenset[str]


@dataclass(frozen=True, slots=True)
class Source:
    """The norms of a document, with the number of sentences that hold each term."""

    sentences: tuple[str, ...]
    norms: tuple[Norm, ...]
    counts: Mapping[str, int]

    def weights(self, action: Action) -> dict[str, float]:
        """Return what each term of an action weighs: rare ones most, plain words half."""
        size = len(self.sentences) + 1
        found = {
            term: (0.5 if term.startswith("=") else 1.0)
            * math.log(1 + size / (self.counts.get(term, 0) + 0.5))
            for term in action.terms
        }
        total = sum(found.values())
        return {term: weight / total for term, weight in found.items()}


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """Terms by word and by beginning of a word, phrases by the beginning of their first word."""

    words: Mapping[str, frozenset[str]]
    prefixes: Mapping[str, frozenset[str]]
    phrases: Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]]
    contrary: Mapping[str, str]


@cache
def _lexicon() -> _Lexicon:
    data = tomllib.loads((_FOLDER / "words.toml").read_text("utf-8"))
    words: dict[str, set[str]] = defaultdict(set)
    prefixes: dict[str, set[str]] = defaultdict(set)
    phrases: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for term, forms in data["terms"].items():
        for form in forms:
            if " " in form:
                run = re.escape(form).replace(r"\*", r"[\w-]{0,40}").replace(r"\ ", r"\s+")
                first = form.split()[0].rstrip("*")
                phrases[first].append((term, re.compile(rf"{run}(?!\w)", re.IGNORECASE)))
            elif form.endswith("*"):
                prefixes[form[:-1]].add(term)
            else:
                words[form].add(term)
    return _Lexicon(
        {word: frozenset(found) for word, found in words.items()},
        {prefix: frozenset(found) for prefix, found in prefixes.items()},
        {first: tuple(found) for first, found in phrases.items()},
        data["contrary"],
    )


@lru_cache(maxsize=32768)
def _entries(word: str) -> tuple[tuple[str, ...], tuple[tuple[str, re.Pattern[str]], ...]]:
    """Return the terms of a word and the phrases it may begin."""
    lexicon = _lexicon()
    found = set(lexicon.words.get(word, ()))
    phrases: list[tuple[str, re.Pattern[str]]] = []
    for end in range(1, len(word) + 1):
        found |= lexicon.prefixes.get(word[:end], frozenset())
        phrases += lexicon.phrases.get(word[:end], ())
    return tuple(sorted(found)), tuple(phrases)


@lru_cache(maxsize=32768)
def _places(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return where the terms of a text stand, plain words as "=" and their stem."""
    out = []
    past = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = match[0].lower()
        terms, phrases = _entries(word)
        for term, pattern in phrases:
            phrase = pattern.match(text, start)
            if phrase:
                out.append((*phrase.span(), term))
                past = max(past, phrase.end())
        out += [(start, end, term) for term in terms]
        if not terms and start >= past and word not in _STOP and word not in _NO_TERMS:
            out.append((start, end, "=" + word[:LETTERS]))
    return tuple(sorted(set(out)))


def terms_of(text: str) -> frozenset[str]:
    """Return the terms of a text, a word that no entry covers as "=" and its stem."""
    return frozenset(term for _, _, term in _places(text))


@lru_cache(maxsize=32768)
def _operators(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return the words of force in a text, each place read once."""
    out: list[tuple[int, int, str]] = []
    for force, pattern in _OPERATORS:
        for match in pattern.finditer(text):
            if not any(a < match.end() and match.start() < b for a, b, _ in out):
                out.append((*match.span(), force))
    return tuple(sorted(out))


def read_forces(text: str) -> frozenset[str]:
    """Return the forces that the words of a clause give it."""
    exempts = _EXEMPTS.search(text)
    forbids = _FORBIDS.search(text)
    out = set()
    if exempts:
        out.add("exemption")
    if (forbids and not exempts) or _RESTRICTS.search(text):
        out.add("prohibition")
    if _PERMITS.search(text) and not forbids:
        out.add("permission")
    if _OBLIGES.search(text) and not forbids and not exempts:
        out.add("obligation")
    if _DEFINES.search(text):
        out.add("definition")
    return frozenset(out)


@lru_cache(maxsize=32768)
def _governing(text: str, term: str) -> frozenset[str]:
    """Return the forces over a term: of the last operator before it, else of the first after it.

    A participle that no auxiliary makes a verb ("information disclosed by") is under none.
    """
    operators = [found for found in _operators(text) if found[2] != "definition"]
    out = set()
    for start, end, found in _places(text):
        if found != term:
            continue
        participle = text[start:end].lower().endswith("ed")
        if participle and not _AUXILIARY.search(text[max(0, start - 60) : start]):
            continue
        before = [force for a, _, force in operators if a <= start]
        after = [force for a, _, force in operators if a > start]
        if before or after:
            out.add(before[-1] if before else after[0])
    return frozenset(out)


@lru_cache(maxsize=16)
def read_source(sentences: tuple[str, ...]) -> Source:
    """Return the norms of a document, sentence by sentence; linear in its length.

    A sentence is cut where an exception, a proviso or an item begins. A clause without a force of
    its own has that of the clause before it; an item, that of the sentence that opens the list.
    """
    out: list[Norm] = []
    lead: tuple[frozenset[str], frozenset[str]] | None = None
    nothing: frozenset[str] = frozenset()
    for number, sentence in enumerate(sentences):
        item = bool(_ITEM.match(sentence))
        if not item:
            lead = None
        whole = read_forces(sentence)
        main: frozenset[str] | None = None
        above = lead[1] if lead else nothing
        for part in _clauses(sentence):
            found = whole if part == sentence else read_forces(part)
            own = terms_of(part)
            excepts = bool(_EXCEPT.match(part))
            if not found or (item and lead and found <= {"definition"}):
                found = main if main is not None else lead[0] if lead else found
            if excepts and "prohibition" in (main or nothing) | whole:
                found = found | {"permission"}
            if not excepts or main is None:
                main = found
            out.append(Norm(number, part.strip(" ;:,"), found, own, above - own, excepts))
            if not excepts:
                above = above | own
        if _OPENS.search(sentence[-260:]) and not item:
            lead = (whole, terms_of(sentence))
    held: dict[int, set[str]] = defaultdict(set)
    for norm in out:
        held[norm.sentence] |= norm.own
    counts = Counter(term for found in held.values() for term in found)
    return Source(sentences, tuple(out), counts)


def _clauses(sentence: str) -> list[str]:
    parts, at = [], 0
    for cut in _CUT.finditer(sentence):
        if cut.start() - at >= 12:
            parts.append(sentence[at : cut.start()])
            at = cut.end()
    parts.append(sentence[at:])
    return [part for part in parts if len(part.split()) >= 3]


def read_action(sentence: str) -> Action | None:
    """Return what a sentence says of an action; None where no modal verb or nothing follows it.

    Names, which begin with a capital, are left out.
    """
    modal = _FIRST_MODAL.search(sentence)
    if not modal:
        return None
    at = modal.end()
    plain = _NAME.sub(lambda match: " " * len(match[0]), sentence[at:])
    terms: dict[str, tuple[int, int] | None] = {}
    first: dict[str, int] = {}
    for start, end, term in _places(plain):
        first.setdefault(term, start)
        terms.setdefault(term, (start + at, end + at) if term.startswith("=") else None)
    if not terms:
        return None
    denied = _NOT.match(sentence, at)
    word = modal[0].lower()
    force = "permission" if word in ("may", "can", "could") else "obligation"
    only = bool(_ONLY.search(sentence))
    return Action(
        "prohibition" if denied else "limitation" if only else force,
        terms,
        min([t for t in terms if t not in _LIGHT] or terms, key=lambda term: (first[term], term)),
        frozenset(match[0].lower() for match in _WORD.finditer(sentence, 0, modal.start())),
    )


def bearing(action: Action, source: Source) -> list[tuple[str, float, Norm]]:
    """Return the clauses of a source that bear on an action: force, nearness 0..1, clause.

    The force is that over the verb of the action, and no force but those the rules compare is
    listed: prohibitions and permissions for what a claim permits, definitions of several things for
    what it confines to one. Whoever must return all of a thing may keep none: an obligation to do
    the contrary forbids. Nearest first, few of each force.
    """
    weights = source.weights(action)
    near = [
        (sum(weights[t] for t in weights if t in norm.own or t in norm.inherited), norm)
        for norm in source.norms
    ]
    out: list[tuple[str, float, Norm]] = []
    if action.force == "limitation":
        out += [
            ("definition", share, norm)
            for share, norm in near
            if "definition" in norm.forces
            and "exemption" not in norm.forces
            and len(_JOINED.findall(norm.text)) >= 3
            and _shares_subject(action, norm)
        ]
    elif action.force == "permission":
        rest = frozenset(t for t in weights if t != action.head and not t.startswith("="))
        for share, norm in near:
            force = _permitting(action.head, rest, norm)
            if force:
                out.append((force, share, norm))
    out.sort(key=lambda found: (found[0], -found[1]))
    kept: Counter[str] = Counter()
    few = []
    for force, share, norm in out:
        kept[force] += 1
        if kept[force] <= _FACTS:
            few.append((force, share, norm))
    return few


def _shares_subject(action: Action, norm: Norm) -> bool:
    held = {match[0].lower() for match in _WORD.finditer(norm.text)}
    return bool(held & (action.subject - _STOP - _NO_TERMS)) or bool(
        norm.inherited & {f"={word[:LETTERS]}" for word in action.subject - _STOP}
    )


def _permitting(head: str, rest: frozenset[str], norm: Norm) -> str | None:
    """Return whether a clause forbids or permits the action of a verb, None if neither."""
    over = _governing(norm.text, head) if head in norm.own else frozenset()
    to_point = not rest or bool(rest & norm.own)
    known = head in norm.own or head in norm.inherited
    if norm.excepts and "permission" in norm.forces and known:
        if (rest & norm.own) or (not rest and not _CONSENT.search(norm.text)):
            return "permission"
    elif to_point and known and "permission" in (over or (norm.forces if rest else ())):
        return "permission"
    if over == {"prohibition"} and to_point and not norm.excepts:
        return "prohibition"
    contrary = _lexicon().contrary.get(head)
    if contrary:
        if head in norm.own and {"permission", "exemption"} & (over | norm.forces):
            return "permission"
        if (
            contrary in norm.own
            and "obligation" in _governing(norm.text, contrary)
            and _WHOLE.search(norm.text)
        ):
            return "prohibition"
    return None


def rank(action: Action, source: Source) -> list[int]:
    """Return the sentences worth embedding: those whose clauses hold most of the action."""
    weights = source.weights(action)
    shares = [_share(weights, norm) for norm in source.norms]
    order = sorted(range(len(shares)), key=lambda n: (-shares[n], n))
    return list(dict.fromkeys(source.norms[n].sentence for n in order))[:_EMBEDDED]


def _share(weights: Mapping[str, float], norm: Norm) -> float:
    own = sum(weight for term, weight in weights.items() if term in norm.own)
    above = sum(weight for term, weight in weights.items() if term in norm.inherited)
    return own + 0.9 * above if own else 0.0


def features(
    action: Action,
    claim: TokenVectors,
    source: Source,
    vectors: Mapping[int, TokenVectors],
) -> dict[str, float]:
    """Return the features of a claim beside a source; `vectors` are those of ranked sentences."""
    import numpy as np

    weights = source.weights(action)
    mean = claim.vectors.mean(axis=0)
    mean /= np.linalg.norm(mean) or 1.0
    agreeing = AGREEING[action.force]
    out = dict.fromkeys(FEATURES, 0.0)
    rows = {
        place: [n for n, (a, b) in enumerate(claim.spans) if place[0] <= a and b <= place[1]]
        for place in action.terms.values()
        if place
    }
    for norm in source.norms:
        share = _share(weights, norm)
        cosine = 0.0
        found = vectors.get(norm.sentence)
        if found is not None:
            at = max(0, source.sentences[norm.sentence].find(norm.text))
            end = at + len(norm.text)
            own = found.vectors[[n for n, (a, b) in enumerate(found.spans) if at <= a and b <= end]]
            if len(own):
                whole = own.mean(axis=0)
                cosine = float(mean @ whole / (np.linalg.norm(whole) or 1.0))
                for term, place in action.terms.items():
                    if place and rows[place] and term not in norm.own | norm.inherited:
                        likeness = float((claim.vectors[rows[place]] @ own.T).max(axis=1).mean())
                        share += (
                            weights[term] * max(0.0, likeness - PIECES_UNLIKE) / (1 - PIECES_UNLIKE)
                        )
        forces = norm.forces
        if action.head in norm.own:
            over = _governing(norm.text, action.head)
            if norm.excepts and "permission" in norm.forces:
                over = over | {"permission"}
            forces = over or norm.forces
        out["covered"] = max(out["covered"], share)
        out["cosine"] = max(out["cosine"], cosine)
        out["both"] = max(out["both"], share * cosine)
        if forces & agreeing:
            out["agreeing"] = max(out["agreeing"], share)
    return out


@cache
def load_weights() -> tuple[Mapping[str, float], float]:
    """Return weights and intercept of the shipped model; ModelError where it is damaged."""
    return logistic.load(_FOLDER / "weights.json", "the model of norms", _weights)


def _weights(data: Mapping[str, Any], _: str) -> tuple[Mapping[str, float], float]:
    weights = logistic.weights_of(data, FEATURES)
    return {name: weights[name] for name in FEATURES}, logistic.finite(data["intercept"])


def support(values: Mapping[str, float]) -> float:
    """Return the probability that a source carries a claim with these features."""
    return logistic.sigmoid(logistic.log_odds(*load_weights(), values))


def measure(sentence: str, sentences: tuple[str, ...]) -> dict[str, float] | None:
    """Return the features of a claim beside the sentences of its sources, None if it is no norm."""
    from groundrules.models.embed import encode_tokens

    action = read_action(sentence)
    if action is None or not sentences:
        return None
    source = read_source(sentences)
    chosen = rank(action, source)
    vectors = {n: _vectors(sentences[n]) for n in chosen}
    (own,) = encode_tokens([sentence])
    return features(action, own, source, vectors)


@lru_cache(maxsize=512)
def _vectors(text: str) -> TokenVectors:
    from groundrules.models.embed import encode_tokens

    (found,) = encode_tokens([text])
    return found
