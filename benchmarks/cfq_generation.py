"""What the generator of CFQ questions makes, held against the real questions, and how fast it is.

    recombine generate cfq -n 100000 --no-grounding --seed 1 --subsample 20000 -o taken.parquet
    python benchmarks/cfq_generation.py [-n 100000] [--seed 1] [--check 100000] [--taken taken.parquet] [--out FILE]

Questions are made in lots, without grounding, and not kept. Each is parsed again by another parser, which must give the
same query and the same rule application graph as the only reading. Bigrams of words, with the ends of the question and
M0, M1 … as one word, are compared with those of the real pairs (`cfq/mcd1`), and so are the shares of frames, also of
what sub-sampling took of a pool (`--taken`). Processor seconds of making alone are counted, in one process.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

import recombine
from recombine.errors import RecombineError
from recombine.grammars.unification.generation.made_question import MadeQuestion
from recombine.grammars.unification.generation.question_maker import QuestionMaker
from recombine.grammars.unification.parse_many import seldom_collecting
from recombine.grammars.unification.queries.query_text import FILTER
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set

LOT = 250
"""As many questions as the lots of `recombine generate cfq` have, so that the same are made."""
OFTEN = 20
"""A bigram that is in so many real questions must occur."""
ADJECTIVES = ("people.person.nationality", "people.person.gender")
_ENTITY = re.compile(r"\bM\d+\b")
SECTION_2 = {
    "Was ENT VP": 12_695,
    "Were ENTS VP": 8_658,
    "Was DESC VP": 3_242,
    "Was ENT DESC": 7_554,
    "Was DESC ENT": 6_377,
    "Was DESC DESC": 2_903,
    "Was ENT ADJ": 9,
    "Were ENTS ADJ": 34,
    "Did DESC VP": 10_089,
    "Did ENT VP": 7_071,
    "Did ENTS VP": 2_353,
    "What VP": 10_563,
    "What did DP V": 6_475,
    "What was DP": 555,
    "Who VP": 5_806,
    "Who did DP V": 1_802,
    "Who was DP": 3_261,
    "Which NP VP": 5_878,
    "Which NP did DP V": 2_319,
    "Which NP was DP": 974,
    "What NP VP": 5_760,
    "What NP did DP V": 2_335,
    "What NP was DP": 998,
}
"""The frames of the 107,711 real questions, counted."""


def bigrams(question: str) -> Iterator[tuple[str, str]]:
    """Words that stand side by side."""
    words = ["^", *_ENTITY.sub("M", question).split(), "$"]
    return pairwise(words)


def real_bigrams() -> dict[tuple[str, str], int]:
    """In how many real questions each bigram is."""
    data = recombine.load("cfq/mcd1")
    counts: Counter[tuple[str, str]] = Counter()
    for row in range(len(data)):
        counts.update(set(bigrams(data[row].source)))
    return counts


class Tally:
    """What is counted of the questions that are made."""

    def __init__(self) -> None:
        self.patterns: set[bytes] = set()
        self.rejected: Counter[str] = Counter()
        self.frames: Counter[str] = Counter()
        self.levels: Counter[int] = Counter()
        self.bigrams: Counter[tuple[str, str]] = Counter()
        self.properties: Counter[str] = Counter()
        self.types: Counter[str] = Counter()
        self.adjectives: Counter[str] = Counter()
        self.checked = self.apart = 0
        self.example: MadeQuestion | None = None

    def add(self, question: MadeQuestion) -> None:
        """Count a question."""
        self.frames[question.frame] += 1
        self.levels[question.level] += 1
        self.bigrams.update(bigrams(question.pattern))
        if question.pattern == "Who directed M0":
            self.example = question
        for clause in question.query.clauses:
            if clause[0] == FILTER:
                continue
            _, path, target = clause
            if path == "a":
                self.types[target] += 1
            else:
                self.properties[path] += 1
                if path in ADJECTIVES and target.startswith("m_"):
                    self.adjectives[target] += 1

    def check(self, parser: QuestionParser, question: MadeQuestion) -> None:
        """Parse a question again."""
        reading = parser.parse(question.pattern)
        rows = orjson.dumps(parser.graph(reading).to_rows()).decode()
        same = reading.readings == 1 and reading.query.short() == question.query.short() and rows == question.derivation
        self.checked += 1
        self.apart += not same


def made(maker: QuestionMaker, wanted: int, seed: int, check: int) -> tuple[Tally, float]:
    """Make so many questions, and count them; with the processor seconds of making."""
    tally, seconds, number = Tally(), 0.0, 0
    parser = QuestionParser(read_rule_set("cfq"))
    with seldom_collecting():
        while len(tally.patterns) < wanted:
            start = time.process_time()
            lot = maker.lot(seed, number, LOT)
            seconds += time.process_time() - start
            number += 1
            tally.rejected.update(lot.rejected)
            for question in lot.questions:
                key = question.pattern.encode()
                if key in tally.patterns:
                    tally.rejected["same_pattern"] += 1
                elif len(tally.patterns) < wanted:
                    tally.patterns.add(key)
                    tally.add(question)
                    if tally.checked < check:
                        tally.check(parser, question)
            if number % 10 == 0:
                print(f"{len(tally.patterns):,} questions, {number * LOT / seconds:,.0f} a second", flush=True)
    return tally, seconds


def frame_shares(frames: Counter[str], name: str) -> dict[str, dict[str, float]]:
    """The shares of frames beside the real ones, in percent."""
    real, count = sum(SECTION_2.values()), frames.total()
    return {
        frame: {"real": round(100 * number / real, 2), name: round(100 * frames[frame] / count, 2)}
        for frame, number in SECTION_2.items()
    }


def farthest(shares: dict[str, dict[str, float]], name: str) -> float:
    """How many points the farthest frame is away."""
    return round(max(abs(share["real"] - share[name]) for share in shares.values()), 2)


def figures(tally: Tally, seconds: float, given: argparse.Namespace) -> dict[str, Any]:
    """What was found."""
    count = len(tally.patterns)
    shares = frame_shares(tally.frames, "made")
    values: dict[str, Any] = {
        "questions": count,
        "seed": given.seed,
        "distinct_patterns": count,
        "rejected": dict(sorted(tally.rejected.items())),
        "parsed_again": tally.checked,
        "not_the_same": tally.apart,
        "properties": len(tally.properties),
        "types": len(tally.types),
        "adjectives": len(tally.adjectives),
        "per_second": round(count / seconds),
        "cpu_seconds": round(seconds, 1),
        "load": round(os.getloadavg()[0], 1),
        "who_directed_m0": tally.example is not None,
        "frames": shares,
        "farthest_frame": farthest(shares, "made"),
        "other_frames": sorted(set(tally.frames) - set(SECTION_2)),
        "levels": {str(level): tally.levels[level] for level in sorted(tally.levels)},
    }
    if given.taken is not None:
        taken = Counter(str(tags["frame"]) for tags in recombine.load(given.taken).iter_mappings("tags"))
        after = frame_shares(taken, "taken")
        values["taken"] = {"questions": taken.total(), "frames": after, "farthest_frame": farthest(after, "taken")}
    try:
        known = real_bigrams()
    except RecombineError:
        return values
    tokens = sum(tally.bigrams.values())
    often = [each for each, questions in known.items() if questions >= OFTEN]
    missing = sorted(" ".join(each) for each in often if each not in tally.bigrams)
    strange = Counter({each: number for each, number in tally.bigrams.items() if each not in known})
    values["bigrams"] = {
        "real": len(known),
        "often": len(often),
        "often_missing": missing,
        "tokens": tokens,
        "real_tokens": round(1 - sum(strange.values()) / tokens, 6),
        "strangest": {" ".join(each): number for each, number in strange.most_common(given.show)},
    }
    return values


def main() -> None:
    """Make, compare and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("-n", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--check", type=int, default=100_000)
    arguments.add_argument("--show", type=int, default=10)
    arguments.add_argument("--weights")
    arguments.add_argument("--taken", help="what sub-sampling took of a pool")
    arguments.add_argument("--out", type=Path)
    given = arguments.parse_args()
    maker = QuestionMaker("cfq", weights=given.weights)
    tally, seconds = made(maker, given.n, given.seed, given.check)
    text = orjson.dumps(figures(tally, seconds, given), option=orjson.OPT_INDENT_2)
    print(text.decode())
    if given.out is not None:
        given.out.write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
