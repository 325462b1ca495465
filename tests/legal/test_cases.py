"""Small documents in Turtle, faulty or odd but correct: packs owl and legal on each, and HermiT.

`legal.json` are the cases that were given, `further.json` those of our own: `expect` names the
rules, `hermit` says what HermiT makes of the case under unique names, or why it cannot tell.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from groundrules.checks.testing import CONTEXT, read_claims
from groundrules.dataset import PREFIXES, Dataset, parse_turtle
from groundrules.ontology.close import close
from groundrules.ontology.load import load
from groundrules.ontology.reasoner import cross_check, find_hermit, find_java
from groundrules.rules.engine import check
from groundrules.rules.packs import load_packs
from groundrules.terms import Severity

FOLDER = Path(__file__).parents[1] / "cases" / "ontology"
GIVEN = json.loads((FOLDER / "legal.json").read_text("utf-8"))["cases"]
FURTHER = json.loads((FOLDER / "further.json").read_text("utf-8"))["cases"]
EX = "http://ex/"
LEGAL = {"lx": "https://w3id.org/groundrules/legal#"}
DATES = "undecided: an order of dates is no axiom"

#: The rules that catch each given case, and what HermiT makes of it.
CAUGHT = {
    "ok_lease": ([], "consistent"),
    "lease_same_party": (["OWL101"], "inconsistent"),
    "judge_is_org": (["LAW023"], "inconsistent"),
    "person_and_court": (["OWL102"], "inconsistent"),
    "decision_is_statute": (["OWL102"], "inconsistent"),
    "two_decision_dates": (["OWL103"], "inconsistent"),
    "two_courts_noUNA": (["OWL103"], "inconsistent"),
    "two_courts_UNA": (["OWL103"], "inconsistent"),
    "plaintiff_eq_defendant": (["LAW034"], "inconsistent"),
    "self_repeal": (["OWL109"], "inconsistent"),
    "mutual_repeal": (["OWL110"], "inconsistent"),
    "claim_depends_on_itself": (["OWL109"], "inconsistent"),
    "claim_cycle3": (["OWL111"], "undecided: no axiom says that a property has no circles"),
    "indep_claim_depends": (["LAW054"], "inconsistent"),
    "dependent_without_parent": (["OWL120"], "undecided: in an open world nothing is missing"),
    "decision_before_filing": (["LAW020"], DATES),
    "expires_before_effective": (["OWL125"], DATES),
    "grant_before_filing": (["LAW050"], DATES),
    "same_cite_two_decisions": (["OWL124"], "undecided: keys under unique names"),
    "two_cites_same_reporter": (["LAW027"], "undecided: no axiom says one citation a reporter"),
    "obligation_bearer_eq_counterparty": (["OWL101"], "inconsistent"),
    "obligation_and_prohibition": (["OWL102"], "inconsistent"),
    "contract_filingdate_domain_trap": (["OWL123"], "consistent"),
    "negative_amount": (["LAW007"], "undecided: numbers are not compared"),
    "two_gov_law": (["OWL121"], "inconsistent"),
}
CASES = [
    *({**case, "expect": CAUGHT[case["name"]][0], "hermit": CAUGHT[case["name"]][1]}
      for case in GIVEN),
    *FURTHER,
]  # fmt: skip


@pytest.fixture(scope="module")
def legal():
    ontology = load("legal")
    rules = [rule for pack in load_packs(("owl", "legal")) for rule in pack.rules]
    return ontology, rules


@pytest.fixture(scope="module")
def violations(legal):
    """What is found in a case, by its name; each is checked once."""
    made = {}

    def find(case):
        if case["name"] not in made:
            made[case["name"]] = found(case, *legal)
        return made[case["name"]]

    return find


def found(case, ontology, rules):
    prefixes = {**PREFIXES, **LEGAL, "": EX}
    dataset = Dataset()
    dataset.add_assertions(read_claims(case["turtle"], "claim", prefixes))
    dataset.add_evidence(read_claims(case.get("context", ""), "evidence", prefixes), CONTEXT)
    house = parse_turtle(case.get("axioms", ""), prefixes=prefixes)
    if house:
        dataset.add(close([*ontology.axioms, *house]))
    else:
        dataset.add_axioms(ontology.axioms)
    return check(dataset, rules).violations


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_each_case_is_caught_by_its_rules_and_no_others(case, violations):
    assert sorted({v.rule for v in violations(case)}) == sorted(case["expect"])
    for violation in violations(case):
        assert violation.claim is not None
        assert violation.because
        assert violation.axioms or violation.evidence or not violation.rule.startswith("OWL")


@pytest.mark.parametrize(
    "case", [c for c in FURTHER if c["correct"]], ids=lambda case: case["name"]
)
def test_what_only_looks_odd_is_no_error(case, violations):
    assert [v.rule for v in violations(case) if v.severity is Severity.ERROR] == []


def test_the_cases_are_many_and_half_of_them_correct(legal):
    assert len(GIVEN) == len(CAUGHT) == 25
    assert len(FURTHER) >= 40
    assert 2 * sum(case["correct"] for case in FURTHER) >= len(FURTHER)
    assert len({case["name"] for case in CASES}) == len(CASES)
    assert {case["area"] for case in FURTHER} == {"contract", "judgment", "statute", "patent"}
    reached = Counter(rule for case in CASES for rule in case["expect"])
    # what is told before what is no statement of a case
    owl = {rule.id for rule in legal[1] if rule.id.startswith("OWL")} - {"OWL126"}
    assert owl - set(reached) == set()


DECIDED = [case for case in CASES if not case["hermit"].startswith("undecided: ")]


@pytest.mark.slow
@pytest.mark.parametrize("case", DECIDED[::6], ids=lambda case: case["name"])
def test_hermit_agrees_where_it_can_tell(case, legal):
    if find_java() is None or find_hermit() is None:
        pytest.skip("no Java or no owlready2: pip install 'groundrules[reasoner]'")
    prefixes = {**PREFIXES, **LEGAL, "": EX}
    said = " ".join(case.get(part, "") for part in ("turtle", "context", "axioms"))
    axioms = parse_turtle(legal[0].path.read_text("utf-8"), path="legal.ttl")
    found = cross_check([*axioms, *parse_turtle(said, prefixes=prefixes)], timeout=300)
    assert found.consistent is (case["hermit"] == "consistent"), found.reason
