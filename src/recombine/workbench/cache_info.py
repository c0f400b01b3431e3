"""What is in the user's cache of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.data_cache import cache_folder, cache_limit, stored_files
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, repr=False, eq=False)
class CacheInfo(Result):
    """Where the cache is, and how much it has and may have."""

    folder: Path | None
    """None where it is switched off."""
    files: int
    bytes: int
    limit: int

    def to_dict(self) -> dict[str, Any]:
        """What `recombine cache info --json` prints."""
        folder = None if self.folder is None else str(self.folder)
        return {"cache": folder, "files": self.files, "bytes": self.bytes, "limit": self.limit}

    def __str__(self) -> str:
        if self.folder is None:
            return "the cache of data is switched off"
        files = "file" if self.files == 1 else "files"
        return f"{self.folder}: {self.files:,} {files}, {self.bytes / 1e6:,.1f} of {self.limit / 1e6:,.1f} MB"


@verb
def cache_info() -> CacheInfo:
    """Where the cache of data is, how many files it has, and how large it is and may be.

    >>> cache_info().files >= 0
    True
    """
    files = stored_files()
    return CacheInfo(cache_folder(), len(files), sum(each.size for each in files), cache_limit())
