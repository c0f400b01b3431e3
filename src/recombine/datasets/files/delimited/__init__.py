"""Values separated by tabs, commas or semicolons: their headers and quotes."""
