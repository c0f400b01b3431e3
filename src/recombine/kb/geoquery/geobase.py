"""The facts of GeoQuery as typed relations, read from `geobase.pl`.

Every fact of a file is in the result: one of a relation that is not listed here, or whose arguments are not as many
and of the types that its relation has, is refused with its line.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from recombine.data_directory import data_file
from recombine.errors import InputFileError, RecordError
from recombine.files import read_text
from recombine.kb.geoquery.prolog_facts import Argument, Fact, Number, iter_facts

if TYPE_CHECKING:
    from pathlib import Path

FILE = "geoquery/geobase.pl"


@dataclass(frozen=True, slots=True)
class State:
    """A state. Area in square miles; `number` is its place in the order of joining; four larger cities."""

    name: str
    abbreviation: str
    capital: str
    population: Number
    area: Number
    number: Number
    city_1: str
    city_2: str
    city_3: str
    city_4: str


@dataclass(frozen=True, slots=True)
class City:
    """A city and its state."""

    state: str
    abbreviation: str
    name: str
    population: Number


@dataclass(frozen=True, slots=True)
class River:
    """A river and the states along it, in order, some twice. Length in kilometres."""

    name: str
    length: Number
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Border:
    """A state and its neighbours."""

    state: str
    abbreviation: str
    neighbours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HighLow:
    """The highest and the lowest point of a state. Elevations in metres."""

    state: str
    abbreviation: str
    high_point: str
    high_elevation: Number
    low_point: str
    low_elevation: Number


@dataclass(frozen=True, slots=True)
class Mountain:
    """A mountain and its state. Height in metres."""

    state: str
    abbreviation: str
    name: str
    height: Number


@dataclass(frozen=True, slots=True)
class Road:
    """A road and the states along it."""

    name: str
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lake:
    """A lake and its states. Area in square kilometres."""

    name: str
    area: Number
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Country:
    """A country. Area in square kilometres."""

    name: str
    population: Number
    area: Number


RELATIONS: dict[str, Any] = {
    "state": State,
    "city": City,
    "river": River,
    "border": Border,
    "highlow": HighLow,
    "mountain": Mountain,
    "road": Road,
    "lake": Lake,
    "country": Country,
}
_TYPES = {"str": "a name", "Number": "a number", "tuple[str, ...]": "a list of names"}


@dataclass(frozen=True)
class Geobase:
    """All facts by relation, each in the order of the file."""

    state: tuple[State, ...] = ()
    city: tuple[City, ...] = ()
    river: tuple[River, ...] = ()
    border: tuple[Border, ...] = ()
    highlow: tuple[HighLow, ...] = ()
    mountain: tuple[Mountain, ...] = ()
    road: tuple[Road, ...] = ()
    lake: tuple[Lake, ...] = ()
    country: tuple[Country, ...] = ()

    def counts(self) -> dict[str, int]:
        """The number of facts of every relation."""
        return {name: len(getattr(self, name)) for name in RELATIONS}


def load_geobase() -> Geobase:
    """The facts of the data directory."""
    return read_geobase(data_file(FILE, "running GeoQuery's programs"))


def read_geobase(path: Path | str) -> Geobase:
    """The facts of a file."""
    facts = parse_geobase(read_text(path), path=path)
    if not any(facts.counts().values()):
        raise InputFileError(f"{path}: has no facts", "give the geobase.pl of GeoQuery")
    return facts


def parse_geobase(text: str, *, path: Path | str = "facts") -> Geobase:
    """The facts of a text; `path` names the text in errors.

    >>> parse_geobase("river('red',1638,['texas','oklahoma']).").river
    (River(name='red', length=1638, states=('texas', 'oklahoma')),)
    """
    by_relation: dict[str, list[Any]] = {name: [] for name in RELATIONS}
    for fact in iter_facts(text, path=path):
        fault, remedy = _fault(fact)
        if fault:
            raise RecordError(path, f"line {fact.line}", fault, remedy)
        by_relation[fact.relation].append(RELATIONS[fact.relation](*fact.arguments))
    return Geobase(**{name: tuple(records) for name, records in by_relation.items()})


def _fault(fact: Fact) -> tuple[str, str]:
    """What is wrong with a fact and what to do about it; both empty where all is well."""
    if fact.relation not in RELATIONS:
        return f"unknown relation {fact.relation!r}", f"known: {', '.join(RELATIONS)}"
    wanted = fields(RELATIONS[fact.relation])
    if len(fact.arguments) != len(wanted):
        problem = f"{fact.relation!r} has {len(fact.arguments)} arguments where {len(wanted)} belong"
        return problem, f"give: {', '.join(field.name for field in wanted)}"
    for field, argument in zip(wanted, fact.arguments, strict=True):
        if _type_name(argument) != field.type:
            given, right = _TYPES[_type_name(argument)], _TYPES[str(field.type)]
            return f"the {field.name} of {fact.relation!r} is {given} where {right} belongs", "mend the fact"
    return "", ""


def _type_name(argument: Argument) -> str:
    if isinstance(argument, str):
        return "str"
    return "tuple[str, ...]" if isinstance(argument, tuple) else "Number"
