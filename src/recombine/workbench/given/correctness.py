"""What models got right, as `difficulty` takes it: files, records, or either by split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.evaluation.difficulty.correctness import CorrectnessFile

GivenCorrectness = str | Path | Mapping[str, Any] | Iterable[str | Path | Mapping[str, Any]]
"""A file or several, each perhaps as `SPLIT=FILE`; records; a mapping id → right; or these under names of splits."""
_REMEDY = 'give files, records {"id": …, "correct": …}, or a mapping from ids to true and false'


def files_by_split(given: GivenCorrectness, names: Sequence[str]) -> dict[str, list[CorrectnessFile]]:
    """What is given for each split; what names no split is for all of them."""
    files: dict[str, list[CorrectnessFile]] = {name: [] for name in names}
    if isinstance(given, Mapping) and not _is_by_id(given):
        for name, of_split in given.items():
            if name not in files:
                raise UnknownNameError("split", str(name), names)
            files[name] += _files(of_split)
        return files
    for file in _files(given):
        named = next((name for name in names if isinstance(file, str) and file.startswith(f"{name}=")), None)
        for name in names if named is None else [named]:
            files[name].append(file if named is None else str(file).removeprefix(f"{named}="))
    return files


def _is_by_id(given: Mapping[str, Any]) -> bool:
    return all(isinstance(value, bool) for value in given.values())


def _files(given: Any) -> list[CorrectnessFile]:
    from recombine.evaluation.difficulty.correctness import CorrectnessRecords

    if isinstance(given, str | Path):
        return [given]
    if isinstance(given, Mapping):
        if not _is_by_id(given):
            raise OptionError("what a model got right is neither true nor false for each id", _REMEDY)
        given = [{"id": key, "correct": right} for key, right in given.items()]
    listed = list(given)
    if all(isinstance(one, str | Path) for one in listed):
        return listed
    if all(isinstance(one, Mapping) for one in listed):
        return [CorrectnessRecords("predictions", tuple(listed))]
    raise OptionError("the predictions are neither all files nor all records", _REMEDY)
