"""What the made-up world holds and in which shares: `world.toml` and `names.toml` as values."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.kb.film_schema.tie import film_classes, film_ties
from recombine.kb.made_up.made_up_names import name_parts

if TYPE_CHECKING:
    from recombine.kb.film_schema.tie import Tie

PERSON, FILM, COMPANY, CHARACTER = "person", "film", "company", "character"
KINDS = (PERSON, FILM, COMPANY, CHARACTER)
CREDITS = (
    "directs",
    "produces",
    "executive_produces",
    "edits",
    "writes",
    "photographs",
    "art_directs",
    "designs_costumes",
)
"""What a person may do for a film, but for acting, which is for a character too."""
ACTS = "acts"
WORLD, NAMES = "world.toml", "names.toml"


class Constant(NamedTuple):
    """A country or a gender: its id, its name and the share of people who have it."""

    id: str
    name: str
    share: float


@dataclass(frozen=True)
class Plan:
    """The schema, and the tables of `world.toml` and of `names.toml`."""

    ties: dict[str, Tie]
    classes: dict[str, str]
    countries: tuple[Constant, ...]
    genders: tuple[Constant, ...]
    size: dict[str, float]
    people: dict[str, Any]
    circles: dict[str, Any]
    productions: dict[str, Any]
    templates: dict[str, tuple[str, ...]]
    lists: dict[str, tuple[str, ...]]


@cache
def packaged_plan() -> Plan:
    """The plan that comes with the package."""
    return plan_of(*(tomllib.loads(plan_text(name)) for name in (WORLD, NAMES)))


def plan_text(name: str) -> str:
    """One of the two files as it stands."""
    return (files("recombine.kb.film_world") / name).read_text(encoding="utf-8")


def plan_of(world: dict[str, Any], names: dict[str, Any]) -> Plan:
    """The plan that the tables of the two files say."""
    countries, genders = (
        tuple(Constant(key, said["name"], said["share"]) for key, said in world[table].items())
        for table in ("countries", "genders")
    )
    tables = {name: world[name] for name in ("size", "people", "circles", "productions")}
    return Plan(
        ties=film_ties(),
        classes=film_classes(),
        countries=countries,
        genders=genders,
        templates={kind: tuple(texts) for kind, texts in names["templates"].items()},
        lists=name_parts(),
        **tables,
    )
