"""The checks of OWL 2 RL, each reading its axioms as data."""
