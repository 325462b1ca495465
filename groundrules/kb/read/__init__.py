"""What a text says, as questions to a knowledge base and what it answers."""
