"""The version, read by the build and printed in every signature."""

__version__ = "0.1.0"
