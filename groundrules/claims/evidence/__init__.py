"""Evidence: values to a schema, each with the passage that it was copied from."""
