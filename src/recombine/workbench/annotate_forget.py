"""A person is removed from a campaign; the votes stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateForget(Result):
    """Who is known by an id alone now."""

    campaign: str
    worker: str
    answers: int

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate forget --json` prints."""
        return {"campaign": self.campaign, "worker": self.worker, "answers": self.answers}

    def __str__(self) -> str:
        return f"{self.campaign}: the person is forgotten, {self.answers:,} answers stay under {self.worker}"


@verb
def annotate_forget(store: Path | str, worker: str) -> AnnotateForget:
    """Remove a worker's name, links and drafts, by name or id; the answers stay, under an id that says nothing."""
    from recombine.workbench.given.open_campaign import find_worker, open_campaign

    with open_campaign(store) as campaign:
        chosen = find_worker(campaign, worker)
        campaign.forget(chosen.id)
        return AnnotateForget(campaign.name, chosen.id, chosen.answered)
