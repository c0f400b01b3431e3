"""The knowledge base that questions are grounded in: the made-up world where no place is given, else what is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.kb.embedded.index_folder import is_index
from recombine.kb.fb15k237.fb15k237_store import fb15k237_store, is_fb15k237
from recombine.kb.film_world.film_world import film_world_store
from recombine.kb.open_store import is_address, open_store

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store

PROFILE = "freebase"


def open_cfq_store(
    place: Path | str | None = None,
    *,
    world_size: int | None = None,
    world_seed: int = 0,
    profile: Profile | Path | str | None = None,
    **options: Any,
) -> Store:
    """The store at a place: an index, a file of triples, FB15k-237's folder, an address; at none, the made-up world.

    `world_size` is about how many facts the made-up world has. `profile` is that of a file or an endpoint, Freebase's
    where none is given. All else is for `open_store`.
    """
    if place is None:
        return film_world_store(world_size, seed=world_seed)
    if world_size is not None:
        raise OptionError(f"a world of {world_size} facts, and the knowledge base {place}", "give one of the two")
    if not is_address(place) and is_fb15k237(Path(place)):
        return fb15k237_store(place)
    if profile is None and not is_index(place):
        profile = PROFILE
    return open_store(place, profile=profile, **options)
