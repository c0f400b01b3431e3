"""Data of a study with the schema of its database after each source, and its splits: those of the data without."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.datasets.published.append_schema import LIMIT, append_schema
from recombine.progress import note

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.studies.file.study_file import DataTable


def with_schemas(table: DataTable, dataset: Dataset, folder: Path) -> Dataset:
    """The data as a table wants it, in a study in a folder; how many sources are cut is said."""
    if not table.append_schema:
        return dataset
    limit = LIMIT if table.schema_limit is None else table.schema_limit
    changed, report = append_schema(dataset, limit=limit, schemas=schemas_of(table, folder))
    note(str(report))
    return changed


def schemas_of(table: DataTable, folder: Path) -> Path | None:
    """The file of schemas that a table names; none where that of the data directory is meant."""
    return None if table.schemas is None else folder / table.schemas


def split_with_schemas(split: Split, dataset: Dataset) -> Split:
    """A split of the data without schemas as one of the data with them, whose ids are the same."""
    if split.data_hash == dataset.hash:
        return split
    signature = split.signature.with_fields(data=dataset)
    return replace(split, data=dataset.name, data_hash=dataset.hash, signature=signature, reading=dataset.reading)
