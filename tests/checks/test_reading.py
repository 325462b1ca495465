"""A check with licensed readers: each decides within its licence, and never over a rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules import api
from groundrules.checks import plan as checks_plan
from groundrules.config import Config, LLMConfig
from groundrules.errors import ConfigError
from groundrules.explain.formats import json, text
from groundrules.models.licences import Bound, Licence, Own
from groundrules.models.readers import Entailment, Probe, Reader
from groundrules.terms import Outcome, Report, Severity
from tests.claims.test_grades import grade, numbers, scripted
from tests.llm_server import Server
from tests.rows import each

SOURCE = (
    "Guests may stay for up to 14 nights. A dog needs the agent's written consent. The laundry "
    "room is open daily. The deposit for the terrace is £60."
)
COPIED = "The deposit for the terrace is £60."
REFUTED = "The deposit for the terrace is £70."
LOOSE = "Residents with a dog must ask beforehand."
FREE = "One can wash clothes in the laundry every day."
FIGURE = "One can wash 12 shirts in the laundry every day."
NAMED = "According to Mortimer Quince one can wash in the laundry."
ANSWER = f"{COPIED} {REFUTED} {LOOSE} {FREE} {FIGURE} {NAMED}"
ALL = (COPIED, REFUTED, LOOSE, FREE, FIGURE, NAMED)

YES, NO, OPEN = (
    Entailment(0.97, 0.01, 0.02),
    Entailment(0.01, 0.97, 0.02),
    Entailment(0.5, 0.2, 0.3),
)
DOUBT = Entailment(0.02, 0.3, 0.68)


class Told:
    """A reader that says of each statement what a test wants, and remembers what it was asked."""

    def __init__(self, name: str, said: Mapping[str, Entailment | str]) -> None:
        self.asked: list[str] = []
        self.said = said
        self.reader = Reader(name, self.read)

    def read(self, asked: Sequence[Probe]) -> list[Entailment | str]:
        self.asked += [one.statement for one in asked]
        return [self.said.get(one.statement, OPEN) for one in asked]

    def licence(self, **bounds: Bound | None) -> Licence:
        powers = {
            "supports": Bound(0.9, 0.96, 500),
            "refutes": Bound(0.9, 0.93, 300),
            "doubts": Bound(0.1, 0.91, 300),
        } | bounds
        name = self.reader.name
        return Licence(name, self.reader.digest, "f", 1404, 600, model=name, **powers)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Report]:
    """A check with readers that say what a test wants, each with a licence."""

    def check(
        *readers: Told,
        licences: Sequence[Licence] = (),
        llm: str = "never",
        answer: str = ANSWER,
        source: str = SOURCE,
    ) -> Report:
        named = {one.reader.name: one.reader for one in readers}
        monkeypatch.setattr(checks_plan, "open_named", lambda name, *_: named[name])
        files = []
        for one in licences or [one.licence() for one in readers]:
            (tmp_path / f"{one.reader}.toml").write_text(one.dumps(), encoding="utf-8")
            files.append(f"{one.reader}.toml")
        config = Config(readers=tuple(files), base=tmp_path, llm=LLMConfig(llm, retries=0))
        return api.check(answer, context=[source], config=config, verify=False)

    return check


def outcomes(report: Report) -> dict[str, Outcome]:
    return {one.text: one.outcome for one in report.statements}


def plain() -> Report:
    return api.check(ANSWER, context=[SOURCE], verify=False)


def test_what_a_reader_supports_within_its_licence_is_supported_and_says_by_whom(
    read: Callable[..., Report],
) -> None:
    report = read(Told("small", {LOOSE: YES}))
    (one,) = (s for s in report.statements if s.text == LOOSE)

    assert (one.outcome, one.reason, one.note) == (Outcome.SUPPORTED, "read", "read by small")
    assert one.read_by == "small"
    assert any(
        "read by small, licensed on 1,404 sentences: supports from 0.90 (0.96)" in note
        and "settled 1" in note
        for note in report.run.notes
    )
    assert ("reader", f"small {Told('small', {}).reader.digest[:12]}") in report.run.models


def test_what_a_reader_finds_contradicted_within_its_licence_is_refuted_beside_a_passage(
    read: Callable[..., Report],
) -> None:
    report = read(Told("small", {LOOSE: NO}))
    (one,) = (s for s in report.statements if s.text == LOOSE)
    (found,) = (v for v in report.findings_of(one) if v.rule == "GR104")

    assert (one.outcome, one.reason) == (Outcome.REFUTED, "GR104")
    assert found.severity is Severity.ERROR
    assert found.evidence


def test_what_lies_below_the_bound_of_doubt_is_doubted_and_stays_open(
    read: Callable[..., Report],
) -> None:
    report = read(Told("small", {LOOSE: DOUBT}))
    (one,) = (s for s in report.statements if s.text == LOOSE)

    assert one.outcome is Outcome.NOT_ENOUGH_INFO
    assert "GR106" in {v.rule for v in report.findings_of(one)}
    others = [s for s in report.statements if s.text == FREE]
    assert not any(v.rule == "GR106" for s in others for v in report.findings_of(s))


def test_no_reader_is_asked_about_what_the_rules_settle_or_prevails_over_them(
    read: Callable[..., Report],
) -> None:
    told = Told("small", dict.fromkeys(ALL, YES))
    found = outcomes(read(told))

    assert REFUTED not in told.asked
    assert COPIED not in told.asked
    assert found[REFUTED] is Outcome.REFUTED
    assert found[COPIED] is Outcome.SUPPORTED


def test_no_reader_stands_in_for_a_figure_or_a_name_that_no_source_gives(
    read: Callable[..., Report],
) -> None:
    found = outcomes(read(Told("small", dict.fromkeys(ALL, YES))))

    assert found[FREE] is Outcome.SUPPORTED
    assert found[FIGURE] is Outcome.NOT_ENOUGH_INFO
    assert found[NAMED] is Outcome.NOT_ENOUGH_INFO


def test_the_next_reader_is_asked_only_about_what_lies_between_the_bounds_of_the_one_before(
    read: Callable[..., Report],
) -> None:
    small = Told("small", {LOOSE: YES, FREE: OPEN, FIGURE: DOUBT})
    large = Told("large", {FREE: YES, NAMED: NO})
    report = read(small, large)
    found = outcomes(report)

    assert LOOSE in small.asked
    assert not {LOOSE, FIGURE} & {*large.asked}
    assert FREE in large.asked
    assert (found[FREE], found[NAMED]) == (Outcome.SUPPORTED, Outcome.REFUTED)
    notes = [note for note in report.run.notes if note.startswith("read by")]
    assert [note.split(",")[0] for note in notes] == ["read by small", "read by large"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["random", "constant", "reversed"])
def test_a_reader_whose_licence_allows_nothing_changes_no_verdict(
    read: Callable[..., Report], kind: str, seed: int
) -> None:
    draw = random.Random(seed)
    said = {
        "random": {one: Entailment(s := draw.random(), 1 - s, 0) for one in ALL},
        "constant": dict.fromkeys(ALL, YES),
        "reversed": dict.fromkeys(ALL, NO),
    }[kind]
    told = Told("small", said)
    none = told.licence(supports=None, refutes=None, doubts=None)
    report = read(told, licences=[none])

    assert outcomes(report) == outcomes(plain())
    assert {v.rule for v in report.violations} == {v.rule for v in plain().violations}
    assert any("decides nothing" in note for note in report.run.notes)


def test_what_could_not_be_read_is_unverifiable_and_the_report_says_why(
    read: Callable[..., Report],
) -> None:
    report = read(Told("small", {LOOSE: "HTTP 500: down", FREE: YES}))
    found = {one.text: one for one in report.statements}

    assert found[LOOSE].outcome is Outcome.UNVERIFIABLE
    assert found[LOOSE].note == "not graded: HTTP 500: down"
    assert found[FREE].outcome is Outcome.SUPPORTED
    assert report.unasked == ("readers have not read 1 statement: HTTP 500: down",)
    assert report.conforms is False or report.conforms is None


def test_what_one_reader_could_not_read_the_next_may(read: Callable[..., Report]) -> None:
    report = read(Told("small", {LOOSE: "HTTP 500: down"}), Told("large", {LOOSE: YES}))

    assert outcomes(report)[LOOSE] is Outcome.SUPPORTED
    assert report.unasked == ()


def test_a_reader_that_is_asked_otherwise_than_it_was_measured_is_refused_in_one_line(
    read: Callable[..., Report],
) -> None:
    told = Told("small", {})
    licence = told.licence()
    told.reader = Reader("small", told.read, question="asked otherwise")
    with pytest.raises(ConfigError, match=r"asked otherwise now.*readers add small") as error:
        read(told, licences=[licence])
    assert "\n" not in str(error.value)
    assert told.asked == []


def test_the_cheapest_is_asked_first_and_an_endpoint_last_whatever_the_order(
    read: Callable[..., Report],
) -> None:
    dear, cheap, far = (Told(name, {}) for name in ("dear", "cheap", "x://far"))
    licences = [
        replace(far.licence(), reader="far", seconds=0.1),
        replace(dear.licence(), seconds=2.0),
        replace(cheap.licence(), seconds=1.0),
    ]
    notes = read(far, dear, cheap, licences=licences).run.notes
    told = [note.split(",")[0] for note in notes if note.startswith("read by")]

    assert told == ["read by cheap", "read by dear", "read by far at an endpoint"]


@each("copy")
def test_no_reader_supports_what_copies_a_sentence_but_for_one_place(
    read: Callable[..., Report], copy: str
) -> None:
    report = read(Told("small", {copy: YES}), answer=copy)

    assert outcomes(report)[copy] is outcomes(api.check(copy, context=[SOURCE]))[copy]
    (note,) = (note for note in report.run.notes if note.startswith("read by"))
    assert "settled 0" in note


def test_what_a_reader_says_of_a_copy_still_refutes_it(read: Callable[..., Report]) -> None:
    copy = "The laundry room is only open daily."
    report = read(Told("small", {copy: NO}), answer=copy)

    assert outcomes(report)[copy] is Outcome.REFUTED


def test_a_reading_survives_the_formats(read: Callable[..., Report]) -> None:
    report = read(Told("small", {LOOSE: YES, FREE: NO, NAMED: DOUBT}))

    assert json.loads(json.dumps(report)).statements == report.statements
    assert "read by small" in text.dumps(report, form="full")


def test_a_file_of_a_project_makes_nobody_ask_an_endpoint(tmp_path: Path) -> None:
    licence = replace(Told("m", {}).licence(), model="http://127.0.0.1:9/v1#m")
    (tmp_path / "m.toml").write_text(licence.dumps(), encoding="utf-8")
    config = Config(readers=("m.toml",), base=tmp_path, origins={"readers": "pyproject.toml:3"})
    with pytest.raises(ConfigError, match=r"m\.toml: names the language model.*reaches no network"):
        api.check(ANSWER, context=[SOURCE], config=config)


def test_no_hub_is_asked_for_a_reader_that_is_in_force(tmp_path: Path) -> None:
    licence = replace(Told("m", {}).licence(), model="owner/model")
    (tmp_path / "m.toml").write_text(licence.dumps(), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"no hub is asked.*readers add owner/model"):
        api.check(ANSWER, context=[SOURCE], config=Config(readers=("m.toml",), base=tmp_path))


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_grader_comes_last_about_what_no_reader_has_settled(
    read: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    rows = {FREE: grade("entailed", "The laundry room is open daily")}
    with Server(scripted(rows, ANSWER)) as server:
        small = Told("small", {LOOSE: YES, FREE: "HTTP 500: down"})
        report = read(small, llm=server.url)
        prompts = [one.text for one in server.requests if "[S1]" in one.text]
    asked = {words for prompt in prompts for words in numbers(prompt)}
    found = {one.text: one for one in report.statements}

    assert (found[LOOSE].reason, found[FREE].reason) == ("read", "graded")
    assert FREE in asked
    assert not asked & {LOOSE, COPIED, REFUTED}
    assert not any("HTTP 500" in one for one in report.unasked)


SHOP = (
    "The shop sold 18,400 loaves in May and 6,100 loaves in June. Its rent is £900 a month. Nobody "
    "counted what was left over."
)
SOLD = "Its ovens turned out 24,500 loaves for buyers."


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("18,400 + 6,100 = 24,500", Outcome.SUPPORTED),
        ("18,400 + 6,000 + 100 = 24,500", Outcome.NOT_ENOUGH_INFO),
        ("24,500", Outcome.NOT_ENOUGH_INFO),
        ("", Outcome.NOT_ENOUGH_INFO),
    ],
)
def test_a_figure_that_no_source_gives_is_what_the_sum_comes_to_that_a_reader_tells(
    read: Callable[..., Report], said: str, outcome: Outcome
) -> None:
    told = Told("large", {SOLD: replace(YES, sums=said)})
    report = read(told, answer=SOLD, source=SHOP)
    (one,) = report.statements

    assert told.asked == [SOLD]
    assert one.outcome is outcome
    missed = [v for v in report.findings_of(one) if v.rule == "GR308"]
    assert bool(missed) == (outcome is not Outcome.SUPPORTED)
    assert ("18,400 + 6,100" in text.dumps(report, form="full")) == (outcome is Outcome.SUPPORTED)


def test_what_is_entailed_but_for_a_figure_is_for_the_next_that_can_tell_how_it_follows(
    read: Callable[..., Report],
) -> None:
    small = Told("small", {SOLD: YES})
    large = Told("large", {SOLD: replace(YES, sums="18,400 + 6,100 = 24,500")})
    report = read(small, large, answer=SOLD, source=SHOP)

    assert large.asked == [SOLD]
    assert outcomes(report) == {SOLD: Outcome.SUPPORTED}

    last = Told("last", {})
    read(large, last, answer=SOLD, source=SHOP)
    assert last.asked == []


LIKELIER_WRONG = Entailment(0.02, 0.6, 0.38)


@pytest.mark.parametrize(
    ("second", "outcome", "reason"),
    [
        (YES, Outcome.NOT_ENOUGH_INFO, "GR106"),
        (OPEN, Outcome.NOT_ENOUGH_INFO, "GR106"),
        (LIKELIER_WRONG, Outcome.NOT_ENOUGH_INFO, "GR106"),
        (NO, Outcome.REFUTED, "GR104"),
    ],
)
def test_what_one_reader_doubts_as_wrong_the_next_may_only_refute(
    read: Callable[..., Report], second: Entailment, outcome: Outcome, reason: str
) -> None:
    last = Told("last", {LOOSE: second})
    report = read(Told("small", {LOOSE: LIKELIER_WRONG}), last)
    (one,) = (s for s in report.statements if s.text == LOOSE)

    assert LOOSE in last.asked
    assert one.outcome is outcome
    assert [v.rule for v in report.findings_of(one) if v.rule in ("GR104", "GR106")] == [reason]


@pytest.mark.parametrize(
    ("second", "outcome"),
    [
        (replace(OPEN, sums="18,400 + 6,100 = 24,500"), Outcome.SUPPORTED),
        (Entailment(0.12, 0.85, 0.03, sums="18,400 + 6,100 = 24,500"), Outcome.NOT_ENOUGH_INFO),
        ("HTTP 500: down", Outcome.NOT_ENOUGH_INFO),
        (replace(YES, sums=""), Outcome.NOT_ENOUGH_INFO),
        (DOUBT, Outcome.NOT_ENOUGH_INFO),
        (NO, Outcome.REFUTED),
    ],
)
def test_what_one_reader_finds_entailed_but_for_a_figure_is_as_the_next_reads_it(
    read: Callable[..., Report], second: Entailment | str, outcome: Outcome
) -> None:
    report = read(
        Told("small", {SOLD: YES}), Told("last", {SOLD: second}), answer=SOLD, source=SHOP
    )

    assert outcomes(report) == {SOLD: outcome}


#: A source and statements: one in other words, and one with a figure that it has not.
ABROAD = {
    "German": (
        "Der Mietvertrag beginnt am 1. März 2024. Die Miete beträgt 640 € im Monat. Hunde darf die "
        "Mieterin nur halten, wenn der Vermieter schriftlich zustimmt.",
        "Ohne die Erlaubnis des Vermieters ist kein Hund gestattet.",
        "Für einen Hund werden 25 € im Monat fällig.",
    ),
    "French": (
        "Le bail commence le 1er mars 2024. Le loyer est de 640 € par mois. La locataire ne peut "
        "avoir de chien que si le bailleur l'accepte par écrit.",
        "Sans l'accord du bailleur, aucun chien n'est permis.",
        "Pour un chien, il faut payer 25 € par mois.",
    ),
}


@pytest.mark.parametrize("language", ABROAD)
def test_a_reader_reads_what_is_in_a_language_that_its_licence_has_and_rules_prevail(
    read: Callable[..., Report], language: str
) -> None:
    source, said, figure = ABROAD[language]
    told = Told("small", dict.fromkeys((said, figure), YES))
    licence = replace(told.licence(), languages={language: Own(300, 140, 0.96)})
    texts = {"answer": " ".join((said, figure)), "source": source}
    report = read(told, licences=[licence], **texts)

    assert [(one.outcome, one.reason) for one in report.statements] == [
        (Outcome.SUPPORTED, "read"),
        (Outcome.NOT_ENOUGH_INFO, "figure"),
    ]
    refuted = read(Told("small", {said: NO}), licences=[licence], **texts).statements[0]
    assert (refuted.outcome, refuted.reason) == (Outcome.REFUTED, "GR104")


@pytest.mark.parametrize("language", ABROAD)
def test_no_reader_reads_what_is_in_a_language_that_its_licence_has_not(
    read: Callable[..., Report], language: str
) -> None:
    source, said, *_ = ABROAD[language]
    told = Told("small", {said: YES})
    report = read(told, answer=said, source=source)

    assert told.asked == []
    assert [(one.outcome, one.reason) for one in report.statements] == [
        (Outcome.UNVERIFIABLE, "unread")
    ]
    assert report.statements[0].note.startswith(language)
