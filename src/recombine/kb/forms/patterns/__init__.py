"""From each notation to a pattern, and back."""
