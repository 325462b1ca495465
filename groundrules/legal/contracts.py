"""Contracts: defined terms, parties, dates, terms and governing law, read by their fixed phrasing.

Legal boilerplate runs to sentences no small parser gets right, but it is worded alike everywhere.
These patterns add claims in one canonical wording, whatever the text says:

* party ``party to`` agreement; party ``contract with`` party; party ``be`` role
* agreement ``be dated`` / ``take effect on`` / ``expire on`` date
* agreement ``run for`` / ``renew for`` duration; notice ``be given before`` duration
* agreement ``be governed by law of`` place
"""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from rdflib.namespace import XSD
from rdflib.term import Literal, Node, URIRef

from groundrules import domain
from groundrules.claims.documents.document import Document
from groundrules.claims.facts.phrases import normalised, sound
from groundrules.claims.facts.triples import Ledger, Mood
from groundrules.claims.names.definitions import definitions
from groundrules.claims.names.names import lists
from groundrules.claims.values.value_reader import Value
from groundrules.legal.jurisdiction import governing_places
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import AGREEMENT
from groundrules.legal.papers import paper_before
from groundrules.ontology.read.model_values import shifted
from groundrules.terms import ENTITY, Claim, Mention, Modality, Span, mint

#: How far a pattern looks, in code points.
REACH = 160
#: Shortest text, in code points, that is a whole contract, of which what it does not say is known.
WHOLE = 2000

_RE = phrases("contracts")
#: What says from when a term is counted, the day of the contract apart, or that it ends otherwise.
_COUNTED = re.compile(
    r"(?i)\b(?:from|after|following|until|counted|beginning|commencing|starting|ending)\b"
    r"(?! (?:on |with |from )?(?:the |such )?(?:effective date|date (?:hereof|first|of this)))"
)
_TRIGGERS = rows("contracts", "triggers")
_QUOTES = "\"“”„«»'‘’`"


@dataclass(slots=True)
class _Reader:
    """A document with its mentions in order, and where its claims go."""

    text: str
    source: str
    ledger: Ledger
    values: tuple[Value, ...]
    mentions: list[Mention]
    starts: list[int]
    sentences: list[Span]
    heads: list[int]
    misread: set[URIRef] = field(default_factory=set)

    def names(self, start: int, end: int) -> list[Mention]:
        """Give the people and organisations named between two places."""
        first = bisect.bisect_left(self.starts, start)
        last = bisect.bisect_left(self.starts, end)
        return [
            m
            for m in self.mentions[first:last]
            if m.kind in {"PERSON", "ORG", "MISC", "TERM"} and m.span.end <= end
        ]

    def entity(self, start: int, end: int, kind: str = "ORG") -> tuple[Node, Span | None] | None:
        """Give a node for the words between two places."""
        while start < end and (self.text[start].isspace() or self.text[start] in _QUOTES + ","):
            start += 1
        while end > start and (
            self.text[end - 1].isspace() or self.text[end - 1] in _QUOTES + ",;:"
        ):
            end -= 1
        lead = re.match(r"(?:whereas|now,? therefore),?\s+(?:the\s+)?", self.text[start:end], re.I)
        start += lead.end() if lead else 0
        label = normalised(self.text[start:end])
        if not label:
            return None
        node, place = mint(ENTITY, label), Span(self.source, start, end)
        self.ledger.mention(place, self.text[start:end], kind, node, label)
        return node, place

    def paper(self, at: int) -> Node:
        """Return the paper that a sentence speaks of at a place: this one, but for good reason."""
        index = max(0, bisect.bisect_right(self.heads, at) - 1)
        node = paper_before(self.text, self.sentences[index].start, at)
        if node != AGREEMENT:
            self.ledger.labels.setdefault(node, str(node).rsplit(":", 1)[-1].replace("-", " "))
        return node

    def state(
        self,
        subject: tuple[Node, Span | None],
        relation: str,
        object_: tuple[Node, Span | None],
        at: int,
        mood: Mood | None = None,
        words: tuple[int, int] | None = None,
    ) -> None:
        """Write a claim of the sentence that holds `at`."""
        index = max(0, bisect.bisect_right(self.heads, at) - 1)
        place = Span(self.source, *words) if words else None
        self.ledger.add(index, subject, (relation, place), object_, mood or Mood(), confidence=0.9)


NOTICE: Node = mint(ENTITY, "notice")


def read_contract(document: Document, ledger: Ledger, values: tuple[Value, ...]) -> None:
    """Add the claims that the fixed phrasing of contracts makes; nothing on other texts."""
    text = document.text
    if not ledger.sentences:
        return
    mentions = sorted(ledger.mentions.values(), key=lambda m: (m.span.start, -m.span.end))
    reader = _Reader(
        text,
        document.name,
        ledger,
        values,
        mentions,
        [m.span.start for m in mentions],
        ledger.sentences,
        [s.start for s in ledger.sentences],
    )
    ledger.labels.setdefault(AGREEMENT, "agreement")
    ledger.labels.setdefault(NOTICE, "notice")
    _define(reader)
    _preambles(reader)
    _dates_and_terms(reader)
    for index in range(len(reader.sentences)):
        _sentence(reader, reader.sentences[index])
    _law(reader)
    if len(text) >= WHOLE:
        _reckoned(reader)
    be, labels = ledger.relation("be"), ledger.labels
    reader.misread |= {
        claim.id
        for claim in ledger.claims
        if claim.triple.predicate == be
        and _RE["paper_name"].search(labels.get(claim.triple.subject, ""))
        and _RE["body"].search(labels.get(claim.triple.object, ""))
    }
    if reader.misread:
        ledger.claims[:] = [claim for claim in ledger.claims if claim.id not in reader.misread]


def _reckoned(reader: _Reader) -> None:
    """Give a contract the day on which it begins or that it bears, and its end, where one follows.

    What says no more takes effect on the day it bears, and ends when its one term has run.
    """
    held: dict[str, list[Claim]] = defaultdict(list)
    for claim in reader.ledger.claims:
        if claim.triple.subject == AGREEMENT and isinstance(claim.triple.object, Literal):
            held[reader.ledger.labels.get(claim.triple.predicate, "")].append(claim)
    starts = held["take effect on"] or held["be dated"]
    days: list[tuple[str, Claim, Node]] = []
    if not _RE["effective"].search(reader.text):
        days += [
            (relation, claim, claim.triple.object)
            for claim in starts[:1]
            for relation in ("take effect on", "be dated")
            if not held[relation]
        ]
    for term in held["run for"][:1] if not held["expire on"] else ():
        own = reader.sentences[term.sentence]
        counted = _COUNTED.search(reader.text, own.start, own.end)
        for start in dict.fromkeys(
            one.triple.object for one in starts if not counted or one.sentence == term.sentence
        ):
            assert isinstance(start, Literal)
            end = shifted(start, str(term.triple.object), 1)
            if end is not None and end.datatype == XSD.date:
                days += [("expire on", term, d) for d in (end, shifted(end, "P1D", -1)) if d]
    for relation, claim, day in days:
        said = (AGREEMENT, None), (relation, None), (day, claim.parts[2])
        reader.ledger.add(claim.sentence, *said, Mood(), confidence=0.6, origin="derived")


def _define(reader: _Reader) -> None:
    boundary = 0
    for d in definitions(reader.text):
        if _RE["clause"].search(reader.text, d.opens, d.place[0]):
            # "(and in that case be a “Recipient”)" is a clause of its own
            boundary = d.closes
            continue
        who = _defined(reader, max(boundary, d.opens - 400), d.opens, d.term)
        if who is not None:
            term = mint(ENTITY, sound(d.term))
            place = Span(reader.source, *d.place)
            kind = "TERM"
            reader.ledger.mentions[place] = Mention(
                place, reader.text[d.place[0] : d.place[1]], kind, term
            )
            reader.ledger.labels.setdefault(term, d.term)
            node, where = who
            if isinstance(node, Literal):
                reader.state((term, place), "be", (node, where), d.opens)
                if d.term.casefold() == "effective date":
                    reader.state((AGREEMENT, None), "take effect on", (node, where), d.opens)
            else:
                reader.state((node, where), "be", (term, place), d.opens)
        boundary = d.closes


def _defined(reader: _Reader, start: int, opens: int, term: str) -> tuple[Node, Span | None] | None:
    """Give what a parenthesis defines: the value, name or described party before it."""
    text = reader.text
    for value in _values_before(reader, opens):
        if text[value.end : opens].strip(" ,") == "" and value.kind in {
            "DATE",
            "MONEY",
            "DURATION",
        }:
            return value.literal, Span(reader.source, value.start, value.end)
    hard = max((m.end() for m in _RE["between"].finditer(text, start, opens)), default=start)
    names = [m for m in reader.names(hard, opens) if m.kind != "TERM"]
    last = [m for m in names if text[m.span.end : opens].strip(" ,") == ""]
    for name in names:
        gap = text[name.span.end : opens]
        before = text[max(0, name.span.start - 20) : name.span.start]
        if (
            name.kind in {"ORG", "PERSON"}
            and len(gap) < 300
            and _RE["described"].match(gap)
            and _RE["connected"].search(before)
        ):
            return name.node, name.span
    if last:
        return last[-1].node, last[-1].span
    first = bisect.bisect_left(reader.starts, opens - 80)
    stop = bisect.bisect_left(reader.starts, opens)
    for m in reversed(reader.mentions[first:stop]):
        if m.kind == "LOC" and not _RE["territorial"].search(term):
            continue
        if (
            text[m.span.end : opens].strip(" ,") == ""
            and m.kind != "NUMBER"
            and not isinstance(m.node, Literal)
        ):
            return m.node, m.span
    return None


def _values_before(reader: _Reader, place: int) -> list[Value]:
    index = bisect.bisect_left(reader.values, place, key=lambda value: value.start)
    return [v for v in reader.values[max(0, index - 1) : index] if v.end <= place]


def _preambles(reader: _Reader) -> None:
    """`by and between A (...) and B (...)` after an agreement is named."""
    text = reader.text
    for found in _RE["between"].finditer(text):
        before = text[max(0, found.start() - REACH) : found.start()]
        if not _RE["paper_said"].search(before):
            continue
        if re.search(
            r"\b(?:dispute|difference|conflict|relationship|correspondence|communications?)s?\s*$",
            before,
            re.I,
        ):
            continue
        parties = _parties(reader, found.end())
        if len(parties) > 1:
            _contract(reader, parties, found.start())


def _parties(reader: _Reader, start: int) -> list[tuple[Node, Span | None]]:
    """Give the first name, and each later one that follows `and` or a closed definition."""
    text = reader.text
    names = reader.names(start, min(len(text), start + 900))
    out: list[tuple[Node, Span | None]] = []
    for m in names:
        gap = text[start : m.span.start]
        if not out:
            if len(gap.strip(' \n\t"“(1iathe)')) > 3:
                return []
        else:
            if re.search(
                r"[.;]\s+[A-Z]|(?<!\s)[^\S\n]*+\n[^\S\n]*+\n\s*+(?:\d|WITNESS|RECITAL)|WHEREAS|\bdated\b",
                gap,
            ) and not gap.lstrip().startswith("."):
                break
            joined = re.search(r"(?:\band|&)[\s\"“(]*(?:\w{1,3}\)\s*)?(?:the\s+)?$", gap, re.I)
            listed = m.kind == "ORG" and re.search(r",\s*$", gap) and _RE["suffixed"].search(m.text)
            if not joined and not listed:
                continue
        if (
            not _RE["namelike"].search(m.text)
            or _RE["address"].search(m.text)
            or m.text.casefold() in {"parties", "party"}
        ):
            continue
        if m.kind == "MISC" and len(m.text) < 4:
            continue
        if m.kind == "TERM" and out and re.search(r"[\"“(]\s*(?:the\s+)?[\"“]?$", gap):
            continue
        out.append((m.node, m.span))
        start = m.span.end
        if len(out) == 4:
            break
    return out


def _contract(reader: _Reader, parties: list[tuple[Node, Span | None]], at: int) -> None:
    for i, one in enumerate(parties):
        reader.state(one, "party to", (AGREEMENT, None), at)
        for other in parties[i + 1 :]:
            reader.state(one, "contract with", other, at)
            reader.state(other, "contract with", one, at)


def _dates_and_terms(reader: _Reader) -> None:
    text = reader.text
    for value in reader.values:
        if value.kind not in {"DATE", "DURATION"}:
            continue
        index = max(0, bisect.bisect_right(reader.heads, value.start) - 1)
        sentence = reader.sentences[index]
        whole = text[
            max(sentence.start, value.start - 600) : min(
                max(sentence.end, value.end), value.end + 300
            )
        ]
        left = text[max(sentence.start, value.start - REACH) : value.start]
        place = Span(reader.source, value.start, value.end)
        if value.kind == "DATE":
            _date(reader, value, left, whole, place)
        else:
            _duration(reader, value, left, whole, place)


def _date(reader: _Reader, value: Value, left: str, whole: str, place: Span) -> None:
    after = reader.text[value.end : value.end + 40]
    effective = re.match(
        r"[\s,]*+(?:\(\s*+)?(?:the\s+)?[\"“]\s*(?:effective|commencement)\s+date", after, re.I
    )
    if not (_RE["own"].search(whole) or effective):
        return
    best, where = "", -1
    for pattern, (relation,) in _TRIGGERS:
        for found in pattern.finditer(left):
            if found.end() > where:
                best, where = relation, found.end()
    if where < 0 or re.search(r"[.;]\s+[A-Z]", left[where:]) or _RE["other_term"].search(left):
        best = ""
    subject: tuple[Node, Span | None] = (reader.paper(value.start), None)
    other = _RE["other"].search(left)
    if other and best == "be dated":
        found_node = reader.entity(
            value.start - len(left) + other.start("name"),
            value.start - len(left) + other.end("name"),
            "TERM",
        )
        subject = found_node or subject
    mood = _mood_of(left)
    if best:
        reader.state(subject, best, (value.literal, place), value.start, mood)
        if best == "take effect on" and re.search(r"\b(?:dated|made|entered)\b", left, re.I):
            reader.state(subject, "be dated", (value.literal, place), value.start, mood)
    if effective:
        reader.state((AGREEMENT, None), "take effect on", (value.literal, place), value.start)


def _mood_of(left: str) -> Mood:
    if re.search(r"\b(?:not|never|no)\b", left[-60:], re.I):
        return Mood(polarity="negative")
    return Mood()


def _duration(reader: _Reader, value: Value, left: str, whole: str, place: Span) -> None:
    right = reader.text[value.end : value.end + 80]
    near = left[-90:]
    mood = Mood(modality=Modality.ASSERTED)
    if (
        re.match(r"['’]?\s*(?:\w+[\s,'’]+){0,4}?(?:notice|in advance|before|prior)", right, re.I)
        and re.search(r"\bnoti(?:ce|fy|fies|fication)", whole, re.I)
    ) or re.search(r"\bnotice\b[^.;]{0,50}$", near, re.I):
        if re.search(r"renew|terminat|extend|extension|expir|cancel", whole, re.I):
            reader.state(
                (NOTICE, None), "be given before", (value.literal, place), value.start, mood
            )
        return
    if re.search(
        r"\b(?:renew\w*|extend\w*|extension|successive|additional|subsequent|consecutive)\b[^.;]{0,110}$",
        left,
        re.I,
    ) and re.search(r"renew|exten[ds]", whole, re.I):
        paper = reader.paper(value.start), None
        reader.state(paper, "renew for", (value.literal, place), value.start, mood)
    elif re.search(r"\b(?:term|period|duration)\b[^.;]{0,60}$", near, re.I) and _RE[
        "term_or_paper"
    ].search(whole):
        paper = reader.paper(value.start), None
        reader.state(paper, "run for", (value.literal, place), value.start, mood)


@lru_cache(maxsize=16384)  # a long source is read again with each text beside it
def _is_worded(text: str) -> bool:
    """Return whether a sentence has any of the wordings that state something of a contract."""
    if len(text) > 400:
        return False
    anywhere = (_RE["party"], _RE["made_between"], _RE["acts"], _RE["holder"])
    return bool(_RE["signed"].match(text)) or any(one.search(text) for one in anywhere)


def _sentence(reader: _Reader, sentence: Span) -> None:
    """Statements about a contract, as an answer words them."""
    text = reader.text[sentence.start : sentence.end]
    if not _is_worded(text):
        return
    base = sentence.start
    if _RE["party"].search(text) and (found := _RE["party_to"].match(text)):
        a = _split_names(reader, base + found.start("a"), base + found.end("a"))
        b = (
            _split_names(reader, base + found.start("b"), base + found.end("b"))
            if found["b"]
            else []
        )
        mood = Mood()
        for one in a:
            reader.state(one, "party to", (AGREEMENT, None), base, mood)
            for other in b:
                reader.state(one, "contract with", other, base, mood)
                reader.state(other, "contract with", one, base, mood)
        for other in b:
            reader.state(other, "party to", (AGREEMENT, None), base, mood)
    if found := _RE["made_between"].search(text):
        _contract(
            reader, _split_names(reader, base + found.start("rest"), base + found.end("rest")), base
        )
    elif (found := _RE["signed"].match(text)) and not re.match(
        r"(?:the\s+)?parties\b|this\b|the\s+agreement", text, re.I
    ):
        parties = _split_names(reader, base + found.start("rest"), base + found.end("rest"))
        if len(parties) > 1:
            _contract(reader, parties, base)
    holders: set[tuple[Node, Node]] = set()
    for acts in _RE["acts"].finditer(text):
        who = acts["who"]
        comma = re.match(r"(?:Under|In|Pursuant to)\s[^,]*,\s*", who)
        start = base + acts.start("who") + (comma.end() if comma else 0)
        if acts["role"].casefold() not in domain.words().roles:
            continue  # before anything of it is named
        party = reader.entity(start, base + acts.end("who"))
        role = reader.entity(base + acts.start("role"), base + acts.end("role"), "TERM")
        if party and role:
            holders.add((party[0], role[0]))
            reader.state(party, "be", role, base)
    for holder in _RE["holder"].finditer(text):
        # "The tenant is Alpine": who holds the role, not what a tenant is
        place = base + holder.end()
        named = [m for m in reader.names(place, sentence.end) if m.span.start == place]
        if holder["role"].casefold() not in domain.words().roles or not named:
            continue
        who = max(named, key=lambda m: m.span.end)
        role = reader.entity(base + holder.start("role"), base + holder.end("role"), "TERM")
        if role and who.kind != "TERM":
            holders.add((who.node, role[0]))
            reader.state((who.node, who.span), "be", role, base)
    if holders:
        # what the parser made of it: "the tenant be the landlord", "the tenant be Alpine"
        be, labels = reader.ledger.relation("be"), reader.ledger.labels
        ends = {node for pair in holders for node in pair}
        reader.misread |= {
            claim.id
            for claim in reader.ledger.claims
            if sentence.start <= claim.span.start
            and claim.span.end <= sentence.end
            and claim.triple.predicate == be
            and {claim.triple.subject, claim.triple.object} <= ends
            and (claim.triple.subject, claim.triple.object) not in holders
            and labels.get(claim.triple.subject, "").casefold() in domain.words().roles
        }


def _split_names(reader: _Reader, start: int, end: int) -> list[tuple[Node, Span | None]]:
    """Give `A, B and C` as names; an `and` inside a name is one that a mention spans."""
    text = reader.text
    inside = [(m.span.start, m.span.end) for m in reader.names(start, end)]
    cuts = [start]
    for joint in re.finditer(
        r"(?:,|(?<!\s))\s+and\s+(?:the\s+)?|(?<!\s)\s+&\s+", text[start:end], re.I
    ):
        a, b = start + joint.start(), start + joint.end()
        if not any(s < a and b < e for s, e in inside):
            cuts += [a, b]
    cuts.append(end)
    out: list[tuple[Node, Span | None]] = []
    for a, b in zip(cuts[::2], cuts[1::2], strict=False):
        described = _RE["description"].search(text, a + 1, b)
        b = described.start() if described else b
        found = reader.entity(a, b)
        if found:
            out.append(found)
    return out


def _law(reader: _Reader) -> None:
    text = reader.text
    for at, start, end, negative in governing_places(text):
        place = reader.entity(start, end, "LOC")
        if place is None:
            continue
        name = normalised(text[start:end])
        node = mint(ENTITY, lists()["nationalities"].get(name.casefold(), name))
        mood = Mood(polarity="negative") if negative else Mood()
        reader.state((reader.paper(at), None), "be governed by law of", (node, place[1]), at, mood)
