"""One text for one value, and the id that follows from it."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import orjson


def canonical(value: Any) -> str:
    """A value as JSON, keys sorted.

    >>> canonical({"b": 1, "a": ["é"]})
    '{"a":["é"],"b":1}'
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def content_id(*parts: Any) -> str:
    """The id of what consists of these parts: the first 80 bits of their hash.

    >>> content_id("check", {"question": "who?"})
    '...'
    """
    return sha256(canonical(parts).encode()).hexdigest()[:20]
