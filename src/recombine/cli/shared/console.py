"""What goes where: results to standard output, messages and progress to standard error."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from recombine.errors import InputWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.console import Console


def make_console(*, stderr: bool = False) -> Console:
    """A console that never reads markup out of data and is 100 columns wide where no terminal says otherwise."""
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console = Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=100)
    return console


def note(message: str, *, quiet: bool) -> None:
    """A message for the person, not part of the result."""
    if not quiet:
        make_console(stderr=True).print(message, soft_wrap=True)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print what was taken for granted in reading files as messages, each once; `--quiet` keeps them back."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", InputWarning)
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
            if issubclass(category, InputWarning):
                note(str(message), quiet=False)
            else:
                others(message, category, *rest, **named)

        warnings.showwarning = show
        yield


@contextmanager
def working(message: str, *, quiet: bool) -> Iterator[None]:
    """A moving sign on a terminal while something takes its time."""
    console = make_console(stderr=True)
    if quiet or not console.is_terminal:
        yield
        return
    with console.status(message):
        yield


def tracked(items: Iterable[Any], message: str, *, total: int, quiet: bool) -> Iterator[Any]:
    """The items, with a progress bar on a terminal."""
    from rich.progress import track

    console = make_console(stderr=True)
    yield from track(items, message, total=total, console=console, disable=quiet or not console.is_terminal)


def print_json(value: Any) -> None:
    """One object on standard output."""
    import orjson

    sys.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY).decode() + "\n")


def print_result(value: Any, show: Callable[[Console], None], *, as_json: bool) -> None:
    """The result as JSON, or as a person reads it; what was left out in reading is part of it."""
    if as_json:
        from recombine.records.skipping import told

        unreadable = told() if isinstance(value, dict) else None
        print_json(value if unreadable is None else {**value, "unreadable": unreadable})
    else:
        show(make_console())


def print_signature(console: Console, signature: str) -> None:
    """The last line of what a command prints."""
    console.print(signature, style="dim", soft_wrap=True)
