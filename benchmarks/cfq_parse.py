"""How fast questions are parsed: logical form, query and rule application graph, on one core and on several.

    python benchmarks/cfq_parse.py [--number 12000] [--processes 2] [--out FILE]

Prints the processor seconds to load the rules; questions per second of processor time in one process, best of three
runs with parsers that know nothing yet; the memory that is added by parsing a number of questions, twice as many and
four times as many, each in a process of its own; and how many times as fast several processes are, with their start:
by the clock, and by the processor seconds of all of them, which is what the clock says where every process has a core.
The questions are real ones (`cfq/mcd1`) where the data directory has them, else questions made from a few frames.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import time
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple

import orjson

from recombine.errors import RecombineError
from recombine.grammars.unification.parse_many import iter_answers, seldom_collecting
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set

VERBS = ("directed", "edited", "wrote", "produced", "influenced", "married", "employed")
NOUNS = ("film editor", "actor", "screenwriter", "Dutch film director", "person", "cinematographer")


def questions(number: int) -> list[str]:
    """Real questions spread over the data, or some made here."""
    try:
        import recombine

        data = recombine.load("cfq/mcd1")
    except RecombineError:
        made = (
            f"Which {one} that {two} M0 {three} a {four} that M1 {five}"
            for one, two, three, four, five in product(NOUNS, VERBS, VERBS, NOUNS, VERBS)
        )
        return list(islice(made, number))
    step = max(1, len(data) // number)
    return [data[row].source for row in range(0, len(data), step)][:number]


def parse_all(texts: list[str]) -> float:
    """Processor seconds for a fresh parser to parse all."""
    parser = QuestionParser(read_rule_set("cfq"))
    start = time.process_time()
    with seldom_collecting():
        for text in texts:
            reading = parser.parse(text)
            assert reading.logical_form
            assert reading.query.short()
            parser.graph(reading)
    return time.process_time() - start


def answers(texts: list[str], processes: int) -> str:
    """A digest of what becomes of all in some processes."""
    digest = hashlib.blake2b()
    for answer in iter_answers("cfq", [(text, "") for text in texts], processes=processes, derivations=True):
        digest.update(repr(answer).encode())
    return digest.hexdigest()


class Run(NamedTuple):
    """A run in a process of its own: what it printed, and its seconds by the clock and of the processor."""

    printed: str
    clock: float
    processor: float


def run(texts: list[str], *words: str) -> Run:
    """Run this file with other words on some questions."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, __file__, *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True, input="\n".join(texts))
    clock = time.perf_counter() - start
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Run(done.stdout.strip(), clock, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)


def megabytes() -> float:
    """The most memory that this process ever held; `getrusage` counts what held it before it began."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--number", type=int, default=12_000)
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--only", choices=["memory", "answers"], help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.only is not None:
        texts = sys.stdin.read().splitlines()
        before = megabytes()
        if given.only == "memory":
            parse_all(texts)
        print(megabytes() - before if given.only == "memory" else answers(texts, given.processes))
        return
    start = time.process_time()
    QuestionParser(read_rule_set("cfq"))
    loading = time.process_time() - start
    texts = questions(given.number)
    print(f"loading the rules: {loading:.2f} s")
    best = min(parse_all(texts) for _ in range(3))
    rate = len(texts) / best
    print(f"one process: {rate:,.0f} questions a second of processor time ({len(texts):,} questions)")
    memory = {}
    for number in (len(texts), 2 * len(texts), 4 * len(texts)):
        memory[number] = round(float(run(questions(number), "--only", "memory").printed))
    print("memory added: " + ", ".join(f"{size:,} MB by {number:,}" for number, size in memory.items()))
    one, several = (run(texts, "--only", "answers", "--processes", str(n)) for n in (1, given.processes))
    times = one.clock / several.clock, given.processes * one.processor / several.processor
    print(
        f"{given.processes} processes: {times[1]:.2f} times one by processor seconds, {times[0]:.2f} by the clock at a "
        f"load of {os.getloadavg()[0]:.1f}; {'the same' if one.printed == several.printed else 'another'} result"
    )
    if given.out is not None:
        values = {
            "questions": len(texts),
            "loading_s": round(loading, 3),
            "per_second": round(rate),
            "memory_mb": {str(number): size for number, size in memory.items()},
            "processes": given.processes,
            "times_one": {"processor": round(times[1], 2), "clock": round(times[0], 2)},
            "same": one.printed == several.printed,
            "load": round(os.getloadavg()[0], 1),
        }
        given.out.write_bytes(orjson.dumps(values, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
