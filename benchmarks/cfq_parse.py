"""How fast questions are parsed: logical form, query and rule application graph, on one core and on two.

    python benchmarks/cfq_parse.py [--number 12000] [--processes 2]

Prints questions per second of processor time (best of three runs, each with a parser that knows nothing yet), the time
to load the rules, and the memory after each third of the questions. The questions are real ones (`cfq/mcd1`) where the
data directory has them, else questions made here from a few frames.
"""

from __future__ import annotations

import argparse
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, product

from recombine.errors import RecombineError
from recombine.grammars.unification.parse_many import seldom_collecting
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


def seconds_for(texts: list[str]) -> float:
    """Processor seconds for a fresh parser to parse all."""
    parser = QuestionParser(read_rule_set("cfq"))
    start = time.process_time()
    with seldom_collecting():
        for text in texts:
            parser.graph(parser.parse(text))
    return time.process_time() - start


def wall_for(texts: list[str], processes: int) -> float:
    """Seconds by the clock for several processes to parse a share each."""
    shares = [texts[place::processes] for place in range(processes)]
    start = time.perf_counter()
    with ProcessPoolExecutor(processes) as pool:
        list(pool.map(seconds_for, shares))
    return time.perf_counter() - start


def megabytes() -> float:
    """The most memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--number", type=int, default=12_000)
    arguments.add_argument("--processes", type=int, default=2)
    given = arguments.parse_args()
    start = time.process_time()
    QuestionParser(read_rule_set("cfq"))
    print(f"loading the rules: {time.process_time() - start:.2f} s")
    texts = questions(given.number)
    third = len(texts) // 3
    for share in (1, 2, 3):
        seconds_for(texts[: share * third])
        print(f"memory after {share * third:,} questions: {megabytes():,.0f} MB")
    best = min(seconds_for(texts) for _ in range(3))
    print(f"one process: {len(texts) / best:,.0f} questions a second of processor time ({len(texts):,} questions)")
    one, several = wall_for(texts, 1), wall_for(texts, given.processes)
    print(f"{given.processes} processes by the clock: {one / several:.2f} times one")


if __name__ == "__main__":
    main()
