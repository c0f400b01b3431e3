"""Small databases for a schema, made so that queries have rows in them."""
