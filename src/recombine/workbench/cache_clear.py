"""Emptying the user's cache of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.data_cache import cache_folder, clear_cache
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, repr=False, eq=False)
class CacheCleared(Result):
    """What was removed."""

    folder: Path | None
    """None where the cache is switched off."""
    files: int
    bytes: int

    def to_dict(self) -> dict[str, Any]:
        """What `recombine cache clear --json` prints."""
        folder = None if self.folder is None else str(self.folder)
        return {"cache": folder, "removed_files": self.files, "removed_bytes": self.bytes}

    def __str__(self) -> str:
        if self.folder is None:
            return "the cache of data is switched off, and nothing is removed"
        files = "file" if self.files == 1 else "files"
        return f"{self.folder}: {self.files:,} {files} removed, {self.bytes / 1e6:,.1f} MB"


@verb
def cache_clear() -> CacheCleared:
    """Remove what the cache of data keeps; other files in its folder stay."""
    files = clear_cache()
    return CacheCleared(cache_folder(), len(files), sum(each.size for each in files))
