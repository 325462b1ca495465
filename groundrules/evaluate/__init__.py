"""How good the verdicts are on labelled data."""
