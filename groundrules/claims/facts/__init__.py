"""Facts: a parsed text as claims with spans."""
