"""Who listens to work at the command line: bars and moving signs on a terminal, messages on standard error."""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TypeVar

from recombine.cli.shared.console import make_console, note, tracked, working
from recombine.progress import Listener, listening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")


class Terminal(Listener):
    """Prints what it hears; with `quiet`, nothing."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet

    def working(self, message: str) -> AbstractContextManager[None]:
        """A moving sign while something takes its time."""
        return working(message, quiet=self.quiet)

    def tracked(self, items: Iterable[T], message: str, *, total: int) -> Iterable[T]:
        """The items, with a bar."""
        return tracked(items, message, total=total, quiet=self.quiet)

    @contextmanager
    def bar(self, message: str, *, counts: str = "") -> Iterator[Callable[[int, int | None, str], None] | None]:
        """A bar with a text beside it; none away from a terminal."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn

        console = make_console(stderr=True)
        if self.quiet or not console.is_terminal:
            yield None
            return
        numbers: tuple[ProgressColumn, ...] = (MofNCompleteColumn(), TextColumn(counts)) if counts else ()
        columns = (TextColumn(message), BarColumn(bar_width=20), *numbers, TextColumn("{task.fields[state]}"))
        with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
            task = progress.add_task(message, total=None, state="")

            def update(done: int, total: int | None, state: str) -> None:
                progress.update(task, completed=done, total=total, state=state)

            yield update

    def stage(self, message: str) -> None:
        """A line for the person."""
        note(message, quiet=self.quiet)

    def note(self, message: str) -> None:
        """A message for the person."""
        note(message, quiet=self.quiet)


@contextmanager
def terminal(*, quiet: bool) -> Iterator[None]:
    """Let the terminal listen while a verb is at work."""
    with listening(Terminal(quiet=quiet)):
        yield
