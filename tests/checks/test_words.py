"""What a report says of a statement is in the words of both texts, and nothing is open unsaid."""

from __future__ import annotations

from functools import lru_cache

from groundrules import Config, check
from groundrules.claims.documents.document import Document
from groundrules.terms import Outcome, Report

RULES = """# Rowing club

1. The boathouse opens at 6:30 on weekdays and is closed on Mondays. Juniors pay £90 a year.
2. Juniors must not row alone. Irma Voss trained Paul Lang. At least four pupils share a boat.
3. Footfall rose by 8% in 2023 because of the new pontoon.
"""
ANSWER = (
    "Juniors pay £95 a year. Juniors row alone. Paul Lang trained Irma Voss. At most four pupils "
    "share a boat. Footfall fell by 8% in 2023. Footfall rose because of the bridge. Kayaks cost "
    "more. The chairman, Otto Reim, swims."
)


@lru_cache(maxsize=2)
def _report(select: tuple[str, ...] = ()) -> Report:
    sources = [Document("rules.md", RULES)]
    return check(Document("answer.txt", ANSWER), context=sources, config=Config(select=select))


def test_every_message_of_a_contradiction_quotes_the_text_and_the_source() -> None:
    told = [one for one in _report().violations if one.traits.finds == "conflict"]

    assert len(told) >= 5
    assert [one.message for one in told if one.message.count("“") < 2] == []


def test_no_message_and_no_note_tells_a_triple() -> None:
    report = _report()
    told = [one.message for one in report.violations] + [one.note for one in report.statements]

    assert [words for words in told if " · " in words or "junior pays" in words] == []


def test_what_is_not_shown_is_told_in_the_words_of_both_texts_too() -> None:
    shown, hidden = _report(), _report(select=("LAW",))

    assert hidden.violations == ()
    assert [one.outcome for one in hidden.statements] == [one.outcome for one in shown.statements]
    assert [one.note for one in hidden.statements] == [one.note for one in shown.statements]


def test_an_open_statement_has_a_reason_in_words() -> None:
    left = [one for one in _report().statements if one.outcome is not Outcome.SUPPORTED]

    assert len(left) == len(_report().statements)
    assert [one.text for one in left if not (one.reason and one.note)] == []


def test_a_word_that_begins_a_sentence_is_not_told_as_a_name() -> None:
    told = {one.text.split()[0]: one.note for one in _report().statements}

    assert "name “Kayaks”" not in told["Kayaks"]
    assert "name “Footfall”" not in told["Footfall"]
