"""What a store says in words: texts, vectors and the neighbourhood of what was found."""
