"""Relations: what claims say in the properties of an ontology, and the things they speak of."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rdflib.namespace import RDF
from rdflib.term import Literal, Node

from groundrules import domain
from groundrules.claims.documents.document import plain
from groundrules.claims.facts.phrases import normalised
from groundrules.claims.names.definitions import definitions
from groundrules.claims.names.names import lists
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.lexicon import Lexicon, Relation, Sign
from groundrules.ontology.read.sentences import Word, marked
from groundrules.terms import ENTITY, RELATION, Claim, Modality, Span, mint

_BE = mint(RELATION, "be")
_ARTICLE = re.compile(r"(?i)^(?:the|this|that|an?|said)\s+")
#: What makes of a sentence a condition or somebody's allegation.
OPEN = re.compile(
    r"(?i)\b(?:if|unless|whether|where (?:the|an?|such|either)\b|in the event"
    r"|in case(?! n(?:o|umber)\b)|provided"
    r"|suppos\w{1,6}|assum\w{1,5}|alleg\w{1,7}|purport\w{1,5}|claim(?:s|ed) that|contend\w{0,3}"
    r"|(?<!was )(?<!were )(?<!been )argue[sd]?|reportedly|according to|seek(?:s|ing)?|sought|would"
    r"|were to|hypothetical\w{0,2}|neither|den(?:y|ies|ied)|false that"
    r"|not (?:true|the case) that)\b"
)
#: Who denies a motion says nothing of what is so; what is neither is denied where it is read.
DENIAL = re.compile(r"(?i)\b(?:den(?:y|ies|ied)|neither)\b")
#: What a thing was, or was called, at another time.
ONCE = re.compile(
    r"(?i)\b(?:former|formerly|previous(?:ly)?|until|originally|successor|predecessor|assignee of"
    r"|then-|no longer|replaced?|as amended|renew\w{0,4}|extend\w{0,3}|since then)\b"
)
#: What a part of a paper provides is what the paper says.
OF_PAPER = re.compile(r"(?i)(?:the\s)?(?:clause|section|article|paragraph|schedule|rule)\b")
_IS_A = Relation(property=RDF.type, words=())
_INDEFINITE = re.compile(r"(?i)\ban?\s$")


class Things:
    """What the definite phrases of one document stand for; `default` is set by the reader."""

    def __init__(
        self, assertions: Assertions, lexicon: Lexicon, titles: Sequence[str] = ()
    ) -> None:
        self.assertions = assertions
        self.lexicon = lexicon = lexicon.of_text(assertions.extraction.document.text)
        self.titles = tuple(sides for title in titles if len(sides := _sides(title)) == 2)
        self.sentences = tuple(marked(assertions.extraction, lexicon))
        own = lexicon.own
        self.papers = {m.span.end for m in assertions.extraction.mentions if m.node in own}
        self.own = False
        self.kinds: set[str] = set()
        self.topic: dict[str, Node] = {}
        self.named: dict[str, dict[Node, str]] = {}
        self.default: dict[str, Node | None] = {}
        for sentence in self.sentences:
            for word in sentence.words.values():
                self.kinds.add(word.kind)
                self.own |= word.kind in lexicon.papers and _this(word)
        # who has two parts in a thing says of what
        roles = [w.text.casefold() for w in self._words() if w.kind == "ROLE"]
        parts = {(of.of, of.property) for r in roles if (of := lexicon.roles.get(r))}
        self.roled = {sign for sign, _ in parts if sum(one == sign for one, _ in parts) > 1}
        papers = {
            _called(word)
            for word in self._words()
            if word.kind in lexicon.papers and word.named and not _this(word)
        }
        # "the Alpine Policy" and "the Harbor Policy" are two, whatever the extraction makes of them
        self.apart = len(papers) > 1 and not self.own
        heads = {
            word.text.split()[-1].casefold()
            for word in self._words()
            if word.kind in lexicon.papers and not word.named
        }
        named = {paper.split()[-1].casefold() for paper in papers}
        for sign in lexicon.signs:
            if sign.paper:
                named |= {sign.node, sign.name.casefold()}
        self.alone = not self.own and len(papers) == 1 and heads <= named
        for sentence in self.sentences:
            cases = [at for at, w in sentence.words.items() if w.kind in lexicon.titled and w.named]
            for at, word in sentence.words.items():
                if word.named:
                    node = self._by_name(word)
                    self.named.setdefault(word.kind, {})[node] = word.text
                    if cases == [at] and sentence.index < 3 and sentence.text[:at] in {"", "In "}:
                        self.topic.setdefault(word.kind, node)

    def _words(self) -> Iterator[Word]:
        for sentence in self.sentences:
            yield from sentence.words.values()

    def _by_name(self, word: Word) -> Node:
        own = word.span.end in self.papers and not self.apart
        sign = self._sign(word.kind)
        own = own or _this(word) or (self.alone and sign.paper)
        if sign.paper and own:
            return mint(ENTITY, sign.node)
        if sign.title and any(_same_sides(_sides(word.text), t) for t in self.titles):
            return mint(ENTITY, sign.node)
        label = _called(word)
        node = mint(ENTITY, label)
        self.assertions.labels.setdefault(node, label)
        return node

    def node(self, word: Word) -> Node | None:
        """Return the node of what is called by a name."""
        node = self._by_name(word)
        return self.default.get(word.kind, node) if len(self.named[word.kind]) == 1 else node

    def definite(self, kind: str) -> Node | None:
        """Return the one thing of a kind that the document is about, None if it has several."""
        sign = next((s for s in self.lexicon.signs if s.name == kind), None)
        if sign is None:
            return None
        if kind in self.default:
            return self.default[kind]
        node = mint(ENTITY, sign.node)
        others = [other for other in self.named.get(kind, {}) if other != node]
        if sign.paper and len(others) > 1 and not self.own:
            return None
        if sign.taken_up and others and not self._titled(kind):
            if kind in self.topic:
                return self.topic[kind]
            return others[0] if len(others) == 1 else None
        self.assertions.labels.setdefault(node, sign.node)
        return node

    def speaks_of(self, kind: str) -> bool:
        """Return whether the document speaks of a thing of a kind, or takes one from another."""
        spoken = kind in self.default or kind in self.kinds or kind in self.roled
        return spoken or self._titled(kind)

    def _titled(self, kind: str) -> bool:
        return kind in self.lexicon.titled and bool(self.titles)

    def _sign(self, kind: str) -> Sign:
        return next(sign for sign in self.lexicon.signs if sign.name == kind)


def _this(word: Word) -> bool:
    return word.text[:5].casefold() == "this "


def _called(word: Word) -> str:
    """Return what a thing is called: without article, two sides with "v." between them."""
    name = re.sub(r"\bvs?\b\.?", "v.", _ARTICLE.sub("", word.text, count=1))
    return name if re.search(r"\b(?:Inc|Co|Corp|Ltd)\.$", name) else name.rstrip(".")


def _sides(title: str) -> tuple[frozenset[str], ...]:
    """Return the words of the two sides of `X v. Y`."""
    parts = re.split(r"(?<!\s)\s+vs?\.?\s+", title.casefold(), maxsplit=1)
    return tuple(
        frozenset(re.findall(r"\w{2,}", part)) - lists()["suffixes"] - {"the", "of", "et", "al"}
        for part in parts
    )


def _same_sides(one: Sequence[frozenset[str]], other: Sequence[frozenset[str]]) -> bool:
    return len(one) == 2 and all(a & b for a, b in zip(one, other, strict=True))


def _is_elsewhere(lexicon: Lexicon, text: str, start: int, end: int) -> bool:
    return bool(lexicon.elsewhere and lexicon.elsewhere.search(text, start, end))


def read_relations(things: Things) -> list[Claim]:
    """State what claims say; return those that nothing was made of."""
    read = {c.reads for c in things.assertions.claims() if c.reads}
    reader = _ClaimReader(things)
    claims = things.assertions.extraction.claims
    return [one for one in claims if not reader.read(one) and one.id not in read]


def without_papers(text: str) -> str:
    """Return a text without each "according to" a paper or a part of one, whose own word it is."""
    return _as_papers_say(domain.words().papers).sub("", text)


@lru_cache(maxsize=4)
def _as_papers_say(papers: frozenset[str]) -> re.Pattern[str]:
    nouns = "|".join(sorted(re.escape(word) for word in papers))
    return re.compile(
        r"(?i)\baccording to (?=(?:its |the )?(?:terms|clause|section|article"
        rf"|paragraph|schedule{'|' + nouns if nouns else ''})(?:\b|\s))"
    )


class _ClaimReader:
    """Reads the claims of a document by the wording of their relations."""

    def __init__(self, things: Things) -> None:
        self.things = things
        self.lexicon = things.lexicon
        extraction = things.assertions.extraction
        self.text = extraction.document.text
        self.labels = extraction.labels
        self.names = {
            (m.span.start, m.span.end)
            for m in extraction.mentions
            if m.kind in {"PERSON", "ORG", "MISC", "LOC"}
        }
        self.parties = {
            (m.span.start, m.span.end) for m in extraction.mentions if m.kind in {"PERSON", "ORG"}
        }
        self.defined = {d.place for d in definitions(plain(extraction.document))}
        self.heads = [s.start for s in extraction.sentences]
        self.placed: set[int] = set()

    def read(self, claim: Claim) -> bool:
        """State a claim whose relation the lexicon words; return whether it does."""
        at = max(0, bisect.bisect_right(self.heads, claim.span.start) - 1)
        whole = self.things.assertions.extraction.sentences[at]
        if _is_elsewhere(self.lexicon, self.text, whole.start, whole.end):
            return False
        if claim.triple.predicate == _BE:
            return self._typed(claim) or self._role(claim)
        phrase = self.labels.get(claim.triple.predicate, "").casefold()
        return any(
            self._related(claim, relation) for relation in self.lexicon.relations.get(phrase, ())
        )

    def _surface(self, part: Span | None) -> str:
        """Return the words of a part of a claim without article and quotes."""
        if part is None:
            return ""
        text = " ".join(self.text[part.start : part.end].split()).strip("\"“”'‘’ ")
        return _ARTICLE.sub("", text, count=1).casefold()

    def _typed(self, claim: Claim) -> bool:
        """`Rex is a dog`: only what is said with an indefinite article says what a thing is."""
        part = claim.parts[2]
        class_ = self.lexicon.classes.get(self._surface(part))
        if class_ is None or part is None or not _among(claim.parts[0], self.names):
            return False
        if isinstance(claim.triple.subject, Literal) or claim.triple.subject in self.lexicon.own:
            return False
        if claim.parts[0] is not None and self.text[part.end : claim.parts[0].start] == " ":
            # "the tram Silver Arrow": the noun before a name says what it is
            self._add_relation(claim, claim.triple.subject, _IS_A, class_, claim.parts)
            return True
        before = self.text[max(0, part.start - 4) : part.start]
        inside = self.text[part.start : part.start + 3]
        if not (_INDEFINITE.search(before) or re.match(r"(?i)an?\s", inside)):
            return False
        self._add_relation(claim, claim.triple.subject, _IS_A, class_, claim.parts)
        return True

    def _role(self, claim: Claim) -> bool:
        """`Alpine Holdings LLC (the "Buyer")`."""
        part = claim.parts[2]
        role = self.lexicon.roles.get(self._surface(part))
        if role is None or part is None or (part.start, part.end) not in self.defined:
            return False
        whole = self.things.definite(role.of)
        if whole is None or not _among(claim.parts[0], self.names):
            return False
        self._add_relation(claim, whole, role, claim.triple.subject, (None, part, claim.parts[0]))
        return True

    def _related(self, claim: Claim, relation: Relation) -> bool:
        s, o = claim.triple.subject, claim.triple.object
        parts = claim.parts
        if relation.inverse:
            s, o = o, s
            parts = parts[2], parts[1], parts[0]
        if isinstance(s, Literal) or not (relation.of or self._is_named(o)):
            return False
        if relation.of:
            whole = self.things.definite(relation.of)
            if s in self.lexicon.own and whole is not None:
                s = whole
            elif not relation.place or s in self.lexicon.own:
                return False
        last = claim.parts[2]
        before = self.text[claim.span.start : last.start][-400:] if last else ""
        if relation.unless and relation.unless.search(before):
            return False
        around = self.things.assertions.extraction.sentences[claim.sentence]
        if ONCE.search(self.text[around.start : around.end]):
            return False  # what holds until then, or as amended, is told of another time
        if relation.place:
            place = self._place(claim)
            if not place:
                return False
            o = mint(ENTITY, place)
            self.things.assertions.labels.setdefault(o, place)
        elif relation.of and not _among(parts[2], self.parties):
            return False
        self._add_relation(claim, s, relation, o, parts)
        return True

    def _is_named(self, node: Node) -> bool:
        """Return whether a thing has a name: "the guard", or a breach, may be any other."""
        named = re.search(r"[^\W_a-z]", self.labels.get(node, str(node)))
        return isinstance(node, Literal) or named is not None

    def _place(self, claim: Claim) -> str:
        """Return the first place that is known in the object, one a sentence."""
        part = claim.parts[2]
        if part is None or claim.sentence in self.placed:
            return ""
        words = normalised(self.text[part.start : part.end])
        country = lists()["nationalities"].get(words.casefold())
        if country:  # "English law" is that of England
            self.placed.add(claim.sentence)
            return str(country).title().replace(" Of ", " of ")
        while words:
            if words.casefold().removeprefix("the ").rstrip(".") in lists()["places"]:
                self.placed.add(claim.sentence)
                return words if words[:1].islower() else words.title().replace(" Of ", " of ")
            words = words.rpartition(" ")[0]
        return ""

    def _add_relation(
        self,
        claim: Claim,
        subject: Node,
        relation: Relation,
        object_: Node,
        parts: tuple[Span | None, Span | None, Span | None],
    ) -> None:
        """State a relation; with a `kind` the object is one of its own: "Texas (jurisdiction)"."""
        assertions = self.things.assertions
        if relation.kind:
            called = assertions.labels.get(object_) or self.labels.get(object_, "")
            object_ = mint(ENTITY, f"{called} ({relation.kind})")
            assertions.labels.setdefault(object_, called)
        assertions.state(
            subject, relation.property, object_, claim.span, parts=parts,
            polarity=claim.polarity, modality=modality(claim), reads=claim.id,
        )  # fmt: skip


def modality(claim: Claim) -> Modality:
    """Return how a claim is told: what is allowed or said by others is not thereby so."""
    said = claim.attribution and not OF_PAPER.match(claim.attribution)
    allowed = claim.modality is Modality.PERMISSION
    return Modality.POSSIBILITY if said or allowed else claim.modality


def _among(part: Span | None, places: set[tuple[int, int]]) -> bool:
    return part is not None and (part.start, part.end) in places
