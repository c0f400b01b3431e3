"""Items as they are changed and made."""
