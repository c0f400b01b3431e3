"""Studies: a matrix of data, splits, models and seeds, run to cached results that survive a kill."""
