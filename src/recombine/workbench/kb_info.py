"""What the index of a knowledge base holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

_COUNTS = ("facts", "repeats", "terms", "relations", "literals", "unreadable_literals")
_MOST = 10


@dataclass(frozen=True, repr=False, eq=False)
class KbInfo(Result):
    """What an index says of itself, after every file was compared with its check sum."""

    place: str
    profile: str
    base: str
    counts: dict[str, int]
    values_of: dict[str, int]
    """How many literals have a value of each family."""
    most_frequent: dict[str, int]
    """The relations of most facts."""
    bytes: int
    digest: str

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb info --json` prints."""
        return {
            "place": self.place,
            "profile": self.profile,
            "base": self.base,
            **self.counts,
            "values": self.values_of,
            "most_frequent": self.most_frequent,
            "bytes": self.bytes,
            "digest": self.digest,
        }

    def __str__(self) -> str:
        counts = self.counts
        return f"{self.place}: {counts['facts']:,} facts, {counts['terms']:,} terms, {counts['relations']:,} relations"


@verb
def kb_info(place: Path | str) -> KbInfo:
    """What the index in a folder holds; every file of it is compared with its check sum first."""
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.embedded.literal_columns import FAMILIES

    store = EmbeddedStore.open(place)
    store.folder.verify()
    said, profile = store.folder.description, store.profile
    ends = [0, *(said["families"][name] for name in FAMILIES[1:])]
    values = {name: ends[number + 1] - ends[number] for number, name in enumerate(FAMILIES[1:])}
    # Of relations with as many facts, those come first that sort first.
    relations = sorted(store.relation_counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST]
    most = {profile.show(store.term(number)): count for number, count in relations}
    counts = {name: int(said[name]) for name in _COUNTS}
    return KbInfo(str(place), profile.name, profile.base, counts, values, most, store.folder.size, store.digest)
