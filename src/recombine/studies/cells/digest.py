"""Keys made from content."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def content_key(values: Mapping[str, Any]) -> str:
    """A digest of plain values, whatever the order of their names.

    >>> content_key({"a": 1, "b": [2.5]}) == content_key({"b": [2.5], "a": 1})
    True
    """
    return hashlib.blake2b(orjson.dumps(dict(values), option=orjson.OPT_SORT_KEYS), digest_size=16).hexdigest()


def bytes_digest(data: bytes) -> str:
    """A digest of the content of a file."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def ids_digest(*parts: Iterable[str]) -> str:
    """A digest of lists of ids, in their order."""
    digest = hashlib.blake2b(digest_size=16)
    for ids in parts:
        digest.update(orjson.dumps(list(ids)))
    return digest.hexdigest()
