"""What others read of a text joins our own reading in the terms of an ontology."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from rdflib.namespace import RDF

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.model_terms import (
    NO_CLASS,
    NO_TERM,
    NO_THING,
    NO_VALUE,
    NO_WORDS,
    TOO_MANY,
    ModelReading,
    state_reading,
)
from groundrules.ontology.read.reader import read_terms
from groundrules.ontology.termlist import vocabulary
from groundrules.terms import GR, Claim, Modality
from tests.claims.test_llm_terms import answer, answers, mode, row, thing
from tests.ontology.museum import museum

TEXT = (
    "The Night Ferry went to the Kunsthalle Bern on 3 May 2020. "
    "It was home on 2 April 2020. The first stay was the Lindt House's doing, not Bern's."
)
THINGS = [
    thing("t1", "Stay", "The first stay", apart="first"),
    thing("t2", "Work", "The Night Ferry"),
    thing("t3", "Museum", "the Kunsthalle Bern", "Bern"),
    thing("t4", "House", "the Lindt House"),
]
LEFT = "The Night Ferry went to the Kunsthalle Bern on 3 May 2020"


@pytest.fixture
def ontology(tmp_path: Path) -> Ontology:
    return museum(tmp_path)


def stated(
    ontology: Ontology, *rows: Any, things: Any = None, orders: Any = (), text: str = TEXT
) -> tuple[Assertions, Counter[str]]:
    found = answer(*rows, things=THINGS if things is None else things, orders=orders)
    assertions = Assertions(extract(from_text(text, "text")))
    told = ModelReading("the model", vocabulary(ontology), (((0, len(text)), found),))
    return assertions, state_reading(assertions, told, ontology)


def lines(assertions: Assertions) -> list[str]:
    def shown(node: Any) -> str:
        return assertions.labels.get(node) or str(node).rpartition("/")[2]

    return [
        " ".join(shown(one) for one in (c.triple.subject, c.triple.predicate, c.triple.object))
        for c in assertions.told()
        if c.triple.predicate != RDF.type
    ]


def only(assertions: Assertions) -> Claim:
    (one,) = [c for c in assertions.told() if c.triple.predicate != RDF.type]
    return one


def test_an_event_is_not_before_itself(ontology: Ontology) -> None:
    ends = {"first": "t1", "first_property": "leftOn", "second": "t1", "second_property": "leftOn"}
    found, dropped = stated(ontology, orders=[{**ends, **mode(LEFT)}])
    assert (lines(found), dropped) == ([], {NO_VALUE: 1})
    found, dropped = stated(ontology, orders=[{**ends, "second_property": "backOn", **mode(LEFT)}])
    assert (len([*found.told()]) > 0, dropped) == (True, {})


def test_what_has_no_class_is_not_counted_as_dropped(ontology: Ontology) -> None:
    _, dropped = stated(ontology, things=[thing("t1", "", "The Night Ferry")])
    assert dict(dropped) == {}


def test_assertions_have_terms_values_places_and_who_read_them(ontology: Ontology) -> None:
    found, dropped = stated(
        ontology,
        row("t1", "leftOn", "3 May 2020", LEFT),
        row("t1", "borrower", "t3", LEFT),
        row("t1", "lender", "t4", "The first stay was the Lindt House's doing"),
    )
    assert dropped == {}
    assert lines(found) == [
        "The first stay leftOn 3 May 2020",
        "The first stay borrower the Kunsthalle Bern",
        "The first stay lender the Lindt House",
    ]
    claim = found.told()[0]
    assert TEXT[claim.span.start : claim.span.end] == LEFT
    assert (claim.read_by, claim.in_terms) == ("the model", True)
    assert str(claim.triple.object) == "2020-05-03"


def test_things_have_their_classes_where_the_text_calls_them(ontology: Ontology) -> None:
    found, _ = stated(ontology, row("t1", "borrower", "t3", LEFT))
    kinds = {
        TEXT[c.span.start : c.span.end]: str(c.triple.object).rpartition("/")[2]
        for c in found.told()
        if c.triple.predicate == RDF.type
    }
    assert kinds == {
        "The first stay": "Stay",
        "The Night Ferry": "Work",
        "the Kunsthalle Bern": "Museum",
        "the Lindt House": "House",
    }


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (row("t1", "sailedOn", "3 May 2020", LEFT), NO_TERM),
        (row("t1", "isA", "Boat", LEFT), NO_TERM),
        (row("t1", "leftOn", "the Kunsthalle", LEFT), NO_VALUE),
        (row("t1", "leftOn", "4 May 2020", LEFT), NO_VALUE),
        (row("t1", "leftOn", "t2", LEFT), NO_VALUE),
        (row("t1", "lender", "t77", LEFT), NO_VALUE),
        (row("t1", "insuredFor", "3 May 2020", LEFT), NO_VALUE),
    ],
)
def test_unknown_terms_and_values_that_are_not_named_are_dropped(
    rows: Any, why: str, ontology: Ontology
) -> None:
    found, dropped = stated(ontology, rows)
    assert (lines(found), dropped) == ([], {why: 1})


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (row("t1", "leftOn", "3 May 2020", "The Night Ferry sailed on 3 May 2020"), NO_WORDS),
        (row("t1", "leftOn", "3 May 2020", ""), NO_WORDS),
        (row("t1", "leftOn", "3 May 2020", "…"), NO_WORDS),
        (row("t9", "leftOn", "3 May 2020", LEFT), NO_THING),
    ],
)
def test_what_has_no_words_or_no_thing_is_dropped(rows: Any, why: str, ontology: Ontology) -> None:
    found, dropped = stated(ontology, rows)
    assert (lines(found), dropped) == ([], {why: 1})


SUM = "The stay was insured for 80 francs and 20 more, 12 × $500 a year, for 3 - 5 years."


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("80 francs", "80"),
        ("80 francs + 20", "100"),
        ("80 francs + 2 × 20", "120"),
        ("12 × 80 francs", "960"),
        ("12 × $500", "6000"),
        (" + ".join(["20"] * 12), "240"),
        # what the text lacks, or more pieces than are looked at
        ("80 francs + 30", None),
        ("80 francs × 9", None),
        ("80 francs + 365", None),
        ("7 × 60", None),
        ("80 francs + 7 × 60", None),
        ("80 francs + …", None),
        ("…", None),
        (" + ", None),
        (" + ".join(["20"] * 13), None),
        (" × ".join(["20"] * 40), None),
        (" … ".join(["20"] * 13), None),
    ],
)
def test_a_value_may_be_made_of_others_that_the_text_has(
    value: str, wanted: str | None, ontology: Ontology
) -> None:
    rows = row("t1", "insuredFor", value, "The stay was insured")
    found, _ = stated(ontology, rows, things=[thing("t1", "Stay")], text=SUM)
    assert [str(c.triple.object) for c in found.told() if c.triple.predicate != RDF.type] == (
        [] if wanted is None else [wanted]
    )


def test_huge_answers_are_cut_and_counted(ontology: Ontology) -> None:
    many = [row("t1", "leftOn", "3 May 2020", LEFT)] * 2000
    things = [thing(f"t{n}", "Stay", *["The first stay"] * 500) for n in range(2000)]
    found, dropped = stated(ontology, *many, things=things)
    assert (len(lines(found)), dropped[TOO_MANY]) == (1, 3200)


def test_places_of_a_piece_are_those_of_the_text(ontology: Ontology) -> None:
    text = f"{TEXT} {TEXT}"
    found = answer(row("t1", "leftOn", "3 May 2020", LEFT), things=THINGS)
    assertions = Assertions(extract(from_text(text, "text")))
    told = ModelReading("m", vocabulary(ontology), (((len(TEXT) + 1, len(text)), found),))
    state_reading(assertions, told, ontology)
    assert only(assertions).span.start > len(TEXT)


def test_a_class_that_the_vocabulary_lacks_is_dropped_and_its_thing_is_not(
    ontology: Ontology,
) -> None:
    things = [thing("t1", "Boat", "The first stay"), *THINGS[1:]]
    found, dropped = stated(ontology, row("t1", "leftOn", "3 May 2020", LEFT), things=things)
    assert (len(lines(found)), dropped) == (1, {NO_TERM: 1})


@pytest.mark.parametrize(
    ("more", "polarity", "modality"),
    [
        ({}, "positive", Modality.ASSERTED),
        ({"denied": True}, "negative", Modality.ASSERTED),
        ({"force": "plan"}, "positive", Modality.POSSIBILITY),
        ({"only": "if all goes well"}, "positive", Modality.CONDITION),
        ({"force": "doubt", "only": "if all goes well"}, "positive", Modality.POSSIBILITY),
        ({"by": "the clerk"}, "positive", Modality.ASSERTED),
    ],
)
def test_a_mode_is_told_as_our_own(
    more: Any, polarity: str, modality: Modality, ontology: Ontology
) -> None:
    found, _ = stated(ontology, row("t1", "leftOn", "3 May 2020", LEFT, **more))
    claim = only(found)
    assert (claim.polarity, claim.modality) == (polarity, modality)
    assert claim.attribution == (more.get("by") or None)


def test_what_somebody_is_only_reported_to_say_is_of_things_of_his_own(ontology: Ontology) -> None:
    said = [row("t1", "leftOn", "3 May 2020", LEFT, by=by) for by in ("", "the clerk", "the cook")]
    back = row("t1", "backOn", "2 April 2020", "It was home on 2 April 2020", by="the clerk")
    found, _ = stated(ontology, *said, back)
    of = [c.triple.subject for c in found.told() if c.triple.predicate != RDF.type]
    assert (len({*of[:3]}), of[3]) == (3, of[1])
    typed = {c.triple.subject for c in found.told() if c.triple.predicate == RDF.type}
    assert typed >= {*of}


def test_a_class_is_dropped_that_what_is_said_of_its_thing_excludes(ontology: Ontology) -> None:
    rows = row("t3", "madeOf", "canvas", "of canvas")
    found, dropped = stated(ontology, rows, text=f"{TEXT[:-1]} of canvas.")
    assert dropped == {NO_CLASS: 1}
    assert only(found).triple.subject not in {
        c.triple.subject for c in found.told() if c.triple.predicate == RDF.type
    }


def test_what_leads_to_a_bound_thing_is_bound(ontology: Ontology) -> None:
    things = [*THINGS[:2], thing("t3", "Museum", "the Kunsthalle Bern", only="unless it rains")]
    found, _ = stated(ontology, row("t1", "borrower", "t3", LEFT), things=things)
    assert only(found).modality is Modality.CONDITION


def test_what_the_text_itself_calls_a_thing_is_stated(ontology: Ontology) -> None:
    text = f"{TEXT[:-1]} of canvas. The Kunsthalle is a museum."
    found, dropped = stated(
        ontology,
        row("t3", "madeOf", "canvas", "of canvas"),
        row("t3", "isA", "Museum", "The Kunsthalle is a museum"),
        text=text,
    )
    assert dropped == {}
    kinds = [c for c in found.told() if str(c.triple.object).endswith("Museum")]
    assert [text[c.span.start : c.span.end] for c in kinds] == ["The Kunsthalle is a museum"]


def test_the_inverse_of_what_is_told_is_told_too(ontology: Ontology) -> None:
    found, _ = stated(ontology, row("t1", "of", "t2", LEFT))
    assert lines(found) == [
        "The first stay of The Night Ferry",
        "The Night Ferry stayed The first stay",
    ]


def test_an_order_is_told_between_two_dated_events(ontology: Ontology) -> None:
    order = {"first": "t1", "first_property": "backOn", "second": "t1", "second_property": "leftOn"}
    found, dropped = stated(
        ontology,
        orders=[
            {**order, **mode("It was home on 2 April 2020")},
            {**order, "first_property": "lender", **mode("It was home on 2 April 2020")},
            {**order, **mode("before dawn")},
        ],
    )
    assert dropped == {NO_TERM: 1, NO_WORDS: 1}
    (told,) = [c for c in found.told() if c.triple.predicate == GR.toldBefore]
    labels = found.labels
    assert labels[told.triple.subject] == "back on of The first stay"
    assert labels[told.triple.object] == "left on of The first stay"


def test_a_name_that_we_read_too_is_the_same_thing(ontology: Ontology) -> None:
    found, _ = stated(ontology, row("t1", "borrower", "t3", LEFT))
    ours = {m.node for m in found.extraction.mentions if TEXT[m.span.start :].startswith("Kunst")}
    assert only(found).triple.object in ours


def test_two_things_of_one_name_stay_two(ontology: Ontology) -> None:
    things = [*THINGS, thing("t5", "Museum", "Kunsthalle Bern", apart="2 April 2020")]
    found, _ = stated(
        ontology, row("t1", "borrower", "t3", LEFT), row("t1", "lender", "t5", LEFT), things=things
    )
    one, other = (c for c in found.told() if c.triple.predicate != RDF.type)
    assert one.triple.object != other.triple.object


def test_a_thing_is_none_of_ours_whose_class_its_own_excludes(ontology: Ontology) -> None:
    assertions = Assertions(extract(from_text(TEXT, "text")))
    terms = vocabulary(ontology)
    (bern,) = {
        m.node for m in assertions.extraction.mentions if TEXT[m.span.start :].startswith("Kunst")
    }
    place = assertions.span(0, 5)
    assertions.state(bern, RDF.type, terms.classes["Work"].iri, place)
    found = answer(row("t1", "borrower", "t3", LEFT), things=THINGS)
    told = ModelReading("the model", terms, (((0, len(TEXT)), found),))
    state_reading(assertions, told, ontology)
    every = [c for c in assertions.told() if c.triple.predicate == terms.properties["borrower"].iri]
    assert [c.triple.object == bern for c in every] == [False]


def test_things_of_two_pieces_are_one_where_they_are_called_and_told_alike(
    ontology: Ontology,
) -> None:
    text = "The stay ended. Later. The stay began. A second stay began."
    middle = text.index("Later")
    first = answer(things=[thing("t1", "Stay", "The stay")])
    second = answer(
        things=[thing("t1", "Stay", "The stay"), thing("t2", "Stay", "A second stay")],
    )
    pieces = (((0, middle), first), ((middle, len(text)), second))
    assertions = Assertions(extract(from_text(text, "text")))
    state_reading(assertions, ModelReading("m", vocabulary(ontology), pieces), ontology)
    subjects = [c.triple.subject for c in assertions.told()]
    assert len(subjects) == 3
    assert len(set(subjects)) == 2


def test_our_own_reading_stands_as_it_is(ontology: Ontology) -> None:
    extraction = extract(from_text(TEXT, "text"))
    rows = answer(row("t1", "leftOn", "3 May 2020", LEFT), things=THINGS)
    told = ModelReading("m", vocabulary(ontology), (((0, len(TEXT)), rows),))
    alone = read_terms(extraction, (), ontology)
    both = read_terms(extraction, (), ontology, told=told)
    assert both.assertions == alone.assertions
    assert {one.read_by for one in both.told} == {"m"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers)
def test_whatever_the_answer_nothing_is_asserted_without_words(
    ontology: Ontology, found: Any
) -> None:
    from tests.claims.test_llm_terms import TEXT as OTHER

    assertions = Assertions(extract(from_text(OTHER, "text")))
    told = ModelReading("m", vocabulary(ontology), (((0, len(OTHER)), found),))
    state_reading(assertions, told, ontology)
    assertions.expect_sound()
    for claim in assertions.told():
        assert OTHER[claim.span.start : claim.span.end].strip()
    assert told.given == sum(map(len, found.values()))
