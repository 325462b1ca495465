"""Two sentences beside each other: what either leaves over, and where they differ."""
