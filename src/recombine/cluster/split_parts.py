"""A split of a folder of parts, by random, length, pattern or template: the same as that of its rows in one file.

By mcd, the search sees a sample (`search_sample.py`).

What is chosen by are the numbers of rows and a key for each, gathered from the parts: lengths, or the places of texts
among all texts. Choosing itself is the splitter's own code, on arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.cluster.folder_data import iter_blocks, iter_ids
from recombine.cluster.search_sample import check_search, search_sample
from recombine.cluster.text_ranks import text_ranks
from recombine.errors import DerivationError, OptionError
from recombine.records.dataset import EXACT
from recombine.records.signature import Signature
from recombine.records.split import sizes_text
from recombine.records.split_folder import write_split_folder
from recombine.seeds import make_generator
from recombine.splits.search.mcd import MCDSplitter
from recombine.splits.simple.length import LengthSplitter
from recombine.splits.simple.pattern import PatternSplitter
from recombine.splits.simple.random import RandomSplitter
from recombine.splits.simple.tag import TagLengthSplitter, TagPatternSplitter
from recombine.splits.simple.template import TemplateSplitter
from recombine.splits.sizes import Sizes
from recombine.structures.joined_definition import check_one_kind
from recombine.structures.programs.templates import no_templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.cluster.folder_data import FolderData
    from recombine.cluster.session import Session
    from recombine.splits.splitter import Splitter
    from recombine.structures.definition import Structures

METHODS = "random, length:source, length:target, pattern:source, pattern:target, template, mcd"


@dataclass(frozen=True)
class ChosenRows:
    """The numbers of the rows of each part of a split, and the signature of how they were chosen."""

    data: FolderData
    data_hash: str
    parts: Mapping[str, NDArray[np.int64]]
    signature: Signature

    @property
    def sizes(self) -> dict[str, int]:
        """The rows of each part."""
        return {name: len(rows) for name, rows in self.parts.items()}

    def iter_rows(self) -> Iterator[tuple[list[str], list[str | None]]]:
        """For each part of the data its ids and the part of the split that each is of."""
        names = [*self.parts, None]
        side = np.full(len(self.data), len(self.parts), np.int8)
        for number, rows in enumerate(self.parts.values()):
            side[rows] = number
        for part, (low, high) in enumerate(zip(self.data.starts, self.data.starts[1:], strict=False)):
            ids = [key for block in iter_ids(self.data.task(part)) for key in block]
            yield ids, [names[code] for code in side[low:high].tolist()]

    def head(self, measured: Mapping[str, Any]) -> dict[str, Any]:
        """What a split folder says of itself."""
        return {
            "data": self.data.name,
            "data_hash": self.data_hash,
            **self.data.reading.to_record(),
            "signature": str(self.signature),
            "measured": dict(measured),
            "parts": self.sizes,
        }

    def write_folder(self, path: Path | str, measured: Mapping[str, Any]) -> None:
        """Write the split as a folder, part by part."""
        write_split_folder(path, self.head(measured), self.iter_rows())

    def ids(self) -> dict[str, tuple[str, ...]]:
        """The ids of each part, in the order of the data."""
        parts: dict[str, list[str]] = {name: [] for name in self.parts}
        for ids, names in self.iter_rows():
            for key, name in zip(ids, names, strict=True):
                if name is not None:
                    parts[name].append(key)
        return {name: tuple(ids) for name, ids in parts.items()}


def split_parts(
    session: Session, data: FolderData, data_hash: str, splitter: Splitter, structures: Structures | None
) -> ChosenRows:
    """The rows that a splitter chooses, and its signature; `structures` are what a search goes by."""
    counts = Sizes(splitter.train, splitter.dev, splitter.test).counts(len(data))
    generator = make_generator(splitter.seed)
    parts: Mapping[str, NDArray[np.int64]]
    if type(splitter) is MCDSplitter:
        if structures is None:
            raise DerivationError(
                f"{data.name} has neither derivations nor a known language", "name it with --language"
            )
        check_one_kind(structures.compounds, "a cluster", way=", or leave out --cluster")
        parts, extra = search_sample(session, data, splitter, structures, counts, generator)
    else:
        parts, extra = _chosen(session, data, splitter, counts, generator)
    signature = Signature.of(
        data=f"{data.name}@{data_hash[:8]}", by=splitter.by, **extra, parts=sizes_text(parts), seed=splitter.seed
    )
    return ChosenRows(data, data_hash, parts, signature)


def check_method(splitter: Splitter) -> None:
    """Refuse what cannot be split on a cluster, before the long work."""
    if isinstance(splitter, TemplateSplitter) and splitter.solvable:
        raise OptionError("--solvable compares all examples at once", "leave it out, or leave out --cluster")
    if type(splitter) is MCDSplitter:
        check_search(splitter)
        return
    known = isinstance(splitter, RandomSplitter | LengthSplitter | PatternSplitter | TemplateSplitter)
    if not known or isinstance(splitter, TagLengthSplitter | TagPatternSplitter):
        raise OptionError(f"a cluster cannot split by {splitter.by}", f"it can by {METHODS}")


def _chosen(
    session: Session,
    data: FolderData,
    splitter: Splitter,
    counts: dict[str, int | None],
    generator: np.random.Generator,
) -> tuple[Mapping[str, NDArray[np.int64]], dict[str, object]]:
    if isinstance(splitter, RandomSplitter):
        numbers = text_ranks(session, data, "program") if splitter.no_duplicates else None
        return splitter.choose_rows(len(data), numbers, counts, generator)
    if isinstance(splitter, LengthSplitter):
        tasks = [(task, splitter.side) for task in data.tasks()]
        lengths = np.concatenate(session.map("measuring lengths", "split_parts:lengths", tasks))
        return splitter.choose_rows(lengths, counts, generator)
    if isinstance(splitter, PatternSplitter):
        return splitter.choose_rows(text_ranks(session, data, splitter.side), EXACT.name, counts, generator)
    check_method(splitter)
    if data.language is None:
        raise no_templates(data.name)
    assert isinstance(splitter, TemplateSplitter)  # noqa: S101  # for the type checker: `check_method` said so
    parts, extra, _ = splitter.choose_rows(text_ranks(session, data, "template"), None, counts, generator)
    return parts, extra


def lengths(task: Mapping[str, Any], side: str) -> NDArray[np.int64]:
    """The number of words of each row's source or target."""
    blocks = (block.sources if side == "source" else block.targets for block in iter_blocks(task))
    return np.array([len(text.split()) for texts in blocks for text in texts], np.int64)
