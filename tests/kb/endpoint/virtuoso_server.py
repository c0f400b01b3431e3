"""A Virtuoso of the test's own: on loopback, in a temporary folder, ended with the test whatever happens."""

from __future__ import annotations

import ctypes
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from recombine.kb.term import Term
from recombine.kb.written_term import written_term

PROGRAMS = ("virtuoso-t", "isql-vt")
CONFIG = """
[Database]
DatabaseFile = {folder}/v.db
ErrorLogFile = {folder}/v.log
LockFile = {folder}/v.lck
TransactionFile = {folder}/v.trx
xa_persistent_file = {folder}/v.pxa
FileExtend = 200
TempStorage = TempDatabase
[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
ServerThreads = 10
CheckpointInterval = 0
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
DirsAllowed = {folder}
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 5
[SPARQL]
ResultSetMaxRows = {max_rows}
"""
_PR_SET_PDEATHSIG = 1


class Virtuoso(NamedTuple):
    """A server that runs."""

    folder: Path
    sql: int
    address: str

    def load(self, facts: Iterable[tuple[str, str, str]], graph: str, base: str) -> None:
        """Put facts, by the keys of their terms, into a graph."""
        path = self.folder / f"{len(list(self.folder.iterdir()))}.ttl"
        with path.open("w", encoding="utf-8") as stream:
            for fact in facts:
                stream.write(" ".join(written_term(Term.of_key(key), base) for key in fact) + " .\n")
        self.run(f"TTLP_MT(file_to_string_output('{path}'), '', '{graph}', 0, 2, 0);")

    def run(self, command: str) -> None:
        """A command of its SQL."""
        file = self.folder / "command.sql"
        file.write_text(command + "\ncheckpoint;\n")
        done = subprocess.run(
            ["isql-vt", f"127.0.0.1:{self.sql}", "dba", "dba", str(file)],
            capture_output=True,
            text=True,
            timeout=500,
            check=True,
        )
        assert "*** Error" not in done.stdout + done.stderr, done.stdout + done.stderr


def missing_programs() -> list[str]:
    """What is not installed here."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


@contextmanager
def running_virtuoso(folder: Path, *, max_rows: int, patience: float = 240) -> Iterator[Virtuoso]:
    """A server that is up; its process ends with the block, and with this process."""
    sql, http = _free_ports(2)
    config = folder / "virtuoso.ini"
    config.write_text(CONFIG.format(folder=folder, sql=sql, http=http, max_rows=max_rows))
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            ["virtuoso-t", "-f", "+configfile", str(config)],
            cwd=folder,
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            preexec_fn=_end_with_parent,
        )
        try:
            _wait_until_up(process, folder, (sql, http), patience)
            yield Virtuoso(folder, sql, f"http://127.0.0.1:{http}/sparql")
        finally:
            process.kill()
            process.wait(30)


def _end_with_parent() -> None:
    """Have the system kill this process when the one that started it ends, by whatever signal."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _wait_until_up(process: subprocess.Popen[bytes], folder: Path, ports: tuple[int, int], patience: float) -> None:
    end = time.monotonic() + patience
    while time.monotonic() < end and process.poll() is None:
        if all(_listens(port) for port in ports):
            return
        time.sleep(0.25)
    raise AssertionError(f"Virtuoso did not come up: {(folder / 'output.txt').read_text()[-500:]}")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
