"""Examples per second from the texts of programs to features, by arrays and one by one in Python, on one core.

    python benchmarks/program_features.py [DATA …]

Each row is one data set under one definition: examples per second of user CPU on both paths, their ratio, and the share
of the array path that goes into reading the texts. Kernels are compiled before; every run reads the texts anew, and the
best of three counts. Both matrices are compared, column by column; the path of Python is the tests' oracle. Drawn
programs of COVR's grammar, and FunQL with other entities, are distinct; published data is read from RECOMBINE_DATA.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import recombine
from recombine.grammars.synchronous.notation import packaged_synchronous
from recombine.grammars.synchronous.sample import sample_distinct
from recombine.languages.covr import COVR
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.structures.dataset_features import extract_features
from recombine.structures.definition import PROGRAM_STRUCTURES, Structures
from recombine.structures.features import Features
from recombine.structures.programs.distinct_programs import dataset_programs

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "structures"))
from listed_programs import listed_features

DEFINITIONS = (PROGRAM_STRUCTURES, "atoms=symbols:arity,presence;compounds=path:1-2,counts", "tmcd:uls")
PUBLISHED = ("geoquery/funql", "cfq/mcd1", "spider/ssp", "cogs", "atis", "overnight", "covr/text")
MOST = 20_000


def user_seconds(action: Callable[[], object], repeats: int = 3) -> float:
    """The least user CPU of a few runs."""
    seconds = []
    for _ in range(repeats):
        start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        action()
        seconds.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - start)
    return min(seconds)


def drawn_covr(number: int = MOST) -> Dataset:
    """Distinct programs of COVR's grammar."""
    samples = sample_distinct(packaged_synchronous("covr"), number, seed=0)
    return Dataset.of(
        "covr, drawn", [Example(str(n), s.source, s.target) for n, s in enumerate(samples)], language=COVR
    )


def repeated_funql(number: int = MOST) -> Dataset:
    """GeoQuery's programs, each time with another entity, so that the most of them are distinct."""
    data = recombine.load("geoquery/funql")
    targets = [data.examples[n % len(data)].target.replace("m0", f"m{n // len(data)}") for n in range(number)]
    return data.with_examples([Example(str(n), "", target) for n, target in enumerate(targets)])


def same(one: Features, other: Features) -> bool:
    """Whether two matrices are equal, columns, rows, values and types."""
    parts = [(getattr(one, name), getattr(other, name)) for name in ("indptr", "indices", "data")]
    return tuple(one.names) == tuple(other.names) and all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in parts)


def row(data: Dataset, definition: str) -> None:
    """One line of the table."""
    structures = Structures.parse(definition)
    found = extract_features(data, structures)
    atoms, compounds = listed_features(data, definition)
    if not (same(found.atoms, atoms) and same(found.compounds, compounds)):
        sys.exit(f"{data.name}: the two paths differ under {definition}")
    arrays = user_seconds(lambda: extract_features(data, structures))
    reading = user_seconds(lambda: dataset_programs(data))
    listed = user_seconds(lambda: listed_features(data, definition), 1)
    distinct = len({example.target for example in data})
    sys.stdout.write(
        f"{data.name:<16}{len(data):>8,}{distinct:>9,}  {structures.compounds!s:<28}"
        f"{len(data) / arrays:>10,.0f}{len(data) / listed:>10,.0f}{listed / arrays:>7.1f} ×{reading / arrays:>8.0%}\n"
    )
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    heads = f"{'arrays/s':>10}{'Python/s':>10}{'ratio':>9}{'reading':>8}"
    sys.stdout.write(f"{'data':<16}{'examples':>8}{'distinct':>9}  {'compounds':<28}{heads}\n")
    names = sys.argv[1:] or PUBLISHED
    made = [] if sys.argv[1:] else [drawn_covr(), repeated_funql()]
    published = (recombine.load(name) for name in names)
    for data in (*made, *(data.with_examples(data.examples[:MOST]) for data in published)):
        for definition in DEFINITIONS:
            row(data, definition)


if __name__ == "__main__":
    main()
