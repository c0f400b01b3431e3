"""How popular entities are: how often texts mention them, by a file, else how many facts have them.

The file is one of surface forms, as linking reads it (`kb/linking/read_surface_forms.py`); a count of an entity is the
sum of those of its surface forms. An entity that the file does not name has the popularity 0, and can still be drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.linking.read_surface_forms import iter_surface_forms
from recombine.progress import note

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term


@dataclass(frozen=True)
class Popularity:
    """The counts of some entities, and of each of their surface forms, the most frequent first."""

    counts: Mapping[Term, int]
    surface_forms: Mapping[Term, tuple[tuple[str, int], ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | str, profile: Profile) -> Popularity:
        """The popularity that a file says; entities are named as the profile names them."""
        forms: dict[Term, dict[str, int]] = {}
        for form, entity, count in iter_surface_forms(path, profile):
            own = forms.setdefault(entity, {})
            own[form] = own.get(form, 0) + count
        ordered = {
            entity: tuple(sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))) for entity, own in forms.items()
        }
        return cls({entity: sum(own.values()) for entity, own in forms.items()}, ordered)

    def by_id(self, store: EmbeddedStore) -> npt.NDArray[np.int64]:
        """The count of every term of a store by its id; entities that the store does not have are counted and said."""
        counts = np.zeros(len(store.table), np.int64)
        ids = store.ids(self.counts)
        known = ids >= 0
        counts[ids[known]] = np.fromiter(self.counts.values(), np.int64, len(self.counts))[known]
        if not known.all():
            note(f"{int((~known).sum()):,} of {len(ids):,} entities with a popularity are in no fact")
        return counts


def facts_by_id(store: EmbeddedStore) -> npt.NDArray[np.int64]:
    """How many facts have each term of a store as their subject or target."""
    counts: npt.NDArray[np.int64] = np.diff(store.edges.forward_starts) + np.diff(store.edges.backward_starts)
    return counts


def popularity_bins(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
    """The range of popularity that each count is in: 0, 1, 2 to 3, 4 to 7 and so on.

    >>> popularity_bins(np.array([0, 1, 2, 3, 4, 1000])).tolist()
    [0, 1, 2, 2, 3, 10]
    """
    return np.frexp(counts.astype(np.float64))[1].astype(np.int8)
