"""Rules on extracted values: each has a passage of its document, and the passage has the value."""
