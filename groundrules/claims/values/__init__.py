"""Values: dates, money, quantities and numbers, read and compared."""
