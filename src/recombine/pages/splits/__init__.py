"""The page on what splits hold out."""
