"""Redaction: no word of text or sources stays in any format; verdicts, places and hashes do."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import replace

import pytest

from groundrules.cli.main import main
from groundrules.explain import formats
from groundrules.explain.formats import Look, load
from groundrules.explain.formats import json as json_
from groundrules.explain.place import locate
from groundrules.explain.redact import redacted
from groundrules.terms import Outcome, Override, Report
from tests.explain import cases
from tests.explain.rewritten import rewritten

#: Forms that are no text; what is in them is that of html.
_BINARY = ("pdf",)
FORMATS = tuple(name for name in formats.names() if name not in _BINARY)


def secret(name: str) -> Report:
    """A report whose words are those of no language: each letter is that thirteen after it."""
    report = cases.CASES[name]()
    report = replace(
        report,
        unasked=("a base of the landlord",),
        overrides=(
            Override(report.statements[0].fingerprint, "override", "as the landlord says", "ann",
                     "2026-03-02T10:00:00Z", Outcome.SUPPORTED),
        ) if report.statements else (),
    )  # fmt: skip

    def turned(text: str) -> str:
        return codecs.encode(text, "rot13")

    def iri(text: str) -> str:
        head, _, tail = text.rpartition(":")
        return f"{head}:{turned(tail)}"

    return rewritten(report, turned, iri)


def words(text: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[^\W\d_]{5,}", text)}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", cases.CASES)
def test_no_word_of_text_or_sources_stays(name: str, form: str) -> None:
    report = secret(name)
    told = words(" ".join((report.text, *report.sources.values(), report.run.question)))
    told |= words(" ".join((*report.labels.values(), *(v.message for v in report.violations))))
    told |= words(
        " ".join((report.source, *report.sources, *(one.note for one in report.statements)))
    )
    assert len(told) > {"empty": 0, "wide": 3, "long": 6}.get(name, 20)

    open_, closed = load(form)([report], Look()), load(form)([report], Look(redact=True))
    assert isinstance(open_, str)
    assert isinstance(closed, str)
    if report.statements:
        assert told & words(open_)
    assert told & words(closed) == set()


def test_figures_and_names_are_kept_out_too() -> None:
    for form in FORMATS:
        made = load(form)([cases.policy()], Look(redact=True))
        assert isinstance(made, str)
        for figure in ("14,100", "11,400", "14.25", "2,300", "policy.txt", "Quakers"):
            assert figure not in made, form


def test_verdicts_rules_places_and_hashes_stay() -> None:
    report = cases.lease()
    closed = redacted(report)

    assert [s.outcome for s in closed.statements] == [s.outcome for s in report.statements]
    assert [v.rule for v in closed.violations] == [v.rule for v in report.violations]
    assert [v.fingerprint for v in closed.violations] == [v.fingerprint for v in report.violations]
    assert [s.fingerprint for s in closed.statements] == [s.fingerprint for s in report.statements]
    assert [one.sha256 for one in closed.run.inputs] == [one.sha256 for one in report.run.inputs]
    for one, other in zip(closed.statements, report.statements, strict=True):
        here, there = locate(one.span, closed), locate(other.span, report)
        assert here is not None
        assert there is not None
        assert (here.line, here.column) == (there.line, there.column)
    assert closed.conforms == report.conforms
    assert closed.metrics == report.metrics


def test_what_is_named_twice_has_one_name_twice() -> None:
    report, closed = cases.lease(), redacted(cases.lease())

    assert closed.source == "text"
    assert list(closed.sources) == ["context-1"]
    assert {item.source for v in closed.violations for item in v.evidence} == {"context-1"}
    for one, other in zip(closed.claims, report.claims, strict=True):
        same = one.triple.subject == closed.claims[1].triple.subject
        assert same == (other.triple.subject == report.claims[1].triple.subject)


def test_what_was_decided_still_counts() -> None:
    report = cases.lease()
    about = report.statements[1]
    decided = Override(about.fingerprint, "override", "why", "who", "", Outcome.SUPPORTED)
    report = replace(report, overrides=(decided,))

    assert redacted(report).outcome_of(redacted(report).statements[1]) is Outcome.SUPPORTED


def test_a_redacted_report_comes_back_from_json_with_its_fingerprints() -> None:
    closed = redacted(cases.policy())
    data = json_.dumps(closed)
    back = json_.loads(data)

    assert back == closed
    assert json_.dumps(back) == data
    assert json.loads(data)["statements"][0]["fingerprint"] == (
        cases.policy().statements[0].fingerprint
    )


def test_redaction_of_what_is_redacted_changes_no_verdict_and_no_text() -> None:
    once = redacted(cases.policy())
    twice = redacted(once)

    assert twice.text == once.text
    assert [s.fingerprint for s in twice.statements] == [s.fingerprint for s in once.statements]


def test_the_command_line_keeps_texts_out(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    monkeypatch.chdir(folder)
    Path("answer.txt").write_text("The rent is $500 a month.\n", encoding="utf-8")
    Path("lease.txt").write_text("The rent is $400 a month.\n", encoding="utf-8")

    main(["check", "answer.txt", "--context", "lease.txt", "--redact", "--output-format", "html"])
    made = capsys.readouterr().out
    assert "kept out of this copy" in made
    assert not re.search(r"answer|\$500|\$400|rent is", made)
