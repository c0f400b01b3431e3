"""The objects of one scene as bits: objects of a name, of an attribute, and the ends of relations.

A set of objects is a whole number whose bit i stands for the i-th object. A relation with modifiers is kept with them,
so that `pulling:_with` asks for what one relation has, and not for what its subject has of several.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Self

from recombine.scenes.subgraphs.instances import MODIFIER_MARK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.scenes.scene import Scene


class ModifiedRelation(NamedTuple):
    """A relation that has modifiers: its ends as bits, and for each modifier its name and the bit of its object."""

    name: str
    subject: int
    target: int
    mods: tuple[tuple[str, int], ...]


@dataclass
class SceneMasks:
    """One scene."""

    scene: Scene
    everything: int = 0
    names: dict[str, int] = field(default_factory=dict)
    attributes: dict[str, int] = field(default_factory=dict)
    relations: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Pairs of a subject and its targets, both as bits."""
    modified: list[ModifiedRelation] = field(default_factory=list)

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
                target = 1 << places[relation.object]
                targets[relation.name] = targets.get(relation.name, 0) | target
                if relation.mods:
                    mods = tuple((mod.name, 1 << places[mod.object]) for mod in relation.mods)
                    masks.modified.append(ModifiedRelation(relation.name, bit, target, mods))
            for name, mask in targets.items():
                masks.relations.setdefault(name, []).append((bit, mask))
        return masks

    def named(self, name: str) -> int:
        """The objects of a name."""
        return self.names.get(name, 0)

    def having(self, attribute: str) -> int:
        """The objects that have an attribute."""
        return self.attributes.get(attribute, 0)

    def fits_relation(self, asked: str, seen: str) -> bool:
        """Whether a relation or modifier of one name is asked for by another."""
        return asked == seen

    def related(self, relation: str) -> Sequence[tuple[int, int]]:
        """The subjects of a relation, each with its targets; of `pulling:_with`, with what the modifier leads to."""
        verb, mark, modifier = relation.partition(MODIFIER_MARK)
        if mark:
            return [(each.subject, self.reached(each, modifier)) for each in self.modified_by(verb)]
        return self.relations.get(relation, ())

    def modified_by(self, verb: str) -> list[ModifiedRelation]:
        """The relations of a name that have modifiers."""
        return [each for each in self.modified if self.fits_relation(verb, each.name)]

    def reached(self, relation: ModifiedRelation, modifier: str) -> int:
        """What a modifier of a relation leads to."""
        mask = 0
        for name, target in relation.mods:
            if self.fits_relation(modifier, name):
                mask |= target
        return mask

    def subjects(self, among: int, relation: str, targets: int) -> int:
        """Those among some that have a relation to any of the targets."""
        return subjects_of(self.related(relation), among, targets)

    def between(self, subjects: int, targets: int) -> list[str]:
        """The names of the relations from some objects to others, those to what a modifier leads to left out."""
        return [
            name
            for name, pairs in self.relations.items()
            if any(subject & subjects and reached & targets for subject, reached in pairs)
        ]

    def ids(self, mask: int) -> tuple[str, ...]:
        """The ids of some objects, in the order of the scene."""
        return tuple(each.id for place, each in enumerate(self.scene.objects) if mask >> place & 1)


def subjects_of(pairs: Sequence[tuple[int, int]], among: int, targets: int) -> int:
    """The subjects of some pairs that are among some objects and have any of the targets."""
    kept = 0
    for subject, reached in pairs:
        if subject & among and reached & targets:
            kept |= subject
    return kept


def targets_of(pairs: Sequence[tuple[int, int]], subjects: int, among: int) -> int:
    """The targets of some pairs, among some objects, whose subject is one of some."""
    kept = 0
    for subject, reached in pairs:
        if subject & subjects:
            kept |= reached
    return kept & among
