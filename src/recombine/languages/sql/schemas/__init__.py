"""Files of schemas of databases."""
