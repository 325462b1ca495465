"""Sums over figures and dates, and the words that ask for them."""
