"""The decision procedure: one case a branch, and what must hold whatever the statements are."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.term import Literal, URIRef

from groundrules.inquiry import DOCUMENTS, decide
from groundrules.kb.source import Property, Statement, Status, Value
from groundrules.reading.comparisons import Question
from groundrules.rules.packs import load_pack
from groundrules.terms import Claim, Outcome, Severity, Span, Triple

RULES = load_pack("kb").rules
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


def days(low, high):
    return Value("time", Literal(f"{low}..{high}"), low, high)


def question(value, statements=(), *, number=0, negated=False, source=SOURCE, reads=None, **more):
    """Ask whether a thing of its own has a value, of statements made for another one."""
    known = more.pop("property", Property(node("p")))
    subject = node(f"s{number}")
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
    return Question(
        claim,
        source,
        property=replace(known, exceptions=exceptions),
        value=value,
        statements=ranked(stated),
        **given,
    )


def ranked(statements):
    """Say which statements no other outranks, as a source does."""
    best = "preferred" if any(s.rank == "preferred" for s in statements) else "normal"
    return tuple(replace(s, best=s.rank == best) for s in statements)


def judge(questions, within=frozenset(), **more):
    """Return the rulings on the readings in the order of the questions."""
    made = decide(questions, within, RULES, text=TEXT, edits=False, **more)
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
spans = st.tuples(st.integers(0, 6), st.integers(0, 3)).map(lambda s: (s[0], s[0] + s[1]))
periods = spans.map(lambda span: days(*span))
items = st.sampled_from(["a", "b", "c", "city", "land"]).map(item)
unsaid = st.sampled_from(["somevalue", "novalue", "opaque"]).map(lambda k: Value(k, node(k)))
maybe = st.none() | periods
properties = st.builds(
    Property,
    st.just(node("p")),
    functional=st.sampled_from(["", "strict", "single", "single_best"]),
    temporal=st.booleans(),
)


def statements(values, ranks=("normal", "normal", "preferred", "deprecated")):
    return st.builds(
        Statement,
        st.just(node("s")),
        st.just(node("p")),
        values | values | values | unsaid,
        rank=st.sampled_from(ranks),
        start=maybe,
        end=maybe,
        point=st.none() | st.none() | periods,
        references=st.sampled_from([None, 0, 1]),
    )


@st.composite
def situations(draw):
    """What a claim says, what is known of its property, and what is stated."""
    values = draw(st.sampled_from([items, periods]))
    at = draw(st.none() | spans)
    return {
        "value": draw(values),
        "statements": draw(st.lists(statements(values), max_size=4)),
        "property": draw(properties),
        "exception": draw(st.integers(0, 4)) == 0,
        "negated": draw(st.booleans()),
        "at": at,
        "current": at is not None and draw(st.booleans()),
        "complete": draw(st.integers(0, 3)) == 0,
    }


# many situations in one run of the rules: it is their number that costs
batches = st.lists(situations(), min_size=1, max_size=12)
laws = settings(max_examples=40, deadline=None)


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
            one["statements"] = []
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
    made = decide(
        questions,
        WITHIN,
        RULES,
        claims=words,
        text=TEXT,
        told=told,
        authoritative=data.draw(st.sets(st.sampled_from([SOURCE, OTHER, DOCUMENTS]))),
        edits=False,
    )
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
        values = items if one["value"].kind == "item" else periods
        extra = data.draw(statements(values, ["deprecated"]))
        more.append({**one, "statements": [*one["statements"], extra]})
    # What nothing was stated of has now been answered.
    assert outcomes(ask(more)) == outcomes(ask(batch))


@laws
@given(batches, st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=12, max_size=12))
def test_a_wider_time_never_refutes_what_was_supported(batch, wider):
    dated = [{**one, "at": one["at"] or (3, 3), "negated": False} for one in batch]
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
@given(batches)
def test_nothing_stated_is_not_enough_information(batch):
    assert {(r.rule, r.outcome) for r in judge(ask(batch, statements=[]), WITHIN)} == {
        ("KB302", Outcome.NOT_ENOUGH_INFO)
    }


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
        }
        for one in batch
    ]
    assert Outcome.REFUTED not in outcomes(ask(batch))


@laws
@given(batches, st.sets(st.sampled_from([rule.id for rule in RULES]), max_size=6))
def test_leaving_rules_out_refutes_nothing_more(batch, ignored):
    questions = ask(batch, negated=False)
    before = {r.claim.id for r in judge(questions, WITHIN) if r.outcome is Outcome.REFUTED}
    made = decide(questions, WITHIN, RULES, text=TEXT, ignore=tuple(ignored), edits=False)
    assert {r.claim.id for r in made.rulings if r.outcome is Outcome.REFUTED} <= before


@laws
@given(batches)
def test_only_what_is_refuted_or_disputed_is_a_violation(batch):
    made = decide(ask(batch), WITHIN, RULES, text=TEXT, edits=False)
    severity = {Outcome.REFUTED: Severity.ERROR, Outcome.CONFLICTING: Severity.WARNING}
    assert {(v.rule, v.claim.id, v.severity, v.message) for v in made.violations} == {
        (r.rule, r.claim.id, severity[r.outcome], r.message)
        for r in made.rulings
        if r.outcome in severity
    }
