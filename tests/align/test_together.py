"""What a statement says must hang together in a sentence of its sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import Outcome, check
from groundrules.align.together import Passage, unconnected_words

LEASE = Path(__file__).parents[2] / "examples" / "lease" / "lease.txt"
FERRIES = (
    "The Tern and the Gannet are the two ferries of the Skerry line. The Tern was built in Leith "
    "in 1998 and carries 120 passengers. The Gannet was built in Bergen in 2004 and carries 86 "
    "passengers. The harbour office in Stroma sells tickets on weekdays; on Sundays the crew of "
    "the Gannet sells them on board."
)
LEAFLET = (
    "Take one tablet each morning with water. Do not take two tablets on the same day. Do not take "
    "Corvaline if you are pregnant or if you are allergic to melotrine. Tell your doctor if you "
    "take lithium. You may drink coffee, but avoid grapefruit juice, which raises the level of "
    "melotrine in the blood. Headache was reported by 9 % of the patients on Corvaline and 8 % on "
    "placebo."
)
RULES = (
    "Dogs are not allowed on the reserve, but assistance dogs may enter the car park. Junior "
    "members may not use the weights."
)
MINUTES = (
    "Hanna Lind proposed to buy a boat from the Sark club. Piet Vos seconded the motion. Tom "
    "Okafor voted against because the reserve would fall. Subscriptions brought in £2,880; the "
    "boat hire cost £1,150. The boathouse will be closed from 2 to 9 April for repairs to the "
    "roof. The showers are not affected."
)


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (FERRIES, "The Gannet carries 86 passengers.", "The Tern carries 86 passengers."),
        (FERRIES, "The Tern was built in Leith.", "The Gannet was built in Leith."),
        (FERRIES, "The Gannet was built in 2004.", "The Tern was built in 2004."),
        (FERRIES, "The Tern carries 120 passengers.", "The crew of the Tern sells tickets."),
        (LEAFLET, "Take one tablet each morning.", "Take two tablets each morning."),
        (LEAFLET, "Avoid grapefruit juice.", "Avoid coffee."),
        (LEAFLET, "Tell your doctor if you take lithium.", "Tell your doctor if you are pregnant."),
        (
            LEAFLET,
            "Do not take Corvaline if you are pregnant.",
            "Take Corvaline if you are pregnant.",
        ),
        (
            LEAFLET,
            "Grapefruit juice raises the level of melotrine in the blood.",
            "Coffee raises the level of melotrine in the blood.",
        ),
        (
            LEAFLET,
            "Headache was reported by 9 % of the patients on Corvaline.",
            "Headache was reported by 9 % of the patients on placebo.",
        ),
        (RULES, "Assistance dogs may enter the car park.", "Dogs may enter the car park."),
        (RULES, "Junior members may not use the weights.", "Members may not use the weights."),
        (RULES, "Dogs are not allowed on the reserve.", "Dogs are not allowed in the car park."),
        (MINUTES, "Piet Vos seconded the motion.", "Hanna Lind seconded the motion."),
        (MINUTES, "Subscriptions brought in £2,880.", "The boat hire brought in £2,880."),
        (
            MINUTES,
            "Tom Okafor voted against because the reserve would fall.",
            "Piet Vos voted against because the reserve would fall.",
        ),
        (
            MINUTES,
            "The boathouse will be closed from 2 to 9 April.",
            "The showers will be closed from 2 to 9 April.",
        ),
        (
            "Bob Hale signed for the tenant, and Ann Moor signed for the landlord.",
            "Bob Hale signed for the tenant.",
            "Ann Moor signed for the tenant.",
        ),
        (
            "Ann Moor runs the mill; the ferry is run by Bob Hale and Eva Lund runs the inn.",
            "Ann Moor runs the mill.",
            "Eva Lund runs the ferry.",
        ),
        ("She owns a dog and he owns a cat.", "He owns a cat.", "He owns a dog."),
        (
            "Route A runs every day. Route B does not run on Sundays.",
            "Route B does not run on Sundays.",
            "Route A does not run on Sundays.",
        ),
    ],
)
def test_words_that_no_sentence_ties_together_do_not_support(
    source: str, right: str, wrong: str
) -> None:
    told = [check(text, context=source, verify=False).statements[0] for text in (right, wrong)]
    assert told[0].outcome is Outcome.SUPPORTED
    assert told[1].outcome is not Outcome.SUPPORTED


def test_the_note_quotes_the_words_that_stand_elsewhere() -> None:
    text = "The harbour office in Bergen sells tickets on weekdays."
    (told,) = check(text, context=FERRIES, verify=False).statements
    note = "no passage says “Bergen” together with the rest"
    assert (told.reason, told.note) == ("apart", note)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Ada Holm runs the mill. In 2019 she sold 40 sacks.", "Ada Holm sold 40 sacks in 2019."),
        ("Keep the tablets dry. Use them within a month.", "Use the tablets within a month."),
        (
            FERRIES + " In 2019 the Tern was repaired in Oban.",
            "The Tern, which carries 120 passengers, was repaired in Oban in 2019.",
        ),
        ("The tenant shall:\n- repair the windows\n- pay the rent", "The tenant pays the rent."),
        ("The act is governed by the laws of the State of Oregon.", "The laws of Oregon govern."),
    ],
)
def test_pronouns_lists_rows_and_two_sentences_tie_words(source: str, text: str) -> None:
    (told,) = check(text, context=source, verify=False).statements
    assert told.reason != "apart"


def test_a_cell_without_the_name_of_its_row_is_left_open() -> None:
    fees = "| Crew | Fee |\n|---|---|\n| Junior | £12 |\n| Senior | £20 |"
    told = check("The fee is £12. The fee for senior crew is £20.", context=fees, verify=False)
    assert [one.outcome for one in told.statements] == [
        Outcome.NOT_ENOUGH_INFO,
        Outcome.SUPPORTED,
    ]


def test_a_sentence_is_carried_by_itself() -> None:
    lines = [line for line in LEASE.read_text(encoding="utf-8").splitlines() if line.endswith(".")]
    assert len(lines) > 20
    assert [
        line for line in lines if unconnected_words(line, [Passage(line, "", {})]) is not None
    ] == []


def test_nothing_carries_a_statement_without_passages() -> None:
    assert unconnected_words("The Tern carries passengers.", []) == (
        "Tern",
        "carries",
        "passengers",
    )
