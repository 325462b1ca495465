"""The pages made from the rules."""

from __future__ import annotations

import re
from pathlib import Path

from groundrules import check
from tools import docs

ROOT = Path(__file__).parents[2]


def test_the_pages_are_up_to_date() -> None:
    assert docs.stale(ROOT, docs.shipped()) == [], "run python -m tools.docs"


def test_a_page_says_all_that_its_rule_does() -> None:
    for rule in docs.shipped():
        page = docs.page(rule)
        for part in (rule.id, rule.name, rule.summary, rule.why, rule.query.strip()):
            assert part in page
        assert all(f"**{test.name}**" in page for test in rule.tests)
        assert all(f"`{name}`" in page for name in rule.params)


def test_the_site_has_a_page_for_each_rule_and_none_of_no_rule(tmp_path: Path) -> None:
    rules = docs.shipped()
    (tmp_path / "gone.md").write_text("x", encoding="utf-8")
    (tmp_path / "README.md").write_text("the list", encoding="utf-8")

    docs.write_pages(tmp_path, rules)

    found = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.md")}
    assert found == {
        "README.md": "the list", **{f"{rule.name}.md": docs.page(rule) for rule in rules},
    }  # fmt: skip


def test_each_difference_that_the_page_on_verdicts_shows_refutes() -> None:
    page = (ROOT / "docs/explanation/verdicts.md").read_text("utf-8")
    rows = re.findall(r"^\| .+? \| (.+?\.) \| (.+?\.) \|$", page, re.MULTILINE)
    found = [check(text, context=source).statements[0].outcome for source, text in rows]
    assert found == ["refuted"] * 7
