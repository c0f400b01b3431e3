"""Programs over scenes: their types, what they answer, and the program of a sub-graph."""
