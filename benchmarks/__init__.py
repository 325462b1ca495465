"""Measurements: cost, and ratios against named peers; `python -m benchmarks` runs them all."""
