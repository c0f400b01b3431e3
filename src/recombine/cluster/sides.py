"""How often each row of a part is in train, and in the part it is compared with, as tasks are told it.

Positions come as arrays. A split folder that was made of the same parts is read by the tasks themselves, beside the
data; any other split names ids, which are joined with those of the data by numbers of eight bytes.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.cluster.folder_data import iter_ids
from recombine.errors import ClusterError, SplitError
from recombine.records.split_folder import read_split_part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.cluster.folder_data import FolderData
    from recombine.cluster.session import Session

Sides = dict[str, Any]
"""`train` and `test` as counts of each row of a part, or the file that says which rows are of which."""


def sides_of_rows(data: FolderData, train: NDArray[np.int64], test: NDArray[np.int64]) -> list[Sides]:
    """The sides of each part, of the numbers of rows; one that is named twice counts twice."""
    sides = [np.bincount(rows, minlength=len(data)).astype(np.uint16) for rows in (train, test)]
    cuts = zip(data.starts, data.starts[1:], strict=False)
    return [{"train": sides[0][low:high], "test": sides[1][low:high]} for low, high in cuts]


def sides_of_folder(data: FolderData, path: Path | str, head: Mapping[str, Any], against: str) -> list[Sides] | None:
    """The sides of a split folder of the same parts; none where its parts are others."""
    files = head["files"]
    if [each["rows"] for each in files] != data.sizes:
        return None
    folder = Path(path).resolve()
    return [{"file": str(folder / each["file"]), "against": against} for each in files]


def rows_of_ids(session: Session, data: FolderData, parts: Mapping[str, Sequence[str]]) -> dict[str, NDArray[np.int64]]:
    """The numbers of the rows of ids."""
    keys = np.concatenate(session.map("reading ids", "sides:id_keys", [(task,) for task in data.tasks()]))
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    if len(ordered) > 1 and (ordered[1:] == ordered[:-1]).any():
        raise ClusterError("two ids have the same number of eight bytes", "write the split as a folder")
    rows = {}
    for name, ids in parts.items():
        wanted = np.array([id_key(key) for key in ids], np.uint64)
        places = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
        absent = np.flatnonzero(ordered[places] != wanted)
        if len(absent):
            raise SplitError(
                f"the split's {name} part names {ids[int(absent[0])]!r}, which is not in {data.name}",
                "give the data the split was made for",
            )
        rows[name] = order[places]
    return rows


def id_keys(task: Mapping[str, Any]) -> NDArray[np.uint64]:
    """The ids of a part as numbers."""
    return np.array([id_key(key) for ids in iter_ids(task) for key in ids], np.uint64)


def id_key(key: str) -> int:
    """A number of eight bytes for an id."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


def read_sides(task: Mapping[str, Any], sides: Sides) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each row of a part is in train and in the other part; a file must name the rows' own ids."""
    if "file" not in sides:
        return sides["train"].astype(np.int64), sides["test"].astype(np.int64)
    ids, parts = read_split_part(sides["file"])
    if ids != [key for each in iter_ids(task) for key in each]:
        raise SplitError(f"{sides['file']}: does not name the ids of {task['path']}", "make the split again")
    return tuple(np.array([part == name for part in parts], np.int64) for name in ("train", sides["against"]))  # type: ignore[return-value]
