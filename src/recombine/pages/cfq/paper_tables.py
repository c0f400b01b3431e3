"""What the CFQ paper prints: its Tables 1, 2(a), 2(b), 5, 8 and 9, read from a file beside this one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class PaperTables:
    """The printed numbers by what they count."""

    samples: Mapping[int, str]
    statistics: Mapping[str, int]
    datasets: Mapping[str, tuple[int, int, int]]
    at_hand: Mapping[str, str]
    """By name, the id in the catalogue of data sets that can be counted here."""
    answers: Mapping[str, int]
    subqueries: Mapping[str, int]


@cache
def paper_tables() -> PaperTables:
    """The tables of the paper.

    >>> paper_tables().statistics["questions"], paper_tables().datasets["ATIS"]
    (239357, (5280, 947, 751))
    """
    read = tomllib.loads(files("recombine.pages.cfq").joinpath("paper.toml").read_text(encoding="utf-8"))
    return PaperTables(
        {int(level): text for level, text in read["samples"].items()},
        read["statistics"],
        {name: (row[0], row[1], row[2]) for name, row in read["datasets"].items()},
        read["at_hand"],
        read["answers"],
        read["subqueries"],
    )
