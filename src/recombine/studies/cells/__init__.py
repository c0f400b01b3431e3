"""The cells of a study: their keys, their splits and their stored results."""
