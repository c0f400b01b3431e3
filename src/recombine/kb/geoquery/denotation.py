"""What a FunQL program answers over GeoQuery's facts: its denotation, a set of entities and numbers.

Programs may be in the original form, with entities, or in the rewritten one of `languages/funql_rewrite.py`, with
placeholders and the entity of each. Both are run as they are: neither is turned into the other.

Every part of a program stands for a set. `state` (or `state(all)`) is all states, `state(X)` those in X; a relation
gives all that any member of its argument is related to: `loc_1(X)` is what members of X lie in, `loc_2(X)` what lies in
them. `largest` and the like keep the members of greatest size, all of them where several tie, and leave out those that
nothing measures. `most(K, R, X)` keeps the members of K that are in R of the most single members of X, `fewest` those
in the fewest but in one at least, as in GeoQuery's Prolog programs. `sum` of a measure counts every member, so that two
states of one population count twice. An entity that no fact names is the empty set. `geography.py` says what is what.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.kb.geoquery.geography import Entity
from recombine.languages.brackets import tokens
from recombine.languages.funql import parse_funql

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recombine.kb.geoquery.geography import Geography
    from recombine.kb.geoquery.prolog_facts import Number
    from recombine.tree import Tree

    Value = Entity | Number
    Denotation = frozenset[Value]

NAME = "FunQL"
ENTITIES = {"cityid": "city", "countryid": "country", "placeid": "place", "riverid": "river", "stateid": "state"}
SUPERLATIVES: dict[str, tuple[str, Callable[..., Number]]] = {
    "highest": ("elevation_1", max),
    "largest": ("size", max),
    "longest": ("len", max),
    "lowest": ("elevation_1", min),
    "shortest": ("len", min),
    "smallest": ("size", min),
}
ONE: dict[str, Callable[..., Number]] = {"largest_one": max, "smallest_one": min}
COUNTED: dict[str, Callable[..., Number]] = {"fewest": min, "most": max}
# Whether members are above or below some member of the argument: what X is higher than is lower than X.
COMPARISONS = {
    "higher_1": ("elevation_1", False),
    "higher_2": ("elevation_1", True),
    "longer": ("len", True),
    "lower_1": ("elevation_1", True),
    "lower_2": ("elevation_1", False),
}
_PLACEHOLDER = re.compile(r"m[0-9]+")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_QUOTED = re.compile(r"'([^']+)'")


def denotation(program: str, world: Geography, entities: Mapping[str, str] | None = None) -> Denotation:
    """The answer of a program; `entities` gives the entity of every placeholder, such as `stateid('texas')`.

    A program that cannot be read or run is a `ProgramError`.

    >>> from recombine.kb.geoquery.geobase import parse_geobase
    >>> from recombine.kb.geoquery.geography import Geography
    >>> facts = "state(ohio, oh, columbus, 10800000, 41300, 17, a, b, c, d). city(ohio, oh, columbus, 564871)."
    >>> world = Geography.of(parse_geobase(facts))
    >>> [str(city) for city in denotation("answer(capital(loc_2(stateid('ohio'))))", world)]
    ["cityid('columbus', 'oh')"]
    >>> denotation("answer ( population_1 ( intersection ( city , loc_2 ( m0 ) ) ) )", world, {"m0": "stateid('ohio')"})
    frozenset({564871})
    """
    named = {name: _Run(text, world, {}).entity() for name, text in (entities or {}).items()}
    return _Run(program, world, named).answer()


class _Run:
    """One program over one geography."""

    def __init__(self, text: str, world: Geography, named: Mapping[str, Denotation]) -> None:
        self.text, self.world, self.named = text, world, named
        self.tree = parse_funql(text)

    def fault(self, node: Tree, problem: str, remedy: str) -> ProgramError:
        """What to raise for a part of the program; parts in order are labels in order, which gives the place."""
        placed = tokens(self.text, language=NAME, commas=True)
        starts = [at for (_, at), (before, _) in zip(placed, [("(", 0), *placed], strict=False) if before in "(,"]
        place = next(at for part, at in zip(self.tree.iter_nodes(), starts, strict=False) if part is node)
        return ProgramError(NAME, place, problem, remedy)

    def answer(self) -> Denotation:
        if self.tree.label != "answer":
            raise self.fault(self.tree, f"{self.tree.label!r} where 'answer' belongs", "write answer(…)")
        (argument,) = self.arguments(self.tree, 1)
        return self.values(argument)

    def arguments(self, node: Tree, *wanted: int) -> tuple[Tree, ...]:
        """The arguments of a call, when there are as many as are wanted."""
        if len(node.children) in wanted:
            return node.children
        problem = f"{node.label!r} has {len(node.children)} arguments where {' or '.join(map(str, wanted))} belong"
        raise self.fault(node, problem, "look for a bracket at the wrong place")

    def values(self, node: Tree) -> Denotation:
        """The set that a part of the program stands for."""
        label, world = node.label, self.world
        if not node.children:
            return self.leaf(node)
        if label in world.kinds:
            (argument,) = self.arguments(node, 1)
            everything = not argument.children and argument.label == "all"
            return world.kinds[label] if everything else world.kinds[label] & self.values(argument)
        if label in ENTITIES:
            return self.entity(node)
        if self.is_relation(label):
            (argument,) = self.arguments(node, 1)
            return self.image(label, self.values(argument))
        if label in world.measures:
            (argument,) = self.arguments(node, 1)
            return frozenset(number for value in self.values(argument) for number in self.measured(label, value))
        if label in _FUNCTIONS:
            return _FUNCTIONS[label](self, node)
        raise self.fault(node, f"{label!r} is no function of GeoQuery", "use one that is")

    def leaf(self, node: Tree) -> Denotation:
        label = node.label
        if label in self.world.kinds:
            return self.world.kinds[label]
        if label in self.named:
            return self.named[label]
        if _NUMBER.fullmatch(label):
            return frozenset({_number(float(label))})
        if _PLACEHOLDER.fullmatch(label):
            raise self.fault(node, f"the placeholder {label!r} has no entity", "give its entity")
        raise self.fault(node, f"{label!r} does not stand for a set", "give its arguments, or remove it")

    def entity(self, node: Tree | None = None) -> Denotation:
        """The known entities of a name: several for a city whose state is left open, none for an unknown name."""
        node = node or self.tree
        if node.label not in ENTITIES:
            raise self.fault(node, f"{node.label!r} where an entity belongs", f"write one of {', '.join(ENTITIES)}")
        arguments = self.arguments(node, 2 if node.label == "cityid" else 1)
        name, *state = (_QUOTED.fullmatch(argument.label) for argument in arguments)
        if name is None or (state and state[0] is None and arguments[1].label != "_"):
            raise self.fault(node, "a name without quotes", "write 'NAME', and _ for a state that is left open")
        namesakes = self.world.named.get((ENTITIES[node.label], name[1]), frozenset())
        return frozenset(e for e in namesakes if not state or state[0] is None or e.state == state[0][1])

    def is_relation(self, label: str) -> bool:
        return label in self.world.images or label in COMPARISONS or label == "elevation_2"

    def image(self, label: str, values: Denotation) -> Denotation:
        """All that any of the values is related to."""
        if label in self.world.images:
            images = self.world.images[label]
            return frozenset(y for x in values if isinstance(x, Entity) for y in images.get(x, ()))
        if label == "elevation_2":
            heights = self.world.measures["elevation_1"]
            return frozenset(entity for entity, numbers in heights.items() if not values.isdisjoint(numbers))
        measure, above = COMPARISONS[label]
        bounds = [number for value in values for number in self.measured(measure, value)]
        if not bounds:
            return frozenset()
        if above:
            return frozenset(e for e, numbers in self.world.measures[measure].items() if max(numbers) > min(bounds))
        return frozenset(e for e, numbers in self.world.measures[measure].items() if min(numbers) < max(bounds))

    def measured(self, measure: str, value: Value) -> tuple[Number, ...]:
        """The numbers that measure a value: mostly one, none where no fact gives it. The size of a number is itself."""
        if isinstance(value, Entity):
            return self.world.measures[measure].get(value, ())
        return (value,) if measure == "size" else ()

    def best(self, measure: str, pick: Callable[..., Number], values: Denotation) -> Denotation:
        """The values of the greatest or the least measure."""
        scores = {value: pick(numbers) for value in values if (numbers := self.measured(measure, value))}
        return _extreme(scores, pick)


def _extreme(scores: Mapping[Value, Number], pick: Callable[..., Number]) -> Denotation:
    best = pick(scores.values()) if scores else None
    return frozenset(value for value, score in scores.items() if score == best)


def _number(value: float) -> Number:
    return int(value) if value.is_integer() else value


def _superlative(run: _Run, node: Tree) -> Denotation:
    (argument,) = run.arguments(node, 1)
    return run.best(*SUPERLATIVES[node.label], run.values(argument))


def _one(run: _Run, node: Tree) -> Denotation:
    """`largest_one(area_1(X))` or `largest_one(area_1, X)`."""
    measure, *rest = run.arguments(node, 1, 2)
    (argument,) = rest or run.arguments(measure, 1)
    if measure.label not in run.world.measures or (rest and measure.children):
        raise run.fault(measure, f"{measure.label!r} where a measure belongs", f"use {', '.join(run.world.measures)}")
    return run.best(measure.label, ONE[node.label], run.values(argument))


def _counted(run: _Run, node: Tree) -> Denotation:
    """`most(state(next_to_2(X)))` or `most(state, next_to_2, X)`."""
    kind, *rest = run.arguments(node, 1, 3)
    (relation,) = rest[:1] or run.arguments(kind, 1)
    (argument,) = rest[1:] or run.arguments(relation, 1)
    if not run.is_relation(relation.label) or (rest and relation.children):
        raise run.fault(relation, f"{relation.label!r} where a relation belongs", "use one such as loc_1 or next_to_2")
    if not rest and kind.label not in run.world.kinds:
        raise run.fault(kind, f"{kind.label!r} where a kind belongs", f"use {', '.join(run.world.kinds)}")
    members = run.values(kind) if rest else run.world.kinds[kind.label]
    counts: dict[Value, Number] = {}
    for value in run.values(argument):
        for member in members & run.image(relation.label, frozenset({value})):
            counts[member] = counts.get(member, 0) + 1
    return _extreme(counts, COUNTED[node.label])


def _count(run: _Run, node: Tree) -> Denotation:
    (argument,) = run.arguments(node, 1)
    return frozenset({len(run.values(argument))})


def _sum(run: _Run, node: Tree) -> Denotation:
    (argument,) = run.arguments(node, 1)
    if argument.label in run.world.measures:
        (measured,) = run.arguments(argument, 1)
        numbers = [number for value in run.values(measured) for number in run.measured(argument.label, value)]
    else:
        values = run.values(argument)
        numbers = [value for value in values if not isinstance(value, Entity)]
        if len(numbers) < len(values):
            raise run.fault(node, "a sum of what is not a number", "sum a measure, such as area_1(…)")
    return frozenset({_number(math.fsum(numbers))})  # exact, so that order does not matter


def _intersection(run: _Run, node: Tree) -> Denotation:
    first, *others = (run.values(child) for child in node.children)
    return first.intersection(*others)


def _exclude(run: _Run, node: Tree) -> Denotation:
    kept, excluded = (run.values(child) for child in run.arguments(node, 2))
    return kept - excluded


_FUNCTIONS: dict[str, Callable[[_Run, Tree], Denotation]] = {
    **dict.fromkeys(SUPERLATIVES, _superlative),
    **dict.fromkeys(ONE, _one),
    **dict.fromkeys(COUNTED, _counted),
    "count": _count,
    "exclude": _exclude,
    "intersection": _intersection,
    "sum": _sum,
}
