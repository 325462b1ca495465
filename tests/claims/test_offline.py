"""Laws of the offline extractor."""

from __future__ import annotations

import itertools
import tomllib
from collections import Counter
from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.offline import Extraction, extract, load
from groundrules.claims.names.resolve import resolve
from groundrules.claims.units.blocks import cut
from groundrules.errors import ModelError
from groundrules.models.shipped import folder
from groundrules.terms import Modality
from tests.claims.rows import rows
from tests.strategies import examples

GOLDEN = tomllib.loads(
    (Path(__file__).parent.parent / "golden" / "sentences.toml").read_text(encoding="utf-8")
)["sentence"]

PIECES = [
    'Alpine Holdings LLC (the "Landlord") leased the house to Maria Gomez.',
    "He said that she did not pay $1,850 in 2019.",
    "Müller’s naïve co‐worker 😀 visited 東京 on 5 May 2001.",
    "e\u0301te\u0301 was hot.",
    "the court , which sat in paris , ruled . -LRB- it did -RRB-",
    "THIS AGREEMENT SHALL BE GOVERNED BY THE LAWS OF TEXAS.",
    "👩‍👩‍👧 met Laura Chen, the company's chief executive.",
    "\r\n",
    "\n\n",
    "\t",
    " ",
    "\u2028",
    "\ud800",
    "\x00",
    "(((",
    "sixty (60) days prior written notice",
]


def told(extraction: Extraction) -> set[tuple[str, str, str, frozenset[str]]]:
    """The claims of an extraction by their labels, lower case."""
    out = set()
    for claim in extraction.claims:
        parts = [
            str(node) if isinstance(node, Literal) else extraction.labels[node]
            for node in (claim.triple.subject, claim.triple.predicate, claim.triple.object)
        ]
        flags = {claim.polarity, str(claim.modality)} - {"positive", "asserted"}
        if claim.attribution:
            flags.add(f"by {claim.attribution}")
        s, p, o = (part.casefold() for part in parts)
        out.add((s, p, o, frozenset(flags)))
    return out


def said(text: str) -> set[tuple[str, str, str]]:
    """The resolved triples of a text by their labels."""
    return {row[:3] for row in told(resolve([extract(Document("t", text))])[0])}


def flags(text: str, relation: str) -> set[str]:
    """All flags of the claims with that relation."""
    rows = told(extract(Document("t", text)))
    return {flag for _, p, _, found in rows if p == relation for flag in found}


@examples(40)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=8).map(" ".join))
def test_every_span_is_a_place_in_the_text(text: str) -> None:
    extraction = extract(Document("doc", text))
    for mention in extraction.mentions:
        assert text[mention.span.start : mention.span.end] == mention.text
        assert mention.text
    for sentence in extraction.sentences:
        assert 0 <= sentence.start < sentence.end <= len(text)
    for claim in extraction.claims:
        assert claim.span == extraction.sentences[claim.sentence]
        for part in claim.parts:
            assert part is None or 0 <= part.start < part.end <= len(text)


@examples(40)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=8).map("\n".join))
def test_cutting_keeps_every_character_that_is_no_space(text: str) -> None:
    ranges = list(cut(text))
    assert all(a < b for a, b in ranges)
    assert all(one[1] <= two[0] for one, two in itertools.pairwise(ranges))
    kept = Counter("".join(text[a:b] for a, b in ranges))
    assert not {c: n for c, n in (Counter(text) - kept).items() if not c.isspace()}


def test_a_repeated_sentence_has_its_claims_at_each_place() -> None:
    text = "Anna Berg sued the bank. It rained. Anna Berg sued the bank."
    claims = [c for c in extract(Document("t", text)).claims if c.sentence in {0, 2}]
    starts = {c.parts[0].start for c in claims if c.parts[0]}
    assert {0, text.rindex("Anna")} <= starts


def test_a_line_that_only_turns_to_somebody_asserts_nothing_and_its_name_is_kept() -> None:
    for line in ("Dear Mr Okafor,", "Hello Ada Okafor,", "Kind regards,\nAda Okafor"):
        found = extract(Document("letter", f"{line}\n\nThe rent is due."))
        assert {claim.sentence for claim in found.claims} == {len(found.sentences) - 1}
        assert "Okafor" in " ".join(mention.text for mention in found.mentions)
    for line in ("Mr Okafor, who left,", "Ada Okafor, the engineer,"):
        assert extract(Document("letter", line)).claims


def test_nine_in_ten_golden_triples_are_read() -> None:
    missed, wanted = [], 0
    for row in GOLDEN:
        found = told(resolve([extract(Document("t", row["text"]))])[0])
        for s, p, o, *marks in row["triples"]:
            wanted += 1
            if (s.casefold(), p.casefold(), o.casefold(), frozenset(marks)) not in found:
                missed.append((row["text"], s, p, o))
    assert len(missed) <= wanted // 10, missed


def test_active_and_passive_share_a_triple() -> None:
    one = ("apple", "acquire", "siri")
    assert one in said("Apple acquired Siri.")
    assert one in said("Siri was acquired by Apple.")


@pytest.mark.parametrize("text", rows("offline.negated"))
def test_a_negated_clause_is_negative(text: str) -> None:
    assert "negative" in flags(text, "pay")


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("The tenant shall pay the rent.", Modality.OBLIGATION),
        ("The tenant must pay the rent.", Modality.OBLIGATION),
        ("The tenant is required to pay the rent.", Modality.OBLIGATION),
        ("The tenant may pay the rent.", Modality.PERMISSION),
        ("The tenant might pay the rent.", Modality.POSSIBILITY),
        ("The tenant allegedly paid the rent.", Modality.POSSIBILITY),
    ],
)
def test_the_mode_of_a_clause_is_flagged(text: str, modality: Modality) -> None:
    assert str(modality) in flags(text, "pay")


def test_markdown_is_read_without_its_markup() -> None:
    text = (
        '# Lease\n\n- Alpine Holdings LLC (the "Landlord") leased the house to Maria Gomez.\n\n'
        "> The Landlord shall repair the roof. The rent is $1,850.\n"
    )
    marked = text
    for words in ("Alpine Holdings LLC", "Landlord", "Maria Gomez", "$1,850"):
        marked = marked.replace(words, f"**{words}**", 1)
    bare, found = (
        resolve([extract(Document("t", content, "md"))])[0] for content in (text, marked)
    )

    assert told(found) == told(bare)
    assert "alpine holdings llc" in {s for s, p, *_ in told(found) if p == "repair"}
    assert found.document.text == marked
    assert all(marked[m.span.start : m.span.end] == m.text for m in found.mentions)


@pytest.mark.parametrize("word", ["Nobody", "Everybody", "Someone"])
def test_a_pronoun_that_opens_a_sentence_is_no_name(word: str) -> None:
    found = extract(Document("t", f"{word} was injured."))

    assert not [mention for mention in found.mentions if mention.kind in {"PERSON", "ORG", "LOC"}]


def test_a_plain_clause_has_no_flags() -> None:
    assert flags("The tenant paid the rent.", "pay") == set()


@pytest.mark.parametrize(("text", "triple"), rows("offline.short"))
def test_a_short_sentence_has_a_verb(text: str, triple: tuple[str, str, str]) -> None:
    assert triple in said(text)


@pytest.mark.parametrize("text", ["Annual sales figures.", "Exhibit A terms.", "Notices", "Fees."])
def test_a_heading_says_nothing(text: str) -> None:
    assert said(text) == set()


def test_a_reported_clause_names_its_source() -> None:
    assert "by Laura Chen" in flags("Laura Chen said that the tenant paid the rent.", "pay")


def test_a_date_dates_the_claim() -> None:
    claims = extract(Document("t", "Merkel visited Paris in 2010.")).claims
    assert {str(c.time) for c in claims} == {"2010"}


def test_values_are_typed_literals() -> None:
    claims = extract(Document("t", "The monthly rent is $1,850.")).claims
    objects = [c.triple.object for c in claims]
    assert any(isinstance(o, Literal) and "money" in str(o.datatype) for o in objects)


def test_a_contract_and_an_answer_share_their_triples() -> None:
    lease = Document(
        "lease",
        "This Lease is entered into as of June 1, 2020 by and between Alpine Holdings LLC, a "
        'Delaware limited liability company (the "Landlord"), and Maria Gomez (the "Tenant").\n\n'
        "This Lease shall be governed by the laws of the State of Texas.",
    )
    answer = Document(
        "answer",
        "The lease is dated June 1, 2020. Texas law governs this contract. "
        "Alpine is the Landlord. Alpine Holdings LLC is a party to the lease with Maria Gomez.",
    )
    source, claimed = resolve([extract(lease), extract(answer)])
    known = {row[:3] for row in told(source)}
    wanted = {
        ("agreement", "be dated", "2020-06-01"),
        ("agreement", "be governed by law of", "texas"),
        ("alpine holdings llc", "be", "landlord"),
        ("alpine holdings llc", "contract with", "maria gomez"),
    }
    assert wanted <= known
    assert wanted <= {row[:3] for row in told(claimed)}


def test_the_same_text_gives_the_same_extraction() -> None:
    document = Document("t", "He met Angela Merkel in Berlin. She said it was cold.")
    assert extract(document) == extract(document)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \r\n\t ",
        "\x00\x00",
        "(",
        "word" * 20_000,
        "\ud83d",
        'Ann \ud83d Berg LLC (the "Ten\ud83dant") paid.',
    ],
)
def test_odd_texts_are_read_without_an_error(text: str) -> None:
    assert extract(Document("t\udcff", text)).document.text == text


def test_a_long_line_is_read_in_pieces() -> None:
    text = "Anna Berg sued the bank in 2019. " * 400
    extraction = extract(Document("t", text))
    assert len(extraction.sentences) > 300


def test_the_tokenizer_is_that_of_the_files_but_for_dotted_words() -> None:
    read, written = (one.tokenizer for one in (load(), spacy.load(folder("english"))))

    left = ["vocab", "token_match"]
    assert read.to_bytes(exclude=left) == written.to_bytes(exclude=left)
    assert load().config["nlp"]["tokenizer"]["@tokenizers"].startswith("spacy.")


def test_a_missing_model_is_one_clear_line() -> None:
    with pytest.raises(ModelError, match=r"'en_core_web_xx' is not installed; expected 'embedded'"):
        load("en_core_web_xx")
