"""A template filled with a sub-graph: its slots, and how many objects each of them refers to in an image."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from recombine.scenes.programs.subgraph_program import with_relations
from recombine.scenes.questions.leaves import placed_objects
from recombine.scenes.questions.phrases import Condition, Objects, Phrase, Word
from recombine.scenes.subgraphs.instances import MODIFIER_MARK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.scenes.programs.execute import Executor
    from recombine.scenes.questions.leaves import Leaf
    from recombine.scenes.questions.related_to import RelatedTo
    from recombine.scenes.related.exclusion import Exclusion
    from recombine.scenes.subgraph import Subgraph
    from recombine.scenes.subgraphs.words import Words
    from recombine.scenes.templates.template import Bound, Option, Template


class Masks(Protocol):
    """Objects as bits, by the places of scenes."""

    def __getitem__(self, place: int, /) -> int: ...


class Fails:
    """The objects of a subject of which a condition does not hold, by the places of scenes."""

    def __init__(self, subject: Masks, meets: Masks) -> None:
        self._subject, self._meets = subject, meets

    def __getitem__(self, place: int, /) -> int:
        return self._subject[place] & ~self._meets[place]


class RelationNames:
    """As many bits as there are names of relations between the objects of two slots, `with` left out."""

    def __init__(self, executor: Executor, subject: Masks, target: Masks) -> None:
        self._executor, self._subject, self._target = executor, subject, target

    def __getitem__(self, place: int, /) -> int:
        names = self._executor.masks(place).between(self._subject[place], self._target[place])
        return (1 << sum(name != "with" for name in names)) - 1


@dataclass
class Filling:
    """The slots of one question while it is made."""

    template: Template
    option: Option
    about: RelatedTo
    leaf: Leaf | None
    executor: Executor
    widely: Executor
    """Executes in the wide sense."""
    slots: dict[str, Phrase]
    counted: dict[str, Masks] = field(default_factory=dict)
    graphs: dict[str, Subgraph] = field(default_factory=dict)
    """The sub-graphs that hold where a slot refers to something."""
    counted_widely: dict[str, Masks] = field(default_factory=dict)
    other_kind: str = ""
    other_place: int = -1

    def fits(self, place: int, where: Sequence[Bound]) -> bool:
        """Whether an image has as many objects of each slot as it may have."""
        counted = self.counted
        return all(low <= counted[slot][place].bit_count() <= high for slot, low, high in where)

    def add(self, slot: str, phrase: Phrase, graph: Subgraph) -> None:
        """Fill a slot that refers to objects, which can be counted in images."""
        self.slots[slot], self.graphs[slot] = phrase, graph
        self.counted[slot] = self.executor.in_scenes(phrase.program)
        self.counted_widely[slot] = self.widely.in_scenes(phrase.program)

    def in_doubt(self, place: int) -> bool:
        """Whether slots refer to more objects of an image where names stand for all that does not exclude them."""
        counted = self.counted
        return any(counted[slot][place] != widely[place] for slot, widely in self.counted_widely.items())

    def add_other(self, graph: Subgraph, words: Words, place: int, kind: str) -> None:
        """Fill the slots that a picked image gives."""
        self.other_place, self.other_kind = place, kind
        self.add("OTHER", Objects(graph, words), graph)
        if "NOATTR" in self.slots and graph.attribute is not None:
            bare = _without_attribute(graph)
            self.add("OTHER-NOATTR", Objects(bare, words), bare)
            self.slots["OTHER-ATTR"] = Word(graph.attribute, words)
        if self.leaf is not None and len(self.leaf.numbers) == 1:
            at = placed_objects(graph)[self.leaf.numbers[0]]
            self.slots["DECOY"] = Word(at.graph.name, words)
            self.slots["DECOYREL"] = Word(at.relation, words)


def fill(
    template: Template,
    option: Option,
    about: RelatedTo,
    leaf: Leaf | None,
    *,
    executor: Executor,
    widely: Executor,
    words: Words,
) -> Filling:
    """The slots that the sub-graph itself gives."""
    graph = about.graph
    filling = Filling(template, option, about, leaf, executor, widely, {})
    filling.add("G", about.phrase, graph)
    if graph.attribute is not None and template.needs & {"attribute", "typed attribute"}:
        _fill_attribute(filling, graph, graph.attribute, words)
    if leaf is not None:
        _fill_leaf(filling, leaf, words)
    return filling


def _fill_attribute(filling: Filling, graph: Subgraph, attribute: str, words: Words) -> None:
    rest = Objects(_without_attribute(graph), words)
    filling.add("NOATTR", rest, rest.graph)
    slots = filling.slots
    slots["ATTR"] = Word(attribute, words)
    slots["CONDITION"] = Condition((), attribute, rest.is_many("many"), words)
    kind = filling.executor.attribute_types.get(attribute)
    if kind is not None:
        slots["TYPE"] = Word(kind, words)
    filling.counted["FAILS"] = Fails(filling.counted["NOATTR"], filling.counted["G"])


def _fill_leaf(filling: Filling, leaf: Leaf, words: Words) -> None:
    slots = filling.slots
    filling.add("SUBJECT", leaf.subject, leaf.subject_graph)
    if leaf.relations:
        slots["CONDITION"] = Condition(leaf.relations, None, leaf.subject.is_many("many"), words)
        meets = with_relations(leaf.subject.program, leaf.relations)
        filling.counted["MEETS"] = filling.executor.in_scenes(meets)
        filling.counted["FAILS"] = Fails(filling.counted["SUBJECT"], filling.counted["MEETS"])
    if leaf.target is not None:
        slots["REL"] = Word(leaf.relation, words, leaf.said)
        target = Objects(leaf.target, words)
        slots["OBJ"], slots["OBJ-NAME"] = target, Word(leaf.target.name, words)
        reached = filling.executor.in_scenes(target.program)
        filling.counted["RELATIONS"] = RelationNames(filling.executor, filling.counted["SUBJECT"], reached)


def _without_attribute(graph: Subgraph) -> Subgraph:
    return type(graph)(graph.name, None, graph.relations)


def leaves_for(template: Template, about: RelatedTo, words: Words) -> Sequence[Leaf | None]:
    """The leaves that a template can ask about, or none where it asks about none."""
    if not template.leaf:
        return (None,)
    named = any("REL" in option.program.slots or "OBJ" in option.program.slots for option in template.options)
    kept = []
    for leaf in about.leaves:
        if leaf.kind not in template.leaf or leaf.relation in template.not_relation:
            continue
        # "Is the man has a hat or a cap" is no English, and two equal relations refer to no one object
        if named and (leaf.relation in words.finite or _twice(about, leaf)):
            continue
        kept.append(leaf)
    return kept


def _twice(about: RelatedTo, leaf: Leaf) -> bool:
    verb = leaf.relation.partition(MODIFIER_MARK)[0]
    return sum(each.relation == verb and not each.modifier for each in about.objects) > 1


def meets_needs(template: Template, graph: Subgraph, attribute_types: Mapping[str, str], words: Words) -> bool:
    """Whether a sub-graph is what a template needs."""
    needs = template.needs
    if graph.name in template.not_root or ("relation" in needs and not graph.relations):
        return False
    if needs & {"attribute", "typed attribute"}:
        if graph.attribute is None:
            return False
        kind = attribute_types.get(graph.attribute)
        if "typed attribute" in needs and kind is None:
            return False
        if graph.name in template.not_of_type.get(kind or "", ()):
            return False
    if "countable" in needs and not words.is_countable(graph.name):
        return False
    return "bare objects" not in needs or all(placed.graph.attribute is None for placed in placed_objects(graph)[1:])


def excludes_both_ways(exclusion: Exclusion, asked: str, decoy: str) -> bool:
    """Whether neither of two relations is to be said where the other is."""
    return exclusion.relation(asked, decoy) and exclusion.relation(decoy, asked)
