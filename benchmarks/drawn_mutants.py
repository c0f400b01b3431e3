"""Sixty small faults drawn by a seed, and whether the tests see them.

    pip install cosmic-ray==8.7.0        into an environment of its own; the package does not depend on it
    python benchmarks/drawn_mutants.py list SESSION     writes cosmic-ray's list of all mutants into a session file
    python benchmarks/drawn_mutants.py draw SESSION     draws the sixty and keeps them in results/drawn_mutants.json
    python benchmarks/drawn_mutants.py near [N ...]     plants all, or those numbered, and runs the nearest tests
    python benchmarks/drawn_mutants.py replay [N ...]   the same, and where they pass, those of the room and its users
    python benchmarks/drawn_mutants.py check            runs the tests that killed without any fault: they must pass

`list` and `draw` run with cosmic-ray's environment, the rest with the project's. The sixty were drawn at the commit
that the list names, and line numbers are of it; paths and texts have followed the files since. All mutants of the rooms
are sorted by file, place and operator, shuffled by `random.Random(SEED)` and taken from the front. Passed over are
those in type annotations, docstrings and blocks for the type checker, which no run can see; they are counted.

`near` and `replay` plant each mutant in a copy of the tree that keeps the times of files, so that compiled kernels of
other files stay valid. The nearest tests are the module's own examples and the test files that name the module. A run
beyond the limit of processor time counts as killed, and its entry says why it has no end. Verdicts are `killed` and
`survived`; a mutant that cannot change what the package does is `equivalent`, and its entry says why; one whose line
was of no use is `removed` with it. `existing_tests` is the verdict of the nearest tests there were at the time of the
draw, `by` the test that kills now.
"""

from __future__ import annotations

import ast
import difflib
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SEED = 20261115
NUMBER = 60
ROOMS = ("measures", "splits", "evaluation", "easiness", "kb", "models/nqg")
ROOT = Path(__file__).parent.parent
KEPT = ROOT / "benchmarks" / "results" / "drawn_mutants.json"
PACKAGE = Path("src", "recombine")
LIMIT = 50  # seconds of one core for the nearest tests, twice as many where the mutant has kernels compiled again
MEMORY = 8 << 30  # bytes: a mutant that fills an array without end must not take the machine with it
PLUGIN = """from hypothesis import Phase, settings
settings.register_profile("first", phases=(Phase.explicit, Phase.generate), database=None)
settings.load_profile("first")
"""  # the first failing case is enough: no time is spent on a smaller one
USERS = {
    "measures": ["tests/measures", "tests/splits", "tests/pages", "tests/cli"],
    "splits": ["tests/splits", "tests/cli"],
    "evaluation": ["tests/evaluation", "tests/cli", "tests/studies"],
    "kb": ["tests/kb", "tests/evaluation"],
    "easiness": ["tests/easiness", "tests/evaluation", "tests/selection", "tests/splits", "tests/cli"],
    "models/nqg": ["tests/models/nqg", "tests/pages/parser/test_nqg_page.py", "tests/pages/parser/test_nqg_report.py"],
}


def list_mutants(session: Path) -> None:
    """Let cosmic-ray list every mutant of the rooms."""
    rooms = ", ".join(f'"{PACKAGE / room}"' for room in ROOMS)
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "settings.toml")
        settings.write_text(
            f'[cosmic-ray]\nmodule-path = [{rooms}]\ntimeout = 60.0\nexcluded-modules = []\ntest-command = "true"\n'
            '[cosmic-ray.distributor]\nname = "local"\n'
        )
        command = [sys.executable, "-m", "cosmic_ray.cli", "init", str(settings), str(session.resolve()), "--force"]
        subprocess.run(command, check=True, cwd=ROOT)


def read_session(session: Path) -> list[tuple[Any, ...]]:
    """Every mutant of a session, in an order that does not depend on how they were found."""
    columns = "module_path, start_pos_row, start_pos_col, end_pos_row, end_pos_col, operator_name, occurrence"
    with sqlite3.connect(session) as connection:
        rows = connection.execute(f"SELECT {columns}, operator_args FROM mutation_specs").fetchall()  # noqa: S608
    return sorted(rows)


def iter_unseen(tree: ast.Module) -> Iterator[ast.AST]:
    """What no run can see: annotations, docstrings and blocks for the type checker."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield node.annotation
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield node.returns
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            yield node
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node


def is_unseen(tree: ast.Module, row: int, column: int) -> bool:
    """Whether a place lies in what no run can see."""
    return any(
        (node.lineno, node.col_offset) <= (row, column) < (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        for node in iter_unseen(tree)
    )


def changed_lines(before: str, after: str) -> tuple[int, list[str], list[str]]:
    """The number of the first changed line, and the changed lines before and after."""
    old, new = before.split("\n"), after.split("\n")
    changes = [code for code in difflib.SequenceMatcher(None, old, new, False).get_opcodes() if code[0] != "equal"]
    start, end = changes[0][1], changes[-1][2]
    return start + 1, old[start:end], new[changes[0][3] : changes[-1][4]]


def draw(session: Path) -> dict[str, Any]:
    """The sixty, with the numbers of mutants there are and of those passed over."""
    import cosmic_ray.mutating
    import cosmic_ray.plugins

    mutants = read_session(session)
    random.Random(SEED).shuffle(mutants)  # noqa: S311
    drawn: list[dict[str, Any]] = []
    passed_over = 0
    for path, row, column, _, _, operator, occurrence, _ in mutants:
        if len(drawn) == NUMBER:
            break
        source = (ROOT / path).read_text()
        if is_unseen(ast.parse(source), row, column):
            passed_over += 1
            continue
        mutator = cosmic_ray.plugins.get_operator(operator)()
        line, before, after = changed_lines(source, cosmic_ray.mutating.mutate_code(source, mutator, occurrence))
        drawn.append(
            {
                "number": len(drawn) + 1,
                "file": path,
                "line": line,
                "operator": operator,
                "occurrence": occurrence,
                "before": before,
                "after": after,
            }
        )
    return {"seed": SEED, "listed": len(mutants), "passed_over": passed_over, "rooms": ROOMS, "mutants": drawn}


def planted(source: str, mutant: dict[str, Any]) -> str:
    """The source with a mutant in it; its lines are looked for nearest to where they stood."""
    lines, before = source.split("\n"), mutant["before"]
    places = [at for at in range(len(lines)) if lines[at : at + len(before)] == before]
    if not places:
        raise SystemExit(f"mutant {mutant['number']}: its lines are no longer in {mutant['file']}; draw again")
    place = min(places, key=lambda at: abs(at - mutant["line"] + 1))
    return "\n".join(lines[:place] + mutant["after"] + lines[place + len(before) :])


def naming(file: str, folder: str) -> list[str]:
    """The files in a folder that name a module or are named after it."""
    *rooms, module = Path(file).with_suffix("").parts[1:]
    names = re.compile(rf"\b{re.escape('.'.join(rooms))}(\.{module}\b| import \(?[^()\n]*\b{module}\b)")
    return [
        str(other.relative_to(ROOT))
        for other in sorted((ROOT / folder).rglob("*.py"))
        if names.search(other.read_text()) or str(other).endswith("/".join([*rooms[1:], f"test_{module}.py"]))
    ]


def nearest_tests(file: str) -> list[list[str]]:
    """The module's own examples and the tests that name it; then the tests that name a module that imports it."""
    near = [test for test in naming(file, "tests") if "test_" in test]
    users = {test for user in naming(file, "src") for test in naming(user, "tests") if "test_" in test}
    return [[file, *near], sorted(users.difference(near))]


def limit_resources(seconds: int) -> None:
    """Let this process end where it runs or grows without end."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def run_tests(tree: Path, tests: list[str], limit: int) -> tuple[str, str]:
    """The verdict of some tests on a tree, and the first test that failed."""
    (tree.parent / "first_case.py").write_text(PLUGIN)
    path = os.pathsep.join([str(tree / "src"), str(tree.parent)])
    environment = dict(os.environ, PYTHONPATH=path, OMP_NUM_THREADS="1", PYTHONHASHSEED="0")
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-p", "first_case"]
    command += ["--hypothesis-seed=0", "-rfE", *tests]
    run = subprocess.run(
        command,
        cwd=tree,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=lambda: limit_resources(limit),
    )
    output = run.stdout
    if run.returncode in (0, 5):  # 5: a module without examples, and nothing else to run
        return "survived", ""
    if run.returncode == 4:
        raise SystemExit(f"the tests could not be called:\n{output}")
    if run.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "killed", f"no end within {limit} s of a core: {' '.join(tests)}"
    if run.returncode < 0:
        return "killed", f"{signal.Signals(-run.returncode).name}: {' '.join(tests)}"
    failed = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
    return "killed", failed[0] if failed else output.strip().splitlines()[-1]


def copy_tree(folder: str) -> Path:
    """A copy of the repository that keeps times, by which compiled kernels are known."""
    ignored = shutil.ignore_patterns(".git", ".venv", ".mypy_cache", ".hypothesis", ".benchmarks")
    return shutil.copytree(ROOT, Path(folder, "tree"), ignore=ignored)


def try_mutant(mutant: dict[str, Any], *, users: bool) -> dict[str, Any]:
    """What came of a mutant under the nearest tests, and under those of its room and its users."""
    room = next(room for room in ROOMS if mutant["file"].startswith(f"{PACKAGE / room}/"))
    started = time.perf_counter()
    verdict, by, tried = "survived", "", []
    with tempfile.TemporaryDirectory(prefix="mutant_") as folder:
        tree = copy_tree(folder)
        file = tree / mutant["file"]
        file.write_text(planted(file.read_text(), mutant))
        limit = 2 * LIMIT if "@kernel" in file.read_text() else LIMIT
        lists = [tests for tests in (*nearest_tests(mutant["file"]), USERS[room]) if tests]
        if not users:
            lists = lists[:1] if len(lists[0]) > 1 else lists[:2]
        if "::" in mutant.get("by", ""):
            lists.insert(0, [mutant["by"]])  # what killed it before is tried first
        for tests in lists:
            verdict, by = run_tests(tree, tests, 20 * LIMIT if tests is USERS[room] else limit)
            tried += tests
            if verdict == "killed":
                break
    seconds = round(time.perf_counter() - started)
    return {"verdict": verdict, "by": by, "tried": tried if verdict == "survived" else [], "seconds": seconds}


def keep(kept: dict[str, Any]) -> None:
    """Write the list whole."""
    import json

    temporary = KEPT.with_suffix(".tmp")
    temporary.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    temporary.replace(KEPT)


def read_kept() -> dict[str, Any]:
    """The list as it stands."""
    import json

    return json.loads(KEPT.read_text())  # type: ignore[no-any-return]


def replay(numbers: set[int], *, users: bool) -> None:
    """Try all mutants, or those numbered, and keep each verdict at once."""
    for mutant in read_kept()["mutants"]:
        if (numbers and mutant["number"] not in numbers) or "removed" in mutant:
            continue
        found = try_mutant(mutant, users=users)
        kept = read_kept()  # read again: reasons may have been written meanwhile
        entry = next(entry for entry in kept["mutants"] if entry["number"] == mutant["number"])
        if found["verdict"] == "survived" and "why" in entry:
            found["verdict"] = "equivalent"
        entry |= found
        keep(kept)
        print(*(entry[name] for name in ("number", "file", "line", "verdict", "by", "seconds")), flush=True)


def check() -> None:
    """Run the tests that killed a mutant on a tree without a fault."""
    tests = sorted(
        {re.sub(r"\[.*", "", entry["by"]) for entry in read_kept()["mutants"] if "::" in entry.get("by", "")}
    )
    with tempfile.TemporaryDirectory(prefix="mutant_") as folder:
        print(len(tests), "tests:", *run_tests(copy_tree(folder), tests, 20 * LIMIT))


def main(arguments: list[str]) -> None:
    """One of the steps."""
    match arguments:
        case ["list", session]:
            list_mutants(Path(session))
        case ["draw", session]:
            if KEPT.exists():
                raise SystemExit(f"{KEPT} holds verdicts; move it away to draw again")
            keep(draw(Path(session)))
        case ["near" | "replay" as step, *numbers]:
            replay({int(number) for number in numbers}, users=step == "replay")
        case ["check"]:
            check()
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
