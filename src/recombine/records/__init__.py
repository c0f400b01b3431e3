"""The records that travel between the rooms: examples, data sets, splits, derivations and signatures."""
