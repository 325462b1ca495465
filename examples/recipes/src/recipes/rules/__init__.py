"""The rules of recipes."""
