"""Finding the results of cells whose splits are not at hand, by the recipes that their records give.

A cell's key needs the ids of its split, and making a split can take minutes. But a record also holds the key of its
split's recipe, and the same recipe makes the same split: so a record that agrees in it, in the model and its settings
and in the seed is that cell's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.studies.cells.cell_key import OLDER, key_by_recipe, model_content
from recombine.studies.cells.read_record import read_object, read_record
from recombine.studies.cells.results_folder import is_record_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def iter_records(results: Path) -> Iterator[Path]:
    """The files of records in a folder; other files that someone keeps there are left out."""
    return (path for path in sorted(results.glob("*.json")) if is_record_name(path.name))


def keys_by_recipe(results: Path) -> dict[str, str]:
    """The keys of the records in a folder, by those that they have by their recipes; older forms have none."""
    keys = {}
    for path in iter_records(results):
        if read_object(path).get("form") in OLDER:
            continue
        record = read_record(path)
        model = model_content(
            family=record["model"]["family"],
            revision=record["model"]["revision"],
            settings=record["model"]["settings"],
            seed=record["seed"],
            unseen=record.get("unseen", "fail"),
            plugins=record.get("plugins"),
            match=record.get("match", "target"),
            metric=record.get("metric"),
            tuned=_tuned(record),
        )
        keys[key_by_recipe(record["split"]["key"], model)] = path.stem
    return keys


def _tuned(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a tuned model was chosen by, as it stands in the key: without what the runs gave."""
    tuned = record["model"].get("tuned")
    return None if not isinstance(tuned, dict) else {name: value for name, value in tuned.items() if name != "trials"}


def older_records(results: Path) -> list[Path]:
    """The records of older forms, which `migrate_records` brings over."""
    return [path for path in iter_records(results) if read_object(path).get("form") in OLDER]
