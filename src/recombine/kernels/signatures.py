"""Which kernels there are, and the types of arguments that each is called with, from `signatures.json`.

`benchmarks/kernel_signatures.py` writes the file from what commands ask for. A type is its name, an array is
`[name, dimensions, layout, can be written]`, and a named tuple is `{"module:class": [types of the fields]}`.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = "signatures.json"


@lru_cache(maxsize=1)
def known_signatures() -> dict[str, list[list[Any]]]:
    """The signatures of every kernel, by `module:name`, in the order in which they are best compiled."""
    text = resources.files("recombine.kernels").joinpath(FILE).read_text(encoding="utf-8")
    signatures: dict[str, list[list[Any]]] = json.loads(text)
    return signatures


def find_kernel(name: str) -> Any:
    """The kernel of a name `module:name`."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


def read_types(described: Sequence[Any]) -> tuple[Any, ...]:
    """The types that a signature describes, for numba."""
    return tuple(map(_read, described))


def describe_type(kind: Any) -> Any:
    """A type of numba's as plain values, which `read_types` reads."""
    from numba import types

    if isinstance(kind, types.BaseNamedTuple):
        made = kind.instance_class
        return {f"{made.__module__}:{made.__qualname__}": [describe_type(each) for each in kind.types]}
    if isinstance(kind, types.Array):
        return [str(kind.dtype), kind.ndim, kind.layout, kind.mutable]
    return str(kind)


def _read(described: Any) -> Any:
    from numba import types

    if isinstance(described, dict):
        ((name, fields),) = described.items()
        inner, made = read_types(fields), find_kernel(name)
        if len(set(inner)) == 1:
            return types.NamedUniTuple(inner[0], len(inner), made)
        return types.NamedTuple(inner, made)
    if isinstance(described, list):
        name, dimensions, layout, mutable = described
        return types.Array(getattr(types, name), dimensions, layout, readonly=not mutable)
    return getattr(types, described)
