"""Making the index of a made-up world."""

from __future__ import annotations

import time
from pathlib import Path

from recombine.workbench.kb_build import KbBuilt
from recombine.workbench.verb import verb


@verb
def kb_world(folder: Path | str, *, kind: str = "films", facts: int | None = None, seed: int = 0) -> KbBuilt:
    """Make a made-up world in a folder: of `films`, as CFQ's questions need it, or of many `domains`.

    `facts` is about how many it has, by default 200,000.
    """
    from recombine.kb.embedded.build_index import build_index
    from recombine.kb.known_worlds import world_facts, world_profile
    from recombine.kb.profiles.find_profile import find_profile

    began = time.perf_counter()
    batches = world_facts(kind, facts, seed=seed).iter_batches()
    built = build_index(batches, folder, profile=find_profile(world_profile(kind)))
    return KbBuilt(Path(folder), built, time.perf_counter() - began)
