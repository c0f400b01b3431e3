"""Every way to split: a splitter gets its sizes, seed and options, and gives a split of a data set."""
