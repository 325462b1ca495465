"""A language model reads what is left open for a knowledge base; the base and the rules decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import pytest_socket

from groundrules import Report, check
from groundrules.checks import kbreading
from groundrules.config import Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.kb.read import llm_claims
from groundrules.kb.read.llm_claims import Control, controls_of
from groundrules.llm import client as llm
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
from tests.kb.read.test_llm_slots import claim
from tests.rows import each
from tests.servers import oxigraph

GRAPH = Path(__file__).parents[1] / "kb/data/norvania.ttl"
Claims = tuple[Any, ...]

BORN = "Mira Castellan first opened her eyes in Torsvik."
OPEN = "Teodor Lysne opened his eyes to the world in Mirastad."
MIRASTAD = claim("opened his eyes to the world in", ("Teodor Lysne", "place of birth", "Mirastad"))


class Model(Client):
    """Answers by the words of each sentence, in place of a client; `amiss` reads controls alike."""

    def __init__(self, answers: Mapping[str, Claims], folder: Path, *, amiss: bool = False) -> None:
        (folder / "none.jsonl").touch()
        super().__init__(LLMConfig(), answers=folder / "none.jsonl")
        self.answers, self.amiss = answers, amiss
        self.controls: dict[str, Control] = {}
        self.asked: list[str] = []

    def ask(self, prompt: Prompt) -> Any:
        if prompt.job == "propositions":
            return {"clauses": []}
        said = prompt.about[::2]
        self.asked += (one for one in said if one not in self.controls)
        return {"sentences": [self.row(number, one) for number, one in enumerate(said, 1)]}

    def row(self, number: int, said: str) -> dict[str, Any]:
        control = self.controls.get(said)
        if control is None:
            *left, claims = self.answers.get(said, ((),))
            return {"number": number, "left": left, "claims": [*claims]}
        denied = "not" if control.kind == "denied" and not self.amiss else ""
        reading = (control.thing, control.property, control.value)
        more = ["a fee"] if control.kind == "more" and not self.amiss else []
        return {"number": number, "left": more, "claims": [claim("is", reading, denied=denied)]}

    def made(self, *given: Any) -> tuple[Control, ...]:
        found = controls_of(*given)
        self.controls |= {one.text: one for one in found}
        return found


def told(text: str, model: Model, context: tuple[str, ...] = (), **settings: Any) -> Report:
    given = {"kb": (str(GRAPH),), "llm": LLMConfig(model="recorded", jobs=("terms",)), **settings}
    with (
        patch.object(llm, "connect", lambda *_: model),
        patch.object(llm_claims, "controls_of", model.made),
    ):
        return check(text, context=context, config=Config(**given))


def outcomes(report: Report) -> list[str]:
    return [one.outcome.value for one in report.statements if one.outcome]


def test_what_a_model_reads_is_put_to_the_base_and_the_report_says_so(tmp_path: Path) -> None:
    assert outcomes(check(OPEN, config=Config(kb=(str(GRAPH),)))) == ["unverifiable"]
    report = told(OPEN, Model({OPEN: ((MIRASTAD,),)}, tmp_path))
    assert outcomes(report) == ["supported"]
    (one,) = report.statements
    assert one.note.startswith("read by ")
    assert one.note.endswith("(slots: value, thing, property)")
    assert [v.outcome.value for v in report.verdicts] == ["supported"]


def test_what_a_model_reads_may_be_refuted(tmp_path: Path) -> None:
    text = "Teodor Lysne opened his eyes to the world in Torsvik."
    row = claim("opened his eyes to the world in", ("Teodor Lysne", "place of birth", "Torsvik"))
    report = told(text, Model({text: ((row,),)}, tmp_path))
    assert outcomes(report) == ["refuted"]
    assert "; read by " in report.statements[0].note
    assert [one.rule for one in report.violations] == ["KB401"]


def test_beside_documents_it_does_the_same(tmp_path: Path) -> None:
    report = told(OPEN, Model({OPEN: ((MIRASTAD,),)}, tmp_path), context=("The kiosk is closed.",))
    assert outcomes(report) == ["supported"]


def test_with_a_word_left_over_nothing_is_supported(tmp_path: Path) -> None:
    text = f"{OPEN[:-1]}, under a bridge."
    for left in ((), ("under a bridge",), ("nowhere in it",)):
        report = told(text, Model({text: (*left, (MIRASTAD,))}, tmp_path))
        assert outcomes(report) == ["unverifiable"]


def test_what_is_settled_is_not_asked_about(tmp_path: Path) -> None:
    model = Model({OPEN: ((MIRASTAD,),)}, tmp_path)
    report = told(f"Teodor Lysne was born in Mirastad. {OPEN}", model)
    assert outcomes(report) == ["supported", "supported"]
    assert model.asked == [OPEN]
    assert [bool(one.note) for one in report.statements] == [False, True]


def test_a_model_that_reads_all_alike_reads_a_control_amiss_and_settles_nothing(
    tmp_path: Path,
) -> None:
    report = told(OPEN, Model({OPEN: ((MIRASTAD,),)}, tmp_path, amiss=True))
    assert outcomes(report) == ["unverifiable"]
    assert any(note.startswith("a control was read amiss: “") for note in report.run.notes)
    assert any("has not read 1 sentence" in why for why in report.unasked)
    assert report.conforms is None


def test_what_is_dropped_is_counted(tmp_path: Path) -> None:
    row = claim("opened his eyes to the world in", ("Teodor Lysne", "place of birth", "Paris"),
                ("Teodor Lysne", "shoe size", "Mirastad"))  # fmt: skip
    report = told(OPEN, Model({OPEN: ((row,),)}, tmp_path))
    assert outcomes(report) == ["unverifiable"]
    assert [note for note in report.run.notes if "dropped" in note] == [
        "of 2 readings of claims by the language model, parts were dropped 2 times: 1 whose words "
        "are not in the sentence, 1 of properties that were not shown"
    ]


def test_no_answer_leaves_all_as_it_was_and_is_told(tmp_path: Path) -> None:
    class Silent(Model):
        def ask(self, prompt: Prompt) -> Any:
            raise LLMError("nobody is there", "unreachable")

    report = told(OPEN, Silent({}, tmp_path))
    assert outcomes(report) == ["unverifiable"]
    assert any("has not read 1 sentence" in why for why in report.unasked)


def test_a_model_is_shown_nothing_that_the_base_states(tmp_path: Path) -> None:
    shown: list[Prompt] = []

    class Watching(Model):
        def ask(self, prompt: Prompt) -> Any:
            shown.append(prompt)
            return super().ask(prompt)

    text = "Teodor Lysne opened his eyes to the world in Kelm."
    told(text, Watching({}, tmp_path))
    (prompt,) = shown
    assert "Mirastad" not in "".join(part for _, part in prompt.texts)


def test_a_sentence_that_two_bases_are_asked_about_counts_once(tmp_path: Path) -> None:
    class Silent(Model):
        def ask(self, prompt: Prompt) -> Any:
            raise LLMError("nobody is there", "unreachable")

    other = tmp_path / "other.ttl"
    other.write_bytes(GRAPH.read_bytes())
    report = told(OPEN, Silent({}, tmp_path), kb=(str(GRAPH), str(other)))
    (why,) = [one for one in report.unasked if "for knowledge bases" in one]
    assert "has not read 1 sentence for" in why


def test_where_no_control_can_be_made_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llm_claims, "vocabulary", lambda _: ())
    report = told(OPEN, Model({}, tmp_path))
    (why,) = [one for one in report.unasked if "for knowledge bases" in one]
    assert "has not read 1 sentence for knowledge bases: no control can be made" in why


def test_names_are_looked_for_once_in_a_text_however_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    for name in ("spots", "names_in"):
        plain = getattr(kbreading, name)

        def counted(*given: Any, name: str = name, plain: Any = plain) -> Any:
            calls.append(name)
            return plain(*given)

        monkeypatch.setattr(kbreading, name, counted)
    text = " ".join(f"In the year {1900 + n}, {OPEN}" for n in range(20))
    report = told(text, Model({}, tmp_path))
    assert len(report.statements) == 20
    assert sorted(calls) == ["names_in", "spots"]


DATED = "It was Aksel Brandt to whom the chair of Prime Minister of Norvania belonged {}."


@each("words how expected")
def test_times_hold_as_in_our_own_reading(
    words: str, how: str, expected: str, tmp_path: Path
) -> None:
    text = DATED.format(words)
    row = claim(
        "It was … to whom the chair of … belonged",
        ("Aksel Brandt", "position held", "Prime Minister of Norvania"),
        ("Norvania", "head of government", "Aksel Brandt"),
        times=[{"words": words, "is": how, "of": "it"}],
    )
    assert outcomes(told(text, Model({text: ((row,),)}, tmp_path))) == [expected]


FIRMS = GRAPH.with_name("firms.ttl")


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        (
            "The papers of Harrow Foods plc were filed from Leeds.",
            claim("The papers of … were filed from",
                  ("Harrow Foods plc", "registered office", "Leeds")),
            "supported",
        ),
        (
            "Harrow Foods plc came into being on 2 March 1987.",
            claim("came into being on", ("Harrow Foods plc", "incorporation date", "2 March 1987")),
            "supported",
        ),
        (
            "Harrow Foods plc came into being on 2 March 1988.",
            claim("came into being on", ("Harrow Foods plc", "incorporation date", "2 March 1988")),
            "refuted",
        ),
        (
            "The payroll of Belmont Tools Ltd runs to over 50 people.",
            claim("The payroll of … runs to … people", ("Belmont Tools Ltd", "employees", "50"),
                  bound="more", limit="over", tense="now"),
            "supported",
        ),
    ],
)  # fmt: skip
def test_a_graph_in_words_of_its_own_is_read_by_its_labels(
    text: str, row: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    assert outcomes(check(text, config=Config(kb=(str(FIRMS),)))) == ["unverifiable"]
    report = told(text, Model({text: ((row,),)}, tmp_path), kb=(str(FIRMS),))
    assert outcomes(report) == [expected]


def test_an_endpoint_is_read_as_a_file_is(tmp_path: Path) -> None:
    pytest_socket.enable_socket()
    try:
        with oxigraph(GRAPH) as url:
            report = told(OPEN, Model({OPEN: ((MIRASTAD,),)}, tmp_path), kb=(url,))
    finally:
        pytest_socket.disable_socket(allow_unix_socket=True)
    assert outcomes(report) == ["supported"]


def hostile() -> Sequence[tuple[str, dict[str, Any]]]:
    reading = ("Teodor Lysne", "place of birth", "Mirastad")
    return [
        ("Teodor Lysne was not seen in Mirastad.", claim("was seen in", reading)),
        ("Teodor Lysne may have been seen in Mirastad.", claim("may have been seen in", reading)),
        (
            "Teodor Lysne, it is said, was seen in Mirastad.",
            claim("is said … was seen in", reading),
        ),
        ("Unless Teodor Lysne was in Mirastad, he lied.", claim("was in", reading)),
        ("Was Teodor Lysne seen in Mirastad?", claim("Was … seen in", reading)),
        ("Teodor Lysne was seen in Mirastad in 1990.", claim("was seen in", reading)),
        ("Teodor Lysne was seen in Mirastad or Kelm.", claim("was seen in", reading)),
        (
            "Teodor Lysne was seen in Mirastad with Jonas Weir.",
            claim("was seen in … with", reading),
        ),
    ]


@pytest.mark.parametrize(("text", "row"), hostile())
def test_no_answer_makes_a_plain_statement_of_what_is_none(
    text: str, row: dict[str, Any], tmp_path: Path
) -> None:
    (got,) = outcomes(told(text, Model({text: ((row,),)}, tmp_path)))
    assert got in ("unverifiable", "not_enough_info")
