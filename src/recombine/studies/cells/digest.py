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


def list_digest(values: Iterable[bytes]) -> str:
    """The digest of a list in JSON, whose values are given one by one, so that few are in memory.

    >>> list_digest([b"1", b"null"]) == bytes_digest(b"[1,null]")
    True
    """
    digest = hashlib.blake2b(b"[", digest_size=16)
    for place, value in enumerate(values):
        digest.update(b"," + value if place else value)
    digest.update(b"]")
    return digest.hexdigest()


def ids_digest(*parts: Iterable[str]) -> str:
    """A digest of lists of ids, in their order."""
    digest = hashlib.blake2b(digest_size=16)
    for ids in parts:
        digest.update(orjson.dumps(list(ids)))
    return digest.hexdigest()
