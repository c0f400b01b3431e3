"""A model that learns which names exclude each other (COVR, App. A)."""
