"""Data from a generator: a grammar, or whatever else makes examples."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.datasets.generators import declared_options, find_generator
from recombine.datasets.kbqa_made.split_path import split_path
from recombine.datasets.parts.make_parts import check_number
from recombine.datasets.parts.parts_generator import PartsGenerator
from recombine.datasets.write_data import GRAILQA, TABLE, check_data_format, write_data
from recombine.errors import OptionError
from recombine.progress import note, tracked, working
from recombine.seeds import check_seed
from recombine.workbench.given.level_split import level_split, level_splitter
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recombine.datasets.generator import DataFiles, Generated
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.split import Split
    from recombine.workbench.given.level_split import LevelSplit


@dataclass(frozen=True, repr=False, eq=False)
class GenerateResult(Result):
    """Generated data, and what was counted on the way."""

    dataset: Dataset
    same_pair_dropped: int
    """Derivations that make pairs that earlier ones make too."""
    rules: int | None
    """The rules that the data is made by; none where there are no rules."""
    seconds: float
    form: str = TABLE
    """The form of its file."""
    files: DataFiles | None = None
    """What writes it, where files of its own stand beside it."""
    counted: Mapping[str, Any] = field(default_factory=dict)
    """What else the generator counted."""
    made_split: LevelSplit | None = None
    """The split by levels, where the generator makes one."""

    def to_dict(self) -> dict[str, Any]:
        """What `generate --json` prints."""
        return {
            "examples": len(self.dataset),
            "same_pair_dropped": self.same_pair_dropped,
            "seconds": self.seconds,
            "rules": self.rules,
            "hash": self.dataset.hash,
            "file": None,
            **self.counted,
            **self._split_values(),
        }

    @property
    def split(self) -> Split | None:
        """The split that stands beside the data; none where there is none."""
        return None if self.made_split is None else self.made_split.split

    def _split_values(self) -> dict[str, Any]:
        made = self.made_split
        if made is None:
            return {}
        sizes = {} if made.split is None else made.split.sizes()
        signature = None if made.split is None else str(made.split.signature)
        return {"split": None, "parts": sizes, "levels": made.levels, "signature": signature, "problem": made.problem}

    def __str__(self) -> str:
        rules = "" if self.rules is None else f" from {self.rules} rules"
        return f"{self.size:,} examples{rules} ({self.data_name})"

    @property
    def size(self) -> int:
        """How many examples there are."""
        return len(self.dataset)

    @property
    def data_name(self) -> str:
        """The name of the data with the beginning of its hash."""
        return str(self.dataset)

    def lines(self) -> list[str]:
        """What else was counted, for a person."""
        if self.made_split is None or self.split is None:
            return []
        lines = [f"split by levels: {', '.join(f'{name} {size:,}' for name, size in self.split.sizes().items())}"]
        for name, counts in self.made_split.levels.items():
            held = self.split.signature.get(f"held_out_{name}").replace(",", ", ")
            levels = ", ".join(f"{count:,} {level}" for level, count in counts.items())
            lines.append(f"  {name}: {levels}{f'; held out: {held}' if held else ''}")
        return lines

    def shown(self, number: int) -> list[str]:
        """The first examples, for a person."""
        return [f"{example.source}  →  {example.target}" for example in islice(self.dataset, number)]

    @property
    def forms(self) -> str:
        """The files that it can be written as, for a person."""
        return ".jsonl, .tsv or .parquet"

    def write(self, path: Path | str) -> None:
        """Write the data as JSON lines, TSV or Parquet, as the name of the file says, or in the form asked for."""
        if self.files is not None:
            self.files.write(self.dataset, path, self.form)
        else:
            write_data(self.dataset, path, self.form)
        if self.split is not None:
            self._split_at(Path(path)).write(split_path(path))

    def _split_at(self, path: Path) -> Split:
        """The split as it is of data that is read from a file: named after it."""
        if self.split is None:
            raise AssertionError("there is a split")
        named = replace(self.dataset, name=Path(path.name.removesuffix(".gz")).stem, path=str(path))
        signature = self.split.signature.with_fields(data=named)
        return replace(self.split, data=named.name, signature=signature, reading=named.reading)


@verb
def generate(
    what: Path | str,
    *,
    n: int | None = None,
    cluster: str | None = None,
    format: str = TABLE,  # noqa: A002
    seed: int = 0,
    **options: Any,
) -> GenerateResult:
    """Make data with `scan`, `cfq`, `covr`, `kbqa`, `scenes`, a grammar file, or a generator of a plug-in.

    `n` is the number of distinct examples; without it all of them come. The options are those of the generator. What
    `cfq` makes is made when it is written or asked for, and written with little of it in memory. With
    `cluster`, the address of a dask scheduler or `local`, they are made there when the result is written, as parts.
    `format` is the form that `write` gives the file: `ours`, `cfq` for that of the CFQ release, or
    `grailqa` for that of GrailQA's. Where a generator's data is made for a split, `split` of the result is that.

    >>> made = generate("scan", n=3, seed=1)
    >>> made
    <GenerateResult: 3 examples from 38 rules (scan@5d520e8a)>
    >>> made.dataset[0].source
    'walk opposite right and walk around left'
    """
    start = time.perf_counter()
    check_seed(seed)
    check_data_format(format)
    if cluster is not None:
        from recombine.workbench.on_cluster.generate_result import ClusterGenerateResult

        if not find_generator(what, **options).on_clusters:
            raise OptionError(f"{what} is made on one machine", "leave out --cluster, or give --processes")
        if n is None:
            raise OptionError("a cluster makes a number of examples", "give it with -n")
        if format != TABLE:
            raise OptionError("a cluster writes parts of Parquet", "leave out --format, or --cluster")
        return ClusterGenerateResult(str(what), n, seed, cluster, options)
    generator = find_generator(what, **options)
    if format == GRAILQA and generator.release != GRAILQA:
        raise OptionError(f"{what} makes no items of GrailQA's form", "leave out --format, or generate kbqa")
    if isinstance(generator, PartsGenerator):
        from recombine.workbench.in_parts.generate_result import PartsGenerateResult

        return PartsGenerateResult(generator.run(check_number(n), seed=seed), format)
    if generator.level_options is not None:
        level_splitter(generator.level_options, seed)  # what is wrong with its options is said before the long work
    generated = generator.generate(n, seed=seed)
    dataset = _read(generated, format)
    dropped = generated.same_pair_dropped
    if dropped:
        note(f"{dropped} derivations make pairs that others make too; each pair is kept once")
    made = None if generator.level_options is None else level_split(dataset, generator.level_options, seed)
    return GenerateResult(
        dataset if made is None else made.dataset,
        dropped,
        generated.rules,
        round(time.perf_counter() - start, 3),
        format,
        generated.files,
        generated.counted,
        made,
    )


generate.declared = declared_options  # type: ignore[attr-defined]


def _read(generated: Generated, form: str) -> Dataset:
    """The whole stream, while it is said how far it is; many examples become columns as they come."""
    examples: Iterable[Example] = generated
    if form == GRAILQA:
        from recombine.datasets.kbqa.write_grailqa import with_qid

        examples = map(with_qid, generated)
    if generated.total is not None:
        return generated.dataset(tracked(examples, "deriving", total=generated.total))
    with working("deriving"):
        return generated.dataset(examples)
