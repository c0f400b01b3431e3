"""The leaves of a sub-graph that a question can ask about: a relation, a modifier, or both of two relations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from recombine.scenes.questions.phrases import Objects, Reached
from recombine.scenes.subgraphs.instances import MODIFIER_MARK

if TYPE_CHECKING:
    from recombine.scenes.subgraph import Subgraph, SubRelation
    from recombine.scenes.subgraphs.words import Words


class Placed(NamedTuple):
    """An object of a sub-graph with the relation that leads to it, and the modifier where it is one's."""

    relation: str
    modifier: str
    graph: Subgraph


def placed_objects(graph: Subgraph) -> list[Placed]:
    """The objects of a sub-graph as kinds of distractors number them: the root is 0."""
    return [Placed("", "", graph), *_below(graph)]


def _below(graph: Subgraph) -> list[Placed]:
    placed = []
    for relation in graph.relations:
        placed += [Placed(relation.name, "", relation.child), *_below(relation.child)]
        for mod in relation.mods:
            placed += [Placed(relation.name, mod.name, mod.child), *_below(mod.child)]
    return placed


@dataclass(frozen=True)
class Leaf:
    """What is left out of a sub-graph, and the subject that it was said of."""

    kind: str
    """`relation`, `modified relation`, `both` or `modifier`."""
    numbers: tuple[int, ...]
    """The numbers of the objects that are left out."""
    subject: Objects | Reached
    relations: tuple[SubRelation, ...]
    """What is left out."""
    relation: str = ""
    """The relation as programs name it."""
    said: str = ""
    """The relation as it is said before its object."""
    target: Subgraph | None = None

    @property
    def subject_graph(self) -> Subgraph:
        """The sub-graph that holds where there is such a subject."""
        if isinstance(self.subject, Objects):
            return self.subject.graph
        return replace(self.subject.subject, relations=(self.subject.relation,))


def leaves_of(graph: Subgraph, words: Words) -> list[Leaf]:
    """All leaves of a sub-graph; relations to what has relations itself are none."""
    leaves = []
    number = 1
    for place, relation in enumerate(graph.relations):
        others = graph.relations[:place] + graph.relations[place + 1 :]
        if not relation.child.relations:
            rest = Objects(replace(graph, relations=others), words)
            leaves.append(_leaf(relation, number, rest))
        elif len(graph.relations) == 1 and not relation.mods:
            leaves += _leaves_of_chain(graph, relation, words)
        number += 1 + len(_below(relation.child))
        for at, mod in enumerate(relation.mods):
            without = relation._replace(mods=relation.mods[:at] + relation.mods[at + 1 :])
            kept = (*graph.relations[:place], without, *graph.relations[place + 1 :])
            if not mod.child.relations:
                said = f"{relation.name} {words.pronoun(relation.child.name)} {mod.name}"
                name = relation.name + MODIFIER_MARK + mod.name
                rest = Objects(replace(graph, relations=kept), words)
                leaves.append(Leaf("modifier", (number,), rest, (), name, said, mod.child))
            number += 1 + len(_below(mod.child))
    if len(graph.relations) == 2 and not any(each.child.relations for each in graph.relations):
        numbers = tuple(range(1, len(placed_objects(graph))))
        leaves.append(Leaf("both", numbers, Objects(replace(graph, relations=()), words), graph.relations))
    return leaves


def _leaf(relation: SubRelation, number: int, subject: Objects | Reached) -> Leaf:
    kind = "modified relation" if relation.mods else "relation"
    numbers = (number, *range(number + 1, number + 1 + len(relation.mods)))
    return Leaf(kind, numbers, subject, (relation,), relation.name, relation.name, relation.child)


def _leaves_of_chain(graph: Subgraph, relation: SubRelation, words: Words) -> list[Leaf]:
    """The leaves of the object that the one relation of the root leads to; it is referred to by that relation."""
    middle, leaves, number = relation.child, [], 2
    for place, each in enumerate(middle.relations):
        if not each.child.relations:
            kept = replace(middle, relations=middle.relations[:place] + middle.relations[place + 1 :])
            subject = Reached(replace(graph, relations=()), relation._replace(child=kept), words)
            leaves.append(_leaf(each, number, subject))
        number += 1 + len(_below(each.child)) + sum(1 + len(_below(mod.child)) for mod in each.mods)
    return leaves
