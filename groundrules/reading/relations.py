"""Relations: what sentences and claims say in the properties of an ontology."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.contracts import AGREEMENT
from groundrules.reading.assertions import Assertions
from groundrules.reading.lexicon import Lexicon, Relation
from groundrules.reading.sentences import Masked, Word, masked
from groundrules.terms import ENTITY, RELATION, Claim, Modality, Polarity, Span, mint

_BE = mint(RELATION, "be")
_ARTICLE = re.compile(r"(?i)(?:the|this|that|an?|said)\s+")
_OPEN = re.compile(
    r"(?i)\b(?:if|unless|whether|in the event|in case|provided|suppos\w{1,6}|assum\w{1,5}"
    r"|alleg\w{1,7}|purport\w{1,5}|claim(?:s|ed) that|contend\w{0,3}|argue[sd]?|reportedly"
    r"|seek(?:s|ing)?|sought|would|were to|hypothetical\w{0,2}|neither)\b"
)
_UNSURE = re.compile(r"(?i)\b(?:may|might|could|would|can|if|allegedly|reportedly|possibly)\b")
_DENIED = re.compile(r"(?i)\b(?:not|never|neither|nor|no longer|cannot)\b|n['’]t\b")
_DUTY = re.compile(r"(?i)\b(?:shall|must)\b")
_OPEN_AFTER = re.compile(
    r"(?i)[^.;]{0,60}\b(?:if|whichever|in the event|provided that)\b|,? or\b(?! about)"
)
_BREAK = re.compile(r"[.;:](?= |$)")


class Things:
    """What the definite phrases of one document stand for."""

    def __init__(self, assertions: Assertions, lexicon: Lexicon) -> None:
        self.assertions = assertions
        self.lexicon = lexicon
        self.sentences = tuple(masked(assertions.extraction, lexicon))
        self.papers = {
            m.span.end: m.node for m in assertions.extraction.mentions if m.node == AGREEMENT
        }
        self.named: dict[str, dict[Node, str]] = {}
        for sentence in self.sentences:
            for word in sentence.words.values():
                if word.named and (node := self._by_name(word)) is not None:
                    self.named.setdefault(word.kind, {})[node] = word.text
        self.default: dict[str, Node] = {}

    def _by_name(self, word: Word) -> Node | None:
        own = word.span.end in self.papers or word.text[:4].casefold() == "this"
        if word.kind == "CONTRACT" and own:
            return AGREEMENT
        label = _ARTICLE.sub("", word.text, count=1) if _ARTICLE.match(word.text) else word.text
        label = re.sub(r"\bvs?\b\.?", "v.", label)
        node = mint(ENTITY, label)
        self.assertions.labels.setdefault(node, label)
        return node

    def node(self, word: Word) -> Node | None:
        """Return the node of a word; None where it may be any of several."""
        if word.kind == "ROLE":
            return word.node if _resolved(word) else None
        if word.node is not None:
            return word.node
        if word.named:
            return self._by_name(word)
        return self.definite(word.kind)

    def definite(self, kind: str) -> Node | None:
        """Return the one thing of a kind that the document is about, None if it has several."""
        sign = next((s for s in self.lexicon.signs if s.name == kind), None)
        if sign is None:
            return None
        if kind in self.default:
            return self.default[kind]
        found = self.named.get(kind, {})
        if kind not in {"CONTRACT", "APPLICATION"} and len(found) > 1:
            return None
        if kind not in {"CONTRACT", "APPLICATION"} and found:
            return next(iter(found))
        node = mint(ENTITY, sign.node)
        self.assertions.labels.setdefault(node, sign.node)
        return node


def _resolved(word: Word) -> bool:
    return word.node is not None and word.node != mint(ENTITY, word.text)


def read_relations(things: Things, counts: Counter[str]) -> None:
    """State what the sentences and claims of a document say; count how claims were read."""
    lexicon = things.lexicon
    for sentence in things.sentences:
        if not sentence.words:
            continue
        for wanted in lexicon.sentences:
            for found in wanted.pattern.finditer(sentence.text):
                _state(things, sentence, found, wanted)
        for pattern in lexicon.role_patterns:
            for found in pattern.finditer(sentence.text):
                _state_role(things, sentence, found)
    read = {c.reads for c in things.assertions.claims() if c.reads}
    words = {
        (word.span.start, word.span.end): word
        for sentence in things.sentences
        for word in sentence.words.values()
    }
    for claim in things.assertions.extraction.claims:
        counts[
            _read_claim(things, claim, words) or ("lexical" if claim.id in read else "plain")
        ] += 1


def _state(things: Things, sentence: Masked, found: re.Match[str], wanted: Relation) -> None:
    place = sentence.place(*found.span())
    subject = _group(sentence, found, "subject")
    object_ = _group(sentence, found, "object")
    if object_ is None:
        return
    s = things.node(subject) if subject else things.definite(wanted.of)
    o = things.node(object_)
    if s is None or o is None or (s == o and subject and not subject.named):
        return
    _add(things, s, wanted, o, place, sentence, found, subject, object_)


def _state_role(things: Things, sentence: Masked, found: re.Match[str]) -> None:
    word = _group(sentence, found, "role")
    if word is None:
        return
    role = things.lexicon.roles[word.text.casefold()]
    subject = _group(sentence, found, "subject")
    if subject is not None and subject.kind != role.of:
        subject = None
    for group in ("object", "object2"):
        object_ = _group(sentence, found, group)
        o = things.node(object_) if object_ else None
        s = things.node(subject) if subject else things.definite(role.of)
        if object_ is not None and s is not None and o is not None and not isinstance(o, Literal):
            place = sentence.place(*found.span())
            _add(things, s, role, o, place, sentence, found, subject, object_)


def _group(sentence: Masked, found: re.Match[str], name: str) -> Word | None:
    if found.groupdict().get(name) is None:
        return None
    return sentence.words.get(found.start(name))


def _add(
    things: Things,
    subject: Node,
    wanted: Relation,
    object_: Node,
    place: Span,
    sentence: Masked,
    found: re.Match[str],
    subject_word: Word | None,
    object_word: Word,
) -> None:
    polarity, modality = _mood(sentence, found)
    claim = _claim(sentence, subject, object_)
    if claim is not None:
        polarity = "negative" if claim.polarity == "negative" else polarity
        if claim.modality in {Modality.POSSIBILITY, Modality.CONDITION}:
            modality = claim.modality
    parts = (subject_word.span if subject_word else None, None, object_word.span)
    _write(
        things,
        subject,
        wanted,
        object_,
        place,
        parts,
        polarity,
        modality,
        claim.id if claim else None,
    )


def _write(
    things: Things,
    subject: Node,
    wanted: Relation,
    object_: Node,
    place: Span,
    parts: tuple[Span | None, Span | None, Span | None],
    polarity: Polarity,
    modality: Modality,
    reads: URIRef | None,
) -> None:
    assertions = things.assertions
    labels = assertions.labels | dict(assertions.extraction.labels)
    if wanted.via is not None:
        whole = subject
        called = labels.get(whole, "")
        # "the case" has "the decision", as the captions read in judgments.py
        label = wanted.kind if len(called.split()) < 2 else f"{wanted.kind} in {called}"
        subject = mint(ENTITY, label)
        assertions.labels.setdefault(subject, label)
        assertions.state(subject, wanted.via, whole, place, parts=(None, None, parts[0]))
    if wanted.kind and wanted.via is None:
        label = labels.get(object_, "")
        object_ = mint(ENTITY, f"{label} ({wanted.kind})")
        assertions.labels.setdefault(object_, label)
    assertions.state(
        subject,
        wanted.property,
        object_,
        place,
        parts=parts,
        polarity=polarity,
        modality=modality,
        reads=reads,
    )


def _mood(sentence: Masked, found: re.Match[str]) -> tuple[Polarity, Modality]:
    before = sentence.text[max(0, found.start() - 300) : found.start()]
    cut = max((m.end() for m in _BREAK.finditer(before)), default=0)
    polarity: Polarity = "negative" if _DENIED.search(found[0]) else "positive"
    if _OPEN.search(before[cut:]) or _OPEN_AFTER.match(sentence.text, found.end()):
        return polarity, Modality.CONDITION
    if _UNSURE.search(found[0]):
        return polarity, Modality.POSSIBILITY
    return polarity, Modality.OBLIGATION if _DUTY.search(found[0]) else Modality.ASSERTED


def _claim(sentence: Masked, subject: Node, object_: Node) -> Claim | None:
    """Return the claim of the sentence that says most of the same."""
    best, score = None, 0
    for claim in sentence.claims:
        ends = {claim.triple.subject, claim.triple.object}
        points = 2 * (object_ in ends) + (subject in ends)
        if points > max(score, 1):
            best, score = claim, points
    return best


def _read_claim(things: Things, claim: Claim, words: Mapping[tuple[int, int], Word]) -> str | None:
    """State a claim by the wording of its relation; return how, None if it was not read here."""
    lexicon = things.lexicon
    labels = things.assertions.extraction.labels
    predicate = labels.get(claim.triple.predicate, "")
    s, o = claim.triple.subject, claim.triple.object
    if claim.triple.predicate == _BE:
        noun = _surface(things, claim.parts[2])
        class_ = lexicon.classes.get(noun)
        if class_ is not None and not isinstance(s, Literal):
            _plain(things, claim, s, RDF.type, class_)
            return "lexical"
        role = lexicon.roles.get(noun)
        if role is not None and isinstance(s, URIRef) and s != mint(ENTITY, noun):
            whole = things.definite(role.of)
            if whole is not None and _is_name(words, claim.parts[0]):
                _write(
                    things,
                    whole,
                    role,
                    s,
                    claim.span,
                    (None, claim.parts[2], claim.parts[0]),
                    claim.polarity,
                    claim.modality,
                    claim.id,
                )
                return "lexical"
    for relation in lexicon.relations.get(predicate.casefold(), ()):
        subject, object_ = (o, s) if relation.inverse else (s, o)
        if isinstance(subject, Literal):
            continue
        if relation.of and subject != things.definite(relation.of):
            continue
        parts = claim.parts[::-1] if relation.inverse else claim.parts
        _write(
            things,
            subject,
            relation,
            object_,
            claim.span,
            parts,
            claim.polarity,
            claim.modality,
            claim.id,
        )
        return "lexical"
    return None


def _plain(things: Things, claim: Claim, s: Node, p: URIRef, o: Node) -> None:
    things.assertions.state(
        s,
        p,
        o,
        claim.span,
        parts=claim.parts,
        polarity=claim.polarity,
        modality=claim.modality,
        reads=claim.id,
    )


def _is_name(words: Mapping[tuple[int, int], Word], part: Span | None) -> bool:
    word = words.get((part.start, part.end)) if part else None
    return word is not None and word.kind == "NAME"


def _surface(things: Things, part: Span | None) -> str:
    """Return the words of a part of a claim without its article and quotes."""
    if part is None:
        return ""
    text = " ".join(things.assertions.extraction.document.text[part.start : part.end].split())
    return _ARTICLE.sub("", text.strip("\"“”'‘’ "), count=1).casefold()
