"""Dated events are read in any wording, each of the thing that its words describe."""

from __future__ import annotations

from tests.ontology.read.texts import said
from tests.rows import each


def dates(text: str) -> set[str]:
    return {line for line in said(text) if "Date " in line}


def test_several_words_for_a_case_are_of_one() -> None:
    read = said("The claim was issued on 4 June 2021. The case was decided on 3 May 2019.")
    assert [line for line in read if "lx:decides" in line] == ["decision lx:decides claim"]


def test_the_application_for_the_patent_is_the_application() -> None:
    read = said("The application for the patent was lodged on 4 May 2010. The patent expired.")
    assert {line for line in read if "grantedOn" in line} <= {"patent lx:grantedOn application"}


def test_what_has_a_number_is_told_by_it() -> None:
    read = dates("Policy A-17 ended on 30 June 2015. Policy A-18 began on 1 July 2015.")
    assert {line.split(" lx:")[0] for line in read} == {"policy A-17", "policy A-18"}


def test_things_are_told_apart_by_their_descriptions() -> None:
    read = dates(
        "The earlier licence lapsed on 3 May 2019. The later licence commenced on 4 May 2019."
    )
    assert len({line.split(" lx:")[0] for line in read}) == 2
    assert dates("The first licence lapsed. The licence lapsed on 3 May 2019.") == set()


def test_that_motion_is_the_one_before_it() -> None:
    read = said(
        "The motion to stay was filed on 6 June 2022. The court denied that motion on 6 May 2022."
    )
    (filed,) = [line for line in read if "filingDate" in line]
    (decides,) = [line for line in read if "lx:decides" in line]
    assert decides.endswith(filed.split(" lx:")[0])


def test_two_outcomes_before_one_court_are_outcomes_of_one_appeal() -> None:
    text = "The Senate Court allowed the appeal. The Senate Court dismissed the appeal."
    read = [line for line in said(text) if "outcome" in line]
    assert sorted(line.rsplit(" ", 1)[1] for line in read) == ["allowed", "dismissed"]
    assert not any("outcome" in one for one in said("The court allowed the appeal in part."))


@each("text")
def test_what_one_thing_does_to_another_is_read_in_any_wording(text: str) -> None:
    assert any(line.startswith("Road Act") and "lx:repeals Toll Act" in line for line in said(text))


def test_what_an_event_reads_of_a_claim_is_read_once() -> None:
    read = [line for line in said("The lease of Unit 4 begins on 3 May 2020.") if "Date" in line]
    assert read == ["lease of Unit 4 lx:commencementDate 2020-05-03"]
