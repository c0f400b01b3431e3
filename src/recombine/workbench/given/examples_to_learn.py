"""The examples that a parser learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import RecordError, SplitError

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.split import Split


def examples_to_learn(dataset: Dataset, split: Split | None, part: str) -> list[Example]:
    """The examples of a part, or of all the data where there is no split; an empty text or a line break is refused."""
    rows = range(len(dataset)) if split is None else split.positions(dataset, part)
    if not rows:
        what = f"the {part} part" if split is not None else dataset.name
        raise SplitError(f"{what} is empty, so there is nothing to learn from", "choose another part or other data")
    examples = [dataset[row] for row in rows]
    for example in examples:
        for side, text in (("source", example.source), ("target", example.target)):
            if "\n" in text or not text.strip(" "):
                problem = f"the {side} {'has a line break' if text.strip(' ') else 'is empty'}"
                raise RecordError(dataset.name, f"example {example.id}", problem, "mend it or leave it out")
    return examples
