"""Compiled kernels on disk: found from anywhere, remade when damaged, and no more than missed elsewhere."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest
from forked_processes import ForkedProcesses

import recombine
from recombine.kernels.kernel_folder import kernel_folder

TUPLE = '''"""A tuple."""
from typing import Any, NamedTuple

class Pair(NamedTuple):
    {fields}: Any
'''
FILE = '''"""A kernel."""
import numpy as np
from recombine.kernels.kernel import kernel, part
from pair import Pair

@part
def _twice(number):
    return number * {factor}

@kernel
def doubled(pair):
    return _twice(pair.first) - _twice(pair.second)

@kernel
def total(numbers):
    return doubled(Pair(0, 0)) + numbers.sum()
'''
CALL = """
import sys
sys.path.insert(0, {folder!r})
import warnings
warnings.simplefilter("always")
from numba.core import event
from recombine.progress import Listener, listening
class Printer(Listener):
    def stage(self, message): print("stage:", message)
    def note(self, message): print("note:", message)
import small
from pair import Pair
with listening(Printer()), event.install_recorder("numba:compile") as compiled:
    value = {call}
starts = [each.data["dispatcher"].py_func for _, each in compiled.buffer if each.is_start]
print(value, sum(function.__module__ == "small" for function in starts))
"""
PACKAGE = """
import numpy as np
from numba.core import event
from recombine.models.nqg.induction.embedding import find_embedding
with event.install_recorder("numba:compile") as compiled:
    found = find_embedding(np.array([2], np.int32), np.array([0, 2, 3]), np.array([2, 3, 4], np.int32))
copy = find_embedding.compiled.py_func.__code__.co_filename
print(found.tolist(), sum(each.is_start for _, each in compiled.buffer), copy)
"""
TRY_LOCK = """
import fcntl, os
import numpy as np
replace = os.replace
def tried(written, path):
    if str(path).endswith((".nbi", ".nbc")):
        with open(os.path.join(os.path.dirname(path), os.pardir, "lock"), "ab") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                print("free")
            except BlockingIOError:
                print("locked")
    replace(written, path)
os.replace = tried
"""
FIRST_SECOND = "first: Any\n    second"


def place(folder: Path, *, factor: int = 2, fields: str = FIRST_SECOND) -> Path:
    """A folder with a module that has kernels, and one that has a tuple which they take."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "small.py").write_text(FILE.format(factor=factor))
    (folder / "pair.py").write_text(TUPLE.format(fields=fields))
    return folder


DOUBLED = "small.doubled(Pair(first=5, second=3))"


def start(folder: Path, kernels: Path, call: str, before: str) -> subprocess.Popen[str]:
    """A process that calls a kernel of a folder."""
    code = before + CALL.format(folder=str(folder), call=call)
    env = {**os.environ, "RECOMBINE_KERNELS": str(kernels)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code], env=env, **pipes)  # type: ignore[call-overload,no-any-return]


class Run(Protocol):
    """Call a kernel of a folder in a process: what is said, and the value with how many functions were compiled."""

    def __call__(self, folder: Path, kernels: Path, call: str = DOUBLED, before: str = "") -> list[str]: ...


@pytest.fixture(scope="module")
def run(processes: ForkedProcesses) -> Run:
    """Forked processes, into which numba was imported before, and nothing compiled."""

    def call_a_kernel(folder: Path, kernels: Path, call: str = DOUBLED, before: str = "") -> list[str]:
        code = before + CALL.format(folder=str(folder), call=call)
        done = processes.run_code(code, RECOMBINE_KERNELS=str(kernels))
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return call_a_kernel


def ending(process: subprocess.Popen[str]) -> list[str]:
    """What a process prints, which ends well."""
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.splitlines()


def files(kernels: Path, suffix: str) -> list[Path]:
    """The files of numba's, or the lists of them."""
    return sorted(kernels.rglob(f"*{suffix}"))


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """An empty folder for kernels, which is not there yet."""
    return tmp_path / "kernels"


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    """A folder of kernels after a first call; nobody changes it."""
    folder = tmp_path_factory.mktemp("compiled")
    run(place(folder / "one"), folder / "kernels")
    return folder / "kernels"


@pytest.fixture
def compiled(compiled_once: Path, kernels: Path) -> Path:
    """The kernels as a first call leaves them."""
    shutil.copytree(compiled_once, kernels)
    return kernels


def test_a_kernel_is_compiled_once_and_found_from_another_place(tmp_path: Path, kernels: Path, run: Run) -> None:
    first = run(place(tmp_path / "one"), kernels)
    assert first[-1] == "4 2"
    assert len(first) == 2
    assert first[0] == "stage: compiling doubled and what else this command uses; this happens once on a machine"
    # Another path and another time of the file: numba's own cache would compile again.
    os.utime(place(tmp_path / "other" / "place") / "small.py", (1, 1))
    assert run(tmp_path / "other" / "place", kernels) == ["4 0"]


def test_the_package_in_another_environment_finds_its_kernels(tmp_path: Path, kernels: Path) -> None:
    said = []
    for name in ("one", "two"):
        folder = tmp_path / name
        source = Path(recombine.__file__).parent
        shutil.copytree(source, folder / "recombine", ignore=shutil.ignore_patterns("__pycache__", "library"))
        env = {**os.environ, "RECOMBINE_KERNELS": str(kernels), "PYTHONPATH": str(folder)}
        done = subprocess.run([sys.executable, "-c", PACKAGE], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.split())
        assert not [*folder.rglob("*.nb?")]
    (first, compiled, copy), second = said
    assert int(compiled) > 0
    assert second == [first, "0", copy]
    assert Path(copy).read_bytes() == (tmp_path / "one/recombine/models/nqg/induction/embedding.py").read_bytes()


def test_nothing_is_written_beside_the_source(tmp_path: Path, kernels: Path, run: Run) -> None:
    folder = place(tmp_path / "one")
    run(folder, kernels)
    assert not [*folder.rglob("*.nb?")]
    assert len(files(kernels, ".nbc")) == 1
    (listed,) = files(kernels, "digests.json")
    assert set(json.loads(listed.read_text())["files"]) == {path.name for path in kernels.rglob("*.nb?")}


def test_a_changed_source_or_tuple_is_compiled_anew(tmp_path: Path, compiled: Path, run: Run) -> None:
    kernels = compiled
    assert run(place(tmp_path / "two", factor=3), kernels)[-1] == "6 2"
    # The fields are told apart by their places: numba's own cache would give -4.
    assert run(place(tmp_path / "three", fields="second: Any\n    first"), kernels)[-1] == "4 2"
    assert run(place(tmp_path / "one"), kernels) == ["4 0"]


@pytest.mark.parametrize("suffix", [".nbi", ".nbc", "digests.json"])
@pytest.mark.parametrize(
    "damage", ["one bit", pytest.param("cut", marks=pytest.mark.slow), pytest.param("empty", marks=pytest.mark.slow)]
)
def test_a_damaged_file_is_said_and_remade(tmp_path: Path, compiled: Path, suffix: str, damage: str, run: Run) -> None:
    folder, kernels = place(tmp_path / "one"), compiled
    (path,) = files(kernels, suffix)
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2 if path.suffix == ".nbc" else 1] ^= 1
    path.write_bytes({"one bit": bytes(flipped), "cut": whole[: len(whole) * 2 // 3], "empty": b""}[damage])
    lines = run(folder, kernels)
    assert lines[-1] == "4 2"
    assert lines[0] == f"note: {path}: is damaged, and is made anew"
    assert run(folder, kernels) == ["4 0"]


def test_what_a_killed_process_did_not_list_is_not_run(tmp_path: Path, compiled: Path, run: Run) -> None:
    folder, kernels = place(tmp_path / "one"), compiled
    (path,) = files(kernels, "digests.json")
    path.unlink()
    (left,) = files(kernels, ".nbc")
    left.write_bytes(left.read_bytes()[:-9])
    assert run(folder, kernels)[-1] == "4 2"
    assert run(folder, kernels) == ["4 0"]


def test_a_removed_file_is_made_anew(tmp_path: Path, compiled: Path, run: Run) -> None:
    folder, kernels = place(tmp_path / "one"), compiled
    for suffix in (".nbc", ".nbi", "small.py"):
        (path,) = files(kernels, suffix)
        path.unlink()
        assert run(folder, kernels)[-1] == ("4 0" if suffix == "small.py" else "4 2")


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").write_text("in the way")
    lines = run(
        place(tmp_path / "one"),
        tmp_path / "file" / "kernels",
        call="small.total(np.ones(2))",
        before="import numpy as np\n",
    )
    assert lines[-1] == "2.0 3"
    notes = [line for line in lines if line.startswith("note:")]
    assert len(notes) == 1
    assert notes[0].startswith(f"note: compiled kernels cannot be kept in {tmp_path}/file/kernels (Not a directory)")


def test_a_full_disk_only_warns(tmp_path: Path, kernels: Path, run: Run) -> None:
    folder = place(tmp_path / "one")
    full = (
        f"import numpy as np, resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, {resource.RLIM_INFINITY}))\n"
    )
    lines = run(folder, kernels, call="small.total(np.ones(2))", before=full)
    assert lines[-1].split()[0] == "2.0"
    assert sum("cannot be kept" in line for line in lines) == 1
    assert not files(kernels, ".nbc")
    assert run(folder, kernels)[-1] == "4 2"


def test_two_processes_at_once_leave_whole_files(tmp_path: Path, kernels: Path, run: Run) -> None:
    folder = place(tmp_path / "one")
    # Both compile the same kernel, for other types, which numba would write under one name.
    calls = [f"small.total(np.ones(2, {kind!r}))" for kind in ("int32", "float32", "int64")]
    numpy = "import numpy as np\n"
    processes = [start(folder, kernels, call, numpy) for call in calls]
    assert [float(ending(each)[-1].split()[0]) for each in processes] == [2, 2, 2]
    assert len(files(kernels, ".nbc")) == 4
    assert {path.suffix for path in kernels.rglob("__pycache__/*")} == {".nbi", ".nbc"}
    assert {path.name for path in kernels.glob("*/*") if path.is_file()} == {"small.py", "digests.json", "lock"}
    for call in calls:
        (line,) = run(folder, kernels, call=call, before=numpy)
        assert line in ("2 0", "2.0 0")


def test_the_folder_is_locked_while_numba_writes(tmp_path: Path, kernels: Path, run: Run) -> None:
    lines = run(place(tmp_path / "one"), kernels, call="small.total(np.ones(2))", before=TRY_LOCK)
    assert [line for line in lines if line in ("free", "locked")] == 4 * ["locked"]


def test_where_kernels_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RECOMBINE_KERNELS", str(tmp_path))
    assert kernel_folder() == tmp_path
    monkeypatch.delenv("RECOMBINE_KERNELS")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert kernel_folder() == Path("/cache/recombine/kernels")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert kernel_folder() == Path("/home/someone/.cache/recombine/kernels")


def test_importing_kernels_compiles_and_writes_nothing(kernels: Path) -> None:
    code = (
        "from numba.core import event\n"
        "from recombine.kernels.signatures import find_kernel, known_signatures\n"
        "with event.install_recorder('numba:compile') as compiled:\n"
        "    print(len([find_kernel(name) for name in known_signatures()]) > 30, len(compiled.buffer))"
    )
    env = {**os.environ, "RECOMBINE_KERNELS": str(kernels)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "0"]
    assert not kernels.exists()
