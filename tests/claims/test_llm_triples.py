"""Triples by a language model: what the text bears out, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.facts.parsed import Parsed
from groundrules.claims.models import llm_prompts, llm_triples
from groundrules.claims.models.llm_triples import Reading, read_triples
from groundrules.claims.names.resolve import resolve
from groundrules.config import LLMConfig
from groundrules.errors import LLMError
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
from groundrules.llm.replay import row
from tests.claims.llm_rows import ANSWER, LEASE, Row, Told, added, read, shown, told
from tests.strategies import examples

#: What the parser does not make of one piece.
PHRASE = "Contact at Northgate (CEO): Mary Stone."


def test_a_triple_adds_what_the_parser_missed_in_the_words_of_the_text() -> None:
    reading = read(PHRASE, told("MARY STONE", "is the CEO of", "Northgate", PHRASE))
    assert added(reading) == [("Mary Stone", "CEO of", "Northgate")]
    claim = next(c for c in reading.extractions[0].claims if c.origin == "llm")
    assert PHRASE[claim.span.start : claim.span.end] == PHRASE
    quotes = [PHRASE[part.start : part.end] for part in claim.parts if part]
    assert quotes == ["Mary Stone", "CEO", "Northgate"]
    assert dict(reading.dropped) == {}


def test_values_are_typed_and_come_from_the_text() -> None:
    text = "The Tenant's yearly fee: a sum of $4,850, as of 1 May 2020."
    reading = read(text, told("Tenant's yearly fee", "as of", "May 1, 2020", text))
    found = reading.extractions[0]
    claim = next(c for c in found.claims if c.origin == "llm")
    assert str(claim.triple.object) == "2020-05-01"
    assert claim.parts[2] is not None
    assert text[claim.parts[2].start : claim.parts[2].end] == "1 May 2020"


@pytest.mark.parametrize(
    ("triple", "reason"),
    [
        (told("Moon", "is made of", "cheese", "The Moon is made of green cheese."),
         "whose evidence is not in the text"),
        (told("Northgate", "insures", "roof", "Northgate insures the roof."),  # of another text
         "whose evidence is not in the text"),
        (told("Northgate", "repaired", "roof", ""), "whose evidence is not in the text"),
        (told("Northgate", "repaired", "roof", LEASE), "whose evidence is not in the text"),
        (told("Zorblax", "repaired", "roof", "The roof was repaired by Northgate in May 2020."),
         "whose names are not in their evidence"),
        (told("Alpine Holdings LLC", "shall pay", "base rent",
              "The Tenant shall pay a base rent of $4,850 per month."),
         "whose names are not in their evidence"),
        (told("Tenant", "shall pay", "$9,999",
              "The Tenant shall pay a base rent of $4,850 per month."),
         "whose names are not in their evidence"),
        (told("Mary Stone", "owns", "Northgate", "Mary Stone is the CEO of Northgate."),
         "whose relation is not in their evidence"),
        (told("Northgate", "is", "roof", "The roof was repaired by Northgate in May 2020."),
         "whose relation is not in their evidence"),
        (told("roof", "repaired", "Northgate", "The roof was repaired by Northgate in May 2020."),
         "that the sentence has the other way about"),
        (told("Mary Stone", "is CEO of", "Northgate", "Mary Stone is the CEO of Northgate.",
              polarity="negative"),
         "denied or said by somebody only in the answer"),
        (told("Mary Stone", "is CEO of", "Northgate", "Mary Stone is the CEO of Northgate.",
              attribution="Tomas Reyes"),
         "denied or said by somebody only in the answer"),
        (told("\x1b[31mMary\x00", "\u202e", "\x07", "Mary Stone is the CEO of Northgate."),
         "whose names are not in their evidence"),
    ],
)  # fmt: skip
def test_what_the_text_does_not_bear_out_is_dropped_and_told(triple: Row, reason: str) -> None:
    before = extract(from_text(LEASE))
    reading = read(LEASE, triple)
    assert reading.dropped == {reason: 1}
    assert reading.extractions == (before,)
    assert list(reading.notes()) == [
        f"1 of 1 triples of the language model were dropped: 1 {reason}"
    ]


def test_ten_thousand_triples_are_bounded_and_counted() -> None:
    one = told("Mary Stone", "is the CEO of", "Northgate", PHRASE)
    reading = read(PHRASE, *[one] * 10_000)
    assert reading.given == 10_000
    assert reading.dropped == {
        f"beyond the first {llm_triples.MOST} of an answer": 10_000 - llm_triples.MOST
    }
    assert len(added(reading)) == 1


def test_a_long_text_is_asked_about_in_pieces_that_overlap_and_are_merged() -> None:
    filler = "The Landlord shall keep the stairs and the halls of the Building clean and dry. "
    last = "Orla Finch is the owner of the Weir Mill."
    text = filler * 120 + last
    evidence = told("Orla Finch", "is the owner of", "Weir Mill", last)
    names = {}

    def answer(prompt: Prompt) -> object:
        texts = dict(prompt.texts)
        names[texts["names"]] = True
        return {"text1": [evidence, evidence]}

    client = Told(answer)
    reading = read_triples([Parsed(from_text(text))], client)
    pieces = [dict(prompt.texts)["text1"] for prompt in client.prompts]
    assert len(pieces) > 2
    assert all(len(piece) <= llm_prompts.PIECE for piece in pieces)
    assert all(piece.endswith((". ", ".")) for piece in pieces)
    assert sum(map(len, pieces)) > len(text)  # they overlap
    assert len(names) == 1
    assert "Weir Mill" in next(iter(names))
    found = [c for c in reading.extractions[0].claims if c.origin == "llm"]
    assert [shown(c, reading.extractions[0]) for c in found] in (
        [("Orla Finch", "owner of", "Weir Mill")],
        [],
    )
    assert all(c.span.start == len(filler) * 120 for c in found)
    dropped = {"whose evidence is not in the text": 2 * (len(pieces) - 1)}
    assert reading.dropped == dropped


def test_where_a_model_cannot_be_asked_the_parser_stands_and_the_report_says_so() -> None:
    def answer(prompt: Prompt) -> object:
        if prompt is client.prompts[0]:
            return LLMError("http://x: no answer", "unreachable")
        return {"text1": []}

    client = Told(answer)
    texts = [Parsed(from_text(t, n)) for t, n in ((ANSWER, "a"), (LEASE, "b"), (LEASE, "c"))]
    reading = read_triples(texts, client)
    assert reading.extractions == tuple(one.extraction for one in texts)
    assert list(reading.unasked()) == [("http://x: no answer", "a (line 1)")]


# --- KEA Explain's form -----------------------------------------------------------------------

CEO = "Mary Stone is the CEO of Northgate."
ROOF = "The roof was repaired by Northgate in May 2020."


def hear(text: str, *rows: object) -> Reading:
    asked = Told(lambda _: {"knowledge_graph1": list(rows)})
    return read_triples([Parsed(from_text(text))], asked, graphs="kea")


def test_both_texts_are_in_one_prompt_of_four_steps() -> None:
    client = Told(lambda _: {"knowledge_graph1": [], "knowledge_graph2": []})
    pair = [Parsed(from_text(ANSWER, "answer")), Parsed(from_text(LEASE, "lease"))]
    reading = read_triples(pair, client, graphs="kea")
    (prompt,) = client.prompts
    assert prompt.texts == (("text1", ANSWER), ("text2", LEASE))
    assert re.findall(r"^([1-9])\. (\w+):", prompt.instructions, re.M) == [
        ("1", "Entities"), ("2", "Coreference"), ("3", "Relations"), ("4", "Refinement"),
    ]  # fmt: skip
    assert prompt.schema["required"] == ["knowledge_graph1", "knowledge_graph2"]
    assert reading.extractions == tuple(one.extraction for one in pair)
    assert reading.graphs == ((), ())


def test_a_relation_that_no_word_says_is_a_possibility_at_its_quote() -> None:
    reading = hear(LEASE, ["Mary Stone", "works for", "Northgate", CEO])
    assert added(reading) == [("Mary Stone", "works for", "Northgate")]
    (claim,) = [c for c in reading.extractions[0].claims if c.origin == "llm"]
    assert claim.modality == "possibility"
    assert LEASE[claim.span.start : claim.span.end] == CEO
    assert [LEASE[p.start : p.end] for p in claim.parts if p] == ["Mary Stone", "Northgate"]
    assert reading.graphs == ((("Mary Stone", "works for", "Northgate"),),)


def test_a_triple_of_three_parts_stands_at_the_first_sentence_that_words_it() -> None:
    reading = hear(LEASE, ["Mary Stone", "was born in", "1960"], ["Northgate", "repaired", "roof"])
    assert reading.dropped == {}
    assert reading.graphs[0] == (
        ("Mary Stone", "was born in", "1960"),
        ("Northgate", "repaired", "roof"),
    )


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (["Mary Stone", "works for", "Northgate", "Mary Stone works for Northgate."],
         "whose evidence is not in the text"),
        (["Northgate", "insures", "roof", "Northgate insures the roof."],  # of another text
         "whose evidence is not in the text"),
        (["Mary Stone", "works for", "Northgate", LEASE], "whose evidence is not in the text"),
        (["Mary Stone", "spouse", "Tomas Reyes", CEO], "whose names are not in their evidence"),
        (["Mary Stone", "employer", "Bright Harbor Books", CEO],
         "whose names are not in their evidence"),
        (["Northgate", "price", "$4,850", ROOF], "whose names are not in their evidence"),
        (["Mary Stone", "works for", "Northgate"], "without a quote that no sentence words"),
        (["Mary Stone", "works for", "Northgate", " "], "without a quote that no sentence words"),
        (["Mary Stone", "is one of the many who work for", "Northgate", CEO],
         "whose relation is not in their evidence"),
        (["Mary Stone", "\u202e", "Northgate", CEO], "whose relation is not in their evidence"),
        (["Mary Stone", "never worked for", "Northgate", CEO],
         "whose relation only the model names where the text denies or doubts"),
        (["Tenant", "owner of", "Premises", "It may not sublet the Premises."],
         "whose relation only the model names where the text denies or doubts"),
        (["roof", "repaired", "Northgate", ROOF], "that the sentence has the other way about"),
        (["Mary " * 50, "works for", "Northgate"], "whose names are not in their evidence"),
        (["", "", "", ""], "without a quote that no sentence words"),
    ],
)  # fmt: skip
def test_a_triple_that_its_quote_does_not_bear_out_is_dropped_and_told(
    parts: list[str], reason: str
) -> None:
    before = extract(from_text(LEASE))
    reading = hear(LEASE, parts)
    assert reading.dropped == {reason: 1}
    assert reading.extractions == (before,)
    assert reading.graphs == ((),)
    assert list(reading.notes()) == [
        f"1 of 1 triples of the language model were dropped: 1 {reason}"
    ]


@pytest.mark.parametrize("doubted", ["It is said that Mary Stone denied being a judge.",
                                     "If Mary Stone were a judge, it would be known.",
                                     "Mary Stone is allegedly a judge."])  # fmt: skip
def test_what_a_text_denies_or_doubts_gets_no_relation_of_the_models_own(doubted: str) -> None:
    reading = hear(doubted, ["Mary Stone", "occupation", "judge", doubted])
    assert reading.graphs == ((),)
    assert added(reading) == []


@pytest.mark.parametrize(
    "answer",
    [
        {"knowledge_graph1": [["Peter", "180cm"]], "knowledge_graph2": []},
        {"knowledge_graph1": [["Peter", "height", "180cm", "quote", "more"]],
         "knowledge_graph2": []},
        {"knowledge_graph1": [[["Peter"], "height", "180cm"]], "knowledge_graph2": []},
        {"knowledge_graph1": [[[["Peter", "height", "180cm"]]]], "knowledge_graph2": []},
        {"knowledge_graph1": ["Peter height 180cm"], "knowledge_graph2": []},
        {"knowledge_graph1": [{"subject": "Peter"}], "knowledge_graph2": []},
        {"knowledge_graph1": [["Peter", "height", 180]], "knowledge_graph2": []},
        {"knowledge_graph1": [["Peter", "height", None]], "knowledge_graph2": []},
        {"knowledge_graph1": []},
        {"knowledge_graph1": [], "knowledge_graph2": [], "knowledge_graph3": []},
        {"knowledge_graph1": {}, "knowledge_graph2": []},
        [["Peter", "height", "180cm"]],
    ],
)  # fmt: skip
def test_an_answer_of_another_form_is_no_answer_and_the_parser_stands(
    answer: object, tmp_path: Path
) -> None:
    pair = [Parsed(from_text(ANSWER, "answer")), Parsed(from_text(LEASE, "lease"))]
    asked = Told(lambda _: {"knowledge_graph1": [], "knowledge_graph2": []})
    read_triples(pair, asked, graphs="kea")
    file = tmp_path / "answers.jsonl"
    file.write_text(row(asked.prompts[0], answer), encoding="utf-8")
    reading = read_triples(pair, Client(LLMConfig(), answers=file), graphs="kea")
    assert reading.extractions == tuple(one.extraction for one in pair)
    assert all("is malformed: $" in str(error) for _, error in reading.unread)
    assert len(reading.unread) == 2


def test_ten_thousand_triples_of_three_parts_are_bounded_and_counted() -> None:
    rows = [["Mary Stone", "works for", f"Northgate {n}", CEO] for n in range(9_999)]
    reading = hear(LEASE, ["Mary Stone", "works for", "Northgate", CEO], *rows)
    assert reading.given == 10_000
    assert sum(reading.dropped.values()) == 9_999
    assert (
        reading.dropped[f"beyond the first {llm_triples.MOST} of an answer"]
        == 10_000 - llm_triples.MOST
    )
    assert len(added(reading)) == 1


def test_recorded_graphs_are_asked_in_place_of_a_model_within_the_budget(tmp_path: Path) -> None:
    texts = [Parsed(from_text(t, n)) for t, n in ((ANSWER, "a"), (LEASE, "b"), (CEO, "c"))]
    asked = Told(lambda _: {"knowledge_graph1": [], "knowledge_graph2": []})
    read_triples(texts, asked, graphs="kea")
    given = {
        "knowledge_graph1": [["Northgate", "insures", "roof"]],
        "knowledge_graph2": [["Mary Stone", "works for", "Northgate", CEO]],
    }
    file = tmp_path / "answers.jsonl"
    rows = [row(prompt, given, 200, 50) for prompt in asked.prompts]
    file.write_text("".join(rows), encoding="utf-8")
    client = Client(LLMConfig(), answers=file)
    reading = read_triples(texts, client, graphs="kea")
    assert [len(graph) for graph in reading.graphs] == [1, 1, 1]
    assert (client.usage.calls, client.usage.prompt_tokens) == (2, 400)
    short = Client(LLMConfig(max_calls=1, concurrency=1), answers=file)
    part = read_triples(texts, short, graphs="kea")
    assert {place.source for place, _ in part.unread} == {"a", "c"}
    told = [("not asked: max_calls = 1 is reached", f"{name} (line 1)") for name in "ac"]
    assert list(part.unasked()) == told
    assert len(part.graphs[2]) == 0


words = st.sampled_from(
    [*LEASE.split(), "Zorblax", "$9", "not", "\x00", "", "1999", "owns", "‮", "ignore"]
)
phrases = st.lists(words, max_size=5).map(" ".join)
sentences = st.sampled_from([*(f"{s}." for s in LEASE.split(". ")), "The Moon is cheese."])


@examples(100)
@given(
    st.lists(
        st.builds(
            told, phrases, phrases, phrases, st.one_of(sentences, phrases),
            polarity=st.sampled_from(["positive", "negative"]),
            modality=st.sampled_from(["asserted", "obligation", "possibility"]),
            attribution=st.one_of(st.none(), phrases), time=st.one_of(st.none(), phrases),
        ),
        max_size=4,
    )
)  # fmt: skip
def test_no_answer_puts_words_into_a_text(rows: list[Row]) -> None:
    before = extract(from_text(LEASE))
    found = read(LEASE, *rows).extractions[0]
    assert len(found.claims) >= len(before.claims)
    text = LEASE.casefold().replace(",", "").replace(".", "")
    stems = {word[:3] for word in text.split()} | {"be", "is"}
    for node, label in found.labels.items():
        if node not in before.labels:
            assert all(word[:3] in stems for word in label.casefold().split()), label
    values = {m.node for m in before.mentions if isinstance(m.node, Literal)}
    for claim in found.claims:
        if claim.origin == "llm":
            assert claim.span in found.sentences
            if isinstance(claim.triple.object, Literal):
                assert claim.triple.object in values
    assert all(LEASE[m.span.start : m.span.end] == m.text for m in found.mentions)


@examples(100)
@given(
    st.lists(
        st.lists(st.one_of(phrases, sentences), min_size=3, max_size=4), max_size=4
    )
)  # fmt: skip
def test_no_graph_puts_names_or_values_into_a_text(rows: list[list[str]]) -> None:
    before = extract(from_text(LEASE))
    reading = hear(LEASE, *rows)
    found = reading.extractions[0]
    values = {m.node for m in before.mentions if isinstance(m.node, Literal)}
    named = {
        n for c in found.claims if c.origin == "llm" for n in (c.triple.subject, c.triple.object)
    }
    text = LEASE.casefold().replace(",", "").replace(".", "")
    stems = {word[:3] for word in text.split()}
    for node in named:
        if isinstance(node, Literal):
            assert node in values
        else:
            assert all(word[:3] in stems for word in found.labels[node].casefold().split())
    assert all(LEASE[m.span.start : m.span.end] == m.text for m in found.mentions)
    assert sum(reading.dropped.values()) + len(reading.graphs[0]) <= len(rows)
    assert all(c.span in found.sentences for c in found.claims)


def test_recorded_answers_are_asked_in_place_of_a_model(tmp_path: Path) -> None:
    document = Parsed(from_text(PHRASE))
    asked = Told(lambda _: {"text1": []})
    read_triples([document], asked)
    answer = {"text1": [told("Mary Stone", "is the CEO of", "Northgate", PHRASE)]}
    file = tmp_path / "answers.jsonl"
    file.write_text(row(asked.prompts[0], answer, 200, 50), encoding="utf-8")
    client = Client(LLMConfig(price_in=1, price_out=2), answers=file)
    assert added(read_triples([document], client)) == [("Mary Stone", "CEO of", "Northgate")]
    assert (client.usage.calls, client.usage.prompt_tokens) == (1, 200)
    assert json.loads(file.read_text(encoding="utf-8"))["job"] == "triples"


def test_a_passive_with_an_agent_is_turned_about() -> None:
    evidence = "The roof was repaired by Northgate in May 2020."
    reading = read(LEASE, told("roof", "was repaired by", "Northgate", evidence))
    assert added(reading) == []  # the parser has it
    assert dict(reading.dropped) == {}  # and it is not the other way about


def test_the_parser_decides_on_the_polarity_of_its_verbs() -> None:
    evidence = "It may not sublet the Premises."
    reading = read(LEASE, told("Tenant", "may sublet", "Premises", evidence, polarity="positive"))
    assert {c.polarity for c in reading.extractions[0].claims if c.sentence == 2} == {"negative"}


def test_what_a_model_leaves_out_stands() -> None:
    before = extract(from_text(LEASE))
    assert read(LEASE).extractions == (before,)


def test_a_pronoun_stands_for_what_the_model_says() -> None:
    evidence = "It may not sublet the Premises."
    reading = read(LEASE, told("Bright Harbor Books", "may not sublet", "Premises", evidence))
    (extraction,) = resolve(reading.extractions)
    claim = next(c for c in extraction.claims if c.origin == "llm")
    assert shown(claim, extraction)[0] == "Bright Harbor Books Inc"
    assert (claim.polarity, claim.modality) == ("negative", "permission")
    before = extract(from_text(LEASE)).claims
    assert len(extraction.claims) == len(before)
