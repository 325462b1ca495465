"""Models: vectors, weights and scorers, each loaded once from a folder beside them."""
