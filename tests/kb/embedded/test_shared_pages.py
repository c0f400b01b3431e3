"""Two processes that have the same index open hold its pages once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from facts_of import PLAIN

from recombine.kb.embedded.build_index import build_index

READ = """
import sys
import numpy as np
from recombine.kb.embedded.embedded_store import EmbeddedStore
store = EmbeddedStore.open(sys.argv[1])
touched = sum(int(array.sum()) for array in store.edges)
print("open", flush=True)
sys.stdin.readline()
shared = own = 0
for line in open("/proc/self/smaps"):
    words = line.split()
    if "-" in words[0] and ":" not in words[0]:
        mapped = line.rstrip().endswith(".bin")
    elif mapped and words[0] in ("Shared_Clean:", "Private_Clean:", "Private_Dirty:", "Shared_Dirty:"):
        shared += int(words[1]) if words[0].startswith("Shared") else 0
        own += int(words[1]) if words[0].startswith("Private") else 0
print(shared, own, flush=True)
sys.stdin.readline()
"""


def uniform(facts: int, entities: int, relations: int) -> Iterator[pa.RecordBatch]:
    rng = np.random.default_rng(1)
    keys = [
        pa.array([f"={kind}{n}" for n in range(count)], pa.large_string())
        for kind, count in (("e", entities), ("r", relations))
    ]
    for _ in range(facts // 1_000_000):
        columns = [keys[place].take(pa.array(rng.integers(len(keys[place]), size=1_000_000))) for place in (0, 1, 0)]
        yield pa.RecordBatch.from_arrays(columns, ["subject", "relation", "target"])


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="a system without /proc")
def test_two_processes_share_the_pages_of_ten_million_facts(tmp_path: Path) -> None:
    build_index(uniform(10_000_000, 200_000, 50), tmp_path / "index", profile=PLAIN)
    command = [sys.executable, "-c", READ, str(tmp_path / "index")]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            for _ in range(2)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
        for process in processes:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("\n")
            process.stdin.flush()
            shared, own = map(int, process.stdout.readline().split())
            assert shared > 150_000  # kB: both arrays of edges, 160 MB
            assert own < 5_000
        for process in processes:
            process.kill()
