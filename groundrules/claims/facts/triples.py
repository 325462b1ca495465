"""Triples: clauses and noun phrases written down as binary claims that share their nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import FORMS_OF_ADDRESS
from groundrules.claims.facts.clauses import Argument, Clause, clauses, misplaced
from groundrules.claims.facts.moods import Turn, turns
from groundrules.claims.facts.phrases import (
    NOMINAL,
    Passage,
    Phrase,
    compound_end,
    conjuncts,
    core,
    normalised,
    phrase,
    sound,
)
from groundrules.claims.names.names import lists
from groundrules.plugins import expect
from groundrules.terms import (
    ENTITY,
    RELATION,
    STATEMENT,
    Claim,
    Mention,
    Modality,
    Polarity,
    Span,
    Triple,
    mint,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_MEASURES = frozenset({"MONEY", "DURATION", "QUANTITY", "PERCENT"})
_NAMES = frozenset({"PERSON", "ORG", "LOC", "MISC"})
_LIGHT = frozenset({"be", "have", "do", "get", "'s", "let"})


@dataclass(frozen=True, slots=True)
class Mood:
    """The flags of a clause."""

    polarity: Polarity = "positive"
    modality: Modality = Modality.ASSERTED
    attribution: str | None = None
    time: Literal | None = None


@dataclass(slots=True)
class Ledger:
    """The claims, mentions and labels of one document while it is read.

    `loops` are the claims that relate a thing to itself in so many words: "Ann manages Ann".
    """

    source: str
    claims: list[Claim] = field(default_factory=list)
    loops: list[Claim] = field(default_factory=list)
    mentions: dict[Span, Mention] = field(default_factory=dict)
    sentences: list[Span] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    labels: dict[Node, str] = field(default_factory=dict)
    seen: set[tuple[object, ...]] = field(default_factory=set)

    def size(self) -> tuple[int, ...]:
        """Return how many claims, loops, mentions, sentences and labels there are."""
        held = (self.claims, self.loops, self.mentions, self.sentences, self.labels)
        return tuple(map(len, held))

    def expect_sound(self, before: tuple[int, ...], length: int) -> None:
        """Raise TypeError or ValueError where what was added is junk, or lies beyond the text.

        `before` is the size that it had, `length` that of the text.
        """
        claims = [*self.claims[before[0] :], *self.loops[before[1] :]]
        mentions = dict(islice(self.mentions.items(), before[2], None))
        sentences = self.sentences[before[3] :]
        expect(claims, list[Claim])
        expect(mentions, dict[Span, Mention])
        expect(sentences, list[Span])
        expect(dict(islice(self.labels.items(), before[4], None)), dict[Node, str])
        places = [*sentences, *mentions, *(claim.span for claim in claims)]
        places += [part for claim in claims for part in claim.parts if part]
        if any(place.end > length for place in places):
            raise ValueError(f"gave {max(p.end for p in places)} for an end; the text has {length}")
        if any(not 0 <= claim.sentence < len(self.sentences) for claim in claims):
            raise ValueError("gave a claim of a sentence that is not there")

    def mention(self, place: Span, text: str, kind: str, node: Node, label: str) -> None:
        """Note that a place names a node; the first reading of a place stands."""
        self.mentions.setdefault(place, Mention(place, text, kind, node))
        self.labels.setdefault(node, label)

    def relation(self, label: str) -> URIRef:
        """Return the node of a relation phrase."""
        node = mint(RELATION, label)
        self.labels.setdefault(node, label)
        return node

    def state(
        self,
        subject: tuple[Node, Span | None],
        relation: tuple[str, Span | None],
        object_: tuple[Node, Span | None],
        mood: Mood,
        *,
        confidence: float = 1.0,
    ) -> None:
        """Write down a claim of the sentence read last; see `add`."""
        last = len(self.sentences) - 1
        self.add(last, subject, relation, object_, mood, confidence=confidence)

    def loop(
        self, thing: tuple[Node, Span], relation: tuple[str, Span | None], again: Span, mood: Mood
    ) -> None:
        """Write down that a thing is related to itself; `again` is where it is named again."""
        triple = Triple(thing[0], self.relation(relation[0]), thing[0])
        parts = thing[1], relation[1], again
        number = f"loop-{len(self.loops)}"
        self.loops.append(self._claim(number, triple, parts, len(self.sentences) - 1, mood))

    def add(
        self,
        sentence: int,
        subject: tuple[Node, Span | None],
        relation: tuple[str, Span | None],
        object_: tuple[Node, Span | None],
        mood: Mood,
        *,
        confidence: float = 1.0,
        origin: str = "offline",
    ) -> None:
        """Write a claim down, unless its sentence has it or it relates a thing to itself."""
        triple = Triple(subject[0], self.relation(relation[0]), object_[0])
        key = (triple, sentence, mood.polarity, mood.modality)
        if subject[0] == object_[0] or key in self.seen or isinstance(subject[0], Literal):
            return
        self.seen.add(key)
        parts = subject[1], relation[1], object_[1]
        claim = self._claim(str(len(self.claims)), triple, parts, sentence, mood)
        self.claims.append(replace(claim, confidence=confidence, origin=origin))

    def _claim(
        self,
        number: str,
        triple: Triple,
        parts: tuple[Span | None, Span | None, Span | None],
        sentence: int,
        mood: Mood,
    ) -> Claim:
        return Claim(
            id=URIRef(f"{STATEMENT}{quote(sound(self.source), safe='')}-{number}"),
            triple=triple,
            span=self.sentences[sentence],
            parts=parts,
            polarity=mood.polarity,
            modality=mood.modality,
            attribution=mood.attribution,
            time=mood.time,
            sentence=sentence,
        )


@dataclass(frozen=True, slots=True)
class _Writer:
    """A passage and the ledger its claims go to."""

    passage: Passage
    ledger: Ledger

    def part(self, token: Token) -> tuple[Node, Span]:
        """Return node and place of the phrase a word heads, and note the mention."""
        found = phrase(self.passage, token)
        return self.note(found)

    def note(self, found: Phrase) -> tuple[Node, Span]:
        place = self.passage.span(found.start, found.end)
        text = self.passage.quote(found.start, found.end)
        self.ledger.mention(place, text, found.kind, found.node, found.label)
        return found.node, place

    def place(self, words: Sequence[int]) -> Span | None:
        return self.passage.span(min(words), max(words) + 1) if words else None

    def write_claims(
        self,
        subject: Token,
        relation: str,
        words: Sequence[int],
        object_: Token,
        mood: Mood,
        confidence: float = 1.0,
    ) -> None:
        if subject.i == object_.i:
            return
        how = relation, self.place(words)
        deed = any(self.passage.block.doc[i].pos_ == "VERB" for i in words)
        one, again = self.part(subject), self.part(object_)
        same = one[0] == again[0]
        if deed and same and self.folded_text(one[1]) == self.folded_text(again[1]):
            self.ledger.loop(one, how, again[1], mood)
        self.ledger.state(one, how, again, mood, confidence=confidence)

    def folded_text(self, place: Span) -> str:
        return self.passage.text[place.start : place.end].casefold()


def write(passage: Passage, ledger: Ledger) -> None:
    """Write down what a passage says: its names, its sentences, their clauses and noun phrases."""
    writer = _Writer(passage, ledger)
    doc = passage.block.doc
    addressing = _addresses(doc)
    clauses_at: dict[int, list[Clause]] = {}
    starts = {i: s.start for s in doc.sents for i in range(s.start, s.end)}
    for clause in clauses(doc):
        clauses_at.setdefault(starts[clause.verb.i], []).append(clause)
    for sentence in doc.sents:
        ledger.sentences.append(passage.span(sentence.start, sentence.end))
        ledger.turns += (
            Turn(passage.span(first, last), kind) for first, last, kind in turns(sentence)
        )
        _mention_all(writer, sentence.start, sentence.end)
        if addressing:
            continue
        for clause in clauses_at.get(sentence.start, ()):
            _clause(writer, clause)
        for token in sentence:
            if token.pos_ in NOMINAL:
                _nominal(writer, token)


def _addresses(doc: Any) -> bool:
    """Return whether a passage only turns to somebody or takes leave: "Dear Mr Okafor,".

    Such a line has one mark, the comma that ends it, and neither a verb nor a figure, so that it
    asserts nothing; "Ada Okafor, engineer," says what she is.
    """
    if len(doc) < 2 or doc[-1].text != ",":
        return False
    return not any(t.is_punct or t.pos_ in {"VERB", "AUX", "NUM"} for t in doc[:-1])


def _mention_all(writer: _Writer, start: int, end: int) -> None:
    """Every name and every value is a mention, whether or not a claim uses it."""
    passage = writer.passage
    i = start
    while i < end:
        value = passage.value_at.get(i)
        name = passage.name_at.get(i)
        if value:
            _, last, found = value
            label = " ".join(passage.text[found.start : found.end].split())
            place = Span(passage.source, found.start, found.end)
            text = passage.text[found.start : found.end]
            writer.ledger.mention(place, text, found.kind, found.literal, label)
            i = max(last, i + 1)
        elif name:
            writer.note(phrase(passage, passage.block.doc[i]))
            i = max(name.end, i + 1)
        else:
            i += 1


# --- clauses ----------------------------------------------------------------------------------


def _mood(writer: _Writer, clause: Clause) -> Mood:
    time = next(
        (
            value[2].literal
            for a in clause.arguments
            if a.role in {"prep", "time"}
            and (value := writer.passage.value_at.get(a.token.i))
            and value[2].kind == "DATE"
        ),
        None,
    )
    return Mood(clause.polarity, clause.modality, clause.attribution, time)


def _clause(writer: _Writer, clause: Clause) -> None:
    mood = _mood(writer, clause)
    before = len(writer.ledger.claims)
    arguments = [a for a in clause.arguments if not _empty(a.token)]
    subjects = [s for s in clause.subjects if s.pos_ in NOMINAL and not _empty(s)]
    objects = [a.token for a in arguments if a.role == "object"]
    for a in clause.arguments:
        if a.role == "object" and _reflexive(a.token) and not clause.passive:
            again, how = writer.passage.span(a.token.i, a.token.i + 1), writer.place(clause.words)
            for subject in subjects:
                writer.ledger.loop(writer.part(subject), (clause.lemma, how), again, mood)
    if clause.passive:
        _passive(writer, clause, subjects, arguments, mood)
    else:
        for argument in arguments:
            _active(writer, clause, subjects, objects, argument, mood)
    if len(writer.ledger.claims) == before and not any(
        a.role in {"clause", "object", "be", "prep", "to", "agent"} for a in clause.arguments
    ):
        _bare(writer, clause, subjects, mood)


def _empty(token: Token) -> bool:
    """Words that stand for nothing: reflexives, `there`, `which` without an antecedent."""
    return token.tag_ in {"WDT", "WP", "EX", "WRB"} or _reflexive(token)


def _reflexive(token: Token) -> bool:
    return bool(token.lower_.endswith(("self", "selves")))


def _passive(
    writer: _Writer, clause: Clause, patients: list[Token], arguments: list[Argument], mood: Mood
) -> None:
    agents = [a.token for a in arguments if a.role == "agent"]
    for agent in agents:
        for patient in patients:
            writer.write_claims(agent, clause.lemma, clause.words, patient, mood)
        for a in arguments:
            if a.role == "prep":
                writer.write_claims(
                    agent, f"{clause.lemma} {a.preposition}", clause.words, a.token, mood, 0.7
                )
    verb = participle(clause)
    for a in arguments:
        for patient in patients:
            match a.role:
                case "object" | "to":
                    writer.write_claims(patient, f"be {verb}", clause.words, a.token, mood)
                case "be":
                    _be(writer, patient, a.token, "be", clause.words, mood)
                case "prep":
                    words = _with_preposition(clause, a)
                    writer.write_claims(patient, f"be {verb} {a.preposition}", words, a.token, mood)
                case "time" if writer.passage.value_at.get(a.token.i):
                    writer.write_claims(patient, f"be {verb} on", clause.words, a.token, mood)


def _active(
    writer: _Writer,
    clause: Clause,
    subjects: list[Token],
    objects: list[Token],
    a: Argument,
    mood: Mood,
) -> None:
    lemma = clause.lemma
    for subject in subjects:
        match a.role:
            case "object":
                writer.write_claims(subject, lemma, clause.words, a.token, mood)
            case "to":
                writer.write_claims(subject, f"{lemma} to", clause.words, a.token, mood)
            case "be" if not objects:
                _be(writer, subject, a.token, lemma, clause.words, mood)
            case "prep":
                words = _with_preposition(clause, a)
                writer.write_claims(subject, f"{lemma} {a.preposition}", words, a.token, mood)
            case "time" if writer.passage.value_at.get(a.token.i):
                kind = writer.passage.value_at[a.token.i][2].kind
                link = f"{lemma} on" if kind == "DATE" else lemma
                writer.write_claims(subject, link, clause.words, a.token, mood)
    if objects and a.role == "prep" and lemma not in _LIGHT:
        words = _with_preposition(clause, a)
        writer.write_claims(
            objects[0], f"be {participle(clause)} {a.preposition}", words, a.token, mood, 0.7
        )
    elif objects and a.role == "be":
        for thing in objects:
            _be(writer, thing, a.token, "be", clause.words, mood)
    elif not subjects and lemma == "be" and a.role == "prep":
        for there in clause.arguments:
            if there.role == "be":
                writer.write_claims(there.token, f"be {a.preposition}", clause.words, a.token, mood)


def participle(clause: Clause) -> str:
    """Return the past participle of a clause's verb: as written, else by rule."""
    if clause.verb.tag_ in {"VBN", "VBD"} and (clause.passive or clause.verb.lower_.endswith("ed")):
        first = clause.verb.lower_
    else:
        first = clause.lemma.split(" ")[0]
        irregular = lists()["participles"].get(first)
        if irregular:
            first = irregular
        elif first.endswith("e"):
            first += "d"
        elif first.endswith("y") and first[-2:-1] not in "aeiou":
            first = first[:-1] + "ied"
        else:
            first += "ed"
    return " ".join([first, *clause.lemma.split(" ")[1:]])


def _with_preposition(clause: Clause, a: Argument) -> tuple[int, ...]:
    after = max(clause.words) + 1
    return (*clause.words, a.place) if a.place == after else clause.words


def _bare(writer: _Writer, clause: Clause, subjects: list[Token], mood: Mood) -> None:
    """Give a verb with a subject alone: `the parties agreed`, `the lease was terminated`."""
    verb = clause.verb
    if clause.lemma in _LIGHT or verb.tag_ == "MD":
        return
    label = participle(clause) if clause.passive else clause.lemma
    node = mint(ENTITY, label)
    place = writer.passage.span(verb.i, verb.i + 1)
    writer.ledger.labels.setdefault(node, label)
    for subject in subjects:
        writer.ledger.state(
            writer.part(subject),
            ("be" if clause.passive else "do", writer.place(clause.words)),
            (node, place),
            mood,
        )


def _be(
    writer: _Writer, subject: Token, what: Token, lemma: str, words: Sequence[int], mood: Mood
) -> None:
    """`X is Y`: Y of X, and what Y is of, in and for."""
    if subject.i == what.i:
        return
    relation = lemma if lemma else "be"
    writer.write_claims(subject, relation, words, what, mood)
    found = phrase(writer.passage, what)
    if found.kind in _MEASURES or isinstance(found.node, Literal):
        return
    adjective = what.pos_ in {"ADJ", "VERB", "ADV"} and not any(
        c.dep_ in {"det", "poss"} for c in what.children
    )
    if found.kind in _NAMES:
        return
    end = compound_end(what)
    head = normalised(writer.passage.quote(core(what), end)) or what.text
    for child in what.children:
        if what.i < child.i < end:
            continue
        if child.dep_ == "prep" or (child.dep_ == "dative" and child.tag_ in {"IN", "TO"}):
            for inner in child.children:
                if inner.dep_ == "pobj":
                    for token in conjuncts(inner):
                        label = (
                            f"{relation} {head} {child.lower_}"
                            if adjective
                            else f"{head} {child.lower_}"
                        )
                        writer.write_claims(subject, label, (what.i, child.i), token, mood)
        elif child.dep_ == "poss" and not adjective:
            for token in conjuncts(child):
                writer.write_claims(subject, f"{head} of", (what.i,), token, mood)
    _nation(writer, subject, what, mood)


def _nation(writer: _Writer, subject: Token, role: Token, mood: Mood) -> None:
    """Give `a French president`: president of France."""
    nations = lists()["nationalities"]
    for child in role.lefts:
        country = nations.get(child.lower_)
        if country and role.tag_ in {"NN", "NNS", "NNP"}:
            words = [
                writer.passage.quote(i, i + 1)
                for i in range(core(role), role.i + 1)
                if i != child.i
            ]
            node = mint(ENTITY, country)
            place = writer.passage.span(child.i, child.i + 1)
            writer.ledger.labels.setdefault(node, country)
            writer.ledger.state(
                writer.part(subject),
                (f"{normalised(' '.join(words))} of", writer.passage.span(role.i, role.i + 1)),
                (node, place),
                mood,
                confidence=0.7,
            )


# --- noun phrases -----------------------------------------------------------------------------


def _nominal(writer: _Writer, token: Token) -> None:
    passage = writer.passage
    found = phrase(passage, token)
    if isinstance(found.node, Literal) or token.pos_ == "PRON":
        return
    if found.head != token.i:
        return
    plain = Mood()
    for child in token.children:
        match child.dep_:
            case "appos":
                _apposition(writer, token, child, plain)
            case "prep":
                _attached(writer, token, child, plain)
            case "poss":
                writer.write_claims(token, "of", (child.i,), child, plain, 0.8)
            case "nummod" | "compound" | "nmod" | "quantmod" | "npadvmod" | "amod":
                value = passage.value_at.get(child.i)
                if value and value[2].kind in _MEASURES and token.i not in passage.value_at:
                    writer.write_claims(token, "be", (child.i,), child, plain, 0.8)
            case _:
                pass
    _premodifier(writer, token, plain)


def _attached(writer: _Writer, noun: Token, prep: Token, mood: Mood) -> None:
    if misplaced(prep) or noun.i < prep.i < compound_end(noun):
        return
    for inner in prep.children:
        if inner.dep_ == "pobj":
            for token in conjuncts(inner):
                value = writer.passage.value_at.get(token.i)
                link = (
                    "be"
                    if value and prep.lower_ == "of" and value[2].kind != "DATE"
                    else prep.lower_
                )
                writer.write_claims(noun, link, (prep.i,), token, mood, 0.8)


def _apposition(writer: _Writer, noun: Token, other: Token, mood: Mood) -> None:
    passage = writer.passage
    name = passage.name_at.get(other.i)
    if name and not all(
        other.is_ancestor(word) or word in (other, noun) or word.is_punct
        for word in passage.block.doc[name.start : name.end]
    ):
        return  # the "Inc." of the second of two companies
    first, second = phrase(passage, noun), phrase(passage, other)
    if second.kind == "LOC" and first.kind in _NAMES:
        writer.write_claims(noun, "be in", (), other, mood, 0.8)
    elif first.kind not in _NAMES and second.kind in _NAMES:
        for token in conjuncts(other):
            _be(writer, token, noun, "be", (), mood)
    elif isinstance(second.node, Literal) and second.kind not in _MEASURES:
        return
    else:
        for token in conjuncts(other):
            _be(writer, noun, token, "be", (), mood)


def _premodifier(writer: _Writer, token: Token, mood: Mood) -> None:
    """`French president Macron`, `software maker Oracle`, `President Bush`."""
    passage = writer.passage
    name = passage.name_at.get(token.i)
    if not name or name.kind not in {"PERSON", "ORG", "MISC"}:
        return
    start, end = min(core(token), name.start), name.start
    words = passage.block.doc[start:end]
    if not words or any(w.i in passage.name_at and w.i not in {start} for w in words):
        return
    nouns = [w for w in words if w.tag_ in {"NN"} or w.lower_.rstrip(".") in lists()["titles"]]
    if not nouns or (words[-1].i != nouns[-1].i and words[-1].text != "."):
        return
    if all(w.lower_.rstrip(".") in FORMS_OF_ADDRESS or w.is_punct for w in words):
        return
    if any(w.i in passage.value_at or w.pos_ in {"VERB", "ADP"} for w in words):
        return
    label = normalised(passage.quote(start, end))
    if not label:
        return
    node, place = mint(ENTITY, label), passage.span(start, end)
    writer.ledger.mention(place, passage.quote(start, end), "NOUN", node, label)
    writer.ledger.state(writer.part(token), ("be", None), (node, place), mood, confidence=0.9)
    nation = lists()["nationalities"].get(words[0].lower_)
    rest = normalised(passage.quote(start + 1, end)) if nation and end - start > 1 else ""
    if nation and rest:
        country = mint(ENTITY, nation)
        writer.ledger.labels.setdefault(country, nation)
        writer.ledger.state(
            writer.part(token),
            (f"{rest} of", place),
            (country, passage.span(start, start + 1)),
            mood,
            confidence=0.8,
        )
