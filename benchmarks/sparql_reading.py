"""How fast SPARQL 1.1 is read, written and brought into its one form, and how fast rdflib and pyoxigraph read it.

    RECOMBINE_DATA=… python benchmarks/sparql_reading.py

Queries are QALD's 544 and GrailQA's 600, on one core. Figures are queries in a second of CPU time, the best of three
turns; loading the grammar is counted once and by itself. pyoxigraph does not take GrailQA's names as they stand,
and some of QALD's queries not at all: it is given what the package writes. Exit code 1 where fewer than 500 queries of
QALD are read in a second.
"""

from __future__ import annotations

import gzip
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import orjson

DATA = Path(os.environ.get("RECOMBINE_DATA", "../shared/data"))
FILES = {"QALD": ("kb/qald.jsonl.gz", "sparql"), "GrailQA": ("grailqa/items.jsonl.gz", "sparql_query")}
WANTED = 500
TURNS = 3
SOME = 40
"""The queries that rdflib reads, evenly taken: it is slow."""


def seconds_of(action: Callable[[], object]) -> float:
    """What one turn takes."""
    began = time.process_time()
    action()
    return time.process_time() - began


def rate(count: int, action: Callable[[], object]) -> float:
    """How often in a second, by the best turn."""
    return count / max(min(seconds_of(action) for _ in range(TURNS)), 1e-9)


def queries(name: str) -> list[str]:
    """The queries of a file."""
    file, field = FILES[name]
    with gzip.open(DATA / file) as stream:
        return [orjson.loads(line)[field] for line in stream]


def main() -> int:
    """Print the figures."""
    import pyoxigraph
    from rdflib.plugins.sparql.parser import parseQuery

    from recombine.languages.sparql.read_query import read_query
    from recombine.languages.sparql.sparql11 import SPARQL11

    print(f"load the grammar: {seconds_of(lambda: read_query('ASK { }')):.2f} s")
    store = pyoxigraph.Store()
    slow = []
    for name in FILES:
        texts = queries(name)
        trees = [read_query(text).tree for text in texts]
        written = [SPARQL11.render(tree) for tree in trees]
        few = written[:: len(written) // SOME]
        characters = sum(map(len, texts)) / len(texts)
        rates = {
            "read": rate(len(texts), lambda texts=texts: [read_query(text) for text in texts]),
            "written": rate(len(trees), lambda trees=trees: [SPARQL11.render(tree) for tree in trees]),
            "in one form": rate(len(trees), lambda trees=trees: [SPARQL11.normalise(tree) for tree in trees]),
            "read by pyoxigraph": rate(len(written), lambda written=written: [store.query(text) for text in written]),
            "read by rdflib": rate(len(few), lambda few=few: [parseQuery(text) for text in few]),
        }
        print(f"{name}: {len(texts)} queries of {characters:.0f} characters on average, in a second:")
        for what, value in rates.items():
            print(f"  {what:20} {value:8,.0f}")
        if name == "QALD" and rates["read"] < WANTED:
            slow.append(f"fewer than {WANTED} queries of {name} are read in a second")
    for line in slow:
        print(line)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
