"""Two states of a plan side by side: what was added, removed, changed, and what moved."""
