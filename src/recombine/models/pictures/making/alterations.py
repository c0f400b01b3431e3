"""Sub-graphs altered in one or two nodes, so that a scene does not hold them: distractors in words (COVR, 2.2).

A new name is one that is seen in the place of the old one somewhere, and that excludes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.scenes.related.kinds import kinds_of
from recombine.scenes.subgraphs.shape import Flat, NodeType, nodes_of, objects_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

    from recombine.scenes.related.exclusion import Exclusion
    from recombine.scenes.scene import Scene
    from recombine.scenes.subgraphs.shape import Shape


class Alterations:
    """Changes nodes of sub-graphs by what is seen in some scenes."""

    def __init__(self, scenes: Iterable[Scene], exclusion: Exclusion) -> None:
        self._exclusion = exclusion
        self._seen: dict[tuple[str, ...], list[str]] = {}
        self._choices: dict[tuple[str, ...], list[str]] = {}
        seen: dict[tuple[str, ...], set[str]] = {}
        for scene in scenes:
            for each in scene.objects:
                _note(seen, ("noun",), each.name)
                for attribute in each.attributes:
                    _note(seen, ("attribute", each.name), attribute)
                    _note(seen, ("attribute",), attribute)
                for relation in each.relations:
                    target = scene.by_id[relation.object].name
                    _note(seen, ("noun", each.name, relation.name), target)
                    _note(seen, ("subject", relation.name), each.name)
                    _note(seen, ("relation", each.name, target), relation.name)
                    _note(seen, ("relation", each.name), relation.name)
                    _note(seen, ("relation",), relation.name)
                    for mod in relation.mods:
                        _note(seen, ("noun", each.name, relation.name, mod.name), scene.by_id[mod.object].name)
        self._seen = {key: sorted(names) for key, names in seen.items()}

    def altered(self, flat: Flat, draws: np.random.Generator) -> Flat | None:
        """The sub-graph with one node changed, or two; none where there is no other name, or one is there twice."""
        kinds = kinds_of(flat.shape)
        wanted = 1 + int(draws.integers(2))
        some = [kind for kind in kinds if len(kind.places) == wanted] or list(kinds)
        kind = some[int(draws.integers(len(some)))]
        names = list(flat.names)
        for place in kind.places:
            choices = self._names_for(flat.shape, names, place)
            if not choices:
                return None
            names[place] = choices[int(draws.integers(len(choices)))]
        nouns = [names[each.name] for each in objects_of(flat.shape)]
        return Flat(flat.shape, tuple(names)) if len(set(nouns)) == len(nouns) else None

    def _names_for(self, shape: Shape, names: list[str], place: int) -> list[str]:
        """Names that may stand at a place: those seen there with the rest, where there are none any of the type."""
        node = nodes_of(shape)[place]
        objects = objects_of(shape)
        each = objects[node.object]
        keys: list[tuple[str, ...]] = []
        if node.type is NodeType.ATTRIBUTE:
            keys = [("attribute", names[each.name])]
        elif node.type is NodeType.RELATION:
            subject = names[objects[each.parent].name]
            keys = [("relation", subject, names[each.name]), ("relation", subject)]
        elif each.parent >= 0:
            modifier = (names[each.modifier],) if each.modifier >= 0 else ()
            keys = [("noun", names[objects[each.parent].name], names[each.relation], *modifier)]
        elif len(objects) > 1:
            keys = [("subject", names[objects[1].relation])]
        for key in (*keys, (str(node.type),)):
            choices = self._others(key, str(node.type), names[place])
            if choices:
                return choices
        return []

    def _others(self, key: tuple[str, ...], kind: str, name: str) -> list[str]:
        """The names under a key that exclude a name."""
        known = self._choices.get((*key, "\0", name))
        if known is None:
            excludes = getattr(self._exclusion, kind)
            known = [each for each in self._seen.get(key, ()) if each != name and excludes(name, each)]
            self._choices[(*key, "\0", name)] = known
        return known


def _note(seen: dict[tuple[str, ...], set[str]], key: tuple[str, ...], name: str) -> None:
    seen.setdefault(key, set()).add(name)
