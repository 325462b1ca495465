"""A source's own sentences altered by machine, in meaning or in wording alone."""
