"""The catalogue of data sets, and readers for files of one's own."""
