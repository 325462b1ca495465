"""Claims as graphs beside those of sources: labels unified, matches, likeness."""
