"""Pictures without boxes: the windows of one fixed grid stand for regions (the variant `pixels`).

Windows overlap by half, so that what is cut by one is in the middle of another. What a noun means is carried over to
the windows whose middle is nearest to the middle of a region that it means.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
    from recombine.models.pictures.arrays.picture_arrays import PictureArrays

GRID = 5
"""Windows of a row and of a column."""


def window_boxes() -> NDArray[np.float32]:
    """The windows in parts of the picture, row by row: (GRID², 4)."""
    size = 2 / (GRID + 1)
    starts = np.arange(GRID) * size / 2
    y, x = np.meshgrid(starts, starts, indexing="ij")
    return np.stack([x, y, x + size, y + size], -1).reshape(-1, 4).clip(0, 1).astype(np.float32)


def as_windows(pictures: PictureArrays) -> PictureArrays:
    """The same pictures with windows for boxes, without names."""
    boxes = window_boxes()
    count = len(pictures.regions)
    every = np.broadcast_to(boxes, (count, *boxes.shape)).copy()
    return replace(
        pictures, boxes=every, regions=np.full(count, len(boxes), dtype=np.int16), names=None, attributes=None
    )


def window_meanings(grounding: GroundingArrays, pictures: PictureArrays) -> GroundingArrays:
    """Descriptions whose nouns mean windows of the pictures that had boxes."""
    middles = (pictures.boxes[..., :2] + pictures.boxes[..., 2:]) / 2  # (S, R, 2)
    boxes = window_boxes()
    apart = np.abs(middles[:, :, None] - ((boxes[:, :2] + boxes[:, 2:]) / 2)).max(-1)  # (S, R, windows)
    bits = np.uint32(1) << apart.argmin(-1).astype(np.uint32)  # (S, R)
    means = np.zeros_like(grounding.means)
    for region in range(bits.shape[1]):
        meant = (grounding.means >> np.uint32(region)) & np.uint32(1)
        means |= meant * bits[grounding.picture, region][:, None]
    return replace(grounding, means=means)
