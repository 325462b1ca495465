"""The worked examples of the papers: each case is one of theirs, in words of our own."""
