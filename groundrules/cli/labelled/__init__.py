"""Commands on labelled data: measure the verdicts, label, fit a scorer, rank models."""
