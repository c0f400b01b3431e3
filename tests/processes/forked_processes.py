"""Processes that are forked from one which has imported what most commands import, rather than started from nothing.

To start Python, numba, Arrow and pandas takes a second or so, as often as a test starts a command. Here one process
imports them, and forks for every command: that has the folder, the variables and the streams that it is given, what was
imported, and nothing of what commands before it did. It ends as a process ends, with its exit code.

What a test says of imports, of hash seeds or of the first moments of a process needs a process from nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

IMPORTED = (
    *("jinja2", "lark", "numba", "numpy", "pandas", "pyarrow.parquet", "pydantic", "rich.progress", "rich.table"),
    *("scipy.sparse", "scipy.stats", "sqlalchemy", "sqlglot", "typer"),
    *("recombine.cli.app", "recombine.kb.embedded.embedded_store", "recombine.splits.methods"),
    *("recombine.structures.dataset_features", "recombine.measures.measure_split"),
)


class ForkedProcesses:
    """A process that forks; it ends when this is closed."""

    def __init__(self) -> None:
        command = [sys.executable, __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, *words: str, cwd: Path | str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        """What `python -m recombine WORDS` prints and how it ends."""
        return self._ask({"module": "recombine", "words": words}, cwd, variables)

    def run_code(self, code: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """What `python -c CODE WORDS` prints and how it ends."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "code.py").write_text(code)
            return self._ask({"path": str(Path(folder, "code.py")), "words": words}, None, variables)

    def _ask(
        self, what: dict[str, Any], cwd: Path | str | None, variables: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        place = {"cwd": str(Path(cwd or "").absolute()), "variables": {**os.environ, **variables}}
        with tempfile.TemporaryDirectory() as folder:
            streams = [str(Path(folder, name)) for name in ("out", "err")]
            self._process.stdin.write(json.dumps({**what, **place, "streams": streams}) + "\n")
            self._process.stdin.flush()
            code = json.loads(self._process.stdout.readline())
            out, err = (Path(each).read_text() for each in streams)
        return subprocess.CompletedProcess(list(what["words"]), code, out, err)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def serve() -> dict[str, Any] | None:
    """Fork for each line of standard input, and print how that ended; in what is forked, give what it has to do."""
    for line in sys.stdin:
        process = os.fork()
        if not process:
            return dict(json.loads(line))
        _, status = os.waitpid(process, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    return None


def become(what: dict[str, Any]) -> int:
    """Take the folder, the variables and the streams of a process, and run its code to the end; its exit code."""
    import runpy

    for stream, name in enumerate((os.devnull, *what["streams"])):
        opened = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, stream)
        os.close(opened)
    os.chdir(what["cwd"])
    os.environ.clear()
    os.environ.update(what["variables"])
    sys.argv, sys.path[0] = ["-c", *what["words"]], what["cwd"]
    try:
        if "path" in what:
            runpy.run_path(what["path"], run_name="__main__")
        else:
            runpy.run_module(what["module"], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        return end.code or 0
    return 0


if __name__ == "__main__":
    import atexit
    import gc
    import importlib

    for each in IMPORTED:
        importlib.import_module(each)
    from numba.core.registry import cpu_target

    cpu_target.target_context.refresh()  # what numba knows of numpy, which it learns at the first kernel
    cpu_target.typing_context.refresh()
    gc.freeze()
    asked = serve()
    if asked is not None:
        code = become(asked)
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # Python would look at all that was imported once more, and so copy it
