"""How fast questions are generated, and in how much memory, from the rules to the file.

    python benchmarks/cfq_generate.py [--number 10000] [--grounded 1000] [--world-size 1000000] [--million] [--rows N]
                                      [--out FILE]

Each line is a run of its own process that makes examples, writes them as JSON lines and says their hash. Rates are
examples per second of processor time, best of three, reading the rules and making the world not counted. How many times
as fast two processes are is said in three ways: by the clock, at the load that is printed; by the processor seconds of
all processes; and by the longest way, which is what the clock says where every process has a core: the seconds of the
main process before and after, and between them its own or half of what its two workers use, whichever is more. Memory
is the most that the process held, that of its workers added. With --million, a million are made in one process; with
--rows N, so many rows of 2,000 made questions under other ids go through parts, hash and file, which shows the memory
of all but the rules without their time.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.parts.made_lot import MadeLot, TextRow
from recombine.records.example import content_id

if TYPE_CHECKING:
    from collections.abc import Iterator


def measured(number: int, processes: int, world_size: int | None, folder: Path) -> dict[str, Any]:
    """Make so many examples here, and what that took."""
    import recombine

    options: dict[str, Any] = {"grounding": False} if world_size is None else {"world_size": world_size}
    result = recombine.generate("cfq", n=number, seed=1, processes=processes, **options)
    begun = time.process_time()
    clock = time.perf_counter()
    made = result["drawn"]  # what is made when it is asked for
    done = time.process_time()
    result.write(folder / "made.jsonl")
    end = time.process_time()
    if processes > 1:
        result.run.maker.close()  # only what has ended is counted
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "examples": result["examples"],
        "drawn": made,
        "hash": result["hash"],
        "before": begun,
        "making": done - begun,
        "writing": end - done,
        "workers": workers.ru_utime + workers.ru_stime,
        "clock": time.perf_counter() - clock,
        "mb": round(megabytes()),
        "worker_mb": round(workers.ru_maxrss / 1024),
        "file_mb": round((folder / "made.jsonl").stat().st_size / 1e6),
    }


def megabytes() -> float:
    """The most memory that this process ever held; `getrusage` counts what held it before it began."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


class Repeated:
    """Lots of the same texts again and again, each time under other ids."""

    size = 250

    def __init__(self, rows: list[TextRow]) -> None:
        self.rows = rows

    def iter_lots(self, first: int, number: int) -> Iterator[MadeLot]:
        """So many lots from this one on."""
        for lot in range(first, first + number):
            made = []
            for place in range(lot * self.size, (lot + 1) * self.size):
                row = self.rows[place % len(self.rows)]
                source = f"{row.source} {place}"
                made.append(row._replace(id=content_id(source, row.target), source=source))
            yield MadeLot(made, [("", "")] * self.size, Counter())


def repeated(number: int, folder: Path) -> dict[str, Any]:
    """Take so many rows through parts, hash and file."""
    from recombine.datasets.parts.content_hash import content_hash
    from recombine.datasets.parts.kept_parts import KeptParts
    from recombine.datasets.parts.make_parts import make_parts
    from recombine.datasets.parts.write_parts import write_parts

    lines = map(orjson.loads, (folder / "real.jsonl").read_bytes().splitlines())
    rows = [
        TextRow(
            "", row["source"], row["target"], *(orjson.dumps(row[name]).decode() for name in ("derivation", "tags"))
        )
        for row in lines
    ]
    parts = KeptParts(folder / "parts")
    make_parts(Repeated(rows), parts, number)
    content_hash(parts, number)
    write_parts(parts, folder / "made.jsonl", "ours", made={})
    size = (folder / "made.jsonl").stat().st_size
    return {
        "rows": number,
        "parts": parts.number,
        "processor_s": round(time.process_time()),
        "mb": round(megabytes()),
        "file_mb": round(size / 1e6),
    }


def run_repeated(number: int) -> dict[str, Any]:
    """The same in a process of its own, which never had rules."""
    import recombine

    with tempfile.TemporaryDirectory() as folder:
        recombine.generate("cfq", n=2000, seed=1, grounding=False).write(Path(folder) / "real.jsonl")
        words = ["--only", folder, "--rows", str(number)]
        done = subprocess.run([sys.executable, __file__, *words], check=True, capture_output=True, text=True)
    taken: dict[str, Any] = orjson.loads(done.stdout)
    return taken


def run(number: int, processes: int = 1, world_size: int | None = None) -> dict[str, Any]:
    """What a run in a process of its own took."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["--only", folder, "--number", str(number), "--processes", str(processes)]
        words += [] if world_size is None else ["--world-size", str(world_size), "--grounded", "1"]
        done = subprocess.run([sys.executable, __file__, *words], check=True, capture_output=True, text=True)
    taken: dict[str, Any] = orjson.loads(done.stdout)
    return taken


def best_rate(runs: list[dict[str, Any]]) -> int:
    """Examples per second of processor time in the best run."""
    return int(max(each["examples"] / (each["making"] + each["writing"]) for each in runs))


def compared(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """How many times as fast two processes are, and the most memory of all of them."""
    alone = one["making"] + one["writing"]
    used = two["making"] + two["writing"] + two["workers"]
    longest = max(two["making"], two["workers"] / 2) + two["writing"]
    return {
        "times_one": {
            "longest_way": round(alone / longest, 2),
            "processor": round(2 * alone / used, 2),
            "clock": round(one["clock"] / two["clock"], 2),
        },
        "mb": two["mb"] + 2 * two["worker_mb"],
        "same": one["hash"] == two["hash"],
    }


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--number", type=int, default=10_000)
    arguments.add_argument("--grounded", type=int, default=1_000)
    arguments.add_argument("--world-size", type=int, default=1_000_000)
    arguments.add_argument("--processes", type=int, default=1, help=argparse.SUPPRESS)
    arguments.add_argument("--million", action="store_true")
    arguments.add_argument("--rows", type=int)
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--only", type=Path, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.only is not None and given.rows is not None:
        print(orjson.dumps(repeated(given.rows, given.only)).decode())
        return
    if given.only is not None:
        world_size = given.world_size if given.grounded == 1 else None
        print(orjson.dumps(measured(given.number, given.processes, world_size, given.only)).decode())
        return
    values: dict[str, Any] = {"load": round(os.getloadavg()[0], 1)}
    runs = [run(given.number) for _ in range(3)]
    values["ungrounded"] = {"examples": given.number, "per_second": best_rate(runs), "mb": runs[0]["mb"]}
    print(f"ungrounded: {values['ungrounded']}")
    best = min(runs, key=lambda each: each["making"] + each["writing"])
    values["two_processes"] = compared(best, run(given.number, 2))
    print(f"two processes: {values['two_processes']}")
    values["memory_mb"] = {str(k * given.number): run(k * given.number)["mb"] for k in (2, 4)}
    print(f"memory by number: {values['memory_mb']}")
    if given.grounded:
        runs = [run(given.grounded, world_size=given.world_size) for _ in range(3)]
        values["grounded"] = {
            "examples": given.grounded,
            "facts": given.world_size,
            "per_second": best_rate(runs),
            "drawn_per_second": round(max(each["drawn"] / (each["making"] + each["writing"]) for each in runs)),
            "mb": runs[0]["mb"],
        }
        print(f"grounded: {values['grounded']}")
    if given.million:
        values["million"] = {key: round(value) for key, value in run(1_000_000).items() if key != "hash"}
        print(f"a million: {values['million']}")
    if given.rows is not None:
        values["rows"] = run_repeated(given.rows)
        print(f"rows through parts: {values['rows']}")
    if given.out is not None:
        given.out.write_bytes(orjson.dumps(values, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
