"""What a page or a table calls splits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def split_names(splits: Sequence[str]) -> list[str]:
    """A name for each split: an id as it is, a file by its stem where that tells them apart."""
    from recombine.errors import OptionError

    repeated = next((split for place, split in enumerate(splits) if split in splits[:place]), None)
    if repeated is not None:
        raise OptionError(f"the split {repeated} is named twice", "name each split once")
    short = [Path(split).stem if Path(split).is_file() else split for split in splits]
    return [name if short.count(name) == 1 else split for name, split in zip(short, splits, strict=True)]
