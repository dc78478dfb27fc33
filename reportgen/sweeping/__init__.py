"""Grids of plans: every combination of the values given, those that a condition keeps, the best of them."""
