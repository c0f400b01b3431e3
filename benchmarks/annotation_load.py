"""The annotation app under 200 workers: the server's CPU time for a page and its submit, and how long answers take.

    python benchmarks/annotation_load.py
    python benchmarks/annotation_load.py --store postgresql+psycopg://… --processes 2
    python benchmarks/annotation_load.py --write benchmarks/results/annotation_load.json

A campaign of GrailQA's flow is served by a process of its own, as `recombine annotate serve` does. Each worker gets a
page, reads it for two to eight seconds (`--reading 1 3` is a hundred answers a second), and sends the form: checks in
batches with hidden controls, and paraphrases. Beside them a static file is asked for ten times a second, and a small
file is written through to the disk, as every answer is. CPU time is that of the server's processes, user and system,
with all their threads, and is divided by the answers of the measured time; latencies are those that workers see. The
targets are 5 ms, and a 99th percentile under 200 ms or, where the machine is busy, under three times the static file's.
Figures that miss them are marked, and make the exit code 1.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.tasks.read_flow import read_flow

MOST_CPU, MOST_P99, MOST_TIMES = 5.0, 200.0, 3.0
SERVER = """
import sys
from recombine.annotation.app.serve import serve
place, processes = sys.argv[1:]
serve(place, port=0, processes=int(processes), requests_per_second=1e4, ready=lambda url: print(url, flush=True))
"""
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
STYLE = re.compile(r'href="(/static/[^"]+)"')


def fill(place: str, workers: int) -> list[str]:
    """A campaign with enough to do; the tokens of its workers."""
    with Campaign.create(place, read_flow("grailqa"), name="load") as campaign:
        campaign.add_controls(control(number) for number in range(60))
        campaign.add_items(item(number) for number in range(2_400))
        added = campaign.add_workers([f"worker {number}" for number in range(workers)])
        for each in added:
            campaign.consent(each.worker.id)
            campaign.survey(each.worker.id, None)
    return [each.token for each in added]


def control(number: int) -> dict[str, object]:
    """Every second control is a bad one, which its text says."""
    bad = number % 2 == 1
    question = f"{'WRONG ' * bad}What river is by [Town {number}]?"
    show = {"canonical": f"which river is by [Town {number}]?", "question": question}
    return {"task": "check", "show": show, "answer": {"same": "no" if bad else "yes", "fluent": "yes"}}


def item(number: int) -> dict[str, object]:
    """Two in three are checks, the others paraphrases."""
    question = f"which river flows through [City {number}]?"
    if number % 3:
        show = {"canonical": question, "question": f"What river goes through [City {number}]?"}
        return {"item": f"c{number}", "task": "check", "author": "somebody", "show": show}
    show = {"question": question, "answers": ["the river"], "answer_type": "river", "descriptions": ["A city."]}
    return {"item": f"p{number}", "task": "paraphrase", "show": show}


@dataclass
class Connection:
    """One connection that is kept: requests as text, answers as status and body."""

    host: str
    cookie: str
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: str = "") -> tuple[int, str, str]:
        """Status, where it leads, and the body."""
        # A server closes connections that were idle for a while, as browsers know.
        if self.streams is None or self.streams[0].at_eof():
            name, _, port = self.host.partition(":")
            self.streams = await asyncio.open_connection(name, int(port))
        reader, writer = self.streams
        kind = "Content-Type: application/x-www-form-urlencoded\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nCookie: worker={self.cookie}\r\n{kind}"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:] if line)}
        text = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
        return int(lines[0].split(" ")[1]), headers.get("location", ""), text


@dataclass
class Figures:
    """Milliseconds by what was asked for, within the measured time."""

    begin: float
    end: float
    taken: dict[str, list[float]] = field(default_factory=lambda: {"page": [], "submit": [], "static": [], "disk": []})
    errors: list[str] = field(default_factory=list)
    idle: int = 0

    async def timed(self, what: str, connection: Connection, *asked: str) -> tuple[int, str, str]:
        """An answer, whose time is noted if it is in the measured time."""
        began = time.perf_counter()
        answer = await connection.ask(*asked)
        ended = time.perf_counter()
        if self.begin <= began and ended <= self.end:
            self.taken[what].append((ended - began) * 1000)
        return answer


async def work(connection: Connection, figures: Figures, rng: random.Random, reading: tuple[float, float]) -> None:
    """One worker: a page, some time to read, an answer, and so on."""
    await asyncio.sleep(rng.uniform(0, reading[1]))
    while time.perf_counter() < figures.end:
        status, _, page = await figures.timed("page", connection, "GET", "/work")
        form = {name: html.unescape(value) for name, value in HIDDEN.findall(page)}
        if status != 200 or "_assignment" not in form:
            figures.idle += status == 200
            if status != 200:
                figures.errors.append(f"GET {status}")
            await asyncio.sleep(1)
            continue
        await asyncio.sleep(rng.uniform(*reading))
        answer = reply(page, form["_assignment"])
        status, _, _ = await figures.timed("submit", connection, "POST", "/work", urlencode(form | answer))
        if status != 303:
            figures.errors.append(f"POST {status}")


def reply(page: str, assignment: str) -> dict[str, str]:
    """The right answer, by the words of the page."""
    if assignment.split(" ")[1] == "check":
        return {"same": "no" if "WRONG" in page else "yes", "fluent": "yes"}
    kept = re.findall(r"\[City \d+\]", page)[0]
    return {"paraphrase": f"Through {kept}, what river runs, number {hash(assignment) % 10**9}?"}


async def look(connection: Connection, path: str, figures: Figures) -> None:
    """Ask for the static file ten times a second."""
    while time.perf_counter() < figures.end:
        await figures.timed("static", connection, "GET", path)
        await asyncio.sleep(0.1)


async def write_through(folder: str, figures: Figures) -> None:
    """Write a page to the disk five times a second: what an answer has to wait for, whoever stores it."""

    def write() -> float:
        began = time.perf_counter()
        with Path(folder, "through").open("ab") as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
        return (time.perf_counter() - began) * 1000

    while time.perf_counter() < figures.end:
        took = await asyncio.to_thread(write)
        if figures.begin <= time.perf_counter() <= figures.end:
            figures.taken["disk"].append(took)
        await asyncio.sleep(0.2)


def cpu_seconds(pids: list[int]) -> float:
    """User and system time of processes with all their threads."""
    ticks = 0
    for pid in pids:
        values = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        ticks += int(values[11]) + int(values[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def processes_of(pid: int) -> list[int]:
    """A process and its children."""
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in below for each in processes_of(int(child)))]


async def load(
    url: str, pid: int, tokens: list[str], seconds: float, folder: str, reading: tuple[float, float]
) -> dict[str, object]:
    """Let all work; the figures of the measured time, which begins when all are at it."""
    host = urlsplit(url).netloc
    first = Connection(host, tokens[0])
    _, _, page = await first.ask("GET", "/instructions")
    begin = time.perf_counter() + 2 + reading[1]
    figures = Figures(begin, begin + seconds)
    tasks = [work(Connection(host, token), figures, random.Random(token), reading) for token in tokens]  # noqa: S311
    cpu = asyncio.create_task(measured_cpu(pid, figures))
    beside = look(Connection(host, "x" * 20), STYLE.findall(page)[0], figures), write_through(folder, figures)
    await asyncio.gather(*tasks, *beside)
    return summary(figures, await cpu, seconds)


async def measured_cpu(pid: int, figures: Figures) -> float:
    """CPU time between the begin and the end."""
    await asyncio.sleep(figures.begin - time.perf_counter())
    before = cpu_seconds(processes_of(pid))
    await asyncio.sleep(figures.end - time.perf_counter())
    return cpu_seconds(processes_of(pid)) - before


def summary(figures: Figures, cpu: float, seconds: float) -> dict[str, object]:
    """What is printed and stored."""
    answers = len(figures.taken["submit"])
    found: dict[str, object] = {
        "answers": answers,
        "answers a second": round(answers / seconds, 1),
        "server CPU, ms for a page and its submit": round(1000 * cpu / max(1, answers), 2),
        "errors": sorted({each: figures.errors.count(each) for each in figures.errors}.items()),
        "pages with nothing to do": figures.idle,
        "load average": [round(each, 1) for each in os.getloadavg()],
    }
    for what, taken in figures.taken.items():
        ordered = sorted(taken)
        for share in (0.5, 0.99):
            found[f"{what}, p{share * 100:.0f} ms"] = round(ordered[int(share * (len(ordered) - 1))], 1)
    return found


def misses(found: dict[str, object]) -> list[str]:
    """What is not as it should be."""
    missed = []
    if float(str(found["server CPU, ms for a page and its submit"])) > MOST_CPU:
        missed.append(f"server CPU is over {MOST_CPU} ms")
    static = float(str(found["static, p99 ms"]))
    for what in ("page", "submit"):
        p99 = float(str(found[f"{what}, p99 ms"]))
        if p99 >= MOST_P99 and p99 > MOST_TIMES * static:
            missed.append(f"{what}: p99 is over {MOST_P99} ms and over {MOST_TIMES} times the static file's")
    return missed + ["answers were refused"] * bool(found["errors"])


def main() -> int:
    """Fill, serve, load, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--store", help="URL of an empty Postgres database; SQLite where it is not given")
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--reading", type=float, nargs=2, default=(2.0, 8.0), metavar=("LEAST", "MOST"))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = given.store or str(Path(folder, "campaign.db"))
        tokens = fill(place, given.workers)
        with Path(folder, "log").open("wb") as log:
            command = [sys.executable, "-c", SERVER, place, str(given.processes)]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
            assert server.stdout is not None
            url = server.stdout.readline().decode().strip()
            try:
                found = asyncio.run(load(url, server.pid, tokens, given.seconds, folder, tuple(given.reading)))
            finally:
                server.terminate()
                server.wait(20)
    kind = "Postgres" if given.store else "SQLite"
    found = (
        {"store": kind, "workers": given.workers, "processes": given.processes, "seconds": given.seconds}
        | {"seconds of reading": list(given.reading)}
        | found
    )
    for name, value in found.items():
        print(f"{name:45} {value}")
    for missed in misses(found):
        print(f"MISSED: {missed}")
    if given.write:
        given.write.write_text(json.dumps(found, indent=1) + "\n")
    return bool(misses(found))


if __name__ == "__main__":
    sys.exit(main())
