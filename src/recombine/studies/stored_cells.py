"""Finding the results of cells whose splits are not at hand, by what their records say of them.

A cell's key needs the ids of its split, and making a split can take minutes. But a record also holds the recipe of its
split, and the same recipe on the same data in the same version makes the same split: so a record that agrees in all of
these, in the settings and in the seed is that cell's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.studies.digest import content_key
from recombine.studies.read_record import read_record
from recombine.studies.results_folder import is_record_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def told_key(
    *,
    data: str,
    recipe: Mapping[str, Any],
    preset: str,
    settings: Mapping[str, Any],
    seed: int,
    unseen: str,
    version: str,
) -> str:
    """A digest of what a study file and its data say of a cell.

    >>> said = {"data": "scan@97e82a73", "preset": "cfq:lstm", "settings": {}, "unseen": "fail", "version": "0.1.0"}
    >>> told_key(recipe={"by": "mcd"}, seed=0, **said) == told_key(recipe={"by": "mcd"}, seed=1, **said)
    False
    """
    return content_key(
        {
            "data": data,
            "recipe": dict(recipe),
            "preset": preset,
            "settings": dict(settings),
            "seed": seed,
            "unseen": unseen,
            "version": version,
        }
    )


def stored_keys(results: Path) -> dict[str, str]:
    """The keys of the records in a folder, by what they say of their cells."""
    found = {}
    for path in sorted(results.glob("*.json")):
        if not is_record_name(path.name):
            continue  # another file that someone keeps here
        record = read_record(path)
        told = told_key(
            data=record["data"],
            recipe=record["split"]["recipe"],
            preset=record["model"]["preset"],
            settings=record["model"]["settings"],
            seed=record["seed"],
            unseen=record.get("unseen", "fail"),
            version=record["version"],
        )
        found[told] = path.stem
    return found
