"""Programs executed in the wide sense: a name stands for all that does not exclude it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.scenes.programs.execute import Executor
from recombine.scenes.programs.scene_masks import SceneMasks
from recombine.scenes.related.exclusion import DoesNotExclude
from recombine.scenes.subgraphs.instances import MODIFIER_MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.scenes.related.exclusion import Exclusion
    from recombine.scenes.scene import Scenes


class _Fitting(dict[tuple[str, str], bool]):
    """Whether what is seen fits what is asked, each pair worked out once."""

    def __init__(self, fits: Callable[[str, str], bool]) -> None:
        super().__init__()
        self._fits = fits

    def __missing__(self, pair: tuple[str, str]) -> bool:
        fits = self[pair] = self._fits(*pair)
        return fits


class RelaxedMasks(SceneMasks):
    """The objects of one scene under all names that do not exclude their own."""

    nouns: _Fitting
    values: _Fitting
    verbs: _Fitting

    def named(self, name: str) -> int:
        """The objects that may be of a name."""
        mask = 0
        for seen, objects in self.names.items():
            if self.nouns[name, seen]:
                mask |= objects
        return mask

    def having(self, attribute: str) -> int:
        """The objects that have an attribute that does not exclude it."""
        mask = 0
        for seen, objects in self.attributes.items():
            if self.values[attribute, seen]:
                mask |= objects
        return mask

    def fits_relation(self, asked: str, seen: str) -> bool:
        """Whether a relation that is seen does not exclude the one asked for."""
        return self.verbs[asked, seen]

    def related(self, relation: str) -> Sequence[tuple[int, int]]:
        """The subjects of relations that do not exclude one, each with its targets."""
        if MODIFIER_MARK in relation:
            return super().related(relation)
        pairs: list[tuple[int, int]] = []
        for seen, some in self.relations.items():
            if self.verbs[relation, seen]:
                pairs += some
        return pairs


class RelaxedExecutor(Executor):
    """Executes programs of sets in the wide sense."""

    def __init__(self, scenes: Scenes, exclusion: Exclusion) -> None:
        super().__init__(scenes, scenes.attribute_types)
        fits = DoesNotExclude(exclusion)
        self._fitting = _Fitting(fits.noun), _Fitting(fits.attribute), _Fitting(fits.relation)

    def masks(self, place: int) -> SceneMasks:
        """The bits of a scene."""
        masks = self._masks.get(place)
        if masks is None:
            relaxed = RelaxedMasks.of(self.scenes[place])
            relaxed.nouns, relaxed.values, relaxed.verbs = self._fitting
            masks = self._masks[place] = relaxed
        return masks
