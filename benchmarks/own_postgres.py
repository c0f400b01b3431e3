"""A Postgres of its own in a temporary folder, from Debian's package, for as long as it is wanted."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def is_there() -> bool:
    """Whether there is a server to start, and somebody other than root to start it."""
    return bool(PLACES) and (os.geteuid() != 0 or shutil.which("runuser") is not None)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


@contextmanager
def own_postgres(database: str = "campaign") -> Iterator[str]:
    """The URL of an empty database of a new server, which ends with the block."""
    programs, port = PLACES[0], free_port()
    before = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        folder = Path(name)
        if before:
            shutil.chown(folder, "postgres")
        data, log = str(folder / "data"), str(folder / "log")

        def call(program: str, *given: str) -> None:
            done = subprocess.run(
                [*before, str(programs / program), *given],
                cwd="/",
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
            )
            if done.returncode:
                raise SystemExit(f"{program}: {done.stderr.strip()}")

        call("initdb", "-D", data, "-U", "campaign", "--auth=trust", "--no-sync")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
        call("pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "start")
        try:
            call("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "campaign", database)
            yield f"postgresql://campaign@127.0.0.1:{port}/{database}"
        finally:
            call("pg_ctl", "-D", data, "-m", "immediate", "stop")
