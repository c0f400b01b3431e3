"""Data that is made when it is written, or asked for: lot by lot, kept in parts, with little of it in memory."""

from __future__ import annotations

import time
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.files.tables import read_table
from recombine.datasets.parts.content_hash import content_hash
from recombine.datasets.parts.kept_parts import KeptParts, other_folders, parts_folder
from recombine.datasets.parts.make_parts import make_parts, saying_what_is_kept
from recombine.datasets.parts.write_parts import check_parts_writable, iter_chosen, to_example, write_parts
from recombine.datasets.release.read_release import read_release
from recombine.datasets.write_data import RELEASE, write_data
from recombine.progress import note, tracked, working
from recombine.workbench.generate import GenerateResult

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.datasets.parts.made_lot import TextRow
    from recombine.datasets.parts.part_file import Progress
    from recombine.datasets.parts.parts_generator import PartsRun
    from recombine.records.dataset import Dataset


FEW = 3
"""The answers of a question that are shown."""


class PartsGenerateResult(GenerateResult):
    """Data to be made; what was counted on the way is known after that."""

    def __init__(self, run: PartsRun, form: str) -> None:
        self.__dict__.update(run=run, form=form, rules=run.rules, seconds=0.0, files=None, _parts=None, _file=None)

    run: PartsRun
    _parts: KeptParts | None
    _progress_made: Progress
    _file: Path | None
    """Where the data lies, once it was written and its parts are gone."""

    @cached_property
    def dataset(self) -> Dataset:
        """The examples as a data set, all of them in memory."""
        if self._file is not None:
            return self._read(self._file)
        return self._pool if self.chosen is None else self._pool.restricted(self._pool[row].id for row in self.chosen)

    @property
    def size(self) -> int:
        """How many examples there are."""
        return self._progress.kept if self.chosen is None else len(self.chosen)

    @property
    def data_name(self) -> str:
        """The name of the data with the beginning of its hash."""
        return f"{self.run.name}@{self.hash[:8]}"

    @property
    def counted(self) -> dict[str, Any]:
        """What was dropped by reason, and what became of each frame."""
        pool = {} if self.chosen is None else {"pool": self._progress.kept}
        return {**pool, **self.run.counted(self._progress)}

    @property
    def same_pair_dropped(self) -> int:
        """Questions of patterns that earlier ones have too."""
        return int(self.counted["rejected"].get("same_pattern", 0))

    @cached_property
    def hash(self) -> str:
        """The content hash."""
        if self.chosen is not None:
            return self.dataset.hash
        with working("hashing"):
            return content_hash(self._made, self._progress.kept)

    @cached_property
    def chosen(self) -> list[int] | None:
        """The places of the examples that are taken; none where all are."""
        if self.run.subsample is None:
            return None
        from recombine.selection.subsample import subsample

        pool = self._pool
        with working("sub-sampling"):
            return subsample(pool, self.run.subsample, seed=int(self.run.about.get("seed", 0))).in_order

    def lines(self) -> list[str]:
        """What was dropped, for a person."""
        taken = [] if self.chosen is None else [f"{self.size:,} taken of {self._progress.kept:,}"]
        return [*taken, *self.run.lines(self._progress)]

    def shown(self, number: int) -> list[str]:
        """The first examples, for a person: questions with answers, or queries where there are none."""
        return list(map(_shown, islice(iter_chosen(self._made, self.chosen), number)))

    @property
    def forms(self) -> str:
        """The files that it can be written as, for a person."""
        return ".jsonl, .parquet, or .json with --format cfq"

    def to_dict(self) -> dict[str, Any]:
        """What `generate --json` prints."""
        return {
            "examples": self.size,
            "same_pair_dropped": self.same_pair_dropped,
            "seconds": self.seconds,
            "rules": self.rules,
            "hash": self.hash,
            "file": None,
            **self.counted,
        }

    def write(self, path: Path | str) -> None:
        """Make the data, with its parts beside the file until it is whole, and write it."""
        path = check_parts_writable(path, self.form)
        if self._file is not None:
            write_data(self.dataset, path, self.form)
            return
        if self._parts is None:
            for folder in other_folders(path, self.run.key):
                note(f"{folder}: holds parts of a run with other settings, which are not used; remove it if you like")
            self._make(KeptParts(parts_folder(path, self.run.key)))
        made = {**self.run.about, **self.counted}
        with saying_what_is_kept(self._made), working(f"writing {path}"):
            write_parts(self._made, path, self.form, made=made, world=self.run.world, chosen=self.chosen)
        if self._made.number:
            _ = self.hash  # made of the parts, which go now
            self._made.remove()
            self.__dict__.update(_file=path)

    @property
    def _made(self) -> KeptParts:
        """The examples, made when they are first asked for."""
        return self._parts or self._make(KeptParts())

    @property
    def _progress(self) -> Progress:
        _ = self._made
        return self._progress_made

    def _make(self, parts: KeptParts) -> KeptParts:
        start = time.perf_counter()
        progress = make_parts(self.run.maker, parts, self.run.n)
        seconds = round(time.perf_counter() - start, 3)
        self.__dict__.update(_parts=parts, _progress_made=progress, seconds=seconds)
        return parts

    @cached_property
    def _pool(self) -> Dataset:
        """All that was made, in memory."""
        examples = map(to_example, self._made.iter_rows())
        return self.run.dataset(tracked(examples, "reading", total=self._progress.kept))

    def _read(self, path: Path) -> Dataset:
        read = read_release if self.form == RELEASE else read_table
        return self.run.dataset(read(path))


def _shown(row: TextRow) -> str:
    tags = orjson.loads(row.tags)
    if "question" not in tags:
        return f"{row.source}  →  {row.target}"
    answer = tags["expectedResponse"]
    few = [answer] if isinstance(answer, str) else answer[:FEW]
    more = f" … ({len(answer):,} in all)" if not isinstance(answer, str) and len(answer) > FEW else ""
    return f"{tags['question']}  →  {', '.join(few)}{more}"
