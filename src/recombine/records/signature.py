"""The recipe of a value: `key:value|key:value|…|version:0.1.0`, printed under every number.

A signature is complete (every option that can change the value is in it) and parseable: `Signature.parse(str(s)) ==
s`. `|`, `%` and control characters inside a value are percent-encoded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from recombine.errors import RecombineError
from recombine.version import __version__

_UNSAFE = re.compile(r"[|%\x00-\x1f\x7f]")
_KEY = re.compile(r"[a-z][a-z0-9_.-]*")


@dataclass(frozen=True)
class Signature:
    """An ordered list of named values.

    >>> s = Signature.of(data="scan@3fa2", by="random", seed=1)
    >>> print(s)
    data:scan@3fa2|by:random|seed:1|version:0.1.0
    >>> Signature.parse(str(s)) == s
    True
    """

    fields: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, /, **values: object) -> Signature:
        """A signature of these values in this order, with the version last; `None` is left out."""
        pairs = [(key, _text(value)) for key, value in values.items() if value is not None]
        return cls((*pairs, ("version", __version__)))

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read what `str` printed."""
        fields = []
        for field in text.split("|"):
            key, colon, value = field.partition(":")
            if not colon or not _KEY.fullmatch(key):
                raise RecombineError(f"not a signature: {text!r}", "a signature reads key:value|key:value|…")
            fields.append((key, unquote(value)))
        return cls(tuple(fields))

    def with_fields(self, **values: object) -> Signature:
        """The same signature with these values set, the version still last."""
        merged = dict(self.fields)
        version = merged.pop("version", __version__)
        merged.update({key: _text(value) for key, value in values.items() if value is not None})
        return Signature((*merged.items(), ("version", version)))

    def without(self, *keys: str) -> Signature:
        """The same signature less these keys."""
        return Signature(tuple((key, value) for key, value in self.fields if key not in keys))

    def get(self, key: str, default: str = "") -> str:
        """The value of a key."""
        return dict(self.fields).get(key, default)

    def __str__(self) -> str:
        return "|".join(f"{key}:{_UNSAFE.sub(_escape, value)}" for key, value in self.fields)


def _escape(match: re.Match[str]) -> str:
    return f"%{ord(match.group()):02X}"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value) if isinstance(value, float) else str(value)
