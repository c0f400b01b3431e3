"""What all verbs have in common as functions: the options that every command takes."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from recombine.max_unpacked import VARIABLE, parse_size
from recombine.plugins import load_plugin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

P = ParamSpec("P")
R = TypeVar("R")
COMMON = ("plugin", "max_unpacked")


def verb(function: Callable[P, R]) -> Callable[P, R]:
    """The function with the two keywords that every verb takes.

    `plugin` names modules or files to load first; `max_unpacked` is the most that a file may unpack to, such as `500M`.
    """

    @wraps(function)
    def call(*given: Any, plugin: str | Iterable[str] = (), max_unpacked: str | None = None, **named: Any) -> R:
        for name in (plugin,) if isinstance(plugin, str) else plugin:
            load_plugin(name)
        with _limited(max_unpacked):
            return function(*given, **named)

    # What `help` shows and tests inspect: the two stand last among the keywords.
    plain = signature(function)
    added = [
        Parameter("plugin", Parameter.KEYWORD_ONLY, default=(), annotation="str | Iterable[str]"),
        Parameter("max_unpacked", Parameter.KEYWORD_ONLY, default=None, annotation="str | None"),
    ]
    own = list(plain.parameters.values())
    rest = [each for each in own if each.kind is Parameter.VAR_KEYWORD]
    call.__signature__ = plain.replace(  # type: ignore[attr-defined]
        parameters=[*(each for each in own if each not in rest), *added, *rest]
    )
    return cast("Callable[P, R]", call)


@contextmanager
def _limited(size: str | None) -> Iterator[None]:
    """Another limit on what files may unpack to, for a while."""
    if size is None:
        yield
        return
    parse_size(size, "max_unpacked")
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = size
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
