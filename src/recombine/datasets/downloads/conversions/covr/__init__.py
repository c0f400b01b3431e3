"""COVR of the local-structures paper, from the Markdown pages of its repository."""
