"""An example: a source, its target, and what is known about how they were made.

An id is a hash of the content, with an occurrence number from the second copy on (`3fa2c0…`, `3fa2c0…#2`). So the same
pair has the same id in whatever file and order it comes; a line number is only a tag. The content is source and target,
and the fields of the context that tell examples apart where the data says which (its `identity`).

The context is what an example needs besides its texts: the picture it asks about, the entities of its placeholders. A
`Query` is an example without its target: what a parser is given to answer.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from recombine.records.derivation import Derivation

Tag = str | int | float | bool | None


class FrozenMapping(Mapping[str, Any]):
    """JSON values by name that cannot be changed: objects are mappings like this, arrays are tuples.

    >>> FrozenMapping({"scenes": [1, 2], "of": {"a": None}})
    FrozenMapping({'scenes': (1, 2), 'of': FrozenMapping({'a': None})})
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {_name(key): _frozen(value) for key, value in values.items()}

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._values == _plain_mapping(other)

    def __repr__(self) -> str:
        return f"FrozenMapping({self._values!r})"


NOTHING = FrozenMapping({})
"""No tags, or no context."""


def _nothing() -> Mapping[str, Any]:
    return NOTHING


def frozen_context(values: Mapping[str, Any]) -> FrozenMapping:
    """A context of these values; one that JSON cannot hold is a `TypeError` that names its field.

    >>> frozen_context({"scene": {1, 2}})
    Traceback (most recent call last):
    TypeError: the field 'scene' is not a JSON value (set)
    """
    for name, value in values.items():
        try:
            written = orjson.dumps(thawed(value))
        except (TypeError, RecursionError) as error:
            kind = type(value).__name__ if "not JSON serializable" in str(error) else error
            raise TypeError(f"the field {name!r} is not a JSON value ({kind})") from None
        if b"null" in written and _has_no_number(value):
            raise TypeError(f"the field {name!r} holds a number that JSON does not have")
    return FrozenMapping(values)


def _has_no_number(value: Any) -> bool:
    """Whether there is a not-a-number or an infinity in a value, which would be written as null."""
    if isinstance(value, Mapping):
        return any(map(_has_no_number, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_no_number, value))
    return isinstance(value, float) and not math.isfinite(value)


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value if isinstance(value, FrozenMapping) else FrozenMapping(value)
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _name(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is not text, as keys of JSON are")
    return key


def _plain_mapping(values: Mapping[Any, Any]) -> dict[Any, Any]:
    return values._values if isinstance(values, FrozenMapping) else dict(FrozenMapping(values)._values)


def thawed(value: Any) -> Any:
    """A frozen value as JSON has it: dictionaries and lists."""
    if isinstance(value, Mapping):
        return {key: thawed(inner) for key, inner in value.items()}
    return [thawed(inner) for inner in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class Query:
    """An example without its target: what a parser answers.

    >>> Example.of("how high is it", "height ( m0 )").query.source
    'how high is it'
    """

    id: str
    source: str
    context: Mapping[str, Any] = field(default_factory=_nothing, hash=False)


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
    tags: Mapping[str, Tag] = field(default_factory=_nothing, hash=False)
    context: Mapping[str, Any] = field(default_factory=_nothing, hash=False)
    """What it needs besides its texts, as JSON values; a `FrozenMapping`."""

    @property
    def query(self) -> Query:
        """The example without its target."""
        return Query(self.id, self.source, self.context)

    @classmethod
    def of(
        cls,
        source: str,
        target: str,
        derivation: Derivation | None = None,
        tags: Mapping[str, Tag] = NOTHING,
        *,
        context: Mapping[str, Any] = NOTHING,
        identity: Iterable[str] = (),
    ) -> Example:
        """An example whose id is made from its content: of its context, the fields that `identity` names.

        >>> Example.of("how many", "count", context={"scene": 7}, identity=["scene"]).context["scene"]
        7
        """
        key = content_id(source, target, identity=identity_text(context, identity))
        return cls(key, source, target, derivation, tags, frozen_context(context) if context else NOTHING)


def content_id(source: str, target: str, occurrence: int = 1, identity: str = "") -> str:
    """The id of the n-th occurrence of a pair in a data set; `identity` is what else tells it apart."""
    # The length in front keeps "a b" + "c" apart from "a" + "b c".
    content = f"{len(source)} {source}{target}"
    if identity:
        content = f"{len(source)} {len(target)} {source}{target}{identity}"
    digest = hashlib.blake2b(content.encode(), digest_size=8).hexdigest()
    return digest if occurrence == 1 else f"{digest}#{occurrence}"


def identity_text(context: Mapping[str, Any], fields: Iterable[str]) -> str:
    """The fields that tell an example apart, as one text; empty where there are none.

    >>> identity_text({"scene": 7, "split": "a"}, ["scene"])
    '{"scene":7}'
    """
    named = {name: thawed(context[name]) for name in sorted(fields)}
    return json.dumps(named, ensure_ascii=False, sort_keys=True, separators=(",", ":")) if named else ""


def iter_ids(pairs: Iterable[tuple[str, str]], identities: Iterable[str] | None = None) -> Iterator[str]:
    """The ids of pairs in order, repeats numbered; `identities` are what else tells them apart."""
    seen: dict[str, int] = {}
    for (source, target), identity in zip(pairs, repeat("") if identities is None else identities, strict=False):
        first = content_id(source, target, identity=identity)
        seen[first] = seen.get(first, 0) + 1
        yield first if seen[first] == 1 else f"{first}#{seen[first]}"
