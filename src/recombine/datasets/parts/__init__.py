"""Data that is made lot by lot and kept in parts, so that a run that was killed goes on at its last whole part."""
