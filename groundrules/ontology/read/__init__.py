"""A text read in the terms of an ontology: types for mentions, properties for relations."""
