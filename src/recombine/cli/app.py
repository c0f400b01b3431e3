"""The command line: its verbs and what they have in common."""

from __future__ import annotations

import sys

import typer
from typer.core import TyperGroup

from recombine.cli.check import check
from recombine.cli.compare import compare
from recombine.cli.demo import demo
from recombine.cli.difficulty import difficulty
from recombine.cli.generate import generate
from recombine.cli.induce import induce
from recombine.cli.list import list_data
from recombine.cli.measure import measure
from recombine.cli.options import help_without_verb
from recombine.cli.predict import predict
from recombine.cli.report import report
from recombine.cli.score import score
from recombine.cli.select import select
from recombine.cli.show import show
from recombine.cli.split import split
from recombine.cli.study import app as study
from recombine.cli.train import train
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
    cls=TyperGroup,
)


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Build, measure and explain train/test splits for compositional generalization."""
    del version
    help_without_verb(context)


for _name, _verb in (
    ("list", list_data),
    ("show", show),
    ("generate", generate),
    ("split", split),
    ("measure", measure),
    ("check", check),
    ("difficulty", difficulty),
    ("select", select),
    ("induce", induce),
    ("train", train),
    ("predict", predict),
    ("score", score),
    ("compare", compare),
    ("report", report),
    ("demo", demo),
):
    app.command(_name)(_verb)
app.add_typer(study, name="study")
