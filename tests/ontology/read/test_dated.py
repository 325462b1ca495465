"""Dated events are read in any wording, each of the thing that its words describe."""

from __future__ import annotations

import pytest

from tests.ontology.read.texts import said


def dates(text: str) -> set[str]:
    return {line for line in said(text) if "Date " in line}


@pytest.mark.parametrize(
    "text",
    [
        "The licence lapsed on 4 June 2021.",
        "The licence came to an end on 4 June 2021.",
        "The licence, which began in 2019, ended on 4 June 2021.",
        "The expiry of the licence was on 4 June 2021.",
        "The licence shall continue until 4 June 2021.",
    ],
)
def test_an_end_is_read_in_the_active_the_passive_and_the_noun(text: str) -> None:
    assert "licence lx:expirationDate 2021-06-04" in dates(text)


@pytest.mark.parametrize(
    "text",
    [
        "The licence did not lapse on 4 June 2021.",
        "The licence might lapse on 4 June 2021.",
        "If the licence lapsed on 4 June 2021, the fee is due.",
        "The plaintiff alleges that the licence lapsed on 4 June 2021.",
        "The milk expires on 4 June 2021.",
    ],
)
def test_what_is_denied_open_or_of_another_kind_is_no_event(text: str) -> None:
    assert dates(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "The lease is to begin on 14 May 2019.",
        "The lease, which began on 14 May 2019, is registered.",
    ],
)
def test_a_beginning_is_read_whichever_way_its_clause_is_built(text: str) -> None:
    begun = {line for line in dates(text) if "impliedExpiration" not in line}
    assert begun == {"agreement lx:commencementDate 2019-05-14"}


def test_what_takes_up_a_term_takes_up_what_it_is_the_term_of() -> None:
    read = dates("The term of the lease begins on 4 June 2021. It ends on 3 May 2019.")
    assert "agreement lx:expirationDate 2019-05-03" in read


def test_several_words_for_a_case_are_of_one() -> None:
    read = said("The claim was issued on 4 June 2021. The case was decided on 3 May 2019.")
    assert [line for line in read if "lx:decides" in line] == ["decision lx:decides claim"]


def test_the_decision_and_it_take_up_the_only_judgment() -> None:
    read = said("The judgment was given on 4 May 2019. The appeal against it was lodged in 2018.")
    assert "appeal against it lx:takenFrom judgment" in read
    read = said("The judgment was given on 4 May 2019. The decision was upheld on 3 May 2018.")
    assert "judgment lx:reviewDate 2018-05-03" in read


def test_the_application_for_the_patent_is_the_application() -> None:
    read = said("The application for the patent was lodged on 4 May 2010. The patent expired.")
    assert {line for line in read if "grantedOn" in line} <= {"patent lx:grantedOn application"}


def test_whom_somebody_sues_is_no_suit() -> None:
    assert "case lx:filingDate 2019-05-04" in said("Ann Orr sued the bank on 4 May 2019.")


def test_what_has_a_number_is_told_by_it() -> None:
    read = dates("Policy A-17 ended on 30 June 2015. Policy A-18 began on 1 July 2015.")
    assert {line.split(" lx:")[0] for line in read} == {"policy A-17", "policy A-18"}


@pytest.mark.parametrize(
    ("text", "property_", "reads"),
    [
        ("The contract was concluded on 4 June 2021.", "expirationDate", False),
        ("The contract concluded on 4 June 2021.", "expirationDate", True),
        ("The tenancy was extended to 4 June 2021.", "expirationDate", False),
        ("The court applied the Act on 4 June 2021.", "inForceDate", False),
        ("The Act applies from 4 June 2021.", "inForceDate", True),
    ],
)
def test_what_a_thing_does_itself_is_not_what_is_done_to_it(
    text: str, property_: str, reads: bool
) -> None:
    assert any(property_ in line for line in dates(text)) == reads


def test_the_day_that_a_thing_bears_is_none_of_what_befalls_it() -> None:
    read = dates("The order of 3 May 2013 was reversed on 4 June 2014.")
    assert "order of 3 May 2013 lx:reviewDate 2014-06-04" in read
    assert not any("reviewDate 2013" in line for line in read)
    read = dates("The Order was made on 3 May 2005. It revokes the Order of 2001.")
    assert "order lx:decisionDate 2001" not in read


def test_a_judgment_that_is_dated_before_it_is_handed_down_has_one_day() -> None:
    read = dates("The judgment is dated 3 May 2011; it was handed down on 9 May 2011.")
    assert read == {"judgment lx:decisionDate 2011-05-09"}


def test_a_clause_behind_two_things_is_of_neither() -> None:
    text = "A guarantee of this lease whose term expired on 1 May 2019 was given by Ann Orr."
    assert dates(text) == set()


def test_things_are_told_apart_by_their_descriptions() -> None:
    read = dates(
        "The earlier licence lapsed on 3 May 2019. The later licence commenced on 4 May 2019."
    )
    assert len({line.split(" lx:")[0] for line in read}) == 2
    assert dates("The first licence lapsed. The licence lapsed on 3 May 2019.") == set()


def test_whom_a_judgment_is_for_does_not_tell_it_from_another() -> None:
    read = said(
        "Orla Finn brought proceedings against Bell Ltd. on 6 May 2024. "
        "The judge gave judgment for Orla Finn on 9 July 2024."
    )
    assert "judgment for Orla Finn lx:decides proceedings" in read
    assert "case lx:hasDefendant Bell Ltd" in read


def test_that_motion_is_the_one_before_it() -> None:
    read = said(
        "The motion to stay was filed on 6 June 2022. The court denied that motion on 6 May 2022."
    )
    (filed,) = [line for line in read if "filingDate" in line]
    (decides,) = [line for line in read if "lx:decides" in line]
    assert decides.endswith(filed.split(" lx:")[0])


def test_it_is_read_where_one_thing_alone_can_be_meant() -> None:
    assert "Pond Act lx:inForceDate 2003-01-01" in dates(
        "The Pond Act was enacted on 18 May 2004. It entered into force on 1 January 2003."
    )
    two = "The licence and the sublicence differ. The lease ended. It began on 3 May 2019."
    assert not any("licence lx:" in line for line in dates(two))


def test_an_appeal_is_taken_from_what_it_is_said_to_be_taken_from() -> None:
    read = said(
        "She appealed against the order on 2 March 2021. That order was made on 9 April 2021."
    )
    assert "appeal lx:takenFrom order" in read
    read = said("The appeal was filed on 2 March 2021. The order was made on 9 April 2021.")
    assert not any("takenFrom" in line for line in read)


def test_two_outcomes_before_one_court_are_outcomes_of_one_appeal() -> None:
    text = "The Senate Court allowed the appeal. The Senate Court dismissed the appeal."
    read = [line for line in said(text) if "outcome" in line]
    assert sorted(line.rsplit(" ", 1)[1] for line in read) == ["allowed", "dismissed"]
    assert not any("outcome" in one for one in said("The court allowed the appeal in part."))


@pytest.mark.parametrize(
    "text",
    [
        "The Toll Act was repealed by the Road Act.",
        "The Toll Act passed in 1954. It was repealed by section 2 of the Road Act of 1960.",
        "The Road Act, which repealed the Toll Act, came into force in 1960.",
        "By section 2 of the Road Act, the Toll Act is repealed.",
    ],
)
def test_what_one_thing_does_to_another_is_read_in_any_wording(text: str) -> None:
    assert any(line.startswith("Road Act") and "lx:repeals Toll Act" in line for line in said(text))


def test_what_is_not_done_is_denied() -> None:
    assert "not Road Act lx:repeals Toll Act" in said("The Road Act did not repeal the Toll Act.")


def test_a_year_is_a_part_of_its_name() -> None:
    read = said("The Toll Act 1954 was repealed by the Road Act 1960.")
    assert "Road Act 1960 lx:repeals Toll Act 1954" in read


def test_a_judgment_on_a_claim_that_has_a_number_decides_it() -> None:
    read = said(
        "Case No. 44 was filed on 6 June 2017. Judgment on Case No. 44 was given on 12 May 2018."
    )
    assert any("lx:decides Case No. 44" in line for line in read)
    assert "Case No. 44 lx:filingDate 2017-06-06" in read


def test_a_day_that_is_named_behind_it_is_that_day() -> None:
    assert "appeal lx:argumentDate 2013-10-16" in said(
        "The appeal was argued on a single day, 16 October 2013."
    )


@pytest.mark.parametrize(
    "text",
    [
        "This lease begins on 1 May 2021. The guarantee's term ended on 30 April 2021.",
        "The term of the guarantee of this lease ended on 30 April 2021. The lease ran.",
        "This policy begins on 1 June 2021. Another had a term which ended on 31 May 2021.",
    ],
)
def test_the_term_of_another_paper_is_not_that_of_this_one(text: str) -> None:
    assert not any(line.startswith("agreement lx:expirationDate") for line in said(text))


@pytest.mark.parametrize(
    ("text", "decides"),
    [
        ("Judgment was given on 2 March 2017. The suit was begun on 9 June 2019.", False),
        ("A court issued its decree on 2 March 2017. The suit was begun on 9 June 2019.", False),
        ("The suit was begun on 9 June 2019. Judgment was given on 2 March 2017.", True),
        ("The judgment was given on 2 March 2017. The suit was begun on 9 June 2019.", True),
    ],
)
def test_a_new_decision_decides_no_suit_that_is_spoken_of_later(text: str, decides: bool) -> None:
    assert any("lx:decides" in line for line in said(text)) == decides


def test_appeals_of_two_on_two_days_have_no_one_day() -> None:
    read = said("Ana Ruiz appealed on 3 May 2021 and Bruno Lima appealed on 5 May 2021.")
    assert not any("filingDate" in line for line in read)


def test_what_an_event_reads_of_a_claim_is_read_once() -> None:
    read = [line for line in said("The lease of Unit 4 begins on 3 May 2020.") if "Date" in line]
    assert read == ["lease of Unit 4 lx:commencementDate 2020-05-03"]


def test_what_is_told_by_somebody_is_not_so_in_likeness_either() -> None:
    read = said("According to Ana Ruiz, the lease expires on 1 May 2020.")
    assert not any(line.startswith("agreement lx:expirationDate") for line in read)
