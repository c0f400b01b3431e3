"""Programs as arrays, and their parts."""
