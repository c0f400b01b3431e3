"""Kernels compiled together: in two processes, all of them, and what an induction needs among them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from forked_processes import ForkedProcesses

from recombine.kernels.compile_kernels import Compilation, missing_kernels
from recombine.models.nqg.induction.kernels import KERNELS

LIGHT = (
    "recombine.models.nqg.induction.embedding:find_embedding",
    "recombine.structures.programs.local_structure_kernels:mark_columns",
    "recombine.structures.programs.local_structure_kernels:link_nodes",
)
COMPILE = """
import json, sys
from recombine.kernels.compile_kernels import Compilation, find_kernel, missing_kernels
names = json.loads(sys.argv[1])
with Compilation(names) as compilation:
    begun = len(compilation.missing)
    compilation._feeder and compilation._feeder.join()  # the other process takes all that this one does not
    compilation.finish()
own = sum(len(find_kernel(name).compiled.stats.cache_misses) for name in names)
print(json.dumps([begun, own, missing_kernels(names)]))
"""
INDUCE = """
import json, sys
import recombine
from recombine.kernels.kernel import Kernel
from recombine.kernels import compile_kernels
compile_kernels.Compilation.finish = lambda self: None
compile_kernels.missing_kernels = lambda names: []
recombine.induce(recombine.generate("scan", n=400, seed=1).dataset, restarts=2)
loaded = [vars(module) for name, module in sys.modules.items() if name.startswith("recombine.")]
kernels = {id(each): each for names in loaded for each in names.values() if isinstance(each, Kernel)}
called = [each.py_func for each in kernels.values() if "compiled" in vars(each)]
print(json.dumps(sorted(f"{each.__module__}:{each.__qualname__}" for each in called)))
"""


def printed(done: subprocess.CompletedProcess[str]) -> object:
    """What a process printed, which ended well."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_other_process_compiles_into_the_same_folder(tmp_path: Path, processes: ForkedProcesses) -> None:
    result = printed(processes.run_code(COMPILE, json.dumps(LIGHT), RECOMBINE_KERNELS=str(tmp_path)))
    assert result == [3, 0, []]
    assert printed(processes.run_code(COMPILE, json.dumps(LIGHT), RECOMBINE_KERNELS=str(tmp_path))) == [0, 0, []]


def test_all_is_compiled_here_where_the_other_process_ends(tmp_path: Path, processes: ForkedProcesses) -> None:
    ends = "import recombine.kernels.compile_kernels as module\nmodule._CHILD = 'exit()'\n"
    broken = COMPILE.replace("with Compilation", f"{ends}with Compilation")
    result = printed(processes.run_code(broken, json.dumps(LIGHT), RECOMBINE_KERNELS=str(tmp_path)))
    assert isinstance(result, list)
    begun, own, missing = result
    assert begun == 3
    assert own + len(missing) == 3
    assert own > 0


def test_without_compiling_the_kernels_are_plain_functions(tmp_path: Path) -> None:
    code = "import recombine\nprint(len(recombine.induce([('jump', 'J'), ('jump twice', 'J J')]).grammar))"
    # numba reads the variable when it is imported: a process from nothing.
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "RECOMBINE_KERNELS": str(tmp_path / "kernels")}
    command = [sys.executable, "-c", code]
    assert printed(subprocess.run(command, env=env, capture_output=True, text=True, check=False)) == 2
    assert not (tmp_path / "kernels").exists()


def test_an_induction_asks_for_no_other_kernels(processes: ForkedProcesses) -> None:
    asked = printed(processes.run_code(INDUCE))
    assert isinstance(asked, list)
    assert "recombine.models.nqg.induction.split_kernels:splits" in asked
    assert set(asked) <= set(KERNELS)


def test_after_the_tests_began_nothing_is_missing() -> None:
    assert missing_kernels(KERNELS) == []
    with Compilation(KERNELS) as compilation:
        assert compilation.missing == []


def test_nothing_is_compiled_ahead_where_it_cannot_be_kept(tmp_path: Path, processes: ForkedProcesses) -> None:
    (tmp_path / "file").write_text("in the way")
    assert printed(
        processes.run_code(COMPILE, json.dumps(LIGHT), RECOMBINE_KERNELS=str(tmp_path / "file" / "kernels"))
    ) == [0, 0, []]
