"""A scorer made of scores that came back from another machine: it knows the sources that it was asked there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import RecombineError
from recombine.models.nqg.scoring.span_scorer import Anchors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recombine.models.nqg.forest.forest_kernels import Packed, Scores
    from recombine.models.nqg.scoring.loglinear import LogLinear


@dataclass(frozen=True)
class ReturnedScorer:
    """Scores of anchored rules by source, and the log-linear terms beside them."""

    anchored: Mapping[tuple[str, ...], NDArray[np.float32]]
    terms: LogLinear

    def scores(self, forest: Packed, source: Sequence[str]) -> Scores:
        """The scores of the parts of the forest of a source."""
        anchors = Anchors.of(forest, self.terms.rules.size)
        known = self.anchored.get(tuple(source))
        if known is None or known.size != anchors.rule.size:
            problem = f"there are no scores for {' '.join(source)!r} and its derivations"
            raise RecombineError(problem, "export and train again")
        scores = self.terms.scores(forest, source)
        return scores._replace(node=scores.node + known.astype(float)[anchors.node])
