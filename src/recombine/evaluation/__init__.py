"""Scoring what systems predict."""
