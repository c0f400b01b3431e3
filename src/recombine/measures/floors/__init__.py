"""What random splits of the same sizes measure: the floor that stands beside a compound divergence."""
