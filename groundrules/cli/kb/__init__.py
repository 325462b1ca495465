"""`groundrules kb`: its commands."""
