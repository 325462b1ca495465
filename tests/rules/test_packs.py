"""Every rule that ships: its own tests, its documentation, and rdflib as the oracle."""

from collections import Counter
from functools import cache

import pytest
import rdflib
from rdflib.plugins.sparql import prepareQuery
from rdflib.term import BNode, Literal

from groundrules.checks.case import build
from groundrules.checks.testing import case_of, cases, run_test
from groundrules.dataset import Dataset
from groundrules.errors import ConfigError, RuleError
from groundrules.rules.engine import apply_edit, check
from groundrules.rules.packs import built_in, find_rule, load_pack, load_packs
from groundrules.rules.rule import substitute
from groundrules.terms import GR
from tests.installed import register
from tests.rows import each

RULES = [rule for pack in load_packs(built_in()) for rule in pack.rules]
CASES = [pytest.param(r, t, id=f"{r.id}::{t.name}") for r, t in cases(RULES)]


def first_of_each(key):
    """Return the first test of each rule for each value of a key, where it has one."""
    found = {(r.id, key(r, t)): pytest.param(r, t, id=f"{r.id}::{t.name}")
             for r, t in reversed([*cases(RULES)])}  # fmt: skip
    return [case for (_, value), case in found.items() if value is not None]


@pytest.mark.parametrize(("rule", "test"), CASES)
def test_packs(rule, test):
    assert run_test(rule, test) == []


@pytest.mark.parametrize(("rule", "test"), first_of_each(lambda rule, test: test.fixed and True))
def test_an_edit_starts_no_other_rule_of_the_house(rule, test):
    dataset = build(case_of(rule, test))
    before = check(dataset, RULES)
    fired = {(v.rule, v.claim) for v in before.violations}
    own = [v for v in before.violations if v.rule == rule.id]
    assert own
    for violation in own:
        with dataset.trying():
            apply_edit(dataset, violation.edit, violation.claim.id)
            after = check(dataset, RULES, claims={violation.claim.id: violation.claim})
        started = {(v.rule, v.claim) for v in after.violations} - fired
        assert started == set()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")
@pytest.mark.parametrize(
    ("rule", "test"),
    first_of_each(lambda rule, test: bool(test.expect) if rule.form == "select" else None),
)
def test_rdflib_gives_the_same_rows(rule, test):
    dataset = build(case_of(rule, test))
    ours = Counter(_row(row) for row in dataset.query(substitute(rule), rule.prefixes))
    result = _oracle(dataset).query(_parsed(substitute(rule), tuple(rule.prefixes.items())))
    theirs = Counter(
        _row({str(k): v for k, v in row.items() if v is not None}) for row in result.bindings
    )
    assert ours == theirs


@cache  # rdflib reads a query for longer than it answers it
def _parsed(query: str, prefixes: tuple[tuple[str, str], ...]):
    return prepareQuery(query, initNs=dict(prefixes))


def _oracle(dataset: Dataset) -> rdflib.Dataset:
    oracle = rdflib.Dataset()
    for triple in dataset.triples():
        oracle.add((triple.subject, triple.predicate, triple.object))
    for name in dataset.graphs():
        graph = oracle.graph(name)
        for triple in dataset.triples(name):
            graph.add((triple.subject, triple.predicate, triple.object))
    return oracle


def _row(row):
    def text(node):
        if isinstance(node, BNode):
            return "_:"
        number = node.toPython() if isinstance(node, Literal) else None
        # The engines differ in the datatype of a computed number, not in its value.
        if hasattr(number, "__float__") and not isinstance(number, bool):
            return repr(round(float(number), 9))
        return node.n3()

    return tuple(sorted((name, text(node)) for name, node in row.items()))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_is_documented_and_tested(rule):
    assert rule.summary
    assert not rule.summary.endswith(".")
    assert len(rule.why) > 40
    names = [test.name for test in rule.tests]
    assert len(set(names)) == len(names)
    if rule.form == "construct":
        assert any(test.derives for test in rule.tests)
        assert any(test.derives == "" for test in rule.tests)
        return
    if rule.metric and rule.params.get("threshold") == 0:
        # It reports nothing unless its threshold is set, see tests/rules/test_engine.py.
        assert all(test.expect == () for test in rule.tests)
        assert len({test.metric for test in rule.tests}) > 1
    else:
        assert any(test.expect for test in rule.tests)
    assert any(test.expect == () for test in rule.tests)
    if rule.metric:
        assert any(test.metric is not None for test in rule.tests)
    if rule.edit:
        # A case for the edit, and every faulty case says what the edit leaves.
        faulty = [t for t in rule.tests if check(build(case_of(rule, t)), [rule]).violations]
        assert faulty
        if any(triple.predicate == GR.words for triple in rule.edit.delete):
            # What an exchange of words leaves only a second reading tells, see `repair.settle`.
            assert all(exchanges_words(rule, test) for test in faulty)
        else:
            assert all(test.fixed is not None for test in faulty)
    if rule.verdict:
        assert rule.verdict in [test.outcome for test in rule.tests]
    if rule.denied:
        assert {"supported", "refuted"} <= {test.outcome for test in rule.tests}


def exchanges_words(rule, test):
    """Return whether each edit puts the words of the source in place of those of the text."""
    found = check(build(case_of(rule, test)), [rule]).violations
    rows = [(dict(violation.bindings), violation.edit) for violation in found]
    return all(
        [(one.action, one.triple.object) for one in edit.operations]
        == [("DELETE", row["claimed"]), ("ADD", row["stated"])]
        for row, edit in rows
    )


def test_ids_are_unique_and_supersede_each_other_by_name():
    ids = [rule.id for rule in RULES]
    assert len(set(ids)) == len(ids)
    assert {loser for rule in RULES for loser in rule.supersedes} <= set(ids)
    assert {"GR101", "GR102", "GR201", "GR204", "GR301", "GR900", "DR001"} <= set(ids)


RULE = """id = "{id}"
name = "{name}"
summary = "x"
message = "x"
select = "SELECT ?claim WHERE {{ ?claim a gr:Claim }}"
"""


def write(folder, *names):
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(names):
        (folder / f"{name}.toml").write_text(RULE.format(id=f"XX10{number}", name=name))
    return folder


def test_a_folder_is_a_pack(tmp_path):
    write(tmp_path / "ours", "one", "two")
    core, ours = load_packs(["core", "./ours", "core"], base=tmp_path)
    assert [rule.id for rule in ours.rules] == ["XX100", "XX101"]
    assert core.name == "core"
    assert find_rule("xx101", [core, ours]).name == "two"
    assert find_rule("role-swap", [core, ours]).id == "GR204"


def test_an_installed_package_is_a_pack(tmp_path, monkeypatch):
    write(tmp_path / "house_rules_pack", "one")
    register(
        tmp_path, {"groundrules.packs": {"house": "house_rules_pack", "gone": "no.such.package"}}
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert [rule.id for rule in load_pack("house").rules] == ["XX100"]
    with pytest.raises(ConfigError, match="not an installed package"):
        load_pack("gone")
    with pytest.raises(ConfigError, match="did you mean 'house'"):
        load_pack("hose")


def test_an_id_may_not_occur_twice(tmp_path):
    write(tmp_path / "a", "one")
    write(tmp_path / "b", "one")
    with pytest.raises(RuleError, match=r"b/one.toml: id XX100 is taken by .*a/one.toml"):
        load_packs(["./a", "./b"], base=tmp_path)


@each("name message")
def test_a_pack_that_is_not_there_is_named(tmp_path, name, message):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=message):
        load_pack(name, tmp_path)
