from collections.abc import Iterable

import pytest

from groundrules.checks.testing import Failure, cases, run_test
from groundrules.rules.rule import Rule, parse_rule

HEAD = """id = "XX101"
name = "x"
summary = "x"
message = "x"
metric = "M"
select = '''
SELECT ?claim ?s ?score WHERE {
  ?claim a gr:Claim ; rdf:subject ?s ; gr:polarity ?polarity .
  BIND (IF(?polarity = "negative", 0.0, 1.0) AS ?score)
}
'''
[edit]
delete = "?claim"
[[test]]
name = "t"
"""
DENIED = """claims = '''
[] rdf:subject :a ; rdf:predicate :b ; rdf:object :c ; gr:polarity "negative" .
'''
"""


def run_tests(rules: Iterable[Rule]) -> list[Failure]:
    """Run every test of the rules and return those that fail."""
    return [Failure(rule, test, one) for rule, test in cases(rules) for one in run_test(rule, test)]


def failures(test: str) -> list[str]:
    return [str(f) for f in run_tests([parse_rule((HEAD + test).encode(), "x.toml")])]


@pytest.mark.parametrize(
    "test",
    [
        "expect = []\n",
        "claims = ':a :b :c .'\nexpect = []\nmetric = 1\n",
        DENIED + "expect = [{ s = ':a', score = '0' }]\nmetric = 0.0\nfixed = ''\n",
        DENIED + "expect = [{}]\n",
    ],
)
def test_a_true_test_passes(test):
    assert failures(test) == []


@pytest.mark.parametrize(
    ("test", "message"),
    [
        (DENIED + "expect = []\n", "unexpected violation: claim = <urn:test:claim1>"),
        (DENIED + "expect = [{ s = ':b' }]\n", "no violation with s = "),
        (DENIED + "expect = [{}, {}]\n", "no violation with any columns"),
        (DENIED + "metric = 0.5\n", "M is 0.0, not 0.5"),
        ("metric = 1.0\n", "M is None"),
        (DENIED + "fixed = ':a :b :c .'\n", "the edit leaves []"),
        ("claims = ':a :b :c .'\nfixed = ':a :b :c .'\n", "nothing to fix"),
        ("claims = ':a :b'\n", "not Turtle"),
        (DENIED + "expect = [{ s = '; .' }]\n", "not Turtle"),
        ("claims = ':x rdf:subject :a .'\n", "has rdf:subject but not"),
        (DENIED.replace("negative", "no"), "polarity 'no'; expected positive, negative"),
        (DENIED.replace('polarity "negative"', 'modality "maybe"'), "modality 'maybe'; expected"),
    ],
)
def test_a_false_test_fails_and_says_how(test, message):
    text = failures(test)[0]
    assert text.startswith("x.toml:14: XX101::t: ")
    assert message in text


def test_an_edit_that_does_not_silence_its_rule_fails():
    idle = 'delete = "?s rdf:subject ?s"'
    text = HEAD.replace('delete = "?claim"', idle)
    rule = parse_rule((text + DENIED + "fixed = ''\n").encode(), "x.toml")
    assert "still fires after its edit" in "\n".join(map(str, run_tests([rule])))


def test_what_is_derived_is_compared_both_ways():
    text = """id = "XX101"
name = "x"
summary = "x"
construct = "CONSTRUCT { ?o ?p ?s } WHERE { GRAPH ?g { ?s ?p ?o } }"
[[test]]
name = "t"
context = ":a :b :c ."
derives = ":a :c :b ."
"""
    messages = [f.message for f in run_tests([parse_rule(text.encode(), "x.toml")])]
    assert messages == [
        "does not derive <urn:test:a> <urn:test:c> <urn:test:b>",
        "derives <urn:test:c> <urn:test:b> <urn:test:a>",
    ]


VERDICT = HEAD.replace('metric = "M"', 'verdict = "refuted"\ndenied = "y"').replace(
    "BIND (IF(?polarity", "BIND (0 AS ?score) FILTER (IF(?polarity"
).replace("0.0, 1.0) AS ?score)", "true, true))")  # fmt: skip


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("claims = ':a :b :c .'\nexpect = [{ s = ':a' }]\noutcome = 'refuted'\n", ""),
        (DENIED + "expect = [{ s = ':a' }]\noutcome = 'supported'\n", ""),
        ("expect = []\n", ""),
        ("claims = ':a :b :c .'\nexpect = []\n", "unexpected ruling: "),
        ("claims = ':a :b :c .'\nexpect = [{}, {}]\n", "no ruling with any columns"),
        (DENIED + "outcome = 'refuted'\n", "the outcome is supported, not refuted"),
        ("outcome = 'refuted'\n", "the outcome is none, not refuted"),
    ],
)
def test_a_verdict_is_tested_by_its_rulings(test, message):
    found = run_tests([parse_rule((VERDICT + test).encode(), "x.toml")])
    assert [message in str(failure) for failure in found] == [True] * bool(message)
