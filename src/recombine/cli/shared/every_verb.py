"""Options that every verb takes, before or after its name: `--max-unpacked`, `--no-cache` and `--plugin`.

Every verb that reads data, which takes `--source`, takes `--skip-unreadable` and `--unreadable` too.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine import data_cache
from recombine.cli.shared.quick_values import read_command_quickly
from recombine.max_unpacked import VARIABLE, parse_size
from recombine.records.skipping import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_UNPACKED = "--max-unpacked"
NO_CACHE = "--no-cache"
PLUGIN = "--plugin"
SKIP = "--skip-unreadable"
UNREADABLE = "--unreadable"


def _set_limit(value: str | None) -> None:
    """Set the variable that readers ask, here and in processes started."""
    if value is not None:
        parse_size(value, MAX_UNPACKED)
        os.environ[VARIABLE] = value


def _switch_off(value: bool) -> None:
    """Switch the cache of data off, here and in processes started."""
    if value:
        os.environ[data_cache.VARIABLE] = data_cache.OFF


def _skip(value: bool) -> None:
    """Leave out what cannot be read, until the command ends."""
    if value:
        ask(wanted=True)


def _list(value: str | None) -> None:
    """Leave it out and list it in a file."""
    if value is not None:
        ask(file=value)


def _pattern(
    max_unpacked: Annotated[
        str | None,
        typer.Option(
            MAX_UNPACKED,
            metavar="SIZE",
            callback=_set_limit,
            expose_value=False,
            help=f"The most that a file may unpack to, such as 500M; default: {VARIABLE}, or 2GiB.",
        ),
    ] = None,
    no_cache: Annotated[
        bool,
        typer.Option(
            NO_CACHE,
            callback=_switch_off,
            expose_value=False,
            help="Make or read data anew, whatever the cache of data has, and keep nothing there.",
        ),
    ] = False,
    plugin: Annotated[
        list[str] | None,
        typer.Option(
            PLUGIN,
            metavar="MODULE",
            expose_value=False,
            help="A module or FILE.py that adds languages, methods, models and more; can be repeated.",
        ),
    ] = None,
) -> None:
    """A verb with nothing but these options, which all others take from it."""


def _reading_pattern(
    skip_unreadable: Annotated[
        bool,
        typer.Option(
            SKIP,
            callback=_skip,
            expose_value=False,
            help="Leave out records that cannot be read, with a language also those whose targets it does not read; "
            "they are counted by reason and listed in NAME.unreadable.jsonl, where --unreadable names no other file.",
        ),
    ] = False,
    unreadable: Annotated[
        str | None,
        typer.Option(
            UNREADABLE,
            metavar="FILE",
            callback=_list,
            expose_value=False,
            help="Leave out records that cannot be read, and list them in this file; written whole or not at all.",
        ),
    ] = None,
) -> None:
    """A verb with the options that those which read data take from it."""


def add_to_every_verb(command: Any) -> None:
    """Give the options to a command and to every verb below it."""
    every, readers = (_params(pattern) for pattern in (_pattern, _reading_pattern))
    for verb in _iter_commands(command):
        reads = any("--source" in param.opts for param in verb.params)
        verb.params.extend(every + readers if reads else every)
        read_command_quickly(verb)


def _params(function: Callable[..., None]) -> list[Any]:
    """The options of a verb that has nothing else."""
    pattern = typer.Typer(add_completion=False)
    pattern.command()(function)
    params = typer.main.get_command(pattern).params
    return [param for param in params if {MAX_UNPACKED, NO_CACHE, PLUGIN, SKIP, UNREADABLE} & set(param.opts)]


def _iter_commands(command: Any) -> Iterator[Any]:
    yield command
    for verb in getattr(command, "commands", {}).values():
        yield from _iter_commands(verb)


def load_named_plugins(arguments: Sequence[str]) -> None:
    """Load the plug-ins of a command line before it is read: what they add can be options of its verb."""
    from recombine.plugins import load_plugin

    given = list(arguments)
    for place, argument in enumerate(given):
        if argument == "--":
            return
        if argument.startswith(f"{PLUGIN}="):
            load_plugin(argument.partition("=")[2])
        elif argument == PLUGIN and place + 1 < len(given):
            load_plugin(given[place + 1])
