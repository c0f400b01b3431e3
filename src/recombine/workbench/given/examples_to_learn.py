"""The examples that a parser learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import RecordError, SplitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.split import Split


def examples_to_learn(dataset: Dataset, split: Split | None, part: str) -> list[Example]:
    """The examples of a part, or of all the data where there is no split; an empty text or a line break is refused."""
    examples = [dataset[row] for row in _rows(dataset, split, part)]
    for example in examples:
        _check(dataset, example.id, example.source, example.target)
    return examples


def pairs_to_learn(dataset: Dataset, split: Split | None, part: str) -> list[tuple[str, str]]:
    """The sources and targets of these examples, refused alike; the rest of the examples is not made for it."""
    rows = _rows(dataset, split, part)
    sources, targets = dataset.texts("source"), dataset.texts("target")
    pairs = [(sources[row], targets[row]) for row in rows]
    for row, pair in zip(rows, pairs, strict=True):
        if "\n" in pair[0] or "\n" in pair[1] or pair[0].isspace() or pair[1].isspace() or not (pair[0] and pair[1]):
            _check(dataset, dataset[row].id, *pair)
    return pairs


def _rows(dataset: Dataset, split: Split | None, part: str) -> Sequence[int]:
    """The places of the examples to learn from; there is one at least."""
    rows = range(len(dataset)) if split is None else split.positions(dataset, part)
    if not rows:
        what = f"the {part} part" if split is not None else dataset.name
        raise SplitError(f"{what} is empty, so there is nothing to learn from", "choose another part or other data")
    return rows


def _check(dataset: Dataset, key: str, source: str, target: str) -> None:
    for side, text in (("source", source), ("target", target)):
        if "\n" in text or not text.strip(" "):
            problem = f"the {side} {'has a line break' if text.strip(' ') else 'is empty'}"
            raise RecordError(dataset.name, f"example {key}", problem, "mend it or leave it out")
