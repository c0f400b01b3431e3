"""Where a campaign stands, and with `check` whether its log and what was decided hold."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.annotation.campaign.records import LogReport, Status


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateStatus(Result):
    """Counts by task and of workers."""

    status: Status
    log: LogReport | None
    """What was found of the log; none where it was not looked at."""
    differences: tuple[str, ...]
    """What is stored otherwise than it follows from the answers."""

    @property
    def holds(self) -> bool:
        """Whether nothing was found wanting."""
        return (self.log is None or self.log.holds) and not self.differences

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate status --json` prints."""
        value = asdict(self.status)
        value["tasks"] = [dict(task) for task in value["tasks"]]
        return value | {"log": None if self.log is None else asdict(self.log), "differences": list(self.differences)}

    def __str__(self) -> str:
        done = "done" if self.status.done else "open"
        answers = sum(task.answers for task in self.status.tasks)
        return f"{self.status.campaign}: {done}, {answers:,} answers of {sum(self.status.workers.values()):,} workers"


@verb
def annotate_status(store: Path | str, *, check: bool = False) -> AnnotateStatus:
    """Items by state, answers and workers; `check` reads the whole log and works out all verdicts anew."""
    from recombine.progress import working
    from recombine.workbench.given.open_campaign import open_campaign

    with open_campaign(store) as campaign:
        if not check:
            return AnnotateStatus(campaign.status(), None, ())
        with working("reading the log"):
            return AnnotateStatus(campaign.status(), campaign.verify_log(), tuple(campaign.recompute()))
