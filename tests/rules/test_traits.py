"""No rule is known by its id: what sets rules apart stands in their files."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

import groundrules
from groundrules import Config, check
from groundrules.errors import RuleError
from groundrules.explain.contrast import headline
from groundrules.rules.packs import built_in, find_pack, load_packs
from groundrules.rules.rule import TRAITS, parse_rule

PACKAGE = Path(groundrules.__file__).parent
RULES = [rule for pack in load_packs(built_in()) for rule in pack.rules]
#: Where an id is an example that the user is shown.
EXAMPLES = {"claims/suppressions.py", "cli/main.py", "cli/rule.py", "rules/rule.py"}
LETTERS = {re.sub(r"\d+", "", rule.id) for rule in RULES}
ID = re.compile(rf"(?:{'|'.join(sorted(LETTERS))})\d{{1,4}}")


def told_apart(code: str) -> list[str]:
    """Return the strings of a module, its docstrings apart, that have an id or the start of one."""
    tree = ast.parse(code)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    strings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]
    begun = {
        word
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "startswith"
        for argument in node.args
        for part in ast.walk(argument)
        if isinstance(part, ast.Constant) and (word := part.value) in LETTERS
    }
    return [text for text in strings if re.search(rf"\b{ID.pattern}\b", text)] + sorted(begun)


@pytest.mark.parametrize(
    "code", ['RULE = "GR205"', 'rule in ("OWL101",)', 'v.rule.startswith("GR")', 's = f"KB4{x}"']
)
def test_an_id_is_found_where_it_stands(code):
    assert told_apart(code)


def test_an_id_in_a_docstring_and_other_words_are_none():
    assert not told_apart('"""As GR205."""\nx = "group 5 of 5 KB"\nx.startswith("KB ")')


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_no_module_knows_a_rule_by_its_id(path):
    if path.relative_to(PACKAGE).as_posix() not in EXAMPLES:
        assert told_apart(path.read_text(encoding="utf-8")) == []


TEXTS = {
    "The Tenant rents the flat from 1 April 2021. The Tenant shall pay a deposit of £2,600. The "
    "Tenant may sublet the flat. Mr Orlando Finch signed the lease. Dogs are welcome here.":
    "The Tenant rents the flat from 1 March 2021. The Tenant shall pay a deposit of £1,300. The "
    "Tenant shall not sublet the flat. Pets are not allowed.",
    "Bob Jones founded Acme Corp in 1991. Revenue tripled from 350 to 2,300. It has 31 offices.":
    "Alice Smith founded Acme Corp in 1990. Bob Jones joined Acme Corp in 1995. Revenue rose from "
    "350 to 2,300.",
    "The town built a new bridge over the Arve for 12 million euros. The bridge is not closed.":
    "The town built a new bridge over the Arve. The bridge is closed. It is a kilometre long.",
}  # fmt: skip


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


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_the_rules_of_a_house_are_treated_as_ours(renamed, text):
    ours = check(text, context=[TEXTS[text]])
    assert len({one.rule for one in ours.violations}) > 2
    assert outcome(check(text, context=[TEXTS[text]], config=renamed)) == outcome(ours)


def test_without_documents_nothing_is_missing(renamed):
    config = replace(renamed, ontology="legal")
    report = check("The Tenant pays the rent.", config=config)
    plain = check("The Tenant pays the rent.", config=Config(ontology="legal"))
    assert outcome(report) == outcome(plain)
    assert dict(report.run.params)["rules"] == dict(plain.run.params)["rules"]


def test_every_word_of_every_key_is_one_that_a_rule_has():
    for key, words in TRAITS.items():
        assert {getattr(rule.traits, key) for rule in RULES} == {"", *words}


def test_what_only_finds_counts():
    text = (find_pack("core") / "inverse.toml").read_text(encoding="utf-8")
    with pytest.raises(RuleError, match="'finds' belongs to a select rule"):
        parse_rule(
            text.replace("summary", 'finds = "conflict"\nsummary', 1).encode(), "inverse.toml"
        )
