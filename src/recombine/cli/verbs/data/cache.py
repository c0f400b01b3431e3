"""`recombine cache`: what is kept of data that was made or read, and emptying it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from recombine.workbench.results.result import Result

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="See or empty the cache of data that was made or read before.",
)


@app.callback(invoke_without_command=True)
def _cache(context: typer.Context) -> None:
    help_without_verb(context)


@app.command("info")
def info(as_json: Json = False, quiet: Quiet = False) -> None:
    """Say where the cache is, how many files it has, and how large it is and may be."""
    from recombine import workbench

    with terminal(quiet=quiet):
        _print(workbench.cache_info(), as_json=as_json)


@app.command("clear")
def clear(as_json: Json = False, quiet: Quiet = False) -> None:
    """Remove what the cache keeps; it is made again when it is wanted."""
    from recombine import workbench

    with terminal(quiet=quiet):
        _print(workbench.cache_clear(), as_json=as_json)


def _print(result: Result, *, as_json: bool) -> None:
    print_result(result.to_dict(), lambda console: console.print(str(result), soft_wrap=True), as_json=as_json)
