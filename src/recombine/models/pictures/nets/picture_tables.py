"""What a picture model sees of all pictures, on the device: features, described boxes and numbers of regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from recombine.models.pictures.nets.region_reader import describe_boxes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays


class PictureTables:
    """Tables of S pictures, and of one more without a region at the end, which a missing picture is."""

    def __init__(
        self,
        features: NDArray[np.float16],
        pictures: PictureArrays,
        *,
        device: torch.device | str,
        looks: bool = True,
    ) -> None:
        dtype = torch.bfloat16 if torch.device(device).type == "cuda" else torch.float32
        boxes, regions = pictures.boxes, pictures.regions
        if not looks:  # one region of nothing in each picture
            features, boxes = (np.zeros((len(regions), 1, table.shape[2]), table.dtype) for table in (features, boxes))
            regions = np.ones_like(regions)
        pad = ((0, 1), (0, 0), (0, 0))
        self.features = torch.from_numpy(np.pad(features, pad)).to(device).to(dtype)
        places = describe_boxes(torch.from_numpy(np.pad(boxes, pad)).to(device))
        self.places = places.to(dtype)
        self.regions = torch.from_numpy(np.pad(regions.astype(np.int64), (0, 1))).to(device)

    @property
    def missing(self) -> int:
        """The number of the picture that is none."""
        return len(self.regions) - 1

    def take(self, pictures: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Features, places and regions of pictures (…) by number: (…, R, F), (…, R, PLACE), (…)."""
        flat = pictures.flatten()
        features, places = (
            table.index_select(0, flat).view(*pictures.shape, *table.shape[1:])
            for table in (self.features, self.places)
        )
        return features, places, self.regions.index_select(0, flat).view(pictures.shape)
