"""Files piece by piece: whole or not at all, whatever happens in the middle."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recombine import pieces
from recombine.errors import InputFileError, OutputFileError
from recombine.pieces import open_pieces, write_pieces


@pytest.fixture(params=["nameless", "named"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to write: with a file that has no name, where the system has them, and in a hidden folder."""
    if request.param == "named":
        monkeypatch.setattr(pieces, "_nameless_file", lambda _: None)


@pytest.mark.usefixtures("_way")
def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    write_pieces(path, [b"one ", b"two"])
    assert path.read_bytes() == b"one two"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    with open_pieces(path) as stream:
        assert (stream.read(4), stream.read(9)) == (b"one ", b"two")


@pytest.mark.usefixtures("_way")
def test_packed_files_have_no_time_stamp(tmp_path: Path) -> None:
    for name in ("a.json.gz", "b.json.gz"):
        write_pieces(tmp_path / name, [b"one ", b"two"])
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.json.gz").read_bytes()) == b"one two"
    with open_pieces(tmp_path / "a.json.gz") as stream:
        assert stream.read() == b"one two"


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), ValueError("x")])
def test_nothing_is_left_of_a_failure(tmp_path: Path, error: BaseException) -> None:
    def failing() -> Iterator[bytes]:
        yield b"one"
        raise error

    path = tmp_path / "a.json"
    path.write_text("old")
    wanted = OutputFileError if isinstance(error, OSError) else type(error)
    with pytest.raises(wanted) as caught:
        write_pieces(path, failing())
    if isinstance(error, OSError):
        assert str(caught.value) == f"{path}: cannot be written (No space left on device); choose another place"
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_killed_process_leaves_nothing(tmp_path: Path) -> None:
    if pieces._nameless_file(tmp_path) is None:
        pytest.skip("this file system has no files without a name")
    program = """
import sys, time
from recombine.pieces import write_pieces
def slow():
    yield b"x" * 10_000_000
    print("begun", flush=True)
    time.sleep(60)
write_pieces(sys.argv[1], slow())
"""
    command = [sys.executable, "-c", program, str(tmp_path / "a.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no such file"), open_pieces(tmp_path / "a.json"):
        pass
    packed = tmp_path / "a.json.gz"
    packed.write_bytes(gzip.compress(os.urandom(5000))[:-100])
    with pytest.raises(InputFileError, match="not a whole gzip file"), open_pieces(packed) as stream:
        stream.read()
