"""How fast questions are parsed: logical form, query and rule application graph, on one core and on several.

    python benchmarks/cfq_parse.py [--number 12000] [--processes 2] [--out FILE]

Prints the processor seconds to load the rules; questions per second of processor time in one process, best of three
runs with parsers that know nothing yet; the memory that is added by parsing a number of questions, twice as many and
four times as many, each in a process of its own; and by the clock, how many times as fast several processes are, with
their start, and whether they give the same. The questions are real ones (`cfq/mcd1`) where the data directory has
them, else questions made here from a few frames.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from itertools import islice, product
from pathlib import Path

import orjson

from recombine.errors import RecombineError
from recombine.grammars.unification.parse_many import iter_answers, seldom_collecting
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rule_set import read_rule_set

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


def clock(texts: list[str], processes: int) -> tuple[float, list[object]]:
    """Seconds by the clock to parse all in some processes, and what came of it."""
    start = time.perf_counter()
    answers = list(iter_answers("cfq", [(text, "") for text in texts], processes=processes))
    return time.perf_counter() - start, list(answers)


def megabytes() -> float:
    """The most memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def added_megabytes(number: int) -> float:
    """The memory that parsing so many questions adds, in a process of its own."""
    words = [sys.executable, __file__, "--number", str(number), "--memory"]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--number", type=int, default=12_000)
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    start = time.process_time()
    QuestionParser(read_rule_set("cfq"))
    loading = time.process_time() - start
    texts = questions(given.number)
    if given.memory:
        before = megabytes()
        parse_all(texts)
        print(megabytes() - before)
        return
    print(f"loading the rules: {loading:.2f} s")
    best = min(parse_all(texts) for _ in range(3))
    rate = len(texts) / best
    print(f"one process: {rate:,.0f} questions a second of processor time ({len(texts):,} questions)")
    memory = {number: round(added_megabytes(number)) for number in (len(texts), 2 * len(texts), 4 * len(texts))}
    print("memory added: " + ", ".join(f"{size:,} MB by {number:,}" for number, size in memory.items()))
    one, answers = clock(texts, 1)
    several, same = clock(texts, given.processes)
    print(
        f"{given.processes} processes by the clock: {one / several:.2f} times one, "
        f"{'the same' if answers == same else 'another'} result (load {os.getloadavg()[0]:.1f})"
    )
    if given.out is not None:
        values = {
            "questions": len(texts),
            "loading_s": round(loading, 3),
            "per_second": round(rate),
            "memory_mb": {str(number): size for number, size in memory.items()},
            "processes": given.processes,
            "times_one": round(one / several, 2),
            "same": answers == same,
            "load": round(os.getloadavg()[0], 1),
        }
        given.out.write_bytes(orjson.dumps(values, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
