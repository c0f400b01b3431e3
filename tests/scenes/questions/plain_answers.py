"""Answers and changes worked out another way: programs read by hand, objects as pairs of ids, and every embedding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from recombine.scenes.scene import Relation, Scene, SceneObject
from recombine.scenes.subgraph import Subgraph, SubRelation


def answer(text: str, scenes: Sequence[Scene], types: Mapping[str, str]) -> Any:
    """The answer to a program, or none where it has none."""
    tokens = re.findall(r"[(),]|[^(),]+", text)
    call, rest = _read([token.strip() for token in tokens if token.strip()])
    assert not rest
    try:
        value = _value(call, scenes, types)
    except LookupError:
        return None
    return None if type(value) is int and value > 5 else value


def _read(tokens: list[str]) -> tuple[Any, list[str]]:
    name, *rest = tokens
    if not rest or rest[0] != "(":
        return name, rest
    arguments, rest = [], rest[1:]
    while rest[0] != ")":
        if rest[0] == ",":
            rest = rest[1:]
        argument, rest = _read(rest)
        arguments.append(argument)
    return (name, *arguments), rest[1:]


Asked = tuple[str, list[tuple[str, set[Any]]]]
"""A relation that is asked for: its verb, and its ends, that of the verb itself under no name."""


def _asked(call: Any, scenes: Sequence[Scene], types: Mapping[str, str]) -> list[Asked]:
    """The relations by which a call keeps its objects, the innermost first, each with its modifiers."""
    if call[0] in ("filter", "assert_unique"):
        return _asked(call[-1], scenes, types)
    if call[0] != "with_relation":
        return []
    _, subjects, relation, targets = call
    asked, (verb, _, preposition) = _asked(subjects, scenes, types), relation.partition(":_")
    end = (preposition, _value(targets, scenes, types))
    before = [each for each in asked if each[0] == verb]
    if preposition and before:
        before[-1][1].append(end)
    else:
        asked.append((verb, [end]))
    return asked


def _ends(relation: Relation, preposition: str) -> set[str]:
    return {mod.object for mod in relation.mods if mod.name == preposition} if preposition else {relation.object}


def _kept(scene: Scene, place: int, subject: str, asked: Asked) -> list[Relation]:
    """The relations of a subject that are as asked in all their ends."""
    verb, ends = asked
    return [
        each
        for each in scene.by_id[subject].relations
        if each.name == verb and all({(place, end) for end in _ends(each, name)} & some for name, some in ends)
    ]


def _reached(call: Any, scenes: Sequence[Scene], types: Mapping[str, str]) -> set[Any]:
    """What subjects have a relation to; a modifier is one of the relation that the subject was last kept by."""
    _, subjects, relation, _ = call
    verb, _, preposition = relation.partition(":_")
    before = [each for each in _asked(subjects, scenes, types) if each[0] == verb]
    asked: Asked = before[-1] if preposition and before else (verb, [])
    return {
        (place, end)
        for place, subject in _value(subjects, scenes, types)
        for edge in _kept(scenes[place], place, subject, asked)
        for end in _ends(edge, preposition)
    }


def _one(some: set[Any]) -> Any:
    if len(some) != 1:
        raise LookupError
    return next(iter(some))


def _value(call: Any, scenes: Sequence[Scene], types: Mapping[str, str]) -> Any:
    if isinstance(call, str):
        return int(call) if call.isdigit() else call
    operator, index = re.fullmatch(r"(\w+)(?: \[ (.*) \])?", call[0]).groups()  # type: ignore[union-attr]
    if operator in ("find", "filter", "with_relation", "with_relation_object", "choose_attr", "choose_name"):
        names = {"find": (1,), "filter": (1,), "choose_attr": (1, 2), "choose_name": (1, 2)}.get(operator, (2,))
    else:
        names = {"choose_rel": (1, 2), "verify_attr": (1,)}.get(operator, ())
    a: list[Any] = [each if at in names else _value(each, scenes, types) for at, each in enumerate(call) if at]

    def look(one: tuple[int, str]) -> SceneObject:
        return scenes[one[0]].by_id[one[1]]

    def typed(one: tuple[int, str]) -> str:
        return str(_one({each for each in look(one).attributes if types.get(each) == index}))

    def related(subjects: set[Any], relation: str, targets: set[Any]) -> bool:
        pairs = product(subjects, targets)
        return any(s[0] == t[0] and _kept(scenes[s[0]], s[0], s[1], (relation, [("", {t})])) for s, t in pairs)

    def chosen(held: list[bool]) -> str:
        return str(a[_one({at for at, each in enumerate(held) if each})])

    everything = {(at, each.id) for at, scene in enumerate(scenes) for each in scene.objects}
    if operator in ("all", "some", "none", "all_same") and not a[0]:
        raise LookupError
    groups = (
        {at: {one for one in a[0] if one[0] == at} for at in range(len(scenes))} if operator.startswith("group") else {}
    )
    by_operator: dict[str, Callable[[], Any]] = {
        "scene": lambda: everything,
        "find": lambda: {one for one in everything if look(one).name == a[0]},
        "filter": lambda: {one for one in a[1] if a[0] in look(one).attributes},
        "with_relation": lambda: {
            one
            for one in a[0]
            if all(_kept(scenes[one[0]], one[0], one[1], each) for each in _asked(call, scenes, types))
        },
        "with_relation_object": lambda: a[2] & _reached(call, scenes, types),
        "exists": lambda: len(a[0]) > 0,
        "count": lambda: len(a[0]),
        "unique": lambda: _one(a[0]),
        "assert_unique": lambda: {_one(a[0])},
        "unique_images": lambda: {one[0] for one in a[0]},
        "group_by_images": lambda: groups,
        "keep_eq": lambda: {at: each for at, each in a[0].items() if len(each) == a[1]},
        "keep_geq": lambda: {at: each for at, each in a[0].items() if len(each) >= a[1]},
        "keep_leq": lambda: {at: each for at, each in a[0].items() if len(each) <= a[1]},
        "eq": lambda: a[0] == a[1],
        "gt": lambda: a[0] > a[1],
        "lt": lambda: a[0] < a[1],
        "geq": lambda: a[0] >= a[1],
        "leq": lambda: a[0] <= a[1],
        "and": lambda: a[0] and a[1],
        "or": lambda: a[0] or a[1],
        "all": lambda: a[0] <= a[1],
        "some": lambda: bool(a[0] & a[1]),
        "none": lambda: not a[0] & a[1],
        "all_same": lambda: len({typed(one) for one in a[0]}) == 1,
        "query_attr": lambda: typed(a[0]),
        "query_name": lambda: look(a[0]).name,
        "verify_attr": lambda: a[0] in look(a[1]).attributes,
        "choose_attr": lambda: chosen([each in look(a[2]).attributes for each in a[:2]]),
        "choose_name": lambda: chosen([each == look(a[2]).name for each in a[:2]]),
        "choose_rel": lambda: chosen([related({a[2]}, each, a[3]) for each in a[:2]]),
    }
    return by_operator[operator]()


def changes(scene: Scene, graph: Subgraph) -> set[frozenset[str]]:
    """For every way to lay a sub-graph over a scene, the nodes that differ."""
    return {frozenset(each) for root in scene.objects for each, _ in _laid(scene, root, graph, 0)}


def _laid(scene: Scene, each: SceneObject, graph: Subgraph, number: int) -> Iterator[tuple[list[str], int]]:
    """The nodes that differ, and the number after those of the sub-graph, for every way from an object down."""
    said = str(number) if number else "root"
    own = [f"{said}_name"] if each.name != graph.name else []
    attributes = [None] if graph.attribute is None else each.attributes
    for attribute in attributes:
        differs = [f"{said}_attr"] if attribute != graph.attribute else []
        for below, after in _relations(scene, each, graph.relations, number + 1):
            yield own + differs + below, after


def _relations(
    scene: Scene, each: SceneObject, relations: tuple[SubRelation, ...], number: int
) -> Iterator[tuple[list[str], int]]:
    if not relations:
        yield [], number
        return
    first, *others = relations
    for edge in each.relations:
        own = [f"{number}_rel"] if edge.name != first.name else []
        for below, after in _laid(scene, scene.by_id[edge.object], first.child, number):
            for mods, then in _modifiers(scene, edge, first, after):
                for rest, last in _relations(scene, each, tuple(others), then):
                    yield own + below + mods + rest, last


def _modifiers(scene: Scene, edge: Relation, asked: SubRelation, number: int) -> Iterator[tuple[list[str], int]]:
    if not asked.mods:
        yield [], number
        return
    first, *others = asked.mods
    for mod in edge.mods:
        if mod.name == first.name:
            for below, after in _laid(scene, scene.by_id[mod.object], first.child, number):
                for rest, last in _modifiers(scene, edge, asked._replace(mods=tuple(others)), after):
                    yield below + rest, last
