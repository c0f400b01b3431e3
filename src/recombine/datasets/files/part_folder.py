"""A folder of Parquet parts: one data set in many files, in the order of their names."""

from __future__ import annotations

from pathlib import Path

from recombine.datasets.files.sidecar import SUFFIX
from recombine.errors import InputFileError

_PARQUET = ".parquet"


def part_paths(folder: Path | str) -> list[Path]:
    """The parts of a folder; names that begin with `.` or `_` are other programs' marks, and all else is refused."""
    folder = Path(folder)
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "_")))
    except OSError as error:
        raise InputFileError(f"{folder}: cannot be read ({error.strerror})", "check its permissions") from error
    parts = [path for path in paths if path.suffix == _PARQUET]
    if not parts:
        raise InputFileError(
            f"{folder}: is a directory without {_PARQUET} files and none that save_to_disk wrote, so no data set",
            "name a file in it",
        )
    other = next((path for path in paths if path.suffix != _PARQUET), None)
    if other is not None and other.name.endswith(_PARQUET + SUFFIX):
        raise InputFileError(f"{other}: a part of a folder cannot have a context", "put the data into one file")
    if other is not None:
        raise InputFileError(
            f"{other}: is no {_PARQUET} file, as the parts of a data set are", "move it, or name the file itself"
        )
    return parts
