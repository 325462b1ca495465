"""Sentences that our own reading left open, read by a language model for a knowledge base.

The sentences of a handful, and controls among them, are one question (`kb/read/llm_claims.py`).
Where a control is read amiss nothing of the answer counts. What counts of the rest
(`kb/read/llm_slots.py`) is put to the base as our own readings are, and takes their place only in
sentences that it settles.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from rdflib.term import URIRef

from groundrules.checks import kb
from groundrules.checks.extractions import parsed
from groundrules.checks.plan import Plan
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.facts.parsed import Word
from groundrules.errors import LLMError
from groundrules.kb.link.shortlists import further, vocabulary
from groundrules.kb.read.described import names_in, spots
from groundrules.kb.read.llm_claims import Item, question_on
from groundrules.kb.read.llm_controls import Control, controls_of, is_amiss, shuffled
from groundrules.kb.read.llm_slots import SentenceRead, read_sentence
from groundrules.kb.read.propositions import sentence_of, starting_in
from groundrules.kb.read.relational import Relational, Sentence
from groundrules.kb.sources.source import Property
from groundrules.llm.prompt import Prompt
from groundrules.terms import Claim, Outcome, Span

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: What tells nothing of a property: words in capitals and figures.
_NAMES = re.compile(r"\b(?:[A-Z]|\d)[\w.,’'-]*")
#: Sentences of one question, whose answer has some hundred words for each, and how many are shown
#: before one.
_HANDFUL, _BEFORE = 4, 2


@dataclass(frozen=True, slots=True)
class Handful:
    """A question on some sentences; `asked` has, in its order, the number of one or a control.

    `shown` are the properties that the question names.
    """

    prompt: Prompt
    asked: tuple[int | Control, ...]
    shown: tuple[Property, ...]


@dataclass(frozen=True, slots=True)
class ClaimsRead:
    """What a model has read of a text for its knowledge bases.

    `said` has by source and number what settles a sentence, `by` who has read which slots of it;
    `outcomes` what comes of it; `notes` tell what was dropped, `unasked` what was not read, and
    why.
    """

    said: Mapping[URIRef, Mapping[int, tuple[Relational, ...]]] = field(default_factory=dict)
    by: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    outcomes: Mapping[int, Outcome] = field(default_factory=dict)


def read_claims(text: Extraction, numbers: Sequence[int], plan: Plan, client: Client) -> ClaimsRead:
    """Return what a model reads in some sentences, of those that this settles.

    A source that cannot be asked is asked about nothing.
    """
    sources = [
        one
        for one in kb.open_sources(plan.config, plan.now, plan.axioms)
        if one.connection.fault is None
    ]
    spotted = [spots(text, source.connection.spot) for source in sources]
    questions = [
        (base, one)
        for base, source in enumerate(sources)
        for one in handfuls(text, numbers, source, spotted[base])
    ]
    answers = client.ask_all([one.prompt for _, one in questions])
    parse = parsed(text.document, plan.config.model).words
    named: dict[int, Named] = {}
    found: dict[URIRef, dict[int, SentenceRead]] = defaultdict(dict)
    faults: list[str] = []
    #: Which sentences are not read, by the cause; one of them counts once, whatever the bases.
    missed: dict[str, set[int]] = defaultdict(set)
    if numbers and len({base for base, _ in questions}) < len(sources):
        missed["no control can be made for a base of no property that a text can say"] |= {*numbers}
    for (base, handful), answer in zip(questions, answers, strict=True):
        source = sources[base]
        own = {one for one in handful.asked if isinstance(one, int)}
        if isinstance(answer, LLMError):
            missed[answer.cause] |= own
            continue
        wrong = [*amiss(handful, answer)]
        faults += (f"a control was read amiss: “{one.text}”" for one in wrong)
        if wrong:
            missed["a control of the same question was read amiss"] |= own
            continue
        if base not in named:
            named[base] = Named(text, spotted[base], source)
        found[source.iri] |= read_answer(named[base], handful, answer, parse)
    every = [one for reads in found.values() for one in reads.values()]
    said = {
        iri: {number: one.said for number, one in reads.items() if one.said}
        for iri, reads in found.items()
    }
    settled = kb.settled(text, plan, said) if any(said.values()) else {}
    slots: dict[int, dict[str, None]] = defaultdict(dict)
    for reads in found.values():
        for number in settled.keys() & reads.keys():
            slots[number] |= dict.fromkeys(reads[number].slots)
    return ClaimsRead(
        {
            iri: {number: one for number, one in reads.items() if number in settled}
            for iri, reads in said.items()
        },
        {number: f"{client.name} (slots: {', '.join(told)})" for number, told in slots.items()},
        (*faults, *_notes(every)),
        tuple(
            f"language model {client.name} has not read {_counted(len(some))} for knowledge "
            f"bases: {why}"
            for why, some in missed.items()
        ),
        settled,
    )


def handfuls(
    text: Extraction, numbers: Sequence[int], source: kb.Opened, spotted: Sequence[Span]
) -> Iterator[Handful]:
    """Yield the questions on some sentences of a text; none where there can be no control.

    `spotted` are the places of names of the base.
    """
    whole = text.document.text
    known, spotted = vocabulary(source.relations), sorted(spotted)
    for at in range(0, len(numbers), _HANDFUL):
        chosen = numbers[at : at + _HANDFUL]
        spans = [text.sentences[n] for n in chosen]
        said = [whole[span.start : span.end] for span in spans]
        names = [
            whole[name.start : name.end]
            for span in sorted(spans)
            for name in starting_in(spotted, span, attrgetter("start"))
            if name.end <= span.end
        ]
        controls = controls_of(said, names, known)
        if not controls:
            return
        asked: list[int | Control] = [*chosen, *controls]
        asked = [asked[n] for n in shuffled(len(asked), said)]
        items = [Item(one.text) if isinstance(one, Control) else _item(text, one) for one in asked]
        near = further(source.relations, [_NAMES.sub(" ", one) for one in said], known)
        yield Handful(question_on(items, known, near), tuple(asked), (*known, *near))


def _item(text: Extraction, number: int) -> Item:
    whole, sentences = text.document.text, text.sentences
    before = sentences[max(0, number - _BEFORE) : number]
    span = sentences[number]
    said = whole[span.start : span.end]
    return Item(said, whole[before[0].start : before[-1].end] if before else "")


def amiss(handful: Handful, answer: Mapping[str, Any]) -> Iterator[Control]:
    """Yield the controls of a question that an answer reads amiss, or not at all."""
    rows = _rows(answer)
    for number, one in enumerate(handful.asked, 1):
        if isinstance(one, Control) and is_amiss(one, rows.get(number)):
            yield one


class Named:
    """A text with the names in it that a base may have, by the sentence."""

    def __init__(self, text: Extraction, spotted: Sequence[Span], source: kb.Opened) -> None:
        self.text, self.relations = text, source.relations
        names, described = names_in(text, spotted, source.relations)
        self.names = sorted(set(names))
        self.known = sorted({*spotted, *described})
        self.longest = max((one.end - one.start for one in self.known), default=0)
        self.claims: dict[int, list[Claim]] = defaultdict(list)
        for claim in text.claims:
            self.claims[claim.sentence].append(claim)

    def sentence(self, number: int) -> Sentence:
        """Return a sentence of the text with its names."""
        place = self.text.sentences[number]
        before = replace(place, start=max(0, place.start - self.longest))
        return sentence_of(
            self.text,
            number,
            starting_in(self.names, place, attrgetter("start")),
            self.relations,
            {*starting_in(self.known, before, attrgetter("start"))},
            self.claims.get(number, ()),
        )


def read_answer(
    named: Named, handful: Handful, answer: Mapping[str, Any], parse: Sequence[Word]
) -> dict[int, SentenceRead]:
    """Return what counts of an answer, by the number of the sentence."""
    rows = _rows(answer)
    return {
        one: read_sentence(rows[number], named.sentence(one), handful.shown, parse=parse)
        for number, one in enumerate(handful.asked, 1)
        if isinstance(one, int) and number in rows
    }


def _rows(answer: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """Return what an answer says of each sentence, of one that it gives twice the first."""
    rows: dict[int, Mapping[str, Any]] = {}
    for row in answer["sentences"]:
        rows.setdefault(row["number"], row)
    return rows


def _counted(count: int) -> str:
    return f"{count:,} sentence{'s' * (count != 1)}"


def _notes(found: Sequence[SentenceRead]) -> Iterator[str]:
    """Yield what the report has to say of what was dropped."""
    dropped: Counter[str] = Counter()
    for one in found:
        dropped.update(one.dropped)
    if count := sum(dropped.values()):
        given = sum(one.given for one in found)
        why = ", ".join(f"{number} {reason}" for reason, number in dropped.items())
        yield (
            f"of {given:,} readings of claims by the language model, parts were dropped {count:,} "
            f"times: {why}"
        )
