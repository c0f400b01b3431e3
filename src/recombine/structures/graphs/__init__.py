"""Sub-graphs of rule application graphs."""
