"""Digests of what was published: the order of lines that line numbers count, and who is in each part of a split.

The content hash of a data set does not depend on order, and index files and tags say nothing about themselves. So
`digests.toml` holds, for each data set of the catalogue, a digest of its ids in order and one of each split.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Published:
    """The digests of one data set."""

    order: str = ""
    splits: Mapping[str, str] = field(default_factory=dict)


@cache
def _table() -> Mapping[str, Published]:
    text = files("recombine.datasets.published").joinpath("digests.toml").read_text(encoding="utf-8")
    return {name: Published(**row) for name, row in tomllib.loads(text).items()}


def published(name: str) -> Published:
    """What is known of a data set; nothing where it is not in the table."""
    return _table().get(name, Published())


def order_digest(ids: Iterable[str]) -> str:
    """A digest of ids in this order.

    >>> order_digest(["a", "b"]) == order_digest(["b", "a"])
    False
    """
    digest = hashlib.blake2b(digest_size=8)
    for key in ids:
        data = key.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def split_digest(parts: Mapping[str, Iterable[str]]) -> str:
    """A digest of the names of parts and of their ids, in order.

    >>> split_digest({"train": ["a"], "test": ["b"]}) == split_digest({"train": ["b"], "test": ["a"]})
    False
    """
    return order_digest(text for name, ids in parts.items() for text in (name, order_digest(ids)))
