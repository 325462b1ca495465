"""The rules of ferries."""
