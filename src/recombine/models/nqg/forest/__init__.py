"""Charts and packed forests: all derivations of a source, their sums, and the best of them."""
