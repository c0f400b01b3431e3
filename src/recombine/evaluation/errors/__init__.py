"""What is wrong with wrong outputs, and what they have in common."""
