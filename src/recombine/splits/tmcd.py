"""Target maximum compound divergence splits: from the programs alone (NQG paper, §3).

Atoms are the symbols of the programs, and every test atom must be in train; the atom divergence is otherwise free. The
search, its constraints and its options are those of `mcd`; a quota counts target patterns, which keeps test varied: for
data without collapsing rules that is the number of test examples of one program.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from recombine.splits.mcd import MCDSplitter


@dataclass(frozen=True, kw_only=True)
class TMCDSplitter(MCDSplitter):
    """A split of maximum compound divergence over programs, with every test atom in train."""

    max_atom_divergence: float = 1.0
    quota_side: str = "target"

    by: ClassVar[str] = "tmcd"
