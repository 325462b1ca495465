"""The pipeline from end to end: the same input, the same report, and the demo as it stands."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from groundrules import api
from groundrules.checks import extractions
from groundrules.checks.extractions import parsed
from groundrules.checks.inputs import MAX_CONTEXT_WORDS, MAX_WORDS
from groundrules.claims.document import from_text
from groundrules.config import AlignConfig, Config
from groundrules.errors import ConfigError, GroundrulesError, ModelError, SourceError
from groundrules.explain import repair
from groundrules.explain.formats import json as as_json
from groundrules.explain.formats import text as as_text
from groundrules.terms import Outcome, Report, Run, Severity
from tests.rows import each

EXAMPLES = Path(__file__).parents[1] / "examples" / "lease"
LEASE = (
    'This Lease is between Alpine Holdings LLC (the "Landlord") and Bright Harbor Books, Inc. '
    '(the "Tenant"). The term commences on June 1, 2021. The Tenant shall pay the Landlord a base '
    "rent of $4,850 per month. The Tenant shall not sublet the Premises."
)
ROOF = "The Landlord shall maintain the roof. Northgate Mechanical Services insures the Building."
ANSWER = (
    "The term commences on July 1, 2021. The Tenant shall sublet the Premises. "
    "Northgate Mechanical Services insures the Building. Helga Brandt manages Alpine Holdings LLC."
)


def still(report: Report) -> Report:
    """Return the report without what depends on the clock."""
    return dataclasses.replace(report, run=dataclasses.replace(report.run, times=(), at=""))


def check(text: api.Source, *context: api.Source, config: Config | None = None) -> Report:
    return still(api.check(text, context=context, config=config))


def test_the_same_input_gives_the_same_bytes() -> None:
    first = as_json.dumps(check(ANSWER, LEASE, ROOF))
    parsed.cache_clear()
    check("Something else was said by Tomas Reyes in between.", "Tomas Reyes said nothing.")
    assert as_json.dumps(check(ANSWER, LEASE, ROOF)) == first


@pytest.mark.slow
def test_the_order_of_sets_in_memory_changes_nothing() -> None:
    """Another hash seed, another process: the same bytes."""
    code = (
        "import dataclasses, sys\n"
        "from groundrules import api\n"
        "from groundrules.explain.formats import json\n"
        "report = api.check(sys.argv[1], context=sys.argv[2:])\n"
        "run = dataclasses.replace(report.run, times=(), at='')\n"
        "sys.stdout.reconfigure(encoding='utf-8')\n"
        "print(json.dumps(dataclasses.replace(report, run=run)), end='')\n"
    )
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    output = subprocess.run(
        [sys.executable, "-c", code, ANSWER, LEASE, ROOF],
        env={**os.environ, "PYTHONHASHSEED": other},
        capture_output=True,
        check=True,
    ).stdout
    assert output == as_json.dumps(check(ANSWER, LEASE, ROOF)).encode()


def test_the_order_of_contexts_changes_nothing() -> None:
    documents = [from_text(LEASE, "lease"), from_text(ROOF, "roof"), from_text("Oregon.", "law")]
    reports = {as_json.dumps(check(ANSWER, *order)) for order in itertools.permutations(documents)}
    assert len(reports) == 1


def test_a_report_says_what_was_run() -> None:
    report = api.check(ANSWER, context=[LEASE])
    assert {name for name, _ in report.run.packs} == {"core", "values"}
    named = {"extractor", "embedding"}
    assert {name for name, _ in report.run.models} == named
    assert all(digest for _, digest in (*report.run.packs, *report.run.models))
    assert len(report.run.dataset) == 64
    names = [name for name, _ in report.run.times]
    assert names[0] == "read"
    assert names[-1] == "total"
    assert sum(count for _, count in report.run.stages) == len(report.statements)
    assert {name for name, _ in report.run.stages} == {one.reason for one in report.statements}
    assert as_json.loads(as_json.dumps(report)) == report


def test_every_claim_has_one_verdict_and_every_span_quotes_its_source() -> None:
    report = check(ANSWER, LEASE, ROOF)
    judged = [verdict.claim for verdict in report.verdicts]
    assert sorted(claim.id for claim in judged) == sorted(claim.id for claim in report.claims)
    assert [claim.sentence for claim in judged] == sorted(claim.sentence for claim in judged)
    texts = report.sources
    assert texts[report.source] == ANSWER
    for claim in report.claims:
        assert ANSWER[claim.span.start : claim.span.end].strip()
    for violation in report.violations:
        for evidence in violation.evidence:
            assert evidence.span is not None
            assert texts[evidence.span.source][evidence.span.start : evidence.span.end].strip()
    refuted = {v.claim.id for v in report.verdicts if v.outcome is Outcome.REFUTED}
    assert refuted
    assert {v.reason for v in report.verdicts if v.claim.id in refuted} <= {
        "GR205",
        "GR301",
        "GR306",
    }
    assert report.exit_code == 1


def test_contexts_of_one_name_are_told_apart() -> None:
    twice = [from_text(LEASE, "lease"), from_text(ROOF, "lease")]
    report = check(from_text(ANSWER, "lease"), *twice)
    assert sorted(report.sources) == ["lease", "lease#2", "lease#3"]
    assert {report.sources["lease#2"], report.sources["lease#3"]} == {LEASE, ROOF}
    named = [(v.rule, v.message) for v in check(ANSWER, LEASE, ROOF).violations]
    assert [(v.rule, v.message) for v in report.violations] == named
    names = ["a", "a", "a#2", "text"]  # of which one is taken by the number of another
    report = check("A sees B.", *(from_text(f"Text {n}.", name) for n, name in enumerate(names)))
    assert len(report.sources) == 5


@pytest.mark.parametrize("text", ["Clara Whitfield manages Alpine Holdings LLC.", ""])
def test_a_context_without_a_word_supports_nothing_and_is_told(text: str) -> None:
    report = check(text, "")
    assert not [v for v in (*report.verdicts, *report.statements) if v.outcome is Outcome.SUPPORTED]
    assert report.metric("EG").value in (0, None)
    assert report.unread == ("context1: has no text",)
    assert report.exit_code == (1 if text else 2)
    assert check("The rent is due.", "").conforms is None


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_file_without_a_word_is_checked_as_a_text_without_one(text: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text)
    report = api.check(path, context=LEASE)
    assert (report.statements, report.conclusion) == ((), api.check(text, context=LEASE).conclusion)
    with pytest.raises(SourceError, match="holds no text"):
        api.check("The rent is due.", context=path)


def test_who_asks_is_told_of_each_stage() -> None:
    stages: list[str] = []
    report = api.check(ANSWER, context=LEASE, progress=stages.append)
    assert stages == [name for name, _ in report.run.times[:-1]]
    assert report.to_json() == report.render("json")


@pytest.mark.parametrize(
    ("text", "context"), [("", LEASE), (" \r\n", ""), ("...", LEASE), ("😀", LEASE)]
)
def test_a_text_that_says_nothing_has_not_passed(text: str, context: str) -> None:
    report = check(text, context)
    assert report.statements == report.claims == report.verdicts == report.violations == ()
    assert all(metric.value is None for metric in report.metrics)
    assert report.conforms is None
    assert report.exit_code == 2
    assert "no claim was found in the text: EG, RP and CFI are undefined" in report.run.notes


def test_a_copied_text_conforms() -> None:
    report = check(LEASE, LEASE, ROOF)
    assert report.violations == ()
    assert {v.outcome for v in report.verdicts} == {Outcome.SUPPORTED}
    assert (report.metric("EG").value, report.metric("RP").value) == (1, 1)
    assert any("sparse regime" in note for note in report.run.notes)


@pytest.mark.parametrize(
    ("package", "config"),
    [
        ("sklearn", Config(align=AlignConfig(clustering="scikit-learn"))),
        ("grakel", Config(align=AlignConfig(kernel="weisfeiler_lehman"))),
        ("SPARQLWrapper", Config(kb=("facts.ttl",), kb_client="SPARQLWrapper")),
    ],
)
def test_what_is_not_installed_is_told_before_anything_is_read(
    package: str, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {package, *(one for one in sys.modules if one.startswith(f"{package}."))}:
        monkeypatch.setitem(sys.modules, name, None)
    stages: list[str] = []
    with pytest.raises(ConfigError, match=rf"groundrules\[{package.lower()}\]"):
        api.check(ANSWER, context=LEASE, config=config, progress=stages.append)
    assert stages == []


def test_what_a_disabled_rule_finds_stays_with_its_twin_and_does_not_count() -> None:
    def found(*disable: str) -> Report:
        return check(
            "The rent is $950 a month. The tenant is Ann.",
            "The rent is $900 a month. The tenant is Ann.",
            config=Config(disable=disable),
        )

    plain, some, every = found(), found("amount-mismatch"), found("GR")
    stand = [{v.rule for v in one.violations if one.stands(v)} for one in (plain, some, every)]

    assert some.violations == every.violations == plain.violations
    assert stand == [{"GR302", "GR306", "GR900"}, {"GR900"}, set()]
    assert "2 set aside (GR302 is disabled); " in str(some)
    assert "1 set aside, as the rule is disabled\n" in str(some)
    assert [bool(repair.fixed(one)) for one in (plain, some)] == [True, False]
    assert [one.conforms for one in (plain, some, every)] == [False, True, True]
    assert {one.why for one in every.overrides} >= {"GR302 is disabled", "GR306 is disabled"}
    assert {(one.kind, one.by) for one in every.overrides} == {("disabled", "the configuration")}


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda folder: (folder / "absent.txt", (), Config()), SourceError),
        (lambda folder: (LEASE, [folder / "absent.txt"], Config()), SourceError),
        (lambda folder: ("a\ud800", (), Config()), SourceError),
        (lambda folder: (LEASE, (), Config()), SourceError),
        (lambda folder: (LEASE, None, Config()), SourceError),
        (lambda folder: (3, (), Config()), SourceError),
        (lambda folder: (LEASE, [LEASE], Config(packs=("no-such",))), GroundrulesError),
        (lambda folder: (LEASE, [LEASE], Config(model="no_such_model")), ModelError),
    ],
)
def test_what_a_user_can_get_wrong_is_one_line(
    make: Callable[[Path], tuple[api.Source, Iterable[api.Source], Config]],
    kind: type[Exception],
    tmp_path: Path,
) -> None:
    text, context, config = make(tmp_path)
    with pytest.raises(kind) as caught:
        api.check(text, context=context, config=config)
    assert "\n" not in str(caught.value)


def test_a_document_is_extracted_once() -> None:
    parsed.cache_clear()
    for text in (ANSWER, ROOF):
        api.check(text, context=[LEASE], verify=False)
    assert (parsed.cache_info().misses, parsed.cache_info().hits) == (3, 1)


def test_a_report_prints_as_the_command_does_and_shows_its_page_in_a_notebook() -> None:
    report = api.check("The rent is $5,850 per month.", context="The rent is $4,850 per month.")
    assert str(report) == repr(report) == report.render() == as_text.dumps(report)
    assert "$4,850" in str(report)
    assert "&lt;!doctype html&gt;" in report._repr_html_()
    assert json.loads(report.render("json"))["conforms"] is False
    with pytest.raises(ConfigError, match=r"htlm.*did you mean"):
        report.render("htlm")


# --- the demo ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo() -> Report:
    texts = [
        from_text((EXAMPLES / name).read_text(encoding="utf-8"), f"examples/lease/{name}")
        for name in ("answer.txt", "lease.txt")
    ]
    return still(api.check(texts[0], context=texts[1:]))


def test_the_demo_in_text(demo: Report, golden: Callable[[str, str], None]) -> None:
    golden("demo/text", as_text.dumps(demo))


def test_the_demo_in_json(demo: Report, golden: Callable[[str, str], None]) -> None:
    # the digests say which models and rules were used, not what was found
    run = Run(params=demo.run.params, stages=demo.run.stages, notes=demo.run.notes)
    golden("demo/json", as_json.dumps(dataclasses.replace(demo, run=run)))


@each("text source rule")
def test_plain_english_has_axioms_of_its_own(text: str, source: str, rule: str) -> None:
    assert rule in {v.rule for v in api.check(text, context=[source]).violations}


def test_an_inverse_relation_is_no_gap() -> None:
    source = "Acme Corp. has employed Peter Stone since 1999."
    report = api.check("Peter Stone works for Acme Corp.", context=[source])
    # that no passage has "works" is a note on the wording
    assert {v.rule for v in report.violations} <= {"GR102"}
    assert report.metric("RP").value == 1


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("The tenant is Alpine Holdings.", {"GR202"}),
        ("The tenant is Bright Harbor Books.", set()),
        ("Bright Harbor Books is the tenant and Alpine Holdings is the landlord.", set()),
        (
            "Alpine Holdings is the tenant and Bright Harbor Books is the landlord.",
            {"GR201", "GR202"},
        ),
    ],
)
def test_a_role_has_the_holder_that_the_source_gives_it(said: str, rules: set[str]) -> None:
    found = api.check(said, context=EXAMPLES / "lease.txt").violations

    assert {v.rule for v in found if v.severity is not Severity.INFO} == rules


def test_what_would_take_hours_is_refused_at_once() -> None:
    long = "The rent is due. " * (MAX_WORDS // 4 + 1)

    with pytest.raises(SourceError, match=r"expected at most 100,000 words in a text; split it"):
        api.check(long, context="The rent is due.")
    half = "The rent is due. " * (MAX_CONTEXT_WORDS // 8 + 1)
    with pytest.raises(SourceError, match=r"in all contexts together; split it"):
        api.check("The rent is due.", context=[half, half + "Again."])


def test_a_long_context_gives_the_verdicts_that_it_gives_parsed_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lease = (EXAMPLES / "lease.txt").read_text("utf-8")
    minutes = "\n\n".join(
        f"The committee for item {n} meets in room {n} on Mondays and keeps minutes of it."
        for n in range(150)
    )
    text = (EXAMPLES / "answer.txt").read_text("utf-8")
    text += " The committee for item 7 meets in room 9 on Mondays."
    found = []
    for most in (0, 10**9):
        monkeypatch.setattr(extractions, "WHOLE_WORDS", most)
        report = api.check(text, context=f"{minutes}\n\n{lease}\n\n{minutes}", verify=False)
        found.append([(one.text, one.outcome, one.reason) for one in report.statements])
    assert found[0] == found[1]


def test_the_passage_quoted_first_has_the_most_words_and_figures_of_a_statement() -> None:
    rare, full = (
        "Adults pay £6.20, children under 12 and carers swim free.",
        "The baths are open from 6.30 am to 9 pm on weekdays and from 8 am to 6 pm at weekends.",
    )
    text = "During the week you can swim outdoors until nine in the evening, at weekends until six."
    found = check(text, rare, full)
    (statement,) = found.statements
    (note,) = [one for one in found.violations if one.rule == "GR102"]

    assert found.sources[statement.passages[0].source] == full
    assert [place.source for place in statement.passages[:1]] == [
        one.span.source for one in note.evidence if one.span
    ]


@each("text outcome")
def test_of_a_range_no_number_is_told_that_lies_within(text: str, outcome: Outcome) -> None:
    source = "The list has 2 to 3 new names a month."
    report = api.check(text, context=[source], verify=False)
    assert report.statements[0].outcome == outcome
