"""An answer to a question about records: retrieved, grounded, said, and checked against its ground.

Without a language model the records answer themselves. With one, the model is given numbered
records and answers in sentences that cite them; the answer is then checked against those very
records, as documents and as statements, and a sentence that they refute or do not carry is left
out, with the reason (GROG answers from a neighbourhood of a graph; it does not check).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from rdflib.namespace import PROV
from rdflib.term import Literal, URIRef

from groundrules.checks.carrier import RecordSupport
from groundrules.checks.clock import Clock
from groundrules.checks.kb import open_sources
from groundrules.claims.document import Document
from groundrules.claims.english.signals import LISTING, WHETHER
from groundrules.claims.llm_prompts import record
from groundrules.config import Config
from groundrules.errors import ConfigError, SourceError
from groundrules.kb.records.formats import DCTERMS, SCHEMA, domain_of
from groundrules.kb.records.questions import (
    Asked,
    Fact,
    UnansweredError,
    content_stems,
    is_text,
    labels,
    namings,
    partners,
    read_question,
    sentence,
    state,
)
from groundrules.kb.search.neighbourhood import Neighbourhood, Stated, neighbourhood
from groundrules.kb.search.retrieval import Hit, TextIndex, open_texts
from groundrules.kb.search.texts import vocabulary
from groundrules.kb.sources.connect import Connection
from groundrules.kb.sources.source import Query
from groundrules.kb.sources.triplestore import StoreGraph
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
from groundrules.terms import Claim, Outcome, Report, Severity, Traits, Triple, Verdict

#: Below this cosine nothing that was retrieved bears on an open question; measured on half of the
#: questions, see benchmarks/reports/questions.md.
BEARS = 0.45
#: Passages that answer an open question.
PASSAGES = 3
_UNSAID = "the records do not say: what is named is there, but states nothing of that"
_UNREAD = (
    "without a language model records answer the kinds of questions of their domain, asked of a "
    "number or name, and this is none; groundrules kb near finds what is like it"
)
#: A question for a person, a day, a place or a number, where "a pump whose valve …" is none.
_ASKS = re.compile(
    r"\W*(?:\w+\s+)?(?:who|whom|whose|when|where|how\s+(?:many|much|long|often|old))\b", re.I
)
_VERBS = rf"(?:{'|'.join(sorted(WHETHER))})\b"
#: A question that what it names does not answer.
_SAYS = re.compile(r"(?i)\W*(?:who|whom|whose|when|where|why|how|what\s+(?:is|are|was|were|did))\b")
#: A question for some of all records, or for what one has: which, what, how tall.
_LISTS = re.compile(rf"(?i)\W*(?:{'|'.join(sorted(LISTING))}|how\s+(?!{_VERBS})\w+)\b")
#: A question that is answered by yes or no.
_WHETHER = re.compile(rf"(?i)\W*{_VERBS}")
#: Tokens of the neighbourhood, at least so many beside what answers, however long that is; and how
#: much more is read, for there are texts that repeat others.
BUDGET, _LEAST, _WIDER = 2000, 800, 3

_INSTRUCTIONS = """\
Answer the question with the records and with nothing else: each text after the question is a \
record, and begins with its number. Write short, complete sentences that name what they are about \
by its number{examples} Quote {texts} word for word. Give with each sentence the numbers of the \
records that it rests on. If the records do not hold the answer, set "held" to false and give no \
sentences."""
_SENTENCE = record(
    {"text": {"type": "string"}, "records": {"type": "array", "items": {"type": "integer"}}}
)
_SCHEMA: Mapping[str, object] = record(
    {"held": {"type": "boolean"}, "sentences": {"type": "array", "items": _SENTENCE}}
)
_RECORDS = f"""SELECT ?s ?record ?file ?number WHERE {{ VALUES ?s {{ $things }}
  {{ ?s <{PROV.wasDerivedFrom}> ?record }}
  UNION {{ VALUES ?part {{ $wholes }} ?s ?part ?whole . ?whole <{PROV.wasDerivedFrom}> ?record }}
  OPTIONAL {{ ?record <{DCTERMS.source}> ?file }}
  OPTIONAL {{ ?record <{SCHEMA.position}> ?number }} }}"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record was read: the file, its number in it and the SHA-256 of its bytes."""

    file: str
    number: int
    digest: str


@dataclass(frozen=True, slots=True)
class Ground:
    """A record that an answer may rest on: a thing of the neighbourhood with what it states.

    `number` is what sentences cite it by, from 1.
    """

    number: int
    thing: URIRef
    label: str
    text: str
    facts: tuple[Fact, ...] = ()
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of an answer with the records it cites; a reason stands where it is left out.

    `outcome` is "supported" where the records carry it, "refuted" where they say otherwise, and
    "not_enough_info" where they do not carry it.
    """

    text: str
    cites: tuple[int, ...]
    outcome: Outcome = Outcome.SUPPORTED
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: its sentences, the records it was given, and the report of the check.

    `refusal` says why there is none; `by` who answered: "records", or the name of the model, whose
    `report` is that of the check. `times` are in seconds, by stage.
    """

    question: str
    by: str
    sentences: tuple[AnswerSentence, ...] = ()
    grounds: tuple[Ground, ...] = ()
    refusal: str = ""
    report: Report | None = None
    times: tuple[tuple[str, float], ...] = ()

    @property
    def kept(self) -> tuple[AnswerSentence, ...]:
        """The sentences that the records carry: the answer."""
        return tuple(one for one in self.sentences if one.outcome is Outcome.SUPPORTED)

    @property
    def exit_code(self) -> int:
        """0 for an answer, 1 where there is none or a sentence was left out, 2 if not all asked."""
        if self.refusal or len(self.kept) < len(self.sentences):
            return 1
        return 0 if self.report is None or self.report.complete else 2


#: Checks a text against documents: what `api.check` does under a configuration.
Check = Callable[[Document, Sequence[Document]], Report]


def respond(
    question: str,
    config: Config,
    *,
    now: datetime,
    check: Check,
    client: Client | None = None,
    traits: Mapping[str, Traits] | None = None,
) -> Response:
    """Answer a question from the first knowledge base of a configuration.

    `traits` are those of the rules of `check`, by id.

    Raises:
        ConfigError: that is no store, or a setting is wrong.
        SourceError: the store or the index of its texts cannot be read.
        LLMError: the language model could not be asked.
    """
    clock = Clock()
    connection, index = open_records(config, now)
    try:
        asked = read_question(question, index, connection.graph)
        clock.mark("retrieve")
        facts = state(asked, connection.source, connection.graph)
        clock.mark("statements")
        refusal = _unheld(question, asked, facts, model=client is not None)
        if refusal:
            return Response(question, "records", refusal=refusal, times=tuple(clock.stages))
        if client is None:
            found = _extractive(question, asked, facts, connection)
            clock.mark("ground")
            return replace(found, times=tuple(clock.stages))
        grounds = ground(question, asked, facts, connection, index)
        clock.mark("ground")
    except UnansweredError as error:
        raise SourceError(f"could not be asked: {error}", path=config.kb[0]) from None
    answer = client.ask(prompt(question, grounds))
    clock.mark("language model")
    response = check_answer(question, answer, grounds, check, by=client.name, traits=traits)
    clock.mark("check")
    return replace(response, times=tuple(clock.stages))


def open_records(config: Config, now: datetime) -> tuple[Connection, TextIndex]:
    """Return the store of a configuration and the index of its texts, both kept open.

    Raises:
        ConfigError: there is none, or it is no store that `kb build` made.
        SourceError: there is no index of its texts, or it is of another state of the store.
    """
    if not config.kb:
        raise ConfigError("answers come from records and none are named; expected --kb STORE")
    connection = open_sources(replace(config, kb=config.kb[:1]), now)[0].connection
    graph = connection.graph
    index = _texts(graph) if isinstance(graph, StoreGraph) else None
    if index is None:
        raise ConfigError("expected a store that kb build made", path=config.kb[0])
    return connection, index


_texts = lru_cache(maxsize=4)(open_texts)


def ontology_of(config: Config, now: datetime) -> str:
    """Return the ontology of a configuration, else that of the domain whose terms its store uses.

    Empty where it uses none; errors as for `open_records`.
    """
    if config.ontology:
        return config.ontology
    graph = open_records(config, now)[0].graph
    assert isinstance(graph, StoreGraph)  # `open_records` returns no other
    return domain_of(graph.store)


def _unheld(question: str, asked: Asked, facts: Sequence[Fact], *, model: bool) -> str:
    """Return why the records do not hold an answer, empty if they may.

    A `model` reads a question better than its wording tells, and may say so itself.
    """
    if asked.missing:
        several = " or ".join(dict.fromkeys(asked.missing))
        if several.startswith(tuple(one.part.word for one in namings() if one.part)):
            return f"the records hold no {several} of what is named"
        return f"the records hold nothing with the number {several}"
    if asked.things and (asked.kind is not None or asked.closed) and not facts and not model:
        return _UNSAID
    if asked.things:
        return ""
    best = max((hit.similarity or 0.0 for hit in asked.hits), default=0.0)
    if best < BEARS:
        listed = not model and (_LISTS.match(question) or _WHETHER.match(question))
        return _UNREAD if listed else "the records hold nothing that bears on the question"
    return ""


def _extractive(
    question: str, asked: Asked, facts: Sequence[Fact], connection: Connection
) -> Response:
    """Return the records themselves as an answer: statements, or the passages that fit best."""
    if not facts:
        refusal = _UNSAID if asked.things else _UNREAD
        if _WHETHER.match(question):  # a passage says neither yes nor no
            return Response(question, "records", refusal=refusal)
        hits = [hit for hit in asked.hits if not asked.things or hit.node in asked.things]
        hits = [h for h in hits if h.how == "identifier" or (h.similarity or 0.0) >= BEARS]
        asks, told = _words(question), {h: _words(f"{h.title} {h.text}") for h in hits}
        if _SAYS.match(question):  # a passage that is a name in the question says nothing more
            hits = [h for h in hits if h.how == "identifier" or told[h] - asks]
        lists = not asked.things and _LISTS.match(question) is not None
        if lists or (asked.closed and _ASKS.match(question)):
            # a passage near by does not say who the head of a firm is unless it says "head"
            hits = [hit for hit in hits if asks <= told[hit]]
        if not hits:
            return Response(question, "records", refusal=refusal)
        facts = [_passage(hit) for hit in hits[:PASSAGES]]
    grounds = _number(facts, connection)
    numbers = {one.thing: one.number for one in grounds}
    said = tuple(AnswerSentence(fact.text, (numbers[fact.thing],)) for fact in facts)
    return Response(question, "records", said, grounds)


def _words(text: str) -> frozenset[str]:
    """Return the words and figures that tell what is asked, or said."""
    return content_stems(text) | set(re.findall(r"\d+", text))


def _passage(hit: Hit) -> Fact:
    predicate = URIRef(hit.predicate or DCTERMS.title)
    text = f"{hit.title}: “{hit.text}”" if hit.title and hit.text else hit.text or hit.title
    return Fact(hit.node, Triple(hit.node, predicate, Literal(hit.text or hit.title)), text)


def ground(
    question: str, asked: Asked, facts: Sequence[Fact], connection: Connection, index: TextIndex
) -> tuple[Ground, ...]:
    """Return the numbered records that a model may answer from: what answers, then what is near.

    Raises:
        UnansweredError: the graph could not be asked.
    """
    seeds = asked.things or tuple(dict.fromkeys(hit.node for hit in asked.hits))
    if asked.things:
        seeds = (*seeds, *partners(connection.graph, seeds))
    seeds = tuple(dict.fromkeys(seeds))
    vector = index.encode(question)
    found = list(facts)
    said = {_body(fact) for fact in found}
    left = BUDGET - sum(len(fact.text) // 4 for fact in found)
    # what is stated of a thing itself is short, and long claims must not crowd it out
    for relations, share, texts in ((vocabulary().short, 0.5, False), (None, 1.0, True)):
        room = int(share * max(_LEAST, left))
        near = neighbourhood(
            connection.source, connection.graph, seeds,
            hops=1, budget=_WIDER * BUDGET, relations=relations, index=index, vector=vector,
        )  # fmt: skip
        for fault in near.faults:
            raise UnansweredError(fault)
        told = tuple(f"{one}/" for one in asked.things)
        # two papers of one thing have the same parts: those count that are asked about
        for one, fact in sorted(_facts(near), key=lambda f: not str(f[0].subject).startswith(told)):
            if (is_text(one.predicate) and not texts) or _body(fact) in said or _is_named(one):
                continue
            if one.tokens <= room:
                room -= one.tokens
                left -= one.tokens
                said.add(_body(fact))
                found.append(fact)
    return _number(found, connection)


def _is_named(one: Stated) -> bool:
    """Return whether the name of a part says a statement: chapter 3 of a book is part of it."""
    whole = isinstance(one.object, URIRef) and str(one.subject).startswith(f"{one.object}/")
    return whole or str(one.predicate) in vocabulary().numbers


def _body(fact: Fact) -> object:
    """Return what tells a fact from others: of a text its words, whatever has it."""
    triple = fact.triple
    if is_text(triple.predicate):
        return re.sub(r"\W+", " ", str(triple.object).casefold())
    return triple


def _facts(near: Neighbourhood) -> Iterable[tuple[Stated, Fact]]:
    for one in near.statements:
        subject, label = near.labels[one.subject], near.labels[one.predicate]
        value = one.text.removeprefix(f"{subject} | {label} | ")
        if is_text(one.predicate):
            value = re.sub(r"^\d+\s*\.\s+", "", value)
        elif value.endswith("."):
            value = value[:-1]
        triple = Triple(one.subject, one.predicate, one.object)
        yield one, Fact(one.subject, triple, sentence(subject, one.predicate, label, value))


def _number(facts: Iterable[Fact], connection: Connection) -> tuple[Ground, ...]:
    """Return what facts state by the thing they are read from, in their order, with its places."""
    by_thing: dict[URIRef, dict[str, Fact]] = {}
    for fact in facts:
        by_thing.setdefault(fact.thing, {}).setdefault(fact.text.casefold(), fact)
    places = _places(connection, by_thing)
    names = labels(connection.source, by_thing)
    return tuple(
        Ground(
            number,
            thing,
            names[thing],
            "\n".join(fact.text for fact in told.values()),
            tuple(told.values()),
            places.get(thing, ()),
        )
        for number, (thing, told) in enumerate(by_thing.items(), 1)
    )


def _places(connection: Connection, things: Iterable[URIRef]) -> dict[URIRef, tuple[Place, ...]]:
    rows = [(one,) for one in things]
    if not rows:
        return {}
    wholes = [(URIRef(one),) for one in vocabulary().wholes]
    query = Query(_RECORDS, {"things": rows, "wholes": wholes}, "things")
    answer = connection.graph.select(query)
    for fault in answer.faults.values():
        raise UnansweredError(fault)
    found: dict[URIRef, set[Place]] = {}
    for row in answer.rows:
        if isinstance(row["s"], URIRef):
            number = str(row["number"]) if "number" in row else "0"
            place = Place(
                str(row["file"]) if "file" in row else "",
                int(number) if number.isdecimal() else 0,
                str(row["record"]).removeprefix("urn:sha256:"),
            )
            found.setdefault(row["s"], set()).add(place)
    return {
        thing: tuple(sorted(some, key=lambda p: (p.file, p.number)))
        for thing, some in found.items()
    }


# ---------------------------------------------------------------- a language model


def prompt(question: str, grounds: Sequence[Ground]) -> Prompt:
    """Return what a model is asked: the question and the numbered records, as data."""
    texts = [(f"record {one.number}: {one.label}", one.text) for one in grounds]
    return Prompt("answer", _instructions(), (("question", question), *texts), _SCHEMA, 2048)


def _instructions() -> str:
    examples = " or ".join(f'"{one.example}"' for one in namings() if one.example)
    parts = [f"{one.part.word}s" for one in namings() if one.part]
    return _INSTRUCTIONS.format(
        examples=f", as in {examples}" if examples else ".", texts=" and ".join([*parts, "titles"])
    )


def check_answer(
    question: str,
    answer: Mapping[str, Any],
    grounds: Sequence[Ground],
    check: Check,
    *,
    by: str,
    traits: Mapping[str, Traits] | None = None,
) -> Response:
    """Return a model's answer with what the records say of each sentence.

    `traits` are those of the rules of the check, by id.
    """
    sentences = list(_sentences(answer))
    if not answer["held"] or not sentences:
        refusal = "the records do not hold the answer, as the language model has it"
        return Response(question, by, grounds=tuple(grounds), refusal=refusal)
    known = {one.number: one for one in grounds}
    numbers = {n for one in sentences for n in one.cites if n in known}
    contexts = [
        Document(f"record {n}: {known[n].label}", known[n].text, "txt") for n in sorted(numbers)
    ]
    text = _SPACE.join(one.text for one in sentences)
    report = check(Document("answer", text, "txt"), contexts)
    carrier = RecordSupport((one.thing, one.label, one.facts) for one in grounds)
    beside = _Beside(report, traits or {}, carrier, carrier.names(text), known)
    said = tuple(_said(one, beside) for one in sentences)
    refusal = ""
    if all(one.outcome is not Outcome.SUPPORTED for one in said):
        refusal = "no sentence of the answer is carried by the records"
    return Response(question, by, said, tuple(grounds), refusal, report)


#: What stands between two sentences of an answer in the text that is checked.
_SPACE = "\n\n"


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of an answer, the numbers that it cites, and where it begins in the answer."""

    text: str
    cites: tuple[int, ...]
    start: int


@dataclass(frozen=True, slots=True)
class _Beside:
    """An answer beside its records, by number: the report of its check, and what carries it.

    `traits` are those of rules by id, `names` the places of numbers and labels of things in it.
    """

    report: Report
    traits: Mapping[str, Traits]
    carrier: RecordSupport
    names: Sequence[tuple[int, int]]
    known: Mapping[int, Ground]


def _sentences(answer: Mapping[str, Any]) -> Iterable[_Sentence]:
    start = 0
    for one in answer["sentences"]:
        if text := " ".join(str(one["text"]).split()):
            yield _Sentence(text, tuple(dict.fromkeys(one["records"])), start)
            start += len(text) + len(_SPACE)


def _said(sentence: _Sentence, beside: _Beside) -> AnswerSentence:
    """Return a sentence with what the check says of it, and whether what it cites carries it."""
    known = beside.known
    cites = tuple(n for n in sentence.cites if n in known)
    own = [known[n].thing for n in cites]
    outcome, reason = _checked(
        beside.report,
        sentence.start,
        sentence.start + len(sentence.text),
        beside.names,
        beside.traits,
        dated=beside.carrier.dates(sentence.text, own),
    )
    if outcome is Outcome.SUPPORTED and (why := _lacks(sentence, beside, own)):
        outcome, reason = Outcome.NOT_ENOUGH_INFO, why
    return AnswerSentence(sentence.text, cites, outcome, reason)


def _lacks(sentence: _Sentence, beside: _Beside, own: Sequence[URIRef] | None) -> str:
    """Return why what a sentence cites, or may rest on, does not carry it; empty if it does."""
    carrier = beside.carrier
    if own is None:
        missing = carrier.unsupported_part(sentence.text)
        return f"the records do not state {missing}" if missing else ""
    if not sentence.cites:
        return "cites no record"
    if wrong := [n for n in sentence.cites if n not in beside.known]:
        return f"cites {', '.join(map(str, wrong))}, which it was not given"
    if missing := carrier.unsupported_part(sentence.text, own):
        there = "" if carrier.unsupported_part(sentence.text) else "; another record has it"
        return f"what it cites does not state {missing}{there}"
    return ""


def _checked(
    report: Report,
    start: int,
    end: int,
    names: Sequence[tuple[int, int]],
    traits: Mapping[str, Traits],
    *,
    dated: bool,
) -> tuple[Outcome, str]:
    """Return what the check says of the sentence at a place.

    `names` are the places of numbers and labels of things, `traits` those of rules by id; `dated`
    says that each day of the sentence is stated of the property that it speaks of.
    """
    own = [v for v in report.verdicts if start <= v.claim.span.start < end]
    carried = any(v.stage == "kb" and v.outcome is Outcome.SUPPORTED for v in own)
    doubt = ""
    for verdict in own:
        # the documents were written from the statements: where these carry it they prevail
        if carried and verdict.stage != "kb":
            continue
        compares = traits.get(verdict.reason, Traits()).compares
        if _misread(verdict.claim, compares, names, dated):
            continue
        if compares == "kind" and _of_the_other(verdict):
            continue
        if verdict.outcome in (Outcome.REFUTED, Outcome.CONFLICTING):
            told = next(
                (v.message for v in report.violations
                 if v.rule == verdict.reason and v.claim and v.claim.id == verdict.claim.id), "",
            )  # fmt: skip
            return Outcome.REFUTED, f"{verdict.reason}: {verdict.message or told}".rstrip(": ")
        if verdict.stage == "kb" and verdict.outcome is Outcome.NOT_ENOUGH_INFO:
            doubt = f"{verdict.reason}: {verdict.message}".rstrip(": ")
    for violation in report.violations:
        claim = violation.claim
        if (
            claim is not None
            and start <= claim.span.start < end
            and violation.severity is Severity.ERROR
            and violation.because
            and violation.traits.compares != "kind"
            and not _misread(claim, violation.traits.compares, names, dated)
        ):
            return Outcome.REFUTED, f"{violation.rule}: {violation.message}"
    if doubt and not carried:
        return Outcome.NOT_ENOUGH_INFO, doubt
    return Outcome.SUPPORTED, ""


def _misread(claim: Claim, compares: str, names: Sequence[tuple[int, int]], dated: bool) -> bool:
    """Return whether a difference in value is one of reading: figures of a name, or a day.

    The reader of documents takes figures of a name that has spaces in it for quantities, and a day
    for that of another property; statements have each under its own.
    """
    value = claim.parts[2]
    within = value is not None and any(a <= value.start and value.end <= b for a, b in names)
    return (compares == "quantity" and within) or (compares == "date" and dated)


def _of_the_other(verdict: Verdict) -> bool:
    """Return whether a wrong kind is that of another paper of one thing."""
    papers = {kind for naming in namings() for kind in naming.classes}
    return any(e.triple.object in papers for e in verdict.evidence)
