"""What records have of a sentence: by what it names, what it counts, and which way round it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundrules.checks.answers import ground, open_records
from groundrules.checks.carrier import RecordSupport
from groundrules.config import Config
from groundrules.kb.records.questions import read_question, state
from groundrules.kb.search.retrieval import TEXTS, index_texts
from groundrules.kb.sources.triplestore import build_store, open_graph

RECORDS = Path(__file__).parents[2] / "examples" / "records" / "patents.xml"
PATENT, APPLICATION, OTHER = "us-patent/9800001", "us-application/14897520", "us-patent/4580670"
QUESTION = "Tell me about US 9,800,001"

#: What a sentence lacks of the records whose IRIs end so, empty if they carry it.
Lacks = Callable[[str, Sequence[str]], str]


@pytest.fixture(scope="module")
def unsupported_part(tmp_path_factory: pytest.TempPathFactory) -> Lacks:
    store = tmp_path_factory.mktemp("carrier") / "store"
    build_store([RECORDS], store)
    index_texts(open_graph(store), store / TEXTS)
    connection, index = open_records(Config(kb=(str(store),)), datetime(2026, 1, 1, tzinfo=UTC))
    asked = read_question(QUESTION, index, connection.graph)
    facts = state(asked, connection.source, connection.graph)
    grounds = ground(QUESTION, asked, facts, connection, index)
    carrier = RecordSupport((one.thing, one.label, one.facts) for one in grounds)

    def found(sentence: str, cites: Sequence[str]) -> str:
        ends = tuple(cites)
        return carrier.unsupported_part(
            sentence, [g.thing for g in grounds if g.thing.endswith(ends)]
        )

    return found


@pytest.mark.parametrize(
    ("sentence", "cites"),
    [
        ("US 9,800,001 was granted on 10/31/2017.", [PATENT]),
        ("US 9,800,001 was granted on 31.10.2017.", [PATENT]),
        ("US 9,800,001 was granted on the 31st of October 2017.", [PATENT]),
        ("US 9,800,001 was granted in October 2017.", [PATENT]),
        ("US 9,800,001 was granted in 2017.", [PATENT]),
        ("US 4,580,670 was granted in April 1986.", [OTHER]),
        ("U.S. Pat. No. 9,800,001 B2 was granted on Tuesday, October 31, 2017.", [PATENT]),
        ("US 9,800,001 may have been granted on October 31, 2017.", [PATENT]),
        ("US 9,800,001 was not only granted but also assigned to Rotor Works AB.", [PATENT]),
        ("On December 10, 2015, US 14/897,520 was filed, and on October 31, 2017 it was granted.",
         [PATENT, APPLICATION]),
        ("The filing and grant dates of US 9,800,001 are December 10, 2015 and October 31, 2017.",
         [PATENT, APPLICATION]),
        ("US 9,800,001 was filed in 2015 and granted in 2017.", [PATENT, APPLICATION]),
        ("US 4,580,670 was granted in April 1986 and US 9,800,001 on October 31, 2017.",
         [PATENT, OTHER]),
        ("US 9,800,001 cites US 4,580,670, which was granted in April 1986.", [PATENT, OTHER]),
        ("Claims 2 and 3 of US 9,800,001 depend on claim 1.", ["/claim/2", "/claim/3"]),
        ("Claims 1 and 4 of US 9,800,001 are independent.", ["/claim/1", "/claim/4"]),
        ("US 9,800,001 was invented by Ada Lindqvist and assigned to Rotor Works AB.", [PATENT]),
        ("The inventor and the assignee of US 9,800,001 are Ada Lindqvist and Rotor Works AB.",
         [PATENT]),
        ("Ada Lindqvist, the inventor of US 9,800,001, assigned it to Rotor Works AB.", [PATENT]),
        ("“Self-priming pump with a steel rotor” is the title of US 9,800,001.", [PATENT]),
        ("Claim 2 says that the rotor has 4 blades.", ["/claim/2"]),
        ("Claim 4 of US 9,800,001 refers back to claim 1.", ["/claim/4"]),
        ("“US 9,800,001” is titled “Self-priming pump with a steel rotor”.", [PATENT]),
        ("Claim 5 says that the rotor turns at fifty revolutions a second.", ["/claim/5"]),
        ("US 14/897,520 claims the priority of an application filed on December 12, 2014.",
         [APPLICATION, "DE-102014225701"]),
    ],
)  # fmt: skip
def test_what_is_stated_is_carried_however_it_is_written(
    unsupported_part: Lacks, sentence: str, cites: list[str]
) -> None:
    assert unsupported_part(sentence, cites) == ""


@pytest.mark.parametrize(
    ("sentence", "cites", "missing"),
    [
        ("US 9,800,001 was not granted.", [PATENT], "not"),
        ("US 9,800,001 was not granted on October 31, 2017.", [PATENT], "not"),
        ("US 9,800,001 was “not” granted.", [PATENT], "not"),
        ("US 9,800,001 was \"never … ever\" granted.", [PATENT], "never"),
        ("US 9,800,001 has no abstract.", [PATENT], "no"),
        ("US 9,800,001 is not owned by Rotor Works AB.", [PATENT], "not"),
        ("Claim 2 of US 9,800,001 does not depend on claim 1.", ["/claim/2"], "not"),
        ("US 9,800,001, granted on October 31, 2017 to Rotor Works AB, was revoked.", [PATENT],
         "revoked"),
        ("Claim 1 of US 9,800,001 depends on claim 4.", ["/claim/1", "/claim/4"], "claim 1"),
        ("Claim 5 of US 9,800,001 depends on claim 1.", ["/claim/1", "/claim/5"], "claim 5"),
        ("Claim 2 of US 9,800,001 is independent.", ["/claim/2"], "independent"),
        ("Claims 2 and 4 of US 9,800,001 depend on claim 1.", ["/claim/2", "/claim/4"], "claim 4"),
        ("US 9,800,001 has 12 claims.", [PATENT], "12 claims"),
        ("US 9,800,001 has fourteen inventors.", [PATENT], "14"),
        ("Claim 2 says that the rotor has 12 blades.", ["/claim/2"], "12 blades"),
        ("The rotor turns at 5 revolutions a second.", ["/claim/5"], "5"),
        ("US 9,800,001 was granted on 06/07/2017.", [PATENT], "06/07/2017"),
        ("US 9,800,001 was granted in 2015.", [PATENT, APPLICATION], "2015"),
        ("US 9,800,001, granted on December 10, 2015, was filed on October 31, 2017.",
         [PATENT, APPLICATION], "for that"),
        ("It was filed on October 31, 2017.", [PATENT, APPLICATION], "for that"),
        ("US 4,580,670 was granted on October 31, 2017.", [PATENT, OTHER], "2017"),
        ("“US 4,580,670” was granted on October 31, 2017.", [PATENT, OTHER], "2017"),
        ("US 4,580,670 was granted on October 31, 2017 and US 9,800,001 in April 1986.",
         [PATENT, OTHER], "for that"),
        ("US 9,800,001 cites US 4,580,670, which was granted on October 31, 2017.",
         [PATENT, OTHER], "for that"),
        ("US 9,800,001 was granted before US 4,580,670.", [PATENT, OTHER], "first"),
        ("EP 0732743 cites US 4,580,670.", [PATENT, OTHER, "EP-0732743"], "cites"),
        ("EP 0732743 cites US 4,580,670.", [OTHER, "EP-0732743"], "cites"),
        ("Claim 2 of US 9,800,001 says: “The pump has four blades.", ["/claim/2"], "these words"),
        ("Claim 1 of US 9,800,001 says that the rotor has four blades.", ["/claim/2"], "claim 1"),
        ("Claim 3 of US 9,800,001 says: “The pump of claim 1, wherein the rotor (12) has four "
         "blades.”", ["/claim/2", "/claim/3"], "12"),
        ("US 9,800,001 is titled “Steel rotor”.", [PATENT], "title"),
        ("“Pump” is the title of US 9,800,001.", [PATENT], "title"),
        ("US 9,800,001 was invented by Rotor Works AB and assigned to Ada Lindqvist.", [PATENT],
         "for that"),
        ("The inventor of US 9,800,001 is Rotor Works AB and its assignee is Ada Lindqvist.",
         [PATENT], "for that"),
        ("The title of US 9,800,001 is Self-priming rotor with a steel pump.", [PATENT], "title"),
    ],
)  # fmt: skip
def test_what_is_stated_otherwise_or_of_another_is_not_carried(
    unsupported_part: Lacks, sentence: str, cites: list[str], missing: str
) -> None:
    assert missing in unsupported_part(sentence, cites)


@pytest.mark.parametrize("sentence", ["No.", "It is.", "?", "US"])
def test_what_says_nothing_is_carried_by_nothing(unsupported_part: Lacks, sentence: str) -> None:
    assert unsupported_part(sentence, [PATENT])


def test_what_records_deny_may_be_denied(unsupported_part: Lacks) -> None:
    # its words are those of paragraph 1
    assert unsupported_part("The pumps start without priming.", ["/paragraph/0001"]) == ""
    assert unsupported_part("The pumps start without a rotor.", ["/paragraph/0001"])
    # a denial of one thing is none of another
    assert unsupported_part("US 9,800,001 was not granted.", [PATENT, "/paragraph/0001"])
    assert unsupported_part("US 9,800,001 has no abstract.", [PATENT, "/paragraph/0001"])


def test_the_number_of_a_document_is_a_name_and_a_count_is_none() -> None:
    carrier = RecordSupport([])
    text = "US 14/897,520 has 5 claims."
    assert [text[a:b] for a, b in carrier.names(text)] == ["14/897,520"]
