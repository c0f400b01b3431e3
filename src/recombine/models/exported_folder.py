"""What programs that train an exported folder have in common: their command line, and how failures and processes end.

They run on a machine with numpy and torch and little else.
"""

from __future__ import annotations

import argparse
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import RecombineError
from recombine.models.out_of_memory import is_out_of_memory

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence


def folder_parser(description: str | None) -> argparse.ArgumentParser:
    """A command line with the folder, where to write, how long, and on what device.

    >>> folder_parser("").parse_args(["away", "--out", "o", "--work", "w"]).minutes
    1000000.0
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--device", default="")
    return parser


def failure_reason(error: Exception, lower: str) -> str:
    """Why a cell failed, in a line; what nobody foresaw is printed whole. `lower` is what to lower for memory.

    Memory that another process took is not told from too little of it.
    """
    if is_out_of_memory(error):
        return f"out of memory; lower {lower}, run fewer processes, or take another device"
    if isinstance(error, RecombineError):
        return str(error)
    traceback.print_exception(error)
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def wait_for_all(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Wait for processes; where that is interrupted, they end too."""
    try:
        for process in processes:
            process.wait()
    finally:
        for process in processes:
            process.terminate()
