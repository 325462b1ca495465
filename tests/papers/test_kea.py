"""KEA Explain: kernel, relation selection, clusters, contradictory pairs, edits, decision."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rdflib.term import Literal
from sklearn.metrics import roc_auc_score

from groundrules import Config, check
from groundrules.align.cluster import cluster, unify
from groundrules.align.kea import (
    Similarity,
    contradictory_pairs,
    edits,
    nearest,
    select_references,
    sentence_of,
)
from groundrules.align.kernel import wl_kernel
from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.facts.parsed import Parsed
from groundrules.claims.models.llm_triples import Reading, read_triples
from groundrules.config import AlignConfig, LLMConfig
from groundrules.dataset import Dataset
from groundrules.explain.contrast import explain
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
from groundrules.llm.replay import row
from groundrules.llm.structured import MalformedError, parse, validator
from groundrules.rules import engine
from groundrules.rules.packs import load_pack
from groundrules.terms import GR, METRIC, Triple
from tests.papers import worked
from tests.papers.worked import of

CASES = worked.cases("kea")
HOUSE = Path(__file__).parents[2] / "examples" / "papers" / "kea"
DATA = Path(__file__).parents[3] / "shared" / "data" / "kea"
PUBLISHED = json.loads((worked.FOLDER / "kea_graphs.json").read_text(encoding="utf-8"))


def graph(triples: Any, unify_: Any = None) -> list[tuple[str, str, str]]:
    """Return the triples as tuples, labels replaced."""
    same = unify_ or {}
    return [tuple(same.get(label, label) for label in triple) for triple in triples]


def table(given: Any) -> Similarity:
    """Return the similarities of a case: equal labels 1, pairs that are not listed 0."""
    known = {frozenset((a, b)): value for a, b, value in given["similarity"]}
    return lambda a, b: 1.0 if a == b else known.get(frozenset((a, b)), 0.0)


# --- the kernel -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    of("kea", "kea-kernel", "kea-kernel-depths", "kea-kernel-rome", "kea-kernel-laws",
       "kea-kernel-graphs"),
)  # fmt: skip
def test_the_kernel_has_the_value_of_the_paper(given: Any, expected: Any) -> None:
    a, b = (graph(given[name], given.get("unify")) for name in "ab")
    value = wl_kernel(a, b, h=given["h"])
    accepted = [expected["value"], *expected.get("accept", ())]
    assert any(value == pytest.approx(one, abs=1e-6) for one in accepted)
    if "raw" in expected:
        assert wl_kernel(a, b, h=given["h"], normalize=False) == expected["raw"]
        own = [wl_kernel(g, g, h=given["h"], normalize=False) for g in (a, b)]
        assert own == expected["self"]
        levels = [wl_kernel(a, b, h=h, normalize=False) for h in range(given["h"] + 1)]
        shared = [levels[0], *np.diff(levels)]
        assert shared == expected["shared_labels_per_iteration"]


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['set']} {row['kea_score']:.4f}")
def test_published_scores_are_those_of_graphs_whose_nodes_are_the_entities(row: Any) -> None:
    a, b = graph(row["claim_graph"]), graph(row["reference_graph"])
    assert 1 - wl_kernel(a, b, h=5, relation_nodes=False) == pytest.approx(row["kea_score"])


@pytest.mark.skipif(not DATA.is_dir(), reason="KEA's published graphs are not here")
@pytest.mark.parametrize("name", ["summeval", "qags_c", "wikibio"])
def test_every_published_score_comes_out_and_so_does_its_auc(name: str) -> None:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    ours = np.array([
        wl_kernel(graph(r["claim_graph"]), graph(r["reference_graph"]), h=5, relation_nodes=False)
        for r in rows
    ])  # fmt: skip
    theirs = np.array([1 - row["kea_score"] for row in rows])
    labels = np.array([row["label"] for row in rows])
    assert ours == pytest.approx(theirs)
    assert roc_auc_score(labels, ours) == pytest.approx(roc_auc_score(labels, theirs), abs=0.001)


# --- selection and clusters -------------------------------------------------------------------


@pytest.mark.parametrize(("given", "expected"), of("kea", "kea-select-cosine"))
def test_selection_divides_by_both_lengths(given: Any, expected: Any) -> None:
    ids = [item["id"] for item in CASES["kea-select-cosine"]["input"]["items"]]
    vectors = np.array([item["vector"] for item in CASES["kea-select-cosine"]["input"]["items"]])
    query = np.array([CASES["kea-select-cosine"]["input"]["query_vector"]])
    best, cosines = nearest(query, vectors)
    wanted = CASES["kea-select-cosine"]["expected"]
    assert [ids[number] for number in best] == wanted["ids"]
    assert dict(zip(ids, cosines[0], strict=True)) == pytest.approx(wanted["scores"])


@pytest.mark.parametrize(("given", "expected"), of("kea", "kea-select-triples"))
def test_each_claim_takes_its_nearest_reference(given: Any, expected: Any) -> None:
    found = select_references(graph(given["claim_triples"]), graph(given["reference_triples"]))
    assert [list(triple) for triple in found] == expected["selected"]
    assert len(found) <= expected["selected_size_at_most"]
    assert sentence_of(tuple(given["verbalise"])) == expected["verbalised"]


@pytest.mark.parametrize(("given", "expected"), of("kea", "kea-cluster-linkage"))
def test_clusters_merge_by_their_mean_distance_below_the_threshold(
    given: Any, expected: Any
) -> None:
    # vectors with these distances: cosine is 1 less them
    labels = given["labels"]
    cosines = np.eye(len(labels))
    for a, b, distance in given["distances"]:
        i, j = labels.index(a), labels.index(b)
        cosines[i, j] = cosines[j, i] = 1 - distance
    values, vectors = np.linalg.eigh(cosines)
    rows = vectors * np.sqrt(np.clip(values, 0, None))
    found = cluster(rows, threshold=given["threshold"]).tolist()
    groups = [[x for x, n in zip(labels, found, strict=True) if n == k] for k in sorted({*found})]
    assert groups == expected["clusters"]


@pytest.mark.parametrize(("given", "expected"), of("kea", "kea-cluster-labels"))
def test_values_that_the_paper_tells_apart_are_not_one(given: Any, expected: Any) -> None:
    labels = given["labels"]
    kinds = ["DATE" if label.isdigit() else "NOUN" for label in labels]
    found = dict(zip(labels, unify(labels, kinds, threshold=given["threshold"]), strict=True))
    assert all(found[a] == found[b] for a, b in expected["together"])
    assert all(found[a] != found[b] for a, b in expected["apart"])


# --- contradictory pairs and edits ------------------------------------------------------------


@pytest.mark.parametrize(("given", "expected"), of("kea", "kea-contradictory"))
def test_a_contradiction_agrees_in_two_parts_and_differs_in_the_third(
    given: Any, expected: Any
) -> None:
    found = contradictory_pairs(
        graph(given["claim"]),
        graph(given["reference"]),
        table(given),
        alike=given["alike"],
        differs=given["differs"],
    )
    pairs = [
        {"claim": list(p.claim), "reference": list(p.reference), "differs": p.differs}
        for p in found
    ]
    assert pairs == expected["pairs"]


@pytest.mark.parametrize(
    ("given", "expected"), of("kea", "kea-edits", "kea-edits-thresholds", "kea-edits-reynolds")
)
def test_edits_delete_what_has_no_equal_then_add_what_is_missing(given: Any, expected: Any) -> None:
    found = edits(
        graph(given["claim"]),
        graph(given["reference"]),
        table(given),
        entities=given["tau_e"],
        relations=given["tau_r"],
    )
    assert [[action, list(triple)] for action, triple in found] == expected["operations"]


# --- the decision, as a rule of the house -----------------------------------------------------


@pytest.mark.parametrize(("given", "expected"), of("kea", "kea-thresholds"))
def test_the_decision_is_a_rule_whose_threshold_is_a_setting(given: Any, expected: Any) -> None:
    dataset = Dataset()
    dataset.add([Triple(METRIC["WL"], GR.value, Literal(given["kernel"]))])
    for name, threshold in given["thresholds"].items():
        overrides = {"KE101": {"threshold": threshold}}
        found = engine.check(dataset, load_pack(str(HOUSE)).rules, overrides=overrides)
        said = "hallucination" if found.violations else "consistent"
        assert said == expected[name]


def test_a_rule_of_the_house_on_the_kernel_fires_with_documents_and_with_a_knowledge_base_alone(
    tmp_path: Path,
) -> None:
    house = Config(packs=("core", str(HOUSE)), rules={"KE101": {"threshold": 0.9}})
    right, wrong = "The lease begins in 2024.", "The lease begins in 2025."
    for said, fires in ((right, False), (wrong, True)):
        report = check(said, context=right, config=house, verify=False)
        assert ("KE101" in {v.rule for v in report.violations}) is fires
    facts = tmp_path / "facts.ttl"
    facts.write_text(CASES["kea-kb-reynolds"]["input"]["turtle"], encoding="utf-8")
    alone = Config(packs=house.packs, rules=house.rules, kb=(str(facts),))
    for year, fires in ((1828, False), (1820, True)):
        report = check(f"John Russell Reynolds was born in {year}.", config=alone, verify=False)
        assert ("KE101" in {v.rule for v in report.violations}) is fires
        assert (report.metric("WL").value == 1) is not fires


# --- explanations -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"), of("kea", "kea-explain-samples", "kea-explain-reynolds")
)
def test_the_explanations_set_what_is_claimed_against_what_is_so(given: Any, expected: Any) -> None:
    report = check(given["text"], context=given["context"], verify=False)
    explained = (explain(one, report) for one in report.violations if one.claim)
    told = " ".join(f"{one.fact}; {one.foil}; {one.because}." for one in explained)
    assert "\n" not in told
    for names in expected["mentions"]:
        assert any(name.casefold() in told.casefold() for name in names), told
    for pair in expected["contrasts"]:
        assert pair["claimed"] in told
        assert pair["rather"] in told
    allowed = re.findall(r"\d+", given["text"] + given["context"])
    assert {*re.findall(r"\d+", told)} <= {*allowed}


# --- triples ----------------------------------------------------------------------------------


def _triples() -> list[Any]:
    out = []
    for given, expected in worked.items(CASES["kea-triples"]):
        for s, p, o in expected["triples_contain"]:
            marks = worked.marked("kea", f"{s} | {o}")
            out.append(pytest.param(given["text"], s, p, o, id=f"{s} {p} {o}", marks=marks))
    return out


@pytest.mark.parametrize(("text", "s", "p", "o"), _triples())
def test_a_triple_of_the_prompt_is_read(text: str, s: str, p: str, o: str) -> None:
    found = extract(from_text(text, "t"))
    spoken = {
        tuple(
            found.labels.get(n, str(n)).casefold()
            for n in (c.triple.subject, c.triple.predicate, c.triple.object)
        )
        for c in found.claims
    }
    assert not {subject for subject, _, _ in spoken} & {"he"}
    assert any(s.casefold() in a and o.casefold().rstrip("s") in b for a, _, b in spoken), spoken


# --- the prompt that makes both graphs --------------------------------------------------------


class Recorded:
    """A stand-in for a client that gives one answer and keeps the prompts."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.prompts: list[Prompt] = []

    def ask_all(self, prompts: Sequence[Prompt]) -> list[object]:
        self.prompts += prompts
        return [self.answer for _ in prompts]


def heard(texts: Sequence[str], *graphs: Any) -> tuple[Reading, Prompt]:
    """Return what is made of two texts and an answer with their graphs, and the prompt."""
    graphs_by_name = {f"knowledge_graph{n}": graph for n, graph in enumerate(graphs, 1)}
    client: Any = Recorded(graphs_by_name)  # in the place of a Client
    found = [Parsed(from_text(text, f"text{n}")) for n, text in enumerate(texts, 1)]
    reading = read_triples(found, client, graphs="kea")
    (prompt,) = client.prompts
    return reading, prompt


@pytest.mark.parametrize(("given", "expected"), of("kea", "kea-prompt-output"))
def test_an_answer_is_one_object_with_both_graphs_of_triples(given: Any, expected: Any) -> None:
    _, prompt = heard(["One text.", "Another text."], [], [])
    try:
        answer = parse(given["answer"])
        validator(prompt.schema)(answer)
    except MalformedError:  # what stands around the object, `read_answer` leaves out
        assert not expected["ok"]
        return
    assert expected["ok"]
    assert [len(answer[f"knowledge_graph{n}"]) for n in (1, 2)] == expected["sizes"]


def test_every_triple_of_the_prompt_is_kept_where_its_text_bears_it_out() -> None:
    cases = worked.items(CASES["kea-triples"])
    texts = [given["text"] for given, _ in cases]
    graphs = []
    for text, (_, expected) in zip(texts, cases, strict=True):
        sentences = text.replace(". ", ".\n").split("\n")
        graphs.append(
            [[*t, next(s for s in sentences if t[2] in s)] for t in expected["triples_contain"]]
        )
    reading, prompt = heard(texts, *graphs)
    assert [text for _, text in prompt.texts] == texts
    assert reading.dropped == {}
    for kept, (_, expected) in zip(reading.graphs, cases, strict=True):
        assert [list(triple) for triple in kept] == expected["triples_contain"]
    mine, theirs = reading.extractions
    named = {mine.labels.get(m.node) for m in mine.mentions}
    assert named >= {*cases[0][1]["same_node"]}
    assert "instance of" in {mine.labels[c.triple.predicate] for c in mine.claims}
    subjects = {theirs.labels[c.triple.subject] for c in theirs.claims}
    assert not subjects & {*cases[1][1]["subjects_never"]}


def test_the_graphs_of_the_prompt_are_compared_and_may_add_a_fault_and_take_none_away(
    tmp_path: Path,
) -> None:
    context = "John Russell Reynolds was an English physician."
    other = "John Russell Reynolds was an English lawyer."
    name = "John Russell Reynolds"
    answers = tmp_path / "answers.jsonl"
    kea = Config(
        packs=("core", str(HOUSE)),
        rules={"KE101": {"threshold": 0.5}},
        align=AlignConfig(h=5, graphs="kea"),
    )

    def found(text: str, *graphs: list[Any]) -> tuple[Any, bool]:
        _, prompt = heard([text, context], [], [])
        told = {f"knowledge_graph{n}": graph for n, graph in enumerate(graphs, 1)}
        answers.write_text(row(prompt, told), encoding="utf-8")
        client = Client(LLMConfig(), answers=answers) if graphs else None
        report = check(text, context=context, config=kea, client=client, verify=False)
        return report.metric("WL").value, "KE101" in {v.rule for v in report.violations}

    job, nation = (name, "occupation", "physician"), (name, "nationality", "English")
    unlike = wl_kernel([nation], [job], h=5)
    assert unlike < 0.5
    assert found(context) == (1, False)
    assert found(context, [[*nation, context]], [[*job, context]]) == (pytest.approx(unlike), True)
    value, fired = found(other)
    assert value < 0.5
    assert fired
    assert found(other, [[*nation, other]], [[*nation, context]]) == (1, True)
    # what is quoted from nowhere is in no graph, and without both there is no figure
    nowhere = [[*nation, "He was born in England."]]
    assert found(context, nowhere, [[*nation, context]]) == (None, False)


def _samples() -> list[Any]:
    """Return text, source and outcomes of figure 2, both samples and the demonstration."""
    texts = [given for name in ("kea-explain-reynolds", "kea-explain-samples")
             for given, _ in worked.items(CASES[name])]  # fmt: skip
    france = CASES["kea-france"]["input"]
    texts.append({"text": france["claims"][1], "context": france["context"]})
    outcomes = ["not enough info", "refuted", "not enough info", "refuted"]
    return [
        pytest.param(given["text"], given["context"], outcome, id=given["text"])
        for given, outcome in zip(texts, outcomes, strict=True)
    ]


@pytest.mark.parametrize(("text", "context", "outcome"), _samples())
def test_what_a_language_model_answered_to_the_prompt_decides_with_the_rules(
    text: str, context: str, outcome: str
) -> None:
    config = Config(
        packs=(*Config().packs, str(HOUSE)),
        rules={"KE101": {"threshold": 0.3}},
        align=AlignConfig(h=5, graphs="kea"),
    )
    client = Client(LLMConfig(), answers=worked.FOLDER / "kea_answers.jsonl")
    report = check(text, context=context, config=config, client=client, verify=False)
    assert not [note for note in report.run.notes if "dropped" in note]
    # no grade was recorded, so that what the rules leave open was not graded
    assert worked.outcome(report) == outcome.replace("not enough info", "unverifiable")
    assert report.metric("WL").value < 0.3
    assert "KE101" in {v.rule for v in report.violations}
    # a relation that the text does not word stands in the graphs and proves nothing
    plain = check(text, context=context, config=Config(), verify=False)
    assert worked.outcome(plain) in (outcome, "not enough info")


@pytest.mark.parametrize("described", [True, False])
def test_what_describes_a_thing_is_a_triple_of_the_reference_graph(
    described: bool, tmp_path: Path
) -> None:
    turtle = (
        "@prefix : <http://ex/> . @prefix schema: <http://schema.org/> . "
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
        ':occupation rdfs:label "occupation"@en . :physician rdfs:label "physician"@en . '
        ':lecturer rdfs:label "university lecturer"@en . '
        ':Reynolds rdfs:label "John Russell Reynolds"@en ; :occupation :lecturer . '
    )
    if described:
        turtle += ':Reynolds schema:description "English physician and neurologist"@en .'
    facts = tmp_path / "facts.ttl"
    facts.write_text(turtle, encoding="utf-8")
    name = "John Russell Reynolds"
    # the nearest to the claim, whose label is then that of the claim
    nearest = ("description", "physician") if described else ("occupation", "lecturer")
    wanted = wl_kernel([(name, "occupation", "physician")], [(name, *nearest)])
    config = Config(kb=(str(facts),), align=AlignConfig(graphs="kea"))
    text = f"{name} was a physician."
    report = check(text, config=config, verify=False)
    assert report.metric("WL").value == pytest.approx(wanted)
    plain = check(text, config=replace(config, align=AlignConfig()), verify=False)
    assert plain.metric("WL").value == pytest.approx(1 / 3)
    assert [v.outcome for v in plain.verdicts] == [v.outcome for v in report.verdicts]


# --- claims beside a knowledge base


def _asked() -> list[Any]:
    return [
        pytest.param(case["input"]["turtle"], claim, expected, id=f"{case['id']}: {claim}")
        for case in CASES.values()
        if case["kind"] == "kb"
        for claim, expected in zip(case["input"]["claims"], case["expected"]["claims"], strict=True)
    ]


@pytest.mark.parametrize(("turtle", "claim", "expected"), _asked())
def test_a_claim_has_the_outcome_of_the_knowledge_base(
    turtle: str, claim: str, expected: Any, tmp_path: Path
) -> None:
    facts = tmp_path / "facts.ttl"
    facts.write_text(turtle, encoding="utf-8")
    found = worked.outcome(check(claim, config=Config(kb=(str(facts),)), verify=False))
    # what the base has no entry or property for could not be asked: told apart, and never held
    # against the claim
    open_ = ("not enough info", "unverifiable")
    wanted = expected["outcome"]
    assert found in open_ if wanted == "not enough info" else found == wanted
