"""Circles: people who direct, write, edit, produce and star in their own films, who found and run companies together,
marry each other and play each other, so that of most long conjunctions there is one somewhere that holds.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.kb.film_world.plan import ACTS, CHARACTER, COMPANY, CREDITS, FILM

if TYPE_CHECKING:
    from recombine.kb.film_world.plan import Plan
    from recombine.kb.film_world.world_facts import Ids, WorldFacts

_DIMENSIONS = ("people", "films", "companies", "characters")


class Circle(NamedTuple):
    """Who and what belongs to a circle."""

    people: Ids
    films: Ids
    companies: Ids
    characters: Ids


def make_circles(facts: WorldFacts, wanted: int) -> Ids:
    """Circles of about so many facts together, one at least; the people of all of them."""
    people: list[Ids] = []
    while facts.count < wanted:
        sizes = _sizes(facts, wanted - facts.count)
        if people and expected_facts(facts.plan, sizes) > wanted - facts.count:
            break
        people.append(_make_circle(facts, sizes, tangled=not people).people)
    return np.concatenate(people)


def _sizes(facts: WorldFacts, room: int) -> tuple[int, ...]:
    """How many of each there are in a circle: drawn, and made smaller as long as the circle is too large."""
    ranges = [facts.plan.circles[name] for name in _DIMENSIONS]
    sizes = [int(facts.rng.integers(low, high + 1)) for low, high in ranges]
    while expected_facts(facts.plan, tuple(sizes)) > room and any(
        size > low for size, (low, _) in zip(sizes, ranges, strict=True)
    ):
        sizes = [max(size - 1, low) for size, (low, _) in zip(sizes, ranges, strict=True)]
    return tuple(sizes)


def expected_facts(plan: Plan, sizes: tuple[int, ...]) -> float:
    """About how many facts a circle has, without names."""
    people, films, companies, characters = sizes
    said, chances = plan.circles, plan.circles["chances"]
    sure = said["auteurs"] * said["own_films"]
    pairs = {
        **dict.fromkeys((*CREDITS, ACTS), people * films),
        **dict.fromkeys(("company_produces", "distributes"), companies * films),
        **dict.fromkeys(("employs", "founds"), companies * people),
        **dict.fromkeys(("acquires", "owns"), companies * (companies - 1)),
        "influences": people * (people - 1),
    }
    total = 0.0
    for name, number in pairs.items():
        chance = chances[name] + (1 - chances[name]) * sure * (name in (*CREDITS, ACTS))
        total += number * chance * plan.ties[name].facts * (1 + (said["parts"] - 1) / 2 * (name == ACTS))
    for name, chance in said["tangled_chances"].items():
        kin = (films if name == "has_sequel" else people) ** 2 / 2
        total += said["tangled"] * chance * kin * plan.ties[name].facts
    return total + 12 * people + films + companies + characters


def _make_circle(facts: WorldFacts, sizes: tuple[int, ...], *, tangled: bool) -> Circle:
    """A circle; one that need not be tangled is so by chance."""
    plan, rng = facts.plan, facts.rng
    said = plan.circles
    people = facts.make_people(sizes[0], said["nationalities"], said["evenness"])
    others = zip((FILM, COMPANY, CHARACTER), sizes[1:], strict=True)
    circle = Circle(people, *(facts.make(kind, size) for kind, size in others))
    played = facts.also_characters(people, said["also_character"])
    tangled |= bool(rng.random() < said["tangled"])
    _credits(facts, circle, np.concatenate((circle.characters, played)))
    _companies(facts, circle)
    facts.tie_within("influences", people, said["chances"]["influences"])
    (_tangled_kin if tangled else _plain_kin)(facts, circle)
    _country(facts, circle)
    return circle


def _credits(facts: WorldFacts, circle: Circle, played: Ids) -> None:
    """Credits and parts: an auteur has all of them in each film that is the circle's own."""
    said, rng = facts.plan.circles, facts.rng
    people, films = circle.people, circle.films
    auteurs = np.arange(len(people)) < ceil(said["auteurs"] * len(people))
    own = np.arange(len(films)) < ceil(said["own_films"] * len(films))
    sure = auteurs[:, None] & own
    for name in CREDITS:
        facts.tie_some(name, people, films, said["chances"][name], sure)
    rows, columns = np.nonzero(sure | (rng.random(sure.shape) < said["chances"][ACTS]))
    parts = rng.integers(1, said["parts"] + 1, len(rows))
    actors, acted = np.repeat(people[rows], parts), np.repeat(films[columns], parts)
    odd = rng.random(len(actors)) < said["plays_odd"]
    characters = np.where(
        odd, rng.choice(np.concatenate((films, circle.companies)), len(odd)), rng.choice(played, len(odd))
    )
    facts.tie(ACTS, actors, acted, characters)


def _companies(facts: WorldFacts, circle: Circle) -> None:
    said, rng = facts.plan.circles, facts.rng
    chances = said["chances"]
    people, films, companies, _ = circle
    facts.tie_some("company_produces", companies, films, chances["company_produces"])
    facts.tie_some("distributes", companies, films, chances["distributes"])
    facts.tie_some("employs", companies, people, chances["employs"])
    facts.tie_some("founds", people, companies, chances["founds"])
    facts.tie_within("acquires", companies, chances["acquires"])
    facts.tie_within("owns", companies, chances["owns"])
    writers = companies[rng.random(len(companies)) < said["company_writes"]]
    facts.tie_some("writes", writers, films, chances["writes"])
    producers = companies[rng.random(len(companies)) < said["company_writes"]]
    facts.tie_some("produces", producers, films, chances["produces"])
    distributors = people[rng.random(len(people)) < said["person_distributes"]]
    facts.tie_some("distributes", distributors, films, chances["distributes"])


def _tangled_kin(facts: WorldFacts, circle: Circle) -> None:
    """Kin as sagas have them: anybody may be anything of anybody else."""
    chances = facts.plan.circles["tangled_chances"]
    facts.tie_within("has_sequel", circle.films, chances["has_sequel"])
    for own, prefix in ((circle.people, ""), (circle.characters, "character_")):
        facts.tie_within(f"{prefix}marries", own, chances["marries"], symmetric=True)
        facts.tie_within(f"{prefix}is_sibling", own, chances["is_sibling"], symmetric=True)
        facts.tie_within(f"{prefix}is_parent", own, chances["is_parent"])


def _plain_kin(facts: WorldFacts, circle: Circle) -> None:
    """Two families, of each one parent and children who are siblings; the two in each generation are couples."""
    facts.tie("has_sequel", circle.films[:-1], circle.films[1:])
    for own, prefix in ((circle.people, ""), (circle.characters, "character_")):
        families = own[::2], own[1::2]
        for family in families:
            children = family[1:]
            facts.tie(f"{prefix}is_parent", np.repeat(family[:1], len(children)), children)
            facts.tie_within(f"{prefix}is_sibling", children, 1.0, symmetric=True)
        couples = min(map(len, families))
        facts.tie(f"{prefix}marries", families[0][:couples], families[1][:couples])


def _country(facts: WorldFacts, circle: Circle) -> None:
    """What a country has to do with a circle: it employs some, some founded it, and it owns or is owned."""
    said, rng = facts.plan.circles, facts.rng
    country = rng.choice(facts.countries, 2, replace=False)
    facts.tie_some("employs", country, circle.people, said["country_employs"])
    facts.tie_some("founds", circle.people, country, said["country_founded"])
    facts.tie_some("owns", country, circle.companies, said["country_founded"])
    facts.tie_some("owns", circle.companies, country, said["country_founded"])
