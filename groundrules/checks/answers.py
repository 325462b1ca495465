"""An answer to a question about records: retrieved, grounded, said, and checked against its ground.

Without a language model the records answer themselves. With one, the model is given numbered
records and answers in sentences that cite them; each is then checked like any text, with what it
cites as the source, and one that is not supported is left out, with the reason (GROG answers from a
neighbourhood of a graph; it does not check).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from rdflib.term import URIRef

from groundrules.checks.clock import Clock
from groundrules.checks.kb import open_sources
from groundrules.claims.documents.document import Document
from groundrules.claims.models.llm_prompts import record
from groundrules.config import Config
from groundrules.dataset import TripleStore
from groundrules.errors import ConfigError
from groundrules.kb.records.questions import (
    Asked,
    Fact,
    is_text,
    labels,
    namings,
    partners,
    read_question,
    said_of,
    shown_text,
    state,
    wordings,
)
from groundrules.kb.search.neighbourhood import (
    Neighbourhood,
    Place,
    Stated,
    check_answered,
    neighbourhood,
    places_of,
)
from groundrules.kb.search.retrieval import TextIndex, open_texts
from groundrules.kb.search.texts import vocabulary
from groundrules.kb.sources.connect import Connection
from groundrules.kb.sources.triplestore import StoreGraph
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
from groundrules.terms import Outcome, Report, Severity, Triple

#: Below this cosine nothing that was retrieved bears on an open question; measured on half of the
#: questions, see benchmarks/reports/questions.md.
BEARS = 0.45
_UNSAID = "the records do not say: what is named is there, but states nothing of that"
_UNREAD = (
    "without a language model records answer the kinds of questions of their domain, asked of a "
    "number or name, and this is none; groundrules kb near finds what is like it"
)
#: Tokens of the neighbourhood, at least so many beside what answers, however long that is; and how
#: much more is read, for there are texts that repeat others.
BUDGET, _LEAST, _WIDER = 2000, 800, 3

_INSTRUCTIONS = """\
Answer the question with the records and with nothing else: each text after the question is a \
record, and begins with its number. Write short, complete sentences in the words of the records, \
which name what they are about by its number{examples} Quote {texts} word for word. Give with each \
sentence the numbers of the records that it rests on. If the records do not hold the answer, set \
"held" to false and give no sentences."""
#: What only says that the records say it.
_SOURCED = re.compile(r"(?i)\Aaccording to the records?, ")
_SENTENCE = record(
    {"text": {"type": "string"}, "records": {"type": "array", "items": {"type": "integer"}}}
)
_SCHEMA: Mapping[str, object] = record(
    {"held": {"type": "boolean"}, "sentences": {"type": "array", "items": _SENTENCE}}
)


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

    `outcome` is that of its check beside what it cites, whose `report` is None where it cites
    nothing or what it was not given.
    """

    text: str
    cites: tuple[int, ...]
    outcome: Outcome = Outcome.SUPPORTED
    reason: str = ""
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: its sentences and the records it was given.

    `refusal` says why there is none; `by` who answered: "records", or the name of the model.
    `times` are in seconds, by stage.
    """

    question: str
    by: str
    sentences: tuple[AnswerSentence, ...] = ()
    grounds: tuple[Ground, ...] = ()
    refusal: str = ""
    times: tuple[tuple[str, float], ...] = ()

    @property
    def kept(self) -> tuple[AnswerSentence, ...]:
        """The sentences that the records support: the answer."""
        return tuple(one for one in self.sentences if one.outcome is Outcome.SUPPORTED)

    @property
    def exit_code(self) -> int:
        """0 for an answer, 1 where there is none or a sentence was left out."""
        return 1 if self.refusal or len(self.kept) < len(self.sentences) else 0


#: Checks a text against documents: what `api.check` does under a configuration.
Check = Callable[[Document, Sequence[Document]], Report]


def respond(
    question: str,
    config: Config,
    *,
    now: datetime,
    check: Check,
    client: Client | None = None,
) -> Response:
    """Answer a question from the first knowledge base of a configuration.

    Raises:
        ConfigError: that is no store, or a setting is wrong.
        SourceError: the store or the index of its texts cannot be read.
        LLMError: the language model could not be asked.
    """
    clock = Clock()
    connection, index = open_records(config, now)
    asked = read_question(question, index, _store(connection))
    clock.mark("retrieve")
    facts = state(asked, connection.source, _store(connection))
    clock.mark("statements")
    if refusal := _unheld(asked, model=client is not None):
        return Response(question, "records", refusal=refusal, times=tuple(clock.stages))
    if client is None:
        found = _extractive(question, asked, facts, connection)
        clock.mark("ground")
        return replace(found, times=tuple(clock.stages))
    grounds = ground(question, asked, facts, connection, index)
    clock.mark("ground")
    answer = client.ask(prompt(question, grounds))
    clock.mark("language model")
    response = check_answer(question, answer, grounds, check, by=client.name)
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


def _store(connection: Connection) -> TripleStore:
    assert isinstance(connection.graph, StoreGraph)  # as opened
    return connection.graph.store


def _unheld(asked: Asked, *, model: bool) -> str:
    """Return why the records do not hold an answer, empty if they may.

    A `model` reads a question better than its wording tells, and may say so itself.
    """
    if asked.missing:
        several = " or ".join(dict.fromkeys(asked.missing))
        if several.startswith(tuple(one.part.word for one in namings() if one.part)):
            return f"the records hold no {several} of what is named"
        return f"the records hold nothing with the number {several}"
    if asked.things or not model:
        return ""
    best = max((hit.similarity or 0.0 for hit in asked.hits), default=0.0)
    return "" if best >= BEARS else "the records hold nothing that bears on the question"


def _extractive(
    question: str, asked: Asked, facts: Sequence[Fact], connection: Connection
) -> Response:
    """Return the records themselves as an answer: what they state of the kind asked for."""
    if not facts:
        return Response(question, "records", refusal=_UNSAID if asked.things else _UNREAD)
    grounds = _number(facts, connection)
    numbers = {one.thing: one.number for one in grounds}
    said = tuple(AnswerSentence(fact.text, (numbers[fact.thing],)) for fact in facts)
    return Response(question, "records", said, grounds)


def ground(
    question: str, asked: Asked, facts: Sequence[Fact], connection: Connection, index: TextIndex
) -> tuple[Ground, ...]:
    """Return the numbered records that a model may answer from: what answers, then what is near."""
    seeds = asked.things or tuple(dict.fromkeys(hit.node for hit in asked.hits))
    if asked.things:
        seeds = (*seeds, *partners(_store(connection), seeds))
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
        check_answered(near, connection.graph.name)
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
        value = shown_text(value) if is_text(one.predicate) else value.removesuffix(".")
        triple = Triple(one.subject, one.predicate, one.object)
        said = (("X", subject), ("Y", value))
        yield one, Fact(one.subject, triple, said_of(one.predicate, label), said)


def _number(facts: Iterable[Fact], connection: Connection) -> tuple[Ground, ...]:
    """Return what facts state by the thing they are read from, in their order, with its places."""
    by_thing: dict[URIRef, dict[str, Fact]] = {}
    for fact in facts:
        by_thing.setdefault(fact.thing, {}).setdefault(fact.text.casefold(), fact)
    places = places_of(connection.graph, by_thing)
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
    question: str, answer: Mapping[str, Any], grounds: Sequence[Ground], check: Check, *, by: str
) -> Response:
    """Return a model's answer with what the records that it cites say of each sentence."""
    told = [(" ".join(str(one["text"]).split()), one["records"]) for one in answer["sentences"]]
    known = {one.number: one for one in grounds}
    said = [_said(text, tuple(dict.fromkeys(cites)), known, check) for text, cites in told if text]
    refusal = ""
    if not answer["held"] or not said:
        refusal, said = "the records do not hold the answer, as the language model has it", []
    elif all(one.outcome is not Outcome.SUPPORTED for one in said):
        refusal = "no sentence of the answer is carried by the records"
    return Response(question, by, tuple(said), tuple(grounds), refusal)


def _said(
    text: str, cites: Sequence[int], known: Mapping[int, Ground], check: Check
) -> AnswerSentence:
    """Return a sentence with what a check finds of it beside what it cites."""
    own = tuple(known[n] for n in cites if n in known)
    told = partial(AnswerSentence, text, tuple(one.number for one in own))
    if not cites:
        return told(Outcome.NOT_ENOUGH_INFO, "cites no record")
    if wrong := ", ".join(str(n) for n in cites if n not in known):
        return told(Outcome.NOT_ENOUGH_INFO, f"cites {wrong}, which it was not given")
    stated = "\n\n".join(wordings(fact for one in own for fact in one.facts))
    bare = Document("answer", _SOURCED.sub("", text), "txt")
    report = check(bare, [Document("records", stated, "txt")])
    outcomes = {one.outcome for one in report.statements}
    if outcomes == {Outcome.SUPPORTED}:
        return told(report=report)
    found = next((v for v in report.violations if v.severity is Severity.ERROR), None)
    outcome = Outcome.REFUTED if Outcome.REFUTED in outcomes else Outcome.NOT_ENOUGH_INFO
    reason = f"{found.rule}: {found.message}" if found else "what it cites does not state it"
    return told(outcome, reason, report)


def encode(response: Response) -> str:
    """Return an answer as JSON."""
    cited = {number for said in response.sentences for number in said.cites}
    sentences = [
        {"text": one.text, "records": list(one.cites), "outcome": one.outcome.value,
         "reason": one.reason or None}
        for one in response.sentences
    ]  # fmt: skip
    records = [
        {"number": one.number, "iri": one.thing, "label": one.label, "text": one.text,
         "places": [{"file": place.file, "record": place.number, "sha256": place.digest}
                    for place in one.places]}
        for one in response.grounds if one.number in cited
    ]  # fmt: skip
    data: dict[str, Any] = {
        "schema": 1, "question": response.question, "by": response.by,
        "answer": " ".join(said.text for said in response.kept) or None,
        "refusal": response.refusal or None, "sentences": sentences, "records": records,
        "times": {name: round(seconds, 4) for name, seconds in response.times},
    }  # fmt: skip
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
