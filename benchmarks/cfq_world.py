"""How long the made-up world takes to make, and which share of CFQ's real question patterns it can ground.

    RECOMBINE_DATA=… python benchmarks/cfq_world.py
    RECOMBINE_DATA=… python benchmarks/cfq_world.py --write benchmarks/results/cfq_world.json
    python benchmarks/cfq_world.py --sizes 5000 --questions 200

Questions are drawn from those of `cfq/mcd1`'s dev part that the rules read; their placeholders are variables, and
those in one question must be different entities with names of their own. The share is by frame, which is the first rule
from the top that has several parts, and by the number of clauses. Seconds are CPU time of one core, the best of three.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("RECOMBINE_DATA_CACHE", "off")

import numpy as np

from recombine.data_directory import data_file
from recombine.files import read_text
from recombine.grammars.unification.generation.made_question import MadeQuestion
from recombine.grammars.unification.question_parser import QuestionParser, Reading
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.kb.cfq_stores.usable_rules import usable_rules
from recombine.kb.fb15k237.fb15k237_store import fb15k237_store
from recombine.kb.film_world.film_world import film_world_store, make_film_world
from recombine.kb.grounding.grounded import Ungrounded
from recombine.kb.grounding.grounder import Grounder

SIZES = (5_000, 20_000, 100_000, 200_000, 1_000_000)
PAIRS = "cfq/mcd1_dev.tsv.gz"
WANTED = 0.9
NOT_HERE = ("unsatisfiable", "search_ended", "no_unambiguous_names", "lacks")


def best(action: Callable[[], object], repeats: int = 3) -> float:
    """The least CPU time of a few turns."""
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    return round(min(taken), 3)


def frame_of(parser: QuestionParser, reading: Reading) -> str:
    """The first rule from the top that has a part beside another part or a word."""
    derived = reading.derived
    while len(parser.rules.grammar[derived.number].right) == 1:
        (derived,) = derived.parts
    return parser.rules.grammar[derived.number].name


def questions(number: int, seed: int) -> list[MadeQuestion]:
    """Real question patterns with their queries and frames."""
    pairs = [line.split("\t") for line in read_text(data_file(PAIRS, "this benchmark")).splitlines()]
    chosen = np.random.default_rng(seed).choice(len(pairs), number, replace=False)
    parser = QuestionParser(read_rule_set("cfq"))
    made = []
    for place in chosen:
        reading = parser.parse(pairs[place][0])
        made.append(MadeQuestion(pairs[place][0], reading.query, frame_of(parser, reading), "", {}))
    return made


def outcomes(store: Any, made: list[MadeQuestion]) -> dict[str, Any]:
    """What becomes of the questions over a store, and how long that takes."""
    grounder = Grounder(store)
    for number, question in enumerate(made[:50]):  # kernels and pairs are there when the clock starts
        grounder.ground(question, np.random.default_rng(number))
    reasons: Counter[str] = Counter()
    by_frame: dict[str, Counter[bool]] = defaultdict(Counter)
    by_clauses: dict[int, Counter[bool]] = defaultdict(Counter)
    began = time.process_time()
    for number, question in enumerate(made):
        result = grounder.ground(question, np.random.default_rng([1, number]))
        reason = result.reason if isinstance(result, Ungrounded) else "grounded"
        reasons[reason.partition(":")[0]] += 1
        holds = not reason.startswith(NOT_HERE)
        clauses = sum(clause[0] != "FILTER" for clause in question.query.clauses)
        by_frame[question.frame][holds] += 1
        by_clauses[clauses][holds] += 1
    seconds = time.process_time() - began
    return {
        "satisfiable": round(sum(each[True] for each in by_frame.values()) / len(made), 4),
        "outcomes": dict(reasons.most_common()),
        "questions a second": round(len(made) / seconds),
        "by frame": {key: _share(by_frame[key]) for key in sorted(by_frame)},
        "by clauses": {str(key): _share(by_clauses[key]) for key in sorted(by_clauses)},
    }


def _share(counts: Counter[bool]) -> str:
    return f"{counts[True]} of {counts.total()}"


def main() -> int:
    """Measure, print, and keep the figures where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--questions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fb15k237", type=Path, help="the folder of FB15k-237, to measure it too")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    made = questions(given.questions, given.seed)
    figures: dict[str, Any] = {"questions": given.questions, "seed": given.seed, "worlds": {}}
    figures["real queries of"] = PAIRS
    for size in given.sizes:
        store = film_world_store(size, seed=given.seed)
        facts = make_film_world(size, seed=given.seed)
        figures["worlds"][f"{size:,}"] = row = {
            "facts": len(store),
            "things": {kind: sum(map(len, ids)) for kind, ids in facts.things.items()},
            "seconds to make": best(partial(make_film_world, size, seed=given.seed)),
            "seconds to make and index": best(partial(film_world_store, size, seed=given.seed)),
            **outcomes(store, made),
        }
        print(f"{size:,}", json.dumps(row, indent=1))
    if given.fb15k237 is not None:
        part = fb15k237_store(given.fb15k237)
        lacks = usable_rules(part, read_rule_set("cfq"))
        figures["FB15k-237"] = {"facts": len(part), "lacks": lacks.lacking, **outcomes(part, made)}
        print("FB15k-237", json.dumps(figures["FB15k-237"], indent=1))
    if given.write:
        given.write.write_text(json.dumps(figures, indent=1) + "\n")
    largest = figures["worlds"][f"{max(given.sizes):,}"]["satisfiable"]
    return 0 if largest >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main())
