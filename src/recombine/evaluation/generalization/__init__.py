"""How far a model that lacks a combination closes the gap between no picture and all the data (COVR, section 4)."""
