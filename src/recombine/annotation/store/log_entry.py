"""Entries of the log, each of which hashes the one before, so that none can be changed, added or left out unseen."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from recombine.annotation.store.canonical import canonical

FIRST = "0" * 64
"""The hash that the first entry has before it."""


def entry_hash(before: str, number: int, at: float, what: str, data: str) -> str:
    """The hash of an entry and of the one before it."""
    return sha256(canonical([before, number, at, what, data]).encode()).hexdigest()


def response_hash(row: Any) -> str:
    """The hash of a response, which the entry of its coming has."""
    said = [row["id"], row["batch"], row["item"], row["worker"], row["revision"], row["answer"], row["standing"]]
    return sha256(canonical([*said, row["seconds"], row["at"]]).encode()).hexdigest()
