"""A score taken apart: by level, relations, function and number of answers; and how robust it is within groups."""
