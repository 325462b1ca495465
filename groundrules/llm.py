"""Any OpenAI-compatible language model, asked for JSON that obeys a schema."""
