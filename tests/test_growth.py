"""Laws that keep the cost of a check near linear: what is equal is judged once, what is no text
is not read as one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import Config, Document, SourceError, check
from groundrules.align import alignments, closest_sentences
from groundrules.checks import judge
from groundrules.claims.documents.document import LONGEST_WORD, shortened
from groundrules.explain import repair
from groundrules.rules import engine
from groundrules.terms import Outcome

LEASE = "Karim Lund owns Amber Glass. The Tenant shall pay $40 to Karim Lund by May 2, 2021."
WRONG = "The Tenant shall pay $50 to Karim Lund by May 2, 2021. "


def calls(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, text: str) -> int:
    """Return how often a function is called in a check."""
    count = 0
    real = getattr(place, name)

    def counted(*args: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        return real(*args, **named)

    alignments._of_texts.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(place, name, counted)
        report = check(text, context=[LEASE])
    assert {one.outcome for one in report.statements} == {Outcome.REFUTED}
    return count


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (alignments, "account"),
        (alignments, "by_cells"),
        (closest_sentences, "compare"),
        (closest_sentences, "difference"),
    ],
    ids=["account", "by_cells", "compare", "difference"],
)
def test_equal_statements_are_compared_once(
    monkeypatch: pytest.MonkeyPatch, place: Any, name: str
) -> None:
    few = calls(monkeypatch, place, name, WRONG * 6)
    assert few == calls(monkeypatch, place, name, WRONG * 12)


def test_the_edits_of_equal_claims_are_tried_together(monkeypatch: pytest.MonkeyPatch) -> None:
    few = calls(monkeypatch, engine, "check", WRONG * 4)
    assert few == calls(monkeypatch, engine, "check", WRONG * 8)


def test_a_text_read_again_with_its_edits_has_none_of_its_own_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[int] = []
    real = repair.verify_all

    def counted(violations: Any, *args: Any, **named: Any) -> Any:
        tried.append(len(violations))
        return real(violations, *args, **named)

    monkeypatch.setattr(judge, "verify_all", counted)
    report = check(WRONG, context=[LEASE])
    assert any(one.edit and one.edit.verified for one in report.violations)
    assert len(tried) == 1


def test_a_word_too_long_to_be_read_leaves_its_statement_unverifiable() -> None:
    text = f"Karim Lund owns Amber Glass. The key is {'ab1' * 400}. Karim Lund owns Amber Glass."
    report = check(text, context=[LEASE])
    assert [one.outcome for one in report.statements] == [
        Outcome.SUPPORTED,
        Outcome.UNVERIFIABLE,
        Outcome.SUPPORTED,
    ]
    assert report.statements[1].reason == "unread"
    assert report.statements[1].note == "a word of 1,200 characters"
    assert report.text == text


def test_a_word_too_long_in_a_context_is_told() -> None:
    report = check("Karim Lund owns Amber Glass.", context=[f"{LEASE} {'0123456789' * 200}"])
    assert report.unread == ("context1: a word of 2,000 characters is not read",)
    assert report.statements[0].outcome is Outcome.SUPPORTED


def test_a_text_of_signs_is_refused_in_one_line() -> None:
    with pytest.raises(SourceError, match="too long: expected at most 100,000 words") as told:
        check(f"{'(),.;' * 100} " * 1_000, context=[LEASE], config=Config())
    assert "\n" not in str(told.value)


@given(st.integers(0, 2 * LONGEST_WORD), st.sampled_from(["a", "(", "0", "🔥"]))
def test_only_words_longer_than_the_bound_are_cut_and_all_keeps_its_place(
    size: int, sign: str
) -> None:
    document = Document("text", f"One {sign * size} two.")
    short, cut = shortened(document)
    assert cut == (((4, 4 + size),) if size > LONGEST_WORD else ())
    assert len(short.text) == len(document.text)
    assert short.text.split()[::2] == ["One", "two."] if size else not cut


@pytest.mark.parametrize(
    ("text", "form"),
    [("租户应支付租金" * 1_000, "txt"),
     (f"See [the plan](https://a.example/{'x' * 1500}) first.", "md")],
)  # fmt: skip
def test_a_script_without_spaces_and_what_markdown_hides_has_no_word_too_long(
    text: str, form: str
) -> None:
    document = Document("text", text, form)
    assert shortened(document) == (document, ())
