"""The index of sub-graphs of scenes: its size, and how many queries a second it answers, on one core.

    python benchmarks/scenes_index.py
    python benchmarks/scenes_index.py --number-of-scenes 20000
    python benchmarks/scenes_index.py --write benchmarks/results/scenes_index.json

A query fixes some nodes of a sub-graph and leaves others wild. The sub-graphs asked about are drawn from all of all
scenes of the synthetic world. Seconds are CPU time, of the system too, the best of a few turns; memory is the most that
the process had. Fewer than 10,000 queries a second are marked, and make the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from recombine.scenes.related.exclusion import OntologyExclusion
from recombine.scenes.related.kinds import kinds_of
from recombine.scenes.related.related_images import RelatedImages
from recombine.scenes.related.shape_table import WILD, ShapeTable
from recombine.scenes.related.truth_verifier import TruthVerifier
from recombine.scenes.subgraph import Subgraph
from recombine.scenes.subgraphs.shape import flatten
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.world import make_world

ASKED = 3_000
LEAST_QUERIES = 10_000
QUERIES = ("queries with a wild node", "queries with two wild nodes", "positives", "relaxed positives")


def best(action: Callable[[], object], repeats: int) -> float:
    """The least CPU time of a few turns."""
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    return min(taken)


def most_memory() -> float:
    """The most memory that this process had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def drawn(related: RelatedImages, count: int) -> list[Subgraph]:
    """Sub-graphs of scenes, each of a scene as likely as any other."""
    rng = np.random.default_rng(0)
    places = rng.choice(len(related.scenes), size=min(len(related.scenes), 1_000), replace=False)
    graphs = [graph for place in places.tolist() for graph in related.subgraphs(place)]
    return [graphs[at] for at in rng.choice(len(graphs), size=min(count, len(graphs)), replace=False).tolist()]


def patterns(related: RelatedImages, graphs: list[Subgraph], changes: int) -> list[tuple[ShapeTable, list[int]]]:
    """Queries with so many wild nodes: for each sub-graph those of all its kinds."""
    queries: list[tuple[ShapeTable, list[int]]] = []
    for graph in graphs:
        flat = flatten(graph)
        for kind in kinds_of(flat.shape):
            if len(kind.places) == changes:
                numbers = related.index.numbers(flat)
                for place in kind.places:
                    numbers[place] = WILD
                queries.append((related.index.tables[flat.shape], numbers))
    return queries


def measure(number_of_scenes: int, repeats: int) -> dict[str, float]:
    """All figures."""
    ontology = find_ontology()
    scenes, _ = make_world(number_of_scenes, seed=0)
    before = most_memory()
    began = time.process_time()
    related = RelatedImages(scenes, OntologyExclusion(ontology))
    figures = {"seconds to build": time.process_time() - began}
    figures["sub-graphs a scene"] = related.index.rows / number_of_scenes
    figures["shapes"] = len(related.index.tables)
    figures["megabytes of tables and posting lists"] = related.index.nbytes / 2**20
    figures["megabytes more of the process"] = most_memory() - before
    figures["scenes that were cut"] = len(related.cut)
    graphs = drawn(related, ASKED)
    distances = [_at_distance_one(related, graph) for graph in graphs]
    figures["positives of a sub-graph, median"] = float(np.median([len(related.positives(graph)) for graph in graphs]))
    figures["images at distance 1, median"] = float(np.median(distances))
    for name, changes in zip(QUERIES[:2], (1, 2), strict=True):
        asked = patterns(related, graphs, changes)
        figures[name] = len(asked) / best(lambda asked=asked: [table.select(one) for table, one in asked], repeats)
    figures[QUERIES[2]] = len(graphs) / best(lambda: [related.positives(graph) for graph in graphs], repeats)
    figures[QUERIES[3]] = len(graphs) / best(lambda: [related.relaxed(graph) for graph in graphs], repeats)
    few = graphs[:1_000]
    figures["distractors of all kinds"] = len(few) / best(
        lambda: [related.distractors(graph) for graph in few], repeats
    )
    figures["the same, with noise and the truth verifier"] = _verified(number_of_scenes, repeats)
    figures["megabytes of the process"] = most_memory()
    return figures


def _verified(number_of_scenes: int, repeats: int) -> float:
    ontology = find_ontology()
    scenes, truth = make_world(number_of_scenes, seed=0, noise=0.15)
    related = RelatedImages(scenes, OntologyExclusion(ontology), verifier=TruthVerifier(truth, ontology))
    graphs = drawn(related, 1_000)
    return len(graphs) / best(lambda: [related.distractors(graph) for graph in graphs], repeats)


def _at_distance_one(related: RelatedImages, graph: Subgraph) -> int:
    kinds = related.distractors(graph)
    places = [each.places for kind, each in kinds.items() if "+" not in kind]
    return len(np.unique(np.concatenate(places))) if places else 0


def main() -> int:
    """Print the figures, and write them where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number-of-scenes", type=int, default=2_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--write", type=Path, help="a JSON file for the figures")
    options = parser.parse_args()
    figures = measure(options.number_of_scenes, options.repeats)
    missed = [name for name in QUERIES if figures[name] < LEAST_QUERIES]
    for name, value in figures.items():
        asked = f"a second  ≥ {LEAST_QUERIES:,}" if name in QUERIES else ""
        sys.stdout.write(f"{name:<46}{value:>12,.1f}  {asked}{'  MISSED' if name in missed else ''}\n")
    if options.write:
        held = json.loads(options.write.read_text()) if options.write.exists() else {}
        held[f"{options.number_of_scenes:,} scenes"] = figures
        options.write.write_text(json.dumps(held, indent=1) + "\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
