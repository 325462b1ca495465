"""Why a claim fails and what would make it right."""
