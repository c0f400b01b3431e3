"""The objects of one scene as bits: objects of a name, of an attribute, and the ends of relations.

A set of objects is a whole number whose bit i stands for the i-th object. A relation with a modifier also makes one
from its subject to the modifier's object, named `pulling:_with`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from recombine.scenes.subgraphs.instances import MODIFIER_MARK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.scenes.scene import Scene


@dataclass
class SceneMasks:
    """One scene."""

    scene: Scene
    everything: int = 0
    names: dict[str, int] = field(default_factory=dict)
    attributes: dict[str, int] = field(default_factory=dict)
    relations: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Pairs of a subject and its targets, both as bits."""

    @classmethod
    def of(cls, scene: Scene) -> Self:
        """The bits of a scene."""
        masks = cls(scene, (1 << len(scene.objects)) - 1)
        places = {each.id: place for place, each in enumerate(scene.objects)}
        for place, each in enumerate(scene.objects):
            bit = 1 << place
            masks.names[each.name] = masks.names.get(each.name, 0) | bit
            for attribute in each.attributes:
                masks.attributes[attribute] = masks.attributes.get(attribute, 0) | bit
            targets: dict[str, int] = {}
            for relation in each.relations:
                targets[relation.name] = targets.get(relation.name, 0) | 1 << places[relation.object]
                for mod in relation.mods:
                    name = relation.name + MODIFIER_MARK + mod.name
                    targets[name] = targets.get(name, 0) | 1 << places[mod.object]
            for name, mask in targets.items():
                masks.relations.setdefault(name, []).append((bit, mask))
        return masks

    def named(self, name: str) -> int:
        """The objects of a name."""
        return self.names.get(name, 0)

    def having(self, attribute: str) -> int:
        """The objects that have an attribute."""
        return self.attributes.get(attribute, 0)

    def related(self, relation: str) -> Sequence[tuple[int, int]]:
        """The subjects of a relation, each with its targets."""
        return self.relations.get(relation, ())

    def subjects(self, among: int, relation: str, targets: int) -> int:
        """Those among some that have a relation to any of the targets."""
        kept = 0
        for subject, reached in self.related(relation):
            if subject & among and reached & targets:
                kept |= subject
        return kept

    def targets(self, subjects: int, relation: str, among: int) -> int:
        """Those among some that any of the subjects has a relation to."""
        kept = 0
        for subject, reached in self.related(relation):
            if subject & subjects:
                kept |= reached
        return kept & among

    def between(self, subjects: int, targets: int) -> list[str]:
        """The names of the relations from some objects to others, those to what a modifier leads to left out."""
        return [
            name
            for name, pairs in self.relations.items()
            if MODIFIER_MARK not in name and any(subject & subjects and reached & targets for subject, reached in pairs)
        ]

    def ids(self, mask: int) -> tuple[str, ...]:
        """The ids of some objects, in the order of the scene."""
        return tuple(each.id for place, each in enumerate(self.scene.objects) if mask >> place & 1)
