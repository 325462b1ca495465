"""Documents: files read to text, what of it is shown, and whether it can be read."""
