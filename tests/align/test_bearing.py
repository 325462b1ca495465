"""What bears on a statement: its nearest sentences and what they need to be understood."""

from __future__ import annotations

from groundrules.align.bearing import NEAREST, OPENING, bearing
from groundrules.claims.documents.document import Document
from groundrules.claims.facts.outline import Outline, outline

FILLING = "\n\n".join(
    f"The committee for item {n} meets in room {n} on Mondays and keeps minutes of it."
    for n in range(200)
)
CLAUSE = "Marta Oland sold the quarry to Beck Mining LLC in May."
AFTER = "She kept the mill."
TERM = 'Beck Mining LLC (the "Buyer") is a firm of Ohio.'


def of(text: str) -> Outline:
    return outline(Document("d", text))


def said(statement: str, *texts: str) -> list[set[str]]:
    sources = [of(text) for text in texts]
    return [
        {source.said(number) for number in chosen}
        for source, chosen in zip(sources, bearing([statement], sources), strict=True)
    ]


def test_the_sentence_that_says_it_bears_on_a_statement() -> None:
    (found,) = said("In May Beck Mining bought the quarry.", f"{FILLING}\n\n{CLAUSE}\n\n{FILLING}")
    assert CLAUSE in found


def test_what_stands_before_a_pronoun_comes_with_it() -> None:
    text = f"{FILLING}\n\n{CLAUSE} {AFTER}\n\n{FILLING}"
    (found,) = said("The mill was kept.", text)
    assert {CLAUSE, AFTER} <= found


def test_what_defines_a_term_of_a_statement_comes_with_it() -> None:
    text = f"{FILLING}\n\n{TERM}\n\n{FILLING}\n\nThe Buyer pays for the mill in June."
    (found,) = said("The Buyer pays in June.", text)
    assert TERM in found


def test_a_source_without_a_word_of_the_statement_has_nothing_that_bears_on_it() -> None:
    found = said("Quartz glitters.", FILLING, f"{FILLING}\n\nThe quartz of it is grey.")
    assert found[0] == set()
    assert "The quartz of it is grey." in found[1]


def test_how_much_bears_on_a_statement_does_not_grow_with_the_source() -> None:
    text = "\n\n".join([FILLING] * 5)
    (found,) = bearing(["The committee meets in room 7 on Mondays."], [of(text)])
    opening = sum(start < OPENING for start, _ in of(text).sentences)
    assert len(found) <= NEAREST + opening
