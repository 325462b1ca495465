"""The pages made from the rules."""

from __future__ import annotations

from pathlib import Path

from groundrules.cli import docs

ROOT = Path(__file__).parents[2]


def test_the_pages_are_up_to_date() -> None:
    late = docs.stale(ROOT, docs.shipped())

    assert late == [], "run python -m groundrules.cli.docs"


def test_a_page_says_all_that_its_rule_does() -> None:
    for rule in docs.shipped():
        page = docs.page(rule)
        for part in (rule.id, rule.name, rule.summary, rule.why, rule.query.strip()):
            assert part in page
        assert all(f"**{test.name}**" in page for test in rule.tests)
        assert all(f"`{name}`" in page for name in rule.params)


def test_a_page_tells_how_precise_its_rule_was() -> None:
    rule = docs.shipped()[0]
    page = docs.page(rule, {rule.id: {"ours": {"wrong": 3, "true": 1}}})
    assert "| ours | 3 | 1 | 0.75 |" in page
    assert "## Measured" not in docs.page(rule, {"another": {"ours": {"wrong": 3, "true": 1}}})


def test_writing_makes_missing_pages_and_removes_those_of_no_rule(tmp_path: Path) -> None:
    rules = docs.shipped()
    readme = tmp_path / "README.md"
    readme.write_text(
        "a\n<!-- rules: begin -->\nprevious\n<!-- rules: end -->\nb\n", encoding="utf-8"
    )
    gone = tmp_path / "docs" / "rules" / "gone.md"
    gone.parent.mkdir(parents=True)
    gone.write_text("x", encoding="utf-8")

    docs.write(tmp_path, rules)

    assert docs.stale(tmp_path, rules) == []
    assert not gone.exists()
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("a\n<!-- rules: begin -->\n| rule |")
    assert text.endswith("\n<!-- rules: end -->\nb\n")
    assert "previous" not in text
    assert docs.write(tmp_path, rules) == []
