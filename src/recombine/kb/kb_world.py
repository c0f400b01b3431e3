"""A knowledge base as the world of a data set: the folder of an index, a file of triples, or the address of an endpoint.

The digest of an index is that of its facts, which its `kb.json` gives; that of a file is of its bytes, and that of an
endpoint of its address, for its facts cannot be seen. MetaQA's facts are pinned as a file; the index that is built of
that file is known to be the same world.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import orjson

from recombine.data_directory import data_file, missing_files
from recombine.errors import InputFileError, KnowledgeBaseError, OptionError
from recombine.records.world import WorldKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.store import Store
    from recombine.records.world import World

KIND = "kb"
METAQA_FILE = "kb/metaqa/kb.txt.gz"
METAQA = "e77720ca420696750781e79cc3f53eeb7e214316a49213b4c61a57d7d54da91e"
"""The digest of MetaQA's file of facts, unpacked."""
SAME = {"37f2f8a4b6cc6f1fe51a07b1853c1c8c83fc32a264385b2b3f53fef5a1b4f710": METAQA}
"""The digests of indexes, and of the published files that they are built of."""
DESCRIPTION = "kb.json"
_NAMED_AFTER_THEIR_FORM = (".nt", ".ntriples", ".ttl", ".turtle", ".tsv")


@dataclass(frozen=True)
class KbWorld:
    """A knowledge base that answers, under the digest by which data knows it."""

    store: Store
    digest: str

    @property
    def kind(self) -> str:
        """The name of its kind."""
        return KIND


def store_of(world: World | None, wanted_for: str) -> Store:
    """The store of a world that is a knowledge base, however it was given."""
    if isinstance(world, KbWorld):
        return world.store
    if world is None or world.kind != KIND:
        has = "there is none" if world is None else f"the world is of the kind {world.kind!r}"
        raise OptionError(f"{wanted_for} needs a knowledge base, and {has}", "give one with --kb PATH|URL")
    return cast("Store", world)  # from Python, a store is itself given as a world


def _digests(path: Path) -> Sequence[str]:
    """The digest that the description of an index gives, and that of the file that it is known to be built of."""
    description = path / DESCRIPTION
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
    """MetaQA's facts in the data directory, where it is those that are wanted."""
    here = digest == METAQA and not missing_files([METAQA_FILE])
    return data_file(METAQA_FILE, "MetaQA's knowledge base") if here else None


def _open(place: Path | str, digest: str) -> KbWorld:
    from recombine.kb.open_store import open_store

    return KbWorld(open_store(place), digest)


KB = WorldKind(KIND, _open, _recognises, _find, _digests, _open)
