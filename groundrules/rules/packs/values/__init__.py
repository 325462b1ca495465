"""Dates, amounts, quantities and percentages."""
