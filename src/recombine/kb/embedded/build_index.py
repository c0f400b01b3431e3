"""From a stream of facts to the folder of an index, in memory for the distinct terms and the facts' numbers.

Facts come as batches of keys (`kb/term.py`). Every distinct key gets a number; the facts as numbers go to a file. When
all are there, keys are sorted, so that the id of a term is its place among the sorted keys, and facts become the edges
of their subjects, sorted, each once; the same turned round are the edges of their targets. So the arrays and the digest
depend on the set of facts alone, and not on their order, their repeats or their files.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recombine.kb.embedded.edge_kernels import (
    count_relations,
    count_subjects,
    place_facts,
    sort_distinct,
    turn_edges,
)
from recombine.kb.embedded.index_folder import check_replaceable, write_array, write_description
from recombine.kb.embedded.interner import Interner
from recombine.kb.embedded.literal_columns import FAMILIES, literal_columns
from recombine.kb.embedded.whole_folder import writing_folder
from recombine.kb.term import LITERAL
from recombine.progress import bar, working

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt
    import pyarrow as pa

    from recombine.kb.profiles.profile import Profile

COLUMNS = ("subject", "relation", "target")
_ROWS = 1 << 20
_SPILLED = "facts.numbers"


class Built(NamedTuple):
    """What an index holds, and how many facts came more than once."""

    facts: int
    repeats: int
    terms: int
    relations: int
    literals: int
    unreadable_literals: int
    digest: str


def build_index(batches: Iterable[pa.RecordBatch], folder: Path | str, *, profile: Profile) -> Built:
    """Build the index of some facts, whole or not at all; an index in its place is replaced."""
    with writing_folder(Path(folder), check_replaceable) as place:
        spilled = place / _SPILLED
        interner = Interner(profile.base)
        rows = _number_facts(batches, interner, spilled)
        with working(f"sorting {rows:,} facts with {interner.count:,} terms"):
            return _write_index(place, interner, spilled, rows, profile)


def _number_facts(batches: Iterable[pa.RecordBatch], interner: Interner, spilled: Path) -> int:
    """Write the facts as numbers of terms, and say how many they are."""
    rows = 0
    with spilled.open("wb") as stream, bar("reading facts", counts="facts") as update:
        for batch in batches:
            facts = np.empty((batch.num_rows, 3), np.int32)
            for number, name in enumerate(COLUMNS):
                facts[:, number] = interner.numbers(batch.column(name))
            stream.write(facts.data.cast("B"))
            rows += batch.num_rows
            if update is not None:
                update(rows, None, "")
    return rows


def _write_index(place: Path, interner: Interner, spilled: Path, rows: int, profile: Profile) -> Built:
    keys, starts, places = interner.sort()
    digest = hashlib.sha256()
    files: dict[str, dict[str, Any]] = {}

    def write(name: str, array: npt.NDArray[Any], *, of_facts: bool = False) -> None:
        files[name] = write_array(place, name, array)
        if of_facts:
            digest.update(f"{name} {len(array)}\n".encode())
            digest.update(array.data)

    write("terms", keys, of_facts=True)
    write("term_starts", starts, of_facts=True)
    literals = _literals(keys, starts)
    columns = literal_columns(keys, starts, literals)
    del keys, starts
    edge_starts, edges = _forward(spilled, places)
    spilled.unlink()
    write("forward_starts", edge_starts, of_facts=True)
    write("forward_edges", edges, of_facts=True)
    counts = np.zeros(len(places), np.int64)
    count_relations(edges, counts)
    relations = np.flatnonzero(counts)
    write("relations", relations)
    write("relation_counts", counts[relations])
    facts = len(edges)
    edge_starts, edges = turn_edges(edge_starts, edges)
    write("backward_starts", edge_starts)
    write("backward_edges", edges)
    for name in ("families", "ranks", "order", "values"):
        write(f"literal_{name}", getattr(columns, name))
    built = Built(facts, rows - facts, len(places), len(relations), literals, columns.unreadable, digest.hexdigest())
    families = {name: columns.bounds[number + 1] for number, name in enumerate(FAMILIES) if number}
    said = {**built._asdict(), "families": families, "files": files}
    write_description(place, profile, {**said, "digest": built.digest})
    return built


def _literals(keys: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> int:
    """How many of the sorted keys are literals; their sign sorts before those of other terms."""
    return int(np.count_nonzero(keys[starts[:-1]] == ord(LITERAL)))


def _forward(spilled: Path, places: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The edges of every subject, sorted, each once."""
    degrees = np.zeros(len(places), np.int64)
    for facts in _iter_facts(spilled):
        count_subjects(facts, places, degrees)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(degrees)])
    edges = np.empty(int(starts[-1]), np.int64)
    ends = starts[:-1].copy()
    for facts in _iter_facts(spilled):
        place_facts(facts, places, ends, edges)
    kept = sort_distinct(starts, edges)
    return starts, edges[:kept]


def _iter_facts(spilled: Path) -> Iterator[npt.NDArray[np.int32]]:
    with spilled.open("rb") as stream:
        while len(facts := np.fromfile(stream, np.int32, 3 * _ROWS)):
            yield facts.reshape(-1, 3)
