"""Candidates on FB15k-237, one core: entities a second, their number, forms made a second, words, and recall.

    RECOMBINE_DATA=… python benchmarks/kb_candidates.py
    RECOMBINE_DATA=… python benchmarks/kb_candidates.py --write benchmarks/results/kb_candidates.json
    RECOMBINE_DATA=… python benchmarks/kb_candidates.py --only generated --write benchmarks/results/kb_candidates.json

Seconds are CPU time, the best of three turns. Recall is that of GrailQA's 600 forms over witness worlds, for Freebase
is not to be had: what is covered is then what the shape of a form allows, and the paper's 80 % is of all its questions.
That of generated questions (10,000 of seed 1, with what their forms name as links) is over the made-up world and
FB15k-237, by kind: relations, chain or fork, function. `--only` measures one part, and keeps the others of the file.
Figures that miss what was asked for are marked, and make the exit code 1.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

warnings.simplefilter("ignore")
DATA = Path(os.environ.get("RECOMBINE_DATA", ""))
FB15K = DATA / "kb" / "fb15k237" / "triples.tsv.gz"
NAMES = FB15K.with_name("mid2name.tsv.gz")
LEAST_ENTITIES = 5_000
LEAST_RECALL = 0.99
"""Of generated questions of one or two relations in one chain, without a superlative or a comparison."""
GENERATED, SEED = 10_000, 1
SOME = 500
ROWS = 5_000


def best(action: Callable[[], object], repeats: int = 3) -> float:
    """The least CPU time of a few turns, after one that compiles."""
    action()
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    return min(taken)


def fb15k237() -> dict[str, Any]:
    """Speed and numbers on FB15k-237, its joined relations kept."""
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.candidates.vocabulary import pruned_vocabulary
    from recombine.kb.open_store import open_store

    store = open_store(FB15K)
    space = SearchSpace(store)
    entities = space.entities
    sizes = space.sizes(entities)
    listing = best(lambda: [None for _ in space.iter_paths(entities)])
    chance = np.random.default_rng(1)
    some = store.terms(chance.choice(entities, SOME, replace=False))
    singly = best(lambda: [len(space.of([term])) for term in some])
    made = sum(len(space.of([term])) for term in some[:40])
    forms = best(lambda: [each.graph() for term in some[:40] for each in space.of([term])])
    texts = best(lambda: [each.text(store.profile) for term in some[:8] for each in space.of([term])], 1)
    written = sum(len(space.of([term])) for term in some[:8])
    words = [len(pruned_vocabulary(space, [term]).relations) for term in some]
    pruning = best(lambda: [pruned_vocabulary(space, [term]) for term in some], 1)
    return {
        "entities": len(entities),
        "candidates with COUNT": int(sizes.sum()),
        "median": float(np.median(sizes)),
        "99 %": float(np.percentile(sizes, 99)),
        "most": int(sizes.max()),
        "entities a second in a batch": round(len(entities) / listing),
        "entities a second singly by name": round(SOME / singly),
        "graph queries made a second": round(made / forms),
        "S-expressions written a second": round(written / texts),
        "vocabularies a second": round(SOME / pruning),
        "relations in a vocabulary, median": float(np.median(words)),
        "relations": len(space.steps.relations),
    }


def witness_facts(profile: Any) -> Iterator[tuple[Any, Any, list[tuple[str, str, str]]]]:
    """GrailQA's items: id, S-expression as a form, and the facts of its witness world as keys."""
    from recombine.kb.forms.form_of_text import form_of_text
    from recombine.kb.forms.read_form import read_form
    from recombine.kb.forms.witness_world import witness_world
    from recombine.kb.term import Term

    integer = "http://www.w3.org/2001/XMLSchema#integer"
    with gzip.open(DATA / "grailqa" / "items.jsonl.gz", "rt") as lines:
        for number, item in enumerate(map(json.loads, lines)):
            answers = [
                Term.name(each["answer_argument"])
                if each["answer_type"] == "Entity"
                else Term.literal(each["answer_argument"], datatype=integer)
                for each in item["answer"]
            ]
            query = read_form(item["graph_query"], "graph", profile)
            own = f"_{number}"
            facts = [
                tuple(term.key + own if term.key.startswith("=m.w") else term.key for term in fact)
                for fact in witness_world(query, answers, profile)
            ]
            yield item["qid"], form_of_text(item["s_expression"], profile), facts


def recall() -> dict[str, Any]:
    """How many of GrailQA's forms are among their candidates, under each option."""
    import pyarrow as pa

    from recombine.kb.candidates.candidate_recall import Asked, candidate_recall
    from recombine.kb.candidates.search_space import BEYOND, SearchSpace
    from recombine.kb.embedded.build_index import build_index
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.ontology.default_ontology import default_ontology
    from recombine.kb.profiles.find_profile import find_profile

    profile = find_profile("freebase")
    items = list(witness_facts(profile))
    facts = sorted({fact for _, _, own in items for fact in own})
    columns = [pa.array(column, pa.large_string()) for column in zip(*facts, strict=True)]
    batch = pa.RecordBatch.from_arrays(columns, ["subject", "relation", "target"])
    asked = [Asked(str(key), form) for key, form, _ in items]
    ontology = default_ontology(DATA / "grailqa" / "ontology")
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        build_index(iter([batch]), Path(folder, "index"), profile=profile)
        store = EmbeddedStore.open(Path(folder, "index"))
        for beyond in ((), BEYOND[:1], BEYOND):
            began = time.process_time()
            report = candidate_recall(SearchSpace(store, beyond=beyond), asked, ontology=ontology)
            seconds = time.process_time() - began
            found[report.signature] = {**report.to_dict(), "questions a second": round(len(asked) / seconds)}
    return found


def kind_of(tags: Any) -> tuple[int, str, str]:
    """The relations, the shape and the function of a generated question, by its graph query alone."""
    graph, function = tags["graph_query"], tags["function"]
    edges = Counter(end for edge in graph["edges"] for end in (edge["start"], edge["end"]))
    asked = next(node["nid"] for node in graph["nodes"] if node["question_node"])
    shape = "chain" if max(edges.values()) <= 2 and edges[asked] == 1 else "fork"
    known = {"none": "none", "count": "count", "argmax": "superlative", "argmin": "superlative"}
    return len(graph["edges"]), shape, known.get(function, "comparative")


def is_meant(kind: tuple[int, str, str]) -> bool:
    """Whether candidates are meant to have questions of a kind."""
    relations, shape, function = kind
    return relations <= 2 and shape == "chain" and function in ("none", "count")


def of_generated(kb: Path | None) -> dict[str, Any]:
    """The recall on questions that are generated over the made-up world or a knowledge base."""
    from recombine.datasets.kbqa_generated import KbqaGenerator
    from recombine.kb.candidates.candidate_recall import Asked, candidate_recall
    from recombine.kb.candidates.form_lookup import COVERED
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.forms.read_form import read_form
    from recombine.kb.ontology.derive_ontology import derive_ontology
    from recombine.kb.ontology.ontology_of_facts import ontology_of_facts

    options = {} if kb is None else {"kb": str(kb), "names": str(NAMES)}
    made = KbqaGenerator(**options).generate(GENERATED, seed=SEED)
    store: Any = made.world
    examples = list(made.dataset())
    asked = [Asked(each.id, read_form(each.target, "sexpression", store.profile)) for each in examples]
    stated = ontology_of_facts(store)
    report = candidate_recall(
        SearchSpace(store), asked, ontology=stated if stated.relations else derive_ontology(store)
    )
    kinds: dict[tuple[int, str, str], Counter[str]] = {}
    for each in examples:
        kinds.setdefault(kind_of(each.tags), Counter())[report.outcomes[each.id]] += 1
    meant = [outcomes for kind, outcomes in kinds.items() if is_meant(kind)]
    return {
        **report.to_dict(),
        "meant": sum(map(Counter.total, meant)),
        "meant_covered": sum(outcomes[COVERED] for outcomes in meant),
        "kinds": [
            {
                **dict(zip(("relations", "shape", "function"), kind, strict=True)),
                "questions": outcomes.total(),
                "covered": outcomes[COVERED],
                "not_covered": {name: number for name, number in sorted(outcomes.items()) if name != COVERED},
            }
            for kind, outcomes in sorted(kinds.items())
        ],
    }


def generated() -> dict[str, Any]:
    """The recall on generated questions, over each of two knowledge bases."""
    return {"made-up world": of_generated(None), "FB15k-237": of_generated(FB15K)}


def missed(figures: dict[str, Any]) -> Iterator[str]:
    """What was asked for and is not met."""
    if (speed := figures.get(PARTS["fb15k237"][0])) and speed["entities a second in a batch"] < LEAST_ENTITIES:
        yield f"at least {LEAST_ENTITIES:,} entities a second"
    for name, found in figures.get(PARTS["generated"][0], {}).items():
        if found["meant_covered"] < LEAST_RECALL * found["meant"]:
            yield f"at least {LEAST_RECALL:.0%} of the short chains over {name}"


PARTS: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {
    "fb15k237": ("FB15k-237", fb15k237),
    "grailqa": ("GrailQA's 600 forms over witness worlds", recall),
    "generated": ("generated questions", generated),
}


def main() -> int:
    """Measure, print, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, help="the file of the result")
    parser.add_argument("--only", choices=[*PARTS], help="measure this alone")
    arguments = parser.parse_args()
    figures = {name: measure() for key, (name, measure) in PARTS.items() if arguments.only in (None, key)}
    sys.stdout.write(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    if arguments.write is not None:
        kept = json.loads(arguments.write.read_text(encoding="utf-8")) if arguments.write.exists() else {}
        text = json.dumps({**kept, **figures}, indent=1, ensure_ascii=False)
        arguments.write.write_text(text + "\n", encoding="utf-8")
    lacking = list(missed(figures))
    for what in lacking:
        sys.stdout.write(f"missed: {what}\n")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
