"""Names and relation phrases of a text linked to entities and properties."""
