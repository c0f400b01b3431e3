"""Compiled kernels on disk: found from anywhere, remade when damaged, and no more than missed elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recombine.kernels.kernel_folder import kernel_folder

FILE = '''"""A kernel."""
from typing import Any, NamedTuple
import numpy as np
from recombine.kernels.kernel import kernel, part

class Pair(NamedTuple):
    {fields}: Any

@part
def _twice(number):
    return number * {factor}

@kernel
def doubled(pair):
    return _twice(pair.first) + _twice(pair.second)
'''
CALL = """
import sys
sys.path.insert(0, {folder!r})
import warnings
warnings.simplefilter("always")
from recombine.progress import Listener, listening
class Printer(Listener):
    def stage(self, message): print("stage:", message)
    def note(self, message): print("note:", message)
import {module}
with listening(Printer()):
    print({module}.doubled({module}.Pair(2, 3)), len({module}.doubled._cache.compiled))
"""


def place(folder: Path, *, factor: int = 2, fields: str = "first: Any\n    second", module: str = "small") -> Path:
    """A folder with a module that has a kernel."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(FILE.format(factor=factor, fields=fields))
    return folder


def call(folder: Path, kernels: Path | str, module: str = "small") -> list[str]:
    """What a process that calls the kernel of a folder prints: what it said, the value, and how much it compiled."""
    code = CALL.format(folder=str(folder), module=module)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "RECOMBINE_KERNELS": str(kernels)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """An empty folder for kernels, which is not there yet."""
    return tmp_path / "kernels"


def test_a_kernel_is_compiled_once_and_found_from_another_place(tmp_path: Path, kernels: Path) -> None:
    first = call(place(tmp_path / "one"), kernels)
    assert first[-1] == "10 1"
    assert len(first) == 2
    assert "doubled" in first[0]
    assert "once" in first[0]
    # Another path and another time of the file: numba's own cache would compile again.
    os.utime(place(tmp_path / "other" / "place") / "small.py", (1, 1))
    assert call(tmp_path / "other" / "place", kernels) == ["10 0"]


def test_nothing_is_written_beside_the_source(tmp_path: Path, kernels: Path) -> None:
    folder = place(tmp_path / "one")
    call(folder, kernels)
    assert not [*folder.rglob("*.nb?")]
    assert len([*kernels.rglob("*.kernel")]) == 1


def test_a_changed_source_or_tuple_is_compiled_anew(tmp_path: Path, kernels: Path) -> None:
    call(place(tmp_path / "one"), kernels)
    assert call(place(tmp_path / "two", factor=3), kernels)[-1] == "15 1"
    assert call(place(tmp_path / "three", fields="second: Any\n    first"), kernels)[-1] == "10 1"


@pytest.mark.parametrize("damage", ["one bit", "digest", "cut", "empty"])
def test_a_damaged_file_is_said_and_remade(tmp_path: Path, kernels: Path, damage: str) -> None:
    folder = place(tmp_path / "one")
    call(folder, kernels)
    (path,) = kernels.rglob("*.kernel")
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    other_digest = bytes([whole[0] ^ 1]) + whole[1:]
    damaged = {"one bit": bytes(flipped), "digest": other_digest, "cut": whole[:-100], "empty": b""}
    path.write_bytes(damaged[damage])
    lines = call(folder, kernels)
    assert lines[-1] == "10 1"
    assert lines[0] == f"note: {path}: is damaged, and is made anew"
    assert call(folder, kernels) == ["10 0"]


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    lines = call(place(tmp_path / "one"), tmp_path / "file" / "kernels")
    assert lines[-1] == "10 1"
    assert any(line.startswith("note: compiled kernels cannot be") for line in lines)


def test_a_full_disk_only_warns(tmp_path: Path, kernels: Path) -> None:
    folder = place(tmp_path / "one")
    full = "import errno, recombine.kernels.kernel_cache as cache\n"
    full += "def fails(path, content): raise OSError(errno.ENOSPC, 'No space left on device', str(path))\n"
    full += "cache._write_whole = fails\n"
    (folder / "small.py").write_text(full + (folder / "small.py").read_text())
    lines = call(folder, kernels)
    assert lines[-1] == "10 1"
    assert sum("No space left on device" in line for line in lines) == 1
    assert not [*kernels.rglob("*.kernel")]


def test_two_processes_at_once_leave_whole_files(tmp_path: Path, kernels: Path) -> None:
    folder = place(tmp_path / "one")
    code = CALL.format(folder=str(folder), module="small")
    env = {**os.environ, "RECOMBINE_KERNELS": str(kernels)}
    both = [
        subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert [each.communicate()[0].splitlines()[-1].split()[0] for each in both] == ["10", "10"]
    assert len([*kernels.rglob("*.kernel")]) == 1
    assert not [*kernels.rglob(".*")]
    assert call(folder, kernels) == ["10 0"]


def test_where_kernels_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RECOMBINE_KERNELS", str(tmp_path))
    assert kernel_folder() == tmp_path
    monkeypatch.delenv("RECOMBINE_KERNELS")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert kernel_folder() == Path("/cache/recombine/kernels")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert kernel_folder() == Path("/home/someone/.cache/recombine/kernels")


def test_importing_kernels_compiles_nothing(kernels: Path) -> None:
    code = (
        "from recombine.kernels.signatures import find_kernel, known_signatures\n"
        "print(sum(len(find_kernel(name).overloads) for name in known_signatures()))"
    )
    env = {**os.environ, "RECOMBINE_KERNELS": str(kernels)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
    assert not kernels.exists()
