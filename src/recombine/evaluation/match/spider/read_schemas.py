"""The schemas of databases, as Spider's `tables.json` has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from recombine.data_directory import data_file
from recombine.errors import UnknownNameError
from recombine.evaluation.match.spider.schema import Schema
from recombine.languages.sql.schemas.schema_file import read_schema_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PUBLISHED = "spider/tables.json.gz"


@dataclass(frozen=True)
class Schemas:
    """The schemas of a file, by the name of their database."""

    name: str
    """The file's own name."""
    digest: str
    by_name: Mapping[str, Schema]

    def find(self, database: str) -> Schema:
        """The schema of a database; upper and lower case are one where no other has the very name."""
        found = self.by_name.get(database) or self.by_name.get(database.lower())
        if found is None:
            raise UnknownNameError(f"database in {self.name}", database, set(self.by_name))
        return found

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What they add to a signature."""
        return (("schemas", f"{self.name}@{self.digest}"),)


def read_schemas(path: Path | str) -> Schemas:
    """The schemas of a file."""
    file = read_schema_file(path)
    schemas = [Schema.of(entry) for entry in file.entries]
    lower = {schema.name.lower(): schema for schema in reversed(schemas)}
    return Schemas(file.name, file.digest, {**lower, **{schema.name: schema for schema in schemas}})


@lru_cache(maxsize=1)
def _kept(path: Path, changed: int) -> Schemas:  # noqa: ARG001  # a file that has changed is read again
    return read_schemas(path)


def published_schemas() -> Schemas:
    """The schemas of Spider's databases, from the data directory."""
    path = data_file(PUBLISHED, "comparing SQL under Spider's schemas")
    return _kept(path, path.stat().st_mtime_ns)
