"""Figures and names of German and French beside sources of the same language."""

from __future__ import annotations

import pytest

from groundrules import api
from groundrules.config import Config
from groundrules.terms import Outcome, Report, Severity

GERMAN = (
    "Die Stadtwerke Oberau haben am 3. Mai 2024 den Vertrag mit der Firma Lindner GmbH "
    "unterzeichnet. Der Preis beträgt 1.250,50 € im Monat, dazu kommen 19 % Umsatzsteuer. Die "
    "Laufzeit endet am 31. Dezember 2027. Ansprechpartnerin ist Frau Dr. Helga Brandt. Die Anlage "
    "leistet höchstens 3,5 Megawatt. Der Zug fährt um 8.30 Uhr. Die Gebühr liegt bei 20 Euro oder "
    "bei 30 Euro."
)
FRENCH = (
    "La ville de Valbonne a signé le 3 mai 2024 un contrat avec la société Durand et Fils. Le prix "
    "est de 1 250,50 € par mois, plus 20 % de TVA. Le contrat prend fin le 31 décembre 2027. La "
    "responsable est Mme Hélène Morel. La puissance est de 3,5 mégawatts au plus. Le train part de "
    "la gare à 8 h 30. Les frais sont de 20 euros ou de 30 euros."
)

#: A statement, what is wrong in it, and what the source has.
WRONG = {
    "Die Umsatzsteuer beträgt 16 %.": ("16 %", "19 %"),
    "Die Laufzeit endet am 30. November 2027.": ("30. November 2027", "31. Dezember 2027"),
    "Der Preis beträgt 1.350,50 € im Monat.": ("1.350,50 €", "1.250,50 €"),
    "Der Zug fährt um 9.30 Uhr.": ("9.30", "8.30"),
    "La TVA est de 15 %.": ("15 %", "20 %"),
    "Le contrat prend fin le 30 novembre 2027.": ("30 novembre 2027", "31 décembre 2027"),
    "Le prix est de 1 350,50 € par mois.": ("1 350,50 €", "1 250,50 €"),
    "Le train part de la gare à 9 h 30.": ("9 h 30", "8 h 30"),
}
#: True or not to be told, and what the reason says.
OPEN = {
    "Der Vertrag mit der Lindner GmbH wurde am 3. Mai 2024 unterzeichnet.": "the sources have them",
    "Im Monat sind 1.250,50 Euro zu zahlen.": "the sources have them",
    "Die Umsatzsteuer beträgt nicht 16 %.": "no source has “16 %”",
    "Der Preis beträgt mehr als 1.000 € im Monat.": "no source has “1.000 €”",
    "Die Anlage ist mit 3 Megawatt stark.": "no source has “3 Megawatt”",
    "Die Gebühr liegt bei 25 Euro.": "no source has “25 Euro”",
    "Die Laufzeit der Garantie endet am 30. November 2026.": "no source has “30. November 2026”",
    "Der Vertrag hat 14 Seiten.": "no source has “14”",
    "Ansprechpartner ist Herr Karl Weber.": "no source has “Karl Weber”",
    "Ansprechpartnerin ist Frau Brandt.": "the sources have them",
    "Die Bürger sind mit dem Vertrag nicht zufrieden.": "German",
    "Le contrat avec Durand et Fils a été signé le 3 mai 2024.": "the sources have them",
    "Il faut payer 1 250,50 euros par mois.": "the sources have them",
    "La TVA n'est pas de 15 %.": "no source has “15 %”",
    "Le prix est de plus de 1 000 € par mois.": "no source has “1 000 €”",
    "La puissance est de 3 mégawatts.": "no source has",
    "Les frais sont de 25 euros.": "no source has “25 euros”",
    "Le responsable est M. Jean Petit.": "no source has “Jean Petit”",
    "Les habitants ne sont pas contents du contrat.": "French",
}

#: Two leases, and what is true of them in other words, by sums and differences.
LEASE = (
    "Mietvertrag über die Wohnung Lindenstraße 14, 3. Stock, in Marburg. Der Vermieter, Herr "
    "Dr. Anton Seidel, vermietet der Mieterin, Frau Julia Kern, die Wohnung ab dem 1. Februar "
    "2023. Die Wohnfläche beträgt 68,5 m². Die Kaltmiete beträgt 540,00 € im Monat, die "
    "Vorauszahlung auf die Nebenkosten 145,00 €. Die Kaution beträgt 1.620,00 € und ist in "
    "drei Raten zu zahlen, die erste am 1. Februar 2023. Die Miete ist bis zum 3. Werktag des "
    "Monats zu zahlen. Bei Verzug fallen 5 € Mahnkosten an, ab der zweiten Mahnung 8 €. "
    "Kleinreparaturen bis 75 € je Fall trägt die Mieterin, höchstens aber 6 % der "
    "Jahresmiete. Die Kündigungsfrist beträgt 3 Monate. Schönheitsreparaturen sind nach 5 "
    "Jahren fällig, in Küche und Bad nach 3 Jahren. Haustiere sind nur mit Zustimmung "
    "erlaubt. Die Hausordnung vom 12. Mai 2019 gilt. Ruhezeiten sind von 13.00 bis 15.00 Uhr "
    "und von 22.00 bis 7.00 Uhr. Im Jahr 2022 betrugen die Heizkosten 890 €, im Jahr 2021 "
    "waren es 760 €."
)
OF_LEASE = (
    "Die Mieterin heißt Julia Kern, und der Vermieter ist Herr Seidel. Das Mietverhältnis "
    "beginnt am 1. Februar 2023. Mit den Nebenkosten zahlt die Mieterin monatlich 685 €. Die "
    "Kaution entspricht drei Kaltmieten. Die erste Rate der Kaution von 540 € ist am 1. "
    "Februar 2023 fällig. Die zweite Mahnung kostet 8 €. Die Heizkosten stiegen von 2021 auf "
    "2022 um 130 €. Die Heizkosten im Jahr 2021 betrugen 760 €. In der Küche sind "
    "Schönheitsreparaturen nach 3 Jahren fällig. Die Ruhezeit am Mittag dauert 2 Stunden. "
    "Eine Reparatur für 60 € zahlt die Mieterin selbst. Die Hausordnung stammt aus dem Jahr "
    "2019. Die Wohnfläche beträgt knapp 70 m². Im Jahr kostet die Kaltmiete 6.480 €. Die "
    "Kaltmiete beträgt 540 Euro. Die Nebenkosten betragen 145 €. Nach der ersten Mahnung sind "
    "5 € zu zahlen. Nachtruhe ist ab 22 Uhr. Die Kündigung zum 31. Juli 2024 muss bis zum 30. "
    "April 2024 zugehen."
)
BAIL = (
    "Contrat de location du bureau situé 14 rue des Tilleuls, 3e étage, à Annecy. Le "
    "bailleur, M. Antoine Seguin, loue à Mme Julie Carpentier le bureau à compter du 1er "
    "février 2023. La surface est de 68,5 m². Le loyer est de 540,00 € par mois, et la "
    "provision pour charges de 145,00 €. Le dépôt de garantie est de 1 620,00 € et se paie en "
    "trois fois, la première le 1er février 2023. En cas de retard, des frais de 5 € sont "
    "dus, et de 8 € à partir du deuxième rappel. Les petites réparations jusqu'à 75 € sont à "
    "la charge de la locataire. Le préavis est de 3 mois. Le règlement du 12 mai 2019 "
    "s'applique. L'accueil est ouvert de 9 h 00 à 17 h 30. En 2022 le chauffage a coûté 890 "
    "€, en 2021 il avait coûté 760 €. La TVA de 20 % n'est pas due."
)
OF_BAIL = (
    "La locataire s'appelle Julie Carpentier et le bailleur est M. Seguin. La location "
    "commence le 1er février 2023. Avec les charges, la locataire paie 685 € par mois. Le "
    "dépôt de garantie correspond à trois loyers. La première part du dépôt, de 540 €, est "
    "due le 1er février 2023. Le deuxième rappel coûte 8 €. Le chauffage a augmenté de 130 € "
    "entre 2021 et 2022. En 2021 le chauffage a coûté 760 €. Une réparation de 60 € est payée "
    "par la locataire. Le règlement date de 2019. La surface est de presque 70 m². Le loyer "
    "annuel est de 6 480 €. Le loyer est de 540 euros. Les charges sont de 145 €. Après le "
    "premier rappel, 5 € sont à payer. L'accueil ferme à 17 h 30. Le bureau se trouve à "
    "Annecy. La TVA n'est pas due."
)


def check(text: str) -> Report:
    source = FRENCH if text.startswith(("L", "I")) else GERMAN
    return api.check(text, context=[source], config=Config(), verify=False)


@pytest.mark.parametrize("text", WRONG)
def test_another_figure_in_the_words_of_a_source_is_an_error(text: str) -> None:
    report = check(text)
    (statement,) = report.statements
    (found,) = report.findings_of(statement)
    claimed, stated = WRONG[text]

    assert (statement.outcome, found.rule) == (Outcome.REFUTED, "GR306")
    assert f"“{claimed}”; the source says “{stated}”" in found.message


@pytest.mark.parametrize("text", OPEN)
def test_all_else_is_open_and_the_reason_says_what_is_not_read(text: str) -> None:
    report = check(text)
    (statement,) = report.statements

    assert (statement.outcome, statement.reason) == (Outcome.UNVERIFIABLE, "unread")
    assert OPEN[text] in statement.note
    assert statement.note.startswith(("German", "French"))
    assert not any(one.severity is Severity.ERROR for one in report.violations)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Der Preis beträgt 7 €.", "The price is 5 €. Der Preis steht im Vertrag."),
        ("Le prix est de 7 €.", GERMAN),
        ("El precio es de 7 € al mes y la duración es de dos años.", FRENCH),
        ("Der Preis beträgt 7 € im Monat.", "Der Preis beträgt nicht mehr als 9 € im Monat."),
    ],
)
def test_a_source_in_another_language_or_with_a_bound_refutes_nothing(
    text: str, source: str
) -> None:
    report = api.check(text, context=[source], config=Config(), verify=False)

    assert [one.outcome for one in report.statements] == [Outcome.UNVERIFIABLE]


def test_english_is_read_as_before_beside_a_german_source() -> None:
    report = api.check("The VAT is 16%.", context=[GERMAN], config=Config(), verify=False)

    assert report.statements[0].reason != "unread"


@pytest.mark.parametrize(("source", "text"), [(LEASE, OF_LEASE), (BAIL, OF_BAIL)])
def test_what_is_true_in_other_words_or_by_a_sum_is_no_error(source: str, text: str) -> None:
    report = api.check(text, context=[source], config=Config(), verify=False)

    assert len(report.statements) >= 18
    assert {one.outcome for one in report.statements} == {Outcome.UNVERIFIABLE}
    assert not any(one.severity is not Severity.INFO for one in report.violations)
