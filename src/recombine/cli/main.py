"""The entry point: verbs, and errors as one line."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import typer
from typer.core import TyperGroup

from recombine.cli.check import check
from recombine.cli.compare import compare
from recombine.cli.demo import demo
from recombine.cli.difficulty import difficulty
from recombine.cli.generate import generate
from recombine.cli.induce import induce
from recombine.cli.list import list_data
from recombine.cli.max_unpacked import add_max_unpacked
from recombine.cli.measure import measure
from recombine.cli.predict import predict
from recombine.cli.report import report
from recombine.cli.score import score
from recombine.cli.select import select
from recombine.cli.show import show
from recombine.cli.split import split
from recombine.cli.study import app as study
from recombine.cli.train import train
from recombine.errors import RecombineError
from recombine.version import __version__


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"recombine {__version__}\n")
        raise typer.Exit


app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    context_settings={"max_content_width": 100},
    rich_markup_mode=None,
    help="Build, measure and explain train/test splits for compositional generalization.",
    cls=TyperGroup,
)


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Build, measure and explain train/test splits for compositional generalization."""
    del version


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


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 checked and found wanting, 2 bad input."""
    command = typer.main.get_command(app)
    add_max_unpacked(command)
    try:
        code = command.main(args=arguments, prog_name="recombine", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except RecombineError as error:
        _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        _fail(f"{error.format_message().rstrip('.')}; `recombine --help` lists verbs and options", 2)
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted", 130)
    except BrokenPipeError:
        # The reader went away (`recombine list | head`): nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _fail(message: str, code: int) -> NoReturn:
    sys.stderr.write(f"error: {' '.join(message.split())}\n")
    sys.exit(code)
