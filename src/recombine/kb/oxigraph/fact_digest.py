"""A digest of facts that does not depend on their order, in little memory."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SIZE = 32


def fact_digest(lines: Iterable[str]) -> str:
    """The SHA-256 of how many facts there are and of the sum of their own digests; each fact is given once.

    >>> fact_digest(["a", "b"]) == fact_digest(["b", "a"])
    True
    >>> fact_digest(["a", "b"]) == fact_digest(["ab"])
    False
    """
    total = number = 0
    for line in lines:
        total += int.from_bytes(hashlib.sha256(line.encode()).digest(), "big")
        number += 1
    content = number.to_bytes(8, "big") + (total % (1 << 8 * _SIZE)).to_bytes(_SIZE, "big")
    return hashlib.sha256(content).hexdigest()
