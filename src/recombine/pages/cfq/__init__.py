"""The page of a data set like CFQ: the figures and tables that the paper has of CFQ, for any data."""
