"""`recombine warm-up`: all kernels compiled ahead of their first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet, Seed
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console


def warm_up(as_json: Json = False, quiet: Quiet = False, seed: Seed = 0) -> None:
    """Compile all kernels now, so that no later command has to."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.warm_up(seed=seed)

    def show(console: Console) -> None:
        console.print(str(result))
        console.print(f"kept in {result.folder}", style="dim", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)
