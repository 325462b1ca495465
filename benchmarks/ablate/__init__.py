"""What each rule, finder, derivation, model and module of `align` is worth: verdicts without it."""
