"""An index in the cache of data, built where it is not there; without a cache, for the time of the process."""

from __future__ import annotations

import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.data_cache import code_digest, content_key, drop_stored_folder, stored_folder
from recombine.errors import KnowledgeBaseError
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pyarrow as pa

    from recombine.kb.profiles.profile import Profile

_INDEX = "index"


def cached_index(
    decided_by: Sequence[bytes], facts: Callable[[], Iterable[pa.RecordBatch]], *, profile: Profile
) -> EmbeddedStore:
    """The store of some facts; `decided_by` is what decides them besides the code, and they are made only at need."""

    def make(folder: Path) -> None:
        build_index(facts(), folder / _INDEX, profile=profile)

    key = content_key([b"cached index", code_digest(("kb",)), *decided_by])
    for _ in range(2):
        folder = stored_folder(key, make)
        if folder is None:
            break
        try:
            return EmbeddedStore.open(folder / _INDEX)
        except KnowledgeBaseError:  # its files have their sizes, and not their content
            drop_stored_folder(key)
    kept = tempfile.TemporaryDirectory(prefix="recombine-kb-")
    make(Path(kept.name))
    store = EmbeddedStore.open(Path(kept.name) / _INDEX)
    weakref.finalize(store, kept.cleanup)
    return store
