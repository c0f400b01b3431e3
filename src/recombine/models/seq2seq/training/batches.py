"""Which examples a replica sees at which step.

The train examples of a replica, sorted by length, are cut into J buckets of nearly equal padded size (examples ×
longest target). One pass over the data takes M batches from each bucket, so every example comes once a pass, and a
batch holds about as many target tokens whatever its bucket. Steps go in cycles of J: each cycle takes one batch from
every bucket, in an order that is the same for all replicas of all studies. What the batches hold follows from the
replica's own examples and seed alone.

So replicas that train together are at the same bucket at the same step, with nearly the same shape, whoever they are:
the stack pads each bucket to the largest of its replicas, and padding changes no result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Buckets:
    """The train examples of one replica by length, and how a pass is cut into batches."""

    rows: tuple[Ints, ...]
    """Positions in the data of each bucket's examples."""
    passes: int
    """Batches of each bucket in one pass over the data (M)."""
    shapes: tuple[tuple[int, int, int], ...]
    """Of each bucket: examples of a batch, longest source, longest target."""


def make_buckets(rows: Ints, source_lengths: Ints, target_lengths: Ints, *, buckets: int, tokens: int) -> Buckets:
    """Cut train examples into buckets; `rows` may repeat, lengths are those of the whole data, ends counted.

    >>> lengths = np.array([2, 2, 2, 2, 4, 4])
    >>> made = make_buckets(np.arange(6), lengths, lengths, buckets=2, tokens=8)
    >>> [list(map(int, bucket)) for bucket in made.rows], made.passes, made.shapes
    ([[0, 1, 2, 3], [4, 5]], 1, ((4, 2, 2), (2, 4, 4)))
    """
    if len(rows) == 0:
        raise OptionError("the train part is empty", "give a split with train examples")
    longest = int(target_lengths[rows].max())
    if longest > tokens:
        raise OptionError(f"a target has {longest} tokens, a batch {tokens}", "raise batch_tokens")
    order = rows[np.lexsort((source_lengths[rows], target_lengths[rows]))]
    lengths = target_lengths[order]
    cuts = _cut(lengths, min(buckets, len(rows)))
    parts = tuple(np.split(order, cuts))
    areas = [len(part) * int(target_lengths[part].max()) for part in parts]
    passes = max(1, -(-max(areas) // tokens))
    while max(-(-len(part) // passes) * int(target_lengths[part].max()) for part in parts) > tokens:
        passes += 1
    shapes = tuple(
        (-(-len(part) // passes), int(source_lengths[part].max()), int(target_lengths[part].max())) for part in parts
    )
    return Buckets(parts, passes, shapes)


def _cut(lengths: Ints, buckets: int) -> list[int]:
    """Where to cut sorted lengths so that the parts have about the same padded size, the largest as small as can be."""
    low, high = 1, int(len(lengths) * lengths[-1])
    while low < high:
        middle = (low + high) // 2
        if len(_fill(lengths, middle)) <= buckets - 1:
            high = middle
        else:
            low = middle + 1
    cuts = _fill(lengths, low)
    while len(cuts) < buckets - 1:  # more buckets than needed: halve the widest
        edges = [0, *cuts, len(lengths)]
        sizes = np.diff(edges)
        widest = int(sizes.argmax())
        cuts = sorted([*cuts, edges[widest] + int(sizes[widest]) // 2])
    return cuts


def _fill(lengths: Ints, area: int) -> list[int]:
    """Cuts of the greedy filling: each part takes examples while count × longest stays within the area."""
    cuts: list[int] = []
    start = 0
    while True:
        counts = np.arange(1, len(lengths) - start + 1) * lengths[start:]
        taken = max(1, int(np.searchsorted(counts, area, side="right")))
        start += taken
        if start >= len(lengths):
            return cuts
        cuts.append(start)


def stack_shapes(replicas: Sequence[Buckets]) -> tuple[tuple[int, int, int], ...]:
    """The shape of each bucket that holds every replica's."""
    largest = np.array([replica.shapes for replica in replicas]).max(axis=0)
    return tuple((int(examples), int(source), int(target)) for examples, source, target in largest)


def bucket_order(cycles: range, buckets: int) -> Ints:
    """The buckets of each cycle in their order, the same for all replicas: cycles × buckets."""
    return np.stack([make_generator(cycle).permutation(buckets) for cycle in cycles])


class Sampler:
    """The batches of one replica, cycle by cycle.

    >>> sampler = Sampler(Buckets((np.arange(4),), 2, ((2, 5, 5),)), seed=3)
    >>> rows = np.empty((2, 3), dtype=np.int64)
    >>> sampler.fill([rows], range(2), empty=99)
    >>> sorted(rows[:, :2].flatten().tolist()), rows[:, 2].tolist()
    ([0, 1, 2, 3], [99, 99])
    """

    def __init__(self, buckets: Buckets, seed: int) -> None:
        self.buckets, self.seed = buckets, seed

    def fill(self, tables: Sequence[Ints], cycles: range, empty: int) -> None:
        """Write the examples of each bucket's batches, cycles × width, filled up with the empty example."""
        passes = self.buckets.passes
        for number in range(cycles.start // passes, -(-cycles.stop // passes)):
            generator = make_generator((self.seed << 64) + number)
            here = range(max(cycles.start, number * passes), min(cycles.stop, (number + 1) * passes))
            for table, rows in zip(tables, self.buckets.rows, strict=True):
                dealt = self._deal(generator.permutation(rows), empty)
                at = slice(here.start - cycles.start, here.stop - cycles.start)
                table[at, : dealt.shape[1]] = dealt[here.start - number * passes : here.stop - number * passes]
                table[at, dealt.shape[1] :] = empty

    def _deal(self, rows: Ints, empty: int) -> Ints:
        """Shuffled examples dealt to the batches of a pass (passes × width); short ones get the empty example."""
        passes = self.buckets.passes
        width = -(-len(rows) // passes)
        dealt = np.full(width * passes, empty, dtype=np.int64)
        dealt[: len(rows)] = rows
        return dealt.reshape(width, passes).T
