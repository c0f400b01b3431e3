"""What the GrailQA paper prints: its Table 1 and the figures of sections 3.2 and 5.1, read from a file beside this."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def paper_figures() -> Mapping[str, Mapping[str, float]]:
    """The printed numbers, by what they are of.

    >>> paper_figures()["table"]["canonical_forms"], paper_figures()["relations"]["1"]
    (4969, 44340)
    """
    read: dict[str, dict[str, float]] = tomllib.loads(
        files("recombine.pages.kbqa").joinpath("paper.toml").read_text(encoding="utf-8")
    )
    return read
