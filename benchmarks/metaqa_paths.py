"""MetaQA's dev questions on its knowledge base: how many are answered exactly by some path of their number of hops.

    python benchmarks/metaqa_paths.py                       # one, two and three hops, all questions
    python benchmarks/metaqa_paths.py --hops 1 2 --sample 500 --seed 1
    python benchmarks/metaqa_paths.py --store FOLDER        # an index that `recombine kb build` made of kb.txt

A hop is along a relation or against it; the topic is left out of what a path leads to, as MetaQA leaves it out of the
answers. Three hops can lead through the topic again (the genres of films by the director of X are those of X too);
`never_back` counts the paths that leave it out on the way as well. The facts of the data directory are fewer than
MetaQA's own, so that some questions have no such path: those whose topic or one of whose answers is in no fact are
counted apart. The result is kept in results/metaqa_paths.json where all questions were asked.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import orjson

import recombine
from recombine.data_directory import data_file
from recombine.kb.embedded.answer_paths import iter_answer_paths
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.profiles.profile import Profile
from recombine.kb.store import Step
from recombine.kb.term import Term
from recombine.records.dataset import Dataset

RESULT = Path(__file__).parent / "results" / "metaqa_paths.json"
WANTED = {1: 0.88, 2: 0.80}
"""The least shares of questions that must have a path."""
SHOWN = 8


def path_text(path: list[Step]) -> str:
    """A path as `recombine kb query --path` takes it."""
    return " / ".join(f"{'^' if step.inverse else ''}{step.relation.text}" for step in path)


def count_paths(store: EmbeddedStore, data: Dataset, hops: int) -> dict[str, Any]:
    """How many questions some path answers exactly, and which first paths do so most often."""
    exact = never_back = unknown_topics = unknown_answers = 0
    paths: Counter[str] = Counter()
    for example in data:
        topic = Term.name(str(example.tags["topic"]))
        answers = [Term.name(name) for name in example.tags["answers"]]  # type: ignore[union-attr]
        if store.id(topic) < 0:
            unknown_topics += 1
        elif (store.ids(answers) < 0).any():
            unknown_answers += 1
        never_back += next(iter_answer_paths(store, topic, answers, hops, never_back=True), None) is not None
        path = next(iter_answer_paths(store, topic, answers, hops), None)
        if path is not None:
            exact += 1
            paths[path_text(path)] += 1
    return {
        "questions": len(data),
        "exact": exact,
        "share": round(exact / len(data), 4),
        "share_never_back": round(never_back / len(data), 4),
        "topics_in_no_fact": unknown_topics,
        "answers_in_no_fact": unknown_answers,
        "first_paths": dict(sorted(paths.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]),
    }


def sampled(data: Dataset, size: int | None, seed: int) -> Dataset:
    """So many of the questions, drawn by the seed."""
    if size is None or size >= len(data):
        return data
    rows = sorted(np.random.default_rng(seed).choice(len(data), size, replace=False).tolist())
    return data.with_examples([data[row] for row in rows])


def measure(store: EmbeddedStore, hops: list[int], sample: int | None, seed: int) -> dict[str, Any]:
    """The counts for every number of hops, with the CPU seconds that each took."""
    rows: dict[str, Any] = {}
    for number in hops:
        data = sampled(recombine.load(f"metaqa/{number}hop"), sample, seed)
        begun = time.process_time()
        rows[f"{number}hop"] = {**count_paths(store, data, number)}
        rows[f"{number}hop"]["cpu_seconds"] = round(time.process_time() - begun, 1)
    return {"facts": len(store), "digest": store.digest, "data": rows}


def main() -> int:
    """Measure, print, and keep the result."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--hops", type=int, nargs="+", default=[1, 2, 3], choices=[1, 2, 3])
    parser.add_argument("--sample", type=int, help="so many questions of each, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", type=Path, help="the folder of an index of kb.txt; default: built anew")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = given.store
        if folder is None:
            folder, profile = Path(name) / "metaqa.kb", Profile("plain", "urn:name:")
            file = data_file("kb/metaqa/kb.txt.gz", "this benchmark")
            build_index(open_triples(file, profile=profile), folder, profile=profile)
        result = measure(EmbeddedStore.open(folder), given.hops, given.sample, given.seed)
    print(orjson.dumps(result, option=orjson.OPT_INDENT_2).decode())
    if given.sample is None and given.hops == [1, 2, 3]:
        RESULT.write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2) + b"\n")
    short = [hops for hops in WANTED if hops in given.hops and result["data"][f"{hops}hop"]["share"] < WANTED[hops]]
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
