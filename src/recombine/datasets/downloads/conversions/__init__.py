"""From the originals of a published file to the form that the catalogue reads: one function for each kind."""
