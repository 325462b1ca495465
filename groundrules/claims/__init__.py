"""Text to claims with spans."""
