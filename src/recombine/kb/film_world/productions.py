"""Ordinary productions: films with a crew, a cast and companies, most of whom do one thing, and some far more often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.film_world.plan import ACTS, CHARACTER, COMPANY, CREDITS, FILM

if TYPE_CHECKING:
    from recombine.kb.film_world.plan import Plan
    from recombine.kb.film_world.world_facts import Ids, WorldFacts

_OF_PEOPLE = ("employs", "founds", "influences", "marries", "is_sibling", "is_parent")
_OF_COMPANIES = ("acquires", "owns")


def make_productions(facts: WorldFacts, wanted: int, guests: Ids) -> None:
    """Productions of about so many facts; `guests` are the people of circles, who get some of the credits."""
    films = int(wanted / facts_per_film(facts.plan))
    if films < 1:
        return
    said = facts.plan.productions
    people = facts.make_people(max(2, round(films * said["people_per_film"])), facts.plan.people["nationalities"])
    companies = facts.make(COMPANY, max(2, round(films / said["films_per_company"])))
    characters = facts.make(CHARACTER, max(2, round(films * said["characters_per_film"])))
    played = np.concatenate((characters, facts.also_characters(people, facts.plan.people["also_character"])))
    made = facts.make(FILM, films)
    _crews(facts, made, people, guests, played)
    for name in ("company_produces", "distributes"):
        counts = facts.rng.poisson(said["means"][name], films)
        facts.tie(name, _asked(facts, companies, int(counts.sum())), np.repeat(made, counts))
    sequels = np.flatnonzero(facts.rng.random(films - 1) < said["sequels"])
    facts.tie("has_sequel", made[sequels], made[sequels + 1])
    _lives(facts, people, companies)


def facts_per_film(plan: Plan) -> float:
    """About how many facts a film brings, with all who belong to it and their names."""
    said = plan.productions
    means, ties = said["means"], plan.ties
    people, companies = said["people_per_film"], 1 / said["films_per_company"]
    total = 2 + 6 * people + 3 * companies + 2 * said["characters_per_film"] + 2 * said["sequels"]
    for name, mean in means.items():
        times = people if name in _OF_PEOPLE else companies if name in _OF_COMPANIES else 1
        total += times * mean * ties[name].facts
    return float(total)


def _crews(facts: WorldFacts, films: Ids, people: Ids, guests: Ids, played: Ids) -> None:
    """The credits and parts of each film; some go to its director, and some to guests."""
    said, rng = facts.plan.productions, facts.rng
    directors = _asked(facts, people, len(films))
    facts.tie(CREDITS[0], directors, films)
    for name in (*CREDITS, ACTS):
        mean = said["means"][name] - (name == CREDITS[0])
        counts = rng.poisson(mean, len(films))
        total = int(counts.sum())
        who = _asked(facts, people, total)
        if name != CREDITS[0]:
            who = np.where(rng.random(total) < said["several_hats"], np.repeat(directors, counts), who)
        who = np.where(rng.random(total) < said["guests"], rng.choice(guests, total), who)
        what = np.repeat(films, counts)
        facts.tie(name, who, what, _asked(facts, played, total) if name == ACTS else None)


def _lives(facts: WorldFacts, people: Ids, companies: Ids) -> None:
    """Who employs, founds, influences and marries whom, and which company has to do with which."""
    means, rng = facts.plan.productions["means"], facts.rng
    for name in (*_OF_PEOPLE, *_OF_COMPANIES):
        own = companies if name in _OF_COMPANIES else people
        number = int(rng.poisson(means[name] * len(own)))
        ones, others = rng.choice(own, number), rng.choice(own, number)
        if name == "employs":
            ones = np.where(
                rng.random(number) < 0.1, rng.choice(facts.countries, number), _asked(facts, companies, number)
            )
        elif name == "founds":
            others = _asked(facts, companies, number)
        elif name == "influences":
            ones = _asked(facts, people, number)
        different = ones != others
        facts.tie(name, ones[different], others[different])


def _asked(facts: WorldFacts, ids: Ids, number: int) -> Ids:
    """Draws of some things, those that come first more often, as some are asked for more than others."""
    weights = np.cumsum(np.arange(1, len(ids) + 1, dtype=float) ** -facts.plan.productions["skew"])
    places = np.searchsorted(weights, facts.rng.random(number) * weights[-1])
    asked: Ids = ids[np.minimum(places, len(ids) - 1)]
    return asked
