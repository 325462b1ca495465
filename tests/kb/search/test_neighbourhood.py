"""Laws of neighbourhoods: what is in them, in which order, and that nothing else is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib.term import Node, URIRef

from groundrules.kb.search import neighbourhood as module
from groundrules.kb.search.neighbourhood import Neighbourhood, called, neighbourhood
from groundrules.kb.search.retrieval import TEXTS, TextIndex, index_texts
from groundrules.kb.sources.rdf import RdfSource
from groundrules.kb.sources.source import Answer, Fault, Query, Status
from groundrules.kb.sources.sparql import Endpoint
from groundrules.kb.sources.triplestore import StoreGraph, build_store, open_graph
from groundrules.terms import Triple
from tests.servers import oxigraph

EX = "http://e/"
LX = "https://w3id.org/groundrules/legal#"
PREFIXES = f"""
@prefix e: <{EX}> . @prefix lx: <{LX}> . @prefix schema: <http://schema.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix prov: <http://www.w3.org/ns/prov#> .
@prefix dcterms: <http://purl.org/dc/terms/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
"""
GRAPH = (
    PREFIXES
    + """
lx:hasInventor a owl:ObjectProperty ; rdfs:label "has inventor"@en .
lx:GrantedPatent rdfs:label "granted patent"@en .
e:p a lx:GrantedPatent ; rdfs:label "US 1,000,001" ; dcterms:abstract "Bread is baked." ;
  lx:hasInventor e:ada ; lx:cites e:old ; lx:patentNumber "1000001" ; e:unlisted e:far ;
  prov:wasDerivedFrom <urn:sha256:ab> .
<urn:sha256:ab> dcterms:source "grants.xml" ; schema:position 3 .
e:ada rdfs:label "Ada" ; schema:description "a baker" ; e:age 36 ; e:livesIn e:city .
e:old a lx:GrantedPatent ; rdfs:label "US 900" ; lx:cites e:older .
e:older rdfs:label "US 800" . e:city rdfs:label "London" . e:far rdfs:label "Far" .
"""
    + "".join(
        f"e:c{n} a lx:DependentClaim ; lx:partOf e:p ; rdfs:label 'claim {n} of US 1000001' ; "
        f"schema:text '{text}' .\n"
        for n, text in ((1, "An oven."), (2, "A glowing wheel."), (10, "A dough of rye."))
    )
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("around")
    (folder / "facts.ttl").write_text(GRAPH, encoding="utf-8")
    build_store([folder / "facts.ttl"], folder / "store")
    index_texts(open_graph(folder / "store"), folder / "store" / TEXTS)
    return folder / "store"


@pytest.fixture
def index(store: Path) -> Iterator[TextIndex]:
    with closing(TextIndex(store / TEXTS)) as opened:
        yield opened


class Counting:
    """A graph that keeps what it was asked, and fails where it is told to."""

    def __init__(self, graph: StoreGraph, fail: str = "") -> None:
        self.graph, self.fail = graph, fail
        self.asked: list[Query] = []
        self.read = 0
        self.name, self.iri, self.calls = graph.name, graph.iri, graph.calls

    def select(self, query: Query) -> Answer:
        self.asked.append(query)
        if self.fail and self.fail in query.text:
            fault = Fault(Status.ERROR, "QUERY_TIMEOUT", "too slow")
            items = query.values[query.batch] if query.batch else ((),)
            return Answer(faults=dict.fromkeys(map(tuple, items), fault))
        answer = self.graph.select(query)
        self.read += len(answer.rows)
        return answer


def around(graph: StoreGraph | Counting, *seeds: str, **options: object) -> Neighbourhood:
    iris = [URIRef(seed if ":" in seed else EX + seed) for seed in seeds]
    return neighbourhood(RdfSource(graph), graph, iris, **options)  # type: ignore[arg-type]  # tests


def shown(found: Neighbourhood) -> list[str]:
    return found.text().splitlines()


def test_a_neighbourhood_reads_as_lines_the_seed_first_then_by_listed_relation(store: Path) -> None:
    assert shown(around(open_graph(store), "p")) == [
        "US 1,000,001 | abstract | Bread is baked.",
        "claim 1 of US 1000001 | part of | US 1,000,001.",
        "claim 1 of US 1000001 | text | An oven.",
        "claim 2 of US 1000001 | part of | US 1,000,001.",
        "claim 2 of US 1000001 | text | A glowing wheel.",
        "claim 10 of US 1000001 | part of | US 1,000,001.",
        "claim 10 of US 1000001 | text | A dough of rye.",
        "US 1,000,001 | has inventor | Ada.",
        "Ada | description | a baker.",
        "US 1,000,001 | cites | US 900.",
        "US 1,000,001 | patent number | 1000001.",
        "Ada | age | 36.",
    ]


def test_hops_are_how_far_it_goes(store: Path) -> None:
    graph = open_graph(store)
    near, far = around(graph, "p"), around(graph, "p", hops=2)

    assert around(graph, "p", hops=0).statements == ()
    assert set(shown(near)) < set(shown(far))
    assert {"US 900 | cites | US 800.", "Ada | lives in | London."} <= set(shown(far))
    assert [one.hop for one in far.statements] == sorted(one.hop for one in far.statements)


def test_relations_that_are_named_are_followed_alone(store: Path) -> None:
    found = around(open_graph(store), "p", relations=[f"{LX}cites", f"^{LX}partOf"])
    relations = {one.predicate for one in found.statements if isinstance(one.object, URIRef)}
    assert relations == {URIRef(f"{LX}cites"), URIRef(f"{LX}partOf")}


def test_things_without_a_list_have_all_their_relations_both_ways(store: Path) -> None:
    lines = shown(around(open_graph(store), "ada"))
    assert "Ada | lives in | London." in lines
    assert "US 1,000,001 | has inventor | Ada." in lines
    assert not any("sha256" in line for line in lines)


@settings(max_examples=30, deadline=None)
@given(budget=st.integers(1, 400))
def test_a_budget_is_kept_and_the_best_are_kept_in_it(store_: Path, budget: int) -> None:
    whole = around(open_graph(store_), "p", hops=2, budget=10_000)
    found = around(open_graph(store_), "p", hops=2, budget=budget)

    assert found.tokens <= budget
    assert len(found.statements) + found.dropped == len(whole.statements)
    order = [one.text for one in whole.statements]
    kept = [order.index(one.text) for one in found.statements]
    assert kept == sorted(kept)
    left = budget
    for one in whole.statements:  # what is left out did not fit when its turn came
        fits = one.tokens <= left
        if left >= module._SHORTEST:
            assert (one.text in {two.text for two in found.statements}) == fits
        left -= one.tokens if fits else 0


@pytest.fixture(scope="module")
def store_(store: Path) -> Path:
    return store


def test_a_question_ranks_the_things_of_a_relation(store: Path, index: TextIndex) -> None:
    vector = index.encode("a shining tyre")
    lines = shown(around(open_graph(store), "p", index=index, vector=vector))
    texts = [line for line in lines if line.startswith("claim") and "| text |" in line]
    assert texts[0] == "claim 2 of US 1000001 | text | A glowing wheel."


def test_triples_come_with_source_record_and_store(store: Path) -> None:
    graph = open_graph(store)
    found = around(graph, "p")
    evidence = found.evidence()

    assert [one.triple for one in evidence] == [
        Triple(one.subject, one.predicate, one.object) for one in found.statements
    ]
    assert all(list(graph.store.triples(*_terms(one.triple))) for one in evidence)
    assert {one.source for one in evidence} == {str(graph.iri)}
    pin = evidence[0].pin
    assert pin == f"grants.xml, record 3 (urn:sha256:ab), store {graph.digest[:12]}"
    parts = [one for one in found.statements if one.subject.startswith(f"{EX}c")]
    assert {one.record for one in parts} == {"grants.xml, record 3 (urn:sha256:ab)"}


def _terms(triple: Triple) -> tuple[Node, Node, Node]:
    return triple.subject, triple.predicate, triple.object


def test_what_millions_lead_to_is_counted_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST", 20)
    lines = "".join(f"e:n{n} e:country e:hub .\n" for n in range(300))
    text = f"{PREFIXES} e:hub rdfs:label 'Hub' ; e:head e:ada . {lines}"
    (tmp_path / "a.ttl").write_text(text, encoding="utf-8")
    graph = Counting(open_graph(tmp_path / "a.ttl"))
    found = around(graph, "hub", hops=2)

    assert [one.text for one in found.many] == ["300 lead to Hub: country"]
    assert shown(found) == ["Hub | head | ada."]
    assert graph.read < 60


def test_a_hop_costs_a_fixed_number_of_queries(store: Path) -> None:
    few, many = Counting(open_graph(store)), Counting(open_graph(store))
    around(few, "ada")
    around(many, "p", "ada", "old", "c1", "c2", "c10", "city")
    assert abs(len(many.asked) - len(few.asked)) <= 2
    assert len(many.asked) <= 15


def test_what_could_not_be_asked_is_told_and_is_not_nothing(store: Path) -> None:
    graph = Counting(open_graph(store), fail="COUNT")
    found = around(graph, "p")
    assert [fault.code for fault in found.faults] == ["QUERY_TIMEOUT"]
    assert around(open_graph(store), "nosuch").faults == ()
    assert around(open_graph(store), "nosuch").statements == ()


@pytest.mark.parametrize("seed", ["http://e/a b", "http://e/> } DROP ALL #", "urn:x\ny"])
def test_a_seed_that_no_query_can_hold_is_refused(store: Path, seed: str) -> None:
    graph = Counting(open_graph(store))
    with pytest.raises(ValueError, match="no absolute IRI"):
        around(graph, seed)
    assert graph.asked == []


def test_hostile_labels_and_values_stay_in_their_line(tmp_path: Path) -> None:
    text = 'e:x rdfs:label "a\\nb | c\\u0000" ; schema:description "x\\r\\n\\u2028y" ; e:p e:x .'
    (tmp_path / "a.ttl").write_text(PREFIXES + text, encoding="utf-8")
    found = around(open_graph(tmp_path / "a.ttl"), "x")
    assert len(found.text().splitlines()) == len(found.statements) == 2


def test_the_same_seeds_give_the_same(store: Path) -> None:
    graph = open_graph(store)
    assert around(graph, "p", hops=2) == around(graph, "p", hops=2)
    again = around(graph, "p", "p", hops=2)
    assert again == replace(again, seeds=(URIRef(f"{EX}p"),))


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_over_sparql_it_is_what_the_store_gives(store: Path, tmp_path: Path) -> None:
    from datetime import UTC, datetime

    (tmp_path / "facts.ttl").write_text(GRAPH, encoding="utf-8")
    with oxigraph(tmp_path / "facts.ttl") as url:
        graph = Endpoint(url, now=datetime.now(UTC))
        found = neighbourhood(RdfSource(graph), graph, [URIRef(f"{EX}p")], hops=2)

    assert shown(found) == shown(around(open_graph(store), "p", hops=2))
    assert found.retrieved
    assert all("read " in (one.pin or "") for one in found.evidence())


def test_things_without_a_label_are_called_by_the_end_of_their_iri() -> None:
    assert called("https://e/record/us-patent/9123456/paragraph/0012") == (
        "paragraph 0012 of 9123456"
    )
    assert called("https://e/api/rest/v4/opinions/6001/") == "opinion 6001"
    assert called("https://e/groundrules/record/citation/925_F.3d_1041") == "925 F.3d 1041"
    assert called("http://e/x") == "x"
