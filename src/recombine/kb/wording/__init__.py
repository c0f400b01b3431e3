"""Questions in English for graph queries."""
