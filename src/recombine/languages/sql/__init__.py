"""SQL as the Spider data writes it."""
