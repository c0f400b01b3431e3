"""Answers that were given elsewhere, taken into a campaign under its rules; and further items and controls."""

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

FORMATS = ("responses", "label-studio", "items", "controls")


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateImport(Result):
    """What became of the answers, items or controls of a file."""

    campaign: str
    file: str
    format: str
    taken: TakenIn
    skipped: int
    """Annotations of Label Studio that their worker skipped."""

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate import --json` prints."""
        return {
            "campaign": self.campaign,
            "from": self.file,
            "format": self.format,
            "added": self.taken.added,
            "repeated": self.taken.repeated,
            "skipped": self.skipped,
            "broken": dict(self.taken.counts),
            "named": [asdict(each) for each in self.taken.broken],
        }

    def __str__(self) -> str:
        if self.format in ("items", "controls"):
            return (
                f"{self.campaign}: {self.taken.added:,} {self.format} taken in, {self.taken.repeated:,} there already"
            )
        broken = sum(self.taken.counts.values())
        skipped = f", {self.skipped:,} skipped" if self.skipped else ""
        text = f"{self.campaign}: {self.taken.added:,} answers taken in, {self.taken.repeated:,} there already{skipped}"
        return f"{text}, {broken:,} left out"


@verb
def annotate_import(store: Path | str, file: Path | str, *, format: str = "responses") -> AnnotateImport:  # noqa: A002
    """Take answers in: lines `{item, worker, answer}` as `responses` writes them, or a JSON export of Label Studio.

    Answers that are there already change nothing; those that break a rule are left out, counted and named. Further
    `items` and `controls` of a campaign are taken in all or, where one is wrong, none.
    """
    from recombine.progress import working
    from recombine.workbench.given.open_campaign import open_campaign

    if format not in FORMATS:
        raise UnknownNameError("format", format, FORMATS)
    with open_campaign(store) as campaign, working(f"taking {format} in"):
        if format in ("items", "controls"):
            return AnnotateImport(campaign.name, str(file), format, _added(campaign, file, format), 0)
        rows, skipped = _rows(campaign, file, format)
        return AnnotateImport(campaign.name, str(file), format, campaign.take_in(rows, file=file), skipped)


def _added(campaign: Campaign, file: Path | str, kind: str) -> TakenIn:
    from recombine.annotation.campaign.records import TakenIn
    from recombine.annotation.exchange.read_items import read_controls, read_items

    if kind == "items":
        added = campaign.add_items(read_items(file), file=file)
    else:
        added = campaign.add_controls(read_controls(file), file=file)
    return TakenIn(added.added, added.repeated)


def _rows(campaign: Campaign, file: Path | str, kind: str) -> tuple[list[dict[str, Any]], int]:
    from recombine.annotation.exchange.label_studio.read_label_studio import read_label_studio
    from recombine.annotation.exchange.response_rows import read_response_rows

    if kind == "responses":
        return read_response_rows(file), 0
    read = read_label_studio(file, campaign.flow, {item.item: item.task for item in campaign.items()})
    return read.rows, read.skipped
