"""A text put beside its sources, from the words to the rule that speaks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from rdflib.term import Literal, URIRef

from groundrules.align.entities import _nearest_spelling, _spellings, _Words
from groundrules.align.grounding import Grounding, ground
from groundrules.align.passages import words
from groundrules.checks.case import build
from groundrules.checks.documents import case_of
from groundrules.checks.extractions import extraction_of
from groundrules.checks.judge import Rules, run
from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import EMBEDDED, Extraction
from groundrules.claims.names.resolve import resolve
from groundrules.config import AlignConfig, Config
from groundrules.rules import engine
from groundrules.rules.packs import load_packs
from groundrules.terms import Mention, Span, source_iri

LEASE = """\
This Lease is made on May 1, 2021 between Alpine Holdings LLC (the "Landlord") and Bright Harbor \
Books, Inc. (the "Tenant"). The term commences on June 1, 2021. The Tenant shall pay the Landlord \
a base rent of $4,850 per month. The Tenant shall not sublet the Premises. The Landlord shall \
maintain the roof. Northgate Mechanical Services insures the Building. Clara Whitfield is the \
managing member of Alpine Holdings LLC.
"""
NEWS = """\
Angela Merkel met Emmanuel Macron in Berlin on May 8, 2014. The company Siemens bought \
Dresser-Rand for $7.6 billion. Joe Kaeser is the chief executive of Siemens. Siemens was founded \
in 1847 by Werner von Siemens. Deutsche Bank did not approve the loan.
"""


def beside(text: str, *sources: str) -> Grounding:
    documents = [from_text(text, "text")]
    documents += [from_text(source, f"source{n}") for n, source in enumerate(sources)]
    first, *others = resolve([extraction_of(document, EMBEDDED) for document in documents])
    return ground(first, others)


def checked(grounding: Grounding) -> engine.Result:
    rules = tuple(rule for pack in load_packs(("core", "values")) for rule in pack.rules)
    case = case_of(grounding)
    return run(case, Rules(rules), build(case))


def rules_of(text: str, *sources: str) -> set[str]:
    return {violation.rule for violation in checked(beside(text, *sources)).violations}


def metric(result: engine.Result, name: str) -> float | None:
    return next(m.value for m in result.metrics if m.name == name)


# --- HalluGraph, Proposition 1 ----------------------------------------------------------------


@pytest.mark.parametrize("source", [LEASE, NEWS])
def test_a_text_that_is_its_source_is_grounded_and_preserved(source: str) -> None:
    grounding = beside(source, source)
    assert grounding.claims
    slots = {m.slot for found in grounding.matches.values() for m in found}
    assert slots == {"none"}
    assert set(grounding.entities.values()) == {1.0}
    result = checked(grounding)
    assert (metric(result, "EG"), metric(result, "RP")) == (1.0, 1.0)
    assert [v.rule for v in result.violations if v.rule != "GR900"] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Northgate Mechanical Services insures the Building.",
        "Angela Merkel met Emmanuel Macron in Berlin on May 8, 2014.",
        "Deutsche Bank did not approve the loan.",
        "Joe Kaeser is the chief executive of Siemens.",
    ],
)
def test_a_copied_sentence_is_grounded_and_preserved(sentence: str) -> None:
    grounding = beside(sentence, LEASE, NEWS)
    assert {m.slot for found in grounding.matches.values() for m in found} == {"none"}
    result = checked(grounding)
    assert (metric(result, "EG"), metric(result, "RP")) == (1.0, 1.0)
    (only,) = grounding.sentences
    assert only.verbatim
    assert only.exact
    assert only.passages[0][0] in {"source0", "source1"}


# --- one thing changed, the right rule --------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "source", "rule"),
    [
        ("The term commences on July 1, 2021.", LEASE, "GR301"),
        ("The Tenant shall pay the Landlord a base rent of $5,850 per month.", LEASE, "GR302"),
        ("The Tenant shall sublet the Premises.", LEASE, "GR205"),
        ("The Landlord shall not maintain the roof.", LEASE, "GR205"),
        ("The Tenant shall maintain the roof.", LEASE, "GR202"),
        ("Emmanuel Macron met Angela Merkel in Berlin on May 9, 2014.", NEWS, "GR301"),
        ("Dresser-Rand bought Siemens for $7.6 billion.", NEWS, "GR204"),
        ("Siemens was founded in 1848 by Werner von Siemens.", NEWS, "GR301"),
        ("Deutsche Bank approved the loan.", NEWS, "GR205"),
        ("Helga Brandt met Emmanuel Macron in Berlin.", NEWS, "GR101"),
        ("Joe Kaeser is the chief executive of Lufthansa.", NEWS, "GR101"),
    ],
)
def test_one_change_is_told_by_its_rule(said: str, source: str, rule: str) -> None:
    assert rule in rules_of(said, source)


@pytest.mark.parametrize(
    "said",
    [
        "The term commences in June 2021.",
        "The term commences in 2021.",
        "The Landlord shall maintain the roof.",
        "Bright Harbor Books, Inc. shall not sublet the Premises.",
        "Clara Whitfield is the managing member of Alpine Holdings.",
    ],
)
def test_what_the_source_says_in_other_words_breaks_no_rule(said: str) -> None:
    assert rules_of(said, LEASE) - {"GR900"} == set()


# --- facts ------------------------------------------------------------------------------------


def test_a_term_the_source_defines_is_known_in_the_text() -> None:
    """The Tenant of the text is the one the lease names, and so is a role said of another."""
    grounding = beside(
        "The Tenant shall sublet the Premises. Northgate Mechanical Services is the Tenant.", LEASE
    )
    subjects = {grounding.labels[claim.triple.subject] for claim in grounding.claims}
    assert subjects == {"Bright Harbor Books Inc", "Northgate Mechanical Services"}
    objects = {grounding.labels[claim.triple.object] for claim in grounding.claims}
    assert "Tenant" in objects


def test_the_facts_are_the_same_every_time() -> None:
    text = "The term commences on July 1, 2021. Helga Brandt insures the Building."
    first, again = beside(text, LEASE, NEWS), beside(text, LEASE, NEWS)
    assert list(first.facts()) == list(again.facts()) == list(first.facts())
    assert first == again
    assert build(case_of(first)).digest() == build(case_of(again)).digest()


def test_the_order_of_the_sources_changes_no_verdict() -> None:
    text = "The term commences on July 1, 2021. Helga Brandt met Emmanuel Macron."
    one = beside(text, LEASE, NEWS)
    other = beside(text, NEWS, LEASE)

    def shown(grounding: Grounding) -> Any:
        return (
            [
                (s.text, [p[1:] for p in s.passages], s.verbatim, s.exact)
                for s in grounding.sentences
            ],
            dict(grounding.entities),
            {
                claim: [(m.slot, m.similarity, m.reference.triple) for m in found]
                for claim, found in grounding.matches.items()
            },
            grounding.similarity,
            grounding.sparse,
        )

    assert shown(one) == shown(other)


def test_every_claim_belongs_to_one_sentence_and_every_span_is_a_place() -> None:
    grounding = beside(LEASE, NEWS, LEASE)
    held = [claim.id for sentence in grounding.sentences for claim in sentence.claims]
    assert sorted(held) == sorted(claim.id for claim in grounding.claims)
    texts = {"source0": NEWS, "source1": LEASE}
    for sentence in grounding.sentences:
        assert LEASE[sentence.start : sentence.end] == sentence.text
        for name, start, end in sentence.passages:
            assert words(texts[name][start:end])
    for name, found in grounding.references.items():
        assert all(claim.span.source == name for claim in found)


@pytest.mark.parametrize("text", ["", " \n\t", "...", "Well.", "😀 — …"])
def test_a_text_that_claims_nothing_is_grounded_in_anything(text: str) -> None:
    grounding = beside(text, LEASE)
    assert grounding.claims == ()
    assert grounding.similarity is None
    assert checked(grounding).violations == ()


@pytest.mark.parametrize("sources", [(), ("",), ("...", "")])
def test_without_a_source_nothing_is_grounded(sources: Sequence[str]) -> None:
    grounding = beside("Clara Whitfield manages Alpine Holdings LLC.", *sources)
    assert grounding.claims
    assert set(grounding.matches.values()) == {()}
    assert all(score == 0 for score in grounding.entities.values())
    assert grounding.similarity is None
    assert grounding.sparse
    assert [s.passages for s in grounding.sentences] == [()]
    assert "GR101" in {violation.rule for violation in checked(grounding).violations}


def test_a_source_is_sparse_below_20_entities_or_400_words() -> None:
    assert beside(NEWS, LEASE).sparse
    long = " ".join(f"Person{n} Smith{n} met Tomas Reyes." for n in range(30))
    assert beside(long, LEASE).sparse


def test_a_graph_is_named_by_any_name() -> None:
    names = ["lease.txt", "a b/c.txt", "ü", "\udcff.txt", "a%20b"]
    assert len({source_iri(name) for name in names}) == len(names)
    assert all(isinstance(source_iri(name), URIRef) for name in names)


# --- mentions ---------------------------------------------------------------------------------


def test_a_phrase_stands_in_one_text_word_for_word() -> None:
    held = _Words([words("the rent of May"), words("June rent, rent of the house")])
    for phrase in ("rent", "rent of May", "the", "June rent rent of", "of the house"):
        assert words(phrase) in held, phrase
    for phrase in ("may june", "of may june", "ent", "rent of rent", "house the", "absent"):
        assert words(phrase) not in held, phrase


def test_phrases_are_found_as_in_the_joined_text() -> None:
    draw = random.Random(4)
    text = [draw.choice("abc") for _ in range(60)]
    held = _Words([text])
    for _ in range(300):
        phrase = [draw.choice("abcd") for _ in range(draw.randint(1, 5))]
        assert (phrase in held) == (f" {' '.join(phrase)} " in f" {' '.join(text)} ")


def _naming(*names: str) -> dict[int, list[str]]:
    mentions = tuple(Mention(Span("s", 0, 0), name, "ORG", URIRef("urn:x")) for name in names)
    return _spellings([Extraction(from_text("", "s"), (), mentions, (), {})])


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("Bright Harbour Books", "Bright Harbor Books", True),
        ("Emanuel Macron", "Emmanuel Macron", True),
        ("Austria", "Australia", False),
        ("Exhibit B", "Exhibit A", False),
        ("Boeing 747", "Boeing 737", False),
        ("Second Circuit Court", "Seventh Circuit Court", False),
        ("Second Circuit Court", "Third Circuit Court", False),
        ("Licensee Holdings", "Licensor Holdings", False),
        ("Alpine Energy", "Alpine Foods", False),
    ],
)
def test_a_name_is_spelled_nearly_so_or_not_at_all(name: str, known: str, near: bool) -> None:
    score = _nearest_spelling(words(name), _naming(known, "Northgate Mechanical"))
    assert (0.85 <= score < 1) if near else score == 0


@pytest.mark.parametrize(
    ("said", "source", "known"),
    [
        ("They liked the Danish tour.", "The tour went to Denmark.", True),
        ("They flew to New Zealand.", "The New Zealand and the Dutch crews met.", True),
        ("They flew to the Netherlands.", "The Dutch crew flew.", True),
        ("They liked the Swedish tour.", "The tour went to Denmark.", False),
        ("They flew to Norway.", "The Dutch crew flew.", False),
    ],
)
def test_a_country_stands_for_its_adjective_and_the_adjective_for_it(
    said: str, source: str, known: bool
) -> None:
    found = beside(said, source)
    names = {node: score for node, score in found.named.items() if node in found.entities}
    assert names
    assert all((score == found.entities[node] == 1.0) == known for node, score in names.items())


def test_settings_reach_the_clusters() -> None:
    text, source = resolve(
        [
            extraction_of(from_text("The tenant fixes the rooftop.", "text"), EMBEDDED),
            extraction_of(from_text("The tenant repairs the roof.", "source"), EMBEDDED),
        ]
    )
    apart = ground(text, [source], config=Config(align=AlignConfig(threshold=0.0)))
    merged = ground(text, [source], config=Config(align=AlignConfig(threshold=1.9)))
    assert {c.triple for c in apart.claims} == {c.triple for c in text.claims}
    assert {c.triple for c in merged.claims} != {c.triple for c in text.claims} or (
        {c.triple for found in merged.references.values() for c in found}
        != {c.triple for c in source.claims}
    )
    assert all(not isinstance(node, Literal) for node in apart.entities)


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("The Disclosing Party", False),
        ("The Indemnified Party", False),
        ("The Rolling Mill Trust", True),
        ("The Hollis Party", True),
    ],
)
def test_a_role_by_what_it_does_is_no_unknown_name(name: str, unknown: bool) -> None:
    found = rules_of(f"{name} shall keep the plans.", "The Recipient shall keep the plans.")
    assert ("GR101" in found) is unknown


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("The bridge was opened before 2012.", "The bridge was opened in 2010."),
        ("The tower was built in 1894.", "The tower was built after 1890."),
        ("The fair was held in 2005.", "The fair was held between 2003 and 2010."),
        ("The museum opened in 1991.", "The museum opened around 1990."),
        ("The walk takes 130 minutes.", "The walk takes about two hours."),
    ],
)
def test_a_bound_or_round_value_is_no_other_value(said: str, source: str) -> None:
    assert rules_of(said, source).isdisjoint({"GR201", "GR301", "GR302", "GR303"})


def test_a_thing_by_its_letter_is_half_known_where_the_source_has_the_letter() -> None:
    source = "Press F to choose the fan speed."
    scores = [
        next(iter(beside(f"Button {letter} chooses the fan speed.", source).named.values()))
        for letter in "FQ"
    ]
    assert scores == [0.5, 0.0]
