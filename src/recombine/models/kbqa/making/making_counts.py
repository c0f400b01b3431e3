"""What became of questions that were made arrays: counts of all that lacks something."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

BEYOND = "no candidate"
"""A target with codes that is none of its candidates."""


@dataclass
class MakingCounts:
    """Counts of questions and links."""

    questions: int = 0
    without_link: int = 0
    without_candidates: int = 0
    """Questions that have none, of those whose candidates were to be listed."""
    whole_vocabulary: int = 0
    """Questions whose vocabulary nothing prunes."""
    unknown_links: int = 0
    """Links to what no fact has, or what nothing says the class of."""
    candidates: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    """Whether gold forms are among the candidates: `covered`, or why not."""
    targets: Counter[str] = field(default_factory=Counter)
    """Whether gold forms have codes: `covered` by a candidate, `no candidate` though they have, or why not."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values, the most frequent first."""
        plain = {name: value for name, value in vars(self).items() if isinstance(value, int)}
        return {**plain, "outcomes": _ordered(self.outcomes), "targets": _ordered(self.targets)}


def _ordered(counted: Counter[str]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))
