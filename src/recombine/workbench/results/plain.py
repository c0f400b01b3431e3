"""Values as programs read them from `--json`."""

from __future__ import annotations

from typing import Any


def plain(value: Any) -> Any:
    """The value as JSON would give it back: lists for tuples, numbers of Python for those of arrays.

    >>> plain({"symbols": ("dog", "cat"), "auc": float("nan")})
    {'symbols': ['dog', 'cat'], 'auc': None}
    """
    import orjson

    return orjson.loads(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY))
