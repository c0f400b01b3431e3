"""`recombine rules`: files of grammar, inference, resolution and knowledge rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Check files of grammar, inference, resolution and knowledge rules.",
)


@app.callback(invoke_without_command=True)
def _rules(context: typer.Context) -> None:
    help_without_verb(context)


@app.command("check")
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Rule files, folders of them, or cfq.")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what is wrong with rules: unknown features, unbound variables, rules that never fire, endless inference."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.rules_check(files)

    def show(console: Console) -> None:
        for line in (*result.problems, str(result)):
            console.print(line, soft_wrap=True, markup=False)

    print_result(result.to_dict(), show, as_json=as_json)
    if result.problems:
        raise typer.Exit(1)
