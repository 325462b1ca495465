"""An answer to a question about records: retrieved, grounded, said, and checked against its ground.

Without a language model the records answer themselves. With one, the model is given numbered
records and answers in sentences that cite them; the answer is then checked against those very
records, as documents and as statements, and a sentence that they refute or do not carry is left
out, with the reason (GROG answers from a neighbourhood of a graph; it does not check).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from rdflib.namespace import PROV
from rdflib.term import Literal, URIRef

from groundrules.claims.document import Document
from groundrules.config import Config
from groundrules.errors import ConfigError, SourceError
from groundrules.inquiry import open_sources
from groundrules.kb.connect import Connection
from groundrules.kb.files import StoreGraph
from groundrules.kb.neighbourhood import Neighbourhood, neighbourhood
from groundrules.kb.questions import (
    Asked,
    Fact,
    UnansweredError,
    is_text,
    kinds,
    labels,
    partners,
    read_question,
    sentence,
    state,
)
from groundrules.kb.records import DCTERMS, LX, SCHEMA
from groundrules.kb.relations import stem
from groundrules.kb.retrieve import Hit, TextIndex, open_texts
from groundrules.kb.source import Query
from groundrules.llm import Client, Prompt
from groundrules.terms import Outcome, Report, Severity, Triple

#: Below this cosine nothing that was retrieved bears on an open question, and from this share of
#: its words on a record carries a sentence; both measured on half of the questions, see
#: docs/records/ask.md.
BEARS, CARRIES = 0.45, 0.75
#: Passages that answer an open question.
PASSAGES = 3
#: Tokens of the neighbourhood.
BUDGET = 2000

_INSTRUCTIONS = """\
Answer the question with the records and with nothing else: each text after the question is a \
record, and begins with its number. Write short, complete sentences that name what they are about \
by its number, as in "US 9,800,001 was filed on December 10, 2015." Quote claims and titles word \
for word. Give with each sentence the numbers of the records that it rests on. If the records do \
not hold the answer, set "held" to false and give no sentences."""
_BARE = """\
Answer the question from what you know. Write short, complete sentences that name what they are \
about. If you do not know, set "held" to false and give no sentences."""
_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "held": {"type": "boolean"},
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "records": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["text", "records"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["held", "sentences"],
    "additionalProperties": False,
}
_RECORDS = f"""SELECT ?s ?record ?file ?number WHERE {{ VALUES ?s {{ $things }}
  {{ ?s <{PROV.wasDerivedFrom}> ?record }}
  UNION {{ ?s <{LX.partOf}> ?whole . ?whole <{PROV.wasDerivedFrom}> ?record }}
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
class Said:
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
    `report` is that of the check. `rivals` are the answers of others (`compare`). `times` are in
    seconds, by stage.
    """

    question: str
    by: str
    sentences: tuple[Said, ...] = ()
    grounds: tuple[Ground, ...] = ()
    refusal: str = ""
    report: Report | None = None
    rivals: tuple[Response, ...] = ()
    times: tuple[tuple[str, float], ...] = ()

    @property
    def kept(self) -> tuple[Said, ...]:
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
    rivals: Sequence[Client] = (),
    budget: int = BUDGET,
) -> Response:
    """Answer a question from the first knowledge base of a configuration.

    Raises:
        ConfigError: that is no store, or a setting is wrong.
        SourceError: the store or the index of its texts cannot be read.
        LLMError: the language model could not be asked.
    """
    clock = _Clock()
    connection, index = open_records(config, now)
    try:
        asked = read_question(question, index, connection.graph)
        clock.mark("retrieve")
        facts = state(asked, connection.source, connection.graph)
        clock.mark("statements")
        refusal = _unheld(asked, facts, model=client is not None)
        if refusal and not rivals:
            return Response(question, "records", refusal=refusal, times=clock.times())
        if client is None and not rivals:
            found = _extractive(question, asked, facts, connection)
            clock.mark("ground")
            return replace(found, times=clock.times())
        grounds = ground(question, asked, facts, connection, index, budget)
        clock.mark("ground")
    except UnansweredError as error:
        raise SourceError(f"could not be asked: {error}", path=config.kb[0]) from None
    response = Response(question, "records", refusal=refusal, times=clock.times())
    if not refusal and client is None:
        response = _extractive(question, asked, facts, connection)
    elif not refusal and client is not None:
        answer = client.ask(prompt(question, grounds))
        clock.mark("language model")
        response = judge(question, answer, grounds, check, by=client.name)
        clock.mark("check")
    others = tuple(
        judge(
            question, rival.ask(bare_prompt(question)), grounds, check, by=rival.name, cited=False
        )
        for rival in rivals
    )
    return replace(response, rivals=others, times=clock.times())


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


def _unheld(asked: Asked, facts: Sequence[Fact], *, model: bool) -> str:
    """Return why the records do not hold an answer, empty if they may.

    A `model` reads a question better than its wording tells, and may say so itself.
    """
    if asked.missing:
        several = " or ".join(dict.fromkeys(asked.missing))
        return f"the records hold nothing with the number {several}" if not several.startswith(
            "claim"
        ) else f"the records hold no {several} of what is named"  # fmt: skip
    if asked.things and asked.kind is not None and not facts and not model:
        return "the records do not say: what is named is there, but states nothing of that"
    if asked.things:
        return ""
    best = max((hit.similarity or 0.0 for hit in asked.hits), default=0.0)
    if best < BEARS:
        return "the records hold nothing that bears on the question"
    return ""


def _extractive(
    question: str, asked: Asked, facts: Sequence[Fact], connection: Connection
) -> Response:
    """Return the records themselves as an answer: statements, or the passages that fit best."""
    if not facts:
        hits = [hit for hit in asked.hits if not asked.things or hit.node in asked.things]
        hits = [h for h in hits if h.how == "identifier" or (h.similarity or 0.0) >= BEARS]
        facts = [_passage(hit) for hit in hits[:PASSAGES]]
    grounds = _number(facts, connection)
    numbers = {one.thing: one.number for one in grounds}
    said = tuple(Said(fact.text, (numbers[fact.thing],)) for fact in facts)
    return Response(question, "records", said, grounds)


def _passage(hit: Hit) -> Fact:
    predicate = URIRef(hit.predicate or DCTERMS.title)
    text = f"{hit.title}: “{hit.text}”" if hit.title and hit.text else hit.text or hit.title
    return Fact(hit.node, Triple(hit.node, predicate, Literal(hit.text or hit.title)), text)


def ground(
    question: str,
    asked: Asked,
    facts: Sequence[Fact],
    connection: Connection,
    index: TextIndex,
    budget: int = BUDGET,
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
    # what is stated of a thing itself is short, and long claims must not crowd it out
    for relations, share in (((), 0.25), (None, 1.0)):
        left = max(200, budget - sum(len(fact.text) // 4 for fact in found))
        near = neighbourhood(
            connection.source, connection.graph, seeds,
            hops=1, budget=int(share * left), relations=relations, index=index, vector=vector,
        )  # fmt: skip
        for fault in near.faults:
            raise UnansweredError(fault)
        found += _facts(near)
    return _number(found, connection)


def _facts(near: Neighbourhood) -> Iterable[Fact]:
    for one in near.statements:
        subject, label, value = one.text.split(" | ", 2)
        if is_text(one.predicate):
            value = re.sub(r"^\d+\s*\.\s+", "", value)
        elif value.endswith("."):
            value = value[:-1]
        triple = Triple(one.subject, one.predicate, one.object)
        yield Fact(one.subject, triple, sentence(subject, one.predicate, label, value))


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
    answer = connection.graph.select(Query(_RECORDS, {"things": rows}, "things"))
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
    return Prompt("answer", _INSTRUCTIONS, (("question", question), *texts), _SCHEMA, 2048)


def bare_prompt(question: str) -> Prompt:
    """Return what a model is asked that is given no records."""
    return Prompt("answer without records", _BARE, (("question", question),), _SCHEMA, 2048)


def judge(
    question: str,
    answer: Mapping[str, Any],
    grounds: Sequence[Ground],
    check: Check,
    *,
    by: str,
    cited: bool = True,
) -> Response:
    """Return a model's answer with what the records say of each sentence.

    `cited` is False where it was given no records: then all of them may carry a sentence.
    """
    given = [
        (" ".join(str(one["text"]).split()), tuple(dict.fromkeys(one["records"])))
        for one in answer["sentences"]
    ]
    given = [(text, numbers) for text, numbers in given if text]
    if not answer["held"] or not given:
        refusal = "the records do not hold the answer, as the language model has it"
        return Response(question, by, grounds=tuple(grounds), refusal=refusal)
    known = {one.number: one for one in grounds}
    everything = _Carrier(grounds)
    text, spans = "", []
    for words, _ in given:
        text += "\n\n" if text else ""
        spans.append((len(text), len(text) + len(words)))
        text += words
    used = {n for _, numbers in given for n in numbers if n in known} if cited else set(known)
    contexts = [
        Document(f"record {n}: {known[n].label}", known[n].text, "txt") for n in sorted(used)
    ]
    report = check(Document("answer", text, "txt"), contexts)
    said = []
    for (words, numbers), (start, end) in zip(given, spans, strict=True):
        outcome, reason = _checked(report, start, end)
        if cited and outcome is Outcome.SUPPORTED:
            wrong = [n for n in numbers if n not in known]
            own = [known[n] for n in numbers if n in known]
            if not numbers:
                outcome, reason = Outcome.NOT_ENOUGH_INFO, "cites no record"
            elif wrong:
                listed = ", ".join(map(str, wrong))
                outcome, reason = Outcome.NOT_ENOUGH_INFO, f"cites {listed}, which it was not given"
            elif missing := _Carrier(own).lacks(words):
                there = "" if everything.lacks(words) else "; another record has it"
                outcome = Outcome.NOT_ENOUGH_INFO
                reason = f"what it cites does not have {missing}{there}"
        elif outcome is Outcome.SUPPORTED and (missing := everything.lacks(words)):
            outcome, reason = Outcome.NOT_ENOUGH_INFO, f"the records do not have {missing}"
        said.append(Said(words, tuple(n for n in numbers if n in known), outcome, reason))
    refusal = ""
    if all(one.outcome is not Outcome.SUPPORTED for one in said):
        refusal = "no sentence of the answer is carried by the records"
    return Response(question, by, tuple(said), tuple(grounds), refusal, report)


def _checked(report: Report, start: int, end: int) -> tuple[Outcome, str]:
    """Return what the check says of the sentence at a place."""
    own = [v for v in report.verdicts if start <= v.claim.span.start < end]
    carried = any(v.stage == "kb" and v.outcome is Outcome.SUPPORTED for v in own)
    doubt = ""
    for verdict in own:
        # the documents were written from the statements: where these carry it they prevail
        if carried and verdict.stage != "kb":
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
        ):
            return Outcome.REFUTED, f"{violation.rule}: {violation.message}"
    if doubt and not carried:
        return Outcome.NOT_ENOUGH_INFO, doubt
    return Outcome.SUPPORTED, ""


# ---------------------------------------------------------------- what a citation carries

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sep sept", "october oct", "november nov", "december dec"), 1
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\.?,?\s+(\d{{4}})\b",
                        re.I)  # fmt: skip
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.I)
_OF_CLAIM = re.compile(r"\bclaims?\s+(\d{1,3})(?:\s+of)?\b", re.I)
_FIGURES = re.compile(r"(?<![\w@#])(?:US|RE|PP|D)?\s?(\d[\d,/.]*\d|\d)(?:\s?[AB]\d\b)?")
_NUMBERS = {
    name: str(number)
    for number, name in enumerate("one two three four five six seven eight nine ten".split(), 1)
}
#: Words that say what a sentence says of a record, not what a record has.
_PLAIN = frozenset(
    stem(word)
    for word in "when who what which by on of to is was day date for from in are have they how go "
    "back far list make people whose whos until hold forc".split()
)
_FRAME = frozenset(
    stem(word)
    for word in (
        "a an the of in on at to by for from with and or as is are was were be been has have had "
        "it its this that these those which who whom whose patent patents application document "
        "u s us "
        "no number claim claims claimed invention inventor inventors invented made named lists "
        "listed states state reads read says recites covers title titled called entitled abstract "
        "applicant applied assignee assigned owned filed filing date day granted grant issued "
        "issue published publication priority cites cited citing citation references refers "
        "depends "
        "depend dependent independent records record according first second third also other "
        "people person company names are their there one only any not does do directed concerns "
        "relates begins following wording text mr ms under were against among contains contain "
        "comprises includes include goes go going back became become becomes resulted results "
        "result took take takes place office uspto led leads lead came come comes gave give gives "
        "bears bear enjoys enjoy serves serve rests rest relies rely relying said saying quote "
        "quoted quotes credited credits credit behind underlies underlying originated originates "
        "originate arose stems ties tied belongs belong submitted received receives obtained "
        "lodged appeared appears appear dated dates date since until begun began ended ends set "
        "total altogether whole full exactly namely respectively both each all several following "
        "about known bearing under described describes shown shows show found finds given "
        "set provides provided provide mentions mentioned mention points point pointing "
        "parent child based base builds build upon out into up down over between through during "
        "after before earlier later then when where while also furthermore moreover thus"
    ).split()
)


#: Properties whose values are mistaken for each other: days, and people and firms.
_ALIKE = (
    (LX.filingDate, LX.grantDate, LX.publicationDate, LX.priorityDate, LX.expirationDate),
    (LX.hasInventor, LX.hasApplicant, LX.hasAssignee),
)
_CITING = re.compile(
    r"\b(?P<passive>(?:is|are|was|were|been|being)\s+(?:also\s+)?"
    r"(?:cited|referenced|referred to|mentioned)|(?:cited|referenced|referred to)\s+(?:by|in))\b"
    r"|\b(?:cites?|cited|citing|references?|refers? to|referred to|relies on|rely on|mentions?)\b",
    re.I,
)


_DEPENDING = re.compile(
    r"\b(?:depends?|dependent|dependency|builds? (?:up)?on|refers? back)\b(?P<passive>)?", re.I
)


@cache
def _worded() -> Mapping[URIRef, frozenset[str]]:
    """Return the words by which a sentence speaks of one of the properties that are alike."""
    out: dict[URIRef, frozenset[str]] = {}
    for group in _ALIKE:
        told = {
            one.property: frozenset().union(*(_tokens(ask)[1] for ask in (*one.asks, one.says)))
            for one in kinds()
            if one.property in group and not one.back
        }
        for one, words in told.items():
            others = (w for other, w in told.items() if other != one)
            out[one] = words.difference(*others) - _PLAIN
    return out


class _Carrier:
    """What records have: the numbers, days and words that sentences are held against."""

    def __init__(self, grounds: Sequence[Ground]) -> None:
        self._facts = [fact for one in grounds for fact in one.facts]
        self._marks = set[str]()
        self._words = set[str]()
        self._text = _squashed("\n".join(one.text for one in grounds))
        self._by_property: dict[URIRef, set[str]] = {}
        self._cites = set[tuple[str, str]]()
        self._depends = set[tuple[str, str]]()
        for one in grounds:
            marks, words = _tokens(f"{one.label}\n{one.text}")
            self._marks |= marks
            self._words |= words
        for fact in self._facts:
            predicate = fact.triple.predicate
            if predicate == LX.cites:
                self._cites.add((_ending(fact.triple.subject), _ending(fact.triple.object)))
            if predicate in (LX.dependsOnClaim, LX.refersToClaim):
                self._depends.add((_ending(fact.triple.subject), _ending(fact.triple.object)))
            if any(predicate in group for group in _ALIKE) and isinstance(predicate, URIRef):
                # a value is said after or before the thing, whose number no day or name has
                marks, words = _tokens(fact.text)
                named = {stem(one.casefold()) for one in _names(f". {fact.text}")}
                held = {m for m in marks if m.startswith("@")} | (named & words)
                self._by_property.setdefault(predicate, set()).update(held)

    def lacks(self, sentence: str) -> str:
        """Return what of a sentence the records do not have, empty if they carry it."""
        marks, words = _tokens(sentence)
        if missing := sorted(marks - self._marks):
            return ", ".join(f"“{_spelled(one)}”" for one in missing[:4])
        for quote in _quotes(sentence):
            if _squashed(quote) not in self._text:
                return f"these words: “{quote[:60]}{'…' if len(quote) > 60 else ''}”"
        if other := self._misplaced(sentence, marks, words):
            return other
        told = {one for one in words if one not in _FRAME}
        gone = sorted(told - self._words)
        named = {stem(one.casefold()) for one in _names(sentence)}
        if strange := sorted(named & set(gone)):
            return ", ".join(f"“{one}”" for one in strange[:4])
        if told and len(told) - len(gone) < CARRIES * len(told):
            return ", ".join(f"“{one}”" for one in gone[:4])
        return ""

    def _misplaced(self, sentence: str, marks: set[str], words: set[str]) -> str:
        """Return what a sentence says of another property or the wrong way round, else nothing."""
        spoken = {one for one, told in _worded().items() if told & words}
        values = {m for m in marks if m.startswith("@")}
        values |= {stem(one.casefold()) for one in _names(f". {sentence}")}
        for group in _ALIKE:
            meant = spoken & set(group)
            own = set().union(*(self._by_property.get(one, set()) for one in meant))
            every = set().union(*(self._by_property.get(one, set()) for one in group))
            if meant and (wrong := sorted(values & every - own)):
                return ", ".join(f"“{_spelled(one)}”" for one in wrong) + " for that"
        for s, o in _citations(sentence) if self._cites else ():
            if (s, o) not in self._cites and (o, s) in self._cites:
                return f"that {s} cites {o}, but that {o} cites {s}"
        for s, o in _dependencies(sentence) if self._depends else ():
            if (s, o) not in self._depends:
                return f"that claim {s} depends on claim {o}"
        return ""


def _squashed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _quotes(sentence: str) -> Iterable[str]:
    """Yield what a sentence quotes, of at least three words; what it leaves out parts a quote."""
    for match in re.finditer(r"“([^”]+)”|\"([^\"]+)\"", sentence):
        for part in re.split(r"…|\.{3}|\[[^\]]*\]", match[1] or match[2]):
            if len(part.split()) >= 3:
                yield part.strip()


def _ending(node: object) -> str:
    return re.sub(r"\D", "", str(node).rpartition("/")[2])


def _citations(sentence: str) -> list[tuple[str, str]]:
    """Return the documents of which a sentence says that one cites the other."""
    return _directed(
        sentence,
        _CITING,
        lambda part: [re.sub(r"[,/.]", "", m[1]) for m in _FIGURES.finditer(part) if len(m[1]) > 5],
    )


def _dependencies(sentence: str) -> list[tuple[str, str]]:
    """Return the claims of which a sentence says that one depends on the other."""
    plain = re.sub(r"“[^”]*”|\"[^\"]*\"", " ", sentence)
    return _directed(plain, _DEPENDING, _OF_CLAIM.findall)


def _directed(
    sentence: str, verb: re.Pattern[str], find: Callable[[str], list[str]]
) -> list[tuple[str, str]]:
    """Return the pairs that a sentence relates by a verb, which may be passive."""
    found = verb.search(sentence)
    if found is None:
        return []
    passive = found["passive"]
    before, after = find(sentence[: found.start()]), find(sentence[found.end() :])
    if not before:
        # "the patents that cite US 9,800,001 are …", "among those cited by US 9,800,001 are …"
        before, after = after[1:], after[:1]
    elif not after:
        # "in US 9,800,001, US 4,580,670 is cited", "what US 9,800,001 cites is …"
        before, after = (before[1:], before[:1]) if passive else (before[-1:], before[:-1])
    if passive:
        before, after = after, before
    return [(s, o) for s in before for o in after]


def _names(text: str) -> Iterable[str]:
    """Yield the words of a sentence that are names, as capitals show that begin no sentence."""
    for match in re.finditer(r"(?<![.:“\"]\s)(?<![“\"])(?<=\s)([A-Z][^\W\d_]+)", text):
        yield match[1]


def _spelled(mark: str) -> str:
    return mark.replace("claim#", "claim ").removeprefix("@")


def _tokens(text: str) -> tuple[set[str], set[str]]:
    """Return the marks of a text (days, numbers, claims by number) and the stems of its words."""
    marks: set[str] = set()

    def day(match: re.Match[str], year: int, month: int, number: int) -> str:
        name = match[month].lower()
        marks.add(f"@{match[year]}-{int(_MONTHS.get(name, name)):02}-{int(match[number]):02}")
        return " "

    text = _ISO.sub(lambda m: day(m, 1, 2, 3), text)
    text = _DAY_FIRST.sub(lambda m: day(m, 3, 2, 1), text)
    text = _MONTH_FIRST.sub(lambda m: day(m, 3, 1, 2), text)
    for match in _OF_CLAIM.finditer(text):
        marks.add(f"claim#{match[1]}")
    text = _OF_CLAIM.sub(" ", text)
    for match in _FIGURES.finditer(text):
        marks.add(re.sub(r"[,/.]", "", match[1]))
    text = _FIGURES.sub(" ", text)
    words = re.findall(r"[^\W\d_]+", text)
    return marks, {stem(word.casefold()) for word in words if len(word) > 1}


class _Clock:
    """Seconds between marks."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._times: dict[str, float] = {}

    def mark(self, name: str) -> None:
        """Charge the time since the last mark to a stage."""
        now = time.perf_counter()
        self._times[name] = now - self._last
        self._last = now

    def times(self) -> tuple[tuple[str, float], ...]:
        """Return the stages in order."""
        return tuple(self._times.items())
