"""A knowledge base as the world of a data set: the folder of an index, a file of triples, or an endpoint's address.

The digest of an index is that of its facts, which its `kb.json` gives; that of a file is of its bytes, and that of an
endpoint of its address, for its facts cannot be seen. MetaQA's facts are pinned as a file; the index that is built of
that file is known to be the same world. Without a place, a world is looked for among the indexes in the cache, and a
made-up world of the default size is made where it is the one that is wanted.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from recombine.data_cache import cache_folder, stored_files
from recombine.data_directory import data_file, missing_files
from recombine.errors import InputFileError, KnowledgeBaseError
from recombine.records.world import WorldKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.records.world import World

KIND = "kb"
METAQA_FILE = "kb/metaqa/kb.txt.gz"
METAQA = "e77720ca420696750781e79cc3f53eeb7e214316a49213b4c61a57d7d54da91e"
"""The digest of MetaQA's file of facts, unpacked."""
SAME = {"37f2f8a4b6cc6f1fe51a07b1853c1c8c83fc32a264385b2b3f53fef5a1b4f710": METAQA}
"""The digests of indexes, and of the published files that they are built of."""
DESCRIPTION, PLAIN = "kb.json", "plain"
INDEX = "index"
"""The folder of an index in a folder of the cache."""
_NAMED_AFTER_THEIR_FORM = (".nt", ".ntriples", ".ttl", ".turtle", ".tsv")


def _digests(place: Path | str) -> Sequence[str]:
    """The digest that an index or an endpoint gives of itself; of an index, that of the file it is built of too."""
    if isinstance(place, str):
        from recombine.kb.endpoint.endpoint_store import EndpointStore
        from recombine.kb.profiles.find_profile import find_profile

        return (EndpointStore(place, find_profile(PLAIN)).digest,)
    description = place / DESCRIPTION
    if not description.is_file():
        return ()
    try:
        said = orjson.loads(description.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        said = None
    digest = said.get("digest") if isinstance(said, dict) else None
    if not isinstance(digest, str) or not digest:
        raise KnowledgeBaseError(f"{description}: does not say the digest of the facts", "build the index again")
    return (digest, SAME[digest]) if digest in SAME else (digest,)


def _recognises(path: Path) -> bool:
    """Whether a folder is an index, or a file holds triples by its name or, as a table, by its first line."""
    from recombine.kb.loaders.forms import form_of

    if path.is_dir():
        return (path / DESCRIPTION).is_file()
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if suffix in _NAMED_AFTER_THEIR_FORM:
        return True
    try:
        return suffix == ".txt" and form_of(path) in ("tsv", "bars")
    except InputFileError:
        return False


def _find(digest: str) -> Path | None:
    """MetaQA's facts in the data directory, an index in the cache, or a made-up world, where it has the digest."""
    if digest == METAQA:
        here = not missing_files([METAQA_FILE])
        return data_file(METAQA_FILE, "MetaQA's knowledge base") if here else None
    return _cached(digest) or _made_up(digest)


def _cached(digest: str) -> Path | None:
    """The index of these facts that was used last: one file may have been read by several profiles."""
    for each in sorted(stored_files(), key=lambda file: (-file.used, file.path.name)):
        folder = each.path / INDEX
        if (folder / DESCRIPTION).is_file() and digest in _digests(folder):
            return folder
    return None


def _made_up(digest: str) -> Path | None:
    """A made-up world of the default size in the cache; none where those are others, or nothing is kept."""
    from recombine.kb.known_worlds import KINDS, world_store

    if cache_folder() is None:
        return None
    stores = map(world_store, KINDS)
    return next((store.folder.path for store in stores if store.facts_digest == digest), None)


def _open(place: Path | str, digest: str) -> World:
    """The store at a place, called by the digest that the data knows it by."""
    from recombine.kb.open_store import open_store

    return open_store(place, digest=digest)


KB = WorldKind(KIND, _open, _recognises, _find, _digests, _open)
