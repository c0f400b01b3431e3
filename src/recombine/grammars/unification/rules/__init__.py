"""Rules of the four kinds: what they are, how files write them, and sets of them."""
