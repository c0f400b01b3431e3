"""A copy of a campaign's store, as it is at one moment, while others work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OutputFileError
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from recombine.annotation.campaign.records import LogReport


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateBackup(Result):
    """The copy, whose log was read and holds."""

    campaign: str
    copy: str
    log: LogReport

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate backup --json` prints."""
        entries, responses = self.log.entries, self.log.responses
        return {"campaign": self.campaign, "copy": self.copy, "entries": entries, "responses": responses}

    def __str__(self) -> str:
        return f"{self.campaign}: {self.log.responses:,} answers → {self.copy}, the log holds"


@verb
def annotate_backup(store: Path | str, copy: Path | str) -> AnnotateBackup:
    """Copy a SQLite store while it is served, and read the log of the copy; the copy is a store like any other."""
    from recombine.annotation.exchange.store_place import SUFFIXES
    from recombine.errors import StoreError
    from recombine.progress import working
    from recombine.workbench.given.open_campaign import open_campaign

    path = Path(copy)
    if path.suffix not in SUFFIXES:
        raise OutputFileError(f"{path}: a copy is a file", f"give it a name that ends in {' or '.join(SUFFIXES)}")
    if path.exists():
        raise OutputFileError(f"{path}: is there already", "name another file, or remove it")
    with open_campaign(store) as campaign, working("copying"):
        campaign.backup(path)
        name = campaign.name
    with open_campaign(path) as copied, working("reading the log of the copy"):
        log = copied.verify_log()
    if not log.holds:
        raise StoreError(f"{path}: the log of the copy does not hold ({log.problem})", "the store itself is damaged")
    return AnnotateBackup(name, str(path), log)
