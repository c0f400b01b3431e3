"""A server of a campaign is killed a hundred times while twenty workers submit; what it acknowledged must be there.

    python benchmarks/annotation_kill.py                  # SQLite, 100 times
    python benchmarks/annotation_kill.py --postgres       # on a Postgres of its own
    python benchmarks/annotation_kill.py --kills 5

Workers paraphrase GrailQA's forms and judge each other's texts over HTTP. After a random time the server gets
`kill -9` and another is started; workers whose request broke off look at their page again, as people do. At the end
every answer that a worker was told is stored is looked for, the hashes of the log are read, all that was decided is
worked out anew, and a last server must hand out work again. Kept in results/annotation_kill.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from annotation_campaign import Person, recombine, serving, write_controls
from annotation_worker import Worker
from own_postgres import free_port, own_postgres

RESULT = Path(__file__).parent / "results" / "annotation_kill.json"
LONGEST = 1.0
"""The most seconds that a server lives once it answers."""


async def submit_until(workers: list[Worker], stop: asyncio.Event) -> int:
    """Let all work until the event; how many requests broke off."""
    broken = 0

    async def one(worker: Worker) -> None:
        nonlocal broken
        while not stop.is_set():
            try:
                if not await worker.step():
                    await asyncio.sleep(0.05)
            except (httpx.TransportError, httpx.HTTPStatusError):
                broken += 1
                await asyncio.sleep(0.1)

    await asyncio.gather(*(one(worker) for worker in workers))
    return broken


async def kill_often(store: str, port: int, workers: list[Worker], kills: int, seed: int) -> int:
    """Start and kill servers while workers submit; how many requests broke off."""
    drawn = random.Random(seed)  # noqa: S311
    stop = asyncio.Event()
    working = asyncio.create_task(submit_until(workers, stop))
    for number in range(kills):
        with ExitStack() as stack:
            await asyncio.to_thread(stack.enter_context, serving(store, port))
            await asyncio.sleep(drawn.uniform(0.1, LONGEST))
            await asyncio.to_thread(stack.close)  # `serving` ends with `kill -9`
        if number % 10 == 9:
            sent = sum(len(worker.acknowledged) for worker in workers)
            print(f"{number + 1} killed, {sent} answers acknowledged", file=sys.stderr, flush=True)
    stop.set()
    return await working


def lost(store: str, workers: dict[str, Worker]) -> list[str]:
    """Answers that a worker was told are stored, and which are not."""
    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.exchange.store_place import store_place

    with Campaign.open(store_place(store)) as campaign:
        items: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        shown = {task.name: [part.name for part in task.show if part.kind == "text"] for task in campaign.flow.task}
        for item in campaign.items():
            names = shown[item.task][:1] if item.task == "paraphrase" else shown[item.task]
            items[tuple(" ".join(str(item.show.get(name, "")).split()) for name in names)].append(item.item)
        stored: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for row in campaign.responses():
            stored[row.worker, row.item].append(dict(row.answer))
    missing = []
    for name, worker in workers.items():
        for texts, answer in worker.acknowledged:
            key = tuple(texts[:1]) if "paraphrase" in answer else tuple(texts)
            if not any(answer in stored[name, item] for item in items[key]):
                missing.append(f"{name}: {key} {answer}")
    return missing


def killed(store: str, folder: Path, *, kills: int, count: int, seed: int) -> dict[str, Any]:
    """The whole trial on one store."""
    controls = folder / "controls.jsonl"
    write_controls(controls)
    new = ["annotate", "new", store, "--flow", "grailqa", "--data", "grailqa", "--task", "paraphrase"]
    recombine(*new, "--controls", str(controls), "--set", "check.batch.pause_after=0")
    port = free_port()
    added = recombine("annotate", "workers", "add", store, "-n", str(count), "--url", f"http://127.0.0.1:{port}")
    workers = {
        row["worker"]: Worker(row["link"], Person(seed + number), timeout=10)
        for number, row in enumerate(added["workers"])
    }
    began = time.perf_counter()
    broken = asyncio.run(kill_often(store, port, list(workers.values()), kills, seed))
    before = sum(len(worker.acknowledged) for worker in workers.values())
    seconds = time.perf_counter() - began
    with serving(store, port):
        resumed = work_again(workers, added, seed)
    status = recombine("annotate", "status", store, "--check")
    return {
        "kills": kills,
        "workers": count,
        "acknowledged": before,
        "requests_broken_off": broken,
        "lost": lost(store, workers),
        "log": status["log"],
        "differences": status["differences"],
        "acknowledged_after_the_last": resumed,
        "seconds": round(seconds, 1),
    }


def work_again(workers: dict[str, Worker], added: Any, seed: int) -> int:
    """Let every worker come back with the same link and take ten steps; how many answers were acknowledged."""
    back = [Worker(row["link"], Person(seed + 500 + number)) for number, row in enumerate(added["workers"])]

    async def steps() -> None:
        async def one(worker: Worker) -> None:
            for _ in range(10):
                await worker.step()
            await worker.close()

        await asyncio.gather(*(one(worker) for worker in back))

    asyncio.run(steps())
    for old, new in zip(workers.values(), back, strict=True):
        old.acknowledged += new.acknowledged
    return sum(len(worker.acknowledged) for worker in back)


def main() -> int:
    """Run the trial, and say whether it holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--postgres", action="store_true", help="on a Postgres of its own")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--workers", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help=f"write {RESULT.name}")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        store = stack.enter_context(own_postgres()) if given.postgres else str(folder / "store.sqlite")
        found = killed(store, folder, kills=given.kills, count=given.workers, seed=given.seed)
    good = (
        not found["lost"]
        and found["log"]["holds"]
        and not found["differences"]
        and found["acknowledged_after_the_last"]
    )
    print(json.dumps(found, indent=2))
    print("holds" if good else "does not hold")
    if given.keep:
        kept = json.loads(RESULT.read_text()) if RESULT.exists() else {}
        RESULT.write_text(json.dumps(kept | {"postgres" if given.postgres else "sqlite": found}, indent=2) + "\n")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
