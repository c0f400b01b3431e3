"""Templates of questions about pictures, as data."""
