"""The command line: its verbs and what they have in common."""

from __future__ import annotations

import sys

import typer

from recombine.cli.shared.declared_options import DeclaredCommand
from recombine.cli.shared.options import help_without_verb
from recombine.cli.shared.verb_groups import VerbGroups
from recombine.cli.verbs.data.demo import demo
from recombine.cli.verbs.data.generate import generate
from recombine.cli.verbs.data.list import list_data
from recombine.cli.verbs.data.show import show
from recombine.cli.verbs.explain.difficulty import difficulty
from recombine.cli.verbs.explain.report import report
from recombine.cli.verbs.explain.select import select
from recombine.cli.verbs.judge.compare import compare
from recombine.cli.verbs.judge.score import score
from recombine.cli.verbs.models.induce import induce
from recombine.cli.verbs.models.predict import predict
from recombine.cli.verbs.models.train import train
from recombine.cli.verbs.split.check import check
from recombine.cli.verbs.split.measure import measure
from recombine.cli.verbs.split.split import split
from recombine.cli.verbs.studies.study import app as study
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
    app.command(_name, cls=DeclaredCommand)(_verb)
app.add_typer(study, name="study")
