"""Redaction: nothing made of the words stays in any format; verdicts, rules and places do."""

from __future__ import annotations

import codecs
import json
import re
import string
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib.term import Literal

from groundrules.checks.inputs import hash_of
from groundrules.cli.main import main
from groundrules.explain import formats
from groundrules.explain.formats import Look, load
from groundrules.explain.formats import json as json_
from groundrules.explain.place import locate
from groundrules.explain.redact import redacted
from groundrules.terms import ENTITY, RELATION, STATEMENT, Metric, Outcome, Override, Report
from tests.explain import cases
from tests.explain.rewritten import rewritten

FORMATS = formats.names()


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
    if report.statements:
        assert told & words(open_)
    assert told & words(closed) == set()


def test_figures_and_names_are_kept_out_too() -> None:
    for form in FORMATS:
        made = load(form)([cases.policy()], Look(redact=True))
        for figure in ("14,100", "11,400", "14.25", "2,300", "policy.txt", "Quakers"):
            assert figure not in made, form


def test_verdicts_rules_and_places_stay() -> None:
    report = cases.lease()
    closed = redacted(report)

    assert [s.outcome for s in closed.statements] == [s.outcome for s in report.statements]
    assert [v.rule for v in closed.violations] == [v.rule for v in report.violations]
    for one, other in zip(closed.statements, report.statements, strict=True):
        here, there = locate(one.span, closed), locate(other.span, report)
        assert here is not None
        assert there is not None
        assert (here.line, here.column) == (there.line, there.column)
    assert closed.conclusion == report.conclusion


def other(name: str, letters: str, digits: str, salt: str) -> Report:
    """The report of a case with other words of the same lengths, equal where those are equal."""
    turn = str.maketrans(string.ascii_lowercase + string.ascii_uppercase + string.digits,
                         letters + letters.upper() + digits)  # fmt: skip

    def iri(text: str) -> str:
        kind = next((one for one in (ENTITY, RELATION, STATEMENT) if text.startswith(one)), "")
        return kind + text.removeprefix(kind).translate(turn)

    report = rewritten(cases.CASES[name](), lambda text: text.translate(turn), iri)
    inputs = tuple(
        replace(one, name=one.name.translate(turn), sha256=hash_of(salt + one.name))
        for one in report.run.inputs
    )
    run = replace(report.run, inputs=inputs, dataset=hash_of(salt), times=(("reading", 0.5),),
                  calls=(("LLM prompt tokens", 7.0),))  # fmt: skip
    return measured(replace(report, run=run, metrics=(Metric("RP", 1 / 3, 3),)))


def measured(value: Any) -> Any:
    """Return a report, or a part of one, whose scores are others that decide alike."""
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("similarity", "score"):
        return value[0], Literal(0.123456)
    if isinstance(value, tuple):
        return tuple(map(measured, value))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {one.name: measured(getattr(value, one.name)) for one in fields(value)}
    for name in {"support", "confidence", "score"} & parts.keys():
        parts[name] = parts[name] and 0.123456 + (name == "score" and parts[name] >= 1)
    return replace(value, **parts)


@pytest.mark.parametrize("name", cases.CASES)
@settings(max_examples=10, suppress_health_check=[HealthCheck.differing_executors])
@given(
    letters=st.permutations(string.ascii_lowercase).map("".join),
    digits=st.permutations("123456789").map(lambda one: "0" + "".join(one)),
    salt=st.text("abc", min_size=1, max_size=4),
)
def test_nothing_is_made_of_the_words_so_no_guess_of_them_can_be_confirmed(
    name: str, letters: str, digits: str, salt: str
) -> None:
    first = redacted(cases.CASES[name]())
    second = redacted(other(name, letters, digits, salt))
    # what a check is run with is no word of the texts
    run = replace(second.run, version=first.run.version, at=first.run.at)
    assert replace(second, run=run) == first


def test_no_hash_stays() -> None:
    for case in cases.CASES.values():
        report = case()
        made = json_.dumps(redacted(report))
        known = {one.sha256 for one in report.run.inputs} | {report.run.dataset}
        known |= {one.fingerprint for one in (*report.statements, *report.violations)}
        assert not any(one in made for one in known if one)


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
    marks = [one["fingerprint"] for one in json.loads(data)["statements"]]
    assert marks == [f"{number:016x}" for number in range(1, len(marks) + 1)]


def test_redaction_of_what_is_redacted_changes_no_verdict_and_no_text() -> None:
    once = redacted(cases.policy())
    twice = redacted(once)

    assert twice.text == once.text
    assert [s.fingerprint for s in twice.statements] == [s.fingerprint for s in once.statements]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    Path("answer.txt").write_text("The rent is $500 a month.\n", encoding="utf-8")
    Path("lease.txt").write_text("The rent is $400 a month.\n", encoding="utf-8")
    return tmp_path


CHECK = ("check", "answer.txt", "--context", "lease.txt", "--redact")


def test_the_command_line_keeps_texts_out_and_the_cache_as_well(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*CHECK, "--output-format", "html"])
    made = capsys.readouterr().out
    assert "kept out of this copy" in made
    main(CHECK)
    assert "kept out" not in capsys.readouterr().out
    assert not re.search(r"answer|\$500|\$400|rent is", made)
    assert not (folder / "cache").exists()
