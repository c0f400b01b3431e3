"""Every way to split: a splitter is told its sizes, seed and options, and gives a split of a data set."""
