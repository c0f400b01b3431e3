"""The command line: its verbs and what they have in common."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from recombine.cli.shared.declared_options import DeclaredCommand
from recombine.cli.shared.options import help_without_verb
from recombine.cli.shared.verb_groups import VerbGroups, iter_verbs, known_verb
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"recombine {__version__}\n")
        raise typer.Exit


def _options(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Build, measure and explain train/test splits for compositional generalization."""
    del version
    help_without_verb(context)


def make_app(arguments: Sequence[str] | None = None) -> typer.Typer:
    """The command line with all verbs, or where arguments begin with a verb, with that alone: it is quicker to make."""
    made = typer.Typer(
        add_completion=False,
        context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
        rich_markup_mode=None,
        help="Build, measure and explain train/test splits for compositional generalization.",
        cls=VerbGroups,
    )
    made.callback(invoke_without_command=True)(_options)
    for name, verb in iter_verbs(only=known_verb(arguments[0]) if arguments else None):
        if isinstance(verb, typer.Typer):
            made.add_typer(verb, name=name)
        else:
            made.command(name, cls=DeclaredCommand)(verb)
    return made


def __getattr__(name: str) -> typer.Typer:
    """`app`, the command line with all verbs, made when it is asked for."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()["app"] = made = make_app()
    return made
