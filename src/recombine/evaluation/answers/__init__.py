"""Whether programs give the same answers."""
