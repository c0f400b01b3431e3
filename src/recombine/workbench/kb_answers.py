"""What people answered, checked and put together; what is dropped is counted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.tasks.read_tasks import TasksRead


@dataclass(frozen=True, repr=False, eq=False)
class KbAnswers(Result):
    """What was taken, and what was not and why."""

    read: TasksRead

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb answers --json` prints."""
        return {
            "taken": len(self.read.answers),
            "dropped": dict(self.read.dropped),
            "first_dropped": dict(self.read.first_dropped),
            "not_judged": len(self.read.not_judged),
            "open": len(self.read.open_items),
        }

    def __str__(self) -> str:
        dropped = sum(self.read.dropped.values())
        return (
            f"{len(self.read.answers):,} answers taken, {dropped:,} lines dropped; "
            f"{len(self.read.not_judged):,} texts without a judgement, {len(self.read.open_items):,} items open"
        )

    def write(self, path: Path | str) -> None:
        """Write what was taken; the file is there whole or not at all."""
        self.read.write(path)


@verb
def kb_answers(sent: Path | str, files: Path | str | Sequence[Path | str]) -> KbAnswers:
    """Check files of answers against the lines that went out: brackets, duplicates, judgements that are missing.

    `sent` is what `kb_tasks` wrote. The files are read in their order: earlier work first, and it is kept.
    """
    from recombine.kb.tasks.read_tasks import read_sent, read_tasks

    paths = [files] if isinstance(files, str | Path) else [*files]
    return KbAnswers(read_tasks(read_sent(sent), paths))
