"""Sentences as words that are compared: parses, meanings, pronouns, passages."""
