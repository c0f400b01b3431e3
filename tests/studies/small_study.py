"""A study small enough to train in a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.running.run_study import Options, Ran, run_study

PAIRS = [(f"{a} {b}", f"{b.upper()} {a.upper()}") for a in "abcd" for b in "abcd"]
TINY = """
preset = "cfq:transformer"
width = 8
layers = 1
heads = 2
filter_width = 8
batch_tokens = 24
buckets = 2
steps = 30
"""
STUDY = f"""
name = "letters"
seeds = [0, 1]
curve = 10
sample = 4

[[data]]
file = "letters.tsv"

[[split]]
by = "random"
train = 12
test = 4

[[model]]
name = "tiny"
{TINY}
"""


class Study(Protocol):
    """Writes a study file with letters beside it, and gives its path."""

    def __call__(self, text: str = STUDY, *, name: str = "study.toml") -> Path: ...


def run(path: Path, results: Path, **options: Any) -> Ran:
    """Run a study file into a folder."""
    return run_study(make_plan(path, results), Options(**options))


def content(results: Path) -> dict[str, bytes]:
    """What must be the same however a study was run: all files but timings and locks."""
    kept = [
        path for path in sorted(results.rglob("*")) if path.is_file() and path.parent.name not in ("timings", "work")
    ]
    return {str(path.relative_to(results)): path.read_bytes() for path in kept}


def plan_of(path: Path, results: Path) -> Plan:
    """The plan of a study file."""
    return make_plan(path, results)
