"""No rule is known by its id: what sets rules apart stands in their files."""

import ast
import re
from pathlib import Path

import pytest

import groundrules
from groundrules import Config, check
from groundrules.errors import RuleError
from groundrules.explain.contrast import headline
from groundrules.rules.packs import built_in, find_pack, load_packs
from groundrules.rules.rule import TRAITS, parse_rule
from tests.rows import each

PACKAGE = Path(groundrules.__file__).parent
RULES = [rule for pack in load_packs(built_in()) for rule in pack.rules]
#: Where an id is an example that the user is shown.
EXAMPLES = {"claims/documents/suppressions.py", "cli/main.py", "cli/rule.py", "rules/rule.py"}
LETTERS = {re.sub(r"\d+", "", rule.id) for rule in RULES}
ID = re.compile(rf"\b(?:{'|'.join(sorted(LETTERS))})\d{{1,4}}\b")


def told_apart(code: str) -> list[str]:
    """Return the strings of a module, its docstrings apart, that have the id of a rule."""
    if not ID.search(code):
        return []
    tree = ast.parse(code)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        if ID.search(node.value)
    ]


def test_no_module_knows_a_rule_by_its_id():
    assert told_apart('"""As GR205."""\nx = "group 5 of KB"') == []
    assert told_apart('RULE = "GR205"\ns = f"KB4{x} of OWL101"') == ["GR205", "KB4", " of OWL101"]
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).as_posix() not in EXAMPLES:
            assert told_apart(path.read_text(encoding="utf-8")) == [], path


@pytest.fixture(scope="module")
def renamed(tmp_path_factory):
    """Return our packs that compare texts as packs of a house, whose ids begin with HX."""
    folder = tmp_path_factory.mktemp("packs")
    for name in ("core", "values"):
        (folder / name).mkdir()
        for path in find_pack(name).glob("*.toml"):
            text = re.sub(r"\b(?:GR|DR)(\d{3})\b", r"HX\1", path.read_text(encoding="utf-8"))
            (folder / name / path.name).write_text(text, encoding="utf-8")
    return Config(packs=("./core", "./values"), base=folder)


def outcome(report):
    """Return what a report says, ours as the house calls it."""

    def called(word):
        return re.sub(r"^GR(?=\d)", "HX", word)

    return (
        [(one.text, one.outcome, called(one.reason), one.note) for one in report.statements],
        [(one.outcome, called(one.reason), one.stage) for one in report.verdicts],
        [(called(one.rule), one.severity, headline(one, report)) for one in report.violations],
        report.metrics,
        report.conforms,
    )


@each("text source")
def test_the_rules_of_a_house_are_treated_as_ours(renamed, text, source):
    ours = check(text, context=[source])
    assert len({one.rule for one in ours.violations}) > 2
    assert outcome(check(text, context=[source], config=renamed)) == outcome(ours)


def test_every_word_of_every_key_is_one_that_a_rule_has():
    for key, words in TRAITS.items():
        assert {getattr(rule.traits, key) for rule in RULES} == {"", *words}


def test_what_only_finds_counts():
    text = (find_pack("core") / "inverse.toml").read_text(encoding="utf-8")
    with pytest.raises(RuleError, match="'finds' belongs to a select rule"):
        parse_rule(
            text.replace("summary", 'finds = "conflict"\nsummary', 1).encode(), "inverse.toml"
        )
