"""What forms become where the knowledge base is at hand: literals get their types, and one of several is chosen."""
