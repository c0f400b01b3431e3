"""The pixels of pictures in a folder, all scaled to one side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import InputFileError, OptionError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SIDE = 128


def read_pixels(path: Path, side: int = SIDE) -> tuple[NDArray[np.uint8], tuple[int, int]]:
    """A picture as [side, side, 3] and its own width and height; one that cannot be read is refused."""
    try:
        from PIL import Image
    except ImportError as error:
        raise OptionError("pictures need Pillow, which is not installed", "install recombine[pictures]") from error
    try:
        with Image.open(path) as image:
            size = image.size
            colors = image.convert("RGB")
            if size != (side, side):
                colors = colors.resize((side, side), Image.Resampling.BILINEAR, reducing_gap=3.0)
            return np.asarray(colors, dtype=np.uint8), size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        why = " ".join(str(error).split())
        raise InputFileError(f"{path}: is no picture that can be read ({why})", "put a whole one there") from error
