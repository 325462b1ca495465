"""The decision procedure: one case a branch, and what must hold whatever the statements are."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal, URIRef

from groundrules.checks.judge import Rules
from groundrules.checks.kb import DOCUMENTS, Batch, decide
from groundrules.kb.read.comparisons import Question
from groundrules.kb.read.timing import RELATIONS as TIMINGS
from groundrules.kb.read.timing import Timing
from groundrules.kb.sources.source import Property, Statement, Status, Value
from groundrules.rules.packs import load_pack
from groundrules.terms import Claim, Outcome, Severity, Span, Triple
from tests.strategies import examples

RULES = Rules(load_pack("kb").rules)
CASES = json.loads((Path(__file__).parent / "data" / "verdicts.json").read_text())["cases"]
#: The rule that stands for each reason of the cases.
REASONS = {
    "MATCH": "KB201",
    "MATCH_NON_BEST_RANK": "KB202",
    "MATCH_IN_TIME": "KB203",
    "KB_COARSER_OR_OVERLAPPING": "KB301",
    "NO_STATEMENT": "KB302",
    "SOMEVALUE_ONLY": "KB303",
    "ONLY_DEPRECATED_MATCH": "KB304",
    "TEMPORAL_PROPERTY_CLAIM_UNDATED": "KB306",
    "NO_VALUE_FOR_THAT_TIME": "KB307",
    "MULTIVALUED_NO_MATCH": "KB308",
    "FUNCTIONAL_MISMATCH": "KB401",
    "EXPLICIT_NOVALUE": "KB403",
    "TEMPORAL_OTHER_VALUE_HOLDS": "KB404",
    "TEMPORAL_OUT_OF_INTERVAL": "KB405",
    "COMPLETE_LIST_MISMATCH": "KB406",
    "KB_VIOLATES_OWN_CONSTRAINT": "KB501",
    "KB_SEVERAL_BEST_VALUES": "KB502",
}
OUTCOMES = {
    "SUPPORTED": Outcome.SUPPORTED,
    "REFUTED": Outcome.REFUTED,
    "CONFLICTING_EVIDENCE": Outcome.CONFLICTING,
    "NOT_ENOUGH_INFO": Outcome.NOT_ENOUGH_INFO,
}
SOURCE, OTHER, TEXT = (URIRef(f"urn:test:{name}") for name in ("kb", "facts", "text"))


def node(name):
    return URIRef(f"urn:test:{name}")


def item(name):
    return Value("item", node(name))


ENDLESS = (-math.inf, math.inf)


def days(low, high):
    return Value("time", Literal(f"{low}..{high}"), low, high)


def question(value, statements=(), *, number=0, negated=False, source=SOURCE, reads=None, **more):
    """Ask whether a thing of its own has a value, of statements made for another one."""
    known = more.pop("property", Property(node("p")))
    subject = node(f"s{number}")
    if more.pop("itself", False):
        value, known = Value("item", subject), replace(known, irreflexive=True)
    held = [Statement(node("other"), known.iri, value)] if more.pop("held", False) else []
    claim = Claim(
        node(f"reading{number}"),
        Triple(subject, known.iri, value.node),
        Span("text", number, number + 1),
        polarity="negative" if negated else "positive",
        reads=reads,
    )
    exceptions = frozenset({subject}) if more.pop("exception", False) else frozenset()
    stated = tuple(replace(s, subject=subject, predicate=known.iri) for s in statements)
    given = {"status": Status.OK if stated else Status.EMPTY, **more}
    at, how = given.pop("at", None), given.pop("how", "holding")
    if at is not None:
        given["timing"] = Timing(how, at, at if how in ("spanning", "within") else ENDLESS)
        given["now"] = at[1] if given.get("current") else math.inf
    return Question(
        claim,
        source,
        property=replace(known, exceptions=exceptions),
        value=value,
        statements=ranked(stated),
        rivals=tuple(held),
        **given,
    )


def ranked(statements):
    """Say which statements no other outranks, as a source does."""
    best = "preferred" if any(s.rank == "preferred" for s in statements) else "normal"
    return tuple(replace(s, best=s.rank == best) for s in statements)


def judge(questions, within=frozenset(), **more):
    """Return the rulings on the readings in the order of the questions."""
    made = decide(Batch(questions, within, TEXT, **more), RULES, edits=False)
    found = {}
    for ruling in made.rulings:
        assert ruling.claim.id not in found, "two rulings on one reading"
        found[ruling.claim.id] = ruling
    return [found[question.reading.id] for question in questions]


# -- one case a branch --------------------------------------------------------------------------


def read_value(val, tolerance=0.0):
    if isinstance(val, str):
        return item(val)
    if isinstance(val, dict):
        return days(val["lo"], val["hi"])
    slack = abs(val) * tolerance
    return Value("quantity", Literal(val), val - slack, val + slack)


def read_statement(row):
    value = read_value(row["val"]) if row["kind"] == "value" else Value(row["kind"], node("none"))
    times = {
        key: days(**low_high(row[key])) if row[key] else None for key in ("start", "end", "point")
    }
    if row["end_novalue"]:
        times["end"] = Value("novalue", node("none"))
    return Statement(node("s"), node("p"), value, row["rank"], references=row["refs"], **times)


def low_high(interval):
    return {"low": interval["lo"], "high": interval["hi"]}


def read_case(case):
    claim, known = case["claim"], case["property"]
    statements = [read_statement(row) for row in case["statements"]]
    at = case["now"] if claim["current"] else claim["at"]
    functional = "" if known["functional"] == "none" else known["functional"]
    within = {(node(low), node(high)) for low, highs in known["broader"].items() for high in highs}
    asked = question(
        read_value(claim["val"], known["tolerance"]),
        statements,
        property=Property(node("p"), functional=functional, temporal=known["temporal"]),
        exception=known["exception_subject"],
        negated=claim["negated"],
        at=(at["lo"], at["hi"]) if at else None,
        current=claim["current"],
        complete=known["complete_count"] == len(statements),
    )
    return asked, frozenset(within)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_each_branch_gives_its_verdict_and_its_reason(case):
    asked, within = read_case(case)
    (ruling,) = judge([asked], within)
    assert ruling.outcome is OUTCOMES[case["verdict"]]
    assert ruling.rule == REASONS[case["reason"].removeprefix("NEG:")]
    assert ruling.message


# -- what holds of any statements ---------------------------------------------------------------

WITHIN = frozenset({(node("city"), node("land"))})
spans = st.tuples(st.integers(0, 4), st.integers(0, 2)).map(lambda s: (s[0], s[0] + s[1]))
periods = spans.map(lambda span: days(*span))
amounts = st.builds(
    lambda number, unit: Value("quantity", Literal(f"{number} {unit}"), number, number, unit),
    st.integers(1, 2),
    st.sampled_from(["", "m"]),
)
items = st.sampled_from(["a", "a", "b", "city", "land"]).map(item)
unsaid = st.sampled_from(["somevalue", "novalue", "opaque"]).map(lambda k: Value(k, node(k)))
maybe = st.none() | periods
properties = st.builds(
    Property,
    st.just(node("p")),
    functional=st.sampled_from(["", "strict", "single", "single_best"]),
    temporal=st.booleans(),
)


@st.composite
def statements(draw, values, ranks=("normal", "normal", "preferred", "deprecated")):
    start, end, point = draw(st.just((None, None, None)) | st.tuples(maybe, maybe, maybe))
    return Statement(
        node("s"),
        node("p"),
        draw(values if draw(st.integers(0, 7)) else unsaid),
        rank=draw(st.sampled_from(ranks)),
        start=start,
        end=end,
        point=point,
        references=draw(st.sampled_from([None, 0, 1])),
    )


@st.composite
def situations(draw):
    """What a claim says, what is known of its property, and what is stated."""
    values = draw(st.sampled_from([items] * 5 + [periods] * 3 + [amounts, items | periods]))
    at = draw(st.none() | spans | spans)
    return {
        "value": draw(values),
        "statements": draw(
            st.lists(statements(values), min_size=draw(st.integers(0, 2)), max_size=4)
        ),
        "property": draw(properties),
        "exception": draw(st.integers(0, 4)) == 0,
        "negated": draw(st.booleans()),
        "at": at,
        "current": at is not None and draw(st.booleans()),
        "how": draw(st.sampled_from(["holding", *(r for r in TIMINGS if r != "lasting")])),
        "complete": draw(st.integers(0, 3)) == 0,
        "itself": draw(st.integers(0, 9)) == 0,
        "held": draw(st.integers(0, 3)) == 0,
    }


#: What refutes whatever is stated of the subject.
UNHELD = {"held": False, "itself": False}


# many situations in one run of the rules: it is their number that costs
batches = st.lists(situations(), min_size=8, max_size=12)
laws = examples(40)


def ask(batch, **changed):
    return [question(**{**one, **changed}, number=n) for n, one in enumerate(batch)]


def outcomes(questions, **more):
    return [ruling.outcome for ruling in judge(questions, WITHIN, **more)]


links = st.sampled_from(
    ["linked", "ambiguous", "nil_low_score", "nil_no_candidate", "unmapped", "not_checkable"]
)
doubts = st.lists(st.sampled_from(["link", "property", "homonym", "part_whole"]), max_size=2)


@laws
@given(st.data())
def test_every_reading_gets_exactly_one_ruling(data):
    questions = []
    for number, one in enumerate(data.draw(batches)):
        link, status = data.draw(links), data.draw(st.sampled_from(Status))
        if link not in ("linked", "ambiguous") or status is not Status.OK:
            one |= {"statements": [], **UNHELD}
        questions.append(
            question(
                **one,
                number=number,
                link=link,
                status=status,
                doubts=tuple(data.draw(doubts)),
                reads=node(f"words{number // 2}"),
                source=data.draw(st.sampled_from([SOURCE, OTHER])),
            )
        )
    words = [
        replace(q.reading, id=q.reading.reads, reads=None) for q in questions if q.reading.reads
    ]
    told = data.draw(
        st.dictionaries(st.sampled_from([w.id for w in words]), st.sampled_from(Outcome))
    )
    asked = Batch(
        questions,
        WITHIN,
        TEXT,
        claims=words,
        outcomes=told,
        authoritative=data.draw(st.sets(st.sampled_from([SOURCE, OTHER, DOCUMENTS]))),
    )
    made = decide(asked, RULES, edits=False)
    on = [ruling.claim.id for ruling in made.rulings]
    assert len(set(on)) == len(on)
    assert {q.reading.id for q in questions} <= set(on)
    # What is said in view of all readings is said of the words, and then only that is a fault.
    settled = set(on) & {w.id for w in words}
    assert not [v for v in made.violations if v.claim.reads in settled]
    assert {r.outcome for r in made.rulings if r.claim.id in settled} <= {Outcome.CONFLICTING}


@laws
@given(batches, st.data())
def test_a_deprecated_statement_changes_no_verdict(batch, data):
    more = []
    for one in batch:
        values = {"item": items, "time": periods, "quantity": amounts}[one["value"].kind]
        extra = data.draw(statements(values, ["deprecated"]))
        more.append({**one, "statements": [*one["statements"], extra]})
    # What nothing was stated of has now been answered.
    assert outcomes(ask(more)) == outcomes(ask(batch))


@laws
@given(batches, st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=12, max_size=12))
def test_a_wider_time_never_refutes_what_was_supported(batch, wider):
    dated = [
        {**one, "at": one["at"] or (3, 3), "how": "holding", "negated": False} for one in batch
    ]
    before = outcomes(ask(dated))
    wide = [
        {**one, "at": (one["at"][0] - low, one["at"][1] + high)}
        for one, (low, high) in zip(dated, wider, strict=False)
    ]
    for old, new in zip(before, outcomes(ask(wide)), strict=True):
        assert (old, new) != (Outcome.SUPPORTED, Outcome.REFUTED)


@laws
@given(batches, st.randoms(use_true_random=False))
def test_no_order_of_statements_or_questions_changes_anything(batch, random):
    questions = ask(batch)
    mixed = [replace(q, statements=tuple(random.sample(q.statements, len(q.statements))))
             for q in random.sample(questions, len(questions))]  # fmt: skip
    first = {ruling.claim.id: ruling for ruling in judge(questions, WITHIN)}
    again = {ruling.claim.id: ruling for ruling in judge(mixed, WITHIN)}
    assert again == first


@laws
@given(batches, links, st.sampled_from([s for s in Status if not s.answered]))
def test_a_look_up_that_failed_is_an_error_for_every_claim(batch, link, status):
    assert set(outcomes(ask(batch, status=status, link=link))) == {Outcome.ERROR}
    assert set(outcomes(ask(batch, status=status, link=link, statements=[]))) == {Outcome.ERROR}


SWAP = {Outcome.SUPPORTED: Outcome.REFUTED, Outcome.REFUTED: Outcome.SUPPORTED}


@laws
@given(batches)
def test_what_refutes_a_claim_supports_its_denial_and_the_other_way_round(batch):
    claimed, denied = (judge(ask(batch, negated=n), WITHIN) for n in (False, True))
    for one, other in zip(claimed, denied, strict=True):
        assert other.rule == one.rule
        assert other.outcome is SWAP.get(one.outcome, one.outcome)
        assert (other.message == one.message) is (one.outcome not in SWAP or one.rule == "KB403"
                                                  or one.rule == "KB405")  # fmt: skip


@laws
@given(batches)
def test_many_values_never_refute_by_absence(batch):
    batch = [
        {
            **one,
            "property": replace(one["property"], functional=""),
            "statements": [s for s in one["statements"] if s.value.kind != "novalue"],
            "at": None,
            "complete": False,
            "negated": False,
            **UNHELD,
        }
        for one in batch
    ]
    assert Outcome.REFUTED not in outcomes(ask(batch))


@laws
@given(batches, st.sets(st.sampled_from([rule.id for rule in RULES.rules]), max_size=6))
def test_leaving_rules_out_refutes_nothing_more(batch, chosen):
    questions = ask(batch, negated=False)
    before = {r.claim.id for r in judge(questions, WITHIN) if r.outcome is Outcome.REFUTED}
    made = decide(Batch(questions, WITHIN, TEXT), replace(RULES, select=tuple(chosen)), edits=False)
    assert {r.claim.id for r in made.rulings if r.outcome is Outcome.REFUTED} <= before


@laws
@given(batches)
def test_only_what_is_refuted_or_disputed_is_a_violation(batch):
    made = decide(Batch(ask(batch), WITHIN, TEXT), RULES, edits=False)
    severity = {Outcome.REFUTED: Severity.ERROR, Outcome.CONFLICTING: Severity.WARNING}
    assert {(v.rule, v.claim.id, v.severity, v.message) for v in made.violations} == {
        (r.rule, r.claim.id, severity[r.outcome], r.message)
        for r in made.rulings
        if r.outcome in severity
    }


# -- several readings of one claim --------------------------------------------------------------

HERE, THERE = item("a"), item("b")
BIRTH = Property(node("p"), functional="strict")
WORDS = Claim(node("words"), Triple(node("Ada"), node("born_in"), node("A")), Span("text", 0, 1))


def stated(value, references=1):
    return [Statement(node("s"), node("p"), value, references=references)]


def reading(number, value, **more):
    given = {"property": BIRTH, "reads": WORDS.id, **more}
    return question(HERE, stated(value), number=number, **given)


def told(*questions, **more):
    made = decide(Batch(questions, frozenset(), TEXT, claims=[WORDS], **more), RULES)
    return {r.claim.id: (r.rule, r.outcome) for r in made.rulings}, made.violations


def test_sources_that_disagree_conflict_and_only_that_is_a_fault():
    rulings, faults = told(reading(1, HERE), reading(2, THERE, source=OTHER))
    assert rulings == {
        node("reading1"): ("KB201", Outcome.SUPPORTED),
        node("reading2"): ("KB401", Outcome.REFUTED),
        WORDS.id: ("KB503", Outcome.CONFLICTING),
    }
    (fault,) = faults
    assert (fault.rule, fault.claim.id, fault.severity) == ("KB503", WORDS.id, Severity.WARNING)
    assert {(e.triple.object, e.source) for e in fault.evidence} == {
        (HERE.node, str(SOURCE)),
        (THERE.node, str(OTHER)),
    }


def test_an_authoritative_source_prevails():
    both = reading(1, HERE), reading(2, THERE, source=OTHER)
    rulings, faults = told(*both, authoritative=[SOURCE])
    assert rulings[node("reading1")] == ("KB201", Outcome.SUPPORTED)
    assert rulings[node("reading2")] == ("KB504", Outcome.NOT_ENOUGH_INFO)
    assert WORDS.id not in rulings
    assert faults == ()
    rulings, faults = told(*both, authoritative=[OTHER])
    assert rulings[node("reading1")] == ("KB504", Outcome.NOT_ENOUGH_INFO)
    assert [fault.rule for fault in faults] == ["KB401"]


@pytest.mark.parametrize("doubt", ["link", "property", "homonym", "part_whole"])
def test_a_doubt_keeps_from_refuting_and_from_nothing_else(doubt):
    rulings, faults = told(reading(1, THERE, doubts=(doubt,)), reading(2, HERE, doubts=(doubt,)))
    assert rulings == {
        node("reading1"): ("KB106", Outcome.UNVERIFIABLE),
        node("reading2"): ("KB201", Outcome.SUPPORTED),
    }
    assert faults == ()


@pytest.mark.parametrize(("references", "rule"), [(None, "KB401"), (1, "KB401"), (0, "KB402")])
def test_the_edit_of_another_value_is_safe_and_verified(references, rule):
    (fault,) = told(question(HERE, stated(THERE, references), property=BIRTH))[1]
    assert (fault.rule, fault.edit.applicability, fault.edit.verified) == (rule, "safe", True)
    assert [op.triple.object for op in fault.edit.operations] == [HERE.node, THERE.node]


def test_the_edit_of_a_wrong_denial_affirms_the_claim():
    (fault,) = told(question(HERE, stated(HERE), negated=True))[1]
    assert (fault.rule, fault.edit.applicability, fault.edit.verified) == ("KB201", "safe", True)
    assert [str(op.triple.object) for op in fault.edit.operations] == ["negative", "positive"]
