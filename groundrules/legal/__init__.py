"""Law: US contracts, courts and patents."""
