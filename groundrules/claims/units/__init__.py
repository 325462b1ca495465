"""Units: a text cut into blocks, sentences, items, rows and parts for a model."""
