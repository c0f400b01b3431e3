"""Speed of local structures, easiness, adversarial splits and selection, one process, one core.

    python benchmarks/local_structures.py

Programs are drawn from COVR's grammar; ATIS is read from RECOMBINE_DATA. Every row is the median of a few runs once the
kernels are compiled, beside the time that was asked for. Seconds are of this machine and noisy; the memory is the peak
of the whole process so far.
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

import recombine
from covr_splits import CovrSplits, load_covr
from recombine.easiness.easiness import EasinessRule
from recombine.grammars.synchronous.notation import packaged_synchronous
from recombine.grammars.synchronous.sample import sample_distinct
from recombine.languages.covr import COVR
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.selection.select_coverage import CoverageSelector
from recombine.selection.select_examples import select_examples
from recombine.splits.hold_out.local_structure import LocalStructureSplitter
from recombine.structures.local_structures import LocalStructures, local_structures
from recombine.structures.programs.distinct_programs import parse_programs
from recombine.structures.programs.program_arrays import dataset_arrays, program_arrays
from recombine.structures.programs.templates import templates


def timed(action: Callable[[], object], repeats: int = 3) -> float:
    """The median of a few runs, after one that compiles."""
    action()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def row(what: str, seconds: float, asked: str = "", note: str = "") -> None:
    """One line of the table."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"{what:<58}{seconds:8.2f} s  {asked:>7}  {memory:6.0f} MiB  {note}\n")
    sys.stdout.flush()


def covr_sample(number: int) -> Dataset:
    """Distinct programs of COVR's grammar."""
    samples = sample_distinct(packaged_synchronous("covr"), number, seed=0)
    return Dataset("covr", tuple(Example(str(n), s.source, s.target) for n, s in enumerate(samples)), language=COVR)


def structures_rows() -> None:
    """From texts and from trees to structures."""
    data = covr_sample(20_000)
    trees = parse_programs(data, COVR, data="covr")
    arrays = program_arrays(trees)
    row(
        "20,000 COVR programs: texts to 4-LS", timed(lambda: local_structures(dataset_arrays(data), "local:4")), "≤ 1 s"
    )
    row("  trees to 4-LS", timed(lambda: local_structures(program_arrays(trees), "local:4")))
    row("  texts to trees, by the language's own parser", timed(lambda: parse_programs(data, COVR, data="covr"), 1))
    for definition in ("local:2", "local:3", "local:4", "connected:4", "ngram:2"):
        found = local_structures(arrays, definition)
        note = f"{found.shape[1]:,} structures, {len(found.indices):,} entries"
        row(f"  arrays to {definition}", timed(lambda d=definition: local_structures(arrays, d)), "", note)  # type: ignore[misc]


def all_splits(covr: CovrSplits, structures: LocalStructures, train: dict[str, np.ndarray]) -> list[float]:  # type: ignore[type-arg]
    """The easiness of all splits."""
    rule = EasinessRule(structures)
    return [rule.fit(train[split]).predict(rows).mean() for split, rows in covr.instances.items()]


def split_rows() -> None:
    """The easiness of the 83 published splits, structures included."""
    covr = load_covr()
    train = {split: covr.train(split, 0) for split in covr.splits}
    arrays = covr.arrays
    for definition, asked in (("local:2", "≤ 5 s"), ("local:3", ""), ("local:4", "≤ 10 s")):
        seconds = timed(lambda d=definition: all_splits(covr, local_structures(arrays, d), train))  # type: ignore[misc]
        row(f"easiness of 83 splits, {definition}", seconds, asked, f"3,000 of {len(covr.pool):,} programs each")


def atis_rows() -> None:
    """ATIS: fit on four fifths, predict the rest."""
    data = recombine.load("atis")
    cut = len(data) * 4 // 5
    trees = parse_programs(data, data.language, data="atis")

    def fit_and_predict(definition: str) -> float:
        structures = local_structures(program_arrays(trees), definition)
        return EasinessRule(structures).fit(np.arange(cut)).predict(np.arange(cut, len(data))).mean()

    symbols = len(program_arrays(trees).symbols)
    row(
        "ATIS: texts to trees, by the language's own parser",
        timed(lambda: parse_programs(data, data.language, data="atis"), 1),
    )
    for definition in ("local:2", "local:4"):
        seconds = timed(lambda d=definition: fit_and_predict(d))  # type: ignore[misc]
        row(
            f"ATIS: structures, fit and predict, {definition}",
            seconds,
            "≤ 1 s",
            f"{len(data):,} programs, {symbols} symbols",
        )


def adversarial_rows() -> None:
    """Adversarial splits of a sample."""
    data = covr_sample(10_000)
    for structures, cutoff in (("local:2,no-siblings", 0.3), ("local:2", 0.58)):
        splitter = LocalStructureSplitter(local=structures, max_easiness=cutoff)
        found = splitter.splits(data)
        note = f"{len(found.splits)} kept, {len(found.discarded)} discarded"
        row(
            f"adversarial splits of 10,000, {structures}, τ = {cutoff}",
            timed(lambda s=splitter: s.splits(data), 1),
            "≤ 10 s",
            note,
        )  # type: ignore[misc]


def selection_rows() -> None:
    """Selection from a large pool."""
    data = covr_sample(50_000)
    for structures in ("local:2", "local:4"):
        seconds = timed(lambda s=structures: select_examples(data, 500, structures=s), 1)  # type: ignore[misc]
        row(f"select 500 of 50,000, {structures}, texts included", seconds, "≤ 5 s")
    row("templates of 50,000 programs", timed(lambda: templates(data), 1))
    matrix = local_structures(dataset_arrays(data), "local:4")
    selector = CoverageSelector(matrix, templates(data))
    row("10 examples that cover a program, pool of 50,000", timed(lambda: selector.select(7, 10)))


def main() -> None:
    """Print the table."""
    for part in (structures_rows, split_rows, atis_rows, adversarial_rows, selection_rows):
        part()


if __name__ == "__main__":
    main()
