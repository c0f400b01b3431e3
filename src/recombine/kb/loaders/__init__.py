"""Reading knowledge bases: files of triples as a stream of batches of keys, in bounded memory."""
