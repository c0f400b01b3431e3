"""The made-up world of many domains, of a size and a seed: its facts, and the index of them in the cache of data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.made_up.checked_size import checked_size
from recombine.kb.made_up.made_up_names import parts_text
from recombine.kb.many_domains.domain_facts import DomainFacts
from recombine.kb.many_domains.domain_plan import packaged_plan, plan_text
from recombine.kb.profiles.find_profile import find_profile
from recombine.seeds import check_seed, make_generator

if TYPE_CHECKING:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.many_domains.domain_plan import DomainPlan

PROFILE = "freebase"
_HALVINGS = 60


def make_many_domains(size: int | None = None, *, seed: int = 0, plan: DomainPlan | None = None) -> DomainFacts:
    """The facts of the world of about so many facts; the same size, seed and plan give the same facts."""
    plan = plan or packaged_plan()
    wanted = checked_size(size, plan.size)
    # The number of facts grows with the number of things, so the scale that gives as many lies between two others.
    low, high = 0.0, float(wanted)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if expected_facts(plan, things_at(plan, middle)) < wanted else (low, middle)
    return DomainFacts(plan, things_at(plan, low), make_generator(seed))


def things_at(plan: DomainPlan, scale: float) -> dict[str, int]:
    """How many things of its own each class has at a scale."""
    fewest = int(plan.size["fewest"])
    return {each.name: max(fewest, round(each.things * scale)) for each in plan.classes.values() if each.things}


def expected_facts(plan: DomainPlan, things: dict[str, int]) -> float:
    """About how many facts a world of so many things has."""
    members = {name: float(sum(things.get(each, 0) for each in plan.under[name])) for name in plan.classes}
    for each in plan.classes.values():
        if each.pool:
            members[each.name] += max(plan.size["fewest"], each.share * members[each.pool])
    named = sum(number for name, number in things.items() if plan.classes[name].templates)
    total = sum(members.values()) + named * (1 + plan.shares["aliased"])
    total += sum(len(each.above) + each.middle for each in plan.classes.values())
    for relation in plan.relations:
        both = 2 if relation.back else 1
        total += both * members[relation.domain] * relation.mean + (6 if relation.back else 2)
    return total


def many_domains_store(size: int | None = None, *, seed: int = 0) -> EmbeddedStore:
    """The store of the world of about so many facts, from the cache of data or made now."""
    from recombine.kb.embedded.cached_index import cached_index

    wanted = checked_size(size, packaged_plan().size)
    check_seed(seed)
    said = repr((wanted, seed, plan_text(), parts_text()))
    return cached_index(
        [b"many domains", said.encode()],
        lambda: make_many_domains(wanted, seed=seed).iter_batches(),
        profile=find_profile(PROFILE),
    )
