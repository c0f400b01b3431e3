"""The list of planted faults fits the code, and the runner tells seen faults from those that survive."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
CODE = "def above(value: float) -> bool:\n    return value > 2\n"
TEST = (
    "from code_under_test import above\n\n\ndef test_above() -> None:\n    assert above(3)\n    assert not above(1)\n"
)
DIFF = (
    "--- a/src/code_under_test.py\n+++ b/src/code_under_test.py\n@@ -2 +2 @@\n-    return value > 2\n+    return True\n"
)


@pytest.fixture(scope="module")
def runner() -> ModuleType:
    specification = importlib.util.spec_from_file_location("planted_faults", ROOT / "benchmarks" / "planted_faults.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["planted_faults"] = module  # its data classes look there for their annotations
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path: Path, runner: ModuleType) -> Path:
    for name, text in (("src/code_under_test.py", CODE), ("tests/test_code.py", TEST), ("pytest.ini", "[pytest]\n")):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "planted_profile.py").write_text(runner.PLUGIN)
    return tmp_path / "tree"


def test_every_fault_can_still_be_planted(runner: ModuleType) -> None:
    faults = runner.read_list(runner.LIST)
    assert len(faults) > 100
    runner.check_list(faults)


def test_faults_are_planted_seen_and_taken_back(runner: ModuleType, tree: Path) -> None:
    options = {"file": "src/code_under_test.py", "tests": ("tests/test_code.py",)}
    faults = [
        runner.Fault("by line", line=2, old="2", new="9", **options),
        runner.Fault("by patch", tests=options["tests"], patch=DIFF),
        runner.Fault("the bound", old="> 2", new="> 1.5", **options),
        runner.Fault("the same", old="> 2", new="> 2.0", equivalent="2 is 2.0", **options),
    ]
    found = {outcome.name: outcome for outcome in runner.run_faults(faults, tree)}
    assert {name: outcome.state for name, outcome in found.items()} == {
        "by line": "killed",
        "by patch": "killed",
        "the bound": "survived",
        "the same": "equivalent",
    }
    assert found["by line"].by == "tests/test_code.py::test_above"
    assert (tree / "src/code_under_test.py").read_text() == CODE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"old": "> 3"}, "its old text stands 0 times"),
        ({"old": "e"}, "its old text stands"),
        ({"file": "src/gone.py"}, "there is no file src/gone.py"),
        ({"line": 1}, "not once in line 1"),
        ({"line": 7}, "not once in line 7"),
        ({"new": "> 2"}, "changes nothing"),
        ({"tests": ("tests/gone.py",)}, "there is no test file tests/gone.py"),
        ({"file": "", "old": "", "patch": DIFF.replace("> 2", "> 3")}, "its patch does not apply"),
    ],
)
def test_a_fault_that_does_not_fit_is_refused(
    change: dict[str, object], message: str, runner: ModuleType, tree: Path
) -> None:
    plain = {"file": "src/code_under_test.py", "old": "> 2", "new": "< 2", "tests": ("tests/test_code.py",)}
    with pytest.raises(runner.ListError, match=message):
        runner.check_list([runner.Fault("fault", **{**plain, **change})], tree)


def test_tests_that_fail_anyway_are_refused(runner: ModuleType, tree: Path) -> None:
    (tree / "tests/test_code.py").write_text(TEST.replace("above(3)", "above(0)"))
    fault = runner.Fault("below", file="src/code_under_test.py", old="> 2", new="< 2", tests=("tests/test_code.py",))
    with pytest.raises(runner.ListError, match="without any fault"):
        list(runner.run_faults([fault], tree))
