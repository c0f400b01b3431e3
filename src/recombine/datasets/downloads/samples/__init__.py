"""Lists of the records that files of samples have, in order: ids alone, no content."""
