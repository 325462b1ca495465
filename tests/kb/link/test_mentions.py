"""Laws of linking: what may be linked, what each status means, what must not matter."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal, Node, URIRef

from groundrules.errors import ModelError
from groundrules.kb.link import mentions
from groundrules.kb.link.mentions import (
    ENCODED,
    FEATURES,
    LinkStatus,
    Model,
    Pool,
    decide,
    forms,
    link,
)
from groundrules.kb.sources.source import Entity, Fault, Status
from groundrules.terms import ENTITY, Mention, Span, mint
from tests.kb.tables import TABLES

WD = "http://www.wikidata.org/entity/"
HUMAN, CITY, STATE, FAMILY = (URIRef(WD + q) for q in ("Q5", "Q515", "Q6256", "Q101352"))


def entity(
    ident: str, label: str, *aliases: str, about: str = "", prior: int = 0, **rest: object
) -> Entity:
    types = rest.get("types", ())
    assert isinstance(types, tuple)
    return Entity(URIRef(WD + ident), label, about, aliases, types, prior)


PARIS = entity(
    "Q90", "Paris", "City of Light", about="capital city of France", prior=900, types=(CITY,)
)
TEXAS = entity(
    "Q830149",
    "Paris",
    "Paris, Texas",
    about="city in Texas, United States",
    prior=30,
    types=(CITY,),
)
TWINS = tuple(
    entity(f"Q{n}", "John Smith", about="English footballer", prior=5, types=(HUMAN,))
    for n in (71, 72)
)
KNOWN = (
    PARIS,
    TEXAS,
    *TWINS,
    entity("Q119", "May", about="fifth month", prior=400),
    entity(
        "Q30", "United States of America", "US", "us", about="country", prior=900, types=(STATE,)
    ),
    entity("Q21162272", "means", "way", about="how an item performs its function", prior=5),
    entity("Q11401", "hip hop music", about="music genre", prior=80),
    entity("Q75809", "Lutheranism", about="branch of Christianity", prior=80),
    entity("Q312", "Apple", "Apple Inc.", about="technology company", prior=200),
    entity("Q6607", "guitar", about="string instrument", prior=200),
    entity("Q4167410x", "Berlin", about="page", prior=9, types=(URIRef(WD + "Q4167410"),)),
)


def named(names: Iterable[str]) -> dict[str, tuple[Entity, ...] | Fault]:
    return {
        name: tuple(
            e for e in KNOWN if name.casefold() in {n.casefold() for n in (e.label, *e.aliases)}
        )
        for name in names
    }


def mention(text: str, kind: str = "NOUN", start: int = 0, node: Node | None = None) -> Mention:
    return Mention(Span("s", start, start + len(text)), text, kind, node or mint(ENTITY, text))


def linked(text: str, sentence: str, kind: str = "NOUN") -> mentions.Link:
    (found,) = link([mention(text, kind)], [sentence], named)
    return found


def model(**figures: float) -> Model:
    settings = {"intercept": 0.0, "t_nil": 0.2, "margin": 0.1, "t_support": 0.5, "t_refute": 0.6}
    settings.update(figures)
    return Model({"prior": 8.0}, **settings, digest="")


def pool(*priors: float) -> Pool:
    entities = tuple(entity(f"Q{n}", f"thing {n}") for n in range(1, len(priors) + 1))
    return Pool(mention("thing"), entities, tuple({"prior": p} for p in priors))


# --- statuses


def test_a_name_that_nothing_bears_is_nil_no_candidate() -> None:
    found = linked("Zembla", "Zembla is far away.", "LOC")
    assert found.status is LinkStatus.NIL_NO_CANDIDATE
    assert found.candidates == ()
    assert "Zembla" in found.reason


def test_candidates_that_are_all_unlikely_are_nil_low_score_and_are_shown() -> None:
    found = decide(pool(0.1, 0.05), model(intercept=-6.0))
    assert found.status is LinkStatus.NIL_LOW_SCORE
    assert found.candidates == ()
    assert [c.entity.iri for c in found.others] == [URIRef(WD + "Q1"), URIRef(WD + "Q2")]


def test_two_that_nothing_tells_apart_are_ambiguous_and_both_are_kept() -> None:
    found = linked("John Smith", "John Smith was a footballer.", "PERSON")
    assert found.status is LinkStatus.AMBIGUOUS
    assert {c.entity.iri for c in found.candidates} == {e.iri for e in TWINS}
    assert "John Smith (Q71)" in found.reason


def test_a_clear_name_is_linked_and_its_namesake_stays_for_the_counter_check() -> None:
    found = decide(pool(1.0, 0.1), model())
    assert found.status is LinkStatus.LINKED
    assert [c.entity.label for c in found.candidates] == ["thing 1"]
    assert [c.entity.label for c in found.others] == ["thing 2"]


def test_more_readings_than_can_be_tried_are_no_link() -> None:
    found = decide(pool(*[1.0] * 5), model(t_nil=0.1))
    assert found.status is LinkStatus.NIL_LOW_SCORE
    assert "5" in found.reason


def test_a_name_that_could_not_be_looked_up_is_neither_nil_nor_linked() -> None:
    fault = Fault(Status.ERROR, "NETWORK", "no route")
    (found,) = link(
        [mention("Paris", "LOC")], ["Paris is big."], lambda names: dict.fromkeys(names, fault)
    )
    assert found.status is LinkStatus.FAILED
    assert found.fault == fault
    assert "no route" in found.reason


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=8),
    st.floats(-8, 8),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_probabilities_share_one_and_every_status_keeps_its_promise(
    priors: list[float], intercept: float, t_nil: float, margin: float
) -> None:
    chosen = model(intercept=intercept, t_nil=t_nil, margin=margin)
    candidates = pool(*priors)
    p = chosen.probabilities(candidates.features)
    assert all(0 <= x <= 1 for x in p)
    assert sum(p) <= 1 + 1e-9
    found = decide(candidates, chosen)
    assert found.reason
    kept = [c.probability for c in found.candidates]
    assert kept == sorted(kept, reverse=True)
    if found.status is LinkStatus.LINKED:
        assert len(kept) == 1
        assert kept[0] >= t_nil
    elif found.status is LinkStatus.AMBIGUOUS:
        assert 2 <= len(kept) <= 4
        assert kept[0] - kept[-1] <= margin
    else:
        assert kept == []
    assert found.probability == pytest.approx(sum(kept))
    assert not kept or found.probability >= t_nil
    assert len(found.candidates) + len(found.others) <= 4


# --- what may be looked up


@pytest.mark.parametrize("word", ["way", "may", "us", "it", "He", "thing", "1984", "—"])
def test_common_words_and_what_has_no_letter_never_link(word: str) -> None:
    found = linked(word, f"They may find a way with us, {word}.")
    assert found.status is LinkStatus.NIL_NO_CANDIDATE


@pytest.mark.parametrize(("text", "ident"), [("May", "Q119"), ("US", "Q30"), ("guitar", "Q6607")])
def test_the_same_letters_as_a_name_do_link(text: str, ident: str) -> None:
    found = linked(text, f"In {text} there is much to see.", "MISC")
    assert ident in {c.entity.iri.removeprefix(WD) for c in (*found.candidates, *found.others)}


def test_a_lower_case_word_is_no_name_that_is_written_with_a_capital() -> None:
    assert linked("apple", "She ate an apple.").status is LinkStatus.NIL_NO_CANDIDATE


def test_a_page_about_a_name_is_not_what_is_meant() -> None:
    assert linked("Berlin", "Berlin is big.", "LOC").status is LinkStatus.NIL_NO_CANDIDATE


@pytest.mark.parametrize(("text", "form"), TABLES["what does not belong to a name is taken off"])
def test_what_does_not_belong_to_a_name_is_taken_off(text: str, form: str) -> None:
    assert any(form in level for level in forms(text))


@given(st.text(max_size=40))
def test_forms_are_few_distinct_and_never_empty(text: str) -> None:
    found = [form for level in forms(text) for form in level]
    assert len(found) == len(set(found)) <= 40
    assert all(form.strip() for form in found)


def test_a_name_as_it_stands_comes_before_any_changed_form() -> None:
    asked = mention("hip hop music", "MISC")
    shorter = entity("Q1", "hip hop", prior=10_000)

    def both(names: Iterable[str]) -> dict[str, tuple[Entity, ...] | Fault]:
        return {n: (shorter,) if n == "hip hop" else v for n, v in named(names).items()}

    (found,) = mentions.gather([asked], ["They play hip hop music."], both)
    assert [e.label for e in found.entities] == ["hip hop music"]


@pytest.mark.parametrize(
    ("changed", "plain"),
    [("hip hop music music", "hip hop music"), ("Lutheranism religion", "Lutheranism")],
)
def test_a_changed_name_links_and_is_less_sure_than_the_name_itself(
    changed: str, plain: str
) -> None:
    less, sure = (linked(text, f"He likes {text}.", "MISC") for text in (changed, plain))
    assert less.status is sure.status is LinkStatus.LINKED
    assert less.candidates[0].entity == sure.candidates[0].entity
    assert less.probability < sure.probability


# --- what must not matter

TEXT = "Paris is in Texas. The city grew. John Smith played guitars in Paris. He liked it."
PLACES = [
    ("Paris", "LOC", "paris"),
    ("The city", "NOUN", "paris"),
    ("John Smith", "PERSON", "john"),
    ("guitars", "NOUN", "guitars"),
    ("He", "PERSON", "john"),
    ("Zembla", "LOC", "zembla"),
]


def _mentions() -> list[tuple[Mention, str]]:
    out = []
    for text, kind, node in PLACES:
        start = max(TEXT.find(text), 0)
        sentence = next(s for s in re.split(r"(?<=\.) ", TEXT) if text in s or text == "Zembla")
        out.append((mention(text, kind, start, mint(ENTITY, node)), sentence))
    return out


def vectors(texts: Sequence[str]) -> np.ndarray:
    rows = []
    for text in texts:
        row = np.random.default_rng(int(hashlib.sha256(text.encode()).hexdigest(), 16)).normal(
            size=8
        )
        rows.append(row / np.linalg.norm(row))
    return np.array(rows, np.float32).reshape(len(rows), 8)


@pytest.mark.parametrize("encode", [None, vectors])
@given(order=st.permutations(_mentions()))
def test_the_order_of_the_mentions_does_not_matter(
    encode: mentions.Encode | None, order: list[tuple[Mention, str]]
) -> None:
    def asked(pairs: Sequence[tuple[Mention, str]]) -> tuple[mentions.Link, ...]:
        return link([m for m, _ in pairs], [s for _, s in pairs], named, encode=encode)

    found = asked(order)
    assert found == asked(_mentions())
    assert len(found) == len({m.node for m, _ in order})


def test_one_thing_has_one_link_by_its_fullest_name() -> None:
    node = mint(ENTITY, "john smith")
    pairs = [mention("Smith", "PERSON", 0, node), mention("John Smith", "PERSON", 40, node)]
    (found,) = link(pairs, ["Smith ran.", "John Smith won."], named)
    assert found.mention.text == "John Smith"


def test_values_are_not_linked() -> None:
    assert link([mention("1984", "DATE", 0, Literal("1984"))], ["In 1984."], named) == ()


def test_all_names_are_asked_in_one_go_and_all_classes_in_another() -> None:
    calls: list[str] = []

    def count(names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        calls.append("named")
        return named(names)

    def types(
        subjects: Iterable[URIRef], classes: Iterable[URIRef]
    ) -> dict[URIRef, frozenset[URIRef] | Fault]:
        calls.append("types")
        return {s: frozenset({CITY}) & frozenset(classes) for s in subjects}

    pairs = _mentions()
    wanted = {m.node: frozenset({CITY}) for m, _ in pairs}
    link([m for m, _ in pairs], [s for _, s in pairs], count, expected=wanted, types=types)
    assert calls == ["named", "types"]


# --- features


def test_no_feature_sees_what_is_stated_of_the_candidates() -> None:
    """Agreement with the knowledge base may not choose the entity."""
    right, wrong = "Paris is the capital of France.", "Paris is the capital of Spain."
    rows = [mentions.gather([mention("Paris", "LOC")], [s], named)[0] for s in (right, wrong)]
    # nothing but names, types, counts and descriptions is ever asked for
    own = {k: [r[k] for r in rows[0].features] for k in FEATURES if k != "words"}
    assert own == {k: [r[k] for r in rows[1].features] for k in FEATURES if k != "words"}
    assert set(rows[0].features[0]) == set(FEATURES)


def test_a_class_that_the_property_wants_speaks_for_an_entity_and_any_other_against() -> None:
    node = mint(ENTITY, "Paris")
    for wanted, name in ((CITY, "expected"), (HUMAN, "unexpected")):
        (found,) = mentions.gather(
            [mention("Paris", "LOC")], ["Paris."], named, expected={node: frozenset({wanted})}
        )
        assert [row[name] for row in found.features] == [1.0, 1.0]


def test_types_that_could_not_be_asked_speak_neither_for_nor_against() -> None:
    node = mint(ENTITY, "Paris")
    fault = Fault(Status.ERROR, "NETWORK")
    (found,) = mentions.gather(
        [mention("Paris", "LOC")],
        ["Paris."],
        named,
        expected={node: frozenset({HUMAN})},
        types=lambda subjects, _: dict.fromkeys(subjects, fault),
    )
    assert {row[n] for row in found.features for n in ("expected", "unexpected")} == {0.0}


def test_of_what_has_no_type_nothing_is_known_unless_the_source_says_so() -> None:
    node, bare = mint(ENTITY, "Zembla"), entity("Q7", "Zembla")
    for answer, row in ((frozenset(), (0.0, 0.0)), (frozenset({CITY}), (1.0, 0.0))):
        (found,) = mentions.gather(
            [mention("Zembla", "LOC")], ["Zembla."], lambda names: dict.fromkeys(names, (bare,)),
            expected={node: frozenset({CITY})},
            types=lambda subjects, _, said=answer: dict.fromkeys(subjects, said),  # type: ignore[misc]
        )  # fmt: skip
        assert (found.features[0]["expected"], found.features[0]["unexpected"]) == row


def test_kinds_are_those_of_the_types() -> None:
    for kind, name in (("LOC", "kind"), ("PERSON", "kind_clash")):
        (found,) = mentions.gather([mention("Paris", kind)], ["Paris."], named)
        assert [row[name] for row in found.features] == [1.0, 1.0]


def test_the_sentence_chooses_among_namesakes_with_an_encoder() -> None:
    def encode(texts: Sequence[str]) -> np.ndarray:
        return np.array([[1, 0] if "Texas" in t else [0, 1] for t in texts], np.float32)

    rows = mentions.gather([mention("Paris", "LOC")], ["Paris, Texas."], named, encode=encode)[0]
    lead = {e.iri: row["lead"] for e, row in zip(rows.entities, rows.features, strict=True)}
    assert lead == {TEXAS.iri: 1.0, PARIS.iri: -1.0}


def test_without_any_description_the_labels_are_compared_and_beside_one_they_are_not() -> None:
    bare, other = entity("Q7", "Zembla"), entity("Q8", "Zembla")
    told = entity("Q9", "Zembla", about="a distant northern land", prior=2)
    for entities, described in (((bare, other), [1.0, 1.0]), ((told, bare), [1.0, 0.0])):
        (found,) = mentions.gather(
            [mention("Zembla", "LOC")], ["Zembla is far."],
            lambda names, some=entities: dict.fromkeys(names, some), encode=vectors,  # type: ignore[misc]
        )  # fmt: skip
        assert [row["described"] for row in found.features] == described
        assert [row["cosine"] != 0 for row in found.features] == [d == 1.0 for d in described]


def test_a_description_tells_nothing_among_things_that_are_equally_well_known() -> None:
    bare, told = entity("Q7", "Zembla"), entity("Q9", "Zembla", about="a distant northern land")
    (found,) = mentions.gather(
        [mention("Zembla", "LOC")], ["Zembla is a northern land."],
        lambda names: dict.fromkeys(names, (bare, told)), encode=vectors,
    )  # fmt: skip
    one, other = found.features
    assert one == other


# --- sources put together


def test_a_second_source_only_adds_candidates() -> None:
    def second(names: Iterable[str]) -> dict[str, tuple[Entity, ...] | Fault]:
        other = entity("Q90", "Paris of the other source")
        return {name: (other, entity("Q1", name)) for name in names}

    found = mentions.together(named, second)(["Paris", "Zembla"])
    assert [e.label for e in found["Paris"]] == ["Paris", "Paris", "Paris"]  # type: ignore[union-attr]
    assert found["Paris"][:2] == (PARIS, TEXAS)  # type: ignore[index]
    assert len(found["Zembla"]) == 2  # type: ignore[arg-type]


def test_what_the_first_source_could_not_answer_stays_unanswered() -> None:
    fault = Fault(Status.ERROR, "NETWORK")
    first = mentions.together(lambda names: dict.fromkeys(names, fault), named)
    assert first(["Paris"]) == {"Paris": fault}
    later = mentions.together(named, lambda names: dict.fromkeys(names, fault))
    assert later(["Paris"]) == {"Paris": (PARIS, TEXAS)}


# --- the weights


@pytest.mark.parametrize("encoded", [False, True])
def test_the_weights_have_the_digest_of_their_file_and_of_the_card(encoded: bool) -> None:
    folder = Path(mentions.__file__).parents[2] / "models" / "linker"
    raw = (folder / "weights.json").read_bytes()
    found = mentions.load_model(encoded=encoded)
    assert found.digest == hashlib.sha256(raw).hexdigest()
    assert found.digest in (folder / "CARD.md").read_text("utf-8")
    assert set(found.weights) == (set(FEATURES) if encoded else set(FEATURES) - ENCODED)


@pytest.mark.parametrize("encoded", [False, True])
def test_to_refute_asks_for_a_surer_link_than_to_support(encoded: bool) -> None:
    found = mentions.load_model(encoded=encoded)
    assert 0 < found.t_nil <= found.t_support < found.t_refute < 1
    assert 0 < found.margin < 1


def test_weights_that_need_an_encoder_are_none_of_the_plain_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = {"intercept": 0, "t_nil": 0.1, "margin": 0.1, "t_support": 0.2, "t_refute": 0.3}
    data = {"plain": {**figures, "weights": {"cosine": 1.0}}}
    (tmp_path / "weights.json").write_text(json.dumps(data))
    monkeypatch.setattr(mentions, "_FOLDER", tmp_path)
    mentions.load_model.cache_clear()
    with pytest.raises(ModelError, match="reinstall"):
        mentions.load_model(encoded=False)
    mentions.load_model.cache_clear()
