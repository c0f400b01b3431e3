"""Making the index of the made-up world of films."""

from __future__ import annotations

import time
from pathlib import Path

from recombine.workbench.kb_build import KbBuilt
from recombine.workbench.verb import verb


@verb
def kb_world(folder: Path | str, *, facts: int | None = None, seed: int = 0) -> KbBuilt:
    """Make the world of films that questions are grounded in where no other knowledge base is given, in a folder.

    `facts` is about how many it has, by default 200,000.
    """
    from recombine.kb.embedded.build_index import build_index
    from recombine.kb.film_world.film_world import PROFILE, make_film_world
    from recombine.kb.profiles.find_profile import find_profile

    began = time.perf_counter()
    batches = make_film_world(facts, seed=seed).iter_batches()
    built = build_index(batches, folder, profile=find_profile(PROFILE))
    return KbBuilt(Path(folder), built, time.perf_counter() - began)
