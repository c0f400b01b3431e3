"""Pictures and their regions as arrays.

A region is a box. Boxes are shuffled and jittered, and some are of the background, so that neither their order nor
their edges say what is in them. Names and attributes are there only for pictures that a detector learns from; pictures
that questions are about have none. Needs numpy alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.pictures.arrays.array_file import arrays_digest, read_arrays, write_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MOST_REGIONS = 32
"""Of one picture: the meaning of a noun is a bit for each in one number of 32 bits."""
BACKGROUND = -1
"""The name of a box in which no object is."""
_MOST_COLORS = 256


@dataclass
class PictureArrays:
    """S pictures of one side with at most R regions each."""

    ids: list[str]
    pixels: NDArray[np.uint8]
    """[S, side, side, 3]"""
    boxes: NDArray[np.float32]
    """[S, R, 4]: left, top, right and bottom in parts of the picture; zero after the last region."""
    regions: NDArray[np.int16]
    """[S]: how many boxes are regions."""
    names: NDArray[np.int16] | None = None
    """[S, R]: places in `name_list`, or `BACKGROUND`."""
    attributes: NDArray[np.bool_] | None = None
    """[S, R, A]: which of `attribute_list` a region has."""
    name_list: list[str] = field(default_factory=list)
    attribute_list: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def side(self) -> int:
        """The width and height of each picture."""
        return int(self.pixels.shape[1])

    @property
    def places(self) -> dict[str, int]:
        """Where each scene is."""
        return {name: place for place, name in enumerate(self.ids)}

    def rows(self, places: Sequence[int] | NDArray[Any]) -> PictureArrays:
        """Some of the pictures."""
        at = np.asarray(places, dtype=np.int64)
        return PictureArrays(
            [self.ids[place] for place in at.tolist()],
            self.pixels[at],
            self.boxes[at],
            self.regions[at],
            None if self.names is None else self.names[at],
            None if self.attributes is None else self.attributes[at],
            self.name_list,
            self.attribute_list,
        )

    def without_names(self) -> PictureArrays:
        """The same pictures as those of questions are: boxes and pixels alone."""
        return PictureArrays(self.ids, self.pixels, self.boxes, self.regions)

    def digest(self) -> str:
        """A digest of all that is here."""
        return arrays_digest(self.packed())

    def write(self, path: Path | str) -> None:
        """Write an .npz file."""
        write_arrays(path, self.packed())

    @staticmethod
    def read(path: Path | str) -> PictureArrays:
        """What such a file holds."""
        return PictureArrays.unpacked(read_arrays(path))

    def packed(self) -> dict[str, NDArray[Any]]:
        """Arrays for an .npz file; pictures of few colors as places in a palette."""
        arrays: dict[str, NDArray[Any]] = {
            "ids": np.array(self.ids, dtype=np.str_),
            "boxes": self.boxes,
            "regions": self.regions,
        }
        arrays |= _packed_pixels(self.pixels)
        if self.names is not None and self.attributes is not None:
            arrays |= {
                "names": self.names,
                "attributes": np.packbits(self.attributes, axis=-1),
                "name_list": np.array(self.name_list, dtype=np.str_),
                "attribute_list": np.array(self.attribute_list, dtype=np.str_),
            }
        return arrays

    @staticmethod
    def unpacked(arrays: Mapping[str, NDArray[Any]]) -> PictureArrays:
        """The pictures of such arrays."""
        pixels = arrays["palette"][arrays["indices"]] if "indices" in arrays else arrays["pixels"]
        made = PictureArrays(arrays["ids"].tolist(), pixels, arrays["boxes"], arrays["regions"])
        if "names" in arrays:
            made.name_list = arrays["name_list"].tolist()
            made.attribute_list = arrays["attribute_list"].tolist()
            made.names = arrays["names"]
            number = len(made.attribute_list)
            made.attributes = np.unpackbits(arrays["attributes"], axis=-1, count=number).astype(bool)
        return made


def _packed_pixels(pixels: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """Pixels as they are, or as places in a palette where there are at most 256 colors in all."""
    colors = np.zeros(0, dtype=np.uint32)
    for picture in pixels:
        colors = np.union1d(colors, _numbers(picture))
        if len(colors) > _MOST_COLORS:
            return {"pixels": pixels}
    table = np.zeros(1 << 24, dtype=np.uint8)
    table[colors] = np.arange(len(colors), dtype=np.uint8)
    indices = np.empty(pixels.shape[:3], dtype=np.uint8)
    for place, picture in enumerate(pixels):
        indices[place] = table[_numbers(picture)]
    palette = np.stack([colors >> 16, colors >> 8 & 255, colors & 255], axis=-1).astype(np.uint8).reshape(-1, 3)
    return {"indices": indices, "palette": palette}


def _numbers(picture: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Each color as one number."""
    wide = picture.astype(np.uint32)
    return (wide[..., 0] * 65536 + wide[..., 1] * 256 + wide[..., 2]).astype(np.uint32)
