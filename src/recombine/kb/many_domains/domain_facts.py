"""The facts of the made-up world of many domains: its schema, then things with their names, ties and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.embedded.literal_columns import XSD
from recombine.kb.made_up.fact_columns import FactColumns
from recombine.kb.made_up.made_up_names import made_up_names
from recombine.kb.many_domains.domain_plan import DATE, INT, LITERAL_CLASSES, YEAR
from recombine.kb.term import Term

if TYPE_CHECKING:
    import numpy.typing as npt

    from recombine.kb.many_domains.domain_plan import DomainPlan, PlannedRelation

    Ids = npt.NDArray[np.int64]

STEM = "=m.0v"
"""What the keys of things begin with."""
LANGUAGE = "en"
TYPE, LABEL, ALIAS = "type.object.type", "type.object.name", "common.topic.alias"
DOMAIN, RANGE, REVERSE = "type.property.schema", "type.property.expected_type", "type.property.reverse_property"
BELOW, MEDIATOR = "freebase.type_hints.included_types", "freebase.type_hints.mediator"
_DATATYPES = {"int": "integer", "float": "float", "date": "date", "year": "gYear"}
_DAYS = 28
"""Every month has so many."""


class DomainFacts(FactColumns):
    """Facts of a plan, with so many things of every class that has some of its own."""

    def __init__(self, plan: DomainPlan, numbers: dict[str, int], rng: np.random.Generator) -> None:
        super().__init__(STEM)
        self.plan, self.rng = plan, rng
        for name in (TYPE, LABEL, ALIAS, DOMAIN, RANGE, REVERSE, BELOW, MEDIATOR, *plan.classes):
            self._named_term(name)
        for name in LITERAL_CLASSES.values():
            self._named_term(name)
        for relation in plan.relations:
            for name in filter(None, (relation.name, relation.back)):
                self._named_term(name)
        self.seal()
        self._say_schema()
        self.own = {name: self.new(number) for name, number in numbers.items()}
        self._wanted = rng.permutation(self.end - self.first)
        """A place for every thing: those with the first ones are led to most often."""
        self.members: dict[str, Ids] = {}
        for name in plan.classes:
            self._find_members(name)
        for name, ids in self.members.items():
            self._all(ids, TYPE, self._named_term(name))
        self._name_things()
        for relation in plan.relations:
            (self._say_values if relation.to in LITERAL_CLASSES else self._say_ties)(relation)

    # -- the schema ----------------------------------------------------------------------------------------------------

    def _say_schema(self) -> None:
        """What the classes are below, and what relations lead from and to, as Freebase says it."""
        said: list[tuple[str, str, str]] = []
        for each in self.plan.classes.values():
            said += [(each.name, BELOW, above) for above in each.above]
        for relation in self.plan.relations:
            said += [(relation.name, DOMAIN, relation.domain), (relation.name, RANGE, relation.range)]
            if relation.back:
                said += [(relation.back, DOMAIN, relation.range), (relation.back, RANGE, relation.domain)]
                said += [(relation.name, REVERSE, relation.back), (relation.back, REVERSE, relation.name)]
        subjects, relations, targets = (
            np.array([*map(self._named_term, column)]) for column in zip(*said, strict=True)
        )
        self.add(subjects, relations, targets)
        middles = np.array(
            [self._named_term(each.name) for each in self.plan.classes.values() if each.middle], np.int64
        )
        self.add(middles, self._named_term(MEDIATOR), np.repeat(self._typed(["true"], "boolean"), len(middles)))

    # -- things --------------------------------------------------------------------------------------------------------

    def _find_members(self, name: str) -> Ids:
        """All things of a class, those of the classes below it too, in the order of their numbers."""
        if name not in self.members:
            planned = self.plan.classes[name]
            parts = [self.own.get(name, np.empty(0, np.int64))]
            if planned.pool:
                # Not the class itself, which is below its pool: the pool's things are there without it.
                pool = np.unique(np.concatenate([self.own[each] for each in self._pool(planned.pool)]))
                number = min(len(pool), max(int(self.plan.size["fewest"]), round(planned.share * len(pool))))
                parts.append(self.rng.choice(pool, number, replace=False))
            parts += [self._find_members(each) for each in self.plan.below[name]]
            self.members[name] = np.unique(np.concatenate(parts))
        return self.members[name]

    def _pool(self, name: str) -> list[str]:
        return [each for each in self.plan.under[name] if each in self.own]

    def _name_things(self) -> None:
        """A name for every thing that has one, and for some another that is shorter or that of something else."""
        shares = self.plan.shares
        ids, names = [np.empty(0, np.int64)], list[str]()
        for name, own in self.own.items():
            templates = self.plan.classes[name].templates
            if templates:
                ids.append(own)
                names += made_up_names(templates, self.plan.lists, len(own), self.rng, shared=shares["shared_name"])
        things = np.concatenate(ids)
        self.add(things, self._named_term(LABEL), self._texts(names))
        chosen = np.flatnonzero(self.rng.random(len(things)) < shares["aliased"])
        ways = self.rng.integers(0, 3, len(chosen)).tolist()
        others = self.rng.integers(0, len(things), len(chosen)).tolist()
        aliases = [
            names[other] if way == 2 else _shorter(names[place], last=way == 0)
            for place, way, other in zip(chosen.tolist(), ways, others, strict=True)
        ]
        differs = np.array([names[place] != alias for place, alias in zip(chosen.tolist(), aliases, strict=True)], bool)
        kept = [alias for alias, is_other in zip(aliases, differs.tolist(), strict=True) if is_other]
        self.add(things[chosen[differs]], self._named_term(ALIAS), self._texts(kept))

    # -- relations -----------------------------------------------------------------------------------------------------

    def _subjects(self, relation: PlannedRelation) -> Ids:
        """The things that a relation leads from, each as often as it has facts; the first has one at least."""
        things = self.members[relation.domain]
        if relation.exact:
            return np.repeat(things, round(relation.mean))
        if relation.mean > 1:
            return np.repeat(things, 1 + self.rng.poisson(relation.mean - 1, len(things)))
        has = self.rng.random(len(things)) < relation.mean
        has[0] = True
        return things[has]

    def _say_ties(self, relation: PlannedRelation) -> None:
        """The facts of a relation to things, and of the one back: some things are led to far more often than others."""
        ones = self._subjects(relation)
        targets = self.members[relation.to]
        targets = targets[np.argsort(self._wanted[targets - self.first], kind="stable")]
        weights = np.cumsum(np.arange(1, len(targets) + 1, dtype=float) ** -self.plan.shares["skew"])
        places = np.searchsorted(weights, self.rng.random(len(ones)) * weights[-1])
        places = np.minimum(places, len(targets) - 1)
        # Nothing has to do with itself: the next one has.
        places = np.where(targets[places] == ones, (places + 1) % len(targets), places)
        pairs = np.unique(np.stack((ones, targets[places]), axis=1), axis=0)
        self.add(pairs[:, 0], self._named_term(relation.name), pairs[:, 1])
        if relation.back:
            self.add(pairs[:, 1], self._named_term(relation.back), pairs[:, 0])

    def _say_values(self, relation: PlannedRelation) -> None:
        """The facts of a relation to literals."""
        ones = self._subjects(relation)
        low, high = relation.between
        if relation.wide:
            drawn = np.exp(self.rng.uniform(np.log(low), np.log(high), len(ones)))
        else:
            drawn = self.rng.uniform(low, high + (relation.to != "float"), len(ones))
        if relation.to == DATE:
            whole = np.floor(drawn).astype(np.int64) * 12 * _DAYS + self.rng.integers(0, 12 * _DAYS, len(ones))
        elif relation.to in (INT, YEAR):
            whole = np.minimum(np.floor(drawn), high).astype(np.int64)
        else:
            whole = np.round(drawn * 100).astype(np.int64)
        values, places = np.unique(whole, return_inverse=True)
        texts = [_written(value, relation.to) for value in values.tolist()]
        self.add(ones, self._named_term(relation.name), self._typed(texts, _DATATYPES[relation.to])[places])

    # -- terms ---------------------------------------------------------------------------------------------------------

    def _all(self, subjects: Ids, relation: str, target: int) -> None:
        self.add(subjects, self._named_term(relation), np.full(len(subjects), target))

    def _named_term(self, name: str) -> int:
        return self.number(Term.name(name).key)

    def _texts(self, texts: list[str]) -> Ids:
        return self.literals(Term.literal(text, language=LANGUAGE).key for text in texts)

    def _typed(self, texts: list[str], datatype: str) -> Ids:
        return self.literals(Term.literal(text, datatype=XSD + datatype).key for text in texts)


def _written(value: int, kind: str) -> str:
    if kind == DATE:
        months, day = divmod(value, _DAYS)
        year, month = divmod(months, 12)
        return f"{year:04d}-{month + 1:02d}-{day + 1:02d}"
    if kind == YEAR:
        return f"{value:04d}"
    return str(value) if kind == INT else f"{value / 100:.2f}"


def _shorter(name: str, *, last: bool) -> str:
    """A name by its last word, or with its first word as a letter."""
    words = name.split()
    return words[-1] if last else " ".join([f"{words[0][0]}.", *words[1:]])
