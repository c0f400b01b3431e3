"""Files that hold both a gold program and an output: read and scored without a data set."""
