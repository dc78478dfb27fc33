"""Every figure of the ledger: each column declared once, as an expression over earlier ones."""
