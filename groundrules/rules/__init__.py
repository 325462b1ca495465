"""The rule engine: rules are data, queries that say what is wrong."""
