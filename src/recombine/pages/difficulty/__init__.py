"""The page on which test examples are hard, and why."""
