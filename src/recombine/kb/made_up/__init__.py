"""What made-up worlds have in common: names for their things, and their facts as columns of numbers."""
