"""Properties of examples: predicates over programs, sub-graphs, templates, answers and tags (COVR, section 3)."""
