"""A workbook that comes back from its readers: its inputs as CSV, what was edited, whether its figures still hold."""
