"""A language model reads a text in the terms of an ontology: rules judge it, controls first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.recorded import StandIn
from groundrules import Config, Report, Severity, check
from groundrules.claims.models.llm_terms import pieces_of
from groundrules.config import LLMConfig
from groundrules.errors import LLMError
from groundrules.llm import client as llm
from groundrules.llm.prompt import Prompt
from groundrules.ontology.read.control_texts import known_texts
from groundrules.ontology.termlist import vocabulary
from tests.claims.test_llm_terms import answer, row, thing
from tests.ontology.museum import museum

TEXT = (
    "You will remember that we let the Night Ferry go on 3 May 2020. "
    "Your crate with it stood in our yard again on 2 April of that year, and all were glad."
)
THINGS = [thing("t1", "Stay"), thing("t2", "Work", "the Night Ferry")]
LEFT = row("t1", "leftOn", "3 May 2020", "we let the Night Ferry go on 3 May 2020")
BACK = row("t1", "backOn", "2 April … 2020", "stood in our yard again on 2 April of that year")
OF = row("t1", "of", "t2", "we let the Night Ferry go")
READING = answer(LEFT, BACK, OF, things=THINGS)


class Model(StandIn):
    """Answers about a text, and about controls as told, in the place of a language model."""

    def __init__(self, found: Any, control: Callable[[str], Any]) -> None:
        super().__init__()
        self.found, self.control = found, control
        self.asked: list[str] = []

    @property
    def name(self) -> str:
        return "the model"

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[Any, ...]:
        out: list[Any] = []
        for prompt in prompts:
            if prompt.job != "assertions":
                out.append(LLMError("nothing else is answered", "unreachable"))
                continue
            text = dict(prompt.texts)["text"]
            self.asked.append(text)
            told = self.found if text in self.text else self.control(text)
            out.append(told(text) if callable(told) else told)
        return tuple(out)

    text = TEXT


def right(folder: Path) -> Callable[[str], Any]:
    """Return a reader that reads the controls of the museum's ontology as they are."""
    terms = vocabulary(museum(folder))
    by_iri = {one.iri: one for one in terms.properties.values()}
    ontology = museum(folder)

    def read(text: str) -> Any:
        for draw in range(5000):
            for known in known_texts(ontology, terms, draw):
                if known.text != text:
                    continue
                ((how, iri, value),) = known.says
                term = by_iri[iri]
                subject = text.split("“")[1]
                things = [thing("t1", term.domain[0], subject.split("”")[0])]
                if term.kind == "thing":
                    things.append(thing("t2", term.range[0], value))
                shown = "t2" if term.kind == "thing" else text.rstrip(".").rpartition(" is ")[2]
                return answer(
                    row("t1", term.name, shown, text, denied=how == "denied"), things=things
                )
        raise AssertionError(text)

    return read


def reported(folder: Path, found: Any, control: Any = None, text: str = TEXT) -> Report:
    museum(folder)
    model = Model(found, control or right(folder))
    model.text = text
    config = Config(
        ontology=str(folder / "loans.ttl"), llm=LLMConfig(model="stub", jobs=("terms",))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llm, "connect", lambda *_: model)
        return check(text, config=config)


def errors(report: Report) -> list[str]:
    return [v.rule for v in report.violations if v.severity is Severity.ERROR]


def test_dates_in_free_words_are_out_of_order_by_an_ontology_of_ones_own(tmp_path: Path) -> None:
    report = reported(tmp_path, READING)
    assert set(errors(report)) == {"OWL125"}
    (finding,) = report.violations
    assert finding.claim is not None
    assert finding.claim.read_by == "the model"
    assert finding.because.endswith("; read by the model")
    assert [str(one.triple.object) for one in report.assertions if one.read_by][:2] == [
        "2020-05-03",
        "2020-04-02",
    ]


def test_the_report_says_who_has_read_what_and_what_was_dropped(tmp_path: Path) -> None:
    more = [
        row("t1", "leftOn", "3 May 2020", "words that are not there"),
        row("t1", "sailedOn", "3 May 2020", "on 3 May 2020"),
        row("t1", "insuredFor", "glad", "all were glad"),
        row("t9", "of", "t2", "all were glad"),
    ]
    report = reported(tmp_path, answer(LEFT, BACK, *more, things=THINGS))
    notes = "\n".join(report.run.notes)
    assert "language model the model: 4 assertions in the terms of the ontology" in notes
    assert "of 8 things, assertions and orders that it gave 4 were dropped" in notes
    for why in (
        "1 whose words are not in the text",
        "1 with an unknown class or property",
        "1 whose words do not name their value",
        "1 of a thing that the answer has not",
    ):
        assert why in notes


@pytest.mark.parametrize(
    "more", [{"denied": True}, {"force": "plan"}, {"only": "if all goes well"}, {"by": "the clerk"}]
)
def test_what_is_not_plainly_said_is_no_fault(more: Any, tmp_path: Path) -> None:
    back = row("t1", "backOn", "2 April … 2020", "stood in our yard again", **more)
    assert errors(reported(tmp_path, answer(LEFT, back, things=THINGS))) == []


def test_two_stays_are_no_fault(tmp_path: Path) -> None:
    things = [*THINGS, thing("t3", "Stay", apart="2 April")]
    back = row("t3", "backOn", "2 April … 2020", "stood in our yard again")
    assert errors(reported(tmp_path, answer(LEFT, back, things=things))) == []


def test_a_reader_that_misses_a_control_is_not_believed(tmp_path: Path) -> None:
    for control in (lambda _: answer(things=[]), lambda _: READING):
        report = reported(tmp_path, READING, control)
        assert errors(report) == []
        assert not any(one.read_by for one in report.assertions)
        assert any("a control was read amiss" in note for note in report.run.notes)


def test_a_reader_that_leaves_out_a_denial_is_not_believed(tmp_path: Path) -> None:
    read = right(tmp_path)

    def careless(text: str) -> Any:
        found = read(text)
        for one in found["assertions"]:
            one["not"] = False
        return found

    assert errors(reported(tmp_path, READING, careless)) == []


def test_who_does_not_answer_leaves_the_text_unread_and_that_is_said(tmp_path: Path) -> None:
    silent = LLMError("nobody is there", "unreachable")
    for found, control in ((silent, None), (READING, lambda _: silent)):
        report = reported(tmp_path, found, control)
        assert errors(report) == []
        (told,) = [one for one in report.unasked if "in the terms of loans.ttl" in one]
        assert "has not read the text" in told


def test_of_a_long_text_the_pieces_are_counted_that_were_not_read(tmp_path: Path) -> None:
    silent = LLMError("nobody is there", "unreachable")
    text = "We let the Night Ferry go on 3 May 2020, and nobody was any the wiser for it. " * 200
    every = pieces_of(text)

    report = reported(tmp_path, lambda _: silent, text=text)
    assert any("has not read the text in the terms" in one for one in report.unasked)
    calls = iter(range(len(every)))
    report = reported(
        tmp_path, lambda _: silent if next(calls) == 0 else answer(things=[]), text=text
    )
    (told,) = [one for one in report.unasked if "in the terms of loans.ttl" in one]
    assert f"has not read 1 of {len(every)} pieces of the text in the terms" in told


def test_more_is_never_dropped_than_was_given(tmp_path: Path) -> None:
    things = [thing(f"t{n}", "Dragon", "the Night Ferry") for n in range(3)]
    report = reported(tmp_path, answer(things=things))
    (told,) = [one for one in report.run.notes if "were dropped" in one]
    assert "of 3 things, assertions and orders that it gave 3 were dropped" in told


def test_what_the_rules_found_stands_whatever_the_model_reads(tmp_path: Path) -> None:
    text = "The stay left on 3 May 2020. The stay back on 2 April 2020."
    museum(tmp_path)
    alone = check(text, config=Config(ontology=str(tmp_path / "loans.ttl")))
    report = reported(tmp_path, answer(things=[]), text=text)
    kept = {(v.rule, v.claim and v.claim.id) for v in report.violations}
    assert {(v.rule, v.claim and v.claim.id) for v in alone.violations} <= kept
    assert [one for one in report.assertions if not one.read_by] == [*alone.assertions]


def test_junk_is_dropped_and_harms_nothing(tmp_path: Path) -> None:
    junk = "\x00<|im_start|>\ud800 " * 50
    rows = [row(junk, junk, junk, junk) for _ in range(3)]
    rows += [row("t1", "leftOn", "t1", TEXT), row("t1", "of", "t1", TEXT)]
    report = reported(
        tmp_path, answer(*rows, things=[thing("t1", junk, junk), thing(junk, "Work")])
    )
    assert set(errors(report)) <= {"OWL105", "OWL106"}
    assert any("were dropped" in note for note in report.run.notes)


def test_a_text_is_asked_once_and_two_controls_besides(tmp_path: Path) -> None:
    museum(tmp_path)
    model = Model(READING, right(tmp_path))
    config = Config(
        ontology=str(tmp_path / "loans.ttl"), llm=LLMConfig(model="stub", jobs=("terms",))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llm, "connect", lambda *_: model)
        check(TEXT, config=config)
    assert len(model.asked) == 3
    assert TEXT in model.asked
    plain = Config(ontology=str(tmp_path / "loans.ttl"), llm=LLMConfig(model="stub"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llm, "connect", lambda *_: model)
        check(TEXT, config=plain)
    assert len(model.asked) == 3
