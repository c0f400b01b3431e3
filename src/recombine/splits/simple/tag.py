"""Length and pattern splits by a tag of the examples: a number for a length, a text for a pattern.

CFQ's length splits count constraints of queries and leaves of parses, and its pattern splits go by query patterns and
question templates (CFQ paper, §4). `recombine parse cfq --data` and the release's file have them as tags.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from recombine.errors import OptionError
from recombine.options import option
from recombine.splits.simple.clusters import cluster_numbers
from recombine.splits.simple.length import LengthSplitter
from recombine.splits.simple.pattern import PatternSplitter

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset


@dataclass(frozen=True, kw_only=True)
class TagLengthSplitter(LengthSplitter):
    """Train has examples whose tag is at most `max_length`, test those with more.

    >>> from recombine.records.dataset import Dataset
    >>> from recombine.records.example import Example
    >>> data = Dataset("d", tuple(Example(str(n), str(n), str(n), tags={"clauses": n}) for n in range(10)))
    >>> TagLengthSplitter(tag="clauses", max_length=6).split(data).part("test")
    ('7', '8', '9')
    """

    tag: str | None = option(None, "the tag to split by, such as sparqlNumConstraints or questionTemplate")
    by: ClassVar[str] = "length:tag"
    side: ClassVar[str] = "tag"

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Divide by the limit, then draw."""
        values = tag_values(dataset, self.tag, self.by)
        for place, value in enumerate(values):
            if type(value) is not int:
                raise OptionError(
                    f"the tag {self.tag!r} of the example {dataset.ids[place]} of {dataset.name} is {value!r}",
                    "name a tag whose values are whole numbers",
                )
        parts, extra = self.choose_rows(np.array(values, np.int64), counts, generator)
        return {name: rows.tolist() for name, rows in parts.items()}, {"tag": self.tag, **extra}


@dataclass(frozen=True, kw_only=True)
class TagPatternSplitter(PatternSplitter):
    """Examples with the same tag stay together."""

    tag: str | None = option(None, "the tag to split by, such as sparqlNumConstraints or questionTemplate")
    by: ClassVar[str] = "pattern:tag"
    side: ClassVar[str] = "tag"

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Divide the clusters, then draw."""
        values = tag_values(dataset, self.tag, self.by)
        numbers = cluster_numbers([f"{type(value).__name__} {value}" for value in values])
        parts, _ = self.choose_rows(numbers, "exact", counts, generator)
        return {name: rows.tolist() for name, rows in parts.items()}, {"tag": self.tag}


def tag_values(dataset: Dataset, tag: str | None, by: str) -> list[Any]:
    """The tag of every example, each of which must have it."""
    if not tag:
        raise OptionError(f"the method {by!r} needs a tag", "name one with --tag, such as sparqlNumConstraints")
    values = []
    for place, tags in enumerate(dataset.iter_mappings("tags")):
        if tags.get(tag) is None:
            known = ", ".join(sorted(tags)) or "none"
            raise OptionError(
                f"the example {dataset.ids[place]} of {dataset.name} has no tag {tag!r}",
                f"it has: {known}; `recombine parse cfq --data` gives CFQ's examples theirs",
            )
        values.append(tags[tag])
    return values
