"""The namespace of the legal ontology, and the node of the contract that a text is."""

from rdflib.namespace import Namespace
from rdflib.term import Node

from groundrules.terms import ENTITY, mint

LX = Namespace("https://w3id.org/groundrules/legal#")
#: The contract that a text itself is, whatever it calls that; the lexicon names its node so.
AGREEMENT: Node = mint(ENTITY, "agreement")
