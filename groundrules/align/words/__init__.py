"""Sentences as words that are compared: lines of lists, parses, meanings, pronouns, passages."""
