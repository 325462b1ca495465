"""A linter for claims: what a text asserts, checked against its sources."""

__version__ = "0.1.0"
