"""A static site of plans: what stands in its folder, what changed since, and its pages."""
