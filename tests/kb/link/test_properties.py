from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import URIRef

from groundrules.kb.link.properties import (
    WD,
    WDT,
    Pattern,
    Relations,
    key,
    lexicon,
    local_name,
    words,
)
from groundrules.kb.sources.source import Kind, Property
from tests.kb.tables import TABLES

CITY, COUNTRY, PERSON, INSTRUMENT = WD.Q515, WD.Q6256, WD.Q5, WD.Q34379


def prop(pid: str, label: str, *aliases: str, kind: Kind = "item", **more: object) -> Property:
    return Property(WDT[pid], label, aliases, kind, **more)  # type: ignore[arg-type]


KNOWN = {
    p.iri: p
    for p in (
        prop("P19", "place of birth"),
        prop("P569", "date of birth", kind="time"),
        prop("P36", "capital", inverse=WDT.P1376),
        prop("P1376", "capital of", inverse=WDT.P36),
        prop("P17", "country"),
        prop("P131", "located in the administrative territorial entity"),
        prop("P30", "continent"),
        prop("P22", "father"),
        prop("P40", "child"),
        prop("P50", "author"),
        prop("P112", "founded by", "founder"),
        prop("P69", "educated at"),
        prop("P26", "spouse", symmetric=True),
        prop("P1303", "instrument"),
        prop("P136", "genre"),
        prop("P1082", "population", kind="quantity"),
        prop("P463", "member of"),
        prop("P9001", "shoe size", "size of shoe", kind="quantity"),
        prop("P9002", "mascot", domain=(WD.Q12973014,)),
    )
}
RELATIONS = Relations(KNOWN)


def best(phrase: str, **more: object) -> tuple[str, bool]:
    found = RELATIONS.match(phrase, **more)  # type: ignore[arg-type]
    assert not found.reason
    return local_name(found.candidates[0].property).upper(), found.candidates[0].inverse


@pytest.mark.parametrize(
    ("phrase", "pid", "inverse"), TABLES["a phrase says which end is the subject"]
)
def test_a_phrase_says_which_end_is_the_subject(phrase: str, pid: str, inverse: bool) -> None:
    assert best(phrase) == (pid, inverse)


def test_a_symmetric_property_has_no_direction() -> None:
    assert best("[X] is the wife of [Y]") == best("[X]'s wife is [Y]") == ("P26", False)


def test_the_sort_of_object_chooses_between_place_and_date() -> None:
    assert best("be born in", object_kind="item") == ("P19", False)
    assert best("be born in", object_kind="time") == ("P569", False)
    assert RELATIONS.match("be born in", object_kind="quantity").reason == "no_candidate"


def test_types_choose_among_the_properties_of_one_wording() -> None:
    assert best("be located in", object_types={COUNTRY}) == ("P17", False)
    assert best("be located in", object_types={WD.Q5107}) == ("P30", False)
    unknown = RELATIONS.match("be located in").candidates
    assert {c.property for c in unknown} == {WDT.P17, WDT.P131, WDT.P30}
    assert len({c.score for c in unknown}) == 1


def test_types_fit_neither_reading_then_none_is_chosen() -> None:
    found = RELATIONS.match("play", object_types={COUNTRY})
    assert found.reason == "types"
    assert best("play", object_types={INSTRUMENT}) == ("P1303", False)


def test_types_do_not_overrule_a_wording_that_has_one_meaning() -> None:
    assert best("[X] plays [Y] music", object_types={COUNTRY}) == ("P136", False)


def test_what_nothing_is_isolated_from_which_thing_it_is() -> None:
    assert words("[X] is a [Y]") != words("[X] is [Y]")
    assert RELATIONS.match("[X] is [Y]").reason == "no_candidate"


@pytest.mark.parametrize("phrase", ["", "[X]", "[X] [X] likes [Y]", "the", "[X] [Y]", "  "])
def test_what_is_no_phrase_between_two_slots_is_not_matched(phrase: str) -> None:
    assert RELATIONS.match(phrase).reason == "no_phrase"


def test_an_unknown_phrase_is_left_alone() -> None:
    assert RELATIONS.match("[X] flows through [Y]").reason == "no_candidate"


def test_any_vocabulary_is_matched_by_its_names() -> None:
    place = URIRef("http://dbpedia.org/ontology/birthPlace")
    found = Relations({place: Property(place)}).match("The birth place of [X] is [Y]")
    assert [(c.property, c.inverse) for c in found.candidates] == [(place, False)]


def test_every_pattern_of_the_lexicon_finds_its_own_property() -> None:
    everything = Relations({p.property: Property(p.property) for p in lexicon()})
    for pattern in lexicon():
        if "[X]" in pattern.text:
            subjects, objects = (pattern.subjects, pattern.objects) if pattern.typed else ((), ())
            found = everything.match(pattern.text, subject_types=subjects, object_types=objects)
            assert (pattern.property, False) in {(c.property, c.inverse) for c in found.candidates}


def test_a_pattern_without_both_slots_is_refused() -> None:
    with pytest.raises(ValueError, match="slots"):
        Relations(KNOWN, patterns=[Pattern(WDT.P36, "[X] is good")])


def test_what_a_phrase_wants_of_its_ends_turns_with_it() -> None:
    subjects, objects = RELATIONS.expected_types("[X] was born in [Y]")
    assert PERSON in subjects
    assert CITY in objects
    assert RELATIONS.expected_types("[Y] was born in [X]") == (objects, subjects)
    assert RELATIONS.expected_types("[X] flows through [Y]") == (frozenset(), frozenset())


def test_a_condition_that_is_met_rules_out_a_property_that_has_none() -> None:
    several = {WDT[pid]: Property(WDT[pid]) for pid in ("P31", "P106")}
    found = Relations(several).match(
        "[X] is a [Y]", subject_types={PERSON}, object_types={WD.Q28640}
    )
    assert [c.property for c in found.candidates] == [WDT.P106]


def test_the_classes_that_decide_can_be_asked_for() -> None:
    assert {COUNTRY, WD.Q5107, WD.Q12973014} <= RELATIONS.classes


texts = st.lists(
    st.sampled_from("[X] [Y] the is was a an of capital born in 's who have".split()) | st.text(),
    max_size=8,
).map(" ".join)


@given(texts)
def test_no_phrase_breaks_a_look_up(phrase: str) -> None:
    found = RELATIONS.match(phrase)
    assert bool(found.reason) or bool(found.candidates)


@given(st.sampled_from([p.text for p in lexicon() if "[X]" in p.text]))
def test_swapping_the_slots_turns_the_direction(text: str) -> None:
    swapped = text.replace("[X]", "[Z]").replace("[Y]", "[X]").replace("[Z]", "[Y]")
    one, other = RELATIONS.match(text), RELATIONS.match(swapped)
    assert one.reason == other.reason
    assert {(c.property, c.inverse or KNOWN[c.property].symmetric) for c in one.candidates} == {
        (c.property, not c.inverse or KNOWN[c.property].symmetric) for c in other.candidates
    }


@given(st.sampled_from([p.text for p in lexicon()]), st.sampled_from(["", ".", " .", "!"]))
def test_case_articles_and_marks_leave_a_phrase_as_it_is(text: str, end: str) -> None:
    plain = words(text)
    assert words(text.replace(" the ", " ") + end) == plain
    assert words(text.replace("was ", "WAS ")) == plain


def test_a_key_has_its_slots_in_order() -> None:
    assert key("[Y] owns [X]") == (("[X]", "own", "[Y]"), True)
    assert key("[X] owned [Y]") == (("[X]", "own", "[Y]"), False)


def test_a_curated_noun_comes_before_the_alias_of_an_inverse() -> None:
    alias = Property(WDT.P800, "notable work", ("author of",))
    found = Relations({**KNOWN, WDT.P800: alias}).match("[X] is the author of [Y]")
    assert [(c.property, c.inverse) for c in found.candidates] == [(WDT.P50, True)]


def test_a_condition_that_is_open_rules_out_nothing() -> None:
    found = RELATIONS.match("play", subject_types={PERSON})
    assert {c.property for c in found.candidates} == {WDT.P1303, WDT.P136}
