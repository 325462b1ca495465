"""The namespace of the legal ontology."""

from rdflib.namespace import Namespace

LX = Namespace("https://w3id.org/groundrules/legal#")
