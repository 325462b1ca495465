"""The report of an audit counts every text once, and says first what could not be checked."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.audit.overrides import Decision
from groundrules.audit.results import Finding, Result, read_report, sorted_results
from groundrules.audit.runner import run
from groundrules.audit.sampling import draw_sample, interval, read_sample
from groundrules.audit.summary import KINDS, Summary, told_counts, write_forms, write_summary
from groundrules.audit.summary import audited as keys_of
from groundrules.audit.tasks import Fault
from groundrules.checks.inputs import hash_of
from groundrules.errors import ConfigError, SourceError
from groundrules.explain.formats import Look
from groundrules.terms import Outcome, Severity, Violation
from tests.audit import doubles

pytestmark = pytest.mark.usefixtures("inside")
OPEN = Outcome.NOT_ENOUGH_INFO.value
SIX = [one.value for one in Outcome]
NONE = dict.fromkeys(KINDS, 0)


def result(number: int, kind: str, outcomes: dict[str, int], level: str, date: str) -> Result:
    findings = (Finding("GR1", "fault", level, 1),) if level else ()
    error = "it died, twice" if kind == "error" else ""
    conforms = {"passes": True, "fails": False}.get(kind)
    conclusion = "" if error else kind
    return Result(
        f"{number:064x}", f"t{number}", "", "", date, error, conforms, conclusion,
        outcomes={} if error else outcomes, findings=() if error else findings,
    )  # fmt: skip


RESULTS = st.lists(
    st.builds(
        result,
        st.integers(0, 10**6),
        st.sampled_from(["passes", "fails", "not settled", "not all checked", "error"]),
        st.fixed_dictionaries({one: st.integers(0, 3) for one in SIX}),
        st.sampled_from(["", "info", "warning", "error"]),
        st.sampled_from(["", "2026-01-01", "2026-01-02"]),
    ),
    max_size=12,
)


def summed(results: list[Result]) -> Summary:
    summary = Summary()
    for one in results:
        summary.add(one)
    return summary


@given(RESULTS)
def test_every_text_and_statement_is_counted_once(results: list[Result]) -> None:
    summary = summed(results)
    assert summary.texts.total() == len(results)
    assert summary.outcomes.total() == sum(sum(one.outcomes.values()) for one in results)
    assert len(summary.errors) == sum(bool(one.error) for one in results)


@given(RESULTS, st.sampled_from(["error", "warning", "info"]))
def test_the_exit_code_is_that_of_the_worst_text_and_its_words_agree(
    results: list[Result], level: str
) -> None:
    levels = ["error", "warning", "info"]
    reached = [one for one in results if one.level in levels[: levels.index(level) + 1]]
    summary = Summary(level)
    for one in results:
        summary.add(one)
    code = summary.code([])
    told = told_counts(summary.texts, 0)
    if any(one.error for one in results):
        assert code == 2
    elif reached or any(one.conforms is False for one in results):
        assert code == 1
        assert not told.startswith("0 fail")
    else:
        assert code == (2 if any(one.conforms is None for one in results) else 0)
        assert told.startswith("0 fail")
    assert (code == 0) is (summary.texts["passes"] == len(results))
    assert summary.texts.total() == len(results)


def test_what_is_left_open_is_never_counted_as_passed(tmp_path: Path) -> None:
    table = doubles.write_table(
        tmp_path / "t.jsonl", ["fine", OPEN, f"{OPEN} fine", f"{OPEN} {OPEN}"]
    )
    doubles.run_all(table, tmp_path / "out")
    report = json.loads((tmp_path / "out" / "report.json").read_bytes())

    assert report["counts"]["texts"] == {
        **NONE, "passes": 2, "not_settled": 2
    }  # fmt: skip
    assert report["unsettled"] == [
        {"id": "t001", "open": "1 of 1"},
        {"id": "t003", "open": "2 of 2"},
    ]
    assert report["unchecked"]["parts"] == []


def counted(folder: Path, answers: list[str], *more: Decision, level: str = "error",
            **judged: Any) -> dict[str, Any]:  # fmt: skip
    """The report of an audit of some answers."""
    table = doubles.write_table(folder / "t.jsonl", answers)
    check = partial(doubles.check, decisions=more, **judged)
    done = run(doubles.audit(table, folder / "out", check=check))
    write_summary(folder / "out", done, level)
    data: dict[str, Any] = json.loads((folder / "out" / "report.json").read_bytes())
    return data


def positive(counts: dict[str, int]) -> dict[str, int]:
    return {kind: number for kind, number in counts.items() if number}


def test_what_a_baseline_hides_is_counted_by_itself(tmp_path: Path) -> None:
    mark = hash_of("refuted")[:16]
    rule = Violation("GR301", "date-mismatch", Severity.ERROR, "").fingerprint
    data = counted(
        tmp_path, ["fine", "fine fine refuted"],
        Decision(mark, was=Outcome.REFUTED), Decision(rule, rule="GR301"),
    )  # fmt: skip
    assert positive(data["counts"]["texts"]) == {"passes": 2}
    assert positive(data["counts"]["outcomes"]) == {"supported": 3, "baseline": 1}


def test_what_a_person_decided_is_counted_by_itself(tmp_path: Path) -> None:
    said = Decision(hash_of(OPEN)[:16], Outcome.SUPPORTED, "page 3", "Ann", "2026-01-01T00:00:00Z")
    data = counted(tmp_path, [f"fine {OPEN}"], said)
    assert positive(data["counts"]["outcomes"]) == {"supported": 1, "override": 1}
    assert positive(data["counts"]["texts"]) == {"passes": 1}
    keys = set(keys_of(tmp_path / "out"))
    drawn = draw_sample(tmp_path / "out", keys, 9)
    assert drawn == {"supported": (1, 1)}  # not what a person has read


def test_what_is_open_under_a_policy_that_fails_it_is_not_said_to_be_refuted(
    tmp_path: Path,
) -> None:
    data = counted(tmp_path, [f"fine fine {OPEN}"], policy=(OPEN,))
    assert positive(data["counts"]["texts"]) == {"fails": 1}
    assert positive(data["counts"]["outcomes"]) == {"supported": 2, "not_enough_info": 1}
    assert data["exit_code"] == 1


def test_a_finding_that_reaches_the_level_is_counted_as_what_fails_the_text(tmp_path: Path) -> None:
    data = counted(tmp_path, ["fine", "fine warned"], level="warning")
    assert positive(data["counts"]["texts"]) == {"passes": 1, "fails": 1}
    assert (data["exit_code"], data["fail_level"]) == (1, "warning")
    data = counted(tmp_path / "..", ["fine", "fine warned"])
    assert positive(data["counts"]["texts"]) == {"passes": 2}


def test_a_text_whose_id_was_given_before_is_named_by_its_place_too(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"id": "a", "answer": "x"}\n{"id": "a", "answer": "y"}\n')
    doubles.run_all(tmp_path / "t.jsonl", tmp_path / "out")
    data = json.loads((tmp_path / "out" / "report.json").read_bytes())
    assert [one["id"] for one in data["texts"]] == ["a", f"a ({tmp_path}/t.jsonl:2)"]
    for one in sorted_results(tmp_path / "out", set(keys_of(tmp_path / "out"))):
        assert read_report(tmp_path / "out", one).source == one.id


def test_an_input_that_is_no_text_is_never_a_pass() -> None:
    assert summed([]).code([Fault("a.jsonl:1", "not JSON")]) == 2


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audited")
    answers = ["fine", "refuted", "scanned", "fail", "unverifiable fine", "=1+1 fine", "error"]
    table = doubles.write_table(folder / "t.jsonl", answers)
    with table.open("a", encoding="utf-8") as file:
        file.write("nonsense | `of` [a](b)\n")
    doubles.run_all(table, folder / "out")
    return folder


def test_the_report_has_all_texts_sorted_by_id(audited: Path) -> None:
    report = json.loads((audited / "out" / "report.json").read_bytes())
    assert [one["id"] for one in report["texts"]] == [f"t{number:03}" for number in range(7)]
    assert report["counts"]["texts"] == {
        **NONE, "passes": 2, "fails": 1, "not_all_checked": 3, "error": 1
    }  # fmt: skip
    assert report["counts"]["outcomes"] == {
        "supported": 5, "refuted": 1, "conflicting": 0, "not_enough_info": 0, "unverifiable": 1,
        "error": 1, "baseline": 0, "override": 0, "inline": 0, "disabled": 0,
    }  # fmt: skip
    assert report["at"] == "2026-03-01T12:00:00Z"
    assert [one["rule"] for one in report["rules"]] == ["GR301"]
    assert len(report["unchecked"]["inputs"]) == 1


def test_the_keys_of_a_report_are_read_back(audited: Path) -> None:
    report = json.loads((audited / "out" / "report.json").read_bytes())
    assert set(keys_of(audited / "out")) == {one["key"] for one in report["texts"]}


def test_a_report_that_is_damaged_is_told(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("{}")
    with pytest.raises(SourceError, match="is damaged"):
        set(keys_of(tmp_path))


def test_each_text_that_was_checked_has_its_form(audited: Path, tmp_path: Path) -> None:
    out = audited / "out"
    keys = set(keys_of(out))
    write_forms(out, keys, "concise", Look())
    for one in sorted_results(out, keys):
        assert (out / "concise" / f"{one.key}.concise").exists() is not bool(one.error)


# --- the spot check ---------------------------------------------------------------------------


def test_a_sample_is_drawn_from_every_verdict_and_again_alike(audited: Path) -> None:
    out = audited / "out"
    keys = set(keys_of(out))
    counts = json.loads((out / "report.json").read_text("utf-8"))["counts"]["outcomes"]
    there = {told: count for told, count in counts.items() if count}
    assert len(there) > 2
    found = draw_sample(out, keys, len(there))
    assert found == {told: (1, count) for told, count in there.items()}
    first = (out / "sample.csv").read_bytes()
    draw_sample(out, keys, len(there))
    assert (out / "sample.csv").read_bytes() == first
    assert draw_sample(out, keys, 100) == {one: (n, n) for one, n in there.items()}
    text = (out / "sample.csv").read_text("utf-8")
    assert text.count("\n") == 1 + sum(there.values())
    assert "'=1+1" in text
    assert ",=1+1" not in text
    assert {told: one.of for told, one in read_sample(out / "sample.csv").verdicts.items()} == there


def test_a_sample_that_is_being_filled_in_is_not_drawn_anew(audited: Path) -> None:
    out = audited / "out"
    drawn = draw_sample(out, set(keys_of(out)), 2)
    path = out / "sample.csv"
    path.write_text(path.read_text("utf-8").replace("\n,", "\nno,"), encoding="utf-8")
    with pytest.raises(ConfigError, match="is filled in"):
        draw_sample(out, set(keys_of(out)), 2)
    assert read_sample(path).read == len(drawn)
    path.unlink()


def test_a_filled_in_sample_gives_the_share_of_each_verdict_with_its_interval(
    tmp_path: Path,
) -> None:
    path = tmp_path / "s.csv"
    read = "yes,supported,900\n" * 3 + "No,supported,900\n" * 97 + ",supported,900\n"
    path.write_text(f"wrong,verdict,of\n{read}yes,refuted,100\nno,refuted,100\n", "utf-8-sig")
    found = read_sample(path)
    one = found.verdicts["supported"]
    assert (one.of, one.wrong, one.read, found.blank) == (900, 3, 100, 1)
    # R: prop.test(3, 100, correct = FALSE)
    assert (round(one.low, 4), round(one.high, 4)) == (0.0103, 0.0845)


def test_of_a_verdict_that_nobody_read_any_share_may_be_wrong(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("wrong,verdict,of\nno,supported,9\n,refuted,1\n")
    assert read_sample(path).verdicts["refuted"].high == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("wrong,id\nperhaps,a\n", "row 1: wrong is 'perhaps'; expected yes or no"),
        ("wrong,id\n,a\n", "row 1 has no verdict; expected it as drawn"),
        ("wrong,verdict,of\n,supported,many\n", "row 1 has no verdict"),
        ("id\na\n", "has no column wrong"),
        ("", "has no column wrong"),
    ],
)
def test_a_sample_that_cannot_be_read_is_told(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "s.csv").write_text(text)
    with pytest.raises(SourceError, match=why):
        read_sample(tmp_path / "s.csv")


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_turns_with_it(counts: tuple[int, int]) -> None:
    wrong, read = counts
    low, high = interval(wrong, read)
    assert 0 <= low <= wrong / read <= high <= 1
    mirrored = interval(read - wrong, read)
    assert low == pytest.approx(1 - mirrored[1], abs=1e-9)
    assert (low == 0) is (wrong == 0)
    assert (high == 1) is (wrong == read)
