"""Verbs on a local dask cluster: seconds, CPU seconds, and the most memory of a worker and of the command itself.

    python benchmarks/cluster.py --rows 10000000 --folder /tmp/pairs     # makes the data where the folder is missing
    python benchmarks/cluster.py --rows 1000000 --equal                  # and compares with one process
    python benchmarks/cluster.py --rows 1000000 --kill                   # and kills a worker in the middle

The data is COVR: pairs that `recombine generate` makes; the same with their animals, colours and shapes exchanged for
others, each pair once, up to a million; and from there on the same million asked about further scenes (`in scene 3 ,
is …`). That is quicker than drawing ten million pairs, and as large.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from recombine.records.example import content_id

BASE, MILLION, PART, TARGET = 125_000, 1_000_000, 250_000, 1.5e9
WORDS = (("dog", "cat", "mouse", "animal"), ("black", "white", "brown", "gray"), ("round", "square", "triangle"))
SECONDS = 0.2


def make(folder: Path, rows: int, parts: int) -> None:
    """Write the data as parts, whole or not at all."""
    temporary = folder.with_name(f".{folder.name}.making")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    size, made, waiting = -(-rows // parts), 0, []
    for table in iter_tables(folder.with_name("base.parquet"), rows):
        waiting.append(table)
        while made < parts and sum(map(len, waiting)) >= min(size, rows - made * size):
            whole, count = pa.concat_tables(waiting), min(size, rows - made * size)
            pq.write_table(whole.slice(0, count), temporary / f"part-{made:05d}.parquet")
            waiting, made = [whole.slice(count)], made + 1
        if made == parts:
            temporary.replace(folder)
            return
    raise SystemExit(f"there are fewer than {rows:,} pairs")


def iter_tables(base: Path, rows: int) -> Iterator[pa.Table]:
    """Tables of pairs without end: a million with words exchanged, then the same asked about further scenes."""
    if not base.exists():
        recombine("generate", "covr", "-n", str(min(BASE, rows)), "--seed", "1", "-o", str(base))
    kept = list(iter_exchanged(base, min(rows, MILLION)))
    yield from kept
    for scene in itertools.count(1):
        for table in kept:
            sources = [f"in scene {scene} , {source}" for source in table["source"].to_pylist()]
            yield with_ids(sources, table["target"].to_pylist())


def iter_exchanged(base: Path, rows: int) -> Iterator[pa.Table]:
    """So many distinct pairs: those of a file, and the same with their words exchanged in ever other ways."""
    table = pq.read_table(base)
    texts = [[text.split() for text in table[name].to_pylist()] for name in ("source", "target")]
    seen = np.zeros(0, np.uint64)
    orders = itertools.product(*(itertools.permutations(words) for words in WORDS))
    shuffled = sorted(orders, key=lambda order: hash_of(" ".join(itertools.chain(*order))))
    identity = next(order for order in shuffled if order == WORDS)
    for order in [identity, *(order for order in shuffled if order != identity)]:
        names = {old: new for olds, news in zip(WORDS, order, strict=True) for old, new in zip(olds, news, strict=True)}
        made = with_ids(*([" ".join([names.get(word, word) for word in words]) for words in side] for side in texts))
        keys = np.array([int(key, 16) for key in made["id"].to_pylist()], np.uint64)
        new = np.flatnonzero(~np.isin(keys, seen))[: rows - len(seen)]
        seen = np.union1d(seen, keys[new])
        yield made.take(new)
        if len(seen) == rows:
            return


def with_ids(sources: list[str], targets: list[str]) -> pa.Table:
    """Pairs with their ids."""
    ids = [content_id(source, target) for source, target in zip(sources, targets, strict=True)]
    return pa.table({"id": ids, "source": sources, "target": targets})


def hash_of(text: str) -> str:
    """A fixed order of the exchanges that is no order of words."""
    return content_id(text, "")


def recombine(*words: str) -> None:
    """Run a command, which must succeed."""
    subprocess.run([sys.executable, "-m", "recombine", *words], check=True, stdout=subprocess.DEVNULL)


def descendants(process: int) -> list[int]:
    """The processes below a process."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            children.setdefault(int(path.read_text().rpartition(")")[2].split()[1]), []).append(int(path.parent.name))
        except (OSError, ValueError):
            continue
    found, queue = [], [process]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def peak(process: int) -> int:
    """The most bytes that a process has held so far; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


def cpu(process: int) -> float:
    """The user CPU seconds of a process so far; 0 where it is gone."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11]) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def measured(words: list[str], *, kill_after: float | None = None) -> tuple[dict, dict]:
    """What a command prints as JSON, and what it took; one of its workers is killed after some seconds."""
    command = [sys.executable, "-m", "recombine", *words, "--json", "--quiet"]
    with tempfile.TemporaryFile() as out:  # a pipe that nobody reads would hold the command up
        took = watched(subprocess.Popen(command, stdout=out), kill_after)
        if took["exit_code"]:
            raise SystemExit(f"{' '.join(words)}: exit code {took['exit_code']}")
        out.seek(0)
        return json.load(out), took


def watched(process: subprocess.Popen, kill_after: float | None) -> dict:
    """What a process and its workers took until it ended."""
    start = time.perf_counter()
    peaks: dict[int, int] = {}
    seconds: dict[int, float] = {}
    killed = False
    while process.poll() is None:
        workers = descendants(process.pid)
        for each in [process.pid, *workers]:
            peaks[each], seconds[each] = max(peaks.get(each, 0), peak(each)), max(seconds.get(each, 0.0), cpu(each))
        if kill_after is not None and not killed and time.perf_counter() - start > kill_after and workers:
            victim = max(workers, key=lambda each: peaks.get(each, 0))
            os.kill(victim, signal.SIGKILL)
            killed = True
        time.sleep(SECONDS)
    own = peaks.pop(process.pid, 0)
    return {
        "exit_code": process.returncode,
        "seconds": round(time.perf_counter() - start, 1),
        "user_cpu_seconds": round(sum(seconds.values()), 1),
        "worker_bytes": max(peaks.values(), default=0),
        "command_bytes": own,
        "killed": killed,
    }


def report(name: str, rows: int, took: dict) -> None:
    """A line of figures against the target."""
    verdict = "" if not took["worker_bytes"] else "within" if took["worker_bytes"] <= TARGET else "ABOVE"
    print(
        f"{name:34s} {took['seconds']:8.1f} s {took['user_cpu_seconds']:8.1f} s CPU {rows / took['seconds']:9,.0f}/s  "
        f"worker {took['worker_bytes'] / 1e9:.2f} GB {verdict}  command {took['command_bytes'] / 1e9:.2f} GB",
        flush=True,
    )


def main() -> None:
    """Make the data, run the verbs, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--parts", type=int)
    parser.add_argument("--folder", type=Path, default=Path("cluster_pairs"))
    parser.add_argument("--cluster", default="local:2")
    parser.add_argument("--by", nargs="+", default=["random", "length:target"])
    parser.add_argument("--difficulty", action="store_true", help="run difficulty too")
    parser.add_argument("--equal", action="store_true", help="compare with one process")
    parser.add_argument("--kill", action="store_true", help="kill a worker in the middle of each command")
    given = parser.parse_args()
    parts = given.parts or -(-given.rows // PART)
    if not given.folder.exists():
        make(given.folder, given.rows, parts)
    work = given.folder.with_name(f"{given.folder.name}.work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    on = ["--cluster", given.cluster]
    kill = 20.0 + given.rows / 200_000 if given.kill else None
    print(f"{given.rows:,} pairs in {parts} parts, {given.cluster}; load {os.getloadavg()[0]:.1f}", flush=True)
    for by in given.by:
        name = by.replace(":", "_")
        made = ["split", str(given.folder), "--by", by, "--seed", "1", "--language", "covr"]
        value, took = measured([*made, *on, "--no-cache", "-o", str(work / name)], kill_after=kill)
        report(f"split --by {by}", given.rows, took)
        again, took = measured(["measure", str(given.folder), str(work / name), *on], kill_after=kill)
        report(f"measure ({by})", given.rows, took)
        pairs = [(value, again)]
        if given.difficulty:
            _, took = measured(["difficulty", str(given.folder), str(work / name), *on], kill_after=kill)
            report(f"difficulty ({by})", given.rows, took)
        if given.equal:
            alone, took = measured([*made, "-o", str(work / f"{name}.json")])
            report(f"split --by {by}, one process", given.rows, took)
            pairs.append((value, alone))
            ids = [read_parts(work / name), read_parts(work / f"{name}.json")]
            print("the same ids in the same parts:", ids[0] == ids[1])
        for one, other in pairs:
            shared = [key for key in one if key in other and key not in ("seconds", "file", "notes")]
            print("the same values:", all(one[key] == other[key] for key in shared))
    shutil.rmtree(work)


def read_parts(path: Path) -> dict[str, list[str]]:
    """The ids of each part of a split."""
    from recombine.records.split import read_split_file

    return read_split_file(path)["parts"]


if __name__ == "__main__":
    main()
