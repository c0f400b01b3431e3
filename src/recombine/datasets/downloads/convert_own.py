"""Converts raw files of one's own, of data that has no pinned public address."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from recombine.errors import DownloadError, OptionError, OutputFileError
from recombine.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.datasets.downloads.conversions.own.converted import Converted
    from recombine.datasets.downloads.sources import Unpinned

_ROOM = "recombine.datasets.downloads.conversions.own"


def convert_own(unpinned: Unpinned, given: str | None, directory: Path, *, overwrite: bool) -> Converted:
    """Convert the raw files of a folder into the data directory; where there is none, the error says what to fetch."""
    target = directory / unpinned.file
    if not unpinned.conversion:
        raise DownloadError(f"{unpinned.name}: {unpinned.reason}", f"{unpinned.remedy}, and put it at {target}")
    if given is None:
        then = f"{unpinned.remedy}; then `recombine download {unpinned.name} --from DIR`, with the folder that has it"
        raise DownloadError(f"{unpinned.name}: {unpinned.reason}", then)
    paths = _raw_files(unpinned, Path(given))
    if target.exists() and not overwrite:
        raise DownloadError(f"{target}: is there already", "remove it, or replace it with --overwrite")
    function = getattr(import_module(f"{_ROOM}.{unpinned.conversion}"), unpinned.conversion)
    converted = cast("Callable[[Sequence[Path]], Converted]", function)(paths)
    if not converted.records:
        reasons = "; ".join(converted.left_out) or "they are empty"
        raise DownloadError(f"{given}: no record of its files can be converted ({reasons})", unpinned.remedy)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remedy = "set RECOMBINE_DATA to a directory that can be written"
        raise OutputFileError(f"{target}: cannot be written ({error.strerror})", remedy) from error
    write_whole(target, converted.content())
    return converted


def _raw_files(unpinned: Unpinned, folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise OptionError(f"{folder}: no such folder", f"give the folder with the raw files of {unpinned.name}")
    paths = sorted({path for pattern in unpinned.wanted for path in folder.glob(pattern) if path.is_file()})
    if not paths:
        wanted = " or ".join(unpinned.wanted)
        raise DownloadError(f"{folder}: has no file {wanted}", unpinned.remedy)
    return paths
