"""Numbers as texts word them, and the sums over them."""
