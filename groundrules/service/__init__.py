"""A service over HTTP: checks by worker processes, within limits, and the page at its root."""
