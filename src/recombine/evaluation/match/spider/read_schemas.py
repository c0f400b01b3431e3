"""The schemas of databases, as Spider's `tables.json` has them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.data_directory import data_file
from recombine.errors import InputFileError, RecordError, UnknownNameError
from recombine.evaluation.match.spider.schema import Schema
from recombine.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

PUBLISHED = "spider/tables.json.gz"
_REMEDY = "give Spider's tables.json, or one like it"


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
    content = read_bytes(path)
    try:
        entries = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        problem = f"{path}: broken JSON at line {error.lineno}, column {error.colno} ({error.msg})"
        raise InputFileError(problem, _REMEDY) from None
    if not isinstance(entries, list) or not entries:
        raise InputFileError(f"{path}: is no list of schemas", _REMEDY)
    schemas = [_schema(path, number, entry) for number, entry in enumerate(entries, start=1)]
    digest = hashlib.blake2b(content, digest_size=4).hexdigest()
    lower = {schema.name.lower(): schema for schema in reversed(schemas)}
    return Schemas(Path(path).name, digest, {**lower, **{schema.name: schema for schema in schemas}})


@lru_cache(maxsize=1)
def _kept(path: Path, changed: int) -> Schemas:  # noqa: ARG001  # a file that has changed is read again
    return read_schemas(path)


def published_schemas() -> Schemas:
    """The schemas of Spider's databases, from the data directory."""
    path = data_file(PUBLISHED, "comparing SQL under Spider's schemas")
    return _kept(path, path.stat().st_mtime_ns)


def _schema(path: Path | str, number: int, entry: Any) -> Schema:
    try:
        return Schema.of(entry)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        problem = "does not name its database, tables, columns and foreign keys as Spider does"
        raise RecordError(path, f"entry {number}", problem, _REMEDY) from None
