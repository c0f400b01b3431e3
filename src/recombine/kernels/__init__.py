"""Compiled functions: how they are declared, where they are kept on disk, and how many are compiled at once."""
