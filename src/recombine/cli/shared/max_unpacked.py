"""`--max-unpacked`, an option of every verb: it sets the variable that readers ask, here and in processes started."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.max_unpacked import VARIABLE, parse_size

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "--max-unpacked"


def _set(value: str | None) -> None:
    if value is not None:
        parse_size(value, NAME)
        os.environ[VARIABLE] = value


def _pattern(
    max_unpacked: Annotated[
        str | None,
        typer.Option(
            NAME,
            metavar="SIZE",
            callback=_set,
            expose_value=False,
            help=f"The most that a file may unpack to, such as 500M; default: {VARIABLE}, or 2GiB.",
        ),
    ] = None,
) -> None:
    """A verb with nothing but this option, which all others take from it."""


def add_max_unpacked(command: Any) -> None:
    """Give the option to a command and to every verb below it, so that it may stand before or after a verb."""
    pattern = typer.Typer(add_completion=False)
    pattern.command()(_pattern)
    option = next(param for param in typer.main.get_command(pattern).params if NAME in param.opts)
    for verb in _iter_commands(command):
        verb.params.append(option)


def _iter_commands(command: Any) -> Iterator[Any]:
    yield command
    for verb in getattr(command, "commands", {}).values():
        yield from _iter_commands(verb)
