"""`groundrules ontology`: its commands."""
