"""Images related to a sub-graph: those that hold it, and those that hold one that differs in a node or two."""
