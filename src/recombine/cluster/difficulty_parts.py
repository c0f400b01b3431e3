"""The easiness of the test part of a folder, and why: the values of `predict_difficulty`, part by part.

The parts say which structures their train rows hold, in how many rows and in which first; put together, that is all of
train that easiness and its reasons ask for. It goes to every task, which rates its own test rows. The place of a column
among others decides between equals, and is the same in a part as in the whole: columns are ordered by what they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.cluster.folder_data import iter_blocks, iter_ids
from recombine.cluster.sides import read_sides
from recombine.easiness.easiness import EasinessRule, FittedEasiness
from recombine.easiness.reason import SHOWN, Reason, most_similar_reason
from recombine.easiness.symbol_similarity import symbol_similarity
from recombine.errors import SplitError
from recombine.structures.definition import local_definition
from recombine.structures.local_structures import LocalStructures, local_structures
from recombine.structures.programs.program_arrays import read_arrays

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.cluster.folder_data import FolderData
    from recombine.cluster.session import Session
    from recombine.cluster.sides import Sides
    from recombine.records.example import Example
    from recombine.records.signature import Signature
    from recombine.structures.programs.program_arrays import ProgramArrays

Key = tuple[int, tuple[str, ...]]
"""A structure: its shape and its symbols."""


@dataclass(frozen=True)
class PartsDifficulty:
    """The easiness of each test row with its reason, as numbers of lists; ids are read when they are asked for."""

    data: FolderData
    rows: NDArray[np.int64]
    """The number of the row of each test entry."""
    scores: NDArray[np.float64]
    reason_of: NDArray[np.int32]
    """Which of the reasons; -1 where all structures were observed."""
    reasons: list[Reason]
    shown_ids: list[list[str]]
    """For each reason the ids of the train rows that it names."""
    unseen_of: NDArray[np.int32]
    unseen: list[tuple[str, ...]]
    """The lists of symbols that train lacks, and which of them each test row has."""
    counts: dict[str, int]
    signature: Signature

    @property
    def mean_easiness(self) -> float:
        """The easiness of the split."""
        return float(np.mean(self.scores))

    @cached_property
    def ids(self) -> list[str]:
        """The ids of all test entries."""
        cuts = np.searchsorted(self.rows, self.data.starts)
        ids: list[str] = []
        for part, (low, high) in enumerate(pairwise(cuts)):
            if low < high:
                ids += ids_at(self.data.task(part), self.rows[low:high] - self.data.starts[part])
        return ids

    def reason(self, entry: int) -> Reason | None:
        """The reason of a test entry."""
        return self.reasons[self.reason_of[entry]] if self.reason_of[entry] >= 0 else None

    def example(self, entry: int) -> Example:
        """The example of a test entry, read from its part."""
        part = int(np.searchsorted(self.data.starts, self.rows[entry], side="right")) - 1
        task, row = self.data.task(part), int(self.rows[entry]) - self.data.starts[part]
        return example_at(task, row)

    def to_record(self) -> dict[str, Any]:
        """As the command line prints it."""
        records = [
            {**reason.to_record([]), "shown_in": ids}
            for reason, ids in zip((_without_rows(each) for each in self.reasons), self.shown_ids, strict=True)
        ]
        entries = zip(self.ids, self.scores.tolist(), self.reason_of.tolist(), self.unseen_of.tolist(), strict=True)
        return {
            "mean_easiness": self.mean_easiness,
            **self.counts,
            "examples": [
                {
                    "id": key,
                    "easiness": score,
                    "reason": None if reason < 0 else records[reason],
                    "unseen_symbols": list(self.unseen[unseen]),
                }
                for key, score, reason, unseen in entries
            ],
            "signature": str(self.signature),
        }


def difficulty_parts(
    session: Session,
    data: FolderData,
    sides: Sequence[Sides],
    *,
    sizes: Mapping[str, int],
    made: Signature,
    structures: str,
    similarity: str,
    tokenisation: str,
    against: str,
) -> PartsDifficulty:
    """The difficulty of a part of a split; `made` is the signature of the split."""
    for name in ("train", against):
        if not sizes[name]:
            raise SplitError(f"the {name} part of {data.name} is empty", "choose another part or file")
    options = {"structures": structures, "similarity": similarity, "tokenisation": tokenisation}
    EasinessRule(_none(structures), similarity)  # a similarity that is not known is refused before the long work
    tasks = list(zip(data.tasks(), sides, strict=True))
    starts = data.starts[:-1]
    shown = session.map(
        "reading train",
        "difficulty_parts:train_structures",
        [(*task, start, structures, tokenisation) for task, start in zip(tasks, starts, strict=True)],
    )
    known, symbols = _together(shown)
    table = _table(known)
    # Sent once to each worker, not with every task.
    everywhere = session.client.scatter([table, symbols], broadcast=True, hash=False)
    rated = session.map("rating test", "difficulty_parts:rate_part", [(*task, *everywhere, options) for task in tasks])
    reasons, reason_of = _joined_lists([part["reasons"] for part in rated], [part["reason_of"] for part in rated])
    unseen, unseen_of = _joined_lists([part["unseen"] for part in rated], [part["unseen_of"] for part in rated])
    rows = np.concatenate([part["rows"] + start for part, start in zip(rated, starts, strict=True)])
    with_counts = [_reason(each, known) for each in reasons]
    counts = {
        "train": sizes["train"],
        "test": sizes[against],
        **{
            key: sum(part[key] for part in rated)
            for key in ("unobserved_examples", "unseen_symbol_examples", "without_structures")
        },
    }
    return PartsDifficulty(
        data,
        rows,
        np.concatenate([part["scores"] for part in rated]),
        reason_of,
        with_counts,
        _shown_ids(session, data, with_counts),
        unseen_of,
        unseen,
        counts,
        made.with_fields(against=against).with_fields(**options),
    )


def _none(structures: str) -> LocalStructures:
    """The structures of no programs."""
    empty = np.zeros(0, np.int32)
    return LocalStructures(
        local_definition(structures), "tree", (), empty, empty.reshape(0, 4), np.zeros(1, np.int64), empty, empty
    )


def _together(
    shown: Sequence[Mapping[str, Any]],
) -> tuple[dict[Key, tuple[int, list[int]]], list[str]]:
    """The structures of all parts: in how many train rows each is, and in which first."""
    known: dict[Key, tuple[int, list[int]]] = {}
    for part in shown:
        for key, count, rows in part["structures"]:
            before = known.get(key, (0, []))
            known[key] = before[0] + count, (before[1] + rows)[:SHOWN]
    return known, sorted({symbol for part in shown for symbol in part["symbols"]})


def _table(known: Mapping[Key, Any]) -> list[Key]:
    return sorted(known)


def _joined_lists(lists: Sequence[list[Any]], numbers: Sequence[NDArray[np.int32]]) -> tuple[list[Any], Any]:
    """One list of what several hold, each once, and the numbers in it; -1 stays."""
    place: dict[Any, int] = {}
    joined = []
    for listed, each in zip(lists, numbers, strict=True):
        new = np.array([*(place.setdefault(item, len(place)) for item in listed), -1], np.int32)
        joined.append(new[each])
    return list(place), np.concatenate(joined)


def _reason(given: tuple[Any, ...], known: Mapping[Key, tuple[int, list[int]]]) -> Reason:
    """A reason with the train rows of the structure that comes closest."""
    structure, score, similar, symbols, nearest = given
    if nearest is None:
        return Reason(structure, score, None, None, (), 0)
    count, rows = known[nearest]
    return Reason(structure, score, similar, symbols, tuple(rows), count)


def _without_rows(reason: Reason) -> Reason:
    return Reason(reason.structure, reason.score, reason.similar, reason.symbols, (), reason.shown)


def _shown_ids(session: Session, data: FolderData, reasons: Sequence[Reason]) -> list[list[str]]:
    """The ids of the rows that reasons name."""
    rows = np.array(sorted({row for reason in reasons for row in reason.shown_in}), np.int64)
    cuts = np.searchsorted(rows, data.starts)
    tasks = [
        (data.task(part), rows[low:high] - data.starts[part])
        for part, (low, high) in enumerate(pairwise(cuts))
        if low < high
    ]
    read = session.map("reading ids", "difficulty_parts:ids_at", tasks)
    named = dict(zip(rows.tolist(), (key for ids in read for key in ids), strict=True))
    return [[named[row] for row in reason.shown_in] for reason in reasons]


# -- on workers -------------------------------------------------------------------------------------------------------


def ids_at(task: Mapping[str, Any], rows: NDArray[np.int64]) -> list[str]:
    """The ids of some rows of a part, which ascend and may repeat."""
    found: list[str] = []
    first = 0
    for ids in iter_ids(task):
        low, high = np.searchsorted(rows, [first, first + len(ids)])
        found += [ids[row - first] for row in rows[low:high].tolist()]
        first += len(ids)
    return found


def example_at(task: Mapping[str, Any], row: int) -> Example:
    """The example of one row of a part."""
    from recombine.records.example import Example

    for block in iter_blocks(task, ids=True):
        if row < block.first + len(block):
            place = row - block.first
            return Example(block.ids[place], block.sources[place], block.targets[place])
    raise IndexError(row)


def _iter_arrays(
    task: Mapping[str, Any], wanted: NDArray[np.int64], tokenisation: str
) -> Iterator[tuple[NDArray[np.int64], ProgramArrays]]:
    """The wanted rows of a part, block by block, with their programs."""
    for block in iter_blocks(task):
        rows = np.flatnonzero(wanted[block.first : block.first + len(block)])
        if len(rows):
            dataset = block.dataset(task)
            examples = [dataset[int(row)] for row in rows]
            arrays = read_arrays(examples, dataset.language, data=task["path"], tokenisation=tokenisation)
            yield rows + block.first, arrays


def train_structures(
    task: Mapping[str, Any], sides: Sides, start: int, structures: str, tokenisation: str
) -> dict[str, Any]:
    """The structures of the train rows of a part, in how many rows each is and in which first, and their symbols."""
    train, _ = read_sides(task, sides)
    known: dict[Key, tuple[int, list[int]]] = {}
    symbols: set[str] = set()
    for rows, arrays in _iter_arrays(task, train, tokenisation):
        symbols.update(arrays.symbols[int(label)] for label in np.unique(arrays.labels))
        matrix = local_structures(arrays, structures)
        counts = np.bincount(matrix.indices, np.repeat(train[rows], np.diff(matrix.indptr)), matrix.shape[1])
        for column, key in enumerate(_keys(matrix)):
            first = known.get(key, (0, []))
            more = matrix.programs_with(column)[:SHOWN]
            repeated = [int(rows[each]) + start for each in more for _ in range(int(train[rows[each]]))]
            known[key] = first[0] + int(counts[column]), (first[1] + repeated)[:SHOWN]
    return {"structures": [(key, *value) for key, value in known.items()], "symbols": sorted(symbols)}


def _keys(matrix: LocalStructures) -> list[Key]:
    return [
        (shape, tuple(matrix.symbols[label] for label in labels if label >= 0))
        for shape, labels in zip(matrix.shapes.tolist(), matrix.labels.tolist(), strict=True)
    ]


def rate_part(
    task: Mapping[str, Any],
    sides: Sides,
    known: Sequence[Key],
    symbols: Sequence[str],
    options: Mapping[str, str],
) -> dict[str, Any]:
    """The easiness of the test rows of a part, with reasons and unseen symbols as numbers of lists."""
    _, test = read_sides(task, sides)
    entries: dict[str, list[Any]] = {key: [] for key in ("rows", "scores", "reason_of", "unseen_of")}
    reasons: dict[Any, int] = {}
    lists: dict[tuple[str, ...], int] = {}
    totals = dict.fromkeys(("unobserved_examples", "unseen_symbol_examples", "without_structures"), 0)
    seen = set(symbols)
    for rows, arrays in _iter_arrays(task, test, options["tokenisation"]):
        times = test[rows]
        fitted = _fitted(arrays, known, symbols, options)
        easiness = fitted.predict(np.arange(len(rows)))
        columns = np.unique(easiness.hardest[easiness.hardest >= 0])
        number = np.full(fitted.rule.structures.shape[1] + 1, -1, np.int32)
        nearest = dict(zip(easiness.hardest.tolist(), easiness.nearest.tolist(), strict=True))
        scores = dict(zip(easiness.hardest.tolist(), easiness.scores.tolist(), strict=True))
        for column in columns.tolist():
            given = _described(fitted.rule.structures, column, nearest[column], scores[column])
            number[column] = reasons.setdefault(given, len(reasons))
        unseen = _unseen_symbols(arrays, seen)
        entries["rows"].append(np.repeat(rows, times))
        entries["scores"].append(np.repeat(easiness.scores, times))
        entries["reason_of"].append(np.repeat(number[easiness.hardest], times))
        entries["unseen_of"].append(np.repeat([lists.setdefault(each, len(lists)) for each in unseen], times))
        totals["unobserved_examples"] += int(times[easiness.unobserved > 0].sum())
        totals["unseen_symbol_examples"] += int(times[[bool(each) for each in unseen]].sum())
        totals["without_structures"] += int(times[np.diff(fitted.rule.structures.indptr) == 0].sum())
    kinds = {"rows": np.int64, "scores": np.float64, "reason_of": np.int32, "unseen_of": np.int32}
    joined = {key: np.concatenate([[], *each]).astype(kinds[key]) for key, each in entries.items()}
    return {**joined, "reasons": list(reasons), "unseen": list(lists), **totals}


def _fitted(
    arrays: ProgramArrays, known: Sequence[Key], symbols: Sequence[str], options: Mapping[str, str]
) -> FittedEasiness:
    """The rule over the structures of these programs and of train, and what train shows of them."""
    matrix = local_structures(arrays, options["structures"])
    every = tuple(sorted({*arrays.symbols, *symbols}))
    place = {symbol: number for number, symbol in enumerate(every)}
    own = np.array([place[symbol] for symbol in matrix.symbols] or [0], np.int32)
    tested = np.column_stack((matrix.shapes, np.where(matrix.labels < 0, -1, own[matrix.labels])))
    trained = np.full((len(known), 5), -1, np.int32)
    for row, (shape, words) in enumerate(known):
        trained[row, 0] = shape
        trained[row, 1 : 1 + len(words)] = [place[word] for word in words]
    # Distinct rows in the order of columns: by shape, then symbols.
    columns, number = np.unique(np.concatenate((tested, trained)), axis=0, return_inverse=True)
    number = number.reshape(-1)
    observed = np.zeros(len(columns), np.bool_)
    observed[number[len(tested) :]] = True
    structures = LocalStructures(
        matrix.definition,
        matrix.tokenisation,
        every,
        columns[:, 0].astype(np.int32),
        np.ascontiguousarray(columns[:, 1:], np.int32),
        matrix.indptr,
        number[: len(tested)][matrix.indices].astype(np.int32),
        matrix.counts,
    )
    similarity = options["similarity"]
    average = "contexts" if similarity == "none" else similarity
    return FittedEasiness(
        EasinessRule(structures, similarity),
        np.zeros(0, np.int64),
        observed,
        symbol_similarity(structures, observed, average=average),
    )


def _described(structures: LocalStructures, column: int, nearest: int, score: float) -> tuple[Any, ...]:
    """A reason as plain values, with the structure that comes closest as its key."""
    reason = most_similar_reason(structures, column, nearest, score)
    labels = structures.labels[nearest] if nearest >= 0 else ()
    words = tuple(structures.symbols[int(label)] for label in labels if label >= 0)
    key = (int(structures.shapes[nearest]), words) if nearest >= 0 else None
    return reason.structure, reason.score, reason.similar, reason.symbols, key


def _unseen_symbols(arrays: ProgramArrays, seen: set[str]) -> list[tuple[str, ...]]:
    """The symbols of each program that no training program has."""
    lacks = np.array([symbol not in seen for symbol in arrays.symbols], np.bool_)
    unseen: list[tuple[str, ...]] = [()] * len(arrays)
    owners = np.repeat(np.arange(len(arrays)), np.diff(arrays.starts))
    for row in np.unique(owners[lacks[arrays.labels]]).tolist():
        labels = np.unique(arrays.labels[int(arrays.starts[row]) : int(arrays.starts[row + 1])])
        unseen[row] = tuple(arrays.symbols[int(label)] for label in labels[lacks[labels]])
    return unseen
