"""Published data sets with their splits, one file each."""
