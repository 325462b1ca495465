"""Names: found by shape and context, defined, and resolved to one thing each."""
