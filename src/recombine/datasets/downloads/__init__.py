"""Published data from the public repositories that hold it: where each file is, fetching, checking, converting."""
