"""From the bytes of CSV files to rows that can be believed, or all problems at once."""
