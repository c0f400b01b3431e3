"""All kernels compiled ahead of their first use."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from recombine.progress import working
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb


@dataclass(frozen=True, repr=False, eq=False)
class WarmUp(Result):
    """What was compiled."""

    kernels: int
    """How many there are."""
    compiled: int
    """How many of them were not there before."""
    seconds: float
    folder: str
    """Where they are kept."""

    def to_dict(self) -> dict[str, Any]:
        """What `recombine warm-up --json` prints."""
        return {
            "kernels": self.kernels,
            "compiled": self.compiled,
            "seconds": self.seconds,
            "folder": self.folder,
        }

    def __str__(self) -> str:
        return f"{self.kernels} kernels, {self.compiled} of them compiled now, in {self.seconds:.1f} s"


@verb
def warm_up(*, seed: int = 0) -> WarmUp:
    """Compile all kernels, in two processes, so that no later command has to; what is there is left as it is."""
    from recombine.kernels.compile_kernels import Compilation
    from recombine.kernels.kernel_folder import kernel_folder

    del seed  # every verb takes it; nothing here is random
    began = time.perf_counter()
    with Compilation() as compilation, working("compiling kernels"):
        compilation.finish()
    seconds = round(time.perf_counter() - began, 3)
    return WarmUp(len(compilation.names), len(compilation.missing), seconds, str(kernel_folder()))
