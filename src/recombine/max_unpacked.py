"""The limit on what is held in memory whole: a file as it is, or what a packed one unpacks to.

A gzip file of 3 MB can unpack to 3 GB. The limit is the variable RECOMBINE_MAX_UNPACKED, which the option
`--max-unpacked` sets, or else 2 GiB. A size is a number of bytes with or without a unit: `500M` and `500MiB` are
500 × 1,048,576 bytes, `500MB` is 500 × 1,000,000.
"""

from __future__ import annotations

import os
import re
from decimal import Decimal

from recombine.errors import OptionError

VARIABLE = "RECOMBINE_MAX_UNPACKED"
DEFAULT = 2 << 30
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?b)?", re.IGNORECASE)
_POWERS = ("", "k", "m", "g", "t")


def max_unpacked() -> int:
    """The limit in bytes, as the variable says or by default."""
    text = os.environ.get(VARIABLE, "")
    return parse_size(text, VARIABLE) if text else DEFAULT


def parse_size(text: str, name: str = "the size") -> int:
    """The number of bytes that a text says; `name` is what errors call it.

    >>> parse_size("500M"), parse_size("2GiB"), parse_size("1.5kB"), parse_size("7")
    (524288000, 2147483648, 1500, 7)
    """
    match = _SIZE.fullmatch(text.strip())
    size = 0
    if match is not None:
        base = 1000 if (match[3] or "").lower() == "b" else 1024
        size = int(Decimal(match[1]) * base ** _POWERS.index(match[2].lower()))
    if size < 1:
        raise OptionError(f"{name} is {text!r}, which is no size", "write a number of bytes, or 500M, or 2GiB")
    return size


def size_text(size: int) -> str:
    """A size in the largest unit that divides it.

    >>> size_text(2 << 30), size_text(1500)
    ('2 GiB', '1,500 bytes')
    """
    for power in (4, 3, 2, 1):
        if size % 1024**power == 0:
            return f"{size // 1024**power:,} {_POWERS[power].upper()}iB"
    return f"{size:,} bytes"
