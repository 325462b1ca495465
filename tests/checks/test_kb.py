"""Batch put to sources, and what the rules make of the answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import Literal, Node, URIRef

from groundrules import Config, ConfigError, check
from groundrules.checks.judge import Rules
from groundrules.checks.kb import DOCUMENTS, BaseAnswers, Batch, Decision, _heard, decide
from groundrules.checks.merge import merge
from groundrules.kb.read.answers import Alternatives, Answers, ask
from groundrules.kb.read.comparisons import Question, unexpressed
from groundrules.kb.read.knowledge import Readings
from groundrules.kb.read.values import claimed_value
from groundrules.kb.sources.source import Facts, Fault, Pair, Property, Statement, Status
from groundrules.rules.packs import load_packs
from groundrules.terms import Claim, Outcome, Ruling, Severity, Span, Triple, Verdict

E = "https://example.org/"
ADA, ADA2, PARIS, PARIS2, ROME = (URIRef(E + n) for n in ("ada", "ada2", "paris", "paris2", "rome"))
BORN, WORKS = URIRef(E + "born"), URIRef(E + "works")
KB, KB2, TEXT = URIRef(E + "kb"), URIRef(E + "kb2"), URIRef("urn:text")
ONE = Property(BORN, "born in", functional="strict")
MANY = Property(WORKS, "works in")
RULES = Rules(tuple(rule for pack in load_packs(("kb",)) for rule in pack.rules))
WORDS = Claim(
    URIRef("urn:words"), Triple(URIRef("urn:Ada"), URIRef("urn:was"), URIRef("urn:Paris")),
    Span("text", 0, 9),
)  # fmt: skip


@dataclass
class Known:
    """A source that states what it is given, or fails."""

    stated: Mapping[Pair, Collection[Node]] = field(default_factory=dict)
    within: frozenset[Pair] = frozenset()
    fault: Fault | None = None
    asked: list[frozenset[Pair]] = field(default_factory=list)

    def statements(
        self, pairs: Iterable[Pair], claimed: Mapping[Pair, Collection[URIRef]] | None = None
    ) -> Mapping[Pair, Facts]:
        wanted = frozenset(pairs)
        self.asked.append(wanted)
        if self.fault:
            return {pair: Facts(self.fault.status, fault=self.fault) for pair in wanted}
        return {
            pair: Facts(
                Status.OK if pair in self.stated else Status.EMPTY,
                tuple(
                    Statement(
                        *pair,
                        claimed_value(node),
                        iri=URIRef(f"{E}s-{node[-6:]}"),
                        revision="7",
                        retrieved="2026-03-01T12:00:00+00:00",
                    )
                    for node in self.stated.get(pair, ())
                ),
                within=self.within,
            )
            for pair in wanted
        }


def question(
    subject: URIRef = ADA, value: Node = PARIS, known: Property = ONE, *, source: URIRef = KB,
    name: str = "r1", link: str = "linked", doubts: tuple[str, ...] = (), negative: bool = False,
) -> Question:  # fmt: skip
    reading = Claim(
        URIRef(f"urn:{name}"), Triple(subject, known.iri, value), WORDS.span, reads=WORDS.id,
        polarity="negative" if negative else "positive", origin="kb",
    )  # fmt: skip
    return Question(reading, source, link, Status.SKIPPED, known, claimed_value(value),
                    doubts=doubts)  # fmt: skip


def verdict(
    *questions: Question, told: Outcome | None = None, authoritative: Iterable[URIRef] = ()
) -> Ruling | None:
    return decision(*questions, told=told, authoritative=authoritative).of(WORDS.id)


def decision(
    *questions: Question, told: Outcome | None = None, authoritative: Iterable[URIRef] = ()
) -> Decision:
    words = WORDS
    if any(question.reading.polarity == "negative" for question in questions):
        words = replace(WORDS, polarity="negative")
    asked = Batch(
        questions, frozenset(), TEXT, claims=[words],
        outcomes={WORDS.id: told} if told else {}, authoritative=authoritative,
    )  # fmt: skip
    return decide(asked, RULES)


def ask_source(known: Known, *questions: Question, **others: Alternatives) -> tuple[Question, ...]:
    named = {URIRef(f"urn:{name}"): also for name, also in others.items()}
    return ask(questions, known, named).questions  # type: ignore[arg-type]


def told(found: Ruling | None) -> tuple[Outcome, str]:
    assert found is not None
    return found.outcome, found.rule


# ---------------------------------------------------------------- asking


def test_all_questions_cost_one_query() -> None:
    known = Known({(ADA, BORN): [PARIS]})
    ask_source(known, question(), question(ADA2, ROME, name="r2"), question(known=MANY, name="r3"))
    assert known.asked == [frozenset({(ADA, BORN), (ADA2, BORN), (ADA, WORKS)})]


def test_what_could_not_be_expressed_asks_nothing() -> None:
    known = Known()
    left = unexpressed(WORDS, URIRef("urn:r1"), KB, "unmapped")
    assert ask_source(known, left) == (left,)
    assert known.asked == []


@pytest.mark.parametrize(
    ("status", "rule"),
    [(Status.ERROR, "KB001"), (Status.NOT_IN_SNAPSHOT, "KB002"), (Status.SKIPPED, "KB003")],
)
def test_a_look_up_that_failed_is_an_error_for_every_claim(status: Status, rule: str) -> None:
    fault = Fault(status, "OVERLOADED", "come back later")
    asked = ask([question(), question(known=MANY, name="r2")], Known(fault=fault))  # type: ignore[arg-type]
    assert asked.faults == (fault, fault)
    for one in asked.questions:
        assert told(verdict(one)) == (Outcome.ERROR, rule)


def test_a_namesake_with_the_value_spares_the_claim() -> None:
    stated = {(ADA, BORN): [ROME], (ADA2, BORN): [PARIS]}
    (alone,) = ask_source(Known(stated), question())
    assert told(verdict(alone)) == (Outcome.REFUTED, "KB401")
    (guarded,) = ask_source(Known(stated), question(), r1=Alternatives(subjects=(ADA2,)))
    assert guarded.doubts == ("homonym",)
    assert told(verdict(guarded)) == (Outcome.UNVERIFIABLE, "KB106")


def test_a_value_of_the_same_name_spares_the_claim() -> None:
    (guarded,) = ask_source(
        Known({(ADA, BORN): [PARIS2]}), question(), r1=Alternatives(objects=(PARIS2,))
    )
    assert told(verdict(guarded)) == (Outcome.UNVERIFIABLE, "KB106")


def test_a_namesake_without_the_value_spares_nothing() -> None:
    stated = {(ADA, BORN): [ROME], (ADA2, BORN): [ROME]}
    also = Alternatives(subjects=(ADA2,), objects=(PARIS2,))
    (asked,) = ask_source(Known(stated), question(), r1=also)
    assert told(verdict(asked)) == (Outcome.REFUTED, "KB401")


def test_a_denial_of_what_is_stated_is_refuted_whoever_bears_the_name() -> None:
    stated = {(ADA, BORN): [PARIS], (ADA2, BORN): [PARIS]}
    (asked,) = ask_source(Known(stated), question(negative=True), r1=Alternatives(subjects=(ADA2,)))
    assert told(verdict(asked)) == (Outcome.REFUTED, "KB201")


def test_of_properties_that_one_phrase_may_mean_the_one_that_carries_counts() -> None:
    stated = {(ADA, BORN): [ROME], (ADA, WORKS): [PARIS]}
    readings = [question(), question(known=MANY, name="r2")]
    for order in permutations(readings):
        (one,) = ask_source(Known(stated), *order)
        assert one.property == MANY
        assert told(verdict(one)) == (Outcome.SUPPORTED, "KB201")


def test_readings_of_different_things_are_all_kept() -> None:
    stated = {(ADA, BORN): [PARIS], (ADA2, BORN): [ROME]}
    ambiguous = [question(link="ambiguous"), question(ADA2, name="r2", link="ambiguous")]
    found = ask_source(Known(stated), *ambiguous)
    assert len(found) == 2
    assert told(verdict(*found)) == (Outcome.UNVERIFIABLE, "KB105")


def test_ambiguity_does_no_harm_where_all_readings_agree() -> None:
    stated = {(ADA, BORN): [PARIS], (ADA2, BORN): [PARIS]}
    found = ask_source(
        Known(stated), question(link="ambiguous"), question(ADA2, name="r2", link="ambiguous")
    )
    assert told(verdict(*found)) == (Outcome.SUPPORTED, "KB201")


def test_the_evidence_is_pinned() -> None:
    (asked,) = ask_source(Known({(ADA, BORN): [PARIS]}), question())
    found = verdict(asked)
    assert found is not None
    (evidence,) = found.evidence
    assert evidence.pin == f"{E}s-/paris, revision 7, read 2026-03-01T12:00:00+00:00"


# ---------------------------------------------------------------- deciding

PLACES = st.lists(st.sampled_from([PARIS, PARIS2, ROME]), max_size=3, unique=True)


@given(PLACES, st.sampled_from([ONE, MANY]))
def test_a_denial_has_the_opposite_verdict(places: list[URIRef], known: Property) -> None:
    opposite = {Outcome.SUPPORTED: Outcome.REFUTED, Outcome.REFUTED: Outcome.SUPPORTED}
    source = Known({(ADA, known.iri): places} if places else {})
    (yes,) = ask_source(source, question(known=known))
    (no,) = ask_source(source, question(known=known, negative=True))
    said = told(verdict(yes))[0]
    assert told(verdict(no))[0] == opposite.get(said, said)


@given(PLACES)
def test_absence_of_one_of_several_refutes_nothing(places: list[URIRef]) -> None:
    (asked,) = ask_source(Known({(ADA, WORKS): places} if places else {}), question(known=MANY))
    assert told(verdict(asked))[0] is not Outcome.REFUTED


def test_a_date_carries_its_year_and_excludes_others() -> None:
    day = Literal("1871-05-01", datatype=XSD.date)
    known = Known({(ADA, BORN): [day]})
    for year, outcome in (("1871", Outcome.SUPPORTED), ("1872", Outcome.REFUTED)):
        (asked,) = ask_source(known, question(value=Literal(year, datatype=XSD.gYear)))
        assert told(verdict(asked))[0] is outcome


def of_two(first: URIRef, second: URIRef) -> list[Question]:
    one, other = question(), question(source=KB2, name="r2")
    return [
        *ask_source(Known({(ADA, BORN): [first]}), one),
        *ask_source(Known({(ADA, BORN): [second]}), other),
    ]


def test_sources_that_disagree_conflict_in_either_order() -> None:
    for asked in permutations(of_two(PARIS, ROME)):
        assert told(verdict(*asked)) == (Outcome.CONFLICTING, "KB503")


@pytest.mark.parametrize(("prevails", "outcome"), [(KB, Outcome.SUPPORTED), (KB2, Outcome.REFUTED)])
def test_the_source_that_prevails_decides(prevails: URIRef, outcome: Outcome) -> None:
    for asked in permutations(of_two(PARIS, ROME)):
        assert told(verdict(*asked, authoritative=[prevails]))[0] is outcome


def test_a_source_that_fails_takes_nothing_from_the_other() -> None:
    (known,) = ask_source(Known({(ADA, BORN): [PARIS]}), question())
    (failed,) = ask_source(
        Known(fault=Fault(Status.ERROR, "NETWORK")), question(source=KB2, name="r2")
    )
    for asked in permutations([known, failed]):
        assert told(verdict(*asked))[0] is Outcome.SUPPORTED


def test_documents_and_a_source_conflict_unless_one_prevails() -> None:
    (asked,) = ask_source(Known({(ADA, BORN): [ROME]}), question())
    assert told(verdict(asked, told=Outcome.SUPPORTED)) == (Outcome.CONFLICTING, "KB503")
    found = verdict(asked, told=Outcome.SUPPORTED, authoritative=[KB])
    assert told(found) == (Outcome.REFUTED, "KB401")
    found = verdict(asked, told=Outcome.SUPPORTED, authoritative=[DOCUMENTS])
    assert told(found) == (Outcome.NOT_ENOUGH_INFO, "KB504")


def test_a_refutation_is_a_violation_with_an_edit_that_was_tried() -> None:
    (asked,) = ask_source(Known({(ADA, BORN): [ROME]}), question())
    (found,) = decision(asked).violations
    assert found.rule == "KB401"
    assert found.edit is not None
    assert found.edit.verified


def test_nothing_asked_is_nothing_told() -> None:
    assert decision().of(WORDS.id) is None
    assert decision().violations == ()


# ---------------------------------------------------------------- merging


def ruling(outcome: Outcome) -> Ruling:
    return Ruling("KB999", outcome, WORDS, "so it is")


@pytest.mark.parametrize("documents", list(Outcome))
@pytest.mark.parametrize("theirs", list(Outcome))
def test_one_verdict_is_left_and_it_is_one_of_the_two(documents: Outcome, theirs: Outcome) -> None:
    found = merge(Verdict(WORDS, documents, "GR201", "exact"), ruling(theirs))
    assert found is not None
    assert found.outcome in (documents, theirs)
    if Outcome.CONFLICTING in (documents, theirs):
        assert found.outcome is Outcome.CONFLICTING


def test_who_says_nothing_changes_nothing() -> None:
    documents = Verdict(WORDS, Outcome.SUPPORTED, "", "exact")
    assert merge(documents, None) is documents
    assert merge(None, None) is None
    alone = merge(None, ruling(Outcome.REFUTED))
    assert alone is not None
    assert (alone.outcome, alone.stage) == (Outcome.REFUTED, "kb")


# ---------------------------------------------------------------- the rules of a check


@pytest.mark.parametrize("context", [(), "The Corvin Viaduct was opened in 1883."])
@pytest.mark.parametrize("rule", ["GR102", "KB401"])
def test_a_rule_is_set_also_where_documents_and_knowledge_bases_are_judged_apart(
    rule: str, context: str
) -> None:
    facts = Path(__file__).parents[2] / "examples" / "kb" / "facts.ttl"
    config = Config(kb=(str(facts),), rules={rule: {"severity": "info"}})

    report = check("The Corvin Viaduct was opened in 1884.", context=context, config=config)

    assert {v.severity for v in report.violations if v.rule == rule} <= {Severity.INFO}
    with pytest.raises(ConfigError, match=r"rules\.XX999: no such rule"):
        check("It was opened.", context=context, config=replace(config, rules={"XX999": {}}))


def test_a_source_that_failed_beside_one_that_answered_has_no_claim_of_its_own() -> None:
    fault = Fault(Status.ERROR, "NETWORK")
    other = replace(WORDS, id=URIRef("urn:other"))
    read = unexpressed(WORDS, URIRef("urn:reading"), KB, "linked")
    told = Answers((replace(read, status=Status.EMPTY),), frozenset(), {})
    failed = BaseAnswers(Readings((WORDS, other), (), {}, {}), told, {}, (fault,))
    whole = BaseAnswers(Readings((WORDS,), (), {}, {}), replace(told, questions=()), {}, ())
    assert list(_heard(failed, [failed, whole])) == [WORDS]
    assert list(_heard(failed, [failed])) == [WORDS, other]
    assert list(_heard(whole, [failed, whole])) == [WORDS]
