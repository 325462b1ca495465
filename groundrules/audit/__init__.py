"""Many texts checked, and a log that shows what was done, what it rests on, and it done again."""
