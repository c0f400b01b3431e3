"""The regions of a picture as a detector would give them: jittered, shuffled, with boxes of the background among them.

What is drawn depends on the seed and the id of the scene alone, so that a picture has the same regions whatever else is
read. Of a picture with too many boxes the largest are kept, and the others counted.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.models.pictures.arrays.picture_arrays import MOST_REGIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Boxes = NDArray[np.float64]

_TRIES = 12
_SMALLEST = 0.02
"""No side of a box is less than this part of the picture."""


@dataclass(frozen=True)
class RegionSettings:
    """How boxes are made into regions."""

    jitter: float = 0.012
    """The standard deviation of each edge, in parts of the picture."""
    background: tuple[int, int] = (2, 4)
    """The fewest and most boxes of the background."""
    overlap: float = 0.15
    """The most that a box of the background covers of an object."""
    most: int = MOST_REGIONS


class Regions(NamedTuple):
    """The regions of one picture."""

    boxes: NDArray[np.float32]
    """[regions, 4]: left, top, right, bottom."""
    objects: NDArray[np.int64]
    """[regions]: which object a box is of; -1 for the background."""
    left_out: int
    """How many objects have none, because there are too many."""


def make_regions(boxes: Boxes, scene: str, seed: int, settings: RegionSettings) -> Regions:
    """The regions of a picture from the boxes of its objects, given as left, top, right, bottom from 0 to 1."""
    draws = np.random.default_rng([seed, int.from_bytes(hashlib.blake2b(scene.encode(), digest_size=8).digest())])
    kept = np.arange(len(boxes))
    room = settings.most - settings.background[1]
    if len(boxes) > room:
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        kept = np.sort(np.argsort(-area, kind="stable")[:room])
    own = boxes[kept]
    jittered = _inside(own + draws.normal(0.0, settings.jitter, own.shape))
    empty = _background(own, draws, settings)
    both = np.concatenate([jittered, empty])
    objects = np.concatenate([kept, np.full(len(empty), -1)])
    order = draws.permutation(len(both))
    return Regions(both[order].astype(np.float32), objects[order], len(boxes) - len(kept))


def _inside(boxes: Boxes) -> Boxes:
    """Boxes within the picture, none of them too small."""
    boxes = boxes.clip(0.0, 1.0)
    low = np.minimum(boxes[:, :2], 1.0 - _SMALLEST)
    return np.concatenate([low, np.maximum(boxes[:, 2:], low + _SMALLEST)], axis=1)


def _background(boxes: Boxes, draws: np.random.Generator, settings: RegionSettings) -> Boxes:
    """Boxes that cover no object by much; fewer where there is no room for them."""
    fewest, most = settings.background
    wanted = int(draws.integers(fewest, most + 1))
    sizes = draws.uniform(0.06, 0.28, (_TRIES * most, 2))
    starts = draws.uniform(0.0, 1.0, (_TRIES * most, 2)) * (1.0 - sizes)
    tried = np.concatenate([starts, starts + sizes], axis=1)
    return tried[covered(tried, boxes) <= settings.overlap][:wanted]


def covered(tried: Boxes, boxes: Boxes) -> Boxes:
    """How much of the smaller of two boxes is in both, at most over all boxes."""
    if not len(boxes):
        return np.zeros(len(tried))
    low = np.maximum(tried[:, None, :2], boxes[None, :, :2])
    high = np.minimum(tried[:, None, 2:], boxes[None, :, 2:])
    shared = (high - low).clip(0.0).prod(axis=2)
    smaller = np.minimum(_area(tried)[:, None], _area(boxes)[None, :])
    most: Boxes = (shared / np.maximum(smaller, 1e-9)).max(axis=1)
    return most


def _area(boxes: Boxes) -> Boxes:
    area: Boxes = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    return area
