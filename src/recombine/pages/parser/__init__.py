"""The page on a parser with a grammar."""
