"""The average ranks of a study's models over its groups of splits, as in Table 2 of the NQG paper."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.statistics.ranks import average_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.studies.tables.summary import SummaryRow


@dataclass(frozen=True)
class RankTable:
    """The average rank of each model, 1 being the best, and the rows of means that count."""

    ranks: dict[str, float]
    rows: tuple[str, ...]
    left_out: tuple[str, ...]
    """Rows in which some model has no mean yet."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return asdict(self)


def rank_table(rows: Sequence[SummaryRow]) -> RankTable | None:
    """The ranks over rows of one group of splits each; none where there is one model, or no row that all models have.

    Models that tie share the mean of their ranks.
    """
    single = [row for row in rows if len(row.groups) == 1]
    whole = [row for row in single if all(mean.mean is not None for mean in row.means.values())]
    if not whole or len(whole[0].means) < 2:
        return None
    scores = {model: {row.label: float(row.means[model].mean or 0.0) for row in whole} for model in whole[0].means}
    left_out = tuple(row.label for row in single if row not in whole)
    return RankTable(average_ranks(scores), tuple(row.label for row in whole), left_out)
