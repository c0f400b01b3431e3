"""Labelled pairs of names, drawn from the ontology of the synthetic world or from GQA's hierarchies (COVR, App. A)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.progress import working
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.models.exclusion.name_pairs import NamePair

MOST = 6000


@dataclass(frozen=True, repr=False, eq=False)
class ScenesNamePairs(Result):
    """Pairs of names, and whether the one that is seen excludes the one that is asked."""

    origin: str
    pairs: tuple[NamePair, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """What `recombine scenes name-pairs --json` prints."""
        counts = Counter((pair.kind, pair.excludes) for pair in self.pairs)
        kinds = sorted({pair.kind for pair in self.pairs})
        return {
            "from": self.origin,
            "pairs": len(self.pairs),
            "kinds": {kind: {"excludes": counts[kind, True], "does_not": counts[kind, False]} for kind in kinds},
            "file": None,
        }

    def __str__(self) -> str:
        kinds = self.to_dict()["kinds"]
        said = ", ".join(
            f"{sum(each.values()):,} of {kind}s ({each['excludes']:,} exclude)" for kind, each in kinds.items()
        )
        return f"{self.origin}: {len(self.pairs):,} pairs: {said}"

    def write(self, path: Path | str) -> None:
        """Write them as CSV, whole or not at all."""
        from recombine.models.exclusion.name_pairs import write_name_pairs

        write_name_pairs(path, self.pairs)


@verb
def scenes_name_pairs(origin: Path | str, *, most: int = MOST, ratio: float = 1.0, seed: int = 0) -> ScenesNamePairs:
    """Labelled pairs from `ontology`, or from a folder with GQA's two hierarchies.

    At most so many of nouns, and of attributes: all of the rarer answer and `ratio` of the other for each; and all
    pairs of relations, both ways.
    """
    from recombine.models.exclusion.pair_sources import draw_pairs, find_source

    with working("pairing names"):
        return ScenesNamePairs(str(origin), tuple(draw_pairs(find_source(origin), most=most, ratio=ratio, seed=seed)))
