"""The command line: its verbs and what they have in common."""

from __future__ import annotations

import sys

import typer

from recombine.cli.shared.declared_options import DeclaredCommand
from recombine.cli.shared.options import help_without_verb
from recombine.cli.shared.verb_groups import VerbGroups, iter_verbs
from recombine.version import __version__


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"recombine {__version__}\n")
        raise typer.Exit


app = typer.Typer(
    add_completion=False,
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    help="Build, measure and explain train/test splits for compositional generalization.",
    cls=VerbGroups,
)


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Build, measure and explain train/test splits for compositional generalization."""
    del version
    help_without_verb(context)


for _name, _verb in iter_verbs():
    if isinstance(_verb, typer.Typer):
        app.add_typer(_verb, name=_name)
    else:
        app.command(_name, cls=DeclaredCommand)(_verb)
