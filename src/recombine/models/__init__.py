"""Models: parsers that are fitted on examples and then predict targets."""
