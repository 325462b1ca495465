"""The lock on verdicts: what a check says of some 7,000 statements, a line each, kept in files.

A change that moves a verdict rewrites its line, so that a reviewer sees it, as with a golden file.
"""
