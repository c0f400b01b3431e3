"""Workers of a campaign: added with a link each, listed, paused and resumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.campaign.records import Worker

ADD, LIST, PAUSE, RESUME = "add", "list", "pause", "resume"
ACTIONS = (ADD, LIST, PAUSE, RESUME)
URL = "http://127.0.0.1:8000"


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateWorkers(Result):
    """Workers, each with the link where it was made just now; it cannot be shown again."""

    action: str
    campaign: str
    workers: tuple[Worker, ...]
    links: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate workers --json` prints."""
        rows = [
            {
                "worker": worker.id,
                "name": worker.name,
                "kind": worker.kind,
                "state": worker.state,
                "qualifications": list(worker.qualifications),
                "answered": worker.answered,
                "set_aside": worker.set_aside,
            }
            for worker in self.workers
        ]
        for row, link in zip(rows, self.links, strict=False):
            row["link"] = link
        return {"action": self.action, "campaign": self.campaign, "workers": rows}

    def __str__(self) -> str:
        said = {ADD: "added", LIST: "in all", PAUSE: "paused", RESUME: "resumed"}[self.action]
        return f"{self.campaign}: {len(self.workers):,} worker{'s' * (len(self.workers) != 1)} {said}"


@verb
def annotate_workers(
    action: str,
    store: Path | str,
    names: str | Iterable[str] = (),
    *,
    n: int | None = None,
    qualification: str | Iterable[str] = (),
    kind: str = "person",
    url: str = URL,
) -> AnnotateWorkers:
    """Add workers by their names, or `n` without names; list all; pause or resume some, by name or id.

    Who is added gets a link that starts with `url`. It is shown this once: the store keeps a hash of it.
    """
    from recombine.workbench.given.open_campaign import open_campaign

    if action not in ACTIONS:
        raise UnknownNameError("action", action, ACTIONS)
    named = [names] if isinstance(names, str) else list(names)
    with open_campaign(store) as campaign:
        if action == ADD:
            wanted = (qualification,) if isinstance(qualification, str) else tuple(qualification)
            return _added(campaign, named, n, wanted, kind, url)
        if action == LIST:
            if named:
                raise OptionError("list takes no names", "it lists all workers")
            return AnnotateWorkers(action, campaign.name, tuple(campaign.workers()))
        return _changed(campaign, action, named)


def _added(
    campaign: Campaign, names: list[str], n: int | None, qualifications: tuple[str, ...], kind: str, url: str
) -> AnnotateWorkers:
    if bool(names) == (n is not None):
        raise OptionError("workers are added by names or by number", "give NAMES, or -n")
    if n is not None and n < 1:
        raise OptionError(f"cannot add {n} workers", "add 1 or more")
    known = campaign.flow.qualifications
    for each in qualifications:
        if each not in known:
            raise UnknownNameError("qualification", each, known)
    if n is not None:
        there = len(campaign.workers())
        names = [f"worker {there + number}" for number in range(1, n + 1)]
    added = campaign.add_workers(names, qualifications=qualifications, kind=kind)
    links = tuple(f"{url.rstrip('/')}/join/{each.token}" for each in added)
    return AnnotateWorkers(ADD, campaign.name, tuple(each.worker for each in added), links)


def _changed(campaign: Campaign, action: str, names: list[str]) -> AnnotateWorkers:
    from recombine.workbench.given.open_campaign import find_worker

    if not names:
        raise OptionError(f"nobody to {action}", "name workers; `annotate workers list` has their names and ids")
    chosen = [find_worker(campaign, name) for name in names]
    for worker in chosen:
        (campaign.pause if action == PAUSE else campaign.resume)(worker.id)
    return AnnotateWorkers(action, campaign.name, tuple(campaign.worker(worker.id) for worker in chosen))
