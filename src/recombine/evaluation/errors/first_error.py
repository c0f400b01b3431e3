"""Where a wrong output goes wrong: whether its first wrong token completes a structure that train lacks.

After §5.1 of the `local_structures` paper: of the outputs that are wrong although their gold program has unobserved
structures of two nodes (m1, m2), the share where, at the first token that differs from the gold program's, that gold
token is an m2 whose m1 stands before it. Tokens are words, brackets and commas; an index belongs to its word
(`query_attr[color]`); the root `<s>` stands before the first. An output that ends too early differs where it ends; one
that goes on after the whole gold program completes nothing.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.structures.programs.program_arrays import ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from recombine.easiness.easiness import FittedEasiness
    from recombine.records.dataset import Dataset

Pair = tuple[str, str]
_INDEX = re.compile(r"\s*\[\s*([^\[\]]*?)\s*\]")
_TOKEN = re.compile(r"[(),]|[^\s(),]+")


def output_tokens(text: str) -> list[str]:
    """The tokens of a program's text, or of whatever a model gave in its place.

    >>> output_tokens("query_attr [ color ] ( scene ( ) )")
    ['query_attr[color]', '(', 'scene', '(', ')', ')']
    """
    return _TOKEN.findall(_INDEX.sub(r"[\1]", text))


def unobserved_pairs(fitted: FittedEasiness, program: int) -> list[Pair]:
    """The structures of two nodes of a program that train does not show."""
    structures = fitted.rule.structures
    columns = structures.row(program)
    columns = columns[~fitted.observed[columns] & (structures.sizes[columns] == 2)]
    labels = structures.labels[columns, :2]
    return [(structures.symbols[int(first)], structures.symbols[int(second)]) for first, second in labels]


def unobserved_pairs_of(dataset: Dataset, train: Sequence[int], test: Sequence[int]) -> list[list[Pair]] | None:
    """For each test row of a data set the structures of two nodes that its train rows do not show.

    None where the symbols of a test program are not tokens of its text, as in SQL: what completes a structure could not
    be seen there.
    """
    from recombine.easiness.easiness import EasinessRule
    from recombine.structures.local_structures import local_structures
    from recombine.structures.programs.program_arrays import read_arrays

    examples = [dataset[row] for row in (*train, *test)]
    # Labels of many words are taken apart, as texts are.
    arrays = read_arrays(examples, dataset.language, data=dataset.name, tokenisation="published")
    for place, row in enumerate(test, start=len(train)):
        labels = arrays.labels[int(arrays.starts[place]) : int(arrays.starts[place + 1])]
        symbols = {arrays.symbols[int(label)] for label in labels}
        if not symbols <= {ROOT, *output_tokens(dataset[row].target)}:
            return None
    fitted = EasinessRule(local_structures(arrays, "local:2"), "none").fit(np.arange(len(train)))
    return [unobserved_pairs(fitted, len(train) + place) for place in range(len(test))]


def first_difference(gold: Sequence[str], output: Sequence[str]) -> int | None:
    """The place of the first token that differs; none where there is no difference.

    >>> first_difference(["a", "(", "b", ")"], ["a", "("])
    2
    """
    for place, (wanted, given) in enumerate(zip(gold, output, strict=False)):
        if wanted != given:
            return place
    return None if len(gold) == len(output) else min(len(gold), len(output))


def completes(gold: Sequence[str], place: int, pairs: Collection[Pair]) -> bool:
    """Whether the gold token at a place is the second of a pair whose first stands before it."""
    if place >= len(gold):
        return False
    before = {ROOT, *gold[:place]}
    return any(second == gold[place] and first in before for first, second in pairs)


@dataclass(frozen=True)
class FirstErrors:
    """Counts over outputs."""

    outputs: int
    wrong: int
    asked: int
    """Wrong outputs whose gold program has unobserved structures: the ones that count."""
    same_tokens: int
    """Of those, outputs with the very tokens of the gold program; they complete nothing."""
    completed: int

    @property
    def share(self) -> float | None:
        """The share of the outputs that count whose first wrong token completes an unobserved structure."""
        return self.completed / self.asked if self.asked else None

    def to_record(self) -> dict[str, float | None]:
        """As it stands in JSON."""
        return {**asdict(self), "share": self.share}


def first_errors(outputs: Iterable[tuple[str, str, bool, Collection[Pair]]]) -> FirstErrors:
    """The counts over outputs, each with its gold program, whether it is correct, and unobserved pairs.

    >>> gold = "or ( gt ( a ) , exists ( b ) )"
    >>> first_errors([(gold, "or ( gt ( a ) , there ( b ) )", False, [("or", "exists")])]).share
    1.0
    """
    counts = np.zeros(5, np.int64)
    for gold, output, correct, pairs in outputs:
        counts[0] += 1
        if correct:
            continue
        counts[1] += 1
        if not pairs:
            continue
        counts[2] += 1
        wanted = output_tokens(gold)
        place = first_difference(wanted, output_tokens(output))
        counts[3] += place is None
        counts[4] += place is not None and completes(wanted, place, pairs)
    return FirstErrors(*map(int, counts))
