"""Logical forms executed on FB15k-237: forms a second, the embedded index beside pyoxigraph.

    python benchmarks/form_execution.py                  # 200 forms of each kind, best of three
    python benchmarks/form_execution.py --forms 1000 --seed 1

FB15k-237 has neither classes nor values, so every entity is given one of twenty classes, a number and a date, made up
from the seed. The forms are of five kinds, all but the comparisons about facts that there are; every answer of one
store is compared with that of the other. Both execute forms that are read already; pyoxigraph does it by the SPARQL
that is written of them. Seconds are of the CPU, of the one process. The result is kept in results/form_execution.json
where the options are the default.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from recombine.data_directory import data_file
from recombine.evaluation.answers.answer_f1 import value_key
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.form import SExpression
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore, iter_keys
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.store import Store
from recombine.languages.sexpression import parse_sexpression

RESULT = Path(__file__).parent / "results" / "form_execution.json"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
CLASSES, FORMS, SEED, TURNS = 20, 200, 0, 3
Fact = tuple[str, str, str]


def made_up(entities: Sequence[str], chance: np.random.Generator) -> Iterator[Fact]:
    """A class, a number and a date of every entity."""
    for entity in entities:
        yield entity, TYPE, f"=class{int(chance.integers(CLASSES))}"
        yield entity, "=size", f'"{int(chance.integers(10_000))}\0{XSD}integer'
        year, day = 1900 + int(chance.integers(120)), 1 + int(chance.integers(28))
        yield entity, "=born", f'"{year}-03-{day:02d}\0{XSD}date'


def batch(facts: Sequence[Fact]) -> pa.RecordBatch:
    """Facts as a stream of triples has them."""
    columns = [pa.array(column, pa.large_string()) for column in zip(*facts, strict=True)]
    return pa.RecordBatch.from_arrays(columns, ["subject", "relation", "target"])


class Maker:
    """Forms by chance, each about facts that some entity has, so that it has answers."""

    def __init__(self, facts: Sequence[Fact], classes: dict[str, str], chance: np.random.Generator) -> None:
        self._facts, self._classes, self._chance = facts, classes, chance
        self._of: dict[str, list[Fact]] = {}
        for fact in facts:
            self._of.setdefault(fact[0], []).append(fact)
        self._going_on = [fact for fact in facts if fact[2] in self._of]

    def _pick(self, facts: Sequence[Fact]) -> Fact:
        return facts[int(self._chance.integers(len(facts)))]

    def one_hop(self) -> str:
        """Along a fact, or against it."""
        one, along, other = self._pick(self._facts)
        return f"(JOIN {along[1:]} {other[1:]})" if self._chance.integers(2) else f"(JOIN (R {along[1:]}) {one[1:]})"

    def two_hops(self) -> str:
        """Over two facts that follow each other."""
        return self._path(self._pick(self._going_on))

    def _path(self, fact: Fact) -> str:
        _, along, end = self._pick(self._of[fact[2]])
        return f"(JOIN {fact[1][1:]} (JOIN {along[1:]} {end[1:]}))"

    def conditions(self) -> str:
        """The class of an entity, a fact of it, and two facts that follow each other."""
        first = self._pick(self._going_on)
        _, along, other = self._pick(self._of[first[0]])
        return f"(AND {self._classes[first[0]]} (AND (JOIN {along[1:]} {other[1:]}) {self._path(first)}))"

    def comparison(self) -> str:
        """A class, and a number that is larger than another."""
        bound = f"{int(self._chance.integers(10_000))}^^{XSD}integer"
        return f"(AND class{int(self._chance.integers(CLASSES))} (gt size {bound}))"

    def superlative(self) -> str:
        """Of what is two facts away, those with the largest number or the last date."""
        return f"(ARGMAX {self.two_hops()} {('size', 'born')[int(self._chance.integers(2))]})"


def forms(maker: Maker, number: int) -> dict[str, list[SExpression]]:
    """So many forms of every kind."""
    makers: dict[str, Callable[[], str]] = {
        "one hop": maker.one_hop,
        "two hops": maker.two_hops,
        "class, hop and two hops": maker.conditions,
        "comparison": maker.comparison,
        "superlative of two hops": maker.superlative,
    }
    return {name: [SExpression(parse_sexpression(make())) for _ in range(number)] for name, make in makers.items()}


def per_second(store: Store, asked: Sequence[SExpression]) -> float:
    """Forms a second of the CPU, the best of some turns."""
    best = 0.0
    for _ in range(TURNS):
        begin = time.process_time()
        for form in asked:
            store.execute(form)
        best = max(best, len(asked) / (time.process_time() - begin))
    return round(best)


def main() -> None:
    """Build both stores, compare their answers, and time them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--forms", type=int, default=FORMS)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    chance, profile = np.random.default_rng(given.seed), find_profile("plain")
    path = data_file("kb/fb15k237/triples.tsv.gz", "FB15k-237")
    facts = list(iter_keys(open_triples(path, profile=profile)))
    entities = sorted({name for fact in facts for name in (fact[0], fact[2])})
    said = list(made_up(entities, chance))
    everything = [*facts, *said]
    maker = Maker(facts, {one: other[1:] for one, relation, other in said if relation == TYPE}, chance)
    with tempfile.TemporaryDirectory() as folder:
        build_index([batch(everything)], Path(folder) / "index", profile=profile)
        stores: dict[str, Store] = {
            "embedded": EmbeddedStore.open(Path(folder) / "index"),
            "pyoxigraph": OxigraphStore.of_keys(everything, profile),
        }
        rates: dict[str, Any] = {}
        for kind, asked in forms(maker, given.forms).items():
            answers = [[frozenset(map(value_key, store.execute(form))) for form in asked] for store in stores.values()]
            if answers[0] != answers[1]:
                sys.exit(f"{kind}: the answers differ")
            rates[kind] = {name: per_second(store, asked) for name, store in stores.items()}
            rates[kind]["mean_answers"] = round(sum(map(len, answers[0])) / len(asked), 1)
            print(kind, rates[kind], flush=True)
    result = {"facts": len(everything), "forms": given.forms, "seed": given.seed, "per_second": rates}
    if (given.forms, given.seed) == (FORMS, SEED):
        RESULT.write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
