"""Where others already are: tools of an agent, and parts in the conventions of frameworks."""
