"""Answers that were given elsewhere, taken into a campaign under its rules."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import UnknownNameError
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.campaign.records import TakenIn

FORMATS = ("responses", "label-studio")


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateImport(Result):
    """What became of the answers of a file."""

    campaign: str
    file: str
    taken: TakenIn
    skipped: int
    """Annotations of Label Studio that their worker skipped."""

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate import --json` prints."""
        return {
            "campaign": self.campaign,
            "answers": self.file,
            "added": self.taken.added,
            "repeated": self.taken.repeated,
            "skipped": self.skipped,
            "broken": dict(self.taken.counts),
            "named": [asdict(each) for each in self.taken.broken],
        }

    def __str__(self) -> str:
        broken = sum(self.taken.counts.values())
        skipped = f", {self.skipped:,} skipped" if self.skipped else ""
        text = f"{self.campaign}: {self.taken.added:,} answers taken in, {self.taken.repeated:,} there already{skipped}"
        return f"{text}, {broken:,} left out"


@verb
def annotate_import(store: Path | str, file: Path | str, *, format: str = "responses") -> AnnotateImport:  # noqa: A002
    """Take answers in: lines `{item, worker, answer}` as `responses` writes them, or a JSON export of Label Studio.

    Answers that are there already change nothing; those that break a rule are left out, counted and named.
    """
    from recombine.progress import working
    from recombine.workbench.given.open_campaign import open_campaign

    if format not in FORMATS:
        raise UnknownNameError("format", format, FORMATS)
    with open_campaign(store) as campaign, working("taking answers in"):
        rows, skipped = _rows(campaign, file, format)
        return AnnotateImport(campaign.name, str(file), campaign.take_in(rows, file=file), skipped)


def _rows(campaign: Campaign, file: Path | str, kind: str) -> tuple[list[dict[str, Any]], int]:
    from recombine.annotation.exchange.label_studio.read_label_studio import read_label_studio
    from recombine.annotation.exchange.response_rows import read_response_rows

    if kind == "responses":
        return read_response_rows(file), 0
    read = read_label_studio(file, campaign.flow, {item.item: item.task for item in campaign.items()})
    return read.rows, read.skipped
