"""Speed and memory of near duplicates, found among all pairs and by MinHash.

    python benchmarks/near_duplicates.py             12,500 to 100,000 questions, a fifth in test, with the exponent
    python benchmarks/near_duplicates.py --data spider/ssp --split random_1      both ways on a split of data

Made questions have 12 words of 5,000 and differ from one of a few thousand others in none to half of them. Each size is
measured in a process of its own: user CPU seconds without compiling, and the most memory above what was there before.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
from rich.console import Console

from recombine.measures.near_duplicates.near_duplicates import near_duplicates
from recombine.records.example import Example

SIZES = (12_500, 25_000, 50_000, 100_000)
THRESHOLD = 0.8
console = Console(width=110, highlight=False)


def made(number: int, seed: int) -> list[Example]:
    """So many questions with programs."""
    generator = np.random.default_rng(seed)
    base = np.random.default_rng(0).integers(0, 5000, (max(1, number // 4), 12))
    examples = []
    for place in range(number):
        words = base[generator.integers(len(base))].copy()
        few = generator.integers(12, size=generator.integers(0, 7))
        words[few] = generator.integers(0, 5000, len(few))
        text = " ".join(f"w{word}" for word in words)
        program = f"find ( {' , '.join(f'w{word}' for word in words[:6])} )"
        examples.append(replace(Example.of(text, program), id=f"{seed}-{place}"))
    return examples


def one(number: int) -> None:
    """Print seconds, memory and what was found for one size."""
    warm = made(50, 3)
    near_duplicates(warm[:40], warm[40:], threshold=THRESHOLD, exact=False)
    train, test = made(number * 4 // 5, 1), made(number // 5, 2)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    found = near_duplicates(train, test, threshold=THRESHOLD, exact=False)
    spent = time.process_time() - start
    print(spent, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1e3, found["examples"], found["pairs"])


def both_ways(data: str, split: str) -> None:
    """Print what both ways find in a split of data, and their times."""
    from recombine.workbench.given.data_and_split import data_and_split

    dataset, loaded = data_and_split(data, split)
    train, test = (dataset.part(loaded.positions(dataset, part)) for part in ("train", "test"))
    for exact in (True, False):
        near_duplicates(train[:50], test[:50], exact=exact)
        start = time.process_time()
        found = near_duplicates(train, test, exact=exact)
        spent = time.process_time() - start
        console.print(
            f"{found['found_by']:14}{len(train):,} against {len(test):,}: {found['examples']:,} examples, "
            f"{found['pairs']:,} pairs, {spent:.2f} s"
        )


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--data")
    parser.add_argument("--split", default="standard")
    given = parser.parse_args()
    if given.one:
        one(given.one)
    elif given.data:
        both_ways(given.data, given.split)
    else:
        last = 0.0
        for number in SIZES:
            run = subprocess.run(
                [sys.executable, __file__, "--one", str(number)], capture_output=True, text=True, check=True
            )
            spent, memory, examples, pairs = map(float, run.stdout.split())
            exponent = f", exponent {math.log2(spent / last):.2f}" if last else ""
            console.print(
                f"{number:,} questions: {spent:.2f} s, {memory:.0f} MB more, {examples:,.0f} of {number // 5:,} "
                f"test examples nearly in train, {pairs:,.0f} pairs{exponent}"
            )
            last = spent


if __name__ == "__main__":
    main()
