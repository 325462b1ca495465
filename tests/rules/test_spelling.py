"""Terms that no vocabulary has, in queries, templates, tests and shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.cli.new import rule_text
from groundrules.dataset import PREFIXES
from groundrules.errors import RuleError
from groundrules.rules.packs import built_in, load_packs
from groundrules.rules.rule import parse_rule
from groundrules.rules.shapes import read_shapes
from groundrules.rules.spelling import unknown_terms
from tests.rows import each

RULE = rule_text("HR001", "bare-guarantee")
PATH = "house/bare-guarantee.toml"
SHAPE = """\
@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:shape> a sh:NodeShape ;
  sh:targetClass <urn:Loan> ;
  sh:property [ sh:path <urn:lender> ; sh:minCont 1 ] .
"""


def line_of(text: str, word: str) -> int:
    return text.count("\n", 0, text.index(word)) + 1


@each("right wrong meant")
def test_a_term_that_its_vocabulary_lacks_is_told_with_its_line_and_the_nearest(
    right: str, wrong: str, meant: str
) -> None:
    text = RULE.replace(right, wrong)

    with pytest.raises(RuleError, match=f"is unknown; did you mean '{meant}'") as caught:
        parse_rule(text.encode(), PATH)

    assert caught.value.line == line_of(text, wrong)


def test_a_term_like_no_other_is_told_with_its_vocabulary() -> None:
    (found,) = unknown_terms("?x a gr:Zzyzx", PREFIXES)

    assert found == ("gr:Zzyzx is unknown; no such term is in https://groundrules.dev/ns#", 5)


def test_texts_and_comments_and_own_vocabularies_may_have_any_word() -> None:
    text = "# gr:Clam\n?x a own:Clam ; rdf:_1 'gr:Clam' . PREFIX own: <urn:own:>"

    assert list(unknown_terms(text, {**PREFIXES, "own": "urn:own:"})) == []


def test_a_misspelt_constraint_of_a_shape_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "loans.shacl.ttl"
    path.write_text(SHAPE, encoding="utf-8")

    with pytest.raises(RuleError, match="sh:minCont is unknown; did you mean") as caught:
        read_shapes([path])

    assert (caught.value.path, caught.value.line) == (str(path), 4)


@each("text told")
def test_shapes_that_would_run_nothing_are_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "loans.shacl.ttl"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(RuleError, match=told):
        read_shapes([path])


@pytest.mark.parametrize("name", ["claim", "c"])
def test_a_query_about_claims_says_about_which(name: str) -> None:
    text = RULE.replace("SELECT ?claim ?s", "SELECT ?s").replace("?claim a", f"?{name} a")
    text = text.replace('delete        = "?claim"', 'delete = "?s ?p ?o"')

    with pytest.raises(RuleError, match=rf"has \?{name} and no column \?claim") as caught:
        parse_rule(text.encode(), PATH)

    assert caught.value.line == line_of(text, "select =")


@each("query")
def test_a_query_about_the_whole_text_has_no_claim(query: str) -> None:
    text = f"id = 'HR009'\nname = 'all'\nsummary = 'x'\nmessage = 'x'\nselect = '''{query}'''\n"

    assert "claim" not in parse_rule(text.encode(), "house/all.toml").columns


def test_the_packs_that_ship_have_no_unknown_term() -> None:
    assert all(pack.rules for pack in load_packs(built_in()))
