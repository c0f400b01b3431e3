"""What the made-up world of many domains holds: `domains.toml` as values, checked."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import KnowledgeBaseError, UnknownNameError
from recombine.kb.made_up.made_up_names import name_parts, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE = "domains.toml"
INT, FLOAT, DATE, YEAR = "int", "float", "date", "year"
LITERAL_CLASSES = {INT: "type.int", FLOAT: "type.float", DATE: "type.datetime", YEAR: "type.datetime"}
"""Freebase's classes of the kinds of literals."""
_TABLES = ("size", "shares", "names", "lists")
_CLASS_KEYS = ("things", "names", "below", "of", "share", "middle")
_RELATION_KEYS = ("to", "back", "mean", "between", "wide")


class PlannedClass(NamedTuple):
    """A class: those right above it, how many things of its own it has, and how they are named."""

    name: str
    above: tuple[str, ...]
    things: float
    pool: str
    """The class whose things it takes a share of; empty where it has things of its own, or none but those below it."""
    share: float
    templates: tuple[str, ...]
    middle: bool


class PlannedRelation(NamedTuple):
    """A relation from the things of a class to those of another, or to literals of a kind."""

    name: str
    domain: str
    to: str
    back: str
    """The relation the other way round; empty where there is none."""
    mean: float
    exact: bool
    """Whether every thing has as many facts as the mean."""
    between: tuple[float, float]
    wide: bool

    @property
    def range(self) -> str:
        """The class that it leads to."""
        return LITERAL_CLASSES.get(self.to, self.to)


@dataclass(frozen=True)
class DomainPlan:
    """The tables of `domains.toml`."""

    classes: Mapping[str, PlannedClass]
    relations: tuple[PlannedRelation, ...]
    size: Mapping[str, float]
    shares: Mapping[str, float]
    lists: Mapping[str, tuple[str, ...]]

    @property
    def domains(self) -> tuple[str, ...]:
        """The names of the domains, in their order."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.classes))

    @cached_property
    def below(self) -> Mapping[str, tuple[str, ...]]:
        """The classes right below each class, in their order."""
        found: dict[str, list[str]] = {name: [] for name in self.classes}
        for each in self.classes.values():
            for name in each.above:
                found[name].append(each.name)
        return {name: tuple(names) for name, names in found.items()}

    @cached_property
    def under(self) -> Mapping[str, tuple[str, ...]]:
        """Each class with all below it, near or far, each once."""
        found: dict[str, tuple[str, ...]] = {}
        for name in self.classes:
            reached = [name]
            for each in reached:
                reached += [other for other in self.below[each] if other not in reached]
            found[name] = tuple(reached)
        return found


@cache
def packaged_plan() -> DomainPlan:
    """The plan that comes with the package.

    >>> plan = packaged_plan()
    >>> len(plan.domains) >= 40, plan.classes["opera.opera_house"].above
    (True, ('building.building',))
    """
    return domain_plan(tomllib.loads(plan_text()))


def plan_text() -> str:
    """The file as it stands."""
    return (files("recombine.kb.many_domains") / FILE).read_text(encoding="utf-8")


def domain_plan(tables: Mapping[str, Any]) -> DomainPlan:
    """The plan that the tables of a file say."""
    said = {f"{domain}.{name}": table for domain, name, table in _iter_classes(tables)}
    lists = {**name_parts(), **{name: tuple(parts) for name, parts in tables["lists"].items()}}
    classes = {name: _planned_class(name, table, said, tables["names"], lists) for name, table in said.items()}
    relations = [
        _planned_relation(name, key, row, said) for name, table in said.items() for key, row in _relations(table)
    ]
    plan = DomainPlan(classes, tuple(relations), tables["size"], tables["shares"], lists)
    _check(plan)
    return plan


def _iter_classes(tables: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for domain, table in tables.items():
        if domain not in _TABLES:
            for name, said in table.items():
                yield domain, name, said


def _relations(table: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(key, row) for key, row in table.items() if key not in _CLASS_KEYS]


def _planned_class(
    name: str,
    table: Mapping[str, Any],
    classes: Mapping[str, Any],
    names: Mapping[str, list[str]],
    lists: Mapping[str, Any],
) -> PlannedClass:
    below = table.get("below", [])
    pool = _known(name, table["of"], classes) if "of" in table else ""
    above = [_known(name, each, classes) for each in ([below] if isinstance(below, str) else below)]
    wanted = table.get("names", [])
    templates = tuple(names[wanted] if isinstance(wanted, str) else wanted)
    for slot in (slot for template in templates for slot in slots_of(template)):
        if slot not in lists:
            raise KnowledgeBaseError(f"{FILE}: {name}: {UnknownNameError('list of name parts', slot, lists)}")
    middle = table.get("middle", False)
    if bool(templates) == (middle or "things" not in table):
        raise KnowledgeBaseError(f"{FILE}: {name}: things have names, and nodes in the middle none", "mend `names`")
    own = float(table.get("things", 0))
    return PlannedClass(
        name,
        tuple(dict.fromkeys([*above, *([pool] * bool(pool))])),
        own,
        pool,
        table.get("share", 0),
        templates,
        middle,
    )


def _planned_relation(domain: str, key: str, row: Mapping[str, Any], classes: Mapping[str, Any]) -> PlannedRelation:
    place = f"{FILE}: {domain}.{key}"
    for each in row:
        if each not in _RELATION_KEYS:
            raise KnowledgeBaseError(f"{place}: {UnknownNameError('key', each, _RELATION_KEYS)}")
    literal = row["to"] in LITERAL_CLASSES
    to = row["to"] if literal else _known(domain, row["to"], classes)
    if literal != ("between" in row) or (literal and "back" in row):
        raise KnowledgeBaseError(f"{place}: literals are between two values, and nothing leads back", "mend it")
    mean = row.get("mean", 1)
    first, last = row.get("between", (0, 0))
    return PlannedRelation(
        f"{domain}.{key}",
        domain,
        to,
        f"{to}.{row['back']}" if "back" in row else "",
        float(mean),
        isinstance(mean, int),
        (first, last),
        row.get("wide", False),
    )


def _known(own: str, name: str, classes: Mapping[str, Any]) -> str:
    """The class that a name means: with its domain, or of the domain of the class that names it."""
    full = name if "." in name else f"{own.partition('.')[0]}.{name}"
    if full not in classes:
        raise KnowledgeBaseError(f"{FILE}: {own}: {UnknownNameError('class', full, classes)}")
    return full


def _check(plan: DomainPlan) -> None:
    """Every relation has its name alone, and every class has something in it."""
    names = [name for each in plan.relations for name in (each.name, each.back) if name]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise KnowledgeBaseError(f"{FILE}: two relations are called {twice[0]}", "rename one of them")
    for name in plan.classes:
        if name in plan.below[name] or not any(
            plan.classes[each].things or plan.classes[each].pool for each in plan.under[name]
        ):
            raise KnowledgeBaseError(f"{FILE}: {name}: has no things, nor has a class below it", "add `things`")
