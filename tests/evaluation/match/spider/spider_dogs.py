"""A small database to ask about: owners, dogs and walks, with foreign keys."""

from __future__ import annotations

from typing import Any

from recombine.evaluation.match.spider.schema import Schema
from recombine.languages.sql.schemas.schema_file import SchemaEntry

ENTRY: dict[str, Any] = {
    "db_id": "dogs",
    "table_names_original": ["Owners", "Dogs", "Walks"],
    "column_names_original": [
        [-1, "*"],
        *([0, "ID"], [0, "City"], [0, "Name"]),
        *([1, "Dog_ID"], [1, "Name"], [1, "Age"], [1, "Owner_ID"], [1, "Weight"]),
        *([2, "Walk_ID"], [2, "Dog_ID"], [2, "Owner_ID"], [2, "Day"]),
    ],
    "foreign_keys": [[7, 1], [10, 4], [11, 1]],
}
DOGS = Schema.of(SchemaEntry.of(ENTRY))
