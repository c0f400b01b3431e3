"""What the GrailQA paper prints of its parsers, read from a file beside this."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def paper_results() -> Mapping[str, Any]:
    """The printed numbers, in percent.

    >>> paper_results()["table3"]["RANKING"]["em"]["zero-shot"], paper_results()["linking"]["f1"]
    (48.6, 72.2)
    """
    read: dict[str, Any] = tomllib.loads(
        files("recombine.pages.kbqa_results").joinpath("paper.toml").read_text(encoding="utf-8")
    )
    return read
