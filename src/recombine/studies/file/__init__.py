"""The study file, read and checked, and what its tables stand for."""
