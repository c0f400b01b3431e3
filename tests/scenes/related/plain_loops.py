"""Related images found by plain loops over scenes, without an index: what the tests compare with.

A sub-graph is its JSON here. `walks` gives all ways to lay its shape over a scene, each as the names met on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from recombine.scenes.related.exclusion import Exclusion
from recombine.scenes.scene import Scene, SceneObject

Json = list[Any]
Walk = tuple[tuple[str, str], ...]
"""Pairs of a label of a node, such as `root_name`, and the name that stands there."""


def walks(graph: Json, scene: Scene) -> Iterator[Walk]:
    """All ways to lay the shape of a sub-graph over a scene."""
    for each in scene.objects:
        yield from _walks_from(graph, each, scene, [0])


def _walks_from(graph: Json, each: SceneObject, scene: Scene, at: list[int]) -> Iterator[Walk]:
    """The walks from one object; `at` holds the number of the node's object."""
    number = at[0]
    label = "root" if number == 0 else str(number)
    attributes = [()] if graph[1] is None else [((f"{label}_attr", name),) for name in each.attributes]
    after = number + 1
    parts: list[list[Walk]] = []
    for _, child, mods in graph[2]:
        first = after
        ways: list[Walk] = []
        for relation in each.relations:
            after = first
            ends = [list(_walks_from(child, scene.by_id[relation.object], scene, [after]))]
            after += _objects(child)
            for _, mod_child in mods:
                reached: list[Walk] = []
                for mod in relation.mods:
                    for way in _walks_from(mod_child, scene.by_id[mod.object], scene, [after]):
                        reached.append(((f"{after}_mod", mod.name), *way))
                ends.append(reached)
                after += _objects(mod_child)
            for choice in product(*ends):
                ways.append(((f"{first}_rel", relation.name), *(pair for way in choice for pair in way)))
        after = first + _objects(child) + sum(_objects(mod_child) for _, mod_child in mods)
        parts.append(ways)
    for attribute in attributes:
        for choice in product(*parts):
            yield ((f"{label}_name", each.name), *attribute, *(pair for way in choice for pair in way))


def _objects(graph: Json) -> int:
    return 1 + sum(_objects(child) + sum(_objects(mod) for _, mod in mods) for _, child, mods in graph[2])


def own_walk(graph: Json) -> Walk:
    """The names of the sub-graph itself, with their labels."""

    def go(part: Json, number: int) -> tuple[list[tuple[str, str]], int]:
        label = "root" if number == 0 else str(number)
        said = [(f"{label}_name", part[0])] + ([(f"{label}_attr", part[1])] if part[1] is not None else [])
        after = number + 1
        for relation, child, mods in part[2]:
            said.append((f"{after}_rel", relation))
            below, after = go(child, after)
            said += below
            for mod, mod_child in mods:
                said.append((f"{after}_mod", mod))
                below, after = go(mod_child, after)
                said += below
        return said, after

    return tuple(go(graph, 0)[0])


def put_in(graph: Json, names: dict[str, str], number: int = 0) -> Json:
    """The sub-graph with other names."""

    def go(part: Json, number: int) -> tuple[Json, int]:
        label = "root" if number == 0 else str(number)
        relations = []
        after = number + 1
        for _, child, mods in part[2]:
            relation = names[f"{after}_rel"]
            below, after = go(child, after)
            said = []
            for _, mod_child in mods:
                mod = names[f"{after}_mod"]
                mod_below, after = go(mod_child, after)
                said.append([mod, mod_below])
            relations.append([relation, below, said])
        return [names[f"{label}_name"], None if part[1] is None else names[f"{label}_attr"], relations], after

    return go(graph, number)[0]


def unordered(graph: Json) -> Any:
    """The sub-graph with no order of relations and modifiers."""
    return (
        graph[0],
        graph[1],
        frozenset(
            (relation, unordered(child), frozenset((mod, unordered(below)) for mod, below in mods))
            for relation, child, mods in graph[2]
        ),
    )


def distinct_nouns(walk: Walk) -> bool:
    """Whether no object name occurs twice."""
    nouns = [name for label, name in walk if label.endswith("_name")]
    return len(set(nouns)) == len(nouns)


def excludes(exclusion: Exclusion, label: str, asked: str, seen: str) -> bool:
    """Whether a name that is seen at a node excludes the one asked for."""
    if asked == seen:
        return False
    if label.endswith("_name"):
        return exclusion.noun(asked, seen)
    return exclusion.attribute(asked, seen) if label.endswith("_attr") else exclusion.relation(asked, seen)


def is_relaxed(graph: Json, laid: list[Walk], exclusion: Exclusion) -> bool:
    """Whether a scene, of which all walks are given, holds the sub-graph by names that do not exclude its own."""
    own = own_walk(graph)
    return any(
        not any(excludes(exclusion, label, asked, seen) for (label, asked), (_, seen) in zip(own, walk, strict=True))
        for walk in laid
    )


def kinds_by_scene(
    graph: Json, scenes: list[Scene], all_walks: list[list[Walk]], exclusion: Exclusion
) -> dict[str, set[tuple[int, Any]]]:
    """The distractors of a sub-graph: for each kind, the scenes and their sub-graphs."""
    own = own_walk(graph)
    asked = dict(own)
    allowed = _allowed_kinds(graph, list(asked))
    kinds: dict[str, set[tuple[int, Any]]] = {}
    for place, walked in enumerate(all_walks):
        if is_relaxed(graph, walked, exclusion):
            continue
        least: dict[Any, int] = {}
        laid: list[tuple[Any, list[str], dict[str, str]]] = []
        for walk in walked:
            if not distinct_nouns(walk):
                continue
            seen = dict(walk)
            differing = [label for label, name in own if seen[label] != name]
            shape = unordered(put_in(graph, seen))
            least[shape] = min(least.get(shape, 99), len(differing))
            laid.append((shape, differing, seen))
        for shape, differing, seen in laid:
            kind = "+".join(differing)
            if least[shape] != len(differing) or kind not in allowed:
                continue
            if all(excludes(exclusion, label, asked[label], seen[label]) for label in differing) and _plausible(
                graph, differing, asked, seen, scenes
            ):
                kinds.setdefault(kind, set()).add((place, shape))
    return kinds


def _parents(graph: Json) -> dict[int, tuple[int, str | None]]:
    """For each object but the root: the object above it, and the label of the modifier that leads to it, if any."""
    parents: dict[int, tuple[int, str | None]] = {}

    def go(part: Json, number: int) -> int:
        after = number + 1
        for _, child, mods in part[2]:
            parents[after] = (number, None)
            after = go(child, after)
            for _, below in mods:
                parents[after] = (number, f"{after}_mod")
                after = go(below, after)
        return after

    go(graph, 0)
    return parents


def _allowed_kinds(graph: Json, labels: list[str]) -> set[str]:
    changed = [label for label in labels if not label.endswith("_mod")]
    parents = _parents(graph)
    inner = {above for above, _ in parents.values()}
    leaves = [str(number) for number in parents if number not in inner]
    allowed = set(changed)
    for first in changed:
        for second in changed[changed.index(first) + 1 :]:
            pair = {first, second}
            names = first.endswith("_name") and second.endswith("_name")
            leaf_object = names and any(f"{leaf}_name" in pair for leaf in leaves)
            leaf_relation = "root_name" in pair and any(f"{leaf}_rel" in pair for leaf in leaves)
            if "root_attr" in pair or leaf_object or leaf_relation:
                allowed.add(f"{first}+{second}")
    return allowed


def _plausible(
    graph: Json, differing: list[str], asked: dict[str, str], seen: dict[str, str], scenes: list[Scene]
) -> bool:
    """Whether a new leaf, or relation to a leaf, is seen somewhere with the names of the sub-graph."""
    if len(differing) < 2 or "root_attr" in differing:
        return True
    parents = _parents(graph)
    inner = {above for above, _ in parents.values()}
    verdicts = []
    for label in differing:
        number, _, what = label.partition("_")
        if number == "root" or int(number) in inner:
            continue
        above, mod_label = parents[int(number)]
        subject = asked["root_name" if above == 0 else f"{above}_name"]
        relation_label = f"{number}_rel"
        if mod_label is not None:
            # the relation that the modifier is on is that of the child before it
            relation_label = next(
                f"{other}_rel"
                for other in range(int(number) - 1, 0, -1)
                if parents[other][0] == above and parents[other][1] is None
            )
        relation, modifier = asked[relation_label], None if mod_label is None else asked[mod_label]
        if what == "name":
            verdicts.append(_seen(scenes, subject, relation, modifier, seen[label]))
        elif what == "rel":
            verdicts.append(_seen(scenes, subject, seen[label], None, asked[f"{number}_name"]))
    return any(verdicts)


def _seen(scenes: list[Scene], subject: str, relation: str, modifier: str | None, target: str) -> bool:
    for scene in scenes:
        for each in scene.objects:
            if each.name != subject:
                continue
            for edge in each.relations:
                if edge.name != relation:
                    continue
                ends = [edge.object] if modifier is None else [mod.object for mod in edge.mods if mod.name == modifier]
                if any(scene.by_id[end].name == target for end in ends):
                    return True
    return False
