"""What a detector sees in the pictures of questions, each looked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.making.study_arrays import question_pictures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.models.pictures.making.array_settings import ArraySettings
    from recombine.scenes.scene import Scenes

    Features = NDArray[np.float16]

_PIECE = 512
"""So many pictures are held as pixels at a time."""


class SeenPictures:
    """Features and boxes of pictures by the ids of their scenes, of one collection."""

    def __init__(
        self,
        scenes: Scenes,
        folder: Path | None,
        settings: ArraySettings,
        see: Callable[[PictureArrays], tuple[PictureArrays, Features]],
    ) -> None:
        """Take what gives, for pictures, the regions that are looked at, and features for each of them."""
        self.scenes, self.folder = scenes, folder
        self._settings, self._see = settings, see
        self._known: dict[str, tuple[NDArray[np.float32], Features]] = {}

    def look(self, ids: Sequence[str]) -> tuple[Features, PictureArrays]:
        """Features and boxes of some pictures; the arrays have no pixels."""
        new = [each for each in ids if each not in self._known]
        for start in range(0, len(new), _PIECE):
            piece = question_pictures(new[start : start + _PIECE], self.scenes, self.folder, self._settings)
            regions, features = self._see(piece)
            for place, name in enumerate(regions.ids):
                number = int(regions.regions[place])
                self._known[name] = (regions.boxes[place, :number], features[place, :number])
        return self._stacked(ids)

    def _stacked(self, ids: Sequence[str]) -> tuple[Features, PictureArrays]:
        found = [self._known[each] for each in ids]
        most = max((len(boxes) for boxes, _ in found), default=1)
        width = found[0][1].shape[1] if found else 1
        boxes = np.zeros((len(ids), most, 4), dtype=np.float32)
        features = np.zeros((len(ids), most, width), dtype=np.float16)
        for place, (some, seen) in enumerate(found):
            boxes[place, : len(some)] = some
            features[place, : len(some)] = seen
        regions = np.array([len(some) for some, _ in found], dtype=np.int16)
        return features, PictureArrays(list(ids), np.zeros((len(ids), 0, 0, 3), dtype=np.uint8), boxes, regions)
