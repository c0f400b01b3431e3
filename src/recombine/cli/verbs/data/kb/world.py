"""`recombine kb world`: an index of a made-up world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recombine.cli.shared.options import Json, Quiet, Seed
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app
from recombine.cli.verbs.data.kb.print_built import print_built


@app.command("world")
def world(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to make; there whole or not at all.")],
    kind: Annotated[
        str, typer.Option("--kind", help="films, as CFQ's questions need it, or domains, a world of many domains.")
    ] = "films",
    facts: Annotated[int | None, typer.Option("--facts", help="About how many facts; default: 200,000.")] = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make an index of a made-up world; CFQ's questions are grounded in that of films by default."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_world(out, kind=kind, facts=facts, seed=seed)
    print_built(result, as_json=as_json)
