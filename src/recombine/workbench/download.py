"""Published data from the public repositories that hold it, into the data directory."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.datasets.downloads.download_data import SetOutcome
    from recombine.datasets.downloads.sources import Source, Sources


@dataclass(frozen=True, repr=False, eq=False)
class DownloadList(Result):
    """What there is to download, and what has no pinned address."""

    sources: Sources
    directory: Path
    missing: dict[str, int]
    """How many files of each data set are not in the data directory."""

    def to_dict(self) -> dict[str, Any]:
        """What `recombine download --json` prints."""
        names = self.sources.names()
        return {
            "directory": str(self.directory),
            "datasets": [{**_row(name, self.sources.of(name)), "missing": self.missing[name]} for name in names],
            "unpinned": [
                {
                    "data": each.name,
                    "file": each.file,
                    "reason": each.reason,
                    "remedy": each.remedy,
                    "converts": bool(each.conversion),
                }
                for each in self.sources.unpinned
            ],
        }

    def __str__(self) -> str:
        here = sum(not count for count in self.missing.values())
        return f"{len(self.missing)} data sets to download, {here} of them in {self.directory}"


def _row(name: str, sources: tuple[Source, ...]) -> dict[str, Any]:
    from recombine.datasets.downloads.download_data import licences_of

    originals = {original.digest: original for source in sources for _, original in source.originals}.values()
    return {
        "data": name,
        "files": [source.file for source in sources],
        "originals": len(originals),
        "bytes": sum(original.bytes or 0 for original in originals),
        "repositories": sorted({f"{original.repository}@{original.commit}" for original in originals}),
        "licences": licences_of(sources),
        "notes": {source.file: source.note for source in sources if source.note},
    }


@dataclass(frozen=True, repr=False, eq=False)
class DownloadResult(Result):
    """What became of each data set that was asked for."""

    directory: Path
    outcomes: tuple[SetOutcome, ...]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """What `recombine download NAME --json` prints."""
        return {
            "directory": str(self.directory),
            "datasets": [_outcome(each) for each in self.outcomes],
            "written": self.written,
            "there": sum(file.state == "there" for each in self.outcomes for file in each.files),
            "fetched_bytes": sum(file.fetched for each in self.outcomes for file in each.files),
            "seconds": self.seconds,
        }

    @property
    def written(self) -> int:
        """How many files were written."""
        files = sum(file.state == "written" for each in self.outcomes for file in each.files)
        return files + sum(bool(each.own) for each in self.outcomes)

    def __str__(self) -> str:
        there = sum(file.state == "there" for each in self.outcomes for file in each.files)
        files = f"{self.written} file{'' if self.written == 1 else 's'} written"
        return f"{files}, {there} there already, in {self.directory}"


def _outcome(outcome: SetOutcome) -> dict[str, Any]:
    if outcome.own:
        return {
            "data": outcome.name,
            "file": outcome.own,
            "records": outcome.records,
            "left_out": dict(outcome.left_out),
            "first_left_out": dict(outcome.first_left_out),
            "language": outcome.language,
        }
    return {
        "data": outcome.name,
        "files": {file.source.file: file.state for file in outcome.files},
        "licences": outcome.licences,
        "notes": {file.source.file: file.source.note for file in outcome.files if file.source.note},
    }


@verb
def download(
    names: str | Sequence[str] = (),
    *,
    all: bool = False,  # noqa: A002
    from_: str | None = None,
    timeout: float = 30.0,
    retries: int = 3,
    overwrite: bool = False,
) -> DownloadResult | DownloadList:
    """Fetch published data into the data directory, checked and converted; without names, what there is to fetch.

    `from_` is a mirror: an address or a folder laid out `OWNER/REPOSITORY/COMMIT/PATH`, or for data without a public
    address the folder that has its raw files. `timeout` is in seconds; a transfer that breaks off is tried again
    `retries` times. A file that is there and is another one is replaced with `overwrite` only.

    >>> "cfq/mcd1" in [row["data"] for row in download()["datasets"]]
    True
    """
    from recombine.data_directory import data_directory
    from recombine.datasets.downloads.download_data import Manner, download_data
    from recombine.datasets.downloads.present_files import present_path
    from recombine.datasets.downloads.sources import read_sources
    from recombine.errors import OptionError

    begun, sources, directory = time.perf_counter(), read_sources(), data_directory()
    asked = [names] if isinstance(names, str) else [*names]
    if all and asked:
        raise OptionError("names of data sets beside --all", "give one or the other")
    if not asked and not all:
        missing = {
            name: sum(present_path(directory, source.file) is None for source in sources.of(name))
            for name in sources.names()
        }
        return DownloadList(sources, directory, missing)
    wanted = sources.names() if all else sources.resolved(asked)
    outcomes = download_data(wanted, sources, directory, Manner(from_, timeout, retries, overwrite))
    return DownloadResult(directory, tuple(outcomes), round(time.perf_counter() - begun, 3))
