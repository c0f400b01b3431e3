"""An example: a source, its target, and what is known about how they were made.

An id is a hash of the content, with an occurrence number from the second copy on (`3fa2c0…`, `3fa2c0…#2`). So the same
pair has the same id in whatever file and order it comes; a line number is only a tag.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recombine.records.derivation import Derivation

Tag = str | int | float | bool | None
_NO_TAGS: Mapping[str, Tag] = MappingProxyType({})


def _no_tags() -> Mapping[str, Tag]:
    return _NO_TAGS


@dataclass(frozen=True, slots=True)
class Example:
    """One record of a data set.

    >>> Example.of("jump twice", "I_JUMP I_JUMP").id
    '282937544d9daafb'
    """

    id: str
    source: str
    target: str
    derivation: Derivation | None = None
    tags: Mapping[str, Tag] = field(default_factory=_no_tags, hash=False)

    @classmethod
    def of(
        cls, source: str, target: str, derivation: Derivation | None = None, tags: Mapping[str, Tag] = _NO_TAGS
    ) -> Example:
        """An example whose id is made from its content."""
        return cls(content_id(source, target), source, target, derivation, tags)


def content_id(source: str, target: str, occurrence: int = 1) -> str:
    """The id of the n-th occurrence of a pair in a data set."""
    # The length in front keeps "a b" + "c" apart from "a" + "b c".
    content = f"{len(source)} {source}{target}".encode()
    digest = hashlib.blake2b(content, digest_size=8).hexdigest()
    return digest if occurrence == 1 else f"{digest}#{occurrence}"


def iter_ids(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The ids of pairs in order, repeats numbered."""
    seen: dict[str, int] = {}
    for source, target in pairs:
        first = content_id(source, target)
        seen[first] = seen.get(first, 0) + 1
        yield first if seen[first] == 1 else f"{first}#{seen[first]}"
