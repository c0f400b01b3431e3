"""Where public data lies on this machine: the directory named by `RECOMBINE_DATA`, else the user's cache."""

from __future__ import annotations

import os
from pathlib import Path

from recombine.errors import MissingDataError


def data_directory() -> Path:
    """The data directory; it need not exist."""
    named = os.environ.get("RECOMBINE_DATA")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "recombine"


def published_splits(folder: str) -> dict[str, Path]:
    """The published splits of a data set that are on this machine, by name."""
    return {path.stem: path for path in sorted((data_directory() / folder / "splits").glob("*.json"))}


def data_file(relative: str, wanted_for: str) -> Path:
    """A file of the data directory; where it is missing, the error says which file is wanted and where."""
    path = data_directory() / relative
    if not path.is_file():
        raise MissingDataError(
            f"{wanted_for} needs the file {relative}, which is not in {data_directory()}",
            "put it there, or set RECOMBINE_DATA to the directory that holds it",
        )
    return path
