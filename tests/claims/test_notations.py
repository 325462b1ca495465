"""Figures and dates of German and French, in their places as English writes them."""

from __future__ import annotations

import pytest

from groundrules.align.numbers import read_numbers
from groundrules.claims.notations import WRITTEN, content, in_english, names, notation, turned

GERMAN = {
    "am 3. Mai 2024": "3 May 2024",
    "seit dem 1. Januar 2024": "1 January 2024",
    "bis 31. März 2023": "31 March 2023",
    "im Mai 2024": "May 2024",
    "1.250,50 € im Monat": "€ 1,250.50",
    "das sind 1.250,50€.": "€1,250.50",
    "250 Euro": "250 Euro",
    "19 % Umsatzsteuer": "19 %",
    "15 Prozent": "15 percent",
    "3,5 Megawatt": "3.5 Megawatt",
    "12.000 Einwohner": "12,000",
    "2,5 Millionen Euro": "2.5 million   Euro",
    "um 8.30 Uhr": "8:30",
    "nach 30 Tagen": "30 days",
    "am 03.05.2024": "03.05.2024",
}
FRENCH = {
    "le 3 mai 2024": "3 May 2024",
    "le 1er février 2024": "1 February  2024",
    "en août 2023": "Aug  2023",
    "1 250,50 € par mois": "€ 1,250.50",
    "1\u202f250,50\u00a0€ par mois": "€\u00a01,250.50",
    "15 %": "15 %",
    "15 pour cent": "15 percent",
    "12 000 habitants": "12,000",
    "à 8 h 30": "8:30",
    "8h30": "8:30",
    "le 5/3/2024": "5.3.2024",
    "3,5 mégawatts": "3.5 megawatts",
    "pendant 3 jours": "3 days",
    "trois ans": "3 yrs",
    "vingt pour cent": "20 percent",
    "1,5 million d'euros": "1.5 million euros",
    "à 30 °C": "30 °C",
}
CASES = [*((said, "German", one) for said, one in GERMAN.items()),
         *((said, "French", one) for said, one in FRENCH.items())]  # fmt: skip


@pytest.mark.parametrize(("said", "tongue", "figure"), CASES)
def test_a_figure_is_written_in_its_place_as_english_writes_it(
    said: str, tongue: str, figure: str
) -> None:
    written = in_english(said, tongue)

    assert len(written) == len(said)
    told = [number.text.split() for number in read_numbers(written) if not number.soft]
    assert told == [figure.split()]


@pytest.mark.parametrize(
    ("said", "tongue"),
    [
        ("§ 5 Abs. 2", "German"),
        ("Der 3. Mann kam.", "German"),
        ("Version 2.10.3", "German"),
        ("192.168.0.1", "German"),
        ("Rue du 8 mai", "French"),
        ("1,2,3", "French"),
        ("", "French"),
        ("\ud800 3\u20e3 ²", "German"),
    ],
)
def test_what_is_no_such_figure_keeps_its_digits_and_its_length(said: str, tongue: str) -> None:
    written = in_english(said, tongue)

    assert len(written) == len(said)
    assert [c for c in written if c.isascii() and c.isdigit()] == [
        c for c in said if c.isascii() and c.isdigit()
    ]


@pytest.mark.parametrize("tongue", sorted(WRITTEN))
def test_a_unit_in_english_fits_its_place(tongue: str) -> None:
    assert all(len(english) <= len(own) for own, english in notation(tongue).units.items())


def test_small_words_and_what_a_figure_is_of_are_no_content() -> None:
    assert content("Die Laufzeit endet am 31. Dezember 2027.", "German") == {"laufz"}
    assert content("Le prix est de 5 euros par mois.", "French") == {"prix"}


@pytest.mark.parametrize(
    ("said", "tongue", "expected"),
    [
        ("Der Preis beträgt nicht 5 €.", "German", True),
        ("Der Preis beträgt mindestens 5 €.", "German", True),
        ("Der Preis beträgt 5 €.", "German", False),
        ("Der Preis beträgt 5 €, plus 19 % Steuer.", "German", False),
        ("Le prix est de plus de 5 €.", "French", True),
        ("Le prix n'est pas de 5 €.", "French", True),
        ("Le prix est de 5 €, plus 20 % de TVA.", "French", False),
    ],
)
def test_a_word_that_denies_bounds_or_compares_is_told_from_one_that_adds(
    said: str, tongue: str, expected: bool
) -> None:
    assert turned(said, tongue) is expected


@pytest.mark.parametrize(
    ("said", "tongue", "expected"),
    [
        ("Ansprechpartner ist Herr Karl Weber.", "German", ["Karl Weber"]),
        ("Frau Dr. Helga von Brandt leitet es.", "German", ["Helga von Brandt"]),
        ("Das ist die Firma Lindner GmbH.", "German", ["Lindner"]),
        ("Die Anlage steht im Wald bei der Stadt.", "German", []),
        ("Le responsable est M. Jean Petit.", "French", ["Jean Petit"]),
        ("L'installation se trouve à Grasse.", "French", ["Grasse"]),
        ("Le contrat prend fin demain.", "French", []),
    ],
)  # fmt: skip
def test_names_are_what_a_title_a_form_or_a_capital_among_small_nouns_tells(
    said: str, tongue: str, expected: list[str]
) -> None:
    assert list(dict(names(said, tongue))) == expected


@pytest.mark.parametrize(
    ("said", "tongue"), [("cent vingt jours", "French"), ("vingt et un jours", "French"),
                         ("hundertzwanzig Tage", "German"), ("drei Äpfel", "German")],
)  # fmt: skip
def test_a_number_of_several_words_or_of_what_is_no_measure_is_no_figure(
    said: str, tongue: str
) -> None:
    assert not list(read_numbers(in_english(said, tongue)))
