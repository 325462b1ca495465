"""Language models: any OpenAI-compatible endpoint, asked for JSON that obeys a schema."""
