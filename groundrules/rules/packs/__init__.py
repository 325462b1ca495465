"""The rule packs that ship."""
