"""Laws of comments that set findings aside: only where asked for, with a rule and a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import api
from groundrules.claims.documents import suppressions
from groundrules.claims.documents.document import Document
from groundrules.claims.documents.shown import shown
from groundrules.claims.documents.suppressions import Suppression
from groundrules.config import Config
from groundrules.explain.formats import text as as_text
from groundrules.terms import Override, Report, Span
from tests.claims.rows import rows

LEASE = Document("lease.txt", "The rent is $900 a month. The lease runs to 5 May 2027.")
RENT, END = "The rent is $950 a month.", "The lease runs to 5 May 2028."
IGNORE = "<!-- groundrules: ignore GR302, GR306: the annex says so -->"
ASKED = Config(inline_suppressions=True)


def check(text: str, config: Config = ASKED, name: str = "a.md") -> Report:
    return api.check(Document(name, text, "md"), context=LEASE, config=config)


def aside(report: Report) -> list[str]:
    """Return the rules of what does not stand."""
    return sorted(one.rule for one in report.violations if not report.stands(one))


@pytest.mark.parametrize(
    ("comment", "rules", "why"),
    rows("suppressions.comment"),
)
def test_a_comment_has_rules_and_a_reason_or_does_nothing(
    comment: str, rules: tuple[str, ...], why: str
) -> None:
    (found,) = suppressions.find(Document("a", f"{RENT} {comment}\n{END}"))
    assert found == Suppression(len(RENT) + 1, len(RENT) + 1 + len(comment), rules, why)


@pytest.mark.parametrize(
    "text", ["<!-- groundrules ignore GR306: x -->", "<!-- ignore GR306: x -->", "groundrules:"]
)
def test_what_is_no_such_comment_is_text(text: str) -> None:
    assert suppressions.find(Document("a", text)) == ()


@given(
    st.lists(
        st.sampled_from(["<!--", "-->", " groundrules: ", "ignore", " GR1", ": why", "#", "\n"])
        | st.text(max_size=3),
        max_size=30,
    )
)
def test_comments_are_not_read_and_all_else_leads_back_to_its_place(parts: list[str]) -> None:
    document = Document("a", "".join(parts))
    marks = suppressions.find(document)
    left = shown(document, tuple((mark.start, mark.end) for mark in marks))
    covered = {place for mark in marks for place in range(mark.start, mark.end)}
    for place in range(len(left.document.text)):
        span = left.in_file(Span("a", place, place + 1))
        assert covered.isdisjoint(range(span.start, span.end))


def test_nobody_follows_a_comment_unless_asked_to() -> None:
    text = f"{RENT} {IGNORE}"
    assert check(text, Config()).overrides == ()
    assert aside(check(text, Config())) == []


def test_a_comment_sets_its_rules_aside_in_the_sentence_before_it() -> None:
    plain = check(f"{RENT}\n\n{END}")
    report = check(f"{RENT} {IGNORE}\n\n{END}")
    assert aside(report) == ["GR302", "GR306"]
    assert [one.rule for one in report.violations] == [one.rule for one in plain.violations]
    assert [s.outcome for s in report.statements] == [s.outcome for s in plain.statements]
    assert report.set_aside(report.statements[0])
    assert not report.set_aside(report.statements[1])
    assert {o.why for o in report.overrides} == {"the annex says so"}
    assert {o.kind for o in report.overrides} == {"inline"}
    assert report.conforms is False
    assert check(f"{RENT} {IGNORE}").conforms is True


def test_a_comment_within_a_sentence_is_on_it_and_its_words_are_the_same() -> None:
    report = check(f"The rent is <!-- groundrules: ignore GR302,GR306: x --> $950 a month. {END}")
    assert aside(report) == ["GR302", "GR306"]
    assert report.statements[0].fingerprint == check(RENT).statements[0].fingerprint


def test_the_report_has_the_text_as_it_was_with_the_comment() -> None:
    text = f"{RENT} {IGNORE}\n{END}"
    report = check(text)
    assert report.text == report.sources["a.md"] == text
    assert report.run.inputs == check(text, Config()).run.inputs
    told = as_text.dumps(report)
    assert "ignore GR302" in told
    assert "set aside in the text: the annex says so" in as_text.dumps(report, form="full")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (f"{RENT} <!-- groundrules: ignore GR306 -->", "line 1: a suppression without rules or a"),
        (f"{RENT}\n\n{END} # groundrules: ignore GR999: no", "line 3: this suppression sets noth"),
        (f"{IGNORE}\n\n{RENT}", "line 1: this suppression sets nothing aside"),
    ],
)
def test_a_comment_that_does_nothing_is_noted(text: str, note: str) -> None:
    report = check(text)
    assert any(one.startswith(note) for one in report.run.notes)
    assert report.overrides == ()
    assert report.conforms is False


def test_of_a_text_that_was_extracted_comments_are_none() -> None:
    for form in ("html", "pdf", "docx"):
        assert suppressions.find(Document("a", f"{RENT} {IGNORE}", form)) == ()


def test_a_report_from_the_cache_is_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path_factory.mktemp("cache")))
    text = f"{RENT} {IGNORE}"
    first, again = check(text), check(text)
    assert dict(again.run.times).keys() == {"kept", "total"}
    assert (again.text, again.overrides, again.run.notes) == (
        first.text, first.overrides, first.run.notes,
    )  # fmt: skip
    assert isinstance(first.overrides[0], Override)
