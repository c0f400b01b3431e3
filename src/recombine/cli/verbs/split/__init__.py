"""Verbs that split and measure."""
