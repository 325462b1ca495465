"""Reading a text in the terms of an ontology: types for mentions, properties for relations."""
