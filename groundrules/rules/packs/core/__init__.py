"""Grounding, fidelity and contradiction."""
