"""The one progress display of a study: steps of all models together, and each cell as it is done."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from recombine.cli.shared.console import make_console

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from recombine.models.task import Task

PAUSE = 0.5
"""Seconds between looks at what the stacks have written."""


class StudyProgress:
    """A bar on a terminal, fed by what the stacks leave in the work folder; elsewhere a line for each cell."""

    def __init__(self, *, quiet: bool) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._quiet = quiet
        self._console = make_console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("model-steps"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self._shown = self._console.is_terminal and not quiet
        self._bar = Progress(*columns, console=self._console, transient=True, disable=not self._shown)
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._cells = self._stored = 0
        self._place: Any = None

    def __enter__(self) -> StudyProgress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_look()
        self._bar.stop()

    def _end_look(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            self._bar.remove_task(self._place)

    def removed(self, names: Sequence[str]) -> None:
        """Say which files of an earlier run were removed."""
        if not self._quiet:
            files = "1 file" if len(names) == 1 else f"{len(names)} files"
            self._console.print(f"removed {files} that an earlier run left: {', '.join(names)}", soft_wrap=True)

    def begin(self, tasks: Sequence[Task], skipped: int) -> None:
        """Draw the bar and begin to look; the bar of tuning runs makes place for that of the cells."""
        self._end_look()
        self._cells = sum(len(task.cells) for task in tasks)
        if skipped and not self._quiet:
            self._console.print(f"{skipped} cells are there already")
        if self._shown and tasks:
            self._bar.start()
            total = sum(int(task.settings.get("steps", 0)) * len(task.cells) for task in tasks)
            self._place = self._bar.add_task("training", total=total or None)
            self._over = threading.Event()
            self._thread = threading.Thread(target=self._look, args=(list(tasks), self._place), daemon=True)
            self._thread.start()

    def stored(self, record: dict[str, Any]) -> None:
        """Say what became of a cell."""
        self._stored += 1
        if not self._quiet:
            from recombine.studies.cells.read_record import main_metric

            score = record["score"]
            outcome = f"{100 * score[main_metric(record)]:.1f} %" if score else f"failed: {record['error']}"
            self._console.print(f"{record['name']}: {outcome}", soft_wrap=True)

    def _look(self, tasks: list[Task], place: Any) -> None:
        from recombine.studies.running.run_study import steps_done

        most: dict[str, int] = {}
        while not self._over.wait(PAUSE):
            for task in tasks:
                # The files of a stack go away when it is done; what it had reached stays counted.
                whole = int(task.settings.get("steps", 0)) * len(task.cells)
                now = steps_done(task.work, task)
                gone = bool(most.get(task.name)) and not (task.work / f"{task.name}.stack").exists()
                most[task.name] = whole if gone else max(most.get(task.name, 0), now)
            self._bar.update(place, completed=sum(most.values()))
