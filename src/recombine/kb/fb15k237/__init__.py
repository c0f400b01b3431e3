"""FB15k-237, a part of Freebase that is used for link prediction, in the schema of CFQ's rules."""
