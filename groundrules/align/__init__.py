"""Make two graphs comparable, and compare them."""
