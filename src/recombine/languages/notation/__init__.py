"""Languages as data files: what a notation looks like is said in TOML, and one reader and one writer follow it."""
