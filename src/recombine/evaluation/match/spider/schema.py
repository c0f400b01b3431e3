"""A database as the published evaluator knows it: tables with their columns, and which columns foreign keys link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.languages.sql.schemas.schema_file import SchemaEntry


@dataclass(frozen=True)
class Schema:
    """The names of one database, all in lower case."""

    name: str
    columns: Mapping[str, frozenset[str]]
    """The columns of each table."""
    stands_for: Mapping[str, str]
    """`table.column` for each that foreign keys link to others: the one of them that comes first in the schema."""

    @classmethod
    def of(cls, entry: SchemaEntry) -> Schema:
        """The schema of one entry of Spider's `tables.json`, which must say what its foreign keys are.

        >>> from recombine.languages.sql.schemas.schema_file import SchemaEntry
        >>> entry = {
        ...     "db_id": "dogs",
        ...     "table_names_original": ["Owners", "Dogs"],
        ...     "column_names_original": [[-1, "*"], [0, "ID"], [1, "Name"], [1, "Owner_ID"]],
        ...     "foreign_keys": [[3, 1]],
        ... }
        >>> schema = Schema.of(SchemaEntry.of(entry))
        >>> sorted(schema.columns["dogs"]), schema.stands_for["dogs.owner_id"]
        (['name', 'owner_id'], 'owners.id')
        """
        links = entry.needed(entry.foreign_keys, "its foreign keys", "foreign_keys")
        tables = [name.lower() for name in entry.tables]
        columns: dict[str, set[str]] = {table: set() for table in tables}
        names = []
        for table, column in entry.columns:
            if table < 0:  # -1 stands for all tables and has the column `*`
                names.append("*")
                continue
            columns[tables[table]].add(column.lower())
            names.append(f"{tables[table]}.{column.lower()}")
        of_tables = {table: frozenset(each) for table, each in columns.items()}
        return cls(entry.database, of_tables, _stands_for(names, links))


def _stands_for(names: Sequence[str], links: Sequence[Sequence[int]]) -> dict[str, str]:
    """Which column stands for each linked one.

    A link joins the first group that has one of its ends. Groups that a later link would join stay two, and what is in
    both is in the later: so it is in the published program.
    """
    groups: list[set[int]] = []
    for one, other in links:
        group = next((group for group in groups if one in group or other in group), None)
        if group is None:
            group = set()
            groups.append(group)
        group |= {one, other}
    return {names[place]: names[min(group)] for group in groups for place in sorted(group)}
