import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, URIRef

from groundrules.dataset import Dataset
from groundrules.errors import ConfigError, RuleError
from groundrules.rules.engine import apply_edit, check, order, rule_graph
from groundrules.rules.packs import load_packs
from groundrules.rules.rule import parse_rule
from groundrules.terms import (
    GR,
    Claim,
    Edit,
    EditOperation,
    Metric,
    Outcome,
    Severity,
    Span,
    Triple,
)
from tests.rows import each
from tests.strategies import examples
from tests.strategies_graphs import SOURCES, build, cases, statements

RULES = [rule for pack in load_packs(["core", "values"]) for rule in pack.rules]
ROE, SCOTUS, FIFTH, DECIDED = (
    URIRef(f"urn:test:{name}") for name in ("roe", "scotus", "fifth", "decided_by")
)
FUNCTIONAL = Triple(DECIDED, RDF.type, OWL.FunctionalProperty)


def rule(identifier="XX101", select="SELECT ?claim WHERE { ?claim a gr:Claim }", more=""):
    text = f'id = "{identifier}"\nname = "x"\nsummary = "x"\nmessage = "x"\n{more}\n'
    return parse_rule(f"select = '''{select}'''\n{text}".encode(), "x.toml")


def derive(identifier, construct):
    text = f"construct = '''{construct}'''\nid = '{identifier}'\nname = 'x'\nsummary = 'x'"
    return parse_rule(text.encode(), "x.toml")


def state(name, *triple, at=0):
    return Claim(URIRef(f"urn:test:{name}"), Triple(*triple), Span(name, at, at + 1))


def wrong_court():
    claim = state("claim", ROE, DECIDED, FIFTH, at=4)
    known = state("known", ROE, DECIDED, SCOTUS, at=9)
    return claim, known, build([claim], [[known]], [FUNCTIONAL])


few = examples(40)

# -- the laws ---------------------------------------------------------------------------------


@few
@given(statements("evidence", min_size=1), st.data())
def test_a_claim_graph_that_embeds_in_the_source_is_grounded_and_preserved(context, data):
    """HalluGraph, Proposition 1."""
    chosen = data.draw(st.lists(st.sampled_from(context), min_size=1, max_size=4))
    claims = [
        Claim(
            URIRef(f"urn:test:claim{i}"),
            c.triple,
            Span("t", i, i + 1),
            polarity=c.polarity,
            modality=c.modality,
        )
        for i, c in enumerate(chosen)
    ]
    result = check(build(claims, [context]), RULES)
    assert result.metric("EG").value == 1
    assert result.metric("RP").value == 1
    assert result.metric("CFI").value == 1
    assert not {"GR101", "GR102", "GR900"} & {v.rule for v in result.violations}


@few
@given(statements("evidence"))
def test_without_edges_all_metrics_are_undefined(context):
    result = check(build([], [context]), RULES)
    assert {m.name for m in result.metrics} == {"EG", "RP", "CFI"}
    assert {m.value for m in result.metrics} == {None}
    assert result.violations == ()


@few
@given(cases(), statements("more"))
def test_more_evidence_never_lowers_grounding_or_preservation(case, more):
    claims, contexts, extra = case
    before = check(build(claims, contexts, extra), RULES)
    dataset = build(claims, contexts, extra)
    dataset.add_evidence(more, SOURCES[1])
    after = check(dataset, RULES)
    for name in ("EG", "RP"):
        a, b = before.metric(name).value, after.metric(name).value
        assert (a is None) == (b is None)
        assert a is None or 0 <= a <= b <= 1


@few
@given(cases(), st.randoms(use_true_random=False))
def test_no_order_changes_the_result(case, random):
    claims, contexts, extra = case

    def shuffled(items):
        return random.sample(items, len(items))

    known = {c.id: c for c in claims}
    first = check(build(claims, contexts, extra), RULES, claims=known)
    dataset = Dataset()
    for source, context in shuffled(list(zip(SOURCES, contexts, strict=True))):
        dataset.add_evidence(shuffled(context), source)
    dataset.add(shuffled(extra))
    dataset.add_claims(shuffled(claims))
    again = check(
        dataset, shuffled(RULES), claims={c.id: c for c in shuffled(claims)}
    )  # fmt: skip
    assert again == first


@few
@given(cases())
def test_the_dataset_is_left_as_it_was(case):
    dataset = build(*case)
    before = dataset.digest()
    first = check(dataset, RULES)
    assert dataset.digest() == before
    assert check(dataset, RULES) == first


@examples(60)
@given(cases())
def test_an_edit_silences_its_rule_on_the_claim(case):
    dataset = build(*case)
    for violation in check(dataset, RULES).violations:
        if violation.edit is None or violation.edit.applicability != "safe":
            continue
        with dataset.trying():
            apply_edit(dataset, violation.edit, violation.claim.id)
            left = check(dataset, [r for r in RULES if r.id in (violation.rule, "DR001", "DR002")])
        assert violation.claim.id not in {v.claim.id for v in left.violations}


# -- one violation ------------------------------------------------------------------------------


def test_a_violation_says_where_why_and_what_instead():
    claim, known, dataset = wrong_court()
    labels = {ROE: "Roe v. Wade", SCOTUS: "Supreme\n Court", FIFTH: "Fifth Circuit"}
    result = check(
        dataset,
        RULES,
        claims={claim.id: claim},
        evidence={known.id: known},
        labels={**labels, DECIDED: "decided by"},
        select=["GR2"],
    )
    (violation,) = result.violations
    assert violation.rule == "GR201"
    assert violation.severity is Severity.ERROR
    assert violation.claim is claim
    assert violation.message == "Roe v. Wade decided by Supreme Court, not Fifth Circuit"
    (evidence,) = violation.evidence
    assert evidence.triple == known.triple
    assert evidence.source == str(SOURCES[0])
    assert evidence.span == known.span
    assert evidence.score == 1.0
    assert violation.edit.applicability == "safe"
    assert [(o.action, o.triple) for o in violation.edit.operations] == [
        ("DELETE", claim.triple),
        ("ADD", known.triple),
    ]
    assert dict(violation.bindings)["known"] == SCOTUS


def test_two_candidates_make_one_violation_with_an_unsafe_edit():
    claim, known, _ = wrong_court()
    other = state("other", ROE, DECIDED, URIRef("urn:test:ninth"))
    for contexts in ([[known, other]], [[known], [other]]):
        result = check(build([claim], contexts, [FUNCTIONAL]), RULES, select=["GR201"])
        (violation,) = result.violations
        assert {e.triple for e in violation.evidence} == {known.triple, other.triple}
        assert violation.edit.applicability == "unsafe"


def test_the_nearest_evidence_comes_first():
    claim = state("claim", ROE, DECIDED, FIFTH)
    near = state("near", ROE, DECIDED, SCOTUS)
    far = state("far", ROE, URIRef("urn:test:seen_by"), URIRef("urn:test:ninth"))
    facts = []
    for evidence, similarity in ((far, 0.7), (near, 0.9)):
        node = URIRef(evidence.id + "alignment")
        facts += [
            Triple(node, GR.claim, claim.id),
            Triple(node, GR.evidence, evidence.id),
            Triple(node, GR.slot, Literal("object")),
            Triple(node, GR.similarity, Literal(similarity)),
        ]
    result = check(build([claim], [[near, far]], facts), RULES, select=["GR201"])
    (violation,) = result.violations
    assert [(e.triple, e.score) for e in violation.evidence] == [
        (near.triple, 0.9),
        (far.triple, 0.7),
    ]


def test_what_says_more_silences_what_says_less_on_the_same_claim_only():
    claim, known, _ = wrong_court()
    other = state("claim2", ROE, URIRef("urn:test:cites"), SCOTUS, at=6)
    both = {claim.id: claim, other.id: other}
    dataset = build([claim, other], [[known]], [FUNCTIONAL])
    result = check(dataset, RULES, claims=both, overrides={"GR901": {"threshold": 0.5}})
    assert [(v.rule, v.claim.id) for v in result.violations if v.rule in ("GR201", "GR901")] == [
        ("GR201", claim.id),
        ("GR901", other.id),
    ]
    assert result.metric("RP").value == 0.0


def test_a_relation_that_is_not_stated_counts_and_is_reported_only_where_that_is_asked_for():
    claim, *_ = wrong_court()
    result = check(build([claim], [[]]), RULES, claims={claim.id: claim})
    assert "GR901" not in {v.rule for v in (*result.violations, *result.hidden)}
    assert result.metric("RP") == Metric("RP", 0.0, 1)


# -- derivations ----------------------------------------------------------------------------------


def test_derived_evidence_says_which_rule_derived_it():
    claim = state("claim", ROE, DECIDED, SCOTUS)
    decided = URIRef("urn:test:decided")
    known = state("known", SCOTUS, decided, ROE)
    inverse = Triple(decided, OWL.inverseOf, DECIDED)
    result = check(build([claim], [[known]], [inverse]), RULES)
    assert result.derived == (("DR001", claim.triple),)
    assert result.metric("RP").value == 1
    assert result.violations == ()


def test_derivations_run_to_a_fixpoint():
    part = URIRef("urn:test:part_of")
    chain = [
        state(f"k{i}", URIRef(f"urn:test:n{i}"), part, URIRef(f"urn:test:n{i + 1}"))
        for i in range(6)
    ]
    query = (
        "CONSTRUCT { ?a ?p ?c } WHERE { GRAPH ?g { ?a ?p ?b } GRAPH ?h { ?b ?p ?c } }"  # transitive
    )
    result = check(build([], [chain]), [derive("DR901", query)])
    assert len(result.derived) == 15


def test_a_derivation_without_end_is_refused():
    query = """CONSTRUCT { ?a ?p ?next } WHERE {
      GRAPH ?g { ?a ?p ?b } BIND (IRI(CONCAT(STR(?b), "x")) AS ?next) }"""
    dataset = build([], [[state("k", ROE, DECIDED, SCOTUS)]])
    before = dataset.digest()
    with pytest.raises(RuleError, match="DR901 derives without end"):
        check(dataset, [derive("DR901", query)])
    assert dataset.digest() == before
    assert rule_graph("DR901") not in dataset.graphs()


# -- metrics, thresholds, settings ----------------------------------------------------------------


def test_rules_that_read_a_metric_run_after_its_producer_whatever_their_ids():
    second = rule("AA101", "SELECT ?x WHERE { metric:M gr:value ?x }")
    scored = "SELECT ?claim (0.25 AS ?score) WHERE { ?claim a gr:Claim }"
    first = rule("ZZ101", scored, 'metric = "M"')
    dataset = build([state("c", ROE, DECIDED, SCOTUS)], [])
    for rules in itertools.permutations([first, second]):
        assert [r.id for r in order(rules)] == ["ZZ101", "AA101"]
        result = check(dataset, rules)
        assert {v.rule: dict(v.bindings).get("x") for v in result.violations}["AA101"] == Literal(
            0.25
        )


def measured(select, *metrics):
    """Return a rule for each metric, whose query is about it or about another."""
    queries = [(metric, select.format(other=other)) for metric, other in metrics]
    return [rule(f"XX10{n}", q, f'metric = "{m}"') for n, (m, q) in enumerate(queries)]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([rule("XX101"), rule("XX101")], "id XX101 is taken"),
        (measured("SELECT ?claim (1 AS ?score) {{ ?claim a gr:Claim }}", "MM", "MM"),
         "metric M is produced by XX100"),
        (measured("SELECT ?score WHERE {{ metric:{other} gr:value ?score }}", "MN", "NM"),
         "depend on one another"),
        ([rule("XX101", "SELECT ?claim WHERE { ?claim a gr:Claim . metric:M gr:value ?m }",
               "verdict = 'unverifiable'"),
          rule("XX102", "SELECT ?claim ?score WHERE { ?claim gr:verdict ?v BIND (1 AS ?score) }",
               "metric = 'M'")],
         "metrics and verdicts depend on one another: "),
    ],
)  # fmt: skip
def test_a_set_of_rules_that_cannot_be_ordered_is_refused(rules, message):
    with pytest.raises(RuleError, match=message):
        check(Dataset(), rules)


def test_a_metric_over_distinct_values_counts_each_once_at_its_best():
    query = """SELECT ?claim ?e ?score WHERE {
      ?claim a gr:Claim ; rdf:subject ?e . ?x gr:to ?e ; gr:value ?score }"""
    claims = [state(f"c{i}", ROE, DECIDED, URIRef(f"urn:test:o{i}")) for i in range(3)]
    claims.append(state("d", SCOTUS, DECIDED, FIFTH))
    facts = [
        triple
        for i, (node, score) in enumerate([(ROE, 0.2), (ROE, 0.8), (SCOTUS, 0.4)])
        for triple in (
            Triple(URIRef(f"urn:test:f{i}"), GR.to, node),
            Triple(URIRef(f"urn:test:f{i}"), GR.value, Literal(score)),
        )
    ]
    dataset = build(claims, [], facts)
    each = check(dataset, [rule(select=query, more='metric = "M"')]).metric("M")
    assert (each.checks, round(each.value, 6)) == (7, round((3 * 0.2 + 3 * 0.8 + 0.4) / 7, 6))
    distinct = check(dataset, [rule(select=query, more='metric = "M"\nper = "e"')]).metric("M")
    assert (distinct.checks, round(distinct.value, 6)) == (2, 0.6)


@each("score threshold fires")
def test_a_row_fails_below_the_threshold(score, threshold, fires):
    one = rule(select=f"SELECT ?claim ({score} AS ?score) {{ ?claim a gr:Claim }}")
    dataset = build([state("c", ROE, DECIDED, SCOTUS)], [])
    result = check(dataset, [one], overrides={"XX101": {"threshold": threshold}})
    assert bool(result.violations) is fires


def test_without_a_score_every_row_fails_and_evidence_is_no_claim():
    both = rule(select="SELECT ?claim WHERE { ?claim rdf:subject ?s }")
    claim, _, dataset = wrong_court()
    assert [v.claim.id for v in check(dataset, [both]).violations] == [claim.id]


def test_overrides_change_severity_and_params():
    claim, known, dataset = wrong_court()
    changed = {"GR201": {"severity": "info", "near": 0.9}, "GR900": {"alpha": 1.0}}
    result = check(dataset, RULES, overrides=changed)
    severities = {v.rule: v.severity for v in result.violations}
    assert severities["GR201"] is Severity.INFO
    assert result.metric("CFI").value == result.metric("EG").value
    assert claim.triple != known.triple


@each("given most severity")
def test_a_row_may_be_less_severe_than_its_rule_but_not_more(given, most, severity):
    query = f'SELECT ?claim ("{given}" AS ?severity) {{ ?claim a gr:Claim }}'
    claim = state("claim", ROE, DECIDED, SCOTUS)
    graded = rule(select=query, more=f'severity = "{most}"')
    assert [v.severity for v in check(build([claim], [[]]), [graded]).violations] == [severity]


@each("overrides message")
def test_a_bad_override_is_named(overrides, message):
    with pytest.raises(ConfigError) as caught:
        check(Dataset(), RULES, overrides=overrides)
    assert message in str(caught.value)


def test_rules_are_chosen_by_prefix_and_metrics_stay():
    _, _, dataset = wrong_court()
    everything = {v.rule for v in check(dataset, RULES).violations}
    assert {"GR101", "GR201", "GR900"} <= everything
    assert {v.rule for v in check(dataset, RULES, select=["GR2"]).violations} == {"GR201"}
    chosen = check(dataset, RULES, select=["GR2"])
    assert chosen.metrics == check(dataset, RULES).metrics


def test_a_rule_in_preview_waits_to_be_selected():
    draft = rule(more='status = "preview"')
    dataset = build([state("c", ROE, DECIDED, SCOTUS)], [])
    assert check(dataset, [draft]).violations == ()
    assert len(check(dataset, [draft], select=["XX"]).violations) == 1


def test_messages_name_nodes_on_one_line():
    query = """SELECT ?claim ?s ?o ?n ?whole ?none WHERE {
      ?claim a gr:Claim ; rdf:subject ?s ; rdf:object ?o
      BIND (0.126 AS ?n) BIND (2019 AS ?whole) }"""
    text = f"""id = "XX101"
name = "x"
summary = "x"
message = "{{s}}|{{o}}|{{n}}|{{whole}}|{{{{s}}}}|{{none}}"
select = '''{query}'''
"""
    spoken = parse_rule(text.encode(), "x.toml")
    subject = URIRef("urn:groundrules:entity:john-o'neil%2Dsmith")
    dataset = build([state("c", subject, DECIDED, GR.Claim)], [])
    (violation,) = check(dataset, [spoken]).violations
    assert violation.message == "john o'neil-smith|gr:Claim|0.13|2019|{s}|nothing"
    hostile = {subject: "a\x1b[31m\nb", GR.Claim: "{n}"}
    (violation,) = check(dataset, [spoken], labels=hostile).violations
    assert violation.message == "a [31m b|{n}|0.13|2019|{s}|nothing"


# -- verdicts -------------------------------------------------------------------------------------

JUDGE = """SELECT ?claim ?o WHERE {
  ?claim rdf:predicate ?p ; rdf:object ?o .
  ?known rdf:predicate ?p ; rdf:object ?o ; a gr:Evidence .
}"""
BOTH_WAYS = "verdict = 'supported'\ndenied = '{o} is known'"
LAST = """SELECT ?claim ?why WHERE {
  ?claim gr:verdict ?verdict ; gr:reason ?why . FILTER (?verdict = "refuted")
}"""


def judged(*claims, rules, more=(), **options):
    _, known, _ = wrong_court()
    return check(build(list(claims), [[known]], more), rules, **options)


def test_a_ruling_on_a_denial_is_the_opposite_and_then_a_violation():
    said = state("said", ROE, DECIDED, SCOTUS, at=1)
    denied = replace(state("denied", ROE, DECIDED, SCOTUS, at=2), polarity="negative")
    judge = rule("XX101", JUDGE, BOTH_WAYS)
    result = judged(said, denied, rules=[judge], claims={c.id: c for c in (said, denied)})
    assert {(r.claim, r.outcome, r.message) for r in result.rulings} == {
        (said, Outcome.SUPPORTED, "x"),
        (denied, Outcome.REFUTED, "<urn:test:scotus> is known"),
    }
    assert [(v.claim, v.severity, v.message) for v in result.violations] == [
        (denied, Severity.ERROR, "<urn:test:scotus> is known")
    ]


@pytest.mark.parametrize("outcome", ["not_enough_info", "unverifiable", "error", "supported"])
def test_a_verdict_that_blames_nobody_is_no_violation(outcome):
    said = state("said", ROE, DECIDED, SCOTUS)
    more = f"verdict = '{outcome}'" + ("\ndenied = 'y'" if outcome == "supported" else "")
    result = judged(said, rules=[rule("XX101", JUDGE, more)])
    assert [r.outcome for r in result.rulings] == [Outcome(outcome)]
    assert result.violations == ()


def test_rulings_supersede_each_other_and_those_that_fall_silent_still_do():
    said = state("said", ROE, DECIDED, SCOTUS)
    rules = [
        rule("XX101", JUDGE, "verdict = 'unverifiable'\nsupersedes = ['XX102']"),
        rule("XX102", JUDGE, "verdict = 'refuted'\ndenied = 'y'\nsupersedes = ['XX103']"),
        rule("XX103", JUDGE, "verdict = 'not_enough_info'"),
    ]
    result = judged(said, rules=rules)
    assert [r.rule for r in result.rulings] == ["XX101"]
    assert result.violations == result.hidden == ()
    assert judged(said, rules=rules[1:]).rulings[0].rule == "XX102"


def test_what_is_not_shown_still_rules_and_supersedes():
    said = state("said", ROE, DECIDED, SCOTUS)
    rules = [
        rule("XX101", JUDGE, "verdict = 'refuted'\ndenied = 'y'\nsupersedes = ['XX102']"),
        rule("XX102", JUDGE, "verdict = 'conflicting'"),
    ]
    shown, left = judged(said, rules=rules), judged(said, rules=rules, select=["GR"])
    assert [r.rule for r in shown.rulings] == ["XX101"]
    assert left.rulings == shown.rulings
    assert left.violations == ()
    assert left.hidden == shown.violations != ()
    assert shown.hidden == ()


def test_rules_that_read_verdicts_have_the_last_word():
    said = state("said", ROE, DECIDED, SCOTUS)
    last = rule("XX100", LAST, "verdict = 'unverifiable'")
    judge = rule("XX101", JUDGE, "verdict = 'refuted'\ndenied = 'y'")
    assert [r.id for r in order([last, judge])] == ["XX101", "XX100"]
    dataset = build([said], [[wrong_court()[1]]])
    before = dataset.digest()
    result = check(dataset, [last, judge])
    assert [(r.rule, r.outcome) for r in result.rulings] == [("XX100", Outcome.UNVERIFIABLE)]
    assert dict(result.rulings[0].bindings)["why"] == Literal("XX101")
    assert result.violations == ()
    assert dataset.digest() == before
    # A denial that was refuted is not refuted the other way round.
    denied = replace(said, polarity="negative")
    support = rule("XX101", JUDGE, BOTH_WAYS)
    repeat = rule("XX100", LAST, "verdict = 'refuted'")
    (ruling,) = judged(denied, rules=[support, repeat]).rulings
    assert (ruling.rule, ruling.outcome) == ("XX100", Outcome.REFUTED)


def test_a_ruling_on_words_takes_the_place_of_the_faults_of_their_readings():
    words = state("words", ROE, URIRef("urn:test:was_decided_by"), FIFTH, at=3)
    reading = replace(state("reading", ROE, DECIDED, SCOTUS, at=3), reads=words.id)
    judge = rule("XX101", JUDGE, "verdict = 'refuted'\ndenied = 'y'")
    over = "SELECT ?claim WHERE { ?reading gr:verdict ?v ; gr:reads ?claim }"
    last = rule("XX102", over, "verdict = 'conflicting'\nseverity = 'warning'")
    dataset = build([words], [[wrong_court()[1]]])
    dataset.add_assertions([reading])
    alone = check(dataset, [judge])
    assert [v.claim.id for v in alone.violations] == [reading.id]
    both = check(dataset, [judge, last])
    assert {(r.rule, r.claim.id) for r in both.rulings} == {
        ("XX101", reading.id),
        ("XX102", words.id),
    }
    assert [(v.rule, v.claim.id) for v in both.violations] == [("XX102", words.id)]


def test_an_edit_makes_equal_what_now_agrees():
    claim, known, dataset = wrong_court()
    beside = URIRef("urn:test:beside")
    facts = [
        Triple(beside, RDF.type, GR.Comparison),
        Triple(beside, GR.claim, claim.id),
        Triple(beside, GR.evidence, known.id),
    ]
    dataset.add([*facts, Triple(beside, GR.relation, Literal("disjoint"))])
    edit = Edit((EditOperation("DELETE", claim.triple), EditOperation("ADD", known.triple)))
    apply_edit(dataset, edit, claim.id)
    assert Triple(beside, GR.relation, Literal("equal")) in dataset
    assert Triple(beside, GR.relation, Literal("disjoint")) not in dataset


@each("mode old new then")
def test_an_edit_of_a_mode_changes_the_stance_that_follows(mode, old, new, then):
    claim, _, dataset = wrong_court()
    steps = (("DELETE", old), ("ADD", new))
    edit = Edit(tuple(EditOperation(a, Triple(claim.id, GR[mode], Literal(v))) for a, v in steps))
    apply_edit(dataset, edit, claim.id)
    stances = [
        t.object for t in dataset.triples() if t.predicate == GR.stance and t.subject == claim.id
    ]
    assert stances == [Literal(then)]


def test_a_value_that_fits_is_told_where_another_does_not():
    mine, other, same = Literal(1974), Literal(1973), Literal("in the seventies")

    def fits(*known, compared=("disjoint", "claim-coarser")):
        claim = state("claim", ROE, DECIDED, mine)
        evidence = [state(f"known{n}", ROE, DECIDED, value) for n, value in enumerate(known)]
        dataset = build([claim], [evidence])
        for node, value, relation in zip("xy", (other, same), compared, strict=True):
            link = URIRef(f"urn:test:{node}")
            dataset.add([Triple(link, GR["from"], mine), Triple(link, GR.to, value)])
            dataset.add([Triple(link, GR.relation, Literal(relation))])
        asking = rule(select="SELECT ?claim ?v WHERE { ?claim gr:fits ?v }")
        found = [dict(v.bindings)["v"] for v in check(dataset, [asking]).violations]
        assert not [t for t in dataset.triples() if t.predicate == GR.fits]
        return found

    assert fits() == []
    assert fits(other) == []
    assert fits(other, same) == [same]
    assert fits(other, same, compared=("source-coarser", "claim-coarser")) == []
    assert fits(other, same, compared=("disjoint", "incomparable")) == []
