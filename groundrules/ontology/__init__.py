"""Ontologies: read from files, closed under their axioms, with the words that name their terms."""
