"""Whether a predicted program is the gold one: the ways to compare them."""
