"""What FunQL can talk about: entities, the relations between them and their measures, made from GeoQuery's facts.

The definitions are those of GeoQuery's own Prolog program, except that capitals are cities, lakes and the country have
sizes, and the country's high and low points are looked for instead of given:

- a city has a city fact or is a capital; a capital without a city fact (16 of 51) has no population;
- a place is the high or the low point of a state, and one name is one place: the Colorado river is the low point of
  Arizona and of Nevada, and has two elevations. Mountains and lakes are those with facts of their own;
- `loc`: a city, capital, river, lake, mountain or place is in its states, and these and the states are in the country;
- `next_to` is between states; `traverse` is from a river to its states and the country;
- the high point of the country is the highest of its states' high points, and so for the low point;
- major is a city of more than 150,000 people or a river of more than 750 km. Nothing says when a lake is major;
- the size of a city is its population, of a river its length, of a place or mountain its elevation, else the area.
  Density is population by area.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import InputFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recombine.kb.geoquery.geobase import Geobase
    from recombine.kb.geoquery.prolog_facts import Number

MAJOR_CITY_POPULATION = 150_000
MAJOR_RIVER_LENGTH = 750


@dataclass(frozen=True, order=True, slots=True)
class Entity:
    """Something with a type and a name, and for a city its state's abbreviation: there are several Springfields."""

    kind: str
    name: str
    state: str = ""

    def __str__(self) -> str:
        return f"{self.kind}id('{self.name}', '{self.state}')" if self.state else f"{self.kind}id('{self.name}')"


Pairs = list[tuple[Entity, Entity]]
Images = dict[Entity, frozenset[Entity]]
Measures = dict[Entity, tuple["Number", ...]]


@dataclass(frozen=True)
class Geography:
    """Entities by kind, the images of entities under relations, and the numbers that measure them."""

    kinds: Mapping[str, frozenset[Entity]]
    images: Mapping[str, Images]
    measures: Mapping[str, Measures]
    named: Mapping[tuple[str, str], frozenset[Entity]]

    @classmethod
    def of(cls, facts: Geobase) -> Geography:
        """The geography of a set of facts.

        >>> from recombine.kb.geoquery.geobase import parse_geobase
        >>> world = Geography.of(parse_geobase("city(texas, tx, austin, 345496). city(texas, tx, waco, 101261)."))
        >>> sorted(str(city) for city in world.images["loc_2"][Entity("state", "texas")])
        ["cityid('austin', 'tx')", "cityid('waco', 'tx')"]
        """
        if len(facts.country) > 1:
            names = ", ".join(country.name for country in facts.country)
            raise InputFileError(f"the facts are of several countries ({names})", "give those of one country")
        measures = _measures(facts)
        kinds = _kinds(facts, measures)
        relations = _relations(facts, kinds, measures["elevation_1"])
        images = {f"{name}_1": _images(pairs) for name, pairs in relations.items()}
        images |= {f"{name}_2": _images((y, x) for x, y in pairs) for name, pairs in relations.items()}
        named: dict[tuple[str, str], set[Entity]] = defaultdict(set)
        for entity in frozenset[Entity]().union(_countries(facts), *kinds.values(), *images.values()):
            named[entity.kind, entity.name].add(entity)
        return cls(kinds, images, measures, {key: frozenset(namesakes) for key, namesakes in named.items()})


def _countries(facts: Geobase) -> list[Entity]:
    return [Entity("country", country.name) for country in facts.country]


def _kinds(facts: Geobase, measures: Mapping[str, Measures]) -> dict[str, frozenset[Entity]]:
    capital = frozenset(Entity("city", fact.capital, fact.abbreviation) for fact in facts.state)
    city = capital.union(Entity("city", fact.name, fact.abbreviation) for fact in facts.city)
    people, length = measures["population_1"], measures["len"]
    river = frozenset(Entity("river", fact.name) for fact in facts.river)
    return {
        "state": frozenset(Entity("state", fact.name) for fact in facts.state),
        "city": city,
        "capital": capital,
        "river": river,
        "lake": frozenset(Entity("lake", fact.name) for fact in facts.lake),
        "mountain": frozenset(Entity("mountain", fact.name) for fact in facts.mountain),
        "place": frozenset(
            Entity("place", name) for fact in facts.highlow for name in (fact.high_point, fact.low_point)
        ),
        "major": frozenset(c for c in city if max(people.get(c, (0,))) > MAJOR_CITY_POPULATION)
        | frozenset(r for r in river if max(length[r]) > MAJOR_RIVER_LENGTH),
    }


def _relations(facts: Geobase, kinds: Mapping[str, frozenset[Entity]], elevation: Measures) -> dict[str, Pairs]:
    capital = [(Entity("state", f.name), Entity("city", f.capital, f.abbreviation)) for f in facts.state]
    high = [(Entity("state", fact.state), Entity("place", fact.high_point)) for fact in facts.highlow]
    low = [(Entity("state", fact.state), Entity("place", fact.low_point)) for fact in facts.highlow]
    rivers = [(Entity("river", fact.name), Entity("state", state)) for fact in facts.river for state in fact.states]
    within: Pairs = [
        *((Entity("city", fact.name, fact.abbreviation), Entity("state", fact.state)) for fact in facts.city),
        *((Entity("mountain", fact.name), Entity("state", fact.state)) for fact in facts.mountain),
        *((Entity("lake", fact.name), Entity("state", state)) for fact in facts.lake for state in fact.states),
        *((point, state) for pairs in (capital, high, low) for state, point in pairs),
        *rivers,
    ]
    for country in _countries(facts):
        within += [(entity, country) for entity in {entity for entity, _ in within} | kinds["state"]]
        rivers += [(river, country) for river in kinds["river"]]
        high += [(country, point) for point in _extreme({p for _, p in high}, elevation, highest=True)]
        low += [(country, point) for point in _extreme({p for _, p in low}, elevation, highest=False)]
    border = [
        (Entity("state", f.state), Entity("state", neighbour)) for f in facts.border for neighbour in f.neighbours
    ]
    relations = {"capital": capital, "high_point": high, "loc": within, "low_point": low}
    return {**relations, "next_to": border, "traverse": rivers}


def _extreme(points: set[Entity], elevation: Measures, *, highest: bool) -> list[Entity]:
    if not points:
        return []
    pick = max if highest else min
    best = pick(pick(elevation[point]) for point in points)
    return [point for point in points if pick(elevation[point]) == best]


def _images(pairs: Iterable[tuple[Entity, Entity]]) -> Images:
    images: dict[Entity, set[Entity]] = defaultdict(set)
    for x, y in pairs:
        images[x].add(y)
    return {x: frozenset(ys) for x, ys in images.items()}


def _measures(facts: Geobase) -> dict[str, Measures]:
    countries = _countries(facts)
    area = _collected(
        [(Entity("state", fact.name), fact.area) for fact in facts.state]
        + [(Entity("lake", fact.name), fact.area) for fact in facts.lake]
        + [(country, fact.area) for country, fact in zip(countries, facts.country, strict=True)]
    )
    people = _collected([(Entity("city", fact.name, fact.abbreviation), fact.population) for fact in facts.city])
    population = people | _collected(
        [(Entity("state", fact.name), fact.population) for fact in facts.state]
        + [(country, fact.population) for country, fact in zip(countries, facts.country, strict=True)]
    )
    elevation = _collected(
        [(Entity("place", fact.high_point), fact.high_elevation) for fact in facts.highlow]
        + [(Entity("place", fact.low_point), fact.low_elevation) for fact in facts.highlow]
        + [(Entity("mountain", fact.name), fact.height) for fact in facts.mountain]
    )
    length = _collected([(Entity("river", fact.name), fact.length) for fact in facts.river])
    density = {x: tuple(p / a for p in population[x] for a in area[x] if a) for x in population if x in area}
    return {
        "area_1": area,
        "density_1": density,
        "elevation_1": elevation,
        "len": length,
        "population_1": population,
        "size": area | people | length | elevation,
    }


def _collected(pairs: list[tuple[Entity, Number]]) -> Measures:
    """The distinct numbers of every entity, in order."""
    numbers_of: dict[Entity, set[Number]] = defaultdict(set)
    for entity, number in pairs:
        numbers_of[entity].add(number)
    return {entity: tuple(sorted(numbers)) for entity, numbers in numbers_of.items()}
