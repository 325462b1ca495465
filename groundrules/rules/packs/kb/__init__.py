"""Rules that judge a claim by the statements of a knowledge base."""
