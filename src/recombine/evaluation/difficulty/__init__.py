"""Whether predicted difficulty comes true, and whether models agree on it."""
