"""The papers' steps on graphs of one's own, and the notebook that shows them."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rdflib import Graph
from rdflib.namespace import RDFS
from rdflib.term import Literal, URIRef

from groundrules import check, pipeline
from groundrules.errors import ConfigError

NOTEBOOK = Path(__file__).parents[1] / "examples" / "papers.ipynb"
LEASE = "The Landlord is Meridian LLC. The Tenant is Northwind Inc."


def graph_of(*triples: tuple[str, str, str]) -> Graph:
    """Return a graph of labels."""
    graph = Graph()
    for triple in triples:
        nodes = [URIRef(f"urn:x:{label.replace(' ', '-')}") for label in triple]
        graph.add((nodes[0], nodes[1], nodes[2]))
        for node, label in zip(nodes, triple, strict=True):
            graph.add((node, RDFS.label, Literal(label)))
    return graph


def run(source: str, room: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell and return its outputs as Jupyter keeps them: what it prints, and a picture."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), room)
        shown = last and eval(compile(ast.Expression(last.value), "cell", "eval"), room)
    lines = printed.getvalue().splitlines(keepends=True)
    made = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
    if shown is not None:
        data = {"image/svg+xml": shown._repr_svg_().splitlines(keepends=True)}
        kind = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
        made.append({"data": data, **kind})
    return made


def test_the_notebook_prints_and_draws_what_stands_in_it() -> None:
    book, room = json.loads(NOTEBOOK.read_text("utf-8")), dict[str, Any]()
    for cell in (one for one in book["cells"] if one["cell_type"] == "code"):
        made = run("".join(cell["source"]), room)
        if os.environ.get("GOLDEN"):
            cell["outputs"] = made
        assert cell["outputs"] == made
    if os.environ.get("GOLDEN"):
        NOTEBOOK.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")
    drawn = ElementTree.fromstring(room["Picture"](room["answer"], room["known"])._repr_svg_())
    alone = [kind for one in drawn.iter() if (kind := one.get("class")) in ("left", "right")]
    assert alone == ["left", "right"]


def test_a_graph_is_as_alike_as_can_be_to_itself_and_to_nothing_not_at_all() -> None:
    one = graph_of(("France", "capital", "Paris"), ("France", "currency", "Euro"))
    assert pipeline.wl_similarity(one, one) == pytest.approx(1)
    assert pipeline.wl_similarity(one, Graph()) == 0
    assert pipeline.wl_similarity(Graph(), Graph()) == 1


def test_edits_make_one_graph_the_other() -> None:
    one = graph_of(("France", "capital", "Paris"), ("France", "currency", "Franc"))
    other = graph_of(("France", "capital", "Paris"), ("France", "currency", "Euro"))
    assert pipeline.edit_operations(one, other) == [
        ("DELETE", ("France", "currency", "Franc")),
        ("ADD", ("France", "currency", "Euro")),
    ]
    assert pipeline.edit_operations(one, one) == []


def test_two_names_or_figures_are_never_one_by_their_vectors_alone() -> None:
    found = pipeline.cluster_labels(
        [graph_of(("Marie Curie", "marry", "Pierre Curie"), ("the rent", "be", "$4,850"),
                  ("the rent", "be", "$4,580"), ("The rent", "marry", "the yearly rent"))]
    )  # fmt: skip
    assert len({found[one] for one in ("Marie Curie", "Pierre Curie", "$4,850", "$4,580")}) == 4
    assert found["the rent"] == found["The rent"]


def test_what_a_text_names_in_short_is_the_node_of_its_context() -> None:
    context = "Northwind Inc. is the Tenant. Northwind Inc. pays the rent."
    known = set(pipeline.context_graph(context).subjects())
    assert URIRef("urn:groundrules:entity:northwind") not in known
    said = pipeline.claim_graph("Northwind pays the rent.", context=context)
    assert set(said.subjects(URIRef("urn:groundrules:relation:pay"))) <= known


def test_a_graph_of_a_file_of_rdf_has_what_is_stated_around_a_thing(tmp_path: Path) -> None:
    known = graph_of(("France", "capital", "Paris"), ("Ann", "owns", "a boat"))
    known.serialize(tmp_path / "known.ttl")
    found = pipeline.known_graph(str(tmp_path / "known.ttl"), ["France"])
    assert (URIRef("urn:x:France"), URIRef("urn:x:capital"), URIRef("urn:x:Paris")) in found
    assert (URIRef("urn:x:Ann"), URIRef("urn:x:owns"), URIRef("urn:x:a-boat")) not in found


def test_a_label_in_english_is_taken_before_others_and_far_things_are_refused() -> None:
    one, other = (
        graph_of(("Germany", "capital", "Berlin")),
        graph_of(("Germany", "capital", "Berlin")),
    )
    one.add((URIRef("urn:x:Germany"), RDFS.label, Literal("Allemagne", "fr")))
    assert pipeline.wl_similarity(one, other) == pytest.approx(1)
    assert pipeline.edit_operations(one, other) == []
    with pytest.raises(ConfigError, match="hops is 4; expected 0 to 3"):
        pipeline.known_graph("known.ttl", ["France"], hops=4)


def test_figures_and_violations_are_those_of_a_check() -> None:
    text = "The Tenant is Parkview Realty."
    report = check(text, context=LEASE)
    values = {metric.name: metric.value for metric in report.metrics}
    assert pipeline.grounding(text, LEASE) == (values["EG"], values["RP"], values["CFI"])
    found = pipeline.violations(text, LEASE)
    assert [(one.rule, one.message) for one in found] == [
        (one.rule, one.message) for one in report.violations
    ]
    assert "Parkview Realty" in pipeline.explain(report.violations[0], report)


def test_two_things_of_one_name_stay_two() -> None:
    towns = graph_of(("Paris", "lies in", "France"))
    texan = URIRef("urn:x:Paris-Texas")
    towns.add((texan, URIRef("urn:x:lies-in"), URIRef("urn:x:Texas")))
    towns.add((texan, RDFS.label, Literal("Paris")))
    found = pipeline.cluster_labels([towns])
    assert len({number for label, number in found.items() if label.startswith("Paris")}) == 2
    (gone, come) = pipeline.edit_operations(
        towns - graph_of(("Paris", "lies in", "France")), towns - towns.cbd(texan)
    )
    assert (gone[0], come[0]) == ("DELETE", "ADD")
    assert pipeline.wl_similarity(towns, towns) == pytest.approx(1)


def test_a_blank_node_is_called_by_what_is_said_of_it() -> None:
    one, other = Graph(), Graph()
    for graph in (one, other):  # each has blank nodes of its own
        graph.parse(
            data='@prefix : <urn:x:> . :France :census [ :year 2020 ; :count "67 million" ] .'
        )
    (labels,) = {tuple(sorted(pipeline.cluster_labels([graph]))) for graph in (one, other)}
    assert "[urn:x:count 67 million; urn:x:year 2020]" in labels
    assert pipeline.edit_operations(one, other) == []


def test_no_hub_is_asked_for_a_model_that_is_not_here() -> None:
    graph = graph_of(("France", "capital", "Paris"))
    for ask in (pipeline.cluster_labels, lambda both, **how: pipeline.wl_similarity(*both, **how)):
        with pytest.raises(ConfigError, match=r"'embeded' is no folder.*did you mean 'embedded'"):
            ask([graph, graph], embedding="embeded")
