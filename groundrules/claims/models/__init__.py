"""Models: what a language model is asked about a text, and how its answer is read."""
