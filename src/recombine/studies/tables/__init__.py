"""What is computed of a study's results."""
