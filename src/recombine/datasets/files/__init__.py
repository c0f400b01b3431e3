"""Readers and writers of files of one's own, and of the hub."""
