from __future__ import annotations

import sys
import tomllib
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.documents.legibility import (
    _INVISIBLE,
    LONGEST_SENTENCE,
    language,
    unreadable,
)
from groundrules.claims.documents.tongues import OTHER
from tests.strategies import texts
from tests.work import assert_linear

LEASES = tomllib.loads(Path(__file__).with_name("leases.toml").read_text(encoding="utf-8"))
SCRIPTS = {
    "Chinese script": "租户不得转租公寓,租金为500欧元。",
    "Japanese script": "借主はアパートを転貸してはならない。",
    "Korean script": "세입자는 아파트를 전대할 수 없다.",
    "Cyrillic script": "Арендатор не вправе сдавать квартиру.",
    "Greek script": "Ο ενοικιαστής δεν μπορεί να υπεκμισθώσει.",
    "Arabic script": "لا يجوز للمستأجر تأجير الشقة من الباطن.",
    "Hebrew script": "השוכר אינו רשאי להשכיר את הדירה.",
    "Devanagari script": "किरायेदार उप-किराए पर नहीं दे सकता।",
    "Thai script": "ผู้เช่าห้ามให้เช่าช่วง",
    "Georgian script": "მოიჯარეს არ შეუძლია ქირაობა.",
}
#: What English has: every line is readable.
ENGLISH = """
Société Générale paid Müller GmbH & Co. KG €5 million in Zürich.
Société Générale de la Ville de Paris
Müller und Söhne GmbH
Los Angeles, San José, Rio de Janeiro, São Paulo, Las Vegas
Ludwig van Beethoven and Vincent van der Berg met Charles de Gaulle.
Die Zeit and Der Spiegel reported it; Le Monde did not.
- Das Boot
- La Dolce Vita
- Cien años de soledad
- À la recherche du temps perdu
The parties agree, inter alia and mutatis mutandis, to act bona fide.
Nemo dat quod non habet.
Res ipsa loquitur.
Pacta sunt servanda
pari passu, pro rata, per annum
The doctrine of forum non conveniens and lis alibi pendens do not apply.
Smith et al. (2019) found no effect in vitro or in vivo.
Escherichia coli and Staphylococcus aureus
- amoxicillin, ibuprofen, metformin, lisinopril
- Lentil moussaka, tahini, hummus
KALK-EX descaler (phosphoric acid 30%, amidosulfonic acid 5%)
chainsaw safety leaflet
| Station | R 701 | E 703 | 06:12 | – |
1,850 | 2,000 | 3,15
Rent
SUBJECT TO CLAUSE 7, THE TENANT SHALL NOT ASSIGN THIS LEASE.
NOTICES
Teh tenant shal pay teh rent on the frist day of eahc month.
def check(source, *, context=()): return [x for x in source if x not in context]
pip install numpy scipy pandas matplotlib
for (int i = 0; i < n; i++) { a[i] = b[i]; }
See https://www.example.org/de/der-die-das?id=1O0&x=l00 or mail info@firma.de.
Her naïve fiancé ate crème brûlée at a café; à la carte, vis-à-vis.
He said "Ich bin ein Berliner" and left.
The motto "liberté, égalité, fraternité" is French.
The Russian word “правда” means truth.
Tokyo (Japanese: 東京, Tōkyō) is the capital of Japan.
Vladimir Putin (Russian: Владимир Владимирович Путин; born 7 October 1952) is president.
The angle α is 5° and β = 3 μm; TNFα and NF-κB bind, and Δt is 5 ms.
The area is 50 m², the volume 3 m³, the emission of CO₂ 5 kg·m⁻².
As the court held in 2019¹ and the term² shows, this is so.
He paid 12½ pounds, £5, ¥500 and 3 €; it was −5 °C, 10–20 % and ±3.
The rent – due “monthly” – isn’t the landlord’s… 1 000 000 in all.
The vitamins B6, B12 and A10, the models S2, 5S, 3G, RTX4090 and iPhone 5S.
It conforms to ISO9001 and IEC 60601; H2O, CO2, N2O, H2SO4 and K2O.
CH4 + 2O2 → CO2 + 2H2O
The commit 1e0f3b2 and the id 550e8400-e29b-41d4-a716-446655440000.
A 10K run, a 5l canister, 330ml, 101s, $1B, $5B, 401k, a 90o angle, mode 0o755.
Rule 10b-5 and Section 7I of the Act; I-95, Form 10-K, O-ring, I2C, S500, l1 norm.
E. coli O157:H7, the O2 network, MI5, 5I, U2, UB40, B52, Z80.
She scored 10 out of 10 on 1.5.2024 at 10:30.
1️⃣ First 👨‍👩‍👧 the family 🏴󠁧󠁢󠁥󠁮󠁧󠁿 arrives ❤️.
\uf0b7 a bullet of Wingdings
① The first step
co\u00adoperate
Sections IV and Ⅷ apply.
- - - - - - - - - - - - - - - -
Introduction ................................ 5
* * *
___________________________
What??? No!!! ;-) :-D
""".strip().splitlines()
BROKEN = tomllib.loads(Path(__file__).with_name("broken.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", LEASES)
def test_a_sentence_of_another_language_is_named(name: str) -> None:
    for sentence in LEASES[name]:
        assert unreadable(sentence) in {name, OTHER}
    assert language(" ".join(LEASES[name])) == name
    assert [unreadable(sentence, name) for sentence in LEASES[name]] == [name] * 4


@pytest.mark.parametrize("name", LEASES)
def test_a_sentence_in_capitals_is_of_its_language(name: str) -> None:
    assert language(" ".join(LEASES[name]).upper()) in {name, OTHER}


@pytest.mark.parametrize("name", SCRIPTS)
def test_another_script_is_named(name: str) -> None:
    assert unreadable(SCRIPTS[name]) == language(SCRIPTS[name]) == name
    assert unreadable(f"The clause reads: {SCRIPTS[name]}") == name


def test_an_english_sentence_quotes_what_it_likes() -> None:
    assert not unreadable('The sign said "Rauchen ist hier nicht erlaubt" in German.')
    assert not unreadable("Her name (Greek: Ελένη Παπαδοπούλου) is on the second page of the deed.")


def test_a_clause_of_another_language_within_an_english_sentence_is_named() -> None:
    sentence = "The tenant agrees that der Mieter ist nicht verpflichtet, die Miete zu zahlen."
    assert unreadable(sentence) == "German"


@pytest.mark.parametrize("sentence", ENGLISH)
def test_english_is_read(sentence: str) -> None:
    assert unreadable(sentence) == ""


def test_english_is_english_as_a_whole() -> None:
    assert language("\n".join(ENGLISH)) == ""
    assert language("") == language("1,850 2,000") == unreadable("") == ""


def test_a_short_line_is_in_the_language_about_it() -> None:
    for line in ("Kaution", "Miete: 500 Euro", "Rauchen verboten"):
        assert unreadable(line, "German") == "German"
        assert unreadable(line) in {"", "German", OTHER}
    assert unreadable("1,850 | 2,000", "German") == ""
    assert unreadable("The tenant shall not sublet the flat.", "German") == ""


def test_a_language_without_a_table_is_another_than_english() -> None:
    assert unreadable("Qiramarrësi nuk mund ta japë banesën me qira të tjerëve.") == OTHER
    assert unreadable("Wkh whqdqw vkdoo qrw vxeohw wkh iodw zlwkrxw frqvhqw.") == OTHER


@pytest.mark.parametrize("reason", BROKEN)
def test_a_character_that_is_not_what_it_seems_is_told(reason: str) -> None:
    assert {sentence: unreadable(sentence) for sentence in BROKEN[reason]} == dict.fromkeys(
        BROKEN[reason], reason
    )


def test_every_character_shown_as_nothing_is_known() -> None:
    shown = {"\u00ad"}  # the soft hyphen only parts words
    invisible = {
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) == "Cf" and chr(code) not in shown
    }
    missed = {hex(ord(char)) for char in invisible if not unreadable(f"The re{char}nt is due.")}
    assert not missed
    assert "\u200b" in _INVISIBLE or unreadable("a\u200bb")


@given(st.characters(categories=["Nd"], exclude_characters="0123456789"))
def test_every_digit_of_another_script_is_told(digit: str) -> None:
    assert unreadable(f"The rent of the flat is {digit}{digit} euros.") != ""


def test_a_sentence_too_long_to_be_read_is_told() -> None:
    words = "the tenant shall pay the rent and " * 100
    assert unreadable(words) == f"a sentence of {len(words.split())} words"
    assert unreadable(" ".join(words.split()[:LONGEST_SENTENCE])) == ""
    # sentences that were not parted are read one by one
    assert unreadable("The tenant shall pay the rent. " * 100) == ""


@given(texts())
def test_any_text_is_judged_and_the_same_again(text: str) -> None:
    assert unreadable(text) == unreadable(text)
    assert language(text) == language(text)


@pytest.mark.parametrize(
    "unit", ["1,", "O", "1O", ",", "(", "а", "(cid:", "? ", "\u200b", "ﬁ", "x.", "1-1O-", "“", "un"]
)
def test_the_cost_is_linear(unit: str) -> None:
    def run(units: int) -> None:
        text = unit * units
        unreadable(text)
        language(text)

    assert_linear(run, 1_000)


def test_the_cost_is_linear_in_the_pages() -> None:
    def run(pages: int) -> None:
        lines = [f"{line} of the lease." for line in ENGLISH] * pages
        for line in lines:
            unreadable(line)
        language("\n".join(lines))

    assert_linear(run, 2)
