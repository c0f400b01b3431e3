"""Speed and memory of questions about scenes: pools, balancing, the index, pictures, and how noise shows in answers.

    python benchmarks/scenes.py                    pool of 60,000 and balanced 20,000 of 2,000 scenes; index; pictures
    python benchmarks/scenes.py --scenes 20000     the same of more scenes
    python benchmarks/scenes.py --noise            answers that differ on the truth graph, by filter, at noise 0.15

Times are user CPU seconds of one process, but for what says otherwise.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np
from rich.console import Console

from recombine.languages.scenes import SCENES
from recombine.scenes.balance.asked_question import AskedQuestion
from recombine.scenes.balance.balanced_parts import BalancedParts, make_balanced_parts
from recombine.scenes.balance.filters import EXCLUSION, NONE, TRUTH
from recombine.scenes.balance.leak_table import leak_table
from recombine.scenes.balance.question_pool import PoolSetting
from recombine.scenes.balance.statistics import share_with_twin
from recombine.scenes.balance.truth_answers import answers_by_truth
from recombine.scenes.scene import Scenes
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.picture import picture_bytes
from recombine.scenes.synthetic.world import make_world

POOL, BALANCED, SCENES_MADE = 60_000, 20_000, 2_000
PICTURES, QUERIES = 500, 300
NOISE = 0.15
CLOSE = ("VERIFYLOGIC", "VERIFYQUANT", "COMPARECOUNT")
console = Console(width=110, highlight=False)


@dataclass
class Clock:
    """User CPU seconds since it was made."""

    start: float = 0.0

    def __post_init__(self) -> None:
        self.start = _user()

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return _user() - self.start


def _user() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def memory() -> float:
    """The most memory that this process has had, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def asked(made: BalancedParts) -> list[AskedQuestion]:
    """The chosen questions with their programs as trees."""
    return [
        AskedQuestion(
            str(number),
            each.source,
            SCENES.parse(each.target),
            each.answer,
            each.images,
            each.roles,
            each.template,
            each.subgraph,
            part,
            each.pair,
        )
        for part, questions in made.questions.items()
        for number, each in enumerate(questions)
    ]


def measure_questions(scenes: Scenes, pool: int, n: int, seed: int) -> BalancedParts:
    """Print how long pool and balancing take, and what the chosen questions are like."""
    clock, wall = Clock(), time.perf_counter()
    made = make_balanced_parts(PoolSetting(scenes, seed), n, pool=pool)
    seconds = clock.seconds
    console.print(
        f"pool of {made.pool.total():,} and balanced {n:,} of {len(scenes):,} scenes: {seconds:.1f} s, "
        f"{made.pool.total() / seconds:,.0f} questions/s, {memory():.2f} GB "
        f"({time.perf_counter() - wall:.0f} s of clock)"
    )
    console.print(f"  least of a template in the pool: {min(made.pool.values()):,} ({len(made.pool)} templates)")
    questions = asked(made)
    counts = Counter(each.template for each in questions).values()
    shapes: dict[str, set[object]] = {}
    for each in questions:
        shapes.setdefault(each.template, set()).add(SCENES.anonymise(each.program))
    console.print(
        f"  templates {min(counts):,} to {max(counts):,}; {share_with_twin(questions):.1%} with a twin; "
        f"{len(set().union(*shapes.values())):,} anonymised programs, "
        f"at least {min(map(len, shapes.values()))} of a template"
    )
    clock = Clock()
    lines = leak_table([each.guessed for each in questions], [each.part for each in questions])
    base = lines[0]
    for line in lines:
        close = ", ".join(f"{name} {line.by_template[name] - base.by_template[name]:+.1%}" for name in CLOSE)
        console.print(f"  {line.by:24}{line.overall:>7.1%} {line.overall - base.overall:+7.1%}   {close}")
    console.print(f"  the table of leaks took {clock.seconds:.1f} s")
    return made


def measure_index(scenes: Scenes, seed: int) -> None:
    """Print how fast the index answers."""
    clock = Clock()
    related = PoolSetting(scenes, seed).related()
    console.print(f"index of {len(scenes):,} scenes: {clock.seconds:.1f} s")
    places = np.random.default_rng(seed).permutation(len(scenes))
    graphs = list(dict.fromkeys(graph for place in places[:60] for graph in related.subgraphs(int(place))))
    clock = Clock()
    for graph in graphs:
        related.positives(graph)
    console.print(f"  {len(graphs) / clock.seconds:,.0f} sub-graphs/s looked up ({len(graphs):,} different ones)")
    clock, kinds = Clock(), 0
    for graph in graphs[:QUERIES]:
        kinds += len(related.distractors(graph))
    spent = clock.seconds
    console.print(f"  {QUERIES / spent:,.0f} sub-graphs/s with all their distractors, {kinds / spent:,.0f} kinds/s")


def measure_pictures(scenes: Scenes) -> None:
    """Print how fast pictures are drawn."""
    some = scenes[:PICTURES]
    clock = Clock()
    size = sum(len(picture_bytes(scene)) for scene in some)
    console.print(f"pictures: {len(some) / clock.seconds:,.0f}/s, {size / len(some) / 1000:.1f} KB each")


def measure_noise(number: int, n: int, seed: int) -> None:
    """Print how many answers differ on the truth graph, by what keeps images from distracting."""
    annotated, truth = make_world(number, seed=seed, noise=NOISE)
    console.print(f"noise {NOISE}, {number:,} scenes, {n:,} questions: answers that differ on the truth graph")
    for name in (NONE, EXCLUSION, TRUTH):  # benchmarks/verifier.py has the verifier between
        made = make_balanced_parts(PoolSetting(annotated, seed, truth, name), n)
        said = answers_by_truth(asked(made), truth, find_ontology())
        console.print(f"  {name:12}{said.share:>7.1%}, {said.no_answer / said.asked:.1%} have none there")


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=SCENES_MADE)
    parser.add_argument("--pool", type=int, default=POOL)
    parser.add_argument("-n", type=int, default=BALANCED)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--noise", action="store_true")
    given = parser.parse_args()
    if given.noise:
        measure_noise(given.scenes, given.n, given.seed)
        return
    clock = Clock()
    scenes, _ = make_world(given.scenes, seed=given.seed)
    console.print(f"{given.scenes:,} scenes made in {clock.seconds:.1f} s")
    measure_index(scenes, given.seed)
    measure_pictures(scenes)
    measure_questions(scenes, given.pool, given.n, given.seed)


if __name__ == "__main__":
    main()
