"""The made-up world of a size and a seed: its facts, and the index of them in the cache of data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.film_schema.tie import ties_text
from recombine.kb.film_world.circles import make_circles
from recombine.kb.film_world.plan import KINDS, NAMES, WORLD, packaged_plan, plan_text
from recombine.kb.film_world.productions import make_productions
from recombine.kb.film_world.world_facts import WorldFacts
from recombine.kb.made_up.checked_size import checked_size
from recombine.kb.made_up.made_up_names import made_up_names, parts_text
from recombine.kb.profiles.find_profile import find_profile
from recombine.seeds import check_seed, make_generator

if TYPE_CHECKING:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.film_world.plan import Plan

PROFILE = "freebase"


def make_film_world(size: int | None = None, *, seed: int = 0, plan: Plan | None = None) -> WorldFacts:
    """The facts of the world of about so many facts; the same size, seed and plan give the same facts."""
    plan = plan or packaged_plan()
    wanted = checked_size(size, plan.size)
    facts = WorldFacts(plan, make_generator(seed))
    guests = make_circles(facts, round(wanted * plan.size["circles"]))
    # Things in circles have a name and some classes by what they do, which are not counted yet.
    in_circles = facts.count + 8 * sum(len(ids) for each in facts.things.values() for ids in each)
    make_productions(facts, wanted - in_circles, guests)
    counts = {kind: sum(map(len, facts.things[kind])) for kind in KINDS}
    shared = plan.people["shared_name"]
    facts.finish(
        {
            kind: made_up_names(plan.templates[kind], plan.lists, counts[kind], facts.rng, shared=shared)
            for kind in KINDS
        }
    )
    return facts


def film_world_store(size: int | None = None, *, seed: int = 0) -> EmbeddedStore:
    """The store of the world of about so many facts, from the cache of data or made now."""
    from recombine.kb.embedded.cached_index import cached_index

    wanted = checked_size(size, packaged_plan().size)
    check_seed(seed)
    said = repr((wanted, seed, plan_text(WORLD), plan_text(NAMES), parts_text(), ties_text()))
    return cached_index(
        [b"film world", said.encode()],
        lambda: make_film_world(wanted, seed=seed).iter_batches(),
        profile=find_profile(PROFILE),
    )
