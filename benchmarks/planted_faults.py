"""Plants one fault at a time in a copy of the repository and says which test sees it.

    python benchmarks/planted_faults.py                            the whole list, benchmarks/planted_faults.toml
    python benchmarks/planted_faults.py OTHER.toml --only quota    the faults of another list whose name holds a word
    python benchmarks/planted_faults.py --check                    only that every fault can still be planted
    python benchmarks/planted_faults.py --interpreted --only nqg   kernels as plain Python: no compiling, slower tests
    python benchmarks/planted_faults.py --patch FILE --tests tests/splits/search/test_mcd.py

A list is TOML; each `[[fault]]` has a `name`, the `tests` that should see it (paths or node ids), and either `file`,
`old` and `new`, with `line` where the old text stands more than once, or `patch`, a unified diff. `equivalent` gives
the reason why no test can see it. A fault whose old text is not there is refused, and so is a list whose tests fail
without any fault. Exit code 0: all faults are seen; 1: some survive; 2: the list does not fit the code.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_suffix(".toml")
LEFT_BEHIND = (".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".benchmarks", "demo")
PLUGIN = """from hypothesis import Phase, settings
settings.register_profile("planted", phases=[Phase.explicit, Phase.generate])
settings.load_profile("planted")
"""
"""A failing example is enough: the smallest one is not looked for."""
LIMIT = 900.0
"""Seconds that the tests of one fault may take; a fault that makes them take longer counts as seen."""


class ListError(Exception):
    """A list of faults that does not fit the code."""


@dataclass(frozen=True)
class Fault:
    """One change to the code, and the tests that should fail with it."""

    name: str
    tests: tuple[str, ...]
    file: str = ""
    old: str = ""
    new: str = ""
    line: int | None = None
    patch: str = ""
    equivalent: str = ""

    @staticmethod
    def read(entry: dict[str, Any]) -> Fault:
        """One entry of a list."""
        try:
            fault = Fault(**{**entry, "tests": tuple(entry["tests"])})
        except (TypeError, KeyError) as error:
            raise ListError(f"the fault {entry.get('name')!r}: {error}") from None
        if bool(fault.patch) == bool(fault.file) or not fault.tests:
            raise ListError(f"the fault {fault.name!r} needs tests, and either a patch or a file with old and new text")
        return fault

    def changed(self, root: Path) -> dict[str, str]:
        """The new text of each file that the fault touches."""
        if self.patch:
            return self._patched(root)
        path = root / self.file
        if not path.is_file():
            raise ListError(f"the fault {self.name!r}: there is no file {self.file}")
        text = path.read_text(encoding="utf-8")
        if self.line is None:
            count = text.count(self.old)
            if count != 1 or not self.old:
                raise ListError(f"the fault {self.name!r}: its old text stands {count} times in {self.file}, not once")
            return {self.file: text.replace(self.old, self.new)}
        lines = text.splitlines(keepends=True)
        if not 1 <= self.line <= len(lines) or lines[self.line - 1].count(self.old) != 1 or not self.old:
            raise ListError(f"the fault {self.name!r}: its old text is not once in line {self.line} of {self.file}")
        lines[self.line - 1] = lines[self.line - 1].replace(self.old, self.new)
        return {self.file: "".join(lines)}

    def _patched(self, root: Path) -> dict[str, str]:
        """The files of a unified diff once it is applied, with no context fuzz."""
        names = sorted({name.split("\t")[0].strip() for name in re.findall(r"^\+\+\+ (.*)$", self.patch, re.M)})
        level = int(all(name.startswith("b/") for name in names))
        names = [name[2 * level :] for name in names]
        if not names or any(not (root / name).is_file() for name in names):
            raise ListError(f"the fault {self.name!r}: its patch names no file, or one that is not there: {names}")
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, Path(folder) / name)
            text = self.patch if self.patch.endswith("\n") else self.patch + "\n"
            done = subprocess.run(
                [shutil.which("patch") or "patch", "-s", "-F0", f"-p{level}"],
                cwd=folder,
                input=text,
                text=True,
                capture_output=True,
                check=False,
            )
            if done.returncode:
                raise ListError(f"the fault {self.name!r}: its patch does not apply: {done.stdout.strip()[:200]}")
            return {name: (Path(folder) / name).read_text(encoding="utf-8") for name in names}


@dataclass(frozen=True)
class Outcome:
    """What the tests made of a fault."""

    name: str
    state: str
    by: str
    seconds: float


def copy_tree(folder: Path) -> Path:
    """A copy of the repository with the times of its files, so that compiled kernels stay valid."""
    copy = folder / "tree"
    (folder / "planted_profile.py").write_text(PLUGIN, encoding="utf-8")
    shutil.copytree(ROOT, copy, symlinks=True, ignore=lambda _, names: [name for name in names if name in LEFT_BEHIND])
    return copy


@contextmanager
def planted(fault: Fault, tree: Path) -> Iterator[None]:
    """The fault stands in the tree; afterwards the files and their compiled kernels are as before."""
    texts = fault.changed(tree)
    with tempfile.TemporaryDirectory() as folder:
        caches = {(tree / name).parent / "__pycache__" for name in texts}
        kept = [(cache, Path(folder) / str(place)) for place, cache in enumerate(sorted(caches))]
        for cache, aside in kept:
            if cache.is_dir():
                shutil.copytree(cache, aside)
        for place, name in enumerate(texts):
            shutil.copy2(tree / name, Path(folder) / f"file{place}")
        try:
            for name, text in texts.items():
                (tree / name).write_text(text, encoding="utf-8")
            yield
        finally:
            for place, name in enumerate(texts):
                shutil.copy2(Path(folder) / f"file{place}", tree / name)
            for cache, aside in kept:
                shutil.rmtree(cache, ignore_errors=True)
                if aside.is_dir():
                    shutil.copytree(aside, cache)


def run_tests(tests: tuple[str, ...], tree: Path, *, interpreted: bool = False) -> tuple[str, str]:
    """Whether the tests pass in a tree ("survived"), fail ("killed"), or cannot be run, and the first that fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
    command += ["-p", "planted_profile", "--hypothesis-seed=0"]
    if any("::" in test for test in tests):
        command += ["-m", "slow or not slow"]  # a long proof that is named is run
    settings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(tree.parent)]),
        "PYTHONDONTWRITEBYTECODE": "1",  # two faults of one length in one second would share their byte code
        "OMP_NUM_THREADS": "1",
    }
    if interpreted:
        settings["NUMBA_DISABLE_JIT"] = "1"
        command += ["-W", "ignore::RuntimeWarning"]  # whole numbers wrap around there as they do when compiled
    try:
        done = subprocess.run(
            [*command, *tests], cwd=tree, env=settings, text=True, capture_output=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return "killed", f"no end after {LIMIT:.0f} s"
    if done.returncode == 0:
        return "survived", ""
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
    if failed:
        return "killed", failed[0]
    if done.returncode in (4, 5):
        raise ListError(f"the tests {' '.join(tests)} cannot be run: {done.stdout[-300:]} {done.stderr[-300:]}")
    return "killed", f"pytest ended with code {done.returncode}"


def run_faults(faults: list[Fault], tree: Path, *, interpreted: bool = False) -> Iterator[Outcome]:
    """Plant each fault in turn; the tests must pass without it."""
    sound: set[tuple[str, ...]] = set()
    for fault in faults:
        if fault.tests not in sound:
            state, by = run_tests(fault.tests, tree, interpreted=interpreted)
            if state != "survived":
                raise ListError(f"without any fault, a test of {fault.name!r} fails: {by}")
            sound.add(fault.tests)
        start = time.perf_counter()
        with planted(fault, tree):
            state, by = run_tests(fault.tests, tree, interpreted=interpreted)
        if state == "survived" and fault.equivalent:
            state, by = "equivalent", fault.equivalent
        yield Outcome(fault.name, state, by, round(time.perf_counter() - start, 1))


def read_list(path: Path) -> list[Fault]:
    """The faults of a file, each with a name of its own."""
    faults = [Fault.read(entry) for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("fault", ())]
    names = [fault.name for fault in faults]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice or not faults:
        raise ListError(f"{path} has no faults, or two of one name: {twice}")
    return faults


def check_list(faults: list[Fault], root: Path = ROOT) -> None:
    """Refuse faults that cannot be planted, that change nothing, or whose tests are not there."""
    for fault in faults:
        if all((root / name).read_text(encoding="utf-8") == text for name, text in fault.changed(root).items()):
            raise ListError(f"the fault {fault.name!r} changes nothing")
        for test in fault.tests:
            if not (root / test.split("::")[0]).exists():
                raise ListError(f"the fault {fault.name!r}: there is no test file {test}")


def main() -> int:
    """Read the list, plant, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="*", type=Path, help="lists of faults (the repository's own by default)")
    parser.add_argument("--only", default="", help="only faults whose name holds this")
    parser.add_argument("--check", action="store_true", help="only check that the faults can be planted")
    parser.add_argument("--patch", type=Path, help="a unified diff to plant instead of a list")
    parser.add_argument("--tests", nargs="+", default=[], help="the tests that should see --patch")
    parser.add_argument("--interpreted", action="store_true", help="run kernels without compiling them")
    parser.add_argument("--out", type=Path, help="write the outcomes as JSON")
    asked = parser.parse_args()
    try:
        if asked.patch:
            faults = [Fault(asked.patch.name, tuple(asked.tests), patch=asked.patch.read_text(encoding="utf-8"))]
        else:
            faults = [fault for path in asked.lists or [LIST] for fault in read_list(path) if asked.only in fault.name]
        check_list(faults)
        if asked.check:
            print(f"{len(faults)} faults can be planted")
            return 0
        outcomes = []
        with tempfile.TemporaryDirectory(prefix="planted_faults_") as folder:
            for outcome in run_faults(faults, copy_tree(Path(folder)), interpreted=asked.interpreted):
                outcomes.append(outcome)
                print(f"{outcome.state:10} {outcome.seconds:6.1f} s  {outcome.name}  {outcome.by}", flush=True)
    except ListError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if asked.out:
        asked.out.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1) + "\n", encoding="utf-8")
    counts = {state: sum(o.state == state for o in outcomes) for state in ("killed", "survived", "equivalent")}
    print(", ".join(f"{count} {state}" for state, count in counts.items()))
    return int(counts["survived"] > 0)


if __name__ == "__main__":
    sys.exit(main())
