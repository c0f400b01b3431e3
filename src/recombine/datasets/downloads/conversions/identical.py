"""A file that is taken as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals


def identical(originals: Originals) -> bytes:
    """The bytes of the original."""
    return originals.paths[""].read_bytes()
