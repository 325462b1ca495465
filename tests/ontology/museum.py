"""An ontology of one's own about what museums lend one another, for tests."""

from __future__ import annotations

from pathlib import Path

from groundrules.ontology.load import Ontology, load

OWN = """\
@prefix : <http://museums.example/> .
@prefix gr: <https://groundrules.dev/ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:House a owl:Class ; rdfs:label "house" ; owl:disjointWith :Work ;
    rdfs:comment "A museum, or who else lends works. More of it elsewhere." .
:Museum a owl:Class ; rdfs:subClassOf :House ; rdfs:label "museum" .
:Work a owl:Class ; rdfs:label "work of art" ; skos:altLabel "picture" .
:Stay a owl:Class ; rdfs:label "stay of a work elsewhere" .
:lender a owl:ObjectProperty ; rdfs:label "lender" ; rdfs:domain :Stay ; rdfs:range :House ;
    owl:propertyDisjointWith :borrower .
:borrower a owl:ObjectProperty ; rdfs:label "borrower" ; rdfs:domain :Stay ; rdfs:range :House .
:of a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:label "of" ;
    rdfs:domain :Stay ; rdfs:range :Work .
:stayed a owl:ObjectProperty ; rdfs:label "stayed" ; owl:inverseOf :of .
:madeOf a owl:DatatypeProperty ; rdfs:label "made of" ; rdfs:domain :Work .
:leftOn a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:label "left on" ;
    rdfs:domain :Stay ; rdfs:range xsd:date ; gr:precedes :backOn .
:backOn a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:label "back on" ;
    rdfs:domain :Stay ; rdfs:range xsd:date .
:insuredFor a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:label "insured for" ;
    rdfs:domain [ a owl:Class ; owl:unionOf ( :Work :Stay ) ] ; rdfs:range xsd:decimal .
:lasts a owl:DatatypeProperty ; rdfs:label "lasts" ; rdfs:range xsd:duration .
:note a owl:DatatypeProperty ; rdfs:label "note" .
"""


def museum(folder: Path) -> Ontology:
    """Return the ontology, as it is read from a file of a folder."""
    path = folder / "loans.ttl"
    path.write_text(OWN, "utf-8")
    return load(path)
