"""What is said of an index that was built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.cli.shared.console import print_result

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.kb_build import KbBuilt


def print_built(result: KbBuilt, *, as_json: bool) -> None:
    """Print the counts of an index and its digest, or them as JSON."""

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        console.print(f"digest {result.built.digest}", style="dim", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)
