"""How fast questions are generated, and in how much memory, from the rules to the file.

    python benchmarks/cfq_generate.py [--number 10000] [--grounded 1000] [--world-size 1000000] [--million] [--out FILE]

Each line is a run of its own process that makes examples, writes them as JSON lines and says their hash. Rates are
examples per second of processor time, best of three, reading the rules and making the world not counted. How many times
as fast two processes are is said in three ways: by the clock, at the load that is printed; by the processor seconds of
all processes; and by the longest way, which is what the clock says where every process has a core: the seconds of the
main process before and after, and between them its own or half of what its two workers use, whichever is more. Memory
is the most that the process held, that of its workers added. With --million, a million are made in one process.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson


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
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True)  # only what has ended is counted
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
    return max(round(each["examples"] / (each["making"] + each["writing"])) for each in runs)


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
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--only", type=Path, help=argparse.SUPPRESS)
    given = arguments.parse_args()
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
    if given.out is not None:
        given.out.write_bytes(orjson.dumps(values, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
