import math
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.dataset import Dataset
from groundrules.errors import RuleError
from groundrules.rules.rule import load_rule, parse_rule, serialise, substitute, tokens
from groundrules.terms import Severity
from tests.rows import each

GOOD = """id = "XX101"
name = "good"
summary = "x"
message = "{claim}"
select = '''
SELECT ?claim ?score WHERE {
  ?claim a gr:Claim ; ours:is ?x .
  BIND ($part AS ?score)
}
'''
[params]
part = 0.5
threshold = 0.4
[prefixes]
ours = "urn:ours:"
[edit]
delete = "?claim"
[[test]]
name = "t"
expect = []
"""


JUDGE = 'summary = "x"\nverdict = '


def parse(text: str):
    return parse_rule(text.encode(), "house/good.toml")


def test_a_rule_is_read_with_its_defaults():
    rule = parse(GOOD)
    assert (rule.id, rule.name, rule.form, rule.line) == ("XX101", "good", "select", 6)
    assert rule.severity is Severity.ERROR
    assert rule.status == "stable"
    assert rule.columns == ("claim", "score")
    assert rule.params == {"part": 0.5, "threshold": 0.4}
    assert rule.edit is not None
    assert rule.edit.whole
    assert rule.tests[0].line == 18
    assert "BIND (0.5 AS ?score)" in substitute(rule)
    assert "BIND (0.25 AS ?score)" in substitute(rule, {"part": 0.25})


@each("old new place message")
def test_a_fault_is_named_with_its_place(old, new, place, message):
    assert old in GOOD
    with pytest.raises(RuleError) as caught:
        parse(GOOD.replace(old, new, 1))
    text = str(caught.value)
    assert message in text
    assert "\n" not in text
    if place is not None:
        assert text.startswith(f"house/good.toml:{place}: ")


def test_a_metric_needs_a_score():
    text = GOOD.replace("?claim ?score WHERE", "?claim WHERE").replace(
        "message", 'metric = "M"\nmessage', 1
    )
    with pytest.raises(RuleError, match=r"good.toml:4: a metric is the mean of \?score"):
        parse(text)


def test_a_verdict_is_on_a_claim():
    text = GOOD.replace("SELECT ?claim ?score", "SELECT ?score").replace("{claim}", "x")
    text = text.replace('summary = "x"', f'{JUDGE}"conflicting"').replace('"?claim"', '"[] a []"')
    with pytest.raises(RuleError, match=r"good\.toml:4: a verdict is on \?claim"):
        parse(text)


def test_a_rule_that_reads_verdicts_says_what_it_says():
    text = GOOD.replace("ours:is ?x", "gr:verdict ?x").replace(
        '[prefixes]\nours = "urn:ours:"\n', ""
    )
    rule = parse(text.replace('summary = "x"', f'{JUDGE}"refuted"'))
    assert rule.reads_verdicts
    with pytest.raises(RuleError, match="reads no verdicts"):
        parse(text.replace('summary = "x"', f'{JUDGE}"refuted"\ndenied = "y"'))


def test_a_construct_rule_finds_nothing():
    text = GOOD.replace("select", "construct", 1).replace('[edit]\ndelete = "?claim"\n', "")
    text = text.replace("SELECT ?claim ?score WHERE", "CONSTRUCT { ?claim a ?score } WHERE", 1)
    with pytest.raises(RuleError, match=r"good\.toml:4: 'message' belongs to a select rule"):
        parse(text)


@pytest.mark.parametrize("node", ["[]", "_:new", "[ a ?x ]"])
def test_a_construct_rule_makes_no_blank_nodes(node):
    text = f"""id = "XX101"
name = "good"
summary = "x"
construct = "CONSTRUCT {{ ?s ?p {node} }} WHERE {{ GRAPH ?g {{ ?s ?p ?x }} }}"
"""
    with pytest.raises(RuleError, match=r"good\.toml:4:\d+: blank nodes are refused"):
        parse(text)


def test_words_in_strings_comments_names_and_iris_are_no_keywords():
    query = """
SELECT ?claim ?score ?service WHERE { # FROM here
  ?claim a gr:Claim ; ours:SERVICE ?service ; <urn:FROM> "NOW() $no" .
  BIND ($part AS ?score)
}
"""
    start, end = GOOD.index("\nSELECT"), GOOD.index("'''\n[params]")
    rule = parse(GOOD[:start] + query + GOOD[end:])
    assert '"NOW() $no"' in substitute(rule)


def test_files_that_are_not_rules_are_one_line(tmp_path):
    with pytest.raises(RuleError, match="cannot be read"):
        load_rule(tmp_path / "none.toml")
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(RuleError, match="not a file"):
        load_rule(tmp_path / "pipe.toml")
    (tmp_path / "big.toml").write_bytes(b"#" * 70_000)
    with pytest.raises(RuleError, match="larger than"):
        load_rule(tmp_path / "big.toml")
    with pytest.raises(RuleError, match=r"x\.toml:2: not UTF-8"):
        parse_rule(b"# \n\xff", "x.toml")


LIKE = 'id = "XX102"\nname = "other"\nlike = "good"\nsummary = "y"\n'


def test_a_rule_that_is_like_another_has_of_it_what_it_does_not_say_itself(tmp_path):
    (tmp_path / "good.toml").write_text(GOOD)
    other = tmp_path / "other.toml"
    other.write_text(LIKE + "[params]\npart = 0.25\n")
    rule, like = load_rule(other), load_rule(tmp_path / "good.toml")
    assert (rule.id, rule.summary, rule.tests) == ("XX102", "y", ())
    assert (rule.query, rule.message, rule.edit) == (like.query, like.message, like.edit)
    assert rule.params == {"part": 0.25, "threshold": 0.4}
    (tmp_path / "good.toml").write_text(GOOD.replace("0.4", "0.3"))
    assert load_rule(other).params["threshold"] == 0.3
    assert load_rule(other).digest != rule.digest


@each("name message")
def test_a_rule_is_like_one_beside_it_that_is_like_none(name, message, tmp_path):
    (tmp_path / "good.toml").write_text(GOOD)
    (tmp_path / "other.toml").write_text(LIKE.replace("good", name))
    with pytest.raises(RuleError) as caught:
        load_rule(tmp_path / "other.toml")
    assert str(caught.value) == f"{tmp_path}/{message}"


@given(st.binary(max_size=200))
def test_no_bytes_bring_the_reader_down(data):
    with pytest.raises(RuleError):
        parse_rule(data, "x.toml")


@given(st.text(max_size=60), st.integers(0, len(GOOD)))
def test_no_scribble_brings_the_reader_down(scribble, at):
    try:
        parse((GOOD[:at] + scribble + GOOD[at:]).encode("utf-8", "replace").decode())
    except RuleError as error:
        assert "\n" not in str(error)  # noqa: PT017


@given(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"])),
        st.integers(-(10**6), 10**6),
        st.floats(-1e6, 1e6),
        st.booleans(),
    )
)
def test_a_parameter_is_one_literal_whatever_it_holds(value):
    rows = Dataset().query(f"SELECT ({serialise(value)} AS ?x) {{}}")
    found = rows[0]["x"].toPython()
    if isinstance(value, float):
        assert math.isclose(float(found), value, abs_tol=1e-12)
    else:
        assert found == value


def test_tokens_know_their_place():
    query = "SELECT ?a { ?a rdf:type 'x' } # end"
    assert [(kind, text) for kind, text, _ in tokens(query)] == [
        ("word", "SELECT"),
        ("variable", "?a"),
        ("variable", "?a"),
        ("prefixed", "rdf:type"),
    ]
    assert all(query[at : at + len(text)] == text for _, text, at in tokens(query))
